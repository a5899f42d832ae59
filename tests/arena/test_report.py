"""Reports: from the saved games alone, with every line accounted for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from numberduels.arena import ratings
from numberduels.arena.cells import format_cell
from numberduels.arena.ratings import Rating
from numberduels.arena.report import read_report
from numberduels.arena.tables import render_text
from tables import table

from .run_lines import line, make_report, move, sample

PLAN = {"players": ["perfect", "random"], "seed": "7"}


def keyed(number: int, **more: Any) -> dict[str, Any]:
    return line(key=f"range-war:size=9 | a | b | {number}", **more)


def saved(folder: Path, text: bytes, plan: bytes = b'{"players": ["a", "b", "idle"], "seed": "3"}') -> str:
    (folder / "run.json").write_bytes(plan)
    (folder / "games.jsonl").write_bytes(text)
    return str(folder)


def rows(*lines: dict[str, Any]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in lines).encode()


def cells(text: str, title: str) -> list[list[str]]:
    """The cells of the table below this title, where no cell has blanks in it."""
    below = text.split(f"{title}\n", 1)[1].split("\n\n", 1)[0]
    return [each.split() for each in below.splitlines()]


# In plain characters


def test_the_text_is_plain_and_fits_100_columns() -> None:
    told = render_text(make_report(sample(), PLAN))
    assert max(map(len, told.splitlines())) <= 100
    assert told.isascii()
    assert told.replace("\n", "").isprintable()


@table("name", ["x" * 300, "a b " * 50, "\u202e\x1b[2J\x00\ud800", ""])
def test_no_name_breaks_the_text(name: str) -> None:
    lines = [
        line(players=(name, "b"), forfeit={"seat": 0, "cause": "crash"}),
        line("0-1", players=("b", name)),
    ]
    told = render_text(make_report(lines, {"seed": name}))
    assert max(map(len, told.splitlines())) <= 100
    assert told.replace("\n", "").isprintable()
    told.encode()


def test_the_leaderboard_has_every_column_that_adds_up() -> None:
    forfeit = {"seat": 1, "cause": "timeout"}
    error = {"seat": 0, "cause": "error"}
    lines = [
        keyed(1),
        keyed(2, result="1/2-1/2"),
        keyed(3, result="*"),
        keyed(4, forfeit=forfeit, end="forfeit"),
        keyed(7, players=("a", "z"), moves=[move(0)]),
    ]
    lines += [
        keyed(5, result="*", forfeit=error, end="error"),
        keyed(6, moves=[move(0), move(1, "missed a win")]),
    ]
    told = render_text(make_report(lines, {}))
    head, first, second, idle = cells(told, "Leaderboard")
    words = ["accuracy", "won", "lost", "tied", "open", "abandoned", "games", "moves", "forfeits"]
    assert head[-9:] == words
    assert first[0] == "a"
    assert first[-9:] == ["100%", "4", "0", "1", "1", "1", "7", "2", "0"]
    assert second[-9:] == ["0%", "0", "3", "1", "1", "1", "6", "1", "1"]
    assert idle == ["z", "-", "(no", "move)", "-", "0", "1", "0", "0", "0", "1", "0", "0"]
    assert cells(told, "Decisions without a move")[0][-2:] == ["not", "reached"]
    told = " ".join(told.split())
    assert "Games left out of the ratings: 1 abandoned, 1 of a player who made no move." in told
    assert "No rating, because they made no move: z." in told
    found = make_report(lines, {}).data()
    assert found["unrated"] == {"z": "no move"}
    assert {row["player"]: (row["abandoned"], row["moves"]) for row in found["players"]} == {
        "a": (1, 2),
        "b": (1, 1),
        "z": (0, 0),
    }


def test_groups_that_never_met_are_said_to_be_incomparable() -> None:
    moves = [move(0), move(1)]
    told = render_text(
        make_report([line(players=pair, moves=moves) for pair in (("a", "b"), ("c", "d"))], {})
    )
    assert "2 groups of players with no game between them" in " ".join(told.split())
    assert "What a move of a model took" not in told  # there is none
    rows = cells(told, "Leaderboard")
    assert rows[0][1] == "group" and {row[1] for row in rows[1:]} == {"1", "2"}


def test_a_run_over_positions_has_no_leaderboard() -> None:
    single = line("*", players=("a",), kind="position", moves=[move(0)])
    told = make_report([single], {"players": ["a"]})
    assert render_text(told).startswith("1 position, 1 player.\n")
    assert "Leaderboard" not in render_text(told)
    assert told.data()["positions"] == 1
    assert told.data()["players"][0]["accuracy"]["share"] == 1


def test_the_terms_of_models_are_told_and_long_names_keep_both_their_ends() -> None:
    terms = {"seconds": 9.0, "attempts": 2, "legal": False, "reasoning": True, "disguise": True}
    name = f"chat:{'very/' * 20}small"
    config = {"players": [name], "terms": terms}
    told = " ".join(render_text(make_report([line(players=(name, "b"))], config)).split())
    assert "had 2 answers a move, and 9.0 seconds." in told
    assert "not shown the legal moves, could think aloud, and met the games under other names" in told
    assert "chat:very" in told and "very/small" in told and name not in told


# As data


def test_the_data_is_plain_json_without_a_number_that_is_none() -> None:
    data = make_report(sample(), PLAN).data()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    for row in data["players"]:
        ends = ("won", "lost", "tied", "unfinished", "abandoned")
        assert sum(row[end] for end in ends) == row["started"]
    assert data["games"] == len(sample())


# From a folder


def test_a_folder_is_read_with_the_players_who_never_played(tmp_path: Path) -> None:
    found = read_report(saved(tmp_path, rows(keyed(1, version="0.4"), keyed(2, version="0.3"))))
    assert {row.player: row.started for row, _ in found.ranking} == {"a": 2, "b": 2, "idle": 0}
    assert not found.incomplete_line
    assert "3 players, seed 3, Number Duels 0.3, Number Duels 0.4." in render_text(found)


@table("cut", [1, 60, None])
def test_a_torn_last_line_is_left_out_and_named(tmp_path: Path, cut: int | None) -> None:
    whole = json.dumps(keyed(2), ensure_ascii=False).encode()
    found = read_report(saved(tmp_path, rows(keyed(1)) + whole[:cut]))
    assert found.incomplete_line
    assert len(found.games) == 1
    assert "The last line was not written to its end" in render_text(found)
    assert found.data()["torn_line"] is True


def test_a_game_that_was_abandoned_and_played_again_counts_as_it_was_played() -> None:
    broken = keyed(1, result="*", end="error", forfeit={"seat": 0, "cause": "error"})
    told = make_report([broken, keyed(2), keyed(1), keyed(1, result="0-1")], {})
    assert [row.ends["won"] for row in told.stats.players] == [2, 0]
    assert (told.replayed, told.repeated) == (1, [4])
    assert "abandoned at first and played again later: 1." in render_text(told)


@table("bad", [b"{", b"", b"[]", b"12", b'{"seconds": NaN}', b"\xff", b"[" * 100_000])
def test_a_broken_line_before_the_last_is_refused_by_its_number(tmp_path: Path, bad: bytes) -> None:
    folder = saved(tmp_path, rows(keyed(1)) + bad + b"\n" + rows(keyed(2)))
    with pytest.raises(ValueError, match=r"^line 2 of games.jsonl is not a game$"):
        read_report(folder)


@table("plan", [b"", b"[]", b"{", b"\xff"])
def test_a_folder_without_a_plan_is_refused(tmp_path: Path, plan: bytes) -> None:
    with pytest.raises(ValueError, match=r"^run.json is not the plan of a run$"):
        read_report(saved(tmp_path, b"", plan))


# Wording


def test_a_rating_is_told_with_its_interval_rounded_outwards() -> None:
    assert format_cell(Rating("a", 12.4, (-0.2, 25.1), 9, 0)) == "12 (-1 to 26)"
    assert format_cell(Rating("a", 100.0, None, 9, 0)) == "100 (fixed)"
    assert format_cell(Rating("a", -0.2, (-1.0, 1.0), 9, 0)) == "0 (-1 to 1)"


def test_without_numpy_the_report_says_what_to_install_and_has_everything_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ratings, "np", None)
    told = make_report([keyed(1, moves=[move(0), move(1)])], {})
    text = " ".join(render_text(told).split())
    assert "There are no ratings, because they need numpy: pip install 'numberduels[arena]'." in text
    assert "a - (no numpy) 100% 1 0" in text and told.data()["unrated"] == {"a": "no numpy", "b": "no numpy"}
