"""What is loaded when, and whether the documents name files that exist.

Which room may import which is written in pyproject.toml; `make check` runs lint-imports.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "numberduels"


def test_the_walks_in_the_documents_name_files_that_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:[\w<>]+/)*[\w<>]+\.(?:py|html))`", text)
    assert len(named) > 20
    for each in named:
        assert list(SOURCE.glob(each.replace("<game>", "*"))), each


def test_there_are_no_dependencies() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["dependencies"] == []


def loaded(program: str, stdin: str = "") -> set[str]:
    """The modules that are loaded when the program has run; it leaves them on the last line of stderr."""
    tail = "\nimport sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program + tail], input=stdin, capture_output=True, text=True, check=True
    )
    return set(done.stderr.splitlines()[-1].split())


UNWELCOME = {
    "asyncio",
    "importlib.metadata",
    "json",
    "numberduels.game.files",
    "numberduels.game.record",
    "numberduels.solvers",
    "numpy",
    "pathlib",
    "textual",
}


def test_settings_and_logs_load_no_solver() -> None:
    program = "from numberduels.play import puzzles, saved_games, settings"
    assert "numberduels.solvers" not in loaded(program)


def test_the_menu_of_a_new_user_loads_no_game_and_no_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBERDUELS_HOME", str(tmp_path / "not there yet"))
    modules = loaded("from numberduels.cli.main import main; assert main(['--plain']) == 0", "quit\n")
    heavy = UNWELCOME - {"numberduels.game.files"} | {"argparse", "dataclasses", "numberduels.game.registry"}
    assert not modules & heavy


def test_a_whole_game_of_range_war_loads_nothing_heavy() -> None:
    modules = loaded("from numberduels.cli.main import main; assert main(['play', 'range-war']) == 0", "1\n")
    assert not modules & UNWELCOME
    specs = {name for name in modules if name.startswith("numberduels.games.")}
    assert specs == {f"numberduels.games.range_war{part}" for part in ("", ".rules", ".text")}


def test_the_package_itself_loads_nothing() -> None:
    ours = [name for name in loaded("import numberduels") if name.split(".")[0] == "numberduels"]
    assert ours == ["numberduels"]
