"""What the rules refuse, in their words: illegal moves and sizes that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from numberduels.game.contract import IllegalMove
from numberduels.game.table import Table
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from tables import table

LIST = NumberSnatch(numbers=(2, 5, 7))
CELLS = NumberCollision(4)
NO_POSITION = "There is no position {}: the line has positions 1 to 4."


@table(
    "game, played, move, sentence",
    [
        (RangeWar(), (), 0, "Number 0 is not on the line: it runs from 1 to 10."),
        (RangeWar(), (), 11, "Number 11 is not on the line: it runs from 1 to 10."),
        (RangeWar(), (6, 4), 6, "Number 6 has already been claimed."),
        (RangeWar(), (6,), 7, "Number 7 is not lower than 6."),
        (RangeWar(), (6, 4), 3, "Number 3 is not higher than 4."),
        (RangeWar(), (1,), 2, "Number 2 is not lower than 1."),
        (LIST, (), 1, "Number 1 is not in the list."),
        (LIST, (), -2, "Number -2 is not in the list."),
        (LIST, (5,), 5, "Number 5 is not in the list."),
        (LIST, (5, 7, 2), 2, "Number 2 is not in the list."),
        (RestrictedRemoval(), (), 1, "Number 1 was never in the list: it runs from 2 to 10."),
        (RestrictedRemoval(), (), 11, "Number 11 was never in the list: it runs from 2 to 10."),
        (RestrictedRemoval(), (5,), 10, "Number 10 is locked."),
        # A removed number is removed, not locked, whatever the book's lists say.
        (RestrictedRemoval(), (5, 2, 9, 7), 9, "Number 9 has already been removed."),
        (SummationDuel(), (), 0, "Number 0 is not one of the numbers 1 to 10."),
        (SummationDuel(), (), 11, "Number 11 is not one of the numbers 1 to 10."),
        (SummationDuel(), (7,), 7, "Number 7 has already been used."),
        (SummationDuel(4, 6), (4, 2), 1, "The game is over."),
        (CELLS, (Place(3, 3),), Place(3, 3), "Position 3 is already occupied."),
        (CELLS, (), Place(6, 1), "There is no number 6: choose from 1 to 5."),
        (CELLS, (), Place(0, 1), "There is no number 0: choose from 1 to 5."),
        (CELLS, (), Place(1, 0), NO_POSITION.format(0)),
        (CELLS, (), Place(1, 5), NO_POSITION.format(5)),
        (CELLS, (), Place(-1, -1), NO_POSITION.format(-1)),
    ],
)
def test_a_refusal_says_what_is_wrong_and_changes_nothing(
    game: Any, played: tuple[Any, ...], move: Any, sentence: str
) -> None:
    table: Table[Any, Any] = Table(game, moves=played)
    before = table.state
    with pytest.raises(IllegalMove) as refusal:
        table.play(move)
    assert str(refusal.value) == sentence
    assert (table.state, table.played) == (before, played)


WHOLE = "{} must be a whole number from {} to {}"


@table(
    "rules, options, sentence",
    [
        *(
            (RangeWar, {"size": size}, WHOLE.format("size", 1, 10_000))
            for size in (0, 10_001, True, 2.0, "9")
        ),
        (RangeWar, {"opening": "higher"}, "opening must be lower or free, not 'higher'"),
        (RangeWar, {"ending": "sudden"}, "ending must be normal or misere"),
        (NumberSnatch, {"size": 0}, WHOLE.format("size", 1, 10_000)),
        (NumberSnatch, {"size": 21}, "21 different numbers cannot be dealt from 1 to 20: .* at most 20"),
        (NumberSnatch, {"top": 10_001}, WHOLE.format("top", 1, 10_000)),
        (
            NumberSnatch,
            {"size": 20},
            "all the numbers 1 to 20 have an even sum.* a size below 20 or a higher",
        ),
        (NumberSnatch, {"numbers": (1, 2, 2)}, "the numbers must differ, and 2 is there twice"),
        (NumberSnatch, {"numbers": (0, 1)}, WHOLE.format("each of the numbers", 1, 10_000)),
        (NumberSnatch, {"numbers": (1, 10_001)}, WHOLE.format("each of the numbers", 1, 10_000)),
        *((RestrictedRemoval, {"size": size}, WHOLE.format("size", 2, 10_000)) for size in (1, 10_001, None)),
        (SummationDuel, {"size": 10_001}, WHOLE.format("size", 1, 10_000)),
        (SummationDuel, {"target": 0}, WHOLE.format("target", 1, 55)),
        (SummationDuel, {"target": 56}, "the numbers 1 to 10 add up to 55 .* choose a target from 1 to 55"),
        (NumberCollision, {"size": 0}, WHOLE.format("size", 1, 1_000)),
        (NumberCollision, {"size": 1_001}, WHOLE.format("size", 1, 1_000)),
        (NumberCollision, {"values": 0}, WHOLE.format("values", 1, 20)),
        (NumberCollision, {"values": 21}, WHOLE.format("values", 1, 20)),
        (NumberCollision, {"repetition": "maybe"}, "repetition must be allowed or forbidden, not 'maybe'"),
    ],
)
def test_a_size_that_cannot_be_is_refused(rules: type[Any], options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        rules(**options)
