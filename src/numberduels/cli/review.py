"""`duel review FILE`: a verdict on every move of a saved game, and better moves."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from numberduels.analysis.judgement import GAVE_POINTS, JudgedMove
from numberduels.analysis.review import Review, review_game
from numberduels.cli.argument_parser import Parser
from numberduels.cli.arguments import (
    add_game_number,
    load_record,
)
from numberduels.cli.console import standard_console
from numberduels.cli.progress import ProgressBar
from numberduels.game import options
from numberduels.game.contract import OTHER
from numberduels.game.formatting import plural
from numberduels.game.text import AnyGameText
from numberduels.play.review_view import GLYPHS, ReviewView, draw_value_chart, format_accuracy, legend
from numberduels.solvers import Worth

WIDTH = 78


def run(arguments: list[str]) -> int:
    """Print the review of a record."""
    parser = Parser("review", "Judge every move of a saved game, and say what was better.")
    parser.add_argument("file", metavar="FILE|ID", help="a file, the id of a kept game, or last")
    add_game_number(parser)
    parser.add_argument("--json", action="store_true", help="print the review as data")
    parsed = parser.parse_args(arguments)
    record = load_record(parsed.file, parsed.game)
    with ProgressBar("judging"):
        judged = review_game(record)
    game_text = record.spec.text_for(record.game, record.names)
    if parsed.json:
        import json

        print(json.dumps(judged.report(), indent=2))
    else:
        console = standard_console()
        console.say(format_review(judged, game_text, console.width))
    return 0


def format_review(judged: Review, game_text: AnyGameText, columns: int | None = None) -> str:
    """The review as text, for a terminal with this many columns."""
    width = min(columns or WIDTH, WIDTH)
    view = ReviewView(judged.record, judged)
    moves = "".join(_moves(view, game_text, width)) or "No move was made.\n"
    chart = f"{_caption(judged, game_text)}\n{draw_value_chart(judged, game_text, columns)}"
    figures = (
        f"Accuracy (right choices where a wrong one was possible):\n{''.join(_accuracy(judged, game_text))}"
    )
    summary = fill(judged.summary, width) + "\n"
    parts = [summary, _head(judged, game_text), moves + view.ending(), chart, figures]
    return "\n".join([*parts, legend(judged, columns)] if judged.moves else parts)


def _head(judged: Review, game_text: AnyGameText) -> str:
    record = judged.record
    head = (
        f"{options.titled(record.spec.title, record.game)}\n"
        f"{game_text.label(0)} against {game_text.label(1)}, result {record.result}\n"
        f"Judged by {judged.method}.\n"
    )
    if record.swapped:
        head += f"The players changed seats after move 1, which {game_text.label(1)} had made.\n"
    elif record.swapped is not None:
        head += "The players kept their seats after move 1.\n"
    if judged.unjudged == 1:
        head += f"Move 1 is not judged and does not count: {judged.beyond}.\n"
    elif judged.unjudged:
        head += f"Moves 1 to {judged.unjudged} are not judged and do not count: {judged.beyond}.\n"
    return head


def _moves(view: ReviewView, game_text: AnyGameText, width: int) -> Iterator[str]:
    """A line for each move, and the better moves below it."""
    judged = view.review
    assert judged
    figure = len(str(len(judged.moves)))
    labels = max(len(game_text.label(seat)) for seat in OTHER)
    notations = max((len(game_text.spoken(each.move)) for each in judged.moves), default=0)
    for each in judged.moves:
        label, move = game_text.label(each.seat), game_text.spoken(each.move)
        yield (
            f"{each.ply:>{figure}}. {label:<{labels}}  {move:<{notations}}"
            f"  {GLYPHS[each.verdict]:<2} {each.verdict}{_difference(each)}\n"
        )
        if each.better:
            indent = " " * (figure + 2)
            yield (fill(view.advice(each), width, initial_indent=indent, subsequent_indent=indent) + "\n")


def _difference(each: JudgedMove) -> str:
    """The value before and after the move, in brackets."""
    if each.before is None or each.worth is None:
        return ""
    before, after = _standing(each.before), _standing(each.worth)
    note = before if before == after else f"{before}, now {after}"
    if each.given:
        note += f": {plural(each.given, 'point')}{' given away' * (each.verdict != GAVE_POINTS)}"
    elif not each.losing and each.keeping > 1 and each.before.value < 0:
        note += "; every move loses"
    return f" ({note})"


def _standing(worth: Worth) -> str:
    return worth.value_name + ("" if worth.margin is None else f" {worth.margin:+}")


def _caption(judged: Review, game_text: AnyGameText) -> str:
    if judged.margins is None:
        return "Who wins at best play, after each move:"
    return (
        "The final margin at best play, after each move"
        f" (up: {game_text.label(0)} is ahead, down: {game_text.label(1)}):"
    )


def _accuracy(judged: Review, game_text: AnyGameText) -> Iterator[str]:
    """A line for each player; in a game of points with the points given away."""
    labels = max(len(game_text.label(seat)) for seat in OTHER)
    for seat in OTHER:
        line = f"  {game_text.label(seat):<{labels}}  {format_accuracy(judged, seat)}"
        given = judged.accuracy[seat].given
        if given is not None:
            line += f"; points given away per move: {given:.1f}"
        yield f"{line}\n"
