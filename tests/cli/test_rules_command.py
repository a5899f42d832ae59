"""`duel rules`: as written through a pipe; formatted, wrapped and through the pager on a terminal."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from numberduels.game import registry
from tables import table

from .running import duel, rest, terminal

BOOK = registry.spec("range-war").rulebook()


def shown(*arguments: str, columns: int = 80, term: str = "xterm-256color", **env: str) -> str:
    """What `duel rules range-war` shows on a terminal."""
    env = {"PAGER": "cat", **env}
    with terminal("rules", "range-war", *arguments, columns=columns, term=term, **env) as screen:
        text = rest(screen).replace("\r\n", "\n")
        assert screen.exitstatus == 0
    return text


def script(folder: Path, text: str) -> str:
    """An executable script."""
    path = folder / "my pager"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return f"'{path}'"


def test_through_a_pipe_the_rules_are_as_they_are_written() -> None:
    assert duel("rules", "range-war").out == BOOK


@pytest.mark.long
def test_headings_are_bold_and_code_is_coloured_on_a_terminal() -> None:
    text = shown()
    assert "\x1b[1;4mRange War\x1b[0m\n" in text
    assert "\x1b[1mHow to play\x1b[0m\n" in text
    assert "• \x1b[36m--size N\x1b[0m: play with" in text
    assert "#" not in text and "`" not in text


@pytest.mark.long
def test_without_colours_headings_are_underlined_by_characters() -> None:
    text = shown(NO_COLOR="1")
    assert "\x1b" not in text
    assert "Range War\n\n" in text and "How to play\n-----------\n" in text


@pytest.mark.long
def test_a_dumb_terminal_gets_the_rules_without_colours_and_pager(tmp_path: Path) -> None:
    text = shown(term="dumb", columns=40, PAGER=script(tmp_path, "echo paged"))
    assert text.startswith("Range War\n\n") and "\x1b" not in text


@pytest.mark.long
def test_the_pager_is_the_users_with_its_arguments(tmp_path: Path) -> None:
    pager = script(tmp_path, 'echo "paged by $# $1 LESS=$LESS"; cat > /dev/null')
    assert shown(PAGER=f"{pager} -x").strip() == "paged by 1 -x LESS=FRX"
    assert shown(PAGER=f"{pager} -x", LESS="S").strip() == "paged by 1 -x LESS=S"


@pytest.mark.long
@table("pager", ["", "cat", "no-such-program", "'", "false", "true; touch owned"])
def test_a_pager_that_does_not_work_leaves_the_plain_print(pager: str, tmp_path: Path) -> None:
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        text = shown(PAGER=pager, NO_COLOR="1")
    finally:
        os.chdir(before)
    assert "How to play\n" in text
    assert not (tmp_path / "owned").exists()


@pytest.mark.long
def test_a_pager_that_is_left_early_is_no_error(tmp_path: Path) -> None:
    pager = script(tmp_path, "head -n 1")
    assert shown(PAGER=pager, NO_COLOR="1").strip() == "Range War"


@pytest.mark.long
def test_ctrl_c_is_for_the_pager_and_sigterm_ends_both(tmp_path: Path) -> None:
    pager = script(tmp_path, "trap '' INT; echo ready; exec sleep 600")
    with terminal("rules", "range-war", PAGER=pager) as screen:
        screen.expect("ready")
        screen.send("\x03")
        assert screen.isalive()
        screen.kill(signal.SIGTERM)
        assert "Traceback" not in rest(screen)
        assert screen.exitstatus == 143
