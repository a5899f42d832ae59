"""`duel play --rules`: the rule sets that a game declares."""

from __future__ import annotations

import re
from random import Random

from numberduels.game import options, registry
from tables import table

from .running import GAMES, duel, lines, play, records, refused

BALANCED = registry.spec("range-war").rule_set("balanced").options


@table("name", GAMES)
def test_the_default_is_the_book(name: str) -> None:
    assert play(name, "--seed", "1").out == play(name, "--seed", "1", "--rules", "book").out


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


def test_an_option_overrides_the_rule_set() -> None:
    out = play("range-war", "--rules", "balanced", "--size", "7", typed="4").out
    assert "Available Numbers: 1,2,3,4,5,6,7\n" in out
    assert "You may select a number lower or higher than 4." in out


def test_the_beginning_of_a_rule_set_is_enough() -> None:
    assert play("range-war", "--rules", "bal").out == play("range-war", "--rules", "balanced").out
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
