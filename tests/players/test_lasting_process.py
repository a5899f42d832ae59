"""Programs that play many games: real ones, the good and the bad."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.running import DUEL
from numberduels.arena.run_folder import GAMES, read_lines
from numberduels.games.range_war.rules import RangeWar
from numberduels.players import process
from numberduels.players.external import ExternalSettings
from numberduels.players.player import Forfeit
from numberduels.players.process import LastingProcessPlayer
from numberduels.players.program import RunningProgram
from players.test_process import COMMANDS, PYTHON, nothing_is_left  # noqa: F401  # a fixture
from tables import table

GAME = RangeWar(5)
START = GAME.start(Random(0))
PATIENT = ExternalSettings(seconds=60)
CLIENT = Path(__file__).parents[2] / "examples" / "clients" / "lasting_client.py"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs play on Linux and macOS")

HEAD = """
import json, os, signal, sys, time
log = open(LOG, 'a', buffering=1)
def say(**fields): print(json.dumps(fields), flush=True)
def messages():
    for line in sys.stdin:
        log.write(line)
        message = json.loads(line)
        if message['type'] in ('hello', 'new'): say(id=message['id'], ready=True)
        yield message
    log.write('"closed"\\n')
"""
PLAYS = """
for message in messages():
    if message['type'] == 'move': say(id=message['id'], move=message['legal'][0])
