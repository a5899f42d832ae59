"""Renders a report as one HTML page: the tables, and every game with the value of each move.

The page loads nothing from outside, and its content security policy forbids it to. Names and answers come
from anywhere: they are escaped here, and the script inserts them as text, never as markup. Without JavaScript
the page has all tables.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from numberduels.analysis.judgement import MISTAKES
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
from numberduels.arena.results import ENDS, ERROR, AttemptResult, GameResult, MoveResult
from numberduels.arena.tables import build_sections
from numberduels.game import record

MAX_ANSWER = 4_000
"""Characters of an answer on the page; the rest is in the saved games."""
MAX_BETTER = 6
"""Better moves that are listed."""
MAX_BOARD_CHARACTERS = 10_000_000
"""With larger boards in all the page has none: it would be too large for browsers."""


def _asset(name: str) -> str:
    """A text file of this package."""
    return (files("numberduels.arena") / name).read_text(encoding="utf-8")


STYLE, SCRIPT = _asset("page.css"), _asset("page.js")


BEGINS = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '"""
"""The beginning of every page, by which a page that may be overwritten is recognised."""


def render_page(report: RunReport) -> str:
    """The report as one HTML document."""
    games, without_boards = games_data(report)
    title = "Number Duels: a run of the arena"
    policy = f"{_digest(STYLE)}'; script-src '{_digest(SCRIPT)}'; base-uri 'none'; form-action 'none'"
    parts = [
        f'{BEGINS}{policy}">',
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
        *_games(report, without_boards),
        "</main>",
        '<script type="application/json" id="data">',
        script_json({"games": games, "mistakes": MISTAKES, "drawn": not without_boards}),
        "</script>",
        f"<script>{SCRIPT}</script>",
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def script_json(data: Any) -> str:
    """The data as JSON that is safe inside a script element.

    >>> script_json("</script><!--")
    '"\\\\u003c/script\\\\u003e\\\\u003c!--"'
    """
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _digest(text: str) -> str:
    """The hash of a text for a content security policy."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


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


def _games(report: RunReport, without_boards: str) -> Iterator[str]:
    players = sorted({name for each in report.games for name in each.players})
    games = sorted({each.label for each in report.games})
    yield '<section aria-labelledby="games"><h2 id="games" tabindex="-1">The games</h2>'
    if without_boards:
        yield f"<p>The boards are left out: {without_boards}.</p>"
    yield '<div id="live" hidden><form id="filters" class="filters">'
    yield _choice("player", "Player", players)
    yield _choice("other", "Against", players)
    yield _choice("game", "Game", games)
    yield _choice("end", "Result for the player, or for who began", ENDS)
    yield '<label class="tick"><input type="checkbox" id="faulty">'
    yield "Only with mistakes or forfeits</label></form>"
    yield '<p id="count" role="status"></p>'
    yield '<div class="wide" role="region" tabindex="0" aria-label="Games that fit"><table id="list">'
    yield "<caption><span>Games that fit</span></caption><thead><tr>"
    heads = ["Game", "First", "Second", "Result", "Mistakes", "End"]
    ids = {"Mistakes": ' id="whose"'}
    yield "".join(f'<th scope="col"{ids.get(head, "")}>{head}</th>' for head in heads)
    yield '</tr></thead><tbody></tbody></table></div><p class="turn">'
    yield '<button type="button" id="back">Earlier games</button> '
    yield '<button type="button" id="on">Later games</button></p>'
    yield '<article id="chosen" tabindex="-1" aria-live="off" hidden></article></div>'
    yield "<noscript><p>With JavaScript each game can be opened here, move by move.</p></noscript></section>"


def _choice(name: str, label: str, options: Iterable[str]) -> str:
    # The script compares texts in their visible form, so the values have it too.
    listed = "".join(f'<option value="{_text(each)}">{_text(each) or NONE}</option>' for each in options)
    return (
        f'<label for="{name}">{label}<select id="{name}" autocomplete="off">'
        f'<option value="">any</option>{listed}</select></label>'
    )


# The data for the script: field names are short, because a page holds thousands of games; the script begins
# with their meaning.


def games_data(report: RunReport) -> tuple[list[dict[str, Any]], str]:
    """The data of all games, and why their boards are left out; empty if they are there."""
    games = [_game(game) for game in report.games]
    size, boards = 0, []
    for game in report.games:
        boards.append(boards_of(game))
        size += sum(map(len, boards[-1]))
        if size > MAX_BOARD_CHARACTERS:
            return games, "they are too large for a page"
    return [game | _without_empty({"z": each}) for game, each in zip(games, boards, strict=True)], ""


def boards_of(game: GameResult) -> list[str]:
    """The board at the start and after each move; empty if the record does not fit the moves."""
    try:
        saved = record.read(game.record)
        table, text = saved.table(), saved.spec.text_for(saved.game)
        moves = [move.move for move in game.moves if move.made]
        if moves != [text.format_move(move) for move in table.played]:
            return []
        states = [table.start, *(after for _, _, after in table.steps())]
        return [visible(text.position(state).strip("\n")) for state in states]
    except Exception:  # records and games come from anywhere, and the page must still be written
        return []


def describe_end(game: GameResult) -> str:
    """How the game ended, as text."""
    if game.forfeit is None:
        return game.end
    cause = "error" if game.forfeit.cause == ERROR else f"forfeit, {game.forfeit.cause}"
    return f"{cause}, seat {game.forfeit.seat + 1}"


def _game(game: GameResult) -> dict[str, Any]:
    """The data of a game, with all texts in their visible form."""
    forfeit, ends = game.forfeit, game.ends
    lost = forfeit and forfeit.cause != ERROR
    return _without_empty(
        {
            "n": game.number,
            "g": visible(game.label),
            "p": [visible(name) for name in game.players],
            "r": game.result,
            "e": visible(describe_end(game)),
            "x": list(ends) if ends else None,
            "f": visible(forfeit.message)[:MAX_ANSWER] if forfeit else None,
            "q": [forfeit.seat, visible(forfeit.cause)] if forfeit and lost else None,
            "s": visible(game.seed),
            "t": visible(game.record),
            "m": [_move(move) for move in game.moves],
        }
    )


def _move(move: MoveResult) -> dict[str, Any]:
    better = [visible(each) for each in move.better]
    if len(better) > MAX_BETTER:
        better = [*better[:MAX_BETTER], f"and {len(better) - MAX_BETTER} more"]
    return {"m": _visible(move.move)} | _without_empty(
        {
            "s": move.seat,
            "v": _visible(move.verdict),
            "b": _visible(move.before),
            "a": _visible(move.after),
            "k": move.keeping,
            "l": move.losing,
            "d": move.margin_given,
            "r": move.remoteness,
            "o": move.proof,
            "i": ", ".join(better),
            "w": [_attempt(each) for each in move.attempts],
        }
    )


def _visible(text: str | None) -> str | None:
    return None if text is None else visible(text)


def _attempt(attempt: AttemptResult) -> list[str]:
    """The answer, why it was refused, and the reasoning if there was any."""
    cause = f"{attempt.cause}: " if attempt.cause and attempt.fault else ""
    parts = [_shown(attempt.answer), visible(f"{cause}{attempt.fault}")[:MAX_ANSWER]]
    return [*parts, _shown(attempt.reasoning)] if attempt.reasoning else parts


def _shown(text: str) -> str:
    more = len(text) - MAX_ANSWER
    return visible(text[:MAX_ANSWER]) + (f"\n[{more} characters more in the saved games]" if more > 0 else "")


def _without_empty(data: dict[str, Any]) -> dict[str, Any]:
    """The data without empty entries."""
    return {name: value for name, value in data.items() if value is not None and value not in ("", [])}
