"""Players: random, greedy, mcts and perfect, and the hint at the table."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from numberduels import players
from numberduels.analysis.solution import find_hint
from numberduels.game.table import Table
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter
from numberduels.players.ladder import PerfectPlayer
from numberduels.players.search import GreedyPlayer, MctsPlayer
from numberduels.solvers import DRAW, LOSS, WIN, Retrograde, TooLarge, make_oracle
from numberduels.solvers.choose import PATIENCE, engaging_moves, strongest_moves
from tables import table

SMALL: list[Any] = [
    RangeWar(6),
    RangeWar(6, "free"),
    NumberSnatch(numbers=(2, 3, 4, 6, 9)),
    NumberSnatch(numbers=(1, 2, 3, 6)),
    RestrictedRemoval(9),
    SummationDuel(6, 15),
    NumberCollision(4, 3),
    NumberCollision(3, 2, "forbidden"),
    LastCounter(8),
]
small_games = table("game", SMALL)


def solved(game: Any) -> Retrograde[Any, Any]:
    """Every position of the game, whatever its own solver and folds would say."""
    values: Retrograde[Any, Any] = Retrograde(game, use_symmetry=False)
    values.evaluate(game.start(Random(0)))
    return values


# Finding players


@table(
    "text, sentence",
    [
        ("", "there is no player ''; choose human, random, greedy, beginner, casual, "),
        ("random:3", "there is no player 'random:3'"),
        ("perfect:", "there is no player 'perfect:'"),
        *(
            (f"mcts:{n}", f"mcts takes iterations from 1 to 10000000, such as mcts:400, not '{n}'")
            for n in ("", "many", "0", "10000001")
        ),
        ("\x1b[31m", "there is no player '\\x1b[31m'"),
    ],
)
def test_a_player_that_is_not_there_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as fault:
        players.make_player(text)
    assert str(fault.value).startswith(sentence)


@table("kind", ["random", "greedy", "mcts:30", "perfect"])
@small_games
def test_the_same_generator_gives_the_same_legal_moves(kind: str, game: Any) -> None:
    def played(seed: int) -> list[Any]:
        table, rng, player = Table(game, game.start(Random(0))), Random(seed), players.make_player(kind)
        while table.outcome is None and table.ply < 60:
            move = player.choose(game, table.state, rng)
            assert move in table.moves
            table.play(move)
        return list(table.played)

    assert played(5) == played(5)


# Random


@table("size", [1, 2, 7, 8, 100])
def test_random_draws_as_the_generator_itself_chooses(size: int) -> None:
    game, rng, twin = SummationDuel(size, 1), Random(5), Random(5)
    state = game.start(rng)
    player = players.make_player("random")
    for _ in range(50):
        assert player.choose(game, state, rng) == twin.choice(game.moves(state))


# Greedy


@small_games
def test_greedy_takes_a_win_at_once_and_hands_none_over_if_it_can_help_it(game: Any) -> None:
    start = game.start(Random(0))

    def ends_for(seat: int, state: Any, move: Any) -> bool:
        outcome = game.outcome(game.play(state, move))
        return outcome is not None and outcome.winner == seat

    def wins(state: Any, move: Any) -> bool:
        return ends_for(game.turn(state), state, move)

    def loses(state: Any, move: Any) -> bool:
        return ends_for(1 - game.turn(state), state, move)

    def hands_over(state: Any, move: Any) -> bool:
        after = game.play(state, move)
        return any(wins(after, reply) for reply in game.moves(after))

    for state in solved(game):
        moves = game.moves(state)
        if not moves or state == start:
            continue
        for seed in range(3):
            move = GreedyPlayer().choose(game, state, Random(seed))
            if any(wins(state, each) for each in moves):
                assert wins(state, move)
            elif any(not hands_over(state, each) and not loses(state, each) for each in moves):
                assert not hands_over(state, move) and not loses(state, move)
            elif any(not loses(state, each) for each in moves):
                assert not loses(state, move)


@table("kind", ["greedy", "beginner", "casual", "skilled", "expert", "mcts:200", "perfect"])
def test_the_first_move_of_a_game_leaves_the_opponent_a_choice(kind: str) -> None:
    """By the book 1 wins Range War at once, and 2 leaves one reply and wins by the next move."""
    game, player = RangeWar(), players.make_player(kind)
    start = game.start(Random(0))
    for seed in range(30):
        assert player.choose(game, start, Random(seed)) >= 3


# Mcts


@table("game", [RangeWar(5), RestrictedRemoval(8), SummationDuel(5, 9), LastCounter(6)])
def test_mcts_finds_every_win_in_one(game: Any) -> None:
    values = solved(game)
    for state in values:
        if values.evaluate(state)[:2] == (WIN, 1):
            move = players.make_player("mcts:300").choose(game, state, Random(1))
            assert values.evaluate_move(state, move).value == WIN


def test_mcts_with_patience_stops_early_in_a_large_game() -> None:
    """A simulated game on forty cells has hundreds of plies with up to 200 moves each: one is enough here."""
    game = NumberCollision(40, 5, "forbidden")
    counting: Any = Counting(game)
    start = game.start(Random(0))
    assert MctsPlayer(400, patience=1).choose(counting, start, Random(0)) in game.moves(start)
    assert counting.listed < 2 * 400 * 200


# Perfect


@small_games
def test_perfect_keeps_the_value_of_every_position(game: Any) -> None:
    values, player = solved(game), PerfectPlayer()
    seen = Counter[int]()
    for state in values:
        if game.moves(state):
            for seed in range(2):
                move = player.choose(game, state, Random(seed))
                assert values.evaluate_move(state, move).value == values.value(state)
            seen[values.value(state)] += 1
    if isinstance(game, NumberCollision) and game.repetition == "allowed":
        assert seen[DRAW], "there are draws to keep"


def test_perfect_changes_games_in_mid_session() -> None:
    player = PerfectPlayer()
    games: list[tuple[Any, int]] = [
        (SummationDuel(10, 20), 3),
        (SummationDuel(10, 42), 6),
        (RestrictedRemoval(10), 6),
    ]
    for game, best in games:
        assert player.choose(game, game.start(Random()), Random(0)) == best


@pytest.mark.long
def test_perfect_names_the_size_that_it_can_do() -> None:
    game = NumberCollision(10, 5, "forbidden")
    with pytest.raises(ValueError, match=r"^perfect cannot .*; sizes up to [2-9] are within reach, and from"):
        PerfectPlayer().prepare(game, game.start(Random()))


# How perfect plays: a win keeps the game going; without one, it leaves the fewest good replies

WITHOUT_POINTS = [game for game in SMALL if not isinstance(game, NumberSnatch)]


def replies_that_keep(values: Retrograde[Any, Any], state: Any) -> int:
    """How many moves here keep the value, counted by the plain solver."""
    value = values.evaluate(state).value
    return sum(values.evaluate_move(state, move).value == value for move in values.game.moves(state))


@table("game", WITHOUT_POINTS)
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


@table("game", WITHOUT_POINTS)
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
        (RangeWar(10_000, "free"), (5_000,)),
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


# The hint


@table("game, moves", [(SummationDuel(10, 20), {3}), (NumberSnatch(numbers=(2, 5, 7, 20)), {20})])
def test_a_hint_is_the_best_move(game: Any, moves: set[Any]) -> None:
    assert {find_hint(game, game.start(Random(0)), Random(seed))[0] for seed in range(5)} == moves


@table(
    "size, said",
    [(60, "It did best when the rest of the game was tried out 2 times."), (61, "It looks good")],
)
def test_a_hint_beyond_reach_is_tried_out_unless_there_are_too_many_moves(
    size: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def beyond(*_: Any) -> None:
        raise TooLarge("beyond reach")

    monkeypatch.setattr("numberduels.analysis.solution.strongest_moves", beyond)
    monkeypatch.setattr("numberduels.analysis.solution.TRIES", 2)
    game = RangeWar(size)
    assert find_hint(game, game.start(Random(0)), Random(0))[1].startswith(said)
