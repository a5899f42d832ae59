"""What is released: the wheel and the source distribution, built as a release builds them."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

import numberduels
from needs import lacking

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def build(folder: Path, **environment: str) -> dict[str, Path]:
    """Build the wheel and the source distribution; their files by suffix."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)],
        cwd=ROOT,
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
    )
    return {path.suffix: path for path in folder.iterdir()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return build(tmp_path_factory.mktemp("first"))


def source_files() -> set[str]:
    return {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_source_distribution_has_no_tests_and_no_stray_files(built: dict[str, Path]) -> None:
    top = f"numberduels-{numberduels.__version__}/"
    with tarfile.open(built[".gz"]) as archive:
        names = {name.removeprefix(top) for name in archive.getnames()}
    about = {
        ".gitignore",
        "CHANGELOG.md",
        "CITATION.cff",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "hatch_build.py",
        "pyproject.toml",
    }
    assert names == about | {f"src/{name}" for name in source_files()}


def test_the_base_needs_no_other_package(built: dict[str, Path]) -> None:
    wheel = zipfile.ZipFile(built[".whl"])
    name = f"numberduels-{numberduels.__version__}.dist-info/METADATA"
    metadata = message_from_string(wheel.read(name).decode())
    assert [need for need in metadata.get_all("Requires-Dist", []) if "extra ==" not in need] == []
    assert "dev" not in metadata.get_all("Provides-Extra", [])


@pytest.mark.long
def test_the_wheel_starts_in_an_empty_environment(built: dict[str, Path], tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    programs = tmp_path / "env" / "bin"
    install = [str(programs / "python"), "-m", "pip", "install", "--no-index", str(built[".whl"])]
    subprocess.run(install, check=True, capture_output=True)
    for command in (["duel"], ["numberduels"], ["python", "-m", "numberduels"]):
        program = [str(programs / command[0]), *command[1:]]
        done = subprocess.run([*program, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"duel {numberduels.__version__}\n"
        game = [*program, "play", "summation-duel", "--size", "4", "--target", "6"]
        played = subprocess.run(game, input="4\n2\n", capture_output=True, text=True, check=True)
        assert "You reached exactly 6 and won" in played.stdout


def test_the_citation_names_this_version() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {numberduels.__version__}" in lines


@pytest.mark.long
def test_the_wheel_of_a_release_has_the_documentation_and_the_help_names_it(tmp_path: Path) -> None:
    site = ROOT / "site"
    if not (site / "index.html").exists():
        lacking("The documentation", "make docs")
    wheel = build(tmp_path / "dist", HATCH_BUILD_HOOK_ENABLE_CUSTOM="true")[".whl"]
    names = set(zipfile.ZipFile(wheel).namelist())
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert {name for name in names if name.startswith("numberduels/site/")} == {
        f"numberduels/site/{name}" for name in pages
    }
    venv.create(tmp_path / "env", with_pip=True)
    programs = tmp_path / "env" / "bin"
    install = [str(programs / "python"), "-m", "pip", "install", "--no-index", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    done = subprocess.run([str(programs / "duel"), "--help"], capture_output=True, text=True, check=True)
    guide = Path(done.stdout.partition("The guide: ")[2].strip())
    assert guide.parts[-3:] == ("numberduels", "site", "index.html")
    assert guide.exists() and guide.is_relative_to(tmp_path / "env")
