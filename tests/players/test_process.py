"""Players that are programs: real ones, the good and every kind of bad."""

from __future__ import annotations

import json
import os
import pickle
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from numberduels.game.table import Table
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter
from numberduels.players import program as programs
from numberduels.players.external import ExternalSettings
from numberduels.players.player import Forfeit
from numberduels.players.process import ANSWER, ProcessPlayer
from numberduels.players.program import LINE, RunningProgram
from processes import NamedPipe, wait_until_gone
from tables import table

ROOT = Path(__file__).parent.parent.parent
CLIENTS = ROOT / "examples" / "clients"
PYTHON = f"{shlex.quote(sys.executable)} -S -E"  # without site packages, which take longer than the game
COMMANDS = {"python": f"{PYTHON} {CLIENTS / 'client.py'}", "shell": f"sh {CLIENTS / 'client.sh'}"}
GAMES: list[Any] = [
    RangeWar(),
    NumberSnatch(),
    RestrictedRemoval(),
    SummationDuel(),
    NumberCollision(3, 2, "forbidden"),
]
GAME = RangeWar(5)
START = GAME.start(Random(0))
PATIENT = ExternalSettings(seconds=60)  # for programs that will answer, however busy the machine is
HASTY = ExternalSettings(seconds=0.4)  # for programs that never will

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs play on Linux and macOS")


def stat(pid: int | str) -> list[str]:
    """State, parent and more of a process; nothing if there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def children() -> set[str]:
    """The processes whose parent we are, zombies included; none are seen where there is no /proc."""
    me = str(os.getpid())
    entries = os.listdir("/proc") if os.path.isdir("/proc/self") else []
    return {pid for pid in entries if pid.isdigit() and stat(pid)[1:2] == [me]}


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    before, files = children(), len(os.listdir("/dev/fd"))
    yield
    assert children() <= before
    assert len(os.listdir("/dev/fd")) <= files


Program = Callable[..., ProcessPlayer]


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """Makes a player of a Python text; what all of them need is imported."""
    made: list[ProcessPlayer] = []

    def make(text: str, settings: ExternalSettings = PATIENT) -> ProcessPlayer:
        path = tmp_path / f"program{len(made)}.py"
        path.write_text(f"import json, os, signal, sys, time\n{text}\n")
        made.append(ProcessPlayer(f"{PYTHON} {shlex.quote(str(path))}", settings))
        return made[-1]

    yield make
    for player in made:
        player.close()


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[NamedPipe]:
    with NamedPipe(tmp_path / "pipe") as made:
        yield made


def choose(player: ProcessPlayer, state: Any = START) -> Any:
    return player.choose(GAME, state, Random(0))


def forfeit(player: ProcessPlayer) -> Forfeit:
    with pytest.raises(Forfeit) as caught:
        choose(player)
    message = str(caught.value)
    assert message.isprintable() and message.endswith(".") and len(message) < 300
    return caught.value


ANSWERS = """
def answer(line):
    os.write(1, line if isinstance(line, bytes) else line.encode())

def question():
    line = sys.stdin.readline()
    if not line or json.loads(line)["type"] == "end":
        sys.exit()
    return json.loads(line)
