"""The episodes that every adapter must replay, written to tests/integrations/episode.json.

    python -m tools.golden_episode          write the file
    python -m tools.golden_episode --check  exit with 1 if the file is out of date

The answers are scripted here; positions, replies and rewards come from `TextEpisode`. tests/harness compares
the file with the core, and checks the first episode by hand against the rules.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from numberduels.harness.episode_settings import read_settings
from numberduels.harness.text_episode import TextEpisode

PATH = Path(__file__).parents[1] / "tests" / "integrations" / "episode.json"

SCRIPTS: tuple[tuple[dict[str, Any], int, tuple[str, ...]], ...] = (
    (
        {"game": "summation-duel:size=4:target=6", "opponent": "perfect", "seat": "first", "opening": 0},
        1,
        ("MOVE: 5", "Only this one wins.\nMOVE: 3", "MOVE: 1"),
    ),
    (
        {"game": "range-war:size=8", "opponent": "random", "seat": "second", "opening": 2},
        6,
        ("MOVE: 8", "MOVE: 5"),
    ),
    (
        {
            "game": "number-snatch:size=4:top=9",
            "opponent": "casual",
            "seat": "random",
            "reward": "value_change",
            "attempts": 2,
        },
        3,
        (),
    ),
    (
        {
            "game": "restricted-removal:size=10",
            "opponent": "greedy",
            "seat": "first",
            "opening": 0,
            "reward": "outcome",
            "attempts": 2,
        },
        4,
        ("MOVE: 6", "I do not know.", "MOVE: 6"),
    ),
)
"""Settings, seed and answers; when the answers are used up, the last legal move is played to the end."""


def golden_episodes() -> list[dict[str, Any]]:
    """Play the scripts and note what an adapter must agree with."""
    return [_played(*script) for script in SCRIPTS]


def _played(values: dict[str, Any], seed: int, answers: tuple[str, ...]) -> dict[str, Any]:
    settings = read_settings(values)
    episode = TextEpisode(settings, seed)
    steps = []
    waiting = list(answers)
    while not episode.done:
        seen = {"position": episode.position, "legal_moves": episode.legal_moves()}
        answer = waiting.pop(0) if waiting else f"MOVE: {episode.legal_moves()[-1]}"
        step = episode.answer(answer)
        names = ("move", "cause", "judgement", "reward", "reply", "done", "outcome")
        steps.append({**seen, "answer": answer} | {name: step.data()[name] for name in names})
    return {
        "settings": settings.data(),
        "seed": seed,
        "seat": episode.transcript()["seat"],
        "opening": episode.transcript()["opening"],
        "steps": steps,
        "final_position": episode.position,
        "moves": episode.transcript()["moves"],
        "score": episode.score,
    }


def text() -> str:
    """The content of the file."""
    return json.dumps(golden_episodes(), indent=1) + "\n"


def main(check: bool) -> int:
    """Write the file, or only compare it."""
    if check:
        return int(PATH.read_text(encoding="utf-8") != text())
    PATH.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