"""

Make = Callable[..., LastingProcessPlayer]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def make(tmp_path: Path, log: Path) -> Iterator[Make]:
    made: list[LastingProcessPlayer] = []

    def write(text: str, settings: ExternalSettings = PATIENT) -> LastingProcessPlayer:
        path = tmp_path / f"program{len(made)}.py"
        path.write_text(HEAD.replace("LOG", repr(str(log))) + text)
        made.append(LastingProcessPlayer(f"{PYTHON} {shlex.quote(str(path))}", settings))
        return made[-1]

    yield write
    for player in made:
        player.close()


def logged(log: Path) -> list[Any]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def kinds(log: Path) -> list[str]:
    return [each if isinstance(each, str) else each["type"] for each in logged(log)]


def choose(player: LastingProcessPlayer, seed: int = 0) -> Any:
    return player.choose(GAME, START, Random(seed))


def forfeit(player: LastingProcessPlayer) -> Forfeit:
    with pytest.raises(Forfeit) as caught:
        choose(player)
    return caught.value


def test_one_process_plays_many_games_and_is_told_of_each(make: Make, log: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("numberduels.players.program.GRACE", 60)  # which no machine is too busy for
    player = make(PLAYS)
    for seed in (1, 2):
        player.prepare(GAME, START)
        assert choose(player, seed) == choose(player, seed) == 1
        player.end_game("1-0", "stuck")
    player.close()
    assert kinds(log) == ["hello", *["new", "move", "move", "end"] * 2, "closed"]
    messages = logged(log)
    assert messages[0] == {"type": "hello", "protocol": 2, "id": 1, "seconds": 60}
    assert messages[1] == {
        "type": "new",
        "protocol": 2,
        "id": 2,
        "game": "range-war",
        "options": {"size": "5", "opening": "lower"},
        "seat": 1,
        "seconds": 60,
        "seed": Random(1).getrandbits(53),
    }
    assert messages[4] == {"type": "end", "protocol": 2, "result": "1-0", "reason": "stuck"}
    assert [each["id"] for each in messages[:-1] if each["type"] == "move"] == [3, 4, 6, 7]


@pytest.mark.long
def test_a_game_that_is_broken_off_ends_without_a_result(make: Make, log: Path) -> None:
    player = make(PLAYS)
    choose(player)
    player.prepare(GAME, START)
    choose(player)  # whose answer comes after the end was read
    ends = [each for each in logged(log) if each["type"] == "end"]
    assert ends == [{"type": "end", "protocol": 2, "result": "*", "reason": ""}]


@pytest.mark.long
def test_lines_of_earlier_requests_are_no_answers(make: Make) -> None:
    player = make(
        "for message in messages():\n"
        "    if message['type'] == 'end': say(id=3, move='5'); say(id=0, ready=True)\n"
        "    if message['type'] == 'move':\n"
        "        say(id=message['id'] - 1, move='5')\n"
        "        say(id=message['id'], move='2')\n"
        "        say(id=message['id'], move='4')\n"
    )
    for _ in range(3):
        assert choose(player) == 2
        player.end_game("*", "limit")


@pytest.mark.long
def test_an_answer_without_its_number_is_refused(make: Make) -> None:
    player = make(
        "for message in messages():\n"
        "    if message['type'] == 'move':\n"
        "        say(move='5') if message['refused'] is None else say(id=message['id'], move='2')\n"
    )
    assert choose(player) == 2
    assert [attempt.fault for attempt in player.attempts] == ['The answer has no "id": 3.', ""]


@pytest.mark.long
def test_what_a_library_prints_while_it_loads_is_ignored(make: Make) -> None:
    assert choose(make("print('Loading weights: 100%', flush=True)\nprint('[]', flush=True)\n" + PLAYS)) == 1


@pytest.mark.long
@table(
    "text, phrase",
    [
        ("signal.pause()", "was not ready within 0.4 seconds."),
        (
            'sys.stdin.readline(); print(\'{"id": 1, "ready": false}\', flush=True); signal.pause()',
            "was not ready",
        ),
        ("sys.exit('no torch')", "ended with status 1: 'no torch', before it was ready."),
    ],
)
def test_a_program_that_does_not_get_ready_is_not_reached_and_does_not_lose(
    make: Make, text: str, phrase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "pause" in text:
        monkeypatch.setattr(process, "START_SECONDS", 0.4)
    player = make(text, ExternalSettings(seconds=60))
    fault = forfeit(player)
    assert fault.cause == "error" and phrase in str(fault)


@pytest.mark.long
def test_the_time_to_get_ready_is_not_taken_from_the_first_move(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    past = 0.0
    greet = LastingProcessPlayer._greet

    def greet_for_an_hour(player: LastingProcessPlayer, program: RunningProgram) -> None:
        nonlocal past
        greet(player, program)
        past += 3600

    monkeypatch.setattr(LastingProcessPlayer, "_greet", greet_for_an_hour)
    for module in ("process", "program"):
        monkeypatch.setattr(f"numberduels.players.{module}.monotonic", lambda: time.monotonic() + past)
    monkeypatch.setattr(process, "START_SECONDS", 7200)
    player = make(PLAYS, ExternalSettings(seconds=600))
    assert choose(player) == 1 and past == 3600


@pytest.mark.long
@table("how", ["crash", "hang"])
def test_after_a_forfeit_the_next_game_has_a_new_process(
    make: Make, log: Path, how: str, tmp_path: Path
) -> None:
    log.unlink(missing_ok=True)
    action = "os._exit(3)" if how == "crash" else "signal.pause()"
    once = tmp_path / "once"
    player = make(
        f"first = not os.path.exists({str(once)!r})\n"
        f"open({str(once)!r}, 'w').close()\n"
        "for message in messages():\n"
        "    if message['type'] == 'move':\n"
        f"        if first: {action}\n"
        "        say(id=message['id'], move='1')\n",
        ExternalSettings(seconds=1 if how == "hang" else 60),
    )
    assert forfeit(player).cause == ("timeout" if how == "hang" else "crash")
    player.end_game("0-1", "forfeit")
    player.settings = PATIENT
    assert choose(player) == 1
    assert kinds(log) == ["hello", "new", "move"] * 2


@pytest.mark.long
def test_a_program_that_is_killed_between_two_games_is_started_again(make: Make, log: Path) -> None:
    player = make("log.write(json.dumps(str(os.getpid())) + '\\n')\n" + PLAYS)
    choose(player)
    player.end_game("1-0", "stuck")
    first = logged(log)[0]
    os.kill(int(first), signal.SIGKILL)
    assert choose(player) == 1
    pids = [each for each in logged(log) if isinstance(each, str)]
    assert len(pids) == 2 and pids[1] != first


def run(tmp_path: Path, command: str) -> list[dict[str, Any]]:
    players = ["--players", f"{command},random", "--games", "range-war:size=7", "--rounds", "6"]
    arguments = [DUEL, "arena", "run", *players, "--workers", "1", "--out", str(tmp_path / "run")]
    subprocess.run(arguments, check=True, capture_output=True, timeout=60)
    return list(read_lines(str(tmp_path / "run" / GAMES)))


@pytest.mark.long
def test_the_arena_starts_the_example_once_and_its_games_are_the_same_each_time(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    client = tmp_path / "client.py"
    client.write_text(f"open({str(starts)!r}, 'a').write('started\\n')\n{CLIENT.read_text()}")
    command = f"process2:{shlex.quote(sys.executable)} {client}"
    first = run(tmp_path / "a", command)
    assert len(first) == 12 and starts.read_text() == "started\n"
    assert all(line["forfeit"] is None for line in first)
    second = run(tmp_path / "b", command)
    assert [line["record"] for line in first] == [line["record"] for line in second]


@pytest.mark.long
@table("how", ["os._exit(3)", "signal.pause()"])
def test_a_program_that_cannot_begin_a_game_forfeits(make: Make, how: str) -> None:
    player = make(
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        f"    if message['type'] == 'new': {how}\n"
        "    say(id=message['id'], ready=True)\n",
        ExternalSettings(seconds=0.4 if "pause" in how else 60),
    )
    assert forfeit(player).cause == ("timeout" if "pause" in how else "crash")