"""


def says(answers: str) -> str:
    """A program that answers its questions with these, one after the other."""
    return f"{ANSWERS}\nfor each in {answers}:\n    question()\n    answer(each)\nquestion()"


# Whole games


@pytest.mark.long
@table("client", COMMANDS)
@table("game", GAMES)
def test_the_example_clients_play_whole_games(client: str, game: Any) -> None:
    table: Table[Any, Any] = Table(game, game.start(Random(5)))
    player = ProcessPlayer(COMMANDS[client], PATIENT)
    player.prepare(game, table.start)
    while not table.outcome:
        if table.turn == 0:
            player.set_history(table.played)
            table.play(player.choose(game, table.state, Random(0)))
            assert len(player.attempts) == 1 and player.attempts[0].fault == ""
        else:
            table.play(table.moves[-1])
    player.close()
    assert table.ply >= 1


@pytest.mark.long
def test_the_document_shows_the_clients_and_todays_question(program: Program) -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    for name in ("client.py", "client.sh"):
        assert f"\n{(CLIENTS / name).read_text(encoding='utf-8')}```\n" in text
    shown = re.search(r'^    (\{"type": "move".*?\})$', text, re.MULTILINE | re.DOTALL)
    assert shown
    game = RangeWar()
    table = Table(game, moves=(5, 3))
    player = program(TELLS, ExternalSettings(seconds=30))
    player.set_history(table.played)
    player.choose(game, table.state, Random(0))
    assert told(player) == " ".join(shown[1].split())
    illegal = json.loads(re.findall(r'(\{"move": "2", "reason": .*?\})', text)[0])
    with pytest.raises(ValueError, match=re.escape(illegal["reason"])):
        table.play(2)


TELLS = """
while line := sys.stdin.readline():
    question = json.loads(line)
    if question["type"] == "end":
        break
    print(json.dumps({"move": question["legal"][0], "told": line.strip()}), flush=True)
