"""The computer players that visitors can choose, and the games that all of them can play."""

from __future__ import annotations

from typing import Any

from numberduels.game import registry

LADDER = ("beginner", "casual", "skilled", "expert", "perfect")
"""The levels that pages offer, weakest first."""

LEVELS = ("random", "greedy", *LADDER)
"""Names of all levels, weakest first."""


def is_offered(game: Any) -> bool:
    """Whether these are the options of a rule set of the game: every level is known to play those.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> is_offered(RangeWar()), is_offered(RangeWar(size=77))
    (True, False)
    """
    spec = registry.spec_of(game)
    return any(game == spec.build(each.options) for each in spec.rule_sets)
