"""The command line: what it tells, and one line for whatever is wrong with it."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from numberduels import __version__
from numberduels.cli.commands import COMMANDS
from numberduels.cli.main import main
from numberduels.cli.wrapping import fold
from numberduels.game import options, registry
from tables import table

from .running import DUEL, GAMES, PATIENCE, Ran, duel, lines, play, refused, shell

# What it tells


def test_without_a_terminal_it_prints_the_help() -> None:
    ran = duel()
    assert ran.status == 0
    assert ran == duel("--help") == duel("-h") == duel("help")
    for command in COMMANDS:
        assert f" {command} " in ran.out
    assert "--plain" in ran.out and "--version" in ran.out
    assert fold(ran.out, 80).count("\n") <= 24


def test_help_with_a_command_is_the_help_of_that_command() -> None:
    assert duel("help", "play") == duel("play", "--help")
    refused(duel("help", "paly"), "did you mean play?")


def test_version() -> None:
    assert duel("--version").out == f"duel {__version__}\n"


def test_games_lists_every_game_with_its_sentence_and_options() -> None:
    out = duel("games").out
    for name in GAMES:
        spec = registry.spec(name)
        assert f"{name}\n    {spec.summary}\n" in out
        for each in options.declared(spec.rules):
            assert f"    --{each.name} " in out
        assert f"    --rules balanced ({spec.rule_set('balanced').about})\n" in out


@table("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    ran = duel(command, "--help")
    assert ran.out.startswith(f"usage: duel {command}")
    assert (ran.err, ran.status) == ("", 0)


@table("name", GAMES)
def test_the_help_of_a_game_lists_its_options(name: str) -> None:
    out = duel("play", name, "--help").out
    for each in options.declared(registry.spec(name).rules):
        assert f"--{each.name} " in out


@table("name", GAMES)
def test_the_rules_of_a_game_mention_every_option_and_number_their_readings(name: str) -> None:
    ran = duel("rules", name)
    assert ran.status == 0
    assert ran.out == registry.spec(name).rulebook()
    assert ran.out.startswith(f"# {registry.spec(name).title}\n")
    for each in options.declared(registry.spec(name).rules):
        assert f"`--{each.name} " in ran.out
    readings = re.findall(r"^(\d+)\. ", ran.out.split("\n## Readings\n")[1], re.M)
    assert readings == [str(number) for number in range(1, len(readings) + 1)]
    assert len(readings) >= 3


@table("name", ["range", "rangewar", "Range War", "RANGE_WAR"])
def test_every_command_finds_a_game_by_what_a_person_calls_it(name: str) -> None:
    assert duel("rules", name) == duel("rules", "range-war")
    assert duel("play", name, "--size", "2", typed=lines("1")).out.endswith("Player 1 wins!\n")
    assert duel("match", name, "--size", "2", typed=lines("1", "1")).status == 0
    assert duel("puzzle", name, "--seed", "1", typed=lines("quit")).out.startswith("Range War (")
    assert "Best: 1, 2, 3, 4, 5\n" in duel("solve", name, "--size", "10").out
    assert duel("sweep", name, "--size", "2..3").status == 0
    assert "--opening" in duel("play", name, "--help").out


# What it refuses


@table(
    "arguments, phrases",
    [
        ("nonsense", ["no command 'nonsense'", "play, continue, puzzle"]),
        ("paly", ["no command 'paly'; did you mean play?"]),
        ("range-war", ["to play that game: duel play range-war"]),
        ("play", ["say which game", "range-war"]),
        ("play nonsense", ["no game called 'nonsense'", "range-war"]),
        ("play range-war number-snatch", ["number-snatch"]),
        ("play range-war --nonsense", ["--nonsense"]),
        ("play range-war --size", ["--size"]),
        ("play range-war --siz 5", ["--siz", "did you mean --size?"]),
        ("play range-war --size=-1", ["from 1 to 10000, not '-1'"]),
        ("play number-snatch --numbers 1,1", ["must differ"]),
        ("play number", ["number-snatch or number-collision"]),
        ("play rnage-war", ["did you mean range-war?"]),
        ("play range-war --vs prefect", ["no player 'prefect'; did you mean perfect?"]),
        ("arena run --out x --players random,greedy --games rnage-war", ["did you mean range-war?"]),
        ("play range-war --p1 nobody", ["no player 'nobody'", "human, random, greedy, beginner"]),
        ("play range-war --vs random --p2 random", ["--vs", "--p2"]),
        ("play range-war --vs mcts:0", ["from 1 to 10000000"]),
        ("play range-war --vs mcts:x", ["such as mcts:400, not 'x'"]),
        ("play range-war --names Alice", ["--names", "Alice,Bob"]),
        (f"play range-war --names A,{'B' * 41}", ["--names", "40"]),
        ("play range-war --names A,\x1b[2J", ["--names"]),
        ("play range-war --first 3", ["1, 2 or random"]),
        ("play range-war --names Ann,ann", ["two different names", "not 'Ann,ann'"]),
        ("arena report nowhere --html x.pdf", ["--html writes .html files only, not '.pdf'"]),
        ("play range-war --rounds 0", ["--rounds", "from 1 to 999"]),
        (f"play range-war --rounds {'9' * 5000}", ["--rounds"]),
        (f"play range-war --seed {'s' * 101}", ["--seed", "100"]),
        ("play range-war --rounds 1 --save x", ["--save writes one game"]),
        ("play range-war --ply 3", ["--ply goes with --resume"]),
        ("play range-war --resume x", ["--resume"]),
        ("play --resume x --rounds 3", ["--resume"]),
        ("play --resume x --first 2", ["--resume"]),
        ("play --resume ", ["'' cannot be read"]),
        ("play --resume nowhere.duel", ["'nowhere.duel' cannot be read"]),
        ("play range-war --friendly", ["--friendly goes with --rounds"]),
        ("play range-war --force", ["--force goes with --save FILE"]),
        ("play range-war --vs nobody", ["process:COMMAND, process2:COMMAND, chat:MODEL"]),
        ("serve --rate 3", ["unrecognized arguments: --rate 3 (see: duel serve --help)"]),
        ("play range-war --delay=3", ["unrecognized arguments: --delay=3 (see: duel play --help)"]),
        ("play range-war --sizes=3", ["did you mean --size?"]),
        ("replay", ["FILE"]),
        ("rules", ["GAME"]),
        ("games range-war", ["range-war"]),
    ],
)
def test_a_fault_is_one_line_that_says_what_would_be_right(arguments: str, phrases: list[str]) -> None:
    refused(duel(*arguments.split(" ")), *phrases)


@table("value", ["", "\n", "\x1b[2J", "'", "\udcff"])
@table(
    "place", ["{}", "play {}", "play range-war --size {}", "play range-war --p1 {}", "rules {}", "replay {}"]
)
def test_strange_words_on_the_command_line_are_one_line(place: str, value: str) -> None:
    refused(duel(*(word.format(value) for word in place.split(" "))))


@table("option", ["--seed", "--names"])
def test_the_value_of_an_option_is_not_taken_for_the_game(option: str) -> None:
    value = {"--seed": "range-war", "--names": "range-war,number-collision"}[option]
    ran = play(option, value, "number-snatch", "--numbers", "1,2", typed="2 1")
    assert ran.status == 0
    assert ran.out.startswith("Welcome to Number Snatch!\n")


# Files


def record(text: bytes, folder: Path) -> str:
    path = folder / "hostile.duel"
    path.write_bytes(text)
    return str(path)


HOSTILE = {
    "empty": b"",
    "binary": bytes(range(256)),
    "unknown game": b'[Game "chess"]\n\n*\n',
    "escape in a tag": b'[Game "range-war"]\n[Player1 "\x1b[2J"]\n\n*\n',
    "size of 5000 digits": b'[Game "range-war"]\n[Size "' + b"9" * 5000 + b'"]\n\n*\n',
    "seventeen megabytes": b'[Game "range-war"]\n\n' + b" " * 17_000_000 + b"*\n",
}


@table("text", HOSTILE.values())
def test_a_hostile_record_is_refused_in_one_line(text: bytes, tmp_path: Path) -> None:
    path = record(text, tmp_path)
    refused(duel("replay", path), "hostile.duel")
    refused(duel("play", "--resume", path), "hostile.duel")


@table("ply", ["-1", "x", "3", "1.5", "", "9" * 5000])
def test_a_ply_that_is_not_there_is_refused(ply: str, tmp_path: Path) -> None:
    path = record(b'[Game "range-war"]\n\n1. 6 4 *\n', tmp_path)
    refused(duel("replay", path, f"--ply={ply}"), "--ply", "from 0 to 2")
    refused(duel("play", "--resume", path, f"--ply={ply}"), "--ply", "from 0 to 2")


def test_replay_prints_the_session_that_it_was(tmp_path: Path) -> None:
    path = record(b'[Game "range-war"]\n\n1. 6 4 2. 9 5 3. 7 3 4. 8 2 5. 10 1 0-1\n', tmp_path)
    assert duel("replay", path).out == play("range-war", typed="6 4 9 5 7 3 8 2 10 1").out


def test_replay_of_a_part_ends_with_a_way_on_that_works(tmp_path: Path) -> None:
    path = record(b'[Game "range-war"]\n\n1. 6 4 2. 9 5 3. 7 3 4. 8 2 5. 10 1 0-1\n', tmp_path)
    command = duel("replay", path, "--ply", "3").out.split("To go on from here: ")[1]
    back = shell(command, lines("quit"))
    assert "The game goes on after move 3." in back.out
    assert back.status == 0


# Output that goes nowhere

SPOKEN = [
    "",
    "--help",
    "--version",
    "games",
    "rules range-war",
    "play --help",
    "play range-war",
    "solve range-war",
]
FULL = "duel: the output cannot be written: No space left on device\n"


def full() -> int:
    """A place that is full."""
    return os.open("/dev/full", os.O_WRONLY)


def hung_up() -> int:
    """A pipe that nobody reads from any more."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@table("arguments", SPOKEN)
