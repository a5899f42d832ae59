"""Programs that were written for an earlier version still play: they are asked what they were asked then."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from numberduels.game.table import Table
from numberduels.games.range_war.rules import RangeWar
from numberduels.players import make_player
from numberduels.players.external import ExternalSettings
from tables import table

SAMPLES = Path(__file__).parents[1] / "samples" / "protocol"
PATIENT = ExternalSettings(seconds=120.0)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs play on Linux and macOS")

RECORDER = """
import json, sys
log = open(sys.argv[1], "a")
for line in sys.stdin:
    print(line, end="", file=log, flush=True)
    question = json.loads(line)
    answer = {"id": question["id"]} if "id" in question else {}
    if question["type"] in ("hello", "new"):
        print(json.dumps(answer | {"ready": True}), flush=True)
    elif question["type"] == "move":
        print(json.dumps(answer | {"move": question["legal"][0]}), flush=True)
"""


def play(kind: str, *command: str) -> Table[Any, Any]:
    """A game of Range War in which the program moves second."""
    game = RangeWar(8)
    player = make_player(f"{kind}:{shlex.join([sys.executable, '-S', '-E', *command])}", PATIENT)
    table = Table(game, moves=[7])
    try:
        player.prepare(game, game.start(Random(0)))
        while table.outcome is None:
            if table.turn == 1:
                player.set_history(table.played)
                table.play(player.choose(game, table.state, Random(0)))
            else:
                table.play(table.moves[0])
        player.end_game("1-0", "stuck")
    finally:
        player.close()
    return table


def fields(questions: str) -> dict[str, dict[str, Any]]:
    """By type of question, the fields with the type of their value, and the number of the protocol."""
    found: dict[str, dict[str, Any]] = {}
    for line in questions.splitlines():
        question = json.loads(line)
        kinds = {name: type(value).__name__ for name, value in question.items()}
        if "protocol" in question:
            kinds["protocol"] = question["protocol"]
        found.setdefault(question["type"], kinds)
    return found


@pytest.mark.long
@table(
    "kind, sample",
    [
        ("process", "0.4.0/questions.jsonl"),
        ("process", "0.5.0/questions.jsonl"),
        ("process2", "1.0.0/lasting_questions.jsonl"),
    ],
)
def test_a_program_is_asked_with_all_fields_that_it_knows(kind: str, sample: str, tmp_path: Path) -> None:
    (tmp_path / "recorder.py").write_text(RECORDER)
    play(kind, str(tmp_path / "recorder.py"), str(tmp_path / "log"))
    now = fields((tmp_path / "log").read_text(encoding="utf-8"))
    for question, known in fields((SAMPLES / sample).read_text(encoding="utf-8")).items():
        assert known.items() <= now[question].items(), "a field is gone or means something else"


@pytest.mark.long
@table("kind, client", [("process", "0.4.0/client.py.txt"), ("process2", "1.0.0/lasting_client.py.txt")])
def test_a_client_of_that_time_plays_a_whole_game(kind: str, client: str) -> None:
    assert play(kind, str(SAMPLES / client)).outcome is not None
