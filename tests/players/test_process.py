"""Players that are programs, for one game and for many: real ones, the good and every kind of bad."""

from __future__ import annotations

import json
import os
import pickle
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.running import DUEL
from numberduels.arena.run_folder import GAMES, read_lines
from numberduels.game.table import Table
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.template.rules import LastCounter
from numberduels.players import process
from numberduels.players import program as programs
from numberduels.players.external import ExternalSettings
from numberduels.players.player import Forfeit
from numberduels.players.process import ANSWER, LastingProcessPlayer, ProcessPlayer
from processes import NamedPipe, wait_until_gone
from tables import table

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "examples" / "clients"
PYTHON = f"{shlex.quote(sys.executable)} -S -E"  # without site packages, which take longer than the game
GAME = RangeWar(5)
START = GAME.start(Random(0))
PATIENT = ExternalSettings(seconds=60)  # for programs that will answer, however busy the machine is
HASTY = ExternalSettings(seconds=0.4)  # for programs that never will

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs play on Linux and macOS")

HEAD = """
import json, os, signal, sys, time

def question():
    line = sys.stdin.readline()
    if not line or json.loads(line)["type"] == "end":
        sys.exit()
    return json.loads(line)

def answer(line):
    os.write(1, line if isinstance(line, bytes) else line.encode())

def say(**fields):
    answer(json.dumps(fields) + "\\n")

def messages():
    for line in sys.stdin:
        open(LOG, "a").write(line)
        message = json.loads(line)
        if message["type"] in ("hello", "new"):
            say(id=message["id"], ready=True)
        yield message
    open(LOG, "a").write('{"type": "closed"}')
"""
LASTS = "for message in messages():\n    if message['type'] == 'move': say(id=message['id'], move='1')\n"


