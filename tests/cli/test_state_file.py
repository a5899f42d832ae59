"""A state file belongs to one question, is written as a whole, and is read as data."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from numberduels.cli import state_file
from numberduels.cli.parser import CliError
from numberduels.cli.signals import TerminationSignal
from numberduels.cli.state_file import StateFile
from numberduels.solvers.resumable import BadRows, Row
from tables import table

QUESTION = {"command": "sweep", "game": "restricted-removal", "size": "2..9"}


class Table:
    """A table of some numbers."""

    state_format = "numbers 1"

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def dump(self) -> Iterator[Row]:
        yield from ([number] for number in self.numbers)

    def load(self, rows: Iterable[Row]) -> None:
        for row in rows:
            if len(row) != 1:
                raise BadRows("a number")
            self.numbers.append(row[0])


class Result(NamedTuple):
    size: int
    winner: int | None


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state.jsonl"


def saved(path: Path, *numbers: int) -> Path:
    """A state with two results, a third one begun, and a table."""
    with StateFile(str(path), QUESTION) as state:
        state.restore(Table(*numbers))
        for row in ([2, 1], [3, None]):
            state.begin_result(5)
            state.add_result(row)
        state.begin_result(7)
        state.save()
    return path


def refused(path: Path, *phrases: str, question: dict[str, Any] | None = None) -> None:
    """Refused in one line; the file stays as it was, and nothing else is left in the folder."""
    before = path.read_bytes()
    with (
        pytest.raises(CliError) as fault,
        StateFile(str(path), QUESTION if question is None else question) as state,
    ):
        state.restore(Table())
    assert "\n" not in str(fault.value)
    for phrase in phrases:
        assert phrase in str(fault.value)
    assert path.read_bytes() == before and os.listdir(path.parent) == [path.name]


def signed(lines: list[Any]) -> bytes:
    """The lines with a last line that fits them."""
    body = b"".join(
        (each if isinstance(each, bytes) else json.dumps(each).encode()) + b"\n" for each in lines
    )
    end = {"end": len(lines), "sha256": sha256(body).hexdigest()}
    return body + json.dumps(end).encode() + b"\n"


def header(**changed: Any) -> dict[str, Any]:
    return {
        "format": "numberduels state",
        "version": 1,
        "question": QUESTION,
        "results": 0,
        "current": None,
        "table": None,
    } | changed


def test_what_was_saved_is_there_again(path: Path) -> None:
    saved(path, 11, 12)
    table = Table()
    with StateFile(str(path), QUESTION) as state:
        assert state.saved and state.results_as(Result) == [Result(2, 1), Result(3, None)]
        state.restore(table)
        assert state.begin_result(99) == 7  # where the third result was begun
        state.add_result([4, 2])
        assert state.begin_result(99) == 99
    assert table.numbers == [11, 12]
    assert os.listdir(path.parent) == [path.name]


def test_a_new_file_holds_nothing(path: Path) -> None:
    with StateFile(str(path), QUESTION) as state:
        assert (state.results, state.saved) == ([], False)
    assert not path.exists()


def test_the_format_of_version_1_is_read(path: Path) -> None:
    """As release 1 of the format wrote it: this text must be read for good."""
    path.write_text(
        '{"format": "numberduels state", "version": 1, "question": {"command": "sweep", "game":'
        ' "restricted-removal", "size": "2..9"}, "results": 1, "current": {"visited": 3, "seconds": 1.5},'
        ' "table": "numbers 1"}\n[2, 1]\n[11]\n'
        '{"end": 3, "sha256": "8f8b8ff3b6a2b2f7"}\n',
        encoding="utf-8",
    )
    *lines, _ = path.read_bytes().splitlines()
    path.write_bytes(signed(list(lines)))
    table = Table()
    with StateFile(str(path), QUESTION) as state:
        state.restore(table)
        assert (state.results, state.begin_result(9), table.numbers) == ([[2, 1]], 3, [11])
        assert state.seconds >= 1.5


def test_another_question_is_refused(path: Path) -> None:
    saved(path)
    refused(path, "another question, with size '2..9'", question=QUESTION | {"size": "2..10"})
    refused(path, "another question", question={"command": "sweep"})
    path.write_bytes(signed([header(question=[1])]))
    refused(path, "another question")


def test_a_newer_format_is_refused(path: Path) -> None:
    path.write_bytes(signed([header(version=2)]))
    refused(path, "it is of format '2', and this program reads format 1")


def test_another_table_is_refused(path: Path) -> None:
    path.write_bytes(signed([header(table="numbers 2")]))
    refused(path, "its table is of the kind 'numbers 2'")


@table("text", ["", "size,winner\n2,1\n", "{}\n{}\n", '["a"]\n' * 3, "\0\1\2", "[" * 99_999])
def test_a_file_that_is_no_state_is_never_replaced(text: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8")
    if text:
        refused(path, "--state")
    else:
        saved(path)  # an empty file holds nothing that could be lost


def test_every_cut_is_noticed(path: Path) -> None:
    whole = saved(path, 11, 12).read_bytes()
    for length in range(1, len(whole)):
        path.write_bytes(whole[:length])
        refused(path, "--state")


def test_every_changed_byte_is_noticed(path: Path) -> None:
    whole = saved(path, 11, 12).read_bytes()
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        refused(path, "--state")


@table(
    "lines",
    [
        [header(results=-1)],
        [header(results=2)],
        [header(results="1"), [2, 1]],
        [header(results=1), {"size": 2}],
        [header(current=5)],
        [header(current={"visited": -1, "seconds": 0})],
        [header(current={"visited": "1", "seconds": 0})],
        [{key: value for key, value in header().items() if key != "table"}],
        [header(table="numbers 1"), [1, 2]],
        [header(table="numbers 1"), {}],
        [header(table="numbers 1"), b"[" * 50_000],
        [header(table="numbers 1"), b"[" + b"9" * 5_000 + b"]"],
    ],
)
def test_a_file_that_fits_its_checksum_and_nothing_else_is_refused(lines: list[Any], path: Path) -> None:
    path.write_bytes(signed(lines))
    refused(path, "damaged")


@table("row", [[], [2], ["2", 1], [2, "1"], [None, 1], [2, 1, 1], [2, [1]]])
def test_results_of_another_shape_are_refused(row: Row, path: Path) -> None:
    path.write_bytes(signed([header(results=1), row]))
    with StateFile(str(path), QUESTION) as state, pytest.raises(CliError, match="damaged: a result"):
        state.results_as(Result)


def test_a_file_that_is_too_large_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(path)
    monkeypatch.setattr(state_file, "MAX_BYTES", 100)
    refused(path, "larger than 100 bytes")


def test_a_folder_and_a_missing_folder_are_refused(tmp_path: Path) -> None:
    for name in (str(tmp_path), str(tmp_path / "missing" / "state")):
        with pytest.raises(CliError, match="cannot be used"), StateFile(name, QUESTION):
            pass


def test_a_write_that_fails_leaves_the_last_state(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved(path, 11).read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with StateFile(str(path), QUESTION) as state:
        state.restore(Table())
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(CliError, match=r"cannot be written: .*[Nn]o space left"):
            state.save()
    assert path.read_bytes() == before and os.listdir(path.parent) == [path.name]


@pytest.mark.long
def test_a_file_in_use_is_refused(path: Path) -> None:
    program = (
        "import sys\n"
        "from numberduels.cli.state_file import StateFile\n"
        f"with StateFile({str(path)!r}, {{}}):\n"
        "    print('ready', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    other = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with other:
        assert other.stdout and other.stdout.readline() == b"ready\n"
        with pytest.raises(CliError, match="used by another process"), StateFile(str(path), QUESTION):
            pass
        other.kill()
    saved(path)  # the lock of a killed process is gone


def test_ctrl_c_waits_for_the_next_step_and_the_state_is_written(path: Path) -> None:
    table = Table()
    with StateFile(str(path), QUESTION) as state:
        state.restore(table)
        signal.raise_signal(signal.SIGINT)
        table.numbers.append(11)  # the rest of the step
        assert not state.saved
        with pytest.raises(KeyboardInterrupt):
            state.reached()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)  # a second one does not wait
    again = Table()
    with StateFile(str(path), QUESTION) as state:
        state.restore(again)
    assert again.numbers == [11]


def test_a_termination_signal_is_kept_apart(path: Path) -> None:
    with StateFile(str(path), QUESTION) as state:
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(TerminationSignal):
            state.reached()


def test_a_tick_stops_what_has_no_steps(path: Path) -> None:
    told: list[tuple[int, int]] = []
    with StateFile(str(path), QUESTION) as state:
        tick = state.ticking(lambda done, total: told.append((done, total)))
        tick(1, 2)
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            tick(2, 2)
    assert told == [(1, 2), (2, 2)]


def test_the_file_is_written_after_a_while_and_then_seldom(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clock:
        now = 0.0

        def monotonic(self) -> float:
            return self.now

    clock, writes = Clock(), []
    monkeypatch.setattr(state_file, "time", clock)
    with StateFile(str(path), QUESTION) as state:
        monkeypatch.setattr(state, "save", lambda: writes.append(clock.now))
        for _ in range(200):
            clock.now += 1
            state.reached()
    assert writes == [2, 6, 14, 30, 60, 90, 120, 150, 180]
