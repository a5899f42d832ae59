"""Who plays, who starts, how often, and the same again."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from numberduels.game import options, registry
from numberduels.players import ladder
from tables import table

from .running import GAMES, duel, lines, play, records, refused

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


# Rule sets

BALANCED = registry.spec("range-war").rule_set("balanced").options


@table("name", GAMES)
def test_the_balanced_rules_have_the_options_that_the_game_declares(name: str) -> None:
    spec = registry.spec(name)
    rules = spec.rule_set("balanced")
    move = spec.text_for(game := spec.build(rules.options)).typed
    if rules.games == 1:
        first = move(game.moves(game.start(Random(0)))[0])
        assert duel("play", name, "--rules", "balanced", typed=lines(first)).status == 1
        text = records()[0].read_text()
        for option, value in options.format_options(game).items():
            assert f'[{option.capitalize()} "{value}"]' in text


def test_the_beginning_of_a_rule_set_is_enough_and_options_override_it() -> None:
    assert play("range-war", "--rules", "bal").out == play("range-war", "--rules", "balanced").out
    assert "Numbers: 1,2,3,4,5,6,7\n" in play("range-war", "--rules", "balanced", "--size", "7").out
    refused(play("range-war", "--rules", "b"), "--rules takes book or balanced for Range War, not 'b'")
    refused(play("range-war", "--rules", ""), "--rules takes")


def test_balanced_number_snatch_is_a_match_of_two_games_with_the_same_numbers() -> None:
    ran = play("number-snatch", "--rules", "balanced", "--seed", "3", "--p1", "greedy", "--vs", "perfect")
    assert ran.status == 0
    assert ran.out.count("Game Over!") == 2
    assert "Standing after round 1 of 1: wins " in ran.out and "in points " in ran.out
    games = ran.out.split("Game Over!")[:2]
    deals = [found[1] for game in games if (found := re.search(r"Numbers: \[([\d, ]+)\]", game))]
    assert len(deals) == 2 and deals[0] == deals[1]
    refused(play("number-snatch", "--rules", "balanced", "--save", "x"), "--save writes one game")


def test_solve_takes_rule_sets_too() -> None:
    whole = [f"--{name}={value}" for name, value in BALANCED.items()]
    balanced = duel("solve", "range-war", "--rules", "balanced").out
    assert balanced.split("\nBy ")[0] == duel("solve", "range-war", *whole).out.split("\nBy ")[0]


def test_the_help_of_a_game_explains_its_rule_sets() -> None:
    for name in GAMES:
        out = " ".join(duel("play", name, "--help").out.split())
        for rules in registry.spec(name).rule_sets:
            assert f"{rules.key}: {rules.about}" in out


def test_a_game_that_is_resumed_takes_no_rule_set() -> None:
    refused(duel("play", "--resume", "x", "--rules", "book"), "--rules")
