"""`duel docs`: the address of the documentation, or one line that says how to get it."""

from __future__ import annotations

from pathlib import Path

import pexpect
import pytest

from numberduels.cli import docs
from numberduels.cli.parser import CliError
from pseudo_terminals import wait_for_end
from tables import table

from .running import DUEL, PATIENCE, Ran, duel, refused


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small site, as a released package has it."""
    folder = tmp_path / "package" / "site"
    (folder / "games").mkdir(parents=True)
    for name in ("index", "theorems", "games/range_war"):
        (folder / f"{name}.html").write_text("<h1>A page</h1>", encoding="utf-8")
    monkeypatch.setattr(docs, "find_site", lambda: folder)
    return folder


def test_without_a_terminal_it_prints_the_address_and_opens_nothing(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _: pytest.fail("a browser was opened"))
    assert duel("docs") == duel("docs", "--print") == Ran(f"{(site / 'index.html').as_uri()}\n", "", 0)


@table("name", ["range-war", "range_war", "games/range_war", "games/range_war.md"])
def test_a_page_is_found_by_its_name(site: Path, name: str) -> None:
    assert duel("docs", "--print", name).out == f"{(site / 'games' / 'range_war.html').as_uri()}\n"


@pytest.mark.usefixtures("site")
def test_a_page_that_does_not_exist_is_refused_with_the_one_that_was_meant() -> None:
    refused(duel("docs", "theorem"), "there is no page 'theorem'; did you mean theorems?")


def test_the_package_comes_before_the_clone(tmp_path: Path) -> None:
    package, clone = tmp_path / "package", tmp_path / "clone"
    for folder in (package, clone / "site"):
        folder.mkdir(parents=True)
        (folder / "index.html").touch()
    assert docs.find_site(package, clone) == package
    (package / "index.html").unlink()
    assert docs.find_site(package, clone) == clone / "site"


def test_without_a_site_it_says_in_one_line_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CliError, match="releases have it, and `make docs` builds it in a clone"):
        docs.find_site(tmp_path / "package", tmp_path)
    (tmp_path / "zensical.toml").touch()
    with pytest.raises(CliError, match=f"run `make docs` in {tmp_path}"):
        docs.find_site(tmp_path / "package", tmp_path)


def test_on_a_terminal_the_browser_of_the_user_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not any((folder / "index.html").exists() for folder in (docs.BUNDLED, docs.CHECKOUT / "site")):
        pytest.skip("the documentation is not built; to run this: make docs")
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n', encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    monkeypatch.setenv("TERM", "xterm")
    child = pexpect.spawn(DUEL, ["docs"], encoding="utf-8", timeout=PATIENCE, dimensions=(24, 300))
    child.expect(r"open in your browser: (file:///\S+/index.html)")
    address = child.match
    wait_for_end(child)
    assert address and opened.read_text(encoding="utf-8").endswith("/site/index.html")
