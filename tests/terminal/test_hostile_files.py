"""A file is data, never a program: whatever a record says, nothing that it names is run."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from .running import Ran, duel, lines, refused, shell

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
    "Process:touch mark",
    "process:",
    "os:system",
    f"{EVIL}:player",
    f"{EVIL.upper()}:player",
    "numberduels.players.simple:GreedyPlayer",
    "chat:some-model",
    "mcts:10000000",
    "mcts:-1",
    "greedy:player",
    "",
    "nobody",
]


@pytest.mark.parametrize("kind", SEATS)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_record_cannot_seat_anything_but_a_human_or_a_built_in_player(
    seat: int, kind: str, folder: Path
) -> None:
    path = record(seat, kind, folder)
    ran = duel("play", "--resume", path)
    refused(ran, f"as Player {seat}", f"name that seat with --p{seat}", "game.duel")
    assert not os.path.exists("mark")


@pytest.mark.parametrize("kind", ["human", "HUMAN", "greedy", "Perfect", "mcts:20", "expert"])
def test_a_record_may_seat_a_human_and_every_built_in_player(kind: str, folder: Path) -> None:
    ran = duel("play", "--resume", record(2, kind, folder), typed=lines("quit"))
    assert (ran.status, ran.err) == (0, "")
    assert "The game goes on after move 2." in ran.out


@pytest.mark.parametrize("kind", SEATS[:2] + SEATS[4:5])
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
    assert ran.way_back.endswith("--seconds 50")
    back: Ran = shell(ran.way_back, lines("quit"))
    assert (back.status, back.err) == (0, "")
    assert "The game goes on after move 1." in back.out


@pytest.mark.parametrize("text", ["\x1b]0;owned\x07", "\x9b2J", "\u202egnp.exe", "a\tb", "\x7f", "\u2028"])
def test_a_tag_cannot_command_a_terminal(text: str, folder: Path) -> None:
    path = folder / "game.duel"
    for tag in ("Player1", "Seat2", "Date", "Seed", "Site"):
        path.write_text(f'[Game "range-war"]\n[{tag} "{text}"]\n\n1. 6 4 *\n', encoding="utf-8")
        for action in (["play", "--resume"], ["replay"], ["review"]):
            refused(duel(*action, str(path)), "line 2")


def test_a_name_in_a_record_is_never_long(folder: Path) -> None:
    path = folder / "game.duel"
    path.write_text(f'[Game "range-war"]\n[Player2 "{"x" * 101}"]\n\n1. 6 4 *\n')
    refused(duel("replay", str(path)), "line 2", "100 characters")