@table("place, said", [(full, FULL), (hung_up, "")])
def test_output_that_is_full_or_gone_is_said_in_a_line_or_not_at_all(
    place: Callable[[], int],
    said: str,
    arguments: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"6\n4\n")))
    with open(place(), "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        assert main(arguments.split()) == 1
        monkeypatch.undo()
    assert capsys.readouterr() == ("", said)


@pytest.mark.long
@table("place, said", [(full, FULL), (hung_up, "")])
def test_a_game_whose_output_is_gone_is_saved(place: Callable[[], int], said: str) -> None:
    with open(place(), "wb") as output:
        done = subprocess.run(
            [DUEL, "play", "range-war", "--p1", "random", "--seed", "1"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            text=True,
        )
    assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.long
def test_without_any_input_at_all_the_game_is_saved() -> None:
    done = subprocess.run(
        ["bash", "-c", f'"{DUEL}" play summation-duel --p1 random <&-'],
        capture_output=True,
        timeout=PATIENCE,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == ""
    assert "The game is saved." in done.stdout


# Code of others


def test_code_of_others_that_ends_the_program_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for code, status in {None: 1, 0: 1, 3: 3, "no licence": 1}.items():

        def leave(_arguments: list[str], code: str | int | None = code) -> int:
            sys.exit(code)

        monkeypatch.setattr("numberduels.cli.main.load_command", lambda _name, leave=leave: leave)
        ran = duel("play")
        assert ran.status == status, code
        assert re.fullmatch(r"duel: .* called sys\.exit.*\n", ran.err), code


@table("fault", [MemoryError, RecursionError])
def test_what_is_too_large_for_the_machine_is_one_line(
    fault: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_arguments: list[str]) -> int:
        raise fault

    monkeypatch.setattr("numberduels.cli.main.load_command", lambda _name: fail)
    assert duel("play") == Ran("", "duel: that is too large for this machine\n", 1)
