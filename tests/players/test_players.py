"""Players: random, greedy, mcts and perfect, and the hint at the table."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from numberduels import players
from numberduels.analysis.hints import find_hint
from numberduels.game.table import Table
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter
from numberduels.players.ladder import PerfectPlayer
from numberduels.players.search import GreedyPlayer, MctsPlayer
from numberduels.solvers import DRAW, WIN, Retrograde, TooLarge
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
    "text, name",
    [
        ("random", "random"),
        ("greedy", "greedy"),
        ("perfect", "perfect"),
        ("mcts", "mcts:1000"),
        ("mcts:7", "mcts:7"),
    ],
)
def test_a_player_is_found_by_name(text: str, name: str) -> None:
    assert players.make_player(text).name == name


@table(
    "text, sentence",
    [
        ("", "there is no player ''; choose human, random, greedy, beginner, casual, "),
        ("Greedy", "there is no player 'Greedy'"),
        ("stockfish", "there is no player 'stockfish'"),
        ("random:3", "there is no player 'random:3'"),
        ("perfect:", "there is no player 'perfect:'"),
        ("mcts:", "mcts takes iterations from 1 to 10000000, such as mcts:400, not ''"),
        ("mcts:many", "mcts takes iterations from 1 to 10000000, such as mcts:400, not 'many'"),
        ("mcts:-1", "mcts takes iterations from 1 to 10000000, such as mcts:400, not '-1'"),
        ("mcts:0", "mcts takes iterations from 1 to 10000000, such as mcts:400, not '0'"),
        ("mcts:10000001", "mcts takes iterations from 1 to 10000000, such as mcts:400, not '10000001'"),
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


def test_mcts_searches_where_there_are_only_two_moves() -> None:
    game = SummationDuel(2, 1)  # 1 wins at once, 2 is too much
    start = game.start(Random(0))
    assert {MctsPlayer(20).choose(game, start, Random(seed)) for seed in range(10)} == {1}


def test_mcts_with_patience_stops_early_in_a_large_game() -> None:
    """A simulated game on forty cells has hundreds of plies with up to 200 moves each: one is enough here."""
    game, listed = NumberCollision(40, 5, "forbidden"), 0

    class Counting:
        def __getattr__(self, name: str) -> Any:
            return getattr(game, name)

        def moves(self, state: Any) -> Any:
            nonlocal listed
            moves = game.moves(state)
            listed += len(moves)
            return moves

    counting: Any = Counting()
    start = game.start(Random(0))
    assert MctsPlayer(400, patience=1).choose(counting, start, Random(0)) in game.moves(start)
    assert listed < 2 * 400 * 200


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


def test_perfect_does_not_always_play_the_same_game() -> None:
    game, player = SummationDuel(), PerfectPlayer()
    assert len({player.choose(game, game.start(Random()), Random(seed)) for seed in range(40)}) > 1


@pytest.mark.long
def test_perfect_names_the_size_that_it_can_do() -> None:
    game = NumberCollision(10, 5, "forbidden")
    with pytest.raises(ValueError, match=r"^perfect cannot .*; sizes up to [2-9] are within reach, and from"):
        PerfectPlayer().prepare(game, game.start(Random()))


# The hint


@table(
    "game, moves, why",
    [
        (
            SummationDuel(10, 20),
            [3],
            "It makes 3, and you have an answer to whatever they add. For example, after ",
        ),
        (SummationDuel(10, 44), list(range(1, 11)), "Every move loses here; after "),
        (NumberCollision(4, 2), None, "It leaves 3 empty cells. You are safe"),
        (
            NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17, 18, 20)),
            [20],
            "20 is the largest: nothing left can snatch it",
        ),
        (RangeWar(40), [1], "No lower number is left for them, so they are stuck and you win."),
    ],
)
def test_a_hint_is_a_move_and_how_sure_it_is(game: Any, moves: list[Any] | None, why: str) -> None:
    start = game.start(Random(0))
    move, said = find_hint(game, start, Random(0))
    assert said.startswith(why) and move in (moves or game.moves(start))


def test_a_hint_beyond_reach_is_tried_out_unless_there_are_too_many_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def beyond(*_: Any) -> None:
        raise TooLarge("beyond reach")

    monkeypatch.setattr("numberduels.analysis.hints.strongest_moves", beyond)
    monkeypatch.setattr("numberduels.analysis.hints.TRIES", 2)
    for size, said in (
        (60, "It did best when the rest of the game was tried out 2 times."),
        (61, "It looks good"),
    ):
        game = RangeWar(size)
        assert find_hint(game, game.start(Random(0)), Random(0))[1].startswith(said)