"""


def told(player: ProcessPlayer) -> str:
    """The question that a program was asked which tells."""
    text = json.loads(player.attempts[-1].answer)["told"]
    assert isinstance(text, str)
    return text


def test_a_question_says_everything(program: Program) -> None:
    game = NumberSnatch(size=4)
    start = game.start(Random(1))
    table = Table(game, start)
    player = program(TELLS)
    player.prepare(game, start)
    first = game.moves(start)[0]
    table.play(first)
    player.set_history(table.played)
    move = player.choose(game, table.state, Random(0))
    question = json.loads(told(player))
    dealt = [str(number) for number in game.moves(start)]
    assert question["game"] == "number-snatch"
    assert question["options"]["numbers"].split(",") == dealt
    assert (question["seat"], question["ply"], question["played"]) == (2, 2, [str(first)])
    assert question["legal"] == dealt[1:] and question["legal"][0] == str(move)
    assert (question["protocol"], question["seconds"], question["refused"]) == (1, 60.0, None)


def test_one_program_plays_one_game(program: Program) -> None:
    player = program(
        f"{ANSWERS}\nwhile question():\n    answer(json.dumps({{'move': 3, 'pid': os.getpid()}}) + '\\n')"
    )

    def pid() -> int:
        assert choose(player) == 3
        number = json.loads(player.attempts[0].answer)["pid"]
        assert isinstance(number, int)
        return number

    player.prepare(GAME, START)
    first = pid()
    assert pid() == first
    player.prepare(GAME, START)
    second = pid()
    assert second != first
    player.close()
    player.close()
    assert pid() not in (first, second)


@pytest.mark.long
def test_the_end_is_told_and_the_input_closed(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberduels.players.program.GRACE", 60)  # which no machine is too busy for
    player = program(
        f"for line in sys.stdin:\n    print('{{\"move\": 1}}', flush=True)\n"
        f"    open({str(tmp_path / 'told')!r}, 'a').write(line)\n"
        f"open({str(tmp_path / 'told')!r}, 'a').write('closed')"
    )
    choose(player)
    player.close()
    assert (tmp_path / "told").read_text().endswith('{"type": "end"}\nclosed')


def test_a_game_without_a_spec_cannot_be_asked_about() -> None:
    class Homeless(LastCounter):
        pass

    with pytest.raises(ValueError, match="belongs to no installed game"):
        ProcessPlayer("true").prepare(Homeless(5), None)


# Answers


@table(
    "answer",
    [
        '{"move": "3"}\\n',
        '{"move": 3}\\n',
        '{"move": " 3 ", "why": ["it", {"is": null}]}\\r\\n',
        '\\n\\n  \\n{"move": "3"}\\n',
        '{"move": "3"}\\n{"move": "1"}\\n{"mo',
    ],
)
def test_an_answer_is_read(program: Program, answer: str) -> None:
    player = program(says(f"['{answer}']"))
    assert choose(player) == 3
    assert [attempt.fault for attempt in player.attempts] == [""]


FAULTS = [
    ("b'hello\\n'", "'hello' is not a line of JSON."),
    ("b'\\xff\\xfe\\x00\\x80\\n'", "is not a line of JSON."),
    ("b'\\x1b[2J\\n'", "'\\x1b[2J' is not a line of JSON."),
    ("'{\"move\": NaN}\\n'", "is not a line of JSON."),
    ("'{\"move\": Infinity}\\n'", "is not a line of JSON."),
    ("'{\"move\": 1e999}\\n'", "The move is neither a text nor a whole number."),
    ("'[' * 60000 + '\\n'", "is not a line of JSON."),
    ("'{\"move\": ' * 6000 + '\\n'", "is not a line of JSON."),  # too deep for some versions, and too short
    ("'{\"move\": ' + '9' * 50000 + '}\\n'", "is not a line of JSON."),
    ("'{\"move\": ' + '9' * 4000 + '}\\n'", "is not a whole number of this game."),
    ("'3\\n'", '\'3\' is not of the form {"move": "2"}.'),
    ("'[\"move\"]\\n'", "is not of the form"),
    ("'{\"mve\": 3}\\n'", "is not of the form"),
    ("'{\"move\": null}\\n'", "The move is neither a text nor a whole number."),
    ("'{\"move\": true}\\n'", "The move is neither"),
    ("'{\"move\": 3.0}\\n'", "The move is neither"),
    ('\'{"move": {"move": 3}}\\n\'', "The move is neither"),
    ('\'{"move": ""}\\n\'', "No number was given."),
    ('\'{"move": "three"}\\n\'', "'three' is not a whole number."),
    ('\'{"move": "\\\\ud800"}\\n\'', "is not a whole number."),
    ("'{\"move\": \"' + 'x' * 60000 + '\"}\\n'", "is not a whole number."),
    ("'{\"move\": -3}\\n'", "'-3' is not a whole number."),
    ("'{\"move\": 6}\\n'", "6"),
]


def test_an_answer_that_is_none_is_refused_with_its_fault_and_asked_for_again(program: Program) -> None:
    answers = ", ".join(answer for answer, _ in FAULTS)
    player = program(
        says(f"[{answers}, '{{\"move\": 2}}\\n']"), ExternalSettings(seconds=60, attempts=len(FAULTS) + 1)
    )
    assert choose(player) == 2
    assert len(player.attempts) == len(FAULTS) + 1
    for (answer, fault), attempt in zip(FAULTS, player.attempts, strict=False):
        assert fault in attempt.fault, answer
        assert attempt.fault.isprintable() and len(attempt.fault) < 200
        assert len(attempt.answer) <= ANSWER + 3
    assert player.attempts[-1].fault == "" == player.attempts[-1].cause
    assert player.attempts[0].cause == "unreadable"


@pytest.mark.long
def test_what_was_refused_is_told_with_the_question(program: Program) -> None:
    player = program(
        f"""{ANSWERS}
