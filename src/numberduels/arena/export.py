"""The decisions of saved games as rows of data: a row for each move that a player chose, or failed to choose.

Positions, legal moves and their exact values are computed from the record of the game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from numberduels.analysis.oracle_cache import ORACLES
from numberduels.arena.results import ERROR, GameResult, MoveResult
from numberduels.arena.run_folder import SavedRun
from numberduels.game import record
from numberduels.solvers import TooLarge, Worth

VALUE_COLUMNS = {"move": str, "value": str, "margin": int, "remoteness": int}

COLUMNS: dict[str, Any] = {
    "run": str,
    "key": str,
    "kind": str,
    "game": str,
    "options": str,
    "round": int,
    "seed": str,
    "version": str,
    "ended": str,
    "seat": int,
    "player": str,
    "opponent": str,
    "ply": int,
    "opening_plies": int,
    "position": str,
    "history": [str],
    "legal": [str],
    "values": [VALUE_COLUMNS],
    "choice": str,
    "verdict": str,
    "kept": bool,
    "value_before": str,
    "value_after": str,
    "margin": int,
    "margin_given": float,
    "keeping": int,
    "losing": int,
    "best": [str],
    "remoteness": int,
    "proof": int,
    "depth": str,
    "forfeit": str,
    "result": str,
    "outcome": str,
    "attempts": int,
    "faults": int,
    "cached": int,
    "answers": [str],
    "seconds": float,
    "tokens_in": int,
    "tokens_out": int,
    "cost": float,
    "prompt_hashes": [str],
}
"""The columns with their types, as `row_files` describes them. docs/arena.md explains each."""


GAME_COLUMNS = ("key", "kind", "game", "round", "seed", "version", "ended", "result")
MOVE_COLUMNS = ("verdict", "margin_given", "keeping", "losing", "remoteness", "proof", "faults", "seconds")
"""The columns that a saved game, or a saved move, has under the same name."""


def decision_rows(runs: Iterable[SavedRun]) -> Iterator[dict[str, Any]]:
    """A row for every decision of finished and abandoned games; ValueError names a line with a bad record."""
    for run in runs:
        for game in run.unique().values():
            yield from _game_rows(run, game)


def _game_rows(run: SavedRun, game: GameResult) -> Iterator[dict[str, Any]]:
    try:
        saved = record.read(game.record)
    except record.BadRecord as fault:
        raise ValueError(f"line {game.number}: its record is damaged: {fault}") from None
    table, text = saved.table(), saved.spec.text_for(saved.game)
    states = [table.start, *(after for _, _, after in table.steps())]
    history = [text.format_move(move) for move in table.played]
    if history != [move.move for move in game.moves if move.made]:
        raise ValueError(f"line {game.number}: its record has other moves than the line")
    oracle = ORACLES.oracle(saved.game)
    shared = {name: getattr(game, name) for name in GAME_COLUMNS}
    shared |= {"run": run.folder, "options": json.dumps(game.options), "opening_plies": game.opening}
    for index, move in enumerate(game.moves):
        if not move.chosen:
            continue
        state = states[index]
        try:
            before: Worth | None = oracle.evaluate(state)
            choices = oracle.evaluate_moves(state)
        except TooLarge:
            before, choices = None, {}
        values = [
            {
                "move": text.format_move(each),
                "value": worth.value_name,
                "margin": worth.margin,
                "remoteness": worth.remoteness,
            }
            for each, worth in choices.items()
        ]
        best = oracle.best_moves(state) if choices else []
        yield shared | {
            "seat": move.seat + 1,
            "player": game.player(move.seat),
            "opponent": game.players[1 - move.seat] if game.is_game else None,
            "ply": index + 1,
            "position": text.position(state).strip("\n"),
            "history": history[:index],
            "legal": [text.format_move(each) for each in saved.game.moves(state)],
            "values": values if choices else None,
            "margin": before and before.margin,
            "best": [text.format_move(each) for each in best] if choices else None,
            **_move_columns(game, move),
        }


def _move_columns(game: GameResult, move: MoveResult) -> dict[str, Any]:
    """The columns that the saved line has."""
    ends, forfeit = game.ends, game.forfeit
    own = forfeit if forfeit and forfeit.seat == move.seat and not move.made else None
    tokens = {name: move.total(name) for name in ("tokens_in", "tokens_out")}
    return {name: getattr(move, name) for name in MOVE_COLUMNS} | {
        "choice": move.move,
        "kept": move.kept if move.judged else None,
        "value_before": move.before,
        "value_after": move.after,
        "depth": move.depth if move.judged else None,
        "forfeit": own.cause if own else None,
        "outcome": ends[move.seat] if ends else ("abandoned" if game.end == ERROR else None),
        "attempts": len(move.attempts),
        "cached": sum(attempt.cached for attempt in move.attempts),
        "answers": [attempt.answer for attempt in move.attempts],
        **{name: None if count is None else round(count) for name, count in tokens.items()},
        "cost": move.total("cost"),
        "prompt_hashes": [*move.attempts[0].prompt] if move.attempts else [],
    }
