"""How `perfect` plays: a win keeps the game going; without one, it leaves the fewest good replies."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from numberduels import players
from numberduels.game.table import Table
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter
from numberduels.solvers import DRAW, LOSS, WIN, Retrograde
from numberduels.solvers.oracles import PATIENCE, engaging_moves, make_oracle, strongest_moves
from tables import table

SMALL: list[Any] = [
    RangeWar(7),
    RangeWar(6, "free"),
    RestrictedRemoval(10),
    SummationDuel(7, 18),
    NumberCollision(4, 3),
    NumberCollision(5, 1, "forbidden"),
    LastCounter(9),
]


def solved(game: Any) -> Retrograde[Any, Any]:
    """Every position of the game by the plain solver, without folds."""
    found: Retrograde[Any, Any] = Retrograde(game, use_symmetry=False)
    found.evaluate(game.start(Random(0)))
    return found


def replies_that_keep(values: Retrograde[Any, Any], state: Any) -> int:
    """How many moves here keep the value, counted by the plain solver."""
    value = values.evaluate(state).value
    return sum(values.evaluate_move(state, move).value == value for move in values.game.moves(state))


@table("game", SMALL)
def test_where_it_cannot_win_it_leaves_the_fewest_good_replies_then_the_longest_way(game: Any) -> None:
    values, oracle = solved(game), make_oracle(game)
    seen = Counter[int]()
    for state in values:
        moves = game.moves(state)
        value = values.evaluate(state).value
        if not moves or value == WIN:
            continue
        ranks = {}
        for move in moves:
            after = game.play(state, move)
            if -values.evaluate(after).value == value:
                # Who knows how long a loss lasts delays it; not every exact method does.
                plies = oracle.evaluate_move(state, move).remoteness
                # A move that loses at once is the worst, though it leaves no reply at all.
                gives_up = value == LOSS and not game.moves(after)
                ranks[move] = (gives_up, replies_that_keep(values, after), -(plies or 0))
        least = min(ranks.values())
        assert strongest_moves(oracle, state) == [move for move in moves if ranks.get(move) == least]
        seen[value] += 1
    assert seen[LOSS] or seen[DRAW]


def test_in_a_game_of_points_it_keeps_the_margin_even_when_it_is_lost() -> None:
    game = NumberSnatch(numbers=(2, 3, 4, 6, 9))
    oracle = make_oracle(game)
    state = game.play(game.start(Random(0)), oracle.best_moves(game.start(Random(0)))[0])
    assert oracle.evaluate(state).value == LOSS
    best = max(oracle.evaluate_move(state, move).margin or 0 for move in game.moves(state))
    for move in strongest_moves(oracle, state):
        assert oracle.evaluate_move(state, move).margin == best


# Won positions: keep the win, and keep the game going


def test_a_book_game_of_range_war_is_opened_with_any_lively_win() -> None:
    """1 to 5 win the ten numbers of the book; after 1 and 2 the game is over within three plies."""
    game, perfect = RangeWar(), players.make_player("perfect")
    seen = Counter(perfect.choose(game, game.start(Random(0)), Random(seed)) for seed in range(60))
    assert set(seen) == {3, 4, 5} and min(seen.values()) > 5


@table("game", SMALL)
def test_a_lively_win_is_preferred_and_otherwise_the_shortest(game: Any) -> None:
    values, oracle = solved(game), make_oracle(game)
    for state in values:
        if values.evaluate(state).value != WIN or not game.moves(state):
            continue
        chosen = engaging_moves(oracle, state)
        assert all(values.evaluate_move(state, move).value == WIN for move in chosen)
        worths = {move: oracle.evaluate_move(state, move) for move in oracle.best_moves(state)}
        if any(worth.remoteness is None for worth in worths.values()):
            continue  # not every exact method knows how long a win lasts
        lasts = {move: worth.remoteness or 0 for move, worth in worths.items()}
        replies = {move: len(game.moves(game.play(state, move))) for move in lasts}
        lively = {move for move in lasts if lasts[move] >= 5 and replies[move] >= 2}
        if lively and len(lasts) > 1 and hasattr(game, "max_plies"):
            assert set(chosen) <= lively
        else:
            assert {lasts[move] for move in chosen} == {min(lasts.values())}


# Large games: positions are counted, since seconds depend on the machine


class Counting:
    """A game that counts the moves it is asked to list."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.listed = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def moves(self, state: Any) -> Any:
        moves = self.game.moves(state)
        self.listed += len(moves)
        return moves


@table(
    "game, played",
    [
        (RangeWar(10_000), ()),
        (RangeWar(10_000), (5_001,)),
        (RangeWar(10_000), (5_000,)),
        (RangeWar(10_000, "free"), ()),
        (RangeWar(10_000, "free"), (5_000,)),
        (NumberCollision(1_000), ()),
        (NumberCollision(1_000, 20), ()),
    ],
)
@table("choose", [strongest_moves, engaging_moves])
def test_a_large_game_is_answered_after_one_look_at_each_move(game: Any, played: Any, choose: Any) -> None:
    """Each move is looked at once; setting problems lists no more replies than patience allows."""
    state = Table(game, game.start(Random(0)), played).state
    oracle = make_oracle(game)
    oracle.game = counting = Counting(game)
    moves = choose(oracle, state)
    width = len(game.moves(state))
    assert oracle.positions <= width + PATIENCE + 1
    assert counting.listed <= 2 * width + PATIENCE
    worth = oracle.evaluate(state).value
    assert all(oracle.evaluate_move(state, move).value == worth for move in (moves[0], moves[-1]))


@table("game", [RangeWar(4_000), NumberCollision(400)])
def test_perfect_and_the_levels_sit_down_to_a_large_game_at_once(game: Any) -> None:
    start = game.start(Random(0))
    for name in ("perfect", "expert", "beginner"):
        player = players.make_player(name)
        player.prepare(game, start)
        assert player.choose(game, start, Random(3)) in game.moves(start)
