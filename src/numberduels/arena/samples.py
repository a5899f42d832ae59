"""Several answers to the same position: pass@k, agreement, and whether the majority is right.

A player is asked n times about each position (`--samples`). Of its answers c keep the value. pass@k is the
chance that at least one of k answers keeps it, estimated without bias as 1 - C(n-c, k) / C(n, k) and averaged
over positions. Agreement is the share of the most frequent move among the n answers. The majority is that
move; if several are equally frequent, one of them is drawn. An answer without a legal move keeps no value and
has no vote. Abandoned answers do not count. Positions are independent of each other, answers to one are not:
the intervals come from resampling positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from numberduels.arena.intervals import Mean, bootstrap_mean
from numberduels.arena.results import GameResult, MoveResult


@dataclass(frozen=True, slots=True)
class SampleStats:
    """What the answers of one player have in common, over all games or in one."""

    player: str
    game: str | None
    positions: int
    answers: int
    passes: dict[int, Mean]
    """pass@k by k: 1, 2, 4 and so on, as far as there are positions with so many answers."""
    agreement: Mean
    majority: Mean
    """The share of positions in which the majority keeps the value."""

    def data(self) -> dict[str, Any]:
        """The statistics as JSON data."""
        return {
            "player": self.player,
            "game": self.game,
            "positions": self.positions,
            "answers": self.answers,
            "pass_at": {str(k): mean.data() for k, mean in self.passes.items()},
            "agreement": self.agreement.data(),
            "majority_keeps": self.majority.data(),
        }


def pass_at(k: int, answers: int, kept: int) -> float:
    """The unbiased estimate of the chance that one of k answers keeps the value.

    >>> pass_at(1, 4, 1), pass_at(2, 4, 1), pass_at(4, 4, 1)
    (0.25, 0.5, 1.0)
    """
    return 1 - comb(answers - kept, k) / comb(answers, k)


def agreement(moves: Sequence[MoveResult]) -> tuple[float, float]:
    """The share of the most frequent move among the answers, and the chance that it keeps the value."""
    votes = Counter(each.move for each in moves if each.made)
    if not votes:
        return 0.0, 0.0
    most = max(votes.values())
    leading = [move for move, count in votes.items() if count == most]
    kept = {each.move for each in moves if each.kept}
    return most / len(moves), sum(move in kept for move in leading) / len(leading)


def sample_stats(games: Iterable[GameResult]) -> list[SampleStats]:
    """The statistics of every player that answered a position more than once, in each game and over all.

    Over several games every position has the same weight.
    """
    positions: dict[tuple[str, str], dict[str, list[MoveResult]]] = {}
    for each in games:
        if not each.is_game and not each.abandoned:
            answers = positions.setdefault((each.players[0], each.label), {})
            answers.setdefault(each.seed, []).extend(move for move in each.decisions if move.judged)
    repeated = {
        player
        for (player, _), answers in positions.items()
        if any(len(moves) > 1 for moves in answers.values())
    }
    labels = {label for player, label in positions if player in repeated}
    found = []
    for player in dict.fromkeys(name for name, _ in positions if name in repeated):
        own = {label: positions[player, label] for label in sorted(labels) if (player, label) in positions}
        found.append(_stats(player, None, [moves for each in own.values() for moves in each.values()]))
        if len(labels) > 1:
            found += [_stats(player, label, list(each.values())) for label, each in own.items()]
    return found


def _stats(player: str, game: str | None, positions: list[list[MoveResult]]) -> SampleStats:
    answered = [moves for moves in positions if moves]

    def mean(name: str, values: Iterable[float]) -> Mean:
        return bootstrap_mean([(value, 1) for value in values], f"{player} {game} {name}")

    passes = {}
    k = 1
    while enough := [moves for moves in answered if len(moves) >= k]:
        values = [pass_at(k, len(moves), sum(each.kept for each in moves)) for moves in enough]
        passes[k] = mean(f"pass@{k}", values)
        k *= 2
    votes = [agreement(moves) for moves in answered]
    return SampleStats(
        player,
        game,
        len(answered),
        sum(map(len, answered)),
        passes,
        mean("agreement", (share for share, _ in votes)),
        mean("majority", (kept for _, kept in votes)),
    )
