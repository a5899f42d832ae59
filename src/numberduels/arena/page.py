"""A run as one page for the browser: the tables, and every game with the value of each move.

The page asks for nothing outside itself, and its policy forbids it to. Names and answers come from anywhere:
all of them are escaped here, and the script puts them on the page as text, never as markup. Without
JavaScript the tables are complete and the games are listed.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from numberduels.analysis.review import MISTAKES
from numberduels.arena.aggregate import PlayerStats
from numberduels.arena.formatting import NONE, between, brief, percent, rated, shown, spent
from numberduels.arena.intervals import Mean, Proportion
from numberduels.arena.page_data import ENDS, how, mistakes, packed
from numberduels.arena.ratings import Rating
from numberduels.arena.report import TAKEN, TOKENS, Report
from numberduels.arena.results import ABANDONED, DEPTHS, LOST, OPEN, TIED, WON, GameResult, Line


def _beside(name: str) -> str:
    """A text that lies beside this module."""
    return (files("numberduels.arena") / name).read_text(encoding="utf-8")


STYLE, SCRIPT = _beside("page.css"), _beside("page.js")


BEGINS = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '"""
"""How every page begins, and hardly any other file."""


def page(report: Report) -> str:
    """The report as one HTML document."""
    games, undrawn = packed(report)
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
        f"<p>{_head(report)}</p>",
        *_leaderboard(report),
        *_moves(report),
        *_taken(report),
        *_sides(report),
        *_accuracy(report),
        *_left_out(report),
        *_games(report, undrawn),
        "</main>",
        '<script type="application/json" id="data">',
        embedded({"games": games, "mistakes": MISTAKES, "drawn": not undrawn}),
        "</script>",
        f"<script>{SCRIPT}</script>",
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def embedded(data: Any) -> str:
    """The data as JSON that can stand inside a script element, whatever is in it.

    >>> embedded("</script><!--")
    '"\\\\u003c/script\\\\u003e\\\\u003c!--"'
    """
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _digest(text: str) -> str:
    """How a content policy names exactly this text."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _safe(text: str) -> str:
    """The text as markup that says just that text."""
    return escape(shown(text))


def _name(text: str) -> str:
    """A name, which may be written in either direction without turning what stands beside it."""
    return f"<bdi>{_safe(text) or NONE}</bdi>"


# The tables


def _head(report: Report) -> str:
    games = sum(each.ends is not None for each in report.games)
    positions = len(report.games) - games
    told = [f"{games:,} games"] if games or not positions else []
    told += [f"{positions:,} positions"] if positions else []
    told.append(f"{len(report.stats.players)} players")
    seed = report.config.get("seed")
    if seed is not None:
        told.append(f"seed {_name(str(seed))}")
    return ", ".join(told) + "."


def _table(
    caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1
) -> Iterator[str]:
    """A table whose cells are markup; the first one of a row is its head, and so many begin at the left."""
    label = escape(caption, quote=True)
    # A box that scrolls must be reachable by the keyboard, and so must have a name.
    yield f'<div class="wide" role="region" tabindex="0" aria-label="{label}"><table>'
    yield f"<caption><span>{escape(caption)}</span></caption>"

    def side(column: int) -> str:
        return "" if column < left else ' class="n"'

    yield "<thead><tr>"
    yield "".join(f'<th scope="col"{side(column)}>{head}</th>' for column, head in enumerate(heads))
    yield "</tr></thead><tbody>"
    for first, *rest in rows:
        cells = "".join(f"<td{side(column)}>{cell}</td>" for column, cell in enumerate(rest, 1))
        yield f'<tr><th scope="row">{first}</th>{cells}</tr>'
    yield "</tbody></table></div>"


def _leaderboard(report: Report) -> Iterator[str]:
    if not any(row.started for row, _ in report.standing):
        return
    several = len(report.ratings.scales) > 1
    causes = report.causes
    # What tells most comes first: on a phone the rest is out of sight.
    heads = ["Player", *(["Group"] if several else []), "Rating, 95 % interval", "Accuracy"]
    heads += ["Won", "Lost", "Tied", "Unfinished", "Abandoned", "Not reached", "Games", "Moves made"]
    heads += ["On the scale"]
    heads += [f"Forfeit: {_safe(cause)}" for cause in causes]
    reach = _reach(report.ratings.rows)
    rows = []
    for row, rating in report.standing:
        group = [NONE if rating is None else str(rating.group + 1)] if several else []
        rating_text, interval = rated(row, rating)
        ends = [str(row.ends[end]) for end in (WON, LOST, TIED, OPEN, ABANDONED)]
        rows.append(
            [
                _name(row.player),
                *group,
                f"<strong>{rating_text}</strong> <small>{interval}</small>",
                percent(row.accuracy),
                *ends,
                str(row.errors),
                str(row.started),
                str(row.moves),
                _dot(rating, reach),
                *(str(row.forfeits.get(cause, 0)) for cause in causes),
            ]
        )
    yield '<section aria-labelledby="leaderboard"><h2 id="leaderboard">Leaderboard</h2>'
    yield from _table("Players by rating; forfeits are among the lost games", heads, rows)
    yield "</section>"


def _reach(ratings: Sequence[Rating]) -> tuple[float, float]:
    """From where to where the scale goes that all ratings are drawn on."""
    ends = [end for each in ratings for end in (each.interval or (each.rating, each.rating))]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    return low, max(high, low + 1)


def _dot(rating: Rating | None, reach: tuple[float, float]) -> str:
    """A rating on the common scale: a dot with its interval, a diamond for a fixed point."""
    if rating is None:
        return NONE

    def x(value: float) -> float:
        return 6 + 98 * (value - reach[0]) / (reach[1] - reach[0])

    parts = ['<line class="axis" x1="2" x2="108" y1="8" y2="8"/>']
    place = x(rating.rating)
    if rating.interval is None:
        parts.append(f'<path class="bar" d="M{place:.1f} 2l6 6l-6 6l-6 -6z"/>')
    else:
        low, high = map(x, rating.interval)
        parts.append(f'<path class="mark" d="M{low:.1f} 4v8m0 -4H{high:.1f}m0 -4v8"/>')
        parts.append(f'<circle class="bar" cx="{place:.1f}" cy="8" r="4"/>')
    return f'<svg width="110" height="16" aria-hidden="true">{"".join(parts)}</svg>'


def _bar(share: Proportion) -> str:
    """A share as a bar with its interval; the figure always stands beside it."""
    if share.share is None or share.interval is None:
        return ""
    low, high = (2 + 76 * end for end in share.interval)
    return (
        '<svg width="80" height="14" aria-hidden="true">'
        '<rect class="ground" x="2" y="3" width="76" height="8"/>'
        f'<rect class="bar" x="2" y="3" width="{76 * share.share:.1f}" height="8"/>'
        f'<path class="mark" d="M{low:.1f} 4v6m0 -3H{high:.1f}m0 -3v6"/></svg>'
    )


def _pictured(share: Proportion) -> str:
    """A share as a bar, and in words under it, in one line."""
    if not share.of:
        return NONE
    words = f"{percent(share)} <small>of {share.of}, {between(share)}</small>"
    return f'<span class="share">{_bar(share)}<span class="one-line">{words}</span></span>'


def _moves(report: Report) -> Iterator[str]:
    heads = ["Player", "Games won", "Won when theirs to win", "Value kept, all moves", "Accuracy"]
    heads += ["Margin given"]
    rows = [
        [
            _name(row.player),
            *map(_pictured, (row.win_rate, row.theirs, row.kept, row.accuracy)),
            _mean(row.means.get("margin_given")),
        ]
        for row, _ in report.standing
    ]
    yield '<section aria-labelledby="moves"><h2 id="moves">How they played</h2>'
    yield from _table("Rates with their 95 % intervals in percent", heads, rows)
    yield "</section>"


def _taken(report: Report) -> Iterator[str]:
    """What the decisions took; a column that nobody has is left out."""
    told = TAKEN | TOKENS
    names = [name for name in told if report.measured(name)]
    costs = report.measured("cost")
    heads = ["Player", "Decisions", "Without a move"]
    heads += [f"{told[name]} a move".capitalize() for name in names] + ["Cost in all"] * costs
    rows = []
    for row, _ in report.standing:
        means = [_mean(row.means.get(name)) for name in names]
        rows.append([_name(row.player), str(row.decisions), str(row.unanswered), *means])
        rows[-1] += [spent(row)] * costs
    yield '<section aria-labelledby="taken"><h2 id="taken">What it took</h2>'
    yield from _table("Averages with their 95 % intervals", heads, rows)
    yield "</section>"


def _mean(mean: Mean | None) -> str:
    if mean is None:
        return NONE
    if mean.interval is None:
        return brief(mean.mean)
    low, high = mean.interval
    return f'<span class="one-line">{brief(mean.mean)} <small>{brief(low)} to {brief(high)}</small></span>'


def _sides(report: Report) -> Iterator[str]:
    if not any(row.started for row, _ in report.standing):
        return
    heads = ["Player", "Seat", "Games won", "Accuracy"]
    heads += ["Won", "Lost", "Tied", "Unfinished", "Abandoned", "Games"]

    def cells(row: PlayerStats) -> list[str]:
        return [
            _name(row.player),
            "first" if row.seat == 0 else "second",
            _pictured(row.win_rate),
            _pictured(row.accuracy),
            *(str(row.ends[end]) for end in (WON, LOST, TIED, OPEN, ABANDONED)),
            str(row.started),
        ]

    yield '<section aria-labelledby="seats"><h2 id="seats">Seat by seat</h2>'
    yield from _table("All games together", heads, map(cells, report.by_seat()), left=2)
    order = report.order
    games: dict[str, list[PlayerStats]] = {}
    for row in sorted(report.stats.seats, key=lambda row: (order[row.player], row.seat or 0)):
        games.setdefault(row.game or "", []).append(row)
    if len(games) > 1:
        yield "<details><summary>Seat by seat in each game</summary>"
        for game, rows in sorted(games.items()):
            yield from _table(shown(game), heads, map(cells, rows), left=2)
        yield "</details>"
    yield "</section>"


def _accuracy(report: Report) -> Iterator[str]:
    heads = [
        "Player",
        "All",
        *(f"{depth} moves to the end" if depth != DEPTHS[-1] else "End unknown" for depth in DEPTHS),
    ]
    yield '<section aria-labelledby="accuracy"><h2 id="accuracy">Accuracy by game and by depth</h2>'
    yield (
        "<p>The share of value-keeping moves where another move would have lost the value, by how many moves"
        " the end is away at best play. Bars show the share, and the brackets on them its 95 % interval.</p>"
    )
    for game, rows in report.by_game().items():
        there = [depth for depth in DEPTHS if any(row.depths[depth].of for row in rows)]
        kept = [0, 1, *(2 + DEPTHS.index(depth) for depth in there)]
        cells = (
            [_name(row.player), _pictured(row.accuracy), *(_pictured(row.depths[depth]) for depth in there)]
            for row in rows
        )
        yield from _table(shown(game), [heads[column] for column in kept], cells)
    yield "</section>"


def _left_out(report: Report) -> Iterator[str]:
    yield '<section aria-labelledby="notes"><h2 id="notes">What the figures mean</h2><ul>'
    yield from (f"<li>{escape(note)}</li>" for note in report.notes())
    yield "</ul></section>"


# The games


def _games(report: Report, undrawn: str) -> Iterator[str]:
    players = sorted({name for each in report.games for name in each.players})
    games = sorted({each.game for each in report.games})
    yield '<section aria-labelledby="games"><h2 id="games" tabindex="-1">The games</h2>'
    if undrawn:
        yield f"<p>The boards are left out: {undrawn}.</p>"
    yield '<div id="live" hidden><form id="filters" class="filters">'
    yield _choice("player", "Player", players)
    yield _choice("other", "Against", players)
    yield _choice("game", "Game", games)
    yield _choice("end", "Result for the player, or for who began", ENDS.values())
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
    yield "<noscript><p>With JavaScript each game can be opened move by move. The list of all games:</p>"
    rows = (_summary(game, line) for game, line in zip(report.games, report.lines, strict=True))
    yield from _table("All games", ["Line", *heads], rows, left=9)
    yield "</noscript></section>"


def _choice(name: str, label: str, options: Iterable[str]) -> str:
    # The script compares texts as they are shown, and so is the value.
    listed = "".join(f'<option value="{_safe(each)}">{_safe(each) or NONE}</option>' for each in options)
    return (
        f'<label for="{name}">{label}<select id="{name}" autocomplete="off">'
        f'<option value="">any</option>{listed}</select></label>'
    )


def _summary(game: GameResult, line: Line) -> list[str]:
    first, second = (game.players[0], game.players[-1]) if game.ends else (game.players[0], "")
    return [
        str(game.number),
        _safe(game.game),
        _name(first),
        _name(second),
        escape(line["result"]) if game.ends else "one decision",
        escape(mistakes(game)),
        _safe(how(game, line)),
    ]
