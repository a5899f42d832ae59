"""`moves values` at the prompt: the legal moves grouped by value."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from numberduels.analysis.hints import QUICK
from numberduels.game.formatting import runs
from numberduels.game.text import AnyGameText
from numberduels.solvers import DRAW, LOSS, WIN, TooLarge, Worth, make_oracle

SIGNS = {WIN: "+", DRAW: "=", LOSS: "-"}
"""A sign for each value, printed before the word."""

MEANINGS = {WIN: "you win", DRAW: "nobody wins", LOSS: "you lose"}

LISTED = 200
"""The most moves that are listed for one value."""

WIDTH = 78


def format_move_values(
    game_text: AnyGameText, state: Hashable, columns: int | None = None, *, nimbers: bool = False
) -> str:
    """The legal moves by value, best first; one line if the position cannot be solved quickly."""
    oracle = make_oracle(game_text.game, QUICK)
    try:
        choices = oracle.evaluate_moves(state)
    except TooLarge as fault:
        return f"What the moves are worth is beyond reach here: {fault}.\n"
    groups: dict[str, list[Hashable]] = {}
    for move, worth in sorted(choices.items(), key=lambda item: _rank(item[1])):
        groups.setdefault(_worth(worth, nimbers), []).append(move)
    width = max(map(len, groups))
    most = min(columns or WIDTH, WIDTH)
    lines = [
        _line(f"  {label:<{width}}  ", _moves(game_text, state, moves), most)
        for label, moves in groups.items()
    ]
    legend = _line("", f"Signs: {_legend(choices.values())}, if both play their best from there.", most)
    return f"Legal moves by worth:\n{''.join(lines)}{legend}"


def _legend(worths: Iterable[Worth]) -> str:
    """The meaning of the signs that occur."""
    there = {worth.value for worth in worths}
    return ", ".join(f"{sign} {MEANINGS[value]}" for value, sign in SIGNS.items() if value in there)


def _rank(worth: Worth) -> tuple[int, int, int]:
    """The sort key of a value: better values first."""
    return -worth.value, -(worth.margin or 0), worth.nimber or 0


def _worth(worth: Worth, nimbers: bool) -> str:
    """The value of a move as a sign and in words."""
    text = f"{SIGNS[worth.value]} {worth.value_name}"
    if worth.margin is not None:
        text += f" by {abs(worth.margin)}" if worth.margin else " at level points"
    if nimbers and worth.nimber is not None:
        text += f", leaves nimber {worth.nimber}"
    return text


def _moves(game_text: AnyGameText, state: Hashable, moves: list[Hashable]) -> str:
    """The moves of one value; runs of numbers are shortened to ranges."""
    texts = [game_text.format_move(move) for move in moves]
    if all(text.isdecimal() for text in texts):
        return runs(sorted(map(int, texts))).replace(",", ", ")
    if len(moves) == len(game_text.game.moves(state)):
        return game_text.list_moves(state).strip()
    more = f", and {len(texts) - LISTED} more" if len(texts) > LISTED else ""
    return ", ".join(texts[:LISTED]) + more


def _line(head: str, text: str, width: int) -> str:
    """The text after its head, with a hanging indent."""
    from textwrap import fill

    indent = " " * min(len(head), width // 2)
    return fill(text, width, initial_indent=head, subsequent_indent=indent) + "\n"
