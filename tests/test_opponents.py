"""The tools that measure opponents and rule sets, and the page that holds what they found."""

from __future__ import annotations

from pathlib import Path

from tools import balance, ladder

from numberduels.game import registry
from numberduels.game.options import format_value
from numberduels.game.spec import GameSpec
from ours import OURS
from tables import table

PAGE = (Path(__file__).parents[1] / "docs" / "opponents.md").read_text(encoding="utf-8")
every_game = table("spec", [registry.spec(name) for name in OURS])


def test_two_perfect_players_tie_every_match_of_two_games() -> None:
    spec = registry.spec("number-snatch")
    found = ladder.measure(spec, spec.rule_set("balanced"), "perfect", "perfect", 5)
    assert found == ladder.Score(mean=0.5, first=1.0, second=0.0, error=0.0)


def test_a_balance_counts_the_first_moves_that_win() -> None:
    """Of the numbers 1 to 10 only 6 wins with the target 42, as a search of all positions found."""
    found = balance.measure(registry.spec("summation-duel").build({"target": 42}), "skilled", 5)
    assert (found.winner, found.first_moves) == ("first", "1 of 10")
    assert 0 < found.share < 1 and found.matter < found.plies


@every_game
def test_the_page_shows_the_options_that_were_chosen(spec: GameSpec) -> None:
    rules = spec.rule_set("balanced")
    name = ", ".join(f"{key} {format_value(value)}" for key, value in rules.options.items())
    assert rules.games == 2 or f"| **{name}** |" in PAGE


@every_game
def test_the_page_shows_the_whole_ladder_within_its_goal(spec: GameSpec) -> None:
    for weak, strong in zip(ladder.LADDER, ladder.LADDER[1:], strict=False):
        _, found, after = PAGE.partition(f"| {spec.title} | {strong} against {weak} | ")
        assert found and 60 <= int(after[:2]) <= 80 and after[2] == "%"
