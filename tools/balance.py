"""Measure how balanced the options of a game are: who wins, how many first moves win, which decisions matter.

    python -m tools.balance                         the candidates of all games, as tables in Markdown
    python -m tools.balance --game range-war        of one game
    python -m tools.balance --players casual        between other equals
    python -m tools.balance --plays 1000            more games for each row

A decision is a position with at least two legal moves. It matters if some move keeps the value and another
one loses it; in a game of points, the value is the margin. The shares come from games between two equal
players. A game that is dealt is dealt anew each time.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from numberduels.game import registry
from numberduels.game.contract import Scored, has_fixed_start
from numberduels.game.options import format_value
from numberduels.game.spec import GameSpec
from numberduels.players import make_player
from numberduels.solvers import DRAW, WIN, Oracle, TooLarge, Worth, make_oracle

CANDIDATES: dict[str, Sequence[Mapping[str, Any]]] = {
    "range-war": [{}, *({"size": size, "opening": "free"} for size in range(9, 22))],
    "number-snatch": [{}, *({"size": size} for size in (6, 8, 12, 14))],
    "restricted-removal": [
        {},
        *({"size": size} for size in (14, 16, 20, 22, 24, 28, 36, 40, 43, 44, 48, 50)),
    ],
    "summation-duel": [
        {},
        *({"size": 10, "target": target} for target in (20, 25, 26, 30, 32, 40, 41, 42, 43, 45)),
        *({"size": 12, "target": target} for target in (34, 44, 46, 47, 49, 62, 63, 64)),
        *({"size": 14, "target": target} for target in (48, 57, 67, 68, 72, 74, 88)),
    ],
    "number-collision": [
        {},
        *({"size": 3, "values": values, "repetition": "forbidden"} for values in (2, 3)),
        *({"size": 4, "values": values, "repetition": "forbidden"} for values in (2, 3)),
        *({"size": size, "values": 1, "repetition": "forbidden"} for size in (4, 5, 6, 7)),
    ],
}
"""By game, the options that were considered; the first are the book's."""


class Balance(NamedTuple):
    """The figures of one choice of options."""

    winner: str
    first_moves: str
    """How many of the first moves keep the value."""
    matter: float
    """How many decisions of a game matter."""
    share: float
    """The share of decisions that matter."""
    first_wins: float
    """The share of games that the first player wins between equals."""
    plies: float


def measure(game: Any, player: str, plays: int, seed: str = "balance") -> Balance:
    """Solve the game from its start, and play games between two equal players."""
    rng = Random(f"{seed} {game!r}")
    oracle, one = make_oracle(game), make_player(player)
    decisions = matters = wins = plies = 0
    for _ in range(plays):
        state = game.start(rng)
        dealt = game if has_fixed_start(game) else game.with_start(state)
        one.prepare(dealt, state)
        while game.outcome(state) is None and plies < LONGEST * plays:
            worths = oracle.evaluate_moves(state)
            if len(worths) > 1:
                decisions += 1
                matters += len(set(map(_value, worths.values()))) > 1
            state = game.play(state, one.choose(dealt, state, rng))
            plies += 1
        outcome = game.outcome(state)
        wins += outcome is not None and outcome.winner == 0
    winner, first_moves = _at_start(oracle, game)
    share = matters / max(decisions, 1)
    return Balance(winner, first_moves, matters / plays, share, wins / plays, plies / plays)


COLUMNS = ("who wins", "winning first moves", "decisions that matter", "of all", "first wins", "plies")

LONGEST = 200
"""Plies on average after which games that do not end are broken off."""


def _value(worth: Worth) -> int:
    return worth.value if worth.margin is None else worth.margin


def _at_start(oracle: Oracle[Any, Any], game: Any) -> tuple[str, str]:
    """Who wins from the start, and how many first moves keep that."""
    if not has_fixed_start(game):
        return "first (every deal)" if isinstance(game, Scored) else "by the deal", "1 in most deals"
    start = game.start(Random(0))
    value = oracle.value(start)
    moves, best = len(game.moves(start)), len(oracle.best_moves(start))
    winner = "nobody" if value == DRAW else "first" if value == WIN else "second"
    return winner, f"{best if value == WIN else 0} of {moves}"


def table(spec: GameSpec, player: str, plays: int) -> Iterator[str]:
    """The lines of a table in Markdown with the candidates of one game; the chosen one is bold."""
    rules = spec.rule_set("balanced")
    chosen = spec.build(rules.options) if rules.games == 1 else None
    yield f"| {spec.title} | {' | '.join(COLUMNS)} |"
    yield "|---" * (1 + len(COLUMNS)) + "|"
    for options in CANDIDATES.get(spec.name, [{}]):
        game = spec.build(options)
        name = ", ".join(f"{key} {format_value(value)}" for key, value in options.items()) or "by the book"
        mark = "**" if game == chosen else ""
        try:
            found = measure(game, player, plays)
        except TooLarge as fault:
            yield f"| {mark}{name}{mark} | not solved: {fault} | | | | | |"
            continue
        yield (
            f"| {mark}{name}{mark} | {found.winner} | {found.first_moves} | {found.matter:.1f}"
            f" | {found.share:.0%} | {found.first_wins:.0%} | {found.plies:.1f} |"
        )


def main(games: Sequence[str], player: str, plays: int) -> None:
    """Print the tables of these games."""
    for name in games:
        for line in table(registry.spec(name), player, plays):
            print(line, flush=True)
        print(flush=True)


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m tools.balance")
    parser.add_argument("--game", choices=CANDIDATES, action="append")
    parser.add_argument("--players", default="skilled")
    parser.add_argument("--plays", type=int, default=100)
    given = parser.parse_args()
    main(given.game or list(CANDIDATES), given.players, given.plays)