question()
answer('{{"move": 9}}\\n')
first = question()
answer('x\\n')
second = question()
told = [first['refused'], second['refused']]
answer(json.dumps({{'move': 4, 'told': told, 'seconds': second['seconds']}}) + '\\n')
question()"""
    )
    assert choose(player) == 4
    answer = json.loads(player.attempts[-1].answer)
    assert answer["told"] == [
        {"move": "9", "reason": player.attempts[0].fault},
        {"move": None, "reason": "'x' is not a line of JSON."},
    ]
    assert 0 < answer["seconds"] < 60


def test_too_many_illegal_answers_forfeit(program: Program) -> None:
    player = program(says("['{\"move\": 6}\\n'] * 9"), ExternalSettings(seconds=60, attempts=2))
    fault = forfeit(player)
    assert fault.cause == "illegal"
    assert str(fault).startswith("The program gave no legal move in 2 attempts: ")
    assert [attempt.answer for attempt in player.attempts] == ['{"move": 6}'] * 2
    assert {attempt.cause for attempt in player.attempts} == {"illegal"} == {fault.cause}
    assert all(attempt.fault and attempt.seconds > 0 for attempt in player.attempts)


@pytest.mark.long
def test_what_was_said_before_the_question_is_no_answer(program: Program, pipe: NamedPipe) -> None:
    player = program(
        f"""{ANSWERS}
