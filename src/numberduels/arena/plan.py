"""The plan of a run: which players meet, in which games, from which openings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

from numberduels.analysis.openings import Opening, game_openings, sampled_positions
from numberduels.game_notation import read_game
from numberduels.players.external import ExternalSettings

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
        if self.against:
            yield from (
                (player, other) for player in self.players for other in self.against if player != other
            )
        else:
            yield from combinations(self.players, 2)

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
                    yield from (PlannedGame(self, game, (player,), number) for player in self.players)
            return
        for number in range(1, self.rounds + 1):
            for game in self.games:
                for one, other in self.pairs():
                    yield PlannedGame(self, game, (one, other), number)
                    yield PlannedGame(self, game, (other, one), number)


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game to play, or one decision to make."""

    plan: Plan
    game: str
    players: tuple[str, ...]
    """By seat."""
    round: int

    @property
    def key(self) -> str:
        """Identifies the game within the plan."""
        return " | ".join((self.game, *self.players, str(self.round)))

    @property
    def seed(self) -> str:
        """The seed of the deal and the opening: the same for all pairs in this game and round."""
        return f"{self.plan.seed} {self.game} {self.round}"

    def opening(self) -> Opening:
        """The opening: the same for all pairs in this game and round."""
        return self.plan.opening_of(self.game, self.round)
