"""`--state FILE`: a command that was stopped goes on, and prints what it would have printed at once."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from numberduels.cli.state_file import StateFile
from numberduels.games.summation_duel import sum_tables
from numberduels.solvers.game_length import GameLength
from numberduels.solvers.node_kayles import NodeKayles
from tables import table

from .running import DUEL, PATIENCE, duel, refused

SOLVE = ("solve", "restricted-removal", "--size", "56")
COMMANDS = {
    "who wins": (*SOLVE, "--winner"),
    "moves": ("solve", "restricted-removal", "--size", "46"),
    "lengths": ("solve", "restricted-removal", "--size", "40", "--goal", "length"),
    "sweep": ("sweep", "restricted-removal", "--size", "1..36", "--winner"),
    "sweep of nimbers": ("sweep", "restricted-removal", "--size", "20..30", "--nimbers"),
    "sweep of lengths": ("sweep", "restricted-removal", "--size", "1..40", "--goal", "length"),
    "sweep of another game": ("sweep", "number-collision", "--size", "1..3", "--repetition", "forbidden"),
    "all targets": ("sweep", "summation-duel", "--size", "1..20", "--target", "all"),
}


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NodeKayles, "step", 20)
    monkeypatch.setattr(GameLength, "step", 10)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state.jsonl"


@pytest.fixture
def stop_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Press Ctrl-C before the checkpoint of this number is reached; 0: not at all."""
    reached = StateFile.reached

    def stop(number: int) -> None:
        left = number

        def count(self: StateFile) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                signal.raise_signal(signal.SIGINT)
            reached(self)

        monkeypatch.setattr(StateFile, "reached", count)

    return stop


def without_seconds(text: str) -> str:
    """Output or CSV without the time that it took."""
    text = re.sub(r"in \d+\.\d\d s\.", "in S s.", text)
    return re.sub(r"[ ,]+\d+\.\d+$", " S", text, flags=re.M)


@table("name", COMMANDS)
def test_a_stopped_command_goes_on_and_prints_the_same(
    name: str, state: Path, stop_at: Callable[[int], None]
) -> None:
    command = COMMANDS[name]
    whole = duel(*command)
    assert whole.status == 0
    for number in (1, 2):  # it is stopped twice
        stop_at(number)
        stopped = duel(*command, "--state", str(state))
        assert stopped.status == 130, stopped
        assert "the same command goes on from there." in stopped.err
        assert "stopped" in stopped.out
    stop_at(0)
    resumed = duel(*command, "--state", str(state))
    assert (resumed.status, resumed.err) == (0, "")
    assert without_seconds(resumed.out) == without_seconds(whole.out)
    again = duel(*command, "--state", str(state))
    assert without_seconds(again.out) == without_seconds(whole.out)
    assert os.listdir(state.parent) == [state.name]
    state.unlink()


def test_the_files_of_a_resumed_sweep_are_those_of_a_whole_one(
    tmp_path: Path, state: Path, stop_at: Callable[[int], None]
) -> None:
    command = ("sweep", "restricted-removal", "--size", "2..36", "--winner", "--csv")
    whole, part = tmp_path / "whole.csv", tmp_path / "part.csv"
    assert duel(*command, str(whole)).status == 0
    stop_at(30)
    stopped = duel(*command, str(part), "--state", str(state))
    assert stopped.status == 130 and not part.exists()  # the same command could not replace it
    stop_at(0)
    assert duel(*command, str(part), "--state", str(state)).status == 0
    assert without_seconds(part.read_text()) == without_seconds(whole.read_text())


def test_the_option_of_a_game_is_a_part_of_the_question(state: Path) -> None:
    assert duel(*SOLVE, "--winner", "--state", str(state)).status == 0
    refused(duel(*SOLVE, "--state", str(state)), "another question, with winner true")
    longer = duel(*SOLVE, "--winner", "--nimbers", "--state", str(state))
    refused(longer, "another question, without nimbers")
    other = ("solve", "restricted-removal", "--size", "57", "--winner")
    refused(duel(*other, "--state", str(state)), "another question, with game 'RestrictedRemoval(size=56)'")
    refused(duel("sweep", "restricted-removal", "--size", "2..9", "--state", str(state)), "another question")
    assert duel(*SOLVE, "--winner", "--swap", "--state", str(state)).status == 2
    same = duel(*SOLVE, "--winner", "--json", "--state", str(state))  # only where the answer goes
    assert same.status == 0


def test_a_game_that_is_solved_at_once_needs_no_state(state: Path) -> None:
    refused(duel("solve", "range-war", "--state", str(state)), "--state is for searches that take minutes")
    refused(duel(*SOLVE, "--state", ""), "--state takes the name of a file")
    assert not state.exists()


def test_a_refused_state_prints_nothing_else(state: Path) -> None:
    state.write_text("size,winner\n", encoding="utf-8")
    for command in COMMANDS.values():
        refused(duel(*command, "--state", str(state)), "--state")
    assert state.read_text(encoding="utf-8") == "size,winner\n"


def test_a_tick_stops_a_pass_over_all_targets(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve = sum_tables.SolvedPasses.solve_next

    def interrupted(self: sum_tables.SolvedPasses, progress: object) -> None:
        if self.done == 1:
            signal.raise_signal(signal.SIGINT)
        solve(self, progress)  # type: ignore[arg-type]

    monkeypatch.setattr(sum_tables.SolvedPasses, "solve_next", interrupted)
    ran = duel(*COMMANDS["all targets"], "--state", str(state))
    assert ran.status == 130
    assert "    10        55" in ran.out and "    11 stopped." in ran.out


def saved_positions(state: Path) -> int:
    """The positions of a complete state; 0 if there is none yet."""
    try:
        with open(state, encoding="utf-8") as file:
            next(file)
            return int(next(file).strip("[]\n"))
    except (FileNotFoundError, StopIteration):
        return 0


SOON = "import sys; from numberduels.cli import main, state_file; state_file.FIRST = 0; sys.exit(main.main())"
"""`duel`, which writes its state after the first step."""


@pytest.mark.long
@table("number", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_process_leaves_a_state_that_goes_on(number: signal.Signals, state: Path) -> None:
    state.unlink(missing_ok=True)
    command = ("solve", "restricted-removal", "--size", "112", "--winner", "--state", str(state))
    program = [sys.executable, "-c", SOON, *command]
    running = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        limit = time.monotonic() + 2 * PATIENCE
        while not saved_positions(state):
            assert running.poll() is None and time.monotonic() < limit
            Event().wait(0.05)
        running.send_signal(number)
        _, err = running.communicate(timeout=PATIENCE)
    finally:
        running.kill()
        running.wait()
    assert running.returncode == {signal.SIGKILL: -9, signal.SIGINT: 130}[number]
    assert b"Traceback" not in err
    assert 0 < saved_positions(state) < 21_656
    done = subprocess.run([DUEL, *command], capture_output=True, timeout=2 * PATIENCE, text=True)
    assert done.returncode == 0 and "Player 2 wins." in done.stdout
    assert ": 21,656 positions in " in done.stdout  # as many as a run that is not stopped
