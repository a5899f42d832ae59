"""The commands on the pages for beginners and in the guides: each is run, or else checked by its parser."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from numberduels.cli.argument_parser import parser_of
from numberduels.cli.commands import load_command
from tables import table

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [
        ROOT / "README.md",
        ROOT / "docs" / "index.md",
        *ROOT.glob("docs/start/*.md"),
        *ROOT.glob("docs/guides/*.md"),
        *ROOT.glob("docs/games/*.md"),
    ]
)
TABLES = "--target all"
"""A command that takes long; tests/test_documents.py runs it and compares its picture."""

SETTINGS = ("export ", "cd ", "python -m venv ", "source .venv/bin/activate", "git clone ")
"""Lines that only set up the shell."""


def commands(page: str) -> Iterator[str]:
    """The lines of the `sh` blocks of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield from (line.partition("   #")[0].strip() for line in block.splitlines() if line.strip())


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": path, "NUMBERDUELS_HOME": str(folder / "home"), "BROWSER": "true"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def check_install(words: list[str]) -> None:
    """Extras must exist; other packages must be those with which the tests run."""
    tested = {re.split(r"[\[>=<]", need)[0] for need in PROJECT["dependency-groups"]["integrations"]}
    for word in words:
        name, _, extra = word.rstrip("]").partition("[")
        if name in ("numberduels", "."):
            assert set(extra.split(",")) - {""} <= set(PROJECT["project"]["optional-dependencies"]), word
        else:
            assert name in tested or name in PROJECT["dependency-groups"]["dev"], word


def check(line: str, folder: Path) -> None:
    """Run a command, or check it by what it names."""
    words = shlex.split(line)
    if line.startswith(SETTINGS) or TABLES in line:
        return
    if words[:2] == ["pip", "install"]:
        if words[2] == "--editable":
            assert (folder / words[3] / "pyproject.toml").exists(), line
        else:
            check_install(words[2:])
    elif words[0] == "make":
        subprocess.run(["make", "--dry-run", words[1]], cwd=ROOT, check=True, capture_output=True)
    elif words[0] in ("uvx", "pipx"):
        assert words[-1] in PROJECT["project"]["scripts"]
    elif words[:2] == ["duel", "serve"]:
        parser = parser_of(load_command("serve"))
        assert parser
        parser.parse_args(words[2:])
    elif words[:3] == ["duel", "play", "nim-heap"]:
        assert (folder / "nim-heap").is_dir()  # tests/cli/test_new_game.py installs and plays it
    elif words[:3] == ["python", "-m", "pytest"]:
        done = run(f"PYTHONPATH={words[3]} {line}", folder)
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert words[0] == "duel", f"nobody knows how to check: {line}"
        done = run(line, folder)
        assert "duel: " not in done.stderr and "Traceback" not in done.stderr, f"{line}\n{done.stderr}"
        assert done.stdout, line


@pytest.mark.long
@table("page", [page for page in PAGES if list(commands(page))])
def test_the_commands_of_a_page_work(page: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for line in commands(page):
        check(line, tmp_path)


def test_every_extra_is_explained_where_people_install() -> None:
    text = (ROOT / "docs" / "start" / "install.md").read_text(encoding="utf-8")
    for extra in PROJECT["project"]["optional-dependencies"]:
        assert f"`{extra}`" in text, extra
