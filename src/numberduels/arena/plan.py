"""What a run is to play: who meets whom, in which games, from which deals and openings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

from numberduels import options, registry
from numberduels.arena.openings import Opening, moments, openings
from numberduels.players.external import ExternalSettings

OPENING = 2
"""First moves that are drawn where no deal makes games differ."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is asked of a run; the same plan gives the same games, whoever plays them where."""

    players: tuple[str, ...]
    games: tuple[str, ...]
    """Each a name and its options: `range-war:size=12:opening=free`."""
    rounds: int = 10
    seed: str = "0"
    against: tuple[str, ...] = ()
    """Fixed opponents: the players meet these, and not each other."""
    positions: int = 0
    """Single decisions for each player and game, instead of games."""
    opening: int = OPENING
    limit: int | None = None
    """Moves after which a game is unfinished; None: only one that need not end, after the usual number."""
    terms: ExternalSettings = field(default_factory=ExternalSettings)

    def data(self) -> dict[str, Any]:
        """The plan as plain data, the same that a file gives back, and of how many games it is."""
        data: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return data | {"total": sum(1 for _ in self.schedule())}

    @property
    def models(self) -> bool:
        """Whether a language model is among the players."""
        return any(name.startswith("chat:") for name in (*self.players, *self.against))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Who meets whom."""
        if self.against:
            yield from (
                (player, other) for player in self.players for other in self.against if player != other
            )
        else:
            yield from combinations(self.players, 2)

    def moments(self, game: str) -> int:
        """How many single positions there are to be asked about: as many as wanted, or all there are."""
        return len(moments(read_game(game)[1], f"{self.seed} {game}").upto(self.positions))

    def schedule(self) -> Iterator[ScheduledGame]:
        """Every game, or every decision: round by round, so that a part of a run is fair, too."""
        if self.positions:
            counts = {game: self.moments(game) for game in self.games}
            for number in range(1, self.positions + 1):
                for game in (game for game in self.games if number <= counts[game]):
                    yield from (ScheduledGame(self, game, (player,), number) for player in self.players)
            return
        for number in range(1, self.rounds + 1):
            for game in self.games:
                for one, other in self.pairs():
                    yield ScheduledGame(self, game, (one, other), number)
                    yield ScheduledGame(self, game, (other, one), number)


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """One game that is to be played, or one decision to be made."""

    plan: Plan
    game: str
    players: tuple[str, ...]
    """By seat."""
    round: int

    @property
    def key(self) -> str:
        """What tells it from all others of the plan."""
        return " | ".join((self.game, *self.players, str(self.round)))

    @property
    def seed(self) -> str:
        """From which deal and opening follow: the same for all who meet in this game and round."""
        return f"{self.plan.seed} {self.game} {self.round}"

    def opening(self) -> Opening:
        """Where it begins, the same for all who meet in this game and round."""
        _, game = read_game(self.game)
        seed = f"{self.plan.seed} {self.game}"
        if self.plan.positions:
            return moments(game, seed).upto(self.round)[self.round - 1]
        return openings(game, seed, self.plan.opening).at(self.round)


@cache
def read_game(text: str) -> tuple[str, Any]:
    """A game from a text such as `range-war:size=12`: with all its options written, and itself.

    >>> read_game("range-war:size=12")
    ('range-war:size=12:opening=lower', RangeWar(size=12, opening='lower'))
    """
    name, *given = text.split(":")
    spec = registry.find_spec(name)
    name = spec.name
    texts = {}
    for each in given:
        option, equals, value = each.partition("=")
        if not equals or option not in {field.name for field in options.declared(spec.rules)}:
            known = ", ".join(field.name for field in options.declared(spec.rules))
            raise ValueError(
                f"{each!r} is no option of {name}; write {name}:option=value, with one of {known}"
            )
        texts[option] = value.replace("+", ",")
    game = spec.make(texts)
    written = {
        option: value.replace(",", "+") for option, value in options.format_options(game).items() if value
    }
    return ":".join([name, *(f"{option}={value}" for option, value in written.items())]), game
