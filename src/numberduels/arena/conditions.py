"""What a condition changes: the variants of a model side by side, compared opening by opening.

A run with `--vary` has a player for each combination of conditions. For each factor the variants that differ
in it alone are compared, in the openings that both have played. The difference is that of the other value
minus the default, averaged over the games so that each has the same weight. Its interval comes from
resampling openings within each game, both variants together: luck with the openings cancels out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from numberduels.arena.intervals import Interval, bootstrap_interval
from numberduels.arena.results import ABANDONED, LOST, WON, GameResult
from numberduels.players.external import LEVELS, Variant, read_variant

MEASURES = ("accuracy", "score", "no_move")
"""What is compared: the accuracy; the points of whole games, 1 for a win, 0 for a loss, else 1/2; the share
of decisions without a legal move."""


class PairedOpening(NamedTuple):
    """The sums of two variants in one opening: (hits, of) before and after."""

    before: tuple[float, int]
    after: tuple[float, int]


class Difference(NamedTuple):
    """A difference of two shares with its 95 % interval."""

    change: float
    interval: Interval | None
    """None if there is only one opening."""
    openings: int

    def data(self) -> dict[str, Any]:
        """The difference as JSON data."""
        return {
            "change": self.change,
            "interval": None if self.interval is None else list(self.interval),
            "openings": self.openings,
        }


@dataclass(frozen=True, slots=True)
class FactorEffect:
    """What one factor changes for one model: over all other conditions, or under one of them."""

    model: str
    factor: str
    change: tuple[str, str]
    """The words of both values: the default and the other."""
    others: tuple[tuple[str, str], ...] | None
    """The other conditions; None for all of them together."""
    differences: dict[str, Difference]
    """By measure, as far as it was measured."""

    def data(self) -> dict[str, Any]:
        """The effect as JSON data."""
        return {
            "model": self.model,
            "factor": self.factor,
            "from": self.change[0],
            "to": self.change[1],
            "others": None if self.others is None else dict(self.others),
            **{
                name: self.differences[name].data() if name in self.differences else None for name in MEASURES
            },
        }


Sums = dict[str, dict[tuple[str, str], tuple[float, int]]]
"""By measure, for each opening (its game and seed) the hits and the total."""


def factor_effects(games: Iterable[GameResult]) -> list[FactorEffect]:
    """What each factor changes for each model that has variants."""
    sums: dict[Variant, Sums] = {}
    for game in games:
        for seat in (0, 1) if game.is_game else (0,):
            variant = read_variant(game.player(seat))
            if variant.levels:
                _count(sums.setdefault(variant, {}), game, seat)
    return [effect for model in dict.fromkeys(each.base for each in sums) for effect in _effects(model, sums)]


def _count(sums: Sums, game: GameResult, seat: int) -> None:
    """Add one game to the sums of a variant."""
    if game.abandoned:
        return
    decisions = [each for each in game.decisions if not game.is_game or each.seat == seat]
    risky = [each for each in decisions if each.judged and each.losing]
    found: dict[str, tuple[float, int]] = {
        "accuracy": (sum(each.kept for each in risky), len(risky)),
        "no_move": (sum(not each.made for each in decisions), len(decisions)),
    }
    if game.ends is not None and game.ends[seat] != ABANDONED:
        found["score"] = {WON: 1.0, LOST: 0.0}.get(game.ends[seat], 0.5), 1
    for name, (hits, of) in found.items():
        if of:
            opening = sums.setdefault(name, {})
            earlier = opening.get((game.label, game.seed), (0, 0))
            opening[game.label, game.seed] = earlier[0] + hits, earlier[1] + of


def _effects(model: str, sums: dict[Variant, Sums]) -> Iterator[FactorEffect]:
    variants = {each.levels: each for each in sums if each.base == model}
    for factor in [factor for factor in LEVELS if any(factor in dict(each) for each in variants)]:
        default, *others = LEVELS[factor]
        for other in others:
            pairs: dict[tuple[tuple[str, str], ...], tuple[Variant, Variant]] = {}
            for levels, variant in variants.items():
                if dict(levels).get(factor) == default:
                    changed = tuple((name, other if name == factor else word) for name, word in levels)
                    rest = tuple(each for each in levels if each[0] != factor)
                    if changed in variants:
                        pairs[rest] = variant, variants[changed]
            yield from _compare(model, factor, (default, other), None, list(pairs.values()), sums)
            if len(pairs) > 1:
                for rest, pair in pairs.items():
                    yield from _compare(model, factor, (default, other), rest, [pair], sums)


def _compare(
    model: str,
    factor: str,
    change: tuple[str, str],
    others: tuple[tuple[str, str], ...] | None,
    pairs: list[tuple[Variant, Variant]],
    sums: dict[Variant, Sums],
) -> Iterator[FactorEffect]:
    """The effect over these pairs of variants, if they have an opening in common."""
    differences = {}
    for measure in MEASURES:
        games: dict[str, dict[str, PairedOpening]] = {}
        for before, after in pairs:
            first, second = sums[before].get(measure, {}), sums[after].get(measure, {})
            for label, seed in [opening for opening in first if opening in second]:
                known = games.setdefault(label, {}).get(seed, PairedOpening((0, 0), (0, 0)))
                games[label][seed] = PairedOpening(
                    _added(known.before, first[label, seed]), _added(known.after, second[label, seed])
                )
        if games:
            openings = [list(each.values()) for each in games.values()]
            differences[measure] = paired_difference(openings, f"{model} {factor} {others} {measure}")
    if differences:
        yield FactorEffect(model, factor, change, others, differences)


def _added(one: tuple[float, int], other: tuple[float, int]) -> tuple[float, int]:
    return one[0] + other[0], one[1] + other[1]


def paired_difference(games: list[list[PairedOpening]], seed: str) -> Difference:
    """The difference over games with these openings; the same openings and seed give the same interval.

    >>> paired_difference([[PairedOpening((1, 2), (2, 2)), PairedOpening((0, 2), (1, 2))]], "").change
    0.5
    """
    games = [sorted(each) for each in games]  # the result must not depend on the order of the games
    count = sum(map(len, games))
    change = _mean_change(games)
    if count < 2:
        return Difference(change, None, count)

    def resampled(rng: Random) -> float:
        return _mean_change([rng.choices(each, k=len(each)) for each in games])

    return Difference(change, bootstrap_interval(resampled, count, seed), count)


def _mean_change(games: list[list[PairedOpening]]) -> float:
    return sum(_share(each, 1) - _share(each, 0) for each in games) / len(games)


def _share(openings: list[PairedOpening], side: int) -> float:
    return sum(each[side][0] for each in openings) / sum(each[side][1] for each in openings)
