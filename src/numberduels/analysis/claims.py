"""The claims that the rule books make about their games, checked by playing, searching and solving.

Each game lists the claims of its book in its own `claims.py`, each with a function that checks it.

>>> from numberduels.game.registry import spec
>>> claim = claims_of(spec("number-snatch"))[0]
>>> print(claim.number, claim.text)
1 No game ends level: there are no draws, and a tie cannot happen.
>>> claim.check().verdict
'false'
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from math import sqrt
from random import Random
from typing import Any, Literal, NamedTuple

from numberduels.game.contract import HUMAN, OTHER, M
from numberduels.game.record import Record
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table, deal, replay
from numberduels.players import make_player

Verdict = Literal["true", "false", "partly", "open"]
"""partly: some of the claim holds. open: nothing was found against it, and nothing proves it."""

GAMES = 100
"""Games in each seat when skill is measured."""

CONSISTENT = 0.9
"""The share of games, in each seat, from which on winning is called consistent."""


class Example(NamedTuple):
    """A game that shows something."""

    game: Any
    moves: Sequence[Hashable]
    seats: tuple[str, str] = (HUMAN, HUMAN)


class Finding(NamedTuple):
    """The result of a check: a verdict, the figures behind it, and a game that shows it if one can."""

    verdict: Verdict
    evidence: str
    record: Record | None = None


Check = Callable[[], Finding]
CheckResult = tuple[bool | Verdict, str] | tuple[bool | Verdict, str, Example | None]
"""What a check function returns. A claim that holds needs no example, so that is dropped."""


class Claim(NamedTuple):
    """One claim of a rule book, in our words, and the function that checks it."""

    game: str
    number: int
    text: str
    check: Check


class ClaimList(list[Claim]):
    """The claims of one book, numbered in order.

    >>> from numberduels.games.range_war import spec
    >>> claims = ClaimList(spec)
    >>> @claims.claim("Two and two are four.")
    ... def sum_of_twos():
    ...     return 2 + 2 == 4, f"They make {2 + 2}."
    >>> claims[0].number, claims[0].check().verdict
    (1, 'true')
    """

    def __init__(self, spec: GameSpec) -> None:
        super().__init__()
        self.spec = spec

    def claim(self, text: str) -> Callable[[Callable[[], CheckResult]], Check]:
        """Add a claim; the decorated function checks it."""

        def add(function: Callable[[], CheckResult]) -> Check:
            @wraps(function)
            def check() -> Finding:
                holds, evidence, *examples = function()
                verdict: Verdict = holds if isinstance(holds, str) else "true" if holds else "false"
                example = examples[0] if examples and verdict != "true" else None
                return Finding(verdict, evidence, example and self._record(example))

            self.append(Claim(self.spec.name, len(self) + 1, text, check))
            return check

        return add

    def _record(self, example: Example) -> Record:
        moves = replay(example.game, example.moves).played  # each checked by the rules
        return Record(self.spec, example.game, moves, seats=example.seats)


def claims_of(spec: GameSpec) -> Sequence[Claim]:
    """The claims of a game's book; none if the game lists none."""
    return spec.load("claims") or ()


def all_or_partly(holds: Iterable[bool]) -> Verdict:
    """True if everything holds, partly if only some of it does."""
    found = set(holds)
    return "partly" if found == {True, False} else "true" if found == {True} else "false"


def share(part: int, whole: int) -> str:
    """A part of a whole, as a phrase.

    >>> share(0, 10), share(10, 10), share(1200, 5000)
    ('none of 10', 'all 10', '1,200 of 5,000')
    """
    if part == whole:
        return f"all {whole:,}"
    return f"{part:,} of {whole:,}" if part else f"none of {whole:,}"


def winner_name(table: Table[Any, Any]) -> str:
    """Who won, as a phrase."""
    winner = table.outcome.winner if table.outcome else None
    return "nobody" if winner is None else f"Player {winner + 1}"


# Searching a whole game


def layers(game: Any) -> Iterator[list[Any]]:
    """Every position after 0, 1, 2, ... moves, for a game that must end.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> [len(layer) for layer in layers(RangeWar(size=3))]
    [1, 3, 3, 2]
    """
    layer = [game.start(Random(0))]
    while layer:
        yield layer
        layer = list({game.play(state, move): None for state in layer for move in game.moves(state)})


