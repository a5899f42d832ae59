"""Files, folders and stored events are data, never programs: nothing that they name is run."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tables import table

from .running import Ran, duel, lines, process, refused, shell

EVIL = "evil"
"""A module beside the record that leaves a mark as soon as anybody imports it."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, in which a stranger's files lie."""
    folder = tmp_path / "download"
    folder.mkdir()
    (folder / f"{EVIL}.py").write_text(
        "open('mark', 'w').close()\ndef player(*_): open('mark', 'w').close()\n"
    )
    monkeypatch.chdir(folder)
    return folder


def record(seat: int, kind: str, folder: Path) -> str:
    """A record of an unfinished game in which one seat names this player."""
    escaped = kind.replace("\\", "\\\\").replace('"', '\\"')
    path = folder / "game.duel"
    path.write_text(f'[Game "range-war"]\n[Seat{seat} "{escaped}"]\n\n1. 6 4 *\n')
    return str(path)


SEATS = [
    'process:sh -c "touch mark"',
    "os:system",
    f"{EVIL}:player",
    "numberduels.players.search:GreedyPlayer",
    "chat:some-model",
    "mcts:100001",
    "",
    "nobody",
]


@table("kind", SEATS)
@table("seat", [1, 2])
def test_a_record_cannot_seat_anything_but_a_human_or_a_built_in_player(
    seat: int, kind: str, folder: Path
) -> None:
    path = record(seat, kind, folder)
    ran = duel("play", "--resume", path)
    refused(ran, f"as Player {seat}", f"name that seat with --p{seat}", "game.duel")
    assert not os.path.exists("mark")


@table("kind", SEATS[:3])
def test_such_a_record_can_be_replayed_reviewed_and_resumed_by_naming_the_seat(
    kind: str, folder: Path
) -> None:
    path = record(2, kind, folder)
    replayed = duel("replay", path)
    assert (replayed.status, replayed.err) == (0, "")
    assert "process:" not in replayed.out and EVIL not in replayed.out
    assert duel("review", path).status == 0
    printed = replayed.out.rpartition("To go on from here: ")[2].strip()
    for command in (
        printed,
        f"duel play --resume {path} --p2 greedy",
        f"duel play --resume {path} --vs human",
    ):
        assert "The game goes on after move 2." in shell(command, lines("quit")).out
    assert not os.path.exists("mark")


def test_the_command_that_goes_on_against_a_program_names_it(folder: Path) -> None:
    bot = folder / "bot.py"
    bot.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    print(json.dumps({'move': asked['legal'][-1]}), flush=True)\n"
    )
    program = f"process:{sys.executable} '{bot}'"
    ran = duel("play", "range-war", "--p1", program, "--seconds", "50", typed=lines("quit"))
    assert ran.resume_command.endswith("--seconds 50")
    back: Ran = shell(ran.resume_command, lines("quit"))
    assert (back.status, back.err) == (0, "")
    assert "The game goes on after move 1." in back.out


@table("text", ["\x1b]0;owned\x07", "\x9b2J", "\u202egnp.exe", "a\tb", "\x7f", "\u2028"])
def test_a_tag_cannot_command_a_terminal(text: str, folder: Path) -> None:
    path = folder / "game.duel"
    for tag in ("Player1", "Seat2", "Date", "Seed", "Site"):
        path.write_text(f'[Game "range-war"]\n[{tag} "{text}"]\n\n1. 6 4 *\n', encoding="utf-8")
        for action in (["play", "--resume"], ["replay"], ["review"]):
            refused(duel(*action, str(path)), "line 2")


# The folder in which a command is run


def test_nothing_of_the_current_folder_is_loaded(folder: Path) -> None:
    for name in ("numberduels", "random", "readline", "json", "argparse", "sitecustomize"):
        (folder / f"{name}.py").write_text("open('mark', 'w').close()")
    metadata = folder / "evil-1.0.dist-info"
    metadata.mkdir()
    (metadata / "entry_points.txt").write_text(f"[numberduels.games]\nevil-game = {EVIL}:spec\n")
    for arguments in (["games"], ["play", "range-war", "--p1", "random"], ["play", "evil-game"]):
        ran = process(*arguments)
        assert "evil-game" not in ran.out
    assert not os.path.exists("mark")


# The folder of a run of the arena


def run_folder(folder: Path, **changed: object) -> Path:
    """A finished run, with some entries of its first line changed."""
    assert duel("arena", "run", "--out", "run", *RUN).status == 0
    games = folder / "run" / "games.jsonl"
    first, *others = games.read_text().splitlines()
    games.write_text("".join(f"{line}\n" for line in [json.dumps(json.loads(first) | changed), *others]))
    return folder / "run"


RUN = ("--players", "random,greedy", "--games", "range-war", "--rounds", "1")


@table("kind", ["process:touch mark", "os:system", f"{EVIL}:player"])
def test_the_folder_of_a_run_cannot_name_players(kind: str, folder: Path) -> None:
    run = run_folder(folder, players=[kind, "random"], key=f"range-war | {kind} | random | 1")
    plan = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(plan | {"players": [kind, "greedy"]}))
    assert duel("arena", "report", "run").status == 0
    refused(duel("arena", "run", "--out", "run", *RUN), "that folder holds another run")
    (run / "run.json").write_text(json.dumps(plan))
    assert duel("arena", "run", "--out", "run", *RUN).status == 0  # it plays the game that is missing now
    assert not os.path.exists("mark")


def test_absurd_numbers_in_a_run_are_one_line(folder: Path) -> None:
    run = run_folder(folder)
    for name, number in (("seconds", 10**400), ("remoteness", -(10**400)), ("margin_given", 1e300)):
        move = {"move": "1", "seat": 0, "verdict": None, "seconds": 0.1, name: number}
        game = {"game": "range-war", "players": ["a", "b"], "result": "1-0", "moves": [move]}
        (run / "games.jsonl").write_text(json.dumps(game) + "\n")
        refused(duel("arena", "report", "run"), "line 1: move 1", name, "number of at most 1e+15")
