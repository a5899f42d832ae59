"""The data for the script of the page: every game with its moves, their values and the boards.

Field names are short, because a page holds thousands of games; the script begins with their meaning.
"""

from __future__ import annotations

from typing import Any

from numberduels.arena.formatting import visible
from numberduels.arena.report import Report
from numberduels.arena.results import (
    ABANDONED,
    ERROR,
    LOST,
    OPEN,
    TIED,
    WON,
    AttemptResult,
    GameResult,
    MoveResult,
)
from numberduels.game import record

MAX_ANSWER = 4_000
"""Characters of an answer on the page; the rest is in the saved games."""
MAX_BETTER = 6
"""Better moves that are listed."""
MAX_BOARD_MOVES = 20_000
"""With more moves the page has no boards: it would be too large for browsers."""
MAX_BOARD_CHARACTERS = 10_000_000
"""With larger boards in all the page has none, for the same reason."""

ENDS = {WON: "won", LOST: "lost", TIED: "tied", OPEN: "unfinished", ABANDONED: "abandoned"}


def games_data(report: Report) -> tuple[list[dict[str, Any]], str]:
    """The data of all games, and why their boards are left out; empty if they are there."""
    games = [_game(game) for game in report.games]
    if sum(len(game.moves) for game in report.games) > MAX_BOARD_MOVES:
        return games, f"this report has more than {MAX_BOARD_MOVES:,} moves"
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


def count_mistakes(game: GameResult) -> str:
    """The mistakes of both players as text; a forfeit is one of them."""
    count = sum(each.made and each.judged and not each.kept for each in game.decisions)
    parts = [f"{count}"] if count else []
    if game.forfeit and game.forfeit.cause != ERROR:
        parts.append(f"forfeit: {game.forfeit.cause}")
    return ", ".join(parts) or "none"


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
            "x": [ENDS[end] for end in ends] if ends else None,
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
