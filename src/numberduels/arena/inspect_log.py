"""Decisions as an eval log of Inspect (inspect_ai), in its JSON format, version 2. Nothing of it is imported.

One sample is one decision. The input is the position as text, the target the best moves, the score 1 if the
move kept the value. `inspect view` and `inspect_ai.log.read_eval_log` read the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from numberduels import __version__

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
