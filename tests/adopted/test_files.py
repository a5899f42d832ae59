"""No file opens a game of another library: it is listed, and opened if the user types its name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from adopted.samples import code_that_leaves_a_trace, named
from cli.running import Ran, duel
from numberduels.game import adopted, record, registry
from numberduels.game.registry import read_game
from numberduels.harness.episode_settings import read_settings
from numberduels.play import series

HUGE = "openspiel:hex(board_size=0000000012000)"
BROKEN = "openspiel:clobber(columns=1)"
FINE = "openspiel:tic_tac_toe"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBERDUELS_HOME", str(tmp_path))
    (tmp_path / "games").mkdir()
    (tmp_path / "matches").mkdir()
    return tmp_path


@pytest.fixture
def nothing_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(text: str) -> None:
        raise AssertionError(f"{text} was loaded")

    monkeypatch.setattr(adopted, "load_environment", load)


def record_text(game: str, moves: str = "*") -> str:
    return f'[Game "{game}"]\n\n{moves}\n'


def match_text(game: str) -> str:
    return f'[Match "{game}"]\n[Rounds "1"]\n[Player1 "A"]\n[Player2 "B"]\n'


def keep(home: Path, game: str, moves: str = "*", name: str = "kept") -> None:
    (home / "games" / f"{name}.duel").write_text(record_text(game, moves), encoding="utf-8")


def one_line(ran: Ran, status: int) -> str:
    assert ran.status == status and "Traceback" not in ran.err, ran.err
    return " ".join(ran.err.split())


READERS: dict[str, Callable[[str], object]] = {
    "a record": lambda game: record.read(record_text(game)),
    "a record for the server": lambda game: record.read(record_text(game), installed_only=True),
    "a match": lambda game: series.read(match_text(game)),
    "a game with options": read_game,
    "the settings of an episode": lambda game: read_settings({"game": game}),
    "a request or a setting": registry.spec,
    "a word of a request or a setting": registry.find_spec,
}


@pytest.mark.usefixtures("nothing_is_loaded")
def test_no_text_of_a_file_or_a_request_loads_a_game_of_another_library(tmp_path: Path) -> None:
    code, trace = code_that_leaves_a_trace(tmp_path)
    for what, read in READERS.items():
        for game in (HUGE, BROKEN, FINE, "pettingzoo:tictactoe_v3", code):
            with pytest.raises((ValueError, LookupError)) as refused:
                read(game)
            said = str(refused.value)
            assert "another library" in said or "no game called" in said, (what, game, said)
            assert "\n" not in said
    assert not trace.exists()


@pytest.mark.usefixtures("nothing_is_loaded")
def test_commands_refuse_a_file_with_such_a_game_in_one_line(tmp_path: Path) -> None:
    one, match = tmp_path / "one.txt", tmp_path / "match.txt"
    one.write_text(record_text(HUGE), encoding="utf-8")
    match.write_text(match_text(HUGE), encoding="utf-8")
    for command in ("review", "replay", "play --resume", "continue"):
        assert "type its name on the command line, after --game" in one_line(
            duel(*command.split(), str(one)), 2
        )
    assert "after --game" in one_line(duel("match", "--resume", str(match)), 2)


@pytest.mark.usefixtures("nothing_is_loaded")
def test_kept_games_of_other_libraries_are_listed_and_disturb_nothing(home: Path) -> None:
    keep(home, HUGE, name="huge")
    keep(home, BROKEN, name="broken")
    keep(home, "range-war", "1. 6 3 *", name="ours")
    (home / "matches" / "nim.match").write_text(match_text("openspiel:nim"), encoding="utf-8")
    listed = duel("list")
    one_line(listed, 0)
    lines = [line for line in listed.out.splitlines() if "  a game of another library" in line]
    assert sorted(line.split()[0] for line in lines) == ["broken", "huge", "nim"]
    assert HUGE in listed.out and "duel review ID --game NAME" in listed.out and "Range War" in listed.out
    counted = duel("stats")
    one_line(counted, 0)
    assert "3 files with games of other libraries are left out" in counted.out and "Range War" in counted.out
    resumed = duel("continue", typed=b"quit\n")
    one_line(resumed, 0)
    assert "The game goes on after move 2." in resumed.out


def test_a_file_is_opened_if_its_game_is_typed_after_game(home: Path) -> None:
    keep(home, FINE, "1. 4 0 *")
    one_line(duel("review", "kept"), 2)
    review = duel("review", "kept", "--game", FINE)
    assert "\nTic Tac Toe\n" in review.out
    resumed = duel("continue", "--game", FINE, typed=b"quit\n")
    assert "The game goes on after move 2." in resumed.out
    assert f"duel continue kept --game {FINE}" in " ".join(resumed.out.split())


def test_the_typed_name_opens_no_other_game(home: Path) -> None:
    keep(home, BROKEN)
    assert "is a game of another library" in one_line(duel("review", "kept", "--game", FINE), 2)
    assert "takes a game of another library" in one_line(duel("continue", "--game", "range-war"), 2)
    assert "--game goes with --resume" in one_line(duel("play", "range-war", "--game", FINE), 2)


def test_a_game_whose_code_fails_is_refused_in_one_line(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """OpenSpiel makes this game and its first position, and fails when it is asked for the moves."""
    keep(home, BROKEN)
    for command in ("review kept --game", "replay kept --game", "continue --game", "solve", "play"):
        ran = duel(*command.split(), BROKEN)
        assert "openspiel:'clobber(columns=1)': '" in one_line(ran, 2), command
    assert capfd.readouterr().err == ""  # OpenSpiel itself writes there


def test_code_that_fails_at_any_place_says_so_in_one_line() -> None:
    for name in ("FailsInStep", "FailsInMoves", "ExitsInStep", "SaysNothing"):
        said = one_line(duel("play", named(name), typed=b"1\n1\n"), 1 if "Moves" not in name else 2)
        assert "duel: " in said and name in said, name


def test_what_foreign_code_writes_cannot_control_the_terminal() -> None:
    shown = duel("play", named("Colourful"), typed=b"moves\nquit\n")
    assert "\x1b" not in shown.out and "\x07" not in shown.out
    assert "red board" in shown.out


@pytest.mark.long
def test_a_run_of_the_arena_is_reported_without_opening_its_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(tmp_path / "run")
    ran = duel(
        *("arena", "run", "--players", "perfect,random", "--games", FINE, "--rounds", "1"),
        *("--workers", "1", "--out", folder),
    )
    one_line(ran, 0)
    monkeypatch.setenv(adopted.ALLOWED, "")  # another process
    assert FINE in json.dumps(json.loads(duel("arena", "report", folder, "--json").out))
    rows = ("--jsonl", str(tmp_path / "rows.jsonl"))
    assert "another library" in one_line(duel("arena", "export", folder, *rows), 2)
    one_line(duel("arena", "export", folder, *rows, "--game", FINE), 0)
