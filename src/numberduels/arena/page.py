"""A run as one page for the browser: the tables, and every game with the value of each move.

The page asks for nothing outside itself, and its policy forbids it to. Names and answers come from anywhere:
all of them are escaped here, and the script puts them on the page as text, never as markup. Without
JavaScript the tables are complete and the games are listed.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from typing import Any

from numberduels.arena.figures import ABANDONED, DEPTHS, LOST, OPEN, TIED, WON, Line, Played, Row, Share
from numberduels.arena.ratings import Rating
from numberduels.arena.report import (
    NONE,
    Report,
    between,
    brief,
    percent,
    rated,
    shown,
    tokens_per_move,
)
from numberduels.review import MISTAKES

LONGEST = 4_000
"""Characters of an answer that the page shows; the rest is in the saved games."""
BETTER = 6
"""Better moves that are named."""

ENDS = {WON: "won", LOST: "lost", TIED: "tied", OPEN: "unfinished", ABANDONED: "abandoned"}


def page(report: Report) -> str:
    """The report as one HTML document."""
    games = [_packed(game, line) for game, line in zip(report.games, report.lines, strict=True)]
    title = "Number Duels: a run of the arena"
    policy = (
        f"default-src 'none'; style-src '{_digest(STYLE)}'; script-src '{_digest(SCRIPT)}';"
        " base-uri 'none'; form-action 'none'"
    )
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
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
        *_sides(report),
        *_accuracy(report),
        *_left_out(report),
        *_games(report),
        "</main>",
        '<script type="application/json" id="data">',
        embedded({"games": games, "mistakes": MISTAKES}),
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
    told.append(f"{len(report.figures.players)} players")
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
    yield f"<caption>{escape(caption)}</caption>"

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
    heads = ["Player", *(["Group"] if several else []), "Rating", "95 % interval", "On the scale", "Accuracy"]
    heads += ["Games", "Won", "Lost", "Tied", "Unfinished", "Abandoned"]
    heads += [f"Forfeit: {_safe(cause)}" for cause in causes]
    reach = _reach(report.ratings.rows)
    rows = []
    for row, rating in report.standing:
        group = [NONE if rating is None else str(rating.group + 1)] if several else []
        rating_text, interval = rated(rating)
        ends = [str(row.ends[end]) for end in (WON, LOST, TIED, OPEN, ABANDONED)]
        rows.append(
            [
                _name(row.player),
                *group,
                f"<strong>{rating_text}</strong>",
                f'<span class="one-line">{interval}</span>',
                _dot(rating, reach),
                percent(row.accuracy),
                str(row.started),
                *ends,
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


def _bar(share: Share) -> str:
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


def _pictured(share: Share) -> str:
    """A share as a bar, and in words under it."""
    if not share.of:
        return NONE
    words = f"{percent(share)} <small>of {share.of}, {between(share)}</small>"
    return f'<span class="share">{_bar(share)}<span>{words}</span></span>'


def _moves(report: Report) -> Iterator[str]:
    heads = ["Player", "Games won", "Won when theirs to win", "Value kept, all moves", "Accuracy"]
    heads += [
        "Margin given",
        "Decisions",
        "Without a move",
        "Bad answers a move",
        "Seconds a move",
        "Tokens a move",
    ]
    rows = []
    for row, _ in report.standing:
        measured = row.tokens_in is not None or row.tokens_out is not None
        rows.append(
            [
                _name(row.player),
                _pictured(row.win_rate),
                _pictured(row.theirs),
                _pictured(row.kept),
                _pictured(row.accuracy),
                _given(row),
                str(row.decisions),
                str(row.unanswered),
                brief(row.faults_per_move),
                brief(row.seconds),
                brief(tokens_per_move(row) if measured else None),
            ]
        )
    yield '<section aria-labelledby="moves"><h2 id="moves">How they played</h2>'
    yield from _table("Rates with their 95 % intervals in percent", heads, rows)
    yield "</section>"


def _given(row: Row) -> str:
    mean = row.margin_given
    if mean is None:
        return NONE
    if mean.interval is None:
        return f"{mean.mean:.2f}"
    low, high = mean.interval
    return f"{mean.mean:.2f} <small>{low:.2f} to {high:.2f}</small>"


def _sides(report: Report) -> Iterator[str]:
    if not any(row.started for row, _ in report.standing):
        return
    heads = [
        "Player",
        "Seat",
        "Games",
        "Won",
        "Lost",
        "Tied",
        "Unfinished",
        "Abandoned",
        "Games won",
        "Accuracy",
    ]

    def cells(row: Row) -> list[str]:
        return [
            _name(row.player),
            "first" if row.seat == 0 else "second",
            str(row.started),
            *(str(row.ends[end]) for end in (WON, LOST, TIED, OPEN, ABANDONED)),
            _pictured(row.win_rate),
            _pictured(row.accuracy),
        ]

    yield '<section aria-labelledby="seats"><h2 id="seats">Seat by seat</h2>'
    yield from _table("All games together", heads, map(cells, report.by_seat()), left=2)
    order = report.order
    games: dict[str, list[Row]] = {}
    for row in sorted(report.figures.seats, key=lambda row: (order[row.player], row.seat or 0)):
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


def _games(report: Report) -> Iterator[str]:
    players = sorted({name for each in report.games for name in each.players})
    games = sorted({each.game for each in report.games})
    yield '<section aria-labelledby="games"><h2 id="games" tabindex="-1">The games</h2>'
    yield '<div id="live" hidden><form id="filters" class="filters">'
    yield _choice("player", "Player", players)
    yield _choice("other", "Against", players)
    yield _choice("game", "Game", games)
    yield _choice("end", "Result for the player, or for who began", ENDS.values())
    yield '<label class="tick"><input type="checkbox" id="faulty"> Only with mistakes</label></form>'
    yield '<p id="count" role="status"></p>'
    yield '<div class="wide" role="region" tabindex="0" aria-label="Games that fit"><table id="list">'
    yield "<caption>Games that fit</caption><thead><tr>"
    heads = ["Game", "First", "Second", "Result", "End", "Mistakes"]
    yield "".join(f'<th scope="col">{head}</th>' for head in heads)
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


def _summary(game: Played, line: Line) -> list[str]:
    first, second = (game.players[0], game.players[-1]) if game.ends else (game.players[0], "")
    faults = sum(each.judged and not each.kept for each in game.decisions)
    return [
        str(game.number),
        _safe(game.game),
        _name(first),
        _name(second),
        escape(line["result"]) if game.ends else "one decision",
        _safe(_how(game, line)),
        str(faults),
    ]


def _how(game: Played, line: Line) -> str:
    """How it ended, in words."""
    end = str(line.get("end") or "")
    if game.forfeit:
        seat, cause = game.forfeit
        return f"{'error' if cause == 'error' else f'forfeit, {cause}'}, seat {seat + 1}"
    return end


def _packed(game: Played, line: Line) -> dict[str, Any]:
    """What the page needs of a line, with nothing in it that cannot be shown."""
    forfeit = line.get("forfeit")
    packed = {
        "n": game.number,
        "g": shown(game.game),
        "p": [shown(name) for name in game.players],
        "r": line["result"],
        "e": shown(_how(game, line)),
        "x": [ENDS[end] for end in game.ends] if game.ends else None,
        "f": shown(str(forfeit.get("message") or ""))[:LONGEST] if forfeit else None,
        "s": shown(str(line.get("seed", ""))),
        "t": shown(str(line.get("record") or "")),
        "m": [_move(move) for move in line["moves"]],
    }
    return _without_empty(packed)


def _move(move: Mapping[str, Any]) -> dict[str, Any]:
    better = [shown(str(each)) for each in move.get("better") or ()]
    if len(better) > BETTER:
        better = [*better[:BETTER], f"and {len(better) - BETTER} more"]
    made = move["move"]
    return {"m": None if made is None else shown(str(made))} | _without_empty(
        {
            "s": move.get("seat"),
            "v": _word(move.get("verdict")),
            "b": _word(move.get("before")),
            "a": _word(move.get("after")),
            "k": move.get("keeping"),
            "l": move.get("losing"),
            "d": move.get("margin_given"),
            "r": move.get("remoteness"),
            "i": ", ".join(better),
            "w": [_attempt(each) for each in move.get("attempts") or ()],
        }
    )


def _word(value: Any) -> str | None:
    return None if value is None else shown(str(value))


def _attempt(attempt: Mapping[str, Any]) -> list[str]:
    answer = str(attempt.get("answer") or "")
    more = len(answer) - LONGEST
    told = shown(answer[:LONGEST]) + (f"\n[{more} characters more in the saved games]" if more > 0 else "")
    return [told, shown(str(attempt.get("fault") or ""))[:LONGEST]]


def _without_empty(found: dict[str, Any]) -> dict[str, Any]:
    """Without what is not there: thousands of games are embedded."""
    return {name: value for name, value in found.items() if value is not None and value not in ("", [])}


STYLE = """
:root{color-scheme:light dark;--ink:#26323f;--pale:#566370;--paper:#fff;--card:#f4f6f8;--line:#ccd4dc;
--bar:#0f7285;--ground:#dde4ea;--mark:#26323f;--fault:#b03a08;--good:#1c6b3c;--two:#7d4296;--focus:#1d4ed8}
@media (prefers-color-scheme:dark){:root{--ink:#e6ebf0;--pale:#a9b5c1;--paper:#14191f;--card:#1e252d;
--line:#3b4754;--bar:#3fb0c6;--ground:#333e4a;--mark:#f2f5f8;--fault:#ff9a66;--good:#7fd6a0;--two:#cf9de6;
--focus:#8ab4ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,"Segoe UI",Helvetica,Arial,sans-serif}
main{max-width:76rem;margin:0 auto;padding:1rem 1rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.25rem;margin:2.25rem 0 .5rem}
h3{font-size:1.1rem;margin:0 0 .5rem}
p,li{max-width:70ch}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.5rem;z-index:1}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.wide{overflow-x:auto;margin:0 0 1.25rem;width:fit-content;max-width:100%;
border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:.5rem .75rem;color:var(--pale)}
th,td{padding:.4rem .5rem;text-align:left;vertical-align:top;border-top:1px solid var(--line)}
thead th{color:var(--pale);font-weight:600;font-size:.88em;line-height:1.3;
vertical-align:bottom;background:var(--card)}
tbody th{font-weight:600}
bdi{display:inline-block;max-width:14rem;overflow-wrap:break-word}
.n{text-align:right}
.one-line{white-space:nowrap}
small{color:var(--pale);font-size:.85em;white-space:nowrap}
.share{display:inline-flex;flex-direction:column;align-items:flex-end}
svg{display:inline-block;vertical-align:middle}
.bar{fill:var(--bar)}.ground{fill:var(--ground)}
.mark{stroke:var(--mark);stroke-width:1.5;fill:none}
.axis{stroke:var(--line)}
.filters{display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:flex-end}
.filters label{display:flex;flex-direction:column;color:var(--pale);font-size:.92rem;
flex:1 1 11rem;min-width:0}
.filters .tick{flex-direction:row;align-items:center;gap:.5rem;color:var(--ink);min-height:2.75rem}
select,button{font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--pale);
border-radius:6px;padding:.5rem .75rem;min-height:2.75rem;max-width:100%}
select{width:100%}
input[type=checkbox]{width:1.25rem;height:1.25rem}
button{cursor:pointer}
button:disabled{opacity:.5;cursor:default}
.turn{display:flex;flex-wrap:wrap;gap:.75rem}
#list td{vertical-align:middle}
#list tr[aria-current]{background:var(--card);box-shadow:inset 4px 0 var(--bar)}
#list button{text-align:left;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;max-width:24rem;
padding:.3rem .6rem;min-height:2.2rem;color:var(--bar);border-color:var(--line)}
#chosen{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:1rem}
#chosen .wide{background:var(--paper)}
#chosen td{overflow-wrap:break-word;max-width:22rem}
#chosen td:nth-child(4),#chosen td:nth-child(5),#chosen td:nth-child(6){min-width:8.5rem}
#chosen pre{max-width:40rem}
.fault{color:var(--fault);font-weight:600}.good{color:var(--good)}.pale{color:var(--pale)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0;padding:.5rem;
border-left:3px solid var(--line);
font:.85rem/1.4 ui-monospace,Consolas,monospace;max-height:20rem;overflow:auto;unicode-bidi:plaintext}
details{margin:.25rem 0}
summary{cursor:pointer;padding:.25rem 0}
.course{width:100%;height:auto;max-width:40rem;display:block;margin:.5rem 0}
.course text{fill:var(--ink);font-size:14px}
.course .way{stroke:var(--mark);stroke-width:2;fill:none}
.course .one{fill:var(--bar)}.course .two{fill:var(--two)}.course .bad{fill:var(--fault)}
.course line{stroke:var(--line)}
"""

SCRIPT = r"""
"use strict";
(function () {
  var data = JSON.parse(document.getElementById("data").textContent);
  var games = data.games, fits = [], first = 0, chosen = -1, SIZE = 25;
  function el(id) { return document.getElementById(id); }
  function make(name, text, kind) {
    var made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }
  function put(parent) {
    for (var i = 1; i < arguments.length; i++) parent.appendChild(arguments[i]);
    return parent;
  }
  function faulty(move) { return data.mistakes.indexOf(move.v) >= 0; }
  function faults(game) { return (game.m || []).filter(faulty).length; }
  function fitting(game) {
    var player = el("player").value, other = el("other").value, end = el("end").value;
    if (el("game").value && game.g !== el("game").value) return false;
    if (el("faulty").checked && !faults(game)) return false;
    return game.p.some(function (name, seat) {
      if (player && name !== player) return false;
      if (other && (game.p.length < 2 || game.p[1 - seat] !== other)) return false;
      return !end || Boolean(game.x && (player || seat === 0) && game.x[seat] === end);
    });
  }
  function filter() {
    fits = [];
    games.forEach(function (game, place) { if (fitting(game)) fits.push(place); });
    first = 0;
    list();
  }
  function list() {
    var body = document.querySelector("#list tbody");
    body.textContent = "";
    fits.slice(first, first + SIZE).forEach(function (place) {
      var game = games[place], row = make("tr"), head = make("th"), open = make("button", game.g);
      head.scope = "row";
      open.type = "button";
      open.setAttribute("aria-label", "Line " + game.n + ": " + game.g + ", " + game.p.join(" against "));
      open.addEventListener("click", function () { show(place, true); });
      put(row, put(head, open));
      [0, 1].forEach(function (seat) { put(row, put(make("td"), make("bdi", game.p[seat] || "-"))); });
      put(row, make("td", game.x ? game.r : "one decision"), make("td", game.e || "-"));
      var count = faults(game);
      put(row, make("td", count ? "✗ " + count : "none", count ? "fault" : "pale"));
      if (place === chosen) row.setAttribute("aria-current", "true");
      put(body, row);
    });
    var last = Math.min(first + SIZE, fits.length);
    el("count").textContent = fits.length
      ? (first + 1) + " to " + last + " of " + fits.length + " games that fit; " + games.length + " in all."
      : "No game fits; " + games.length + " in all.";
    el("back").disabled = first === 0;
    el("on").disabled = last >= fits.length;
  }
  function who(game, seat) { return game.p[seat] === undefined ? game.p[0] : game.p[seat]; }
  function side(game, move) {
    if (!move.a) return "";
    if (move.a === "draw") return "nobody";
    var seat = move.a === "win" ? move.s : 1 - move.s;
    return "Player " + (seat + 1) + (game.p.length > 1 ? " (" + who(game, seat) + ")" : "");
  }
  function svg(name, attributes, text) {
    var made = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    if (text) made.textContent = text;
    return made;
  }
  function course(game) {
    var worth = { win: 1, draw: 0, loss: -1 }, spots = [];
    game.m.forEach(function (move, place) {
      if (move.a in worth && move.m !== null) {
        spots.push([place, worth[move.a] * (move.s ? -1 : 1), move]);
      }
    });
    if (!spots.length) return null;
    var count = Math.max(game.m.length, 1), high = 110, opened = spots[0][2];
    function x(place) { return 112 + 500 * (place + 1) / count; }
    function y(value) { return 52 - 34 * value; }
    var drawn = svg("svg", { viewBox: "0 0 640 " + high, "class": "course", role: "img",
      "aria-label": "Who wins at best play after each move; the table below says the same" });
    [[1, "Player 1 wins"], [0, "nobody wins"], [-1, "Player 2 wins"]].forEach(function (level) {
      put(drawn, svg("line", { x1: 104, x2: 624, y1: y(level[0]), y2: y(level[0]) }),
        svg("text", { x: 96, y: y(level[0]) + 4, "text-anchor": "end" }, level[1]));
    });
    var way = spots.map(function (spot) { return [spot[0], spot[1]]; });
    if (opened.b in worth) way.unshift([spots[0][0] - 1, worth[opened.b] * (opened.s ? -1 : 1)]);
    put(drawn, svg("polyline", { "class": "way", points: way.map(function (spot) {
      return x(spot[0]).toFixed(1) + "," + y(spot[1]);
    }).join(" ") }));
    spots.forEach(function (spot) {
      var a = x(spot[0]), b = y(spot[1]), mark;
      if (faulty(spot[2])) {
        mark = svg("path", { "class": "bad", d: "M" + a + " " + (b - 8) + "l8 8l-8 8l-8 -8z" });
      } else if (spot[2].s === 0) {
        mark = svg("circle", { "class": "one", cx: a, cy: b, r: 5 });
      } else {
        mark = svg("rect", { "class": "two", x: a - 4.5, y: b - 4.5, width: 9, height: 9 });
      }
      put(drawn, mark);
      if (count < 26) {
        put(drawn, svg("text", { x: a, y: high - 4, "text-anchor": "middle" }, String(spot[0] + 1)));
      }
    });
    return drawn;
  }
  function words(move) {
    var cell = make("td");
    if (!move.w) return cell;
    var bad = move.w.filter(function (each) { return each[1]; }).length;
    var more = make("details");
    put(more, make("summary", move.w.length + (move.w.length > 1 ? " answers" : " answer") +
      (bad ? ", " + bad + " bad" : "")));
    move.w.forEach(function (each) {
      put(more, make("pre", each[0] || "(no answer)"));
      if (each[1]) put(more, make("p", "✗ " + each[1], "fault"));
    });
    return put(cell, more);
  }
  function verdict(move) {
    if (move.m === null) return make("td", "✗ no move: forfeited or broken off", "fault");
    if (!move.v) return make("td", move.s === undefined ? "" : "drawn, nobody chose", "pale");
    if (faulty(move)) return make("td", "✗ " + move.v, "fault");
    if (move.v === "not judged" || move.v === "forced") return make("td", "- " + move.v, "pale");
    return make("td", "✓ " + move.v, "good");
  }
  function value(move) {
    if (!move.b) return "";
    var told = move.b + (move.a ? " → " + move.a : "");
    if (move.d) told += ", gave away " + move.d;
    if (move.r !== undefined) told += ", " + move.r + " to the end";
    return told;
  }
  function table(game) {
    var box = make("div", null, "wide"), made = make("table"), head = make("tr"), body = make("tbody");
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Moves of the chosen game");
    put(made, make("caption", "Each move: its verdict, and the value for who made it, before and after"));
    var names = ["No.", "Player", "Move", "Verdict", "Value", "Choices", "Better", "Wins now", "Words"];
    names.forEach(function (name) {
      var cell = make("th", name);
      cell.scope = "col";
      put(head, cell);
    });
    game.m.forEach(function (move, place) {
      var row = make("tr"), number = make("th", place + 1);
      number.scope = "row";
      put(row, number, put(make("td"), make("bdi", move.s === undefined ? "" :
        (move.s === 0 ? "●\u00a0" : "■\u00a0") + who(game, move.s))));
      put(row, put(make("td"), make("strong", move.m === null ? "none" : move.m)), verdict(move));
      put(row, make("td", value(move)));
      put(row, make("td", move.v && move.k !== undefined && move.b ?
        move.k + " keep, " + (move.l || 0) + " lose" : ""));
      put(row, make("td", move.i || ""), make("td", side(game, move)), words(move));
      put(body, row);
    });
    return put(box, put(made, put(make("thead"), head), body));
  }
  function show(place, go) {
    var game = games[place], box = el("chosen");
    chosen = place;
    box.textContent = "";
    var title = make("h3");
    put(title, document.createTextNode(game.g + ": "), make("bdi", game.p[0]));
    if (game.p.length > 1) put(title, document.createTextNode(" against "), make("bdi", game.p[1]));
    put(box, title);
    put(box, make("p", "Line " + game.n + (game.x ? ", result " + game.r : ", one decision") +
      (game.e ? " (" + game.e + ")" : "") + (game.s ? ", seed " + game.s : "") + "."));
    if (game.f) put(box, make("pre", game.f, "fault"));
    var picture = game.m && course(game);
    if (picture) {
      put(box, picture, make("p", "● Player 1, ■ Player 2, ◆ a mistake. " +
        "The line is up where Player 1 wins at best play.", "pale"));
    }
    put(box, game.m ? table(game) : make("p", "No move was made."));
    if (game.t) {
      var record = make("summary", "The record, to save and replay");
      put(box, put(make("details"), record, make("pre", game.t)));
    }
    var turn = make("p", null, "turn"), at = fits.indexOf(place);
    [["Previous game", -1], ["Next game", 1]].forEach(function (way) {
      var to = fits[at + way[1]], button = make("button", way[0]);
      button.type = "button";
      button.disabled = at < 0 || to === undefined;
      button.addEventListener("click", function () {
        first = Math.floor((at + way[1]) / SIZE) * SIZE;
        show(to, true);
      });
      put(turn, button);
    });
    put(box, turn);
    box.hidden = false;
    list();
    if (go) {
      try { history.replaceState(null, "", "#line-" + game.n); } catch (fault) { /* not from a file */ }
      box.focus();
      box.scrollIntoView();
    }
  }
  function named() {
    var found = /^#line-(\d+)$/.exec(location.hash);
    if (!found) return;
    games.some(function (game, place) {
      if (game.n !== Number(found[1])) return false;
      show(place, true);
      return true;
    });
  }
  el("filters").addEventListener("submit", function (event) { event.preventDefault(); });
  el("filters").addEventListener("change", filter);
  el("back").addEventListener("click", function () { first -= SIZE; list(); });
  el("on").addEventListener("click", function () { first += SIZE; list(); });
  window.addEventListener("hashchange", named);
  el("live").hidden = false;
  filter();
  named();
})();
"""
