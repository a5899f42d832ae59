"""Who plays, who starts, how often, and the same again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from numberduels.players import ladder
from tables import table

from .running import GAMES, duel, play, refused

SMALL = {
    "range-war": ("--size", "6"),
    "number-snatch": ("--size", "6", "--top", "12"),
    "restricted-removal": ("--size", "8"),
    "summation-duel": ("--size", "6", "--target", "15"),
    "number-collision": ("--size", "3", "--values", "2"),
}
"""Games that every player can play at once."""


@table("name, kind", zip(GAMES, ("random", "greedy", "skilled", "perfect", "mcts:20"), strict=True))
def test_the_same_seed_prints_the_same_match(name: str, kind: str) -> None:
    options = (name, *SMALL[name], "--p1", kind, "--vs", "random", "--rounds", "1", "--first", "random")
    once, again = play(*options, "--seed", "7"), play(*options, "--seed", "7")
    assert once == again
    assert once.status == 0
    assert once.err == ""


@table("name", GAMES)
def test_a_computers_session_reads_as_if_it_had_been_typed(name: str) -> None:
    options = (name, *SMALL[name], "--seed", "4")
    computers = play(*options, "--p1", "random", "--vs", "random").out
    typed = re.findall(r"^(?:Select|Enter|Choose).*: (.+)$", computers, re.M)
    assert len(typed) > 1
    assert duel("play", *options, typed="\n".join(typed).encode()).out == computers


@table("options", [("--p1", "random"), ("--p1", "random", "--first", "1")])
def test_p1_sits_on_the_first_seat_and_begins(options: tuple[str, ...]) -> None:
    assert "Player 1 selected" in play("range-war", *options).out


@table("option", ["--vs", "--p2"])
def test_vs_and_p2_sit_on_the_second_seat(option: str) -> None:
    assert "Player 1's turn.\nSelect a number: \n" in play("range-war", option, "random").out
    assert "Player 1 selected" in play("range-war", option, "random", "--first", "2").out


def test_vs_and_p2_together_are_refused() -> None:
    refused(play("range-war", "--vs", "random", "--p2", "random"), "--vs", "--p2")


def test_first_2_lets_the_second_named_begin_as_player_1() -> None:
    out = play("range-war", "--names", "Alice,Bob", "--first", "2").out
    assert "Player 1 (Bob)'s turn.\n" in out


def test_first_random_tosses_by_the_seed() -> None:
    def starter(seed: int) -> str:
        out = play("range-war", "--names", "Alice,Bob", "--first", "random", "--seed", str(seed)).out
        return out.split("Player 1 (")[1].split(")")[0]

    starters = [starter(seed) for seed in range(12)]
    assert {"Alice", "Bob"} == set(starters)
    assert starters[:3] == [starter(seed) for seed in range(3)]


# Matches


@table(
    "options, names",
    [
        ((), ("human A", "human B")),
        (("--vs", "greedy"), ("you", "greedy")),
        (("--p1", "random", "--vs", "random"), ("random A", "random B")),
    ],
)
def test_in_a_match_everybody_has_a_name(options: tuple[str, ...], names: tuple[str, str]) -> None:
    out = play("range-war", *options, "--rounds", "1", "--seed", "1", typed="9").out
    assert f"Player 1 ({names[0]})" in out
    assert f"Player 2 ({names[1]})" in out


# Games without an end, and games too large


def test_perfect_against_perfect_in_number_collision_is_left_unfinished() -> None:
    ran = play("number-collision", "--size", "3", "--p1", "perfect", "--vs", "perfect", "--seed", "1")
    assert ran.out.endswith("\nThe game does not end by itself: it is left unfinished after 1000 moves.\n")
    assert "wins" not in ran.out
    assert ran.status == 0


def test_perfect_refuses_what_is_too_large_before_the_game_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "REMEMBERED", 1_000)
    refused(
        play("number-collision", "--repetition", "forbidden", "--vs", "perfect"),
        "perfect cannot finish this game: there are more than 1,000 positions;"
        " sizes up to 5 are within reach",
    )


def test_a_game_between_computers_is_saved_where_the_command_line_says(tmp_path: Path) -> None:
    path = tmp_path / "their game.duel"
    ran = play("range-war", "--p1", "greedy", "--p2", "random", "--seed", "1", "--save", str(path))
    assert duel("replay", str(path)).out == ran.out
    assert duel("review", str(path)).status == 0


def test_a_place_that_cannot_be_saved_to_is_said_in_one_line(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.write_text("Dear diary")
    refused(play("range-war", "--save", str(diary)), "cannot be written: that file exists already", "--force")
    refused(play("range-war", "--save", str(tmp_path / "no" / "where")), "No such file or directory")
    assert diary.read_text() == "Dear diary"
    assert play("range-war", "--size", "2", "--save", str(diary), "--force", typed="1").status == 0
    assert duel("replay", str(diary)).status == 0


def test_a_match_is_not_saved_as_one_game(tmp_path: Path) -> None:
    refused(play("range-war", "--rounds", "1", "--save", str(tmp_path / "x")), "--save writes one game")
