"""The plan of a run: which players meet, in which games, from which openings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

from numberduels.analysis.openings import Opening, game_openings, sampled_positions
from numberduels.game.notation import read_game
from numberduels.players.external import ExternalSettings
from numberduels.players.variants import may_meet

OPENING = 2
"""Default number of random first moves in a game with a fixed start."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a run. The same plan gives the same games, on any number of workers."""

    players: tuple[str, ...]
    games: tuple[str, ...]
    """Names with options, such as `range-war:size=12:opening=free`."""
    rounds: int = 10
    seed: str = "0"
    against: tuple[str, ...] = ()
    """Fixed opponents: the players meet these instead of each other."""
    positions: int = 0
    """If not 0: this many single decisions for each player and game, instead of games."""
    opening: int = OPENING
    limit: int | None = None
    """Moves after which a game is unfinished; None applies the usual limit to games that need not end."""
    terms: ExternalSettings = field(default_factory=ExternalSettings)
    samples: int = 1
    """How often each player is asked about each of the positions."""

    def data(self) -> dict[str, Any]:
        """The plan as JSON data, with the total number of games."""
        data: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return data | {"total": sum(1 for _ in self.schedule())}

    @property
    def has_models(self) -> bool:
        """Whether a language model is among the players."""
        return any(name.startswith("chat:") for name in (*self.players, *self.against))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The pairs of players that meet."""
        pairs: Iterable[tuple[str, str]] = combinations(self.players, 2)
        if self.against:
            pairs = ((player, other) for player in self.players for other in self.against if player != other)
        yield from (pair for pair in pairs if may_meet(*pair))

    def count_positions(self, game: str) -> int:
        """How many positions of a game were found: as many as planned, or all there are."""
        return len(sampled_positions(read_game(game)[1], f"{self.seed} {game}").first(self.positions))

    def opening_of(self, game: str, number: int) -> Opening:
        """The opening of a game in a round, which is the same for all players."""
        _, rules = read_game(game)
        seed = f"{self.seed} {game}"
        if self.positions:
            return sampled_positions(rules, seed).first(number)[number - 1]
        return game_openings(rules, seed, self.opening).of_round(number)

    def schedule(self) -> Iterator[PlannedGame]:
        """Every game, or every decision, round by round, so that a partial run is balanced."""
        if self.positions:
            counts = {game: self.count_positions(game) for game in self.games}
            for number in range(1, self.positions + 1):
                for game in (game for game in self.games if number <= counts[game]):
                    for sample in range(1, self.samples + 1):
                        for player in self.players:
                            yield PlannedGame(self, game, (player,), number, sample)
            return
        for number in range(1, self.rounds + 1):
            for game in self.games:
                for one, other in self.pairs():
                    yield PlannedGame(self, game, (one, other), number)
                    yield PlannedGame(self, game, (other, one), number)


def game_key(game: str, players: Sequence[str], round_: int, sample: int = 1) -> str:
    """The key of a game; the first sample of a position has the key of a position without samples.

    >>> game_key("range-war", ["random"], 3), game_key("range-war", ["random"], 3, 2)
    ('range-war | random | 3', 'range-war | random | 3 | sample 2')
    """
    parts = (game, *players, str(round_))
    return " | ".join(parts if sample == 1 else (*parts, f"sample {sample}"))


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game to play, or one decision to make."""

    plan: Plan
    game: str
    players: tuple[str, ...]
    """By seat."""
    round: int
    sample: int = 1
    """Which of the samples of a position it is."""

    @property
    def key(self) -> str:
        """Identifies the game within the plan."""
        return game_key(self.game, self.players, self.round, self.sample)

    @property
    def seed(self) -> str:
        """The seed of the deal and the opening: the same for all pairs in this game and round."""
        return f"{self.plan.seed} {self.game} {self.round}"

    def opening(self) -> Opening:
        """The opening: the same for all pairs in this game and round."""
        return self.plan.opening_of(self.game, self.round)