answer('{{"move": 1}}\\n' * 99 + '{{"move": ')
open({str(pipe.path)!r}, 'w').write('once')
question()
answer('1}}\\n{{"move": 2}}\\n{{"move": 3}}\\n{{"move": ')
open({str(pipe.path)!r}, 'w').write('twice')
question()
answer('4}}\\n')
answer('{{"move": 5}}\\n')
question()"""
    )
    player.prepare(GAME, START)
    assert pipe.read() == "once"
    assert choose(player) == 2
    assert pipe.read() == "twice"
    assert choose(player) == 5


@pytest.mark.long
def test_a_last_line_needs_no_end_if_the_program_ends_behind_it(program: Program) -> None:
    player = program(f"{ANSWERS}\nquestion()\nanswer('{{\"move\": 2}}')")
    assert choose(player) == 2
    assert forfeit(player).cause == "crash"


@pytest.mark.long
def test_an_answer_in_pieces_is_one(program: Program) -> None:
    player = program(
        f"{ANSWERS}\nquestion()\nfor letter in '{{\"move\": 2}}\\n':\n"
        "    answer(letter)\n    time.sleep(0.005)\nquestion()"
    )
    assert choose(player) == 2


# Time


@pytest.mark.long
@table(
    "text",
    [
        "time.sleep(99)",
        "while True: pass",
        f"{ANSWERS}\nquestion()\nanswer('{{\"move\": ')\ntime.sleep(99)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        "while True:\n    os.write(2, b'words ' * 9999)",
        "while True:\n    os.write(1, b'\\n')\n    time.sleep(0.01)",
    ],
)
def test_who_does_not_answer_in_time_forfeits(program: Program, text: str) -> None:
    player = program(text, HASTY)
    fault = forfeit(player)
    assert (fault.cause, str(fault)) == ("timeout", "The program gave no legal move within 0.4 seconds.")
    assert len(player.attempts) == 1
    assert player.attempts[0].fault == str(fault) and player.attempts[0].seconds >= 0.4


@pytest.mark.long
def test_time_is_for_all_attempts_together(program: Program) -> None:
    player = program(
        f"{ANSWERS}\nwhile question():\n    time.sleep(0.05)\n    answer('no\\n')",
        ExternalSettings(seconds=0.4, attempts=99),
    )
    assert forfeit(player).cause == "timeout"
    assert len(player.attempts) < 20


@pytest.mark.long
def test_a_question_that_nobody_reads_blocks_nobody() -> None:
    game = NumberCollision(1_000, 20)  # 20,000 moves: more than a pipe holds
    player = ProcessPlayer("sleep 99", HASTY)
    with pytest.raises(Forfeit) as caught:
        player.choose(game, game.start(Random(0)), Random(0))
    assert caught.value.cause == "timeout"


# Crashes


@pytest.mark.long
@table(
    "text, message",
    [
        ("sys.exit(3)", "The program ended with status 3."),
        (f"{ANSWERS}\nquestion()\nsys.exit()", "The program ended with status 0."),
        (f"{ANSWERS}\nquestion()\nos.kill(os.getpid(), 9)", "The program was ended by the signal SIGKILL."),
        (
            f"{ANSWERS}\nquestion()\nraise ValueError('boom \\x1b[2J')",
            "The program ended with status 1: 'ValueError: boom \\x1b[2J'.",
        ),
        (
            f"{ANSWERS}\nquestion()\nos.write(2, b'x' * 5_000_000 + b'\\n\\n')\nsys.exit(4)",
            f"The program ended with status 4: '{'x' * 120}...'.",
        ),
        (
            f"{ANSWERS}\nquestion()\nos.close(1)\ntime.sleep(99)",
            "The program closed its output without ending.",
        ),
        (f"{ANSWERS}\nquestion()\nanswer('  ')\nsys.exit(5)", "The program ended with status 5."),
    ],
)
def test_who_ends_before_the_game_does_forfeits(
    program: Program, text: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "without ending" not in message:
        monkeypatch.setattr("numberduels.players.program.GRACE", 60)  # which no machine is too busy for
    player = program(text)
    fault = forfeit(player)
    assert (fault.cause, str(fault)) == ("crash", message)
    assert [attempt.fault for attempt in player.attempts] == [message]


@pytest.mark.long
def test_who_closes_his_input_forfeits(program: Program, pipe: NamedPipe) -> None:
    player = program(f"os.close(0)\nopen({str(pipe.path)!r}, 'w').write('ready')\ntime.sleep(99)")
    player.prepare(GAME, START)
    assert pipe.read() == "ready"
    fault = forfeit(player)
    assert (fault.cause, str(fault)) == ("crash", "The program closed its input without ending.")


@pytest.mark.long
@table(
    "command, message",
    [
        (
            "/nowhere/at/all --fast",
            "The program '/nowhere/at/all' could not be started: No such file or directory.",
        ),
        ("/", "The program '/' could not be started: Permission denied."),
    ],
)
def test_a_program_that_cannot_be_started_has_not_lost(command: str, message: str) -> None:
    player = ProcessPlayer(command)
    player.prepare(GAME, START)
    fault = forfeit(player)
    assert (fault.cause, str(fault)) == ("error", message)
    assert player.attempts == []
    player.close()


@table("command", ["", "  ", "''", "a 'b", "a\0b"])
def test_a_command_that_is_none_is_refused_at_once(command: str) -> None:
    with pytest.raises(ValueError, match="command"):
        ProcessPlayer(command)


@table(
    "settings",
    [
        ExternalSettings(seconds=0),
        ExternalSettings(seconds=float("nan")),
        ExternalSettings(seconds=float("inf")),
        ExternalSettings(attempts=0),
    ],
)
def test_terms_without_time_or_attempts_are_refused(settings: ExternalSettings) -> None:
    with pytest.raises(ValueError, match="needs some seconds"):
        ProcessPlayer("true", settings)


# Floods


def test_a_line_has_at_most_64_kilobytes() -> None:
    running = RunningProgram.__new__(RunningProgram)  # without a process
    running._buffer = longest = b"x" * LINE + b"\n"
    assert running._line() == longest[:-1]
    running._buffer = b"x" + longest
    with pytest.raises(Forfeit, match="a line of more than 65,536 bytes"):
        running._line()


@pytest.mark.long
@table(
    "text, what",
    [
        (f"{ANSWERS}\nquestion()\nanswer('x' * 70000)\ntime.sleep(99)", "a line of more than 65,536 bytes"),
        (
            f"{ANSWERS}\nquestion()\nanswer('\"' + 'x' * 70000 + '\"\\n')\ntime.sleep(99)",
            "a line of more than",
        ),
        (says("['x' * 60000 + '\\n'] * 99"), "more than 1,048,576 bytes for one move"),
        (
            f"{ANSWERS}\nquestion()\nwhile True: answer('\\n' * 9999)",
            "more than 1,048,576 bytes for one move",
        ),
    ],
)
def test_a_flood_forfeits(program: Program, text: str, what: str) -> None:
    player = program(text, ExternalSettings(seconds=60, attempts=99))
    fault = forfeit(player)
    assert fault.cause == "illegal"
    assert str(fault).startswith("The program wrote a flood: ") and what in str(fault)
    assert player.attempts[-1].fault == str(fault)
    assert all(len(attempt.answer) <= ANSWER + 3 for attempt in player.attempts)


# Leftovers


FORKS = f"""{ANSWERS}
child = os.fork()
if not child:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True: time.sleep(1)
question()
answer(json.dumps({{"move": 1, "child": child}}) + "\\n")
"""


@pytest.mark.long
@table("then", ["question()", "sys.exit()", "time.sleep(99)"])
def test_children_of_a_program_end_with_it(program: Program, then: str) -> None:
    player = program(FORKS + then)
    choose(player)
    child = json.loads(player.attempts[0].answer)["child"]
    player.close()
    wait_until_gone(child)


@pytest.mark.long
def test_a_child_that_holds_the_pipe_does_not_hide_that_the_program_has_ended(program: Program) -> None:
    player = program(FORKS + "question()\nsys.exit(7)")
    choose(player)
    child = json.loads(player.attempts[0].answer)["child"]
    fault = forfeit(player)
    assert (fault.cause, str(fault)) == ("crash", "The program ended with status 7.")
    wait_until_gone(child)


@pytest.mark.long
def test_whoever_interrupts_a_choice_leaves_no_program(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    player = program("time.sleep(99)")
    player.prepare(GAME, START)
    monkeypatch.setattr(player._program, "ask", interrupted)
    with pytest.raises(KeyboardInterrupt):
        choose(player)


def test_whoever_ends_all_programs_misses_none_that_is_just_starting(
    program: Program, monkeypatch: pytest.MonkeyPatch
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
    player = program("time.sleep(99)")
    assert forfeit(player).cause == "crash"
    ending.join()
    assert "could not be started: this process is ending" in str(forfeit(player))


# The rest


def test_it_can_be_sent_to_another_process_unless_it_is_playing(program: Program) -> None:
    player = program(says("['{\"move\": 1}\\n']"))
    copy = pickle.loads(pickle.dumps(player))
    assert (copy.name, copy.settings) == (player.name, PATIENT)
    assert choose(copy) == 1
    with pytest.raises(TypeError, match="a running program cannot be pickled"):
        pickle.dumps(copy)
    copy.close()
    assert pickle.loads(pickle.dumps(copy)).name == player.name


def test_only_named_variables_are_handed_on(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "SOME_API_KEY",
        "PGPASSWORD",
        "DATABASE_URL",
        "GITHUB_PAT",
        "LC_TOKEN",
        "NUMBERDUELS_HOME",
        "path",
    ):
        monkeypatch.setenv(name, "hush")
    monkeypatch.setenv("LC_MEASUREMENT", "hush, hush")
    monkeypatch.setenv("TZ", "hush")
    player = program(
        f"{ANSWERS}\nquestion()\n"
        "known = sorted(name for name, text in os.environ.items() if 'hush' in text)\n"
        "answer(json.dumps({'move': 1, 'known': known}) + '\\n')\nquestion()"
    )
    choose(player)
    assert json.loads(player.attempts[0].answer)["known"] == ["LC_MEASUREMENT", "TZ"]


def test_the_command_is_split_but_given_to_no_shell(tmp_path: Path) -> None:
    path = tmp_path / "a program.py"
    path.write_text(
        "import sys, json\nfor _ in sys.stdin: print(json.dumps({'move': 1, 'a': sys.argv[1:]}), flush=True)"
    )
    player = ProcessPlayer(f"{PYTHON} '{path}' $HOME '|' \"a b\"", PATIENT)
    choose(player)
    assert json.loads(player.attempts[0].answer)["a"] == ["$HOME", "|", "a b"]
    player.close()