def positions(game: Any) -> list[Any]:
    """Every position of a game that must end."""
    return [state for layer in layers(game) for state in layer]


class EndCounts(NamedTuple):
    """How the games of one rule book can end: ends of each kind, and the fewest and most moves to one."""

    ends: int
    tied: int
    lost_by_last_mover: int
    shortest: int
    longest: int


def count_ends(game: Any) -> EndCounts:
    """Count every final position of a game that must end."""
    ends = [
        (ply, state) for ply, layer in enumerate(layers(game)) for state in layer if not game.moves(state)
    ]
    winners = [(game.outcome(state).winner, OTHER[game.turn(state)]) for _, state in ends]
    tied, lost = sum(winner is None for winner, _ in winners), sum(winner != last for winner, last in winners)
    return EndCounts(len(ends), tied, lost, ends[0][0], ends[-1][0])


def check_example(
    game: Any, moves: Sequence[M], winner: str, printed: Mapping[int, Sequence[M]]
) -> tuple[bool, str]:
    """Whether an example is legal, prints the right choices before its moves, and has this winner."""
    wrong, found = first_wrong_list(game, moves, printed), winner_name(replay(game, moves))
    right = len(printed) if wrong is None else sorted(printed).index(wrong[0])
    evidence = f"{right} of {len(printed)} lists of choices are right; the winner is {found}."
    return wrong is None and found == winner, evidence


def first_wrong_list(
    game: Any, moves: Sequence[M], printed: Mapping[int, Sequence[M]]
) -> tuple[int, tuple[M, ...]] | None:
    """The first move before which the printed choices are not the legal moves, and the legal moves.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> first_wrong_list(RangeWar(size=4), (3, 2, 4), {2: (1, 2), 3: (1, 4)})
    (3, (4,))
    """
    for number, choices in sorted(printed.items()):
        legal = tuple(replay(game, moves[: number - 1]).moves)
        if legal != tuple(choices):
            return number, legal
    return None


# Skill against luck


class SkillScore(NamedTuple):
    """How a player did against one who moves at random: wins as Player 1 and as Player 2."""

    games: int
    wins: tuple[int, int]
    not_won: Example | None
    """The first game that was not won."""

    def __str__(self) -> str:
        first, second = (f"{won / self.games:.0%}" for won in self.wins)
        return f"{first} of {self.games} games as Player 1 and {second} as Player 2"


def play_random_opponent(
    game: Any, games: int = GAMES, *, player: str = "perfect", seed: int = 1
) -> SkillScore:
    """Play a player against random moves, so many games in each seat; the same seed gives the same games."""
    rng = Random(seed)
    wins, not_won = [0, 0], None
    skilled, lucky = make_player(player), make_player("random")
    for _ in range(games):
        dealt = deal(game, rng)
        for seat, players in enumerate([(skilled, lucky), (lucky, skilled)]):
            table = replay(dealt)
            while not table.outcome and not table.exceeds_ply_limit:
                table.play(players[table.turn].choose(dealt, table.state, rng))
            if table.outcome and table.outcome.winner == seat:
                wins[seat] += 1
            elif not_won is None:
                not_won = Example(dealt, table.played, (players[0].name, players[1].name))
    return SkillScore(games, (wins[0], wins[1]), not_won)


AGAINST_RANDOM = "Against random moves a perfect player won"


def wins_consistently(game: Any, games: int = GAMES) -> tuple[Verdict, str, Example | None]:
    """Whether a perfect player beats a random one nearly always: in both seats, in one only, or in none."""
    score = play_random_opponent(game, games)
    verdict = all_or_partly(won >= CONSISTENT * games for won in score.wins)
    return verdict, f"{AGAINST_RANDOM} {score}; consistent is called {CONSISTENT:.0%} or more.", score.not_won


def wins_more_often(game: Any, games: int = GAMES) -> tuple[Verdict, str, Example | None]:
    """Whether a perfect player wins clearly more games than a random one does in the same seat.

    Clearly means by more than three standard deviations.
    """
    score, luck = play_random_opponent(game, games), play_random_opponent(game, games, player="random")

    def clearly(more: int, less: int) -> bool:
        return more - less > 3 * sqrt(sum(wins * (games - wins) / games for wins in (more, less)))

    verdict = all_or_partly(map(clearly, score.wins, luck.wins))
    return verdict, f"{AGAINST_RANDOM} {score}; another random player won {luck}.", score.not_won
