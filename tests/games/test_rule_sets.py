"""Every game offers its book's rules and a balanced rule set, and both can be played."""

from __future__ import annotations

from random import Random

import pytest

from numberduels.game import registry
from numberduels.game.spec import GameSpec
from numberduels.solvers import WIN, make_oracle
from tables import table

GAMES = ("number-collision", "number-snatch", "range-war", "restricted-removal", "summation-duel")
every_game = table("spec", [registry.spec(name) for name in GAMES])


@every_game
def test_a_game_offers_the_book_first_and_a_balanced_rule_set(spec: GameSpec) -> None:
    assert [each.key for each in spec.rule_sets] == ["book", "balanced"]
    assert [each.title for each in spec.rule_sets] == ["by the book", "balanced"]


@every_game
def test_the_book_changes_no_option(spec: GameSpec) -> None:
    book = spec.rule_set("book")
    assert spec.build(book.options) == spec.rules() and book.games == 1


@table(
    "name, first",
    [("range-war", [8]), ("restricted-removal", [6]), ("summation-duel", [6]), ("number-collision", [])],
)
def test_a_balanced_game_has_at_most_one_first_move_that_wins(name: str, first: list[int]) -> None:
    """The middle of fifteen numbers; 6 of the numbers 2 to 43; 6 towards 42; none on seven cells."""
    spec = registry.spec(name)
    game = spec.build(spec.rule_set("balanced").options)
    choices = make_oracle(game).evaluate_moves(game.start(Random(0)))
    assert [move for move, worth in choices.items() if worth.value == WIN] == first


def test_an_unknown_rule_set_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"^Range War has no rule set 'hard'; choose book or balanced$"):
        registry.spec("range-war").rule_set("hard")
