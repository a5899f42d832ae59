"""What the rule books say about themselves, checked on the spot.

Each game keeps the claims of its book in its own spec, as functions that look for themselves: they
play, search and solve when they are asked, and no verdict is written down beforehand.

>>> from numberduels.registry import spec
>>> claim = claims_of(spec("number-snatch"))[0]
>>> print(claim.number, claim.text)
1 No game ends level: there are no draws, and a tie cannot happen.
>>> claim.check().verdict
'false'
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, Literal

from numberduels.core import OTHER, M, has_fixed_start
from numberduels.players import Player, make_player
from numberduels.record import Record
from numberduels.spec import GameSpec
from numberduels.table import Table

Verdict = Literal["true", "false", "partly", "open"]
"""partly: one half of the claim holds and the other does not, or it holds sometimes only.
open: nothing was found against it, and nothing proves it."""

MANY = 100
"""Games in each seat when skill is measured."""

CONSISTENT = 0.9
"""The share of games, in each seat, from which on winning is called consistent."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came out: a verdict, the figures behind it, and a game that shows it where one can."""

    verdict: Verdict
    evidence: str
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a rule book says about its game, in our words, and how to find out."""

    game: str
    number: int
    text: str
    check: Callable[[], Finding]


class Book(list[Claim]):
    """The claims of one book, numbered as they are written down.

    >>> book = Book("range-war")
    >>> @book.says("Two and two are four.")
    ... def sum_of_twos() -> Finding:
    ...     return Finding(verdict(2 + 2 == 4), f"They make {2 + 2}.")
    >>> book[0].number, book[0].check().evidence
    (1, 'They make 4.')
    """

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game

    def says(self, text: str) -> Callable[[Callable[[], Finding]], Callable[[], Finding]]:
        """Write down a claim; the function below it finds out whether it is so."""

        def written(check: Callable[[], Finding]) -> Callable[[], Finding]:
            self.append(Claim(self.game, len(self) + 1, text, check))
            return check

        return written


def claims_of(spec: GameSpec) -> Sequence[Claim]:
    """The claims of a game's book; none, where the game keeps none."""
    return spec.load("claims") or ()


def verdict(holds: bool) -> Verdict:
    """true or false, as the word."""
    return "true" if holds else "false"


# Ways to find out


def played(game: Any, moves: Sequence[Hashable]) -> Table[Any, Any]:
    """The game on the table after these moves, each checked by the rules."""
    return Table(game, game.start(Random(0)), moves)


def shown(game: Any, moves: Sequence[Hashable]) -> Record:
    """The record of these moves, each checked by the rules."""
    return Record(game, played(game, moves).played)


def layers(game: Any) -> Iterator[list[Any]]:
    """Every position that can stand after 0, 1, 2, ... moves; the last layer has no moves left.

    That the layers come to an end proves that the game does.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> [len(layer) for layer in layers(RangeWar(size=3))]
    [1, 3, 3, 2]
    """
    layer = [game.start(Random(0))]
    while layer:
        yield layer
        after = {game.play(state, move): None for state in layer for move in game.moves(state)}
        layer = list(after)


def positions(game: Any) -> list[Any]:
    """Every position of a game that must end."""
    return [state for layer in layers(game) for state in layer]


@dataclass(frozen=True, slots=True)
class Ends:
    """All the ways in which a game can end."""

    positions: int
    count: int
    tied: int
    """Ends without a winner."""
    lost_by_last: int
    """Ends that are not won by the player who moved last."""
    shortest: int
    longest: int


def ends(game: Any) -> Ends:
    """Look at every end of a game that must end, and at how many moves lead there."""
    seen = count = tied = lost_by_last = 0
    plies = []
    for ply, layer in enumerate(layers(game)):
        seen += len(layer)
        over = [state for state in layer if not game.moves(state)]
        plies += [ply] if over else []
        for state in over:
            outcome = game.outcome(state)
            winner = outcome.winner if outcome else None
            count += 1
            tied += winner is None
            lost_by_last += winner != OTHER[game.turn(state)]
    return Ends(seen, count, tied, lost_by_last, plies[0], plies[-1])


def mislisted(
    game: Any, moves: Sequence[M], printed: Mapping[int, Sequence[M]]
) -> tuple[int, tuple[M, ...]] | None:
    """The first move before which a printed list is not that of the legal moves, and those moves.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> mislisted(RangeWar(size=4), (3, 2, 4), {2: (1, 2), 3: (1, 4)})
    (3, (4,))
    """
    for number, listed in sorted(printed.items()):
        legal = tuple(played(game, moves[: number - 1]).moves)
        if legal != tuple(listed):
            return number, legal
    return None


# Skill against luck


@dataclass(frozen=True, slots=True)
class Contest:
    """A skilled player against one who moves at random, in both seats."""

    games: int
    wins: tuple[int, int]
    """Won by the skilled player as Player 1, and as Player 2."""
    unfinished: int
    missed: Record | None
    """The first game that was not won, if there is one."""

    def told(self) -> str:
        """The score as a phrase."""
        first, second = (f"{won} of {self.games} games ({won / self.games:.0%})" for won in self.wins)
        endless = f", {self.unfinished} games being unfinished" if self.unfinished else ""
        return f"{first} as Player 1 and {second} as Player 2{endless}"


def contest(game: Any, games: int = MANY, *, skilled: str = "perfect", seed: int = 1) -> Contest:
    """Play skill against luck: the same seed, the same games."""
    rng = Random(seed)
    wins = [0, 0]
    unfinished = 0
    missed = None
    able, idle = make_player(skilled), make_player("random")
    orders: tuple[tuple[Player, Player], ...] = ((able, idle), (idle, able))
    for _ in range(games):
        dealt = game if has_fixed_start(game) else game.with_start(game.start(rng))
        for seat, players in enumerate(orders):
            table = played(dealt, ())
            while not table.outcome and not table.exceeds_ply_limit:
                table.play(players[table.turn].choose(dealt, table.state, rng))
            unfinished += table.outcome is None
            if table.outcome and table.outcome.winner == seat:
                wins[seat] += 1
            elif missed is None:
                missed = Record(dealt, table.played, seats=(players[0].name, players[1].name))
    return Contest(games, (wins[0], wins[1]), unfinished, missed)


def consistent(game: Any, games: int = MANY) -> Finding:
    """Whether skill beats luck nearly always: in both seats, in one only, or in none."""
    score = contest(game, games)
    able = [won >= CONSISTENT * games for won in score.wins]
    came: Verdict = "partly" if any(able) and not all(able) else verdict(all(able))
    return Finding(
        came,
        f"Against a player who moves at random, a perfect player won {score.told()};"
        f" consistent is called {CONSISTENT:.0%} or more.",
        None if came == "true" else score.missed,
    )


def rewarded(game: Any, games: int = MANY) -> Finding:
    """Whether skill wins clearly more often than luck does in the same seat."""
    score, luck = contest(game, games), contest(game, games, skilled="random")
    clear = [_clearly(ours, theirs, games) for ours, theirs in zip(score.wins, luck.wins, strict=True)]
    came: Verdict = "partly" if any(clear) and not all(clear) else verdict(all(clear))
    return Finding(
        came,
        f"Against a player who moves at random, a perfect player won {score.told()};"
        f" another random player won {luck.told()}.",
        None if came == "true" else score.missed,
    )


def _clearly(more: int, less: int, games: int) -> bool:
    """Whether one count is above the other by more than chance makes: three standard deviations."""
    variance = sum(wins * (games - wins) / games for wins in (more, less))
    return more - less > 3 * sqrt(variance)
