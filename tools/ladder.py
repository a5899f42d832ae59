"""Measure the ladder of the levels: how often each computer player beats the next weaker one.

    python -m tools.ladder                      every game with its balanced rule set, as tables in Markdown
    python -m tools.ladder --game range-war     one game
    python -m tools.ladder --rules book         by the book
    python -m tools.ladder --plays 2000         more games for each pair
    python -m tools.ladder --plays 0 --others 100    where random, greedy and mcts stand, with so many games

Each pair plays half of its games in each seat; every deal is played in both seats. A win counts 1, a tie or
a game broken off 1/2. Where a rule set is a match of two games, so many matches are played, and each counts
once, by the total of the points. The interval covers 95 percent.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from numberduels.game import registry
from numberduels.game.contract import OTHER, Outcome, Seat, has_fixed_start
from numberduels.game.spec import GameSpec, RuleSet
from numberduels.players import Player, make_player
from numberduels.players.ladder import SLIPS, LevelPlayer, PerfectPlayer

LADDER = ("beginner", "casual", "skilled", "expert", "perfect")
OTHERS = ("random", "greedy", "mcts")
GOAL = (0.6, 0.8)
"""How often each player of the ladder should beat the next weaker one."""

LONGEST = 200
"""Plies after which a game is broken off."""


class Score(NamedTuple):
    """What a player scored: on average, in each seat, and half the width of the interval."""

    mean: float
    first: float
    second: float
    error: float


def measure(spec: GameSpec, rules: RuleSet, strong: str, weak: str, plays: int) -> Score:
    """What one player scores against another one, in both seats."""
    game = spec.build(rules.options)
    rng = Random(f"ladder {game!r} {strong} {weak}")
    shared = PerfectPlayer()
    one, other = (_player(name, shared) for name in (strong, weak))
    totals: list[float] = []
    seats: tuple[list[float], list[float]] = ([], [])
    for _ in range(plays if rules.games == 2 else plays // 2):
        start = game.start(rng)
        dealt = game if has_fixed_start(game) else game.with_start(start)
        margin = 0
        for seat in (0, 1):
            outcome = _play(dealt, start, {seat: one, OTHER[seat]: other}, rng)
            seats[seat].append(_points(None if outcome is None else outcome.winner, seat))
            if outcome and outcome.scores:
                margin += outcome.scores[seat] - outcome.scores[1 - seat]
        if rules.games == 2:
            totals.append(0.5 if not margin else float(margin > 0))
        else:
            totals += (seats[0][-1], seats[1][-1])
    mean = _mean(totals)
    variance = _mean([(each - mean) ** 2 for each in totals])
    return Score(mean, _mean(seats[0]), _mean(seats[1]), 1.96 * sqrt(variance / len(totals)))


def _player(name: str, shared: PerfectPlayer) -> Player:
    """The player with this name; all that need a solution share one."""
    if name == "perfect":
        return shared
    return LevelPlayer(name, shared) if name in SLIPS else make_player(name)


def _play(game: Any, start: Any, sides: dict[Any, Player], rng: Random) -> Outcome | None:
    for player in sides.values():
        player.prepare(game, start)
    state = start
    for _ in range(LONGEST):
        outcome: Outcome | None = game.outcome(state)
        if outcome:
            return outcome
        state = game.play(state, sides[game.turn(state)].choose(game, state, rng))
    return None


def _points(winner: Seat | None, seat: int) -> float:
    return 0.5 if winner is None else float(winner == seat)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def ladder_table(specs: Sequence[GameSpec], key: str, plays: int) -> Iterator[str]:
    """The lines of a table: for each game and each pair of neighbours what the stronger scores."""
    yield "| game | pair | score | moving first | moving second |"
    yield "|---|---|---|---|---|"
    for spec in specs:
        for weak, strong in pairwise(LADDER):
            found = measure(spec, spec.rule_set(key), strong, weak, plays)
            mark = "" if GOAL[0] <= found.mean <= GOAL[1] else " (!)"
            yield (
                f"| {spec.title} | {strong} against {weak} | {found.mean:.0%} ± {100 * found.error:.0f}{mark}"
                f" | {found.first:.0%} | {found.second:.0%} |"
            )


def others_table(specs: Sequence[GameSpec], key: str, plays: int) -> Iterator[str]:
    """The lines of a table: what random, greedy and mcts score against each player of the ladder."""
    yield f"| game | player | {' | '.join(f'against {name}' for name in LADDER)} |"
    yield "|---|---|" + "---|" * len(LADDER)
    for spec in specs:
        for name in OTHERS:
            rules = spec.rule_set(key)
            found = [measure(spec, rules, name, level, plays).mean for level in LADDER]
            yield f"| {spec.title} | {name} | {' | '.join(f'{each:.0%}' for each in found)} |"


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m tools.ladder")
    parser.add_argument("--game", choices=registry.names(), action="append")
    parser.add_argument("--rules", default="balanced")
    parser.add_argument("--plays", type=int, default=1_000)
    parser.add_argument("--others", type=int, default=0)
    given = parser.parse_args()
    chosen = [registry.spec(name) for name in given.game or registry.names()]
    if given.plays:
        for line in ladder_table(chosen, given.rules, given.plays):
            print(line, flush=True)
    if given.plays and given.others:
        print()
    if given.others:
        for line in others_table(chosen, given.rules, given.others):
            print(line, flush=True)
