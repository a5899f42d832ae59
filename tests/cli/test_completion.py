"""`duel --completion`: what the real shells offer when Tab is pressed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from game_records import record_of
from numberduels.cli.commands import COMMANDS
from numberduels.cli.completion_words import collect
from numberduels.game import files, options, registry
from numberduels.game.record import write
from numberduels.games.range_war.rules import RangeWar
from numberduels.play.saved_games import short_id
from numberduels.play.settings import KEYS
from tables import table

from .running import DUEL, GAMES, PATIENCE, duel, refused

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the script of each shell."""
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        text = subprocess.run([DUEL, "--completion", shell], capture_output=True, check=True).stdout
        (folder / f"duel.{shell}").write_bytes(text)
    return folder


def need(shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")


def bash(scripts: Path, *typed: str) -> list[str]:
    """What bash offers for the last of these words."""
    program = """
        source "$1"; shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _duel "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", program, "bash", str(scripts / "duel.bash"), DUEL, *typed],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


def fish(scripts: Path, typed: str) -> list[str]:
    """What fish offers at the end of this line."""
    need("fish")
    program = f'source "{scripts}/duel.fish"; complete -C "{typed}"'
    env = {**os.environ, "HOME": str(scripts), "PATH": f"{Path(DUEL).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["fish", "--no-config", "-c", program], capture_output=True, text=True, env=env, timeout=PATIENCE
    )
    assert done.stderr == ""
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


@pytest.mark.long
@table("shell", SHELLS)
def test_the_script_has_no_syntax_error(shell: str, scripts: Path) -> None:
    need(shell)
    done = subprocess.run([shell, "-n", scripts / f"duel.{shell}"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@table("arguments", [(), ("tcsh",), ("bash", "zsh"), ("",)])
def test_another_shell_is_refused(arguments: tuple[str, ...]) -> None:
    refused(duel("--completion", *arguments), "--completion takes bash, zsh or fish")


def test_every_command_and_each_of_its_options_is_collected() -> None:
    found = {words.command: words for words in collect()}
    assert list(found) == list(COMMANDS)
    for name, words in found.items():
        shown = duel(name, "--help").out
        flags = [option.flag for option in words.options]
        if name != "arena":  # it has several commands, each with its own help
            assert flags == re.findall(r"^  (?:-h, )?(--[\w-]+)", shown, re.M)
        assert "--help" in flags
    assert "--seconds" not in {option.flag for option in found["play"].options}


@pytest.mark.long
def test_bash_offers_the_commands_and_the_options_of_duel(scripts: Path) -> None:
    assert bash(scripts, "") == list(COMMANDS)
    assert bash(scripts, "re") == ["review", "replay"]
    assert bash(scripts, "--p") == ["--plain"]
    assert bash(scripts, "--completion", "") == list(SHELLS)
    assert bash(scripts, "help", "sol") == ["solve"]


def test_bash_offers_games_and_then_the_options_of_the_game(scripts: Path) -> None:
    assert bash(scripts, "play", "") == list(registry.names())
    assert bash(scripts, "rules", "number-c") == ["number-collision"]
    assert bash(scripts, "play", "range-war", "--o") == ["--opening"]
    assert bash(scripts, "play", "--o") == []
    for game in GAMES:
        own = [f"--{each.name}" for each in options.declared(registry.spec(game).rules)]
        assert bash(scripts, "play", game, "--")[-len(own) :] == own


@pytest.mark.long
def test_bash_offers_the_values_of_an_option(scripts: Path) -> None:
    assert "perfect" in bash(scripts, "play", "range-war", "--vs", "")
    assert bash(scripts, "play", "range-war", "--opening", "") == ["lower", "free"]
    assert bash(scripts, "play", "range-war", "--rules", "b") == ["book", "balanced"]
    assert bash(scripts, "play", "range-war", "--first", "") == ["1", "2", "random"]
    assert bash(scripts, "puzzle", "--level", "") == ["1", "2", "3", "4", "5"]
    assert bash(scripts, "play", "range-war", "--seed", "") == []
    assert bash(scripts, "config", "") == list(KEYS)


@pytest.mark.long
def test_bash_offers_files_where_a_file_is_meant(scripts: Path, tmp_path: Path) -> None:
    (tmp_path / "my game.duel").write_text("")
    assert bash(scripts, "play", "range-war", "--save", f"{tmp_path}/my") == [f"{tmp_path}/my game.duel"]


def keep_games(own_home: Path) -> str:
    """A kept game, and one with a name that would be a command; the id of the first."""
    path = files.new_path("range-war")
    files.write_text(path, write(record_of(RangeWar(), (6, 4))))
    for name in ("$(touch owned)", "`touch owned`", "a b", "-x", "\x1b[2J"):
        (own_home / "games" / f"{name}.duel").write_text("")
    return short_id(path)


@pytest.mark.long
def test_bash_offers_the_ids_of_kept_games_and_runs_none_of_them(scripts: Path, own_home: Path) -> None:
    name = keep_games(own_home)
    assert bash(scripts, "continue", "") == [name]
    assert bash(scripts, "delete", name[:2]) == [name]
    assert name in bash(scripts, "replay", "")
    assert bash(scripts, "play", "--resume", name[:3]) == [name]
    assert not Path("owned").exists()


@pytest.mark.long
def test_fish_offers_the_same(scripts: Path, own_home: Path) -> None:
    assert set(COMMANDS) <= set(fish(scripts, "duel "))
    assert set(fish(scripts, "duel play ")) == set(registry.names())
    assert fish(scripts, "duel play range-war --opening ") == ["free", "lower"]
    assert "--target" in fish(scripts, "duel play summation-duel --")
    assert "--target" not in fish(scripts, "duel play range-war --")
    name = keep_games(own_home)
    assert fish(scripts, "duel continue ") == [name]
    assert not Path("owned").exists()


@pytest.mark.long
def test_zsh_offers_the_same(scripts: Path, own_home: Path) -> None:
    need("zsh")
    name = keep_games(own_home)
    # zsh completes only at a prompt: its functions are replaced by some that print what they are given.
    program = """
        compdef() {} ; source $1 ; shift
        _describe() { print -l -- ${(P)argv[-1]%%:*} }
        compadd() { [[ $1 == -a ]] && print -l -- ${(P)2} }
        _files() { print files }
        words=("$@") CURRENT=$# PREFIX=${argv[-1]}
        _duel
    """

    def zsh(*typed: str) -> list[str]:
        done = subprocess.run(
            ["zsh", "-f", "-c", program, "zsh", str(scripts / "duel.zsh"), DUEL, *typed],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.stderr == ""
        return done.stdout.split()

    assert zsh("") == list(COMMANDS)
    assert zsh("play", "") == list(registry.names())
    assert zsh("play", "range-war", "--opening", "") == ["lower", "free"]
    assert zsh("play", "range-war", "-")[-3:] == ["--size", "--opening", "--ending"]
    assert zsh("continue", "") == [name]
    assert "files" in zsh("replay", "")
    assert not Path("owned").exists()
