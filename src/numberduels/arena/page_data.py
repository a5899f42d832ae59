"""What the script of the page is told: every game with its moves, their values and the boards between them.

Names are short because thousands of games are embedded; the script begins with what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numberduels import record, registry
from numberduels.arena.formatting import shown
from numberduels.arena.report import Report
from numberduels.arena.results import ABANDONED, LOST, OPEN, TIED, WON, GameResult, Line
from numberduels.arena.results_file import ERROR

LONGEST = 4_000
"""Characters of an answer that the page shows; the rest is in the saved games."""
BETTER = 6
"""Better moves that are named."""
MOST_DRAWN = 20_000
"""Moves of a report beyond which no boards are drawn: browsers would choke on the page."""
LARGEST_DRAWN = 10_000_000
"""Characters of all boards together beyond which there are none, for the same reason."""

ENDS = {WON: "won", LOST: "lost", TIED: "tied", OPEN: "unfinished", ABANDONED: "abandoned"}


def packed(report: Report) -> tuple[list[dict[str, Any]], str]:
    """All games of a report, and why their boards are left out; nothing if they are there."""
    games = [_game(game, line) for game, line in zip(report.games, report.lines, strict=True)]
    if sum(len(line["moves"]) for line in report.lines) > MOST_DRAWN:
        return games, f"this report has more than {MOST_DRAWN:,} moves"
    size, drawn = 0, []
    for line in report.lines:
        drawn.append(boards(line))
        size += sum(map(len, drawn[-1]))
        if size > LARGEST_DRAWN:
            return games, "they are too large for a page"
    return [game | _without_empty({"z": each}) for game, each in zip(games, drawn, strict=True)], ""


def boards(line: Line) -> list[str]:
    """The board at the start and after each move; none if the record does not tell them."""
    try:
        found = record.read(str(line.get("record") or ""))
        table, words = found.table(), registry.spec_of(found.game).text_for(found.game)
        told = [move["move"] for move in line["moves"] if move["move"] is not None]
        if told != [words.format_move(move) for move in table.played]:
            return []
        states = [table.start, *(after for _, _, after in table.steps())]
        return [shown(words.position(state).strip("\n")) for state in states]
    except Exception:  # records come from anywhere and games from anybody, and the page must stand
        return []


def mistakes(game: GameResult) -> str:
    """The mistakes of both players in words; who forfeits has made the last one."""
    count = sum(each.made and each.judged and not each.kept for each in game.decisions)
    told = [f"{count}"] if count else []
    if game.forfeit and game.forfeit[1] != ERROR:
        told.append(f"forfeit: {shown(game.forfeit[1])}")
    return ", ".join(told) or "none"


def how(game: GameResult, line: Line) -> str:
    """How it ended, in words."""
    end = str(line.get("end") or "")
    if game.forfeit:
        seat, cause = game.forfeit
        return f"{'error' if cause == ERROR else f'forfeit, {cause}'}, seat {seat + 1}"
    return end


def _game(game: GameResult, line: Line) -> dict[str, Any]:
    """What the page needs of a line, with nothing in it that cannot be shown."""
    forfeit = line.get("forfeit")
    return _without_empty(
        {
            "n": game.number,
            "g": shown(game.game),
            "p": [shown(name) for name in game.players],
            "r": line["result"],
            "e": shown(how(game, line)),
            "x": [ENDS[end] for end in game.ends] if game.ends else None,
            "f": shown(str(forfeit.get("message") or ""))[:LONGEST] if forfeit else None,
            "q": _lost_by(game),
            "s": shown(str(line.get("seed", ""))),
            "t": shown(str(line.get("record") or "")),
            "m": [_move(move) for move in line["moves"]],
        }
    )


def _lost_by(game: GameResult) -> list[Any] | None:
    """The seat that lost by a forfeit, and the cause."""
    if game.forfeit is None or game.forfeit[1] == ERROR:
        return None
    seat, cause = game.forfeit
    return [seat, shown(cause)]


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
    """Without what is not there."""
    return {name: value for name, value in found.items() if value is not None and value not in ("", [])}