def children() -> set[str]:
    """The processes whose parent we are, zombies included; none are seen where there is no /proc."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it may just have ended
            if stat.read_text().rpartition(")")[2].split()[1] == str(os.getpid()):
                found.add(stat.parent.name)
    return found


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    before, files = children(), len(os.listdir("/dev/fd"))
    yield
    assert children() <= before
    assert len(os.listdir("/dev/fd")) <= files


Make = Callable[..., ProcessPlayer]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def make(tmp_path: Path, log: Path) -> Iterator[Make]:
    """Makes a player of a Python text."""
    made: list[ProcessPlayer] = []

    def write(
        text: str, settings: ExternalSettings = PATIENT, kind: type[ProcessPlayer] = ProcessPlayer
    ) -> ProcessPlayer:
        path = tmp_path / f"program{len(made)}.py"
        path.write_text(f"{HEAD}\n{text}\n".replace("LOG", repr(str(log))))
        made.append(kind(f"{PYTHON} {shlex.quote(str(path))}", settings))
        return made[-1]

    yield write
    for player in made:
        player.close()


@pytest.fixture
def patient_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "GRACE", 60)  # which no machine is too busy for


def choose(player: ProcessPlayer, seed: int = 0) -> Any:
    return player.choose(GAME, START, Random(seed))


def said(player: ProcessPlayer) -> dict[str, Any]:
    """The last answer."""
    fields = json.loads(player.attempts[-1].answer)
    assert isinstance(fields, dict)
    return fields


def forfeit(player: ProcessPlayer) -> tuple[str, str]:
    """The cause and the message of a forfeit."""
    with pytest.raises(Forfeit) as caught:
        choose(player)
    message = str(caught.value)
    assert message.isprintable() and message.endswith(".") and len(message) < 300
    return caught.value.cause, message


# Whole games


@pytest.mark.long
@table("client", [f"{PYTHON} {CLIENTS / 'client.py'}", f"sh {CLIENTS / 'client.sh'}"])
@table("game", [NumberSnatch(), NumberCollision(3, 2, "forbidden")])
def test_the_example_clients_play_whole_games(client: str, game: Any) -> None:
    table: Table[Any, Any] = Table(game, game.start(Random(5)))
    player = ProcessPlayer(client, PATIENT)
    player.prepare(game, table.start)
    while not table.outcome:
        player.set_history(table.played)
        table.play(player.choose(game, table.state, Random(0)))
        assert [attempt.fault for attempt in player.attempts] == [""]
    player.close()


def test_the_document_shows_the_clients_and_todays_question(make: Make) -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    for client in CLIENTS.iterdir():
        assert f"\n{client.read_text(encoding='utf-8')}```\n" in text
    shown = re.search(r'^    (\{"type": "move".*?\})$', text, re.MULTILINE | re.DOTALL)
    assert shown
    table = Table(RangeWar(), moves=(5, 3))
    player = make("asked = sys.stdin.readline()\nsay(move='4', asked=asked)", ExternalSettings(seconds=30))
    player.set_history(table.played)
    player.choose(table.game, table.state, Random(0))
    assert said(player)["asked"] == " ".join(shown[1].split()) + "\n"


def test_a_question_names_the_random_start_and_the_second_seat(make: Make) -> None:
    game = NumberSnatch(size=4)
    start = game.start(Random(1))
    player = make("asked = question()\nsay(move=asked['legal'][0], asked=asked)")
    player.prepare(game, start)
    first, *others = game.moves(start)
    player.set_history([first])
    move = player.choose(game, game.play(start, first), Random(0))
    asked = said(player)["asked"]
    assert asked["options"]["numbers"].split(",") == [str(first), *asked["legal"]]
    assert (asked["seat"], asked["ply"], asked["played"]) == (2, 2, [str(first)])
    assert asked["legal"] == [str(number) for number in others] and move == others[0]


def test_each_game_has_a_program_of_its_own(make: Make) -> None:
    player = make("while question(): say(move=3, pid=os.getpid())")
    pids = []
    for _ in range(2):
        player.prepare(GAME, START)
        for _ in range(2):
            assert choose(player) == 3
            pids.append(said(player)["pid"])
    assert pids[0] == pids[1] != pids[2] == pids[3]


@pytest.mark.usefixtures("patient_end")
def test_the_end_is_told_and_the_input_closed(make: Make, log: Path) -> None:
    player = make("for message in messages(): say(move=1)")
    choose(player)
    player.close()
    assert log.read_text().endswith('{"type": "end"}\n{"type": "closed"}')


def test_a_game_without_a_spec_cannot_be_asked_about() -> None:
    class Homeless(LastCounter):
        pass

    with pytest.raises(ValueError, match="belongs to no installed game"):
        ProcessPlayer("true").prepare(Homeless(5), None)


# Answers

READ = [
    '{"move": "3"}\n',
    '\n\n  \n{"move": " 3 ", "why": ["it", {"is": null}]}\r\n',
    '{"move": 3}\n{"move": "1"}\n{"mo',
    'x\n{"move": 3}\n',  # the rest of a line that began before the request
]
NOT_OF_THE_FORM = [
    b"hello\n",
    b"\xff\xfe\x00\x80\n",
    b"\x1b[2J\n",
    *[b"[" * 60_000 + b"\n"] * 20,  # more than one request may have
    b'{"move": ' * 6_000 + b"\n",  # too deep for some versions, and too short
    b'{"move": ' + b"9" * 50_000 + b"}\n",
    b'["move"]\n',
    *(b'{"move": %s}\n' % move for move in (b"NaN", b"1e999", b"null", b"true", b"3.0", b'{"move": 3}')),
]
NO_NUMBER = [b'""', b'"three"', b'"\\ud800"', b'"' + b"x" * 60_000 + b'"', b"-3", b"9" * 4_000]


def test_answers_are_read(make: Make) -> None:
    player = make(f"for each in {READ}:\n    question()\n    answer(each)\nquestion()")
    for _ in READ:
        assert choose(player) == 3
        assert [attempt.fault for attempt in player.attempts] == [""]


def test_what_is_no_move_is_refused_with_its_fault_and_asked_for_again(make: Make) -> None:
    faults = [*NOT_OF_THE_FORM, *(b'{"move": %s}\n' % move for move in NO_NUMBER), b'{"move": 6}\n']
    player = make(
        f"for each in {faults}:\n    question()\n    answer(each)\n"
        "asked = question()\nsay(move=2, refused=asked['refused'], seconds=asked['seconds'])",
        ExternalSettings(seconds=60, attempts=len(faults) + 1),
    )
    assert choose(player) == 2
    *refused, taken = player.attempts
    form, number = len(NOT_OF_THE_FORM), len(NO_NUMBER)
    assert [attempt.cause for attempt in refused] == ["unreadable"] * (form + number) + ["illegal"]
    assert all(each.fault.endswith('is not of the form {"move": "2"}.') for each in refused[:form])
    assert all(each.fault.isprintable() and len(each.fault) < 200 for each in refused)
    assert all(len(each.answer) <= ANSWER + 3 for each in refused)
    assert taken.fault == "" == taken.cause
    assert said(player)["refused"] == {"move": "6", "reason": refused[-1].fault}
    assert 0 < said(player)["seconds"] < 60


def test_too_many_illegal_answers_forfeit(make: Make) -> None:
    player = make("while question(): say(move=6)", ExternalSettings(seconds=60, attempts=2))
    cause, message = forfeit(player)
    assert cause == "illegal" and message.startswith("The program gave no legal move: ")
    assert [attempt.answer for attempt in player.attempts] == ['{"move": 6}'] * 2
    assert all(attempt.fault and attempt.seconds > 0 for attempt in player.attempts)


@pytest.mark.long
def test_what_was_said_before_the_question_is_no_answer(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    said = [
        '{"move": 1}\n' * 99 + '{"move": ',
        '1}\n{"move": 2}\n{"move": 3}\n{"mo',
        've": 4}\n{"move": 5}\n',
    ]
    player = make(
        f"for each in {said}:\n    answer(each)\n    open({str(path)!r}, 'w').write('said')\n    question()"
    )
    with NamedPipe(path) as pipe:
        player.prepare(GAME, START)
        for move in (2, 5):
            assert pipe.read() == "said"
            assert choose(player) == move


@pytest.mark.long
def test_an_answer_in_pieces_is_one_and_needs_no_end_if_the_program_ends(make: Make) -> None:
    player = make("question()\nfor letter in '{\"move\": 2}':\n    answer(letter)\n    time.sleep(0.005)")
    assert choose(player) == 2
    assert forfeit(player)[0] == "crash"


# Limits


@pytest.mark.long
@table(
    "text",
    [
        "question()\nanswer('{\"move\": ')\ntime.sleep(99)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        "while True: os.write(2, b'words ' * 9999)",
        "while True:\n    answer('\\n')\n    time.sleep(0.01)",
        "while question():\n    answer('no\\n')\n    time.sleep(0.05)",
    ],
)
def test_who_does_not_answer_in_time_forfeits(make: Make, text: str) -> None:
    player = make(text, ExternalSettings(seconds=0.4, attempts=99))
    fault = forfeit(player)
    assert fault == ("timeout", "The program gave no answer in time.")
    assert len(player.attempts) < 20 and player.attempts[-1].fault == fault[1]
    assert sum(attempt.seconds for attempt in player.attempts) >= 0.39


@pytest.mark.long
def test_a_question_that_nobody_reads_blocks_nobody() -> None:
    game = NumberCollision(1_000, 20)  # 20,000 moves: more than a pipe holds
    with pytest.raises(Forfeit, match="in time"):
        ProcessPlayer("sleep 99", HASTY).choose(game, game.start(Random(0)), Random(0))


@pytest.mark.long
@table(
    "text, what",
    [
        ("answer('x' * 70000)\ntime.sleep(99)", "a line of more than 65,536 bytes"),
        ("answer('\"' + 'x' * 65535 + '\"\\n')\ntime.sleep(99)", "a line of more than 65,536 bytes"),
        ("while True: answer('\\n' * 9999)", "more than 1,048,576 bytes for one request"),
    ],
)
def test_a_flood_forfeits(make: Make, text: str, what: str) -> None:
    player = make(f"question()\nanswer('x' * 65536 + '\\n')\nquestion()\n{text}")
    assert forfeit(player) == ("illegal", f"The program wrote {what}.")
    assert len(player.attempts) == 2 and all(len(each.answer) <= ANSWER + 3 for each in player.attempts)


@pytest.mark.long
@pytest.mark.usefixtures("patient_end")
@table(
    "text, how",
    [
        ("sys.exit()", "ended with status 0."),
        ("os.kill(os.getpid(), 9)", "was ended by signal 9."),
        ("raise ValueError('boom \\x1b[2J')", "ended with status 1: 'ValueError: boom \\x1b[2J'."),
        ("os.write(2, b'x' * 5_000_000 + b'\\n\\n')\nsys.exit(4)", f"ended with status 4: '{'x' * 120}...'."),
        ("answer('  ')\nsys.exit(5)", "ended with status 5."),
    ],
)
def test_who_ends_before_the_game_does_forfeits(make: Make, text: str, how: str) -> None:
    player = make(f"question()\n{text}")
    player.prepare(GAME, START)
    program = player._program
    assert forfeit(player) == ("crash", f"The program {how}")
    assert program and len(program._stderr_end) <= programs.STDERR_END
    assert [attempt.fault for attempt in player.attempts] == [f"The program {how}"]


@pytest.mark.long
@table("file, name", [(0, "input"), (1, "output")])
def test_who_closes_a_pipe_forfeits(make: Make, tmp_path: Path, file: int, name: str) -> None:
    with NamedPipe(tmp_path / f"pipe{file}") as pipe:
        player = make(f"os.close({file})\nopen({str(pipe.path)!r}, 'w').write('ready')\ntime.sleep(99)")
        player.prepare(GAME, START)
        assert pipe.read() == "ready"
    assert forfeit(player) == ("crash", f"The program closed its {name} without ending.")


def test_a_program_that_cannot_be_started_has_not_lost() -> None:
    player = ProcessPlayer("/nowhere/at/all --fast")
    player.prepare(GAME, START)
    message = "The program '/nowhere/at/all' could not be started: No such file or directory."
    assert forfeit(player) == ("error", message)
    assert player.attempts == []


@table(
    "command, settings",
    [
        *((command, PATIENT) for command in ("", "  ", "''", "a 'b", "a\0b")),
        *(("true", ExternalSettings(seconds=seconds)) for seconds in (0, float("nan"), float("inf"))),
        ("true", ExternalSettings(attempts=0)),
    ],
)
def test_bad_commands_and_settings_are_refused_at_once(command: str, settings: ExternalSettings) -> None:
    with pytest.raises(ValueError, match="needs"):
        ProcessPlayer(command, settings)


# Leftovers


FORKS = """
child = os.fork()
if not child:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True: time.sleep(1)
question()
say(move=1, child=child)
"""


@pytest.mark.long
@table("then", ["question()", "sys.exit()", "time.sleep(99)", "question()\nsys.exit(7)"])
def test_children_end_with_the_program_and_do_not_hide_its_end(make: Make, then: str) -> None:
    player = make(FORKS + then)
    choose(player)
    child = said(player)["child"]
    if "7" in then:
        assert forfeit(player) == ("crash", "The program ended with status 7.")
    player.close()
    wait_until_gone(child)


@pytest.mark.usefixtures("patient_end")
def test_an_interrupted_program_is_asked_to_end(
    make: Make, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    player = make(
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(open(LOG, 'w').write('SIGTERM')))\n"
        "question()\nsay(move=1)\nwhile True: time.sleep(1)"
    )
    choose(player)
    monkeypatch.setattr(player, "_ask", interrupted)
    with pytest.raises(KeyboardInterrupt):
        choose(player)
    assert player._program is None and log.read_text() == "SIGTERM"


def test_whoever_ends_all_programs_misses_none_that_is_just_starting(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "_ending", False)  # and so again after this test
    ending = threading.Thread(target=programs.end_all)

    def popen(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        started = real(*arguments, **options)
        ending.start()
        ending.join(0.2)  # enough to miss it, if nothing makes this thread wait
        return started

    real = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", popen)
    player = make("time.sleep(99)")
    assert forfeit(player)[0] == "crash"
    ending.join()
    assert "could not be started: this process is ending" in forfeit(player)[1]


def test_only_named_variables_and_no_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "SOME_API_KEY",
        "PGPASSWORD",
        "HOMEBREW_GITHUB_API_TOKEN",
        "LC_TOKEN",
        "NUMBERDUELS_HOME",
        "path",
    ):
        monkeypatch.setenv(name, "hush")
    for name in ("LC_MEASUREMENT", "TZ"):
        monkeypatch.setenv(name, "hush, hush")
    path = tmp_path / "a program.py"
    path.write_text(
        "import os, sys, json\nknown = sorted(name for name, text in os.environ.items() if 'hush' in text)\n"
        "for _ in sys.stdin: print(json.dumps({'move': 1, 'a': sys.argv[1:], 'known': known}), flush=True)"
    )
    player = ProcessPlayer(f"{PYTHON} '{path}' $HOME '|' \"a b\"", PATIENT)
    copy = pickle.loads(pickle.dumps(player))
    choose(copy)
    copy.close()
    assert said(copy) == {"move": 1, "a": ["$HOME", "|", "a b"], "known": ["LC_MEASUREMENT", "TZ"]}


# Programs that play many games


@pytest.mark.usefixtures("patient_end")
def test_one_process_plays_many_games_and_is_told_of_each(make: Make, log: Path) -> None:
    player = make(LASTS, PATIENT, LastingProcessPlayer)
    for seed in (1, 2):
        player.prepare(GAME, START)
        assert choose(player, seed) == choose(player, seed) == 1
        if seed == 1:
            player.end_game("1-0", "stuck")
    player.close()
    messages = [json.loads(line) for line in log.read_text().splitlines()]
    assert [each["type"] for each in messages] == ["hello", *["new", "move", "move", "end"] * 2, "closed"]
    hello, new, first, second, end, *_, broken_off, _ = messages
    assert hello == {"type": "hello", "protocol": 2, "id": 1, "seconds": 60}
    options = {"game": "range-war", "options": {"size": "5", "opening": "lower"}, "seat": 1, "seconds": 60}
    assert new == {"type": "new", "protocol": 2, "id": 2, **options, "seed": Random(1).getrandbits(53)}
    assert (first["id"], second["id"]) == (3, 4)
    assert first["seconds"] == 60, "the time to get ready is not taken from the first move"
    assert end == {"type": "end", "protocol": 2, "result": "1-0", "reason": "stuck"}
    assert broken_off == {"type": "end", "protocol": 2, "result": "*", "reason": ""}


@pytest.mark.long
def test_answers_have_the_number_of_their_request(make: Make) -> None:
    player = make(
        "answer('Loading weights: 100%\\n[]\\n')\n"
        "for message in messages():\n"
        "    if message['type'] == 'end': say(id=3, move='5'); say(id=0, ready=True)\n"
        "    if message['type'] == 'move':\n"
        "        say(id=message['id'] - 1, move='5')\n"
        "        say(move='5') if message['refused'] is None else say(id=message['id'], move='2')\n"
        "        say(id=message['id'], move='4')\n",
        PATIENT,
        LastingProcessPlayer,
    )
    for number in (3, 6, 9):
        assert choose(player) == 2
        assert [each.fault for each in player.attempts] == [f'The answer has no "id": {number}.', ""]
        player.end_game("*", "limit")
    programs.close_lasting()
    assert not programs._running


@pytest.mark.long
@table(
    "at, how, seconds, fault",
    [
        (
            "hello",
            "say(ready=False); signal.pause()",
            60,
            "error: The program gave no answer in time, before",
        ),
        (
            "hello",
            "sys.exit('no torch')",
            60,
            "error: The program ended with status 1: 'no torch', before it",
        ),
        ("new", "signal.pause()", 1, "timeout: The program gave no answer in time."),
        ("new", "sys.exit(3)", 60, "crash: The program ended with status 3."),
        ("move", "sys.exit(3)", 60, "crash: The program ended with status 3."),
    ],
)
def test_who_fails_has_a_new_process_in_the_next_game(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str, how: str, seconds: int, fault: str
) -> None:
    monkeypatch.setattr(process, "START_SECONDS", 1 if "False" in how else 60)
    once = tmp_path / "once"
    once.touch()
    player = make(
        f"""
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == {at!r} and os.path.exists({str(once)!r}):
        {how}
    if message["type"] != "end":
        say(id=message["id"], ready=True, move=1)""",
        ExternalSettings(seconds=seconds),
        LastingProcessPlayer,
    )
    assert ": ".join(forfeit(player)).startswith(fault)
    player.end_game("0-1", "forfeit")
    once.unlink()
    monkeypatch.setattr(process, "START_SECONDS", 60)
    player.settings = PATIENT
    assert choose(player) == 1
    player.end_game("1-0", "stuck")
    assert player._program
    os.kill(player._program._process.pid, signal.SIGKILL)  # between two games
    assert choose(player) == 1


@pytest.mark.long
def test_the_arena_starts_the_example_once_and_its_games_are_the_same_each_time(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    client = tmp_path / "client.py"
    text = (CLIENTS / "lasting_client.py").read_text()
    client.write_text(f"open({str(starts)!r}, 'a').write('started\\n')\n{text}")
    players = f"process2:{shlex.quote(sys.executable)} {client},random"
    runs = []
    for folder in (str(tmp_path / "a"), str(tmp_path / "b")):
        options = ["--games", "range-war:size=7", "--rounds", "6", "--workers", "1", "--out", folder]
        subprocess.run(
            [DUEL, "arena", "run", "--players", players, *options], check=True, capture_output=True
        )
        runs.append(list(read_lines(f"{folder}/{GAMES}")))
    assert starts.read_text() == "started\n" * 2
    assert len(runs[0]) == 12 and all(line["forfeit"] is None for line in runs[0])
    assert [line["record"] for line in runs[0]] == [line["record"] for line in runs[1]]
