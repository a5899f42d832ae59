"""`duel new-game`: the skeleton is a game that works, and nothing is ever overwritten."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from numberduels.cli.new_game import skeleton
from tables import table

from .running import duel, refused

DUEL = "import sys; from numberduels.cli.main import main; sys.exit(main())"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The skeleton of Nim Heap, as the command writes it."""
    folder = tmp_path / "made"
    ran = duel("new-game", "nim-heap", "--folder", str(folder))
    assert (ran.err, ran.status) == ("", 0)
    assert "play nim-heap\n" in ran.out
    return folder


def python(folder: Path, *arguments: str, stdin: str = "") -> str:
    """The output of Python where the package can be imported."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(folder), "NUMBERDUELS_HOME": str(folder / "home")},
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_skeleton_has_everything(folder: Path) -> None:
    package = ["__init__.py", "rules.md", "rules.py", "text.py"]
    paths = [f"nim_heap/{name}" for name in package] + ["pyproject.toml", "tests/test_nim_heap.py"]
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) == paths


@pytest.mark.long
def test_its_own_test_passes(folder: Path) -> None:
    assert "1 passed" in python(
        folder, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", "tests"
    )


@pytest.mark.long
def test_it_can_be_played(folder: Path) -> None:
    with (folder / "pyproject.toml").open("rb") as file:
        points = tomllib.load(file)["project"]["entry-points"]["numberduels.games"]
    information = folder / "nim_heap-0.1.dist-info"  # what pip would leave
    information.mkdir()
    declared = "".join(f"{name} = {place}\n" for name, place in points.items())
    (information / "entry_points.txt").write_text(f"[numberduels.games]\n{declared}", encoding="utf-8")
    session = python(folder, "-c", DUEL, "play", "nim-heap", "--size", "3", stdin="1\n2\n")
    assert session.endswith("Player 2 took the last counter and wins!\n")
    assert python(folder, "-c", DUEL, "rules", "nim-heap").startswith("# Nim Heap\n")


def test_nothing_of_the_template_is_left() -> None:
    for path, text in skeleton("nim-heap", "nim_heap").items():
        for word in ("template", "Template", "last-counter", "LastCounter", "Last Counter"):
            assert word not in text, path


@table("name", ["Nim", "nim heap", "nim_heap", "-nim", "1-nim", "class", "json", "tests", "näim", ""])
def test_a_bad_name_is_refused(name: str, tmp_path: Path) -> None:
    refused(duel("new-game", f"--folder={tmp_path / 'new'}", "--", name), "cannot name a game package")
    assert not list(tmp_path.iterdir())


@table("name, reason", [("class", "it is a Python keyword"), ("json", "another package has this name")])
def test_the_reason_is_said(name: str, reason: str) -> None:
    refused(duel("new-game", name), reason)


def test_an_existing_folder_is_left_alone(tmp_path: Path) -> None:
    refused(duel("new-game", "nim-heap", "--folder", str(tmp_path)), "is there already")
    assert not list(tmp_path.iterdir())
