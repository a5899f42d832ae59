"""The decisions of saved games as rows of data: a row for each move that a player chose, or failed to choose.

Positions, legal moves and their exact values are computed from the record of the game. The rows of a player
can also be an eval log of Inspect (inspect_ai), in its JSON format, version 2; nothing of it is imported. One
sample is one decision. The input is the position as text, the target the best moves, the score 1 if the move
kept the value. `inspect view` and `inspect_ai.log.read_eval_log` read the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from numberduels import __version__
from numberduels.analysis.oracle_cache import ORACLES
from numberduels.arena.results import ERROR, GameResult, MoveResult
from numberduels.arena.run_folder import SavedRun
from numberduels.game import record
from numberduels.game.formatting import short
from numberduels.solvers import TooLarge, Worth

VALUE_COLUMNS = {"move": str, "value": str, "margin": int, "remoteness": int}

COLUMNS: dict[str, Any] = {
    "run": str,
    "key": str,
    "kind": str,
    "game": str,
    "options": str,
    "round": int,
    "sample": int,
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


GAME_COLUMNS = ("key", "kind", "game", "round", "sample", "seed", "version", "ended", "result")
MOVE_COLUMNS = ("verdict", "margin_given", "keeping", "losing", "remoteness", "proof", "faults", "seconds")
"""The columns that a saved game, or a saved move, has under the same name."""


def decision_rows(runs: Iterable[SavedRun], player: str = "") -> Iterator[dict[str, Any]]:
    """A row for every decision of finished and abandoned games, or only for those of one player.

    ValueError names a line whose record does not fit.
    """
    for run in runs:
        for _, game in run.finished().values():
            wanted = [move for move in game.decisions if not player or game.player(move.seat) == player]
            if wanted:
                yield from _game_rows(run, game, wanted)


def _game_rows(run: SavedRun, game: GameResult, wanted: list[MoveResult]) -> Iterator[dict[str, Any]]:
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
        if move not in wanted:
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


def only_player(runs: Iterable[SavedRun]) -> str:
    """The player that a log about one player is about: the only model, or else the only player.

    ValueError lists the players if there are several.
    """
    names = list(
        dict.fromkeys(game.player(move.seat) for run in runs for game in run.games for move in game.decisions)
    )
    models = [name for name in names if name.startswith("chat:")]
    found = models or names
    if len(found) != 1:
        listed = ", ".join(short(name, 60) for name in found[:20]) or "none"
        raise ValueError(
            f"an Inspect log is about one player, and there are {listed}: name one with --player"
        )
    return found[0]


# A log of Inspect

VERSION = 2
"""The version of the log format."""
SCORER = "kept_value"
START = "1970-01-01T00:00:00+00:00"
"""The time of a run that has no time."""


def inspect_log(rows: Iterable[dict[str, Any]], player: str) -> dict[str, Any]:
    """The log of one player."""
    decisions = list(rows)
    samples = [_sample(row, player) for row in decisions]
    judged = [row for row in decisions if row["kept"] is not None]
    risky = [row for row in judged if row["losing"]]
    times = sorted(row["ended"] for row in decisions if row["ended"]) or [START]
    games = sorted({row["game"] for row in decisions})
    identity = _identity(player, *times, *(row["key"] for row in decisions))
    metrics = {
        "kept": _share(judged),
        "accuracy": _share(risky),
        "judged": float(len(judged)),
        "risky": float(len(risky)),
    }
    return {
        "version": VERSION,
        "status": "success",
        "eval": {
            "eval_id": identity,
            "run_id": _identity("run", identity),
            "task_id": _identity("task", *games),
            "created": _time(times[-1]),
            "task": "numberduels/arena",
            "task_version": __version__,
            "task_args": {"games": games},
            "dataset": {
                "name": "numberduels-arena",
                "samples": len(samples),
                "sample_ids": [s["id"] for s in samples],
            },
            "model": player.replace(":", "/", 1),
            "config": {},
            "packages": {"numberduels": __version__},
            "metadata": {"player": player},
        },
        "plan": {"name": "arena", "steps": []},
        "results": {
            "total_samples": len(samples),
            "completed_samples": len(samples),
            "scores": [
                {
                    "name": SCORER,
                    "scorer": SCORER,
                    "scored_samples": len(judged),
                    "unscored_samples": len(samples) - len(judged),
                    "metrics": {
                        name: {"name": name, "value": value}
                        for name, value in metrics.items()
                        if value is not None
                    },
                }
            ],
        },
        "stats": {
            "started_at": _time(times[0]),
            "completed_at": _time(times[-1]),
            "model_usage": {player.replace(":", "/", 1): _usage(decisions)},
        },
        "samples": samples,
    }


def _share(rows: list[dict[str, Any]]) -> float | None:
    return sum(row["kept"] for row in rows) / len(rows) if rows else None


def _sample(row: dict[str, Any], player: str) -> dict[str, Any]:
    model = player.replace(":", "/", 1)
    position = f"{row['game']} {row['options']}\n{row['position']}\nLegal moves: {', '.join(row['legal'])}"
    answer = row["answers"][-1] if row["answers"] else row["choice"] or ""
    messages = [{"role": "user", "content": position}]
    if answer:
        messages.append({"role": "assistant", "content": answer, "source": "generate", "model": model})
    used = _usage([row])
    output: dict[str, Any] = {"model": model, "choices": [], "usage": used, "time": row["seconds"]}
    if answer:
        output["choices"] = [{"message": messages[-1], "stop_reason": "stop"}]
    score = None
    if row["kept"] is not None:
        after = row["value_after"] or "no move"
        score = {
            "value": float(row["kept"]),
            "answer": row["choice"],
            "explanation": f"{row['verdict']}: {row['value_before']} before, {after} after",
            "metadata": {name: row[name] for name in ("keeping", "losing", "depth", "forfeit")},
        }
    left_out = ("position", "answers")
    return {
        "id": f"{row['run']} | {row['seed']} | {row['key']} | {row['ply']}",
        "epoch": 1,
        "input": position,
        "target": row["best"] or [],
        "messages": messages,
        "output": output,
        "scores": {SCORER: score} if score else {},
        "metadata": {name: value for name, value in row.items() if name not in left_out},
        "model_usage": {model: used},
        "total_time": row["seconds"],
        "uuid": _identity(row["run"], row["seed"], row["key"], str(row["ply"])),
    }


def _usage(rows: list[dict[str, Any]]) -> dict[str, Any]:
    tokens_in, tokens_out = (sum(row[name] or 0 for row in rows) for name in ("tokens_in", "tokens_out"))
    costs = [row["cost"] for row in rows if row["cost"] is not None]
    return {
        "input_tokens": tokens_in,
        "output_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
        "total_cost": sum(costs) if costs else None,
    }


def _time(text: str) -> str:
    try:
        return datetime.fromisoformat(text).astimezone(UTC).isoformat()
    except ValueError:
        return START


def _identity(*parts: str) -> str:
    """An id that depends on the parts alone, so that the same run gives the same log."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:22]
