"""Renders a report as one HTML page: the tables, and every game with the value of each move.

The page has no script and loads nothing from outside, and its content security policy forbids both. Names
and answers come from anywhere: all of them are escaped.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files

from numberduels.analysis.judgement import FORCED, MISTAKES
from numberduels.arena.cells import (
    NONE,
    Cell,
    CountedCell,
    Name,
    ReportTable,
    Section,
    cell_parts,
    percent,
    percent_interval,
    visible,
)
from numberduels.arena.intervals import Proportion
from numberduels.arena.report import RunReport
from numberduels.arena.results import ERROR, AttemptResult, GameResult, MoveResult
from numberduels.arena.tables import build_sections
from numberduels.game.formatting import plural

MAX_ANSWER = 4_000
"""Characters of an answer on the page; the rest is in the saved games."""
MAX_BETTER = 6
"""Better moves that are listed."""
MAX_MOVES = 50_000
"""Moves on the page: more would be too much for browsers."""

STYLE = (files("numberduels.arena") / "page.css").read_text(encoding="utf-8")

BEGINS = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '"""
"""The beginning of every page, by which a page that may be overwritten is recognised."""


def render_page(report: RunReport) -> str:
    """The report as one HTML document."""
    title = "Number Duels: a run of the arena"
    digest = b64encode(sha256(STYLE.encode()).digest()).decode()
    parts = [
        f"{BEGINS}sha256-{digest}'; base-uri 'none'; form-action 'none'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        '<a class="skip" href="#games">Skip to the games</a>',
        "<main>",
        f"<h1>{title}</h1>",
        *(f"<p>{_text(sentence)}</p>" for sentence in report.summary()),
        *(line for section in build_sections(report) for line in _section(section)),
        *_notes(report),
        *_games(report),
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _text(text: str) -> str:
    """Any text as markup."""
    return escape(visible(text))


def _name(text: str) -> str:
    """A name, isolated so that its writing direction does not affect the text beside it."""
    return f"<bdi>{_text(text) or NONE}</bdi>"


# Tables


def _section(section: Section) -> Iterator[str]:
    yield f'<section aria-labelledby="{section.id}"><h2 id="{section.id}">{section.heading}</h2>'
    if section.intro:
        yield f"<p>{section.intro}</p>"
    for table in section.tables:
        yield from _table(table)
    if section.details:
        yield f"<details><summary>{section.details_heading}</summary>"
        for table in section.details:
            yield from _table(table)
        yield "</details>"
    yield "</section>"


def _table(table: ReportTable) -> Iterator[str]:
    caption = escape(table.caption or table.title, quote=True)
    # A box that scrolls must be reachable by the keyboard, and so must have a name.
    yield f'<div class="wide" role="region" tabindex="0" aria-label="{caption}"><table>'
    yield f"<caption><span>{caption}</span></caption>"
    classes = ["" if place < table.text_columns else ' class="n"' for place in range(len(table.columns))]
    yield "<thead><tr>"
    headings = zip(table.columns, classes, strict=True)
    yield "".join(f'<th scope="col"{kind}>{_text(column.heading)}</th>' for column, kind in headings)
    yield "</tr></thead><tbody>"
    for first, *rest in table.rows:
        cells = zip(rest, classes[1:], strict=True)
        data = "".join(f"<td{kind}>{_cell(cell)}</td>" for cell, kind in cells)
        yield f'<tr><th scope="row">{_cell(first)}</th>{data}</tr>'
    yield "</tbody></table></div>"


def _cell(cell: Cell) -> str:
    """A cell as markup."""
    match cell:
        case Name(text):
            return _name(text)
        case Proportion():
            return _proportion(cell)
        case CountedCell(proportion):
            return _proportion(proportion)
    value, interval = map(_text, cell_parts(cell))
    return f'<span class="one-line">{value} <small>{interval}</small></span>' if interval else value


def _proportion(proportion: Proportion) -> str:
    """A proportion as a bar with its interval, and as text in one line below it."""
    if proportion.share is None or proportion.interval is None:
        return NONE
    low, high = (2 + 76 * end for end in proportion.interval)
    bar = (
        '<svg width="80" height="14" aria-hidden="true">'
        '<rect class="ground" x="2" y="3" width="76" height="8"/>'
        f'<rect class="bar" x="2" y="3" width="{76 * proportion.share:.1f}" height="8"/>'
        f'<path class="mark" d="M{low:.1f} 4v6m0 -3H{high:.1f}m0 -3v6"/></svg>'
    )
    text = f"{percent(proportion)} <small>of {proportion.of}, {percent_interval(proportion)}</small>"
    return f'<span class="share">{bar}<span class="one-line">{text}</span></span>'


def _notes(report: RunReport) -> Iterator[str]:
    yield '<section aria-labelledby="notes"><h2 id="notes">What the figures mean</h2><ul>'
    yield from (f"<li>{escape(note)}</li>" for note in report.notes())
    yield "</ul></section>"


# The games

HEADINGS = ("No.", "Player", "Move", "Verdict", "Value", "Choices", "Better", "Words")


def _games(report: RunReport) -> Iterator[str]:
    """The games, grouped by their rules and players."""
    pairings: dict[tuple[str, ...], list[GameResult]] = {}
    for game in report.games:
        pairings.setdefault((game.label, *game.players), []).append(game)
    yield '<section aria-labelledby="games"><h2 id="games" tabindex="-1">The games</h2>'
    yield "<p>Open a game for its moves: the verdict, the value for who made it, and the answers.</p>"
    left = MAX_MOVES
    for (label, *players), games in pairings.items():
        count = plural(len(games), "game" if len(players) > 1 else "decision")
        who = " against ".join(map(_name, players))
        yield f"<details><summary>{_text(label)}: {who}, {count}</summary>"
        for game in games:
            left -= len(game.moves)
            if left >= 0:
                yield from _game(game)
        yield "</details>"
    if left < 0:
        yield f"<p>Only {MAX_MOVES:,} moves are shown; games.jsonl has all of them.</p>"
    yield "</section>"


def _game(game: GameResult) -> Iterator[str]:
    """A game that can be opened."""
    result = f"result {game.result}" if game.is_game else "one decision"
    faults = [_text(each) for each in count_mistakes(game)]
    mistakes = f'<span class="fault">✗ {", ".join(faults)}</span>' if faults else "no mistakes"
    yield f"<details><summary>Line {game.number}, {_text(f'{result}, {describe_end(game)}')}: {mistakes}"
    yield f"</summary><p>Seed {_text(game.seed) or NONE}</p>"
    if game.forfeit and game.forfeit.message:
        yield f'<pre class="fault">{_text(game.forfeit.message[:MAX_ANSWER])}</pre>'
    yield '<div class="wide" role="region" tabindex="0" aria-label="Moves"><table>'
    yield "<caption><span>Moves</span></caption><thead><tr>"
    yield "".join(f'<th scope="col">{heading}</th>' for heading in HEADINGS)
    yield "</tr></thead><tbody>"
    yield from (_move_row(game, number, move) for number, move in enumerate(game.moves, 1))
    yield "</tbody></table></div>"
    yield "<details><summary>The record, to save and replay</summary>"
    yield f"<pre>{_text(game.record)}</pre></details></details>"


def _move_row(game: GameResult, number: int, move: MoveResult) -> str:
    kind, verdict = _verdict(game, move)
    better = [*move.better[:MAX_BETTER]]
    if len(move.better) > MAX_BETTER:
        better.append(f"and {len(move.better) - MAX_BETTER} more")
    judged = move.before is not None and move.keeping is not None
    cells = [
        _name(f"{'■' if move.seat else '●'}\u00a0{game.player(move.seat)}"),
        f"<strong>{_text(move.move or NONE)}</strong>",
        f'<span class="{kind}">{_text(verdict)}</span>',
        _text(_value(move)),
        f"{move.keeping} keep, {move.losing or 0} lose" if judged else "",
        _text(", ".join(better)),
        _words(move),
    ]
    return f'<tr><th scope="row">{number}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _verdict(game: GameResult, move: MoveResult) -> tuple[str, str]:
    """The class and the words of a verdict."""
    if not move.made:
        return ("fault", "✗ no move: forfeit") if game.has_failure else ("pale", "- no move: abandoned")
    if not move.verdict:
        return "pale", "not judged" if move.chosen else "drawn, nobody chose"
    if move.verdict in MISTAKES:
        return "fault", f"✗ {move.verdict}"
    return ("good", f"✓ {move.verdict}") if move.judged and move.verdict != FORCED else ("pale", move.verdict)


def _value(move: MoveResult) -> str:
    """The value before and after a move, and how far the end is."""
    if move.before is None:
        return ""
    parts = [f"{move.before} → {move.after}" if move.after else move.before]
    parts += [f"gave away {move.margin_given:g}"] if move.margin_given else []
    parts += [f"{move.remoteness} to the end"] if move.remoteness is not None else []
    parts += [f"a proof of {move.proof} positions"] if move.proof is not None else []
    return ", ".join(parts)


def _words(move: MoveResult) -> str:
    """The answers of a program or a model."""
    if not move.attempts:
        return ""
    bad = f", {move.faults} bad" if move.faults else ""
    told = "".join(map(_attempt, move.attempts))
    return f"<details><summary>{plural(len(move.attempts), 'answer')}{bad}</summary>{told}</details>"


def _attempt(attempt: AttemptResult) -> str:
    """The reasoning if there was any, the answer, and why it was refused."""
    told = f"<pre>{_shown(attempt.answer) or '(no answer)'}</pre>"
    if attempt.reasoning:
        told = f"<details><summary>reasoning</summary><pre>{_shown(attempt.reasoning)}</pre></details>{told}"
    if attempt.fault:
        cause = f"{attempt.cause}: " if attempt.cause else ""
        told += f'<p class="fault">✗ {_text(f"{cause}{attempt.fault}"[:MAX_ANSWER])}</p>'
    return told


def _shown(text: str) -> str:
    more = len(text) - MAX_ANSWER
    return _text(text[:MAX_ANSWER]) + (f"\n[{more} characters more in the saved games]" if more > 0 else "")


def count_mistakes(game: GameResult) -> list[str]:
    """The number of mistakes of both players, and the cause of a forfeit, as far as there are any."""
    count = sum(each.made and each.judged and not each.kept for each in game.decisions)
    found = [plural(count, "mistake")] if count else []
    return [*found, f"forfeit: {game.forfeit.cause}"] if game.forfeit and game.has_failure else found


def describe_end(game: GameResult) -> str:
    """How the game ended, as text."""
    if game.forfeit is None:
        return game.end
    cause = "error" if game.forfeit.cause == ERROR else f"forfeit, {game.forfeit.cause}"
    return f"{cause}, seat {game.forfeit.seat + 1}"
