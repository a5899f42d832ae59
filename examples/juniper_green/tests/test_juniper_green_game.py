"""Juniper Green: rules, theory, batch, board, texts and claims."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from juniper_green import spec
from juniper_green.batch import JuniperGreenBatch
from juniper_green.board import board
from juniper_green.claims import CLAIMS, SEQUENCES
from juniper_green.rules import JuniperGreen
from juniper_green.theory import JuniperGreenTheory, Matching

from numberduels import check_game
from numberduels.game.bits import members
from numberduels.game.contract import IllegalMove
from numberduels.solvers import WIN, Retrograde, TooLarge

SMALL = [JuniperGreen(size=size, opening=opening) for size in range(2, 13) for opening in ("even", "any")]
every_small_game = pytest.mark.parametrize("game", SMALL, ids=str)


def sheet(game: JuniperGreen, *moves: int) -> tuple[int, int]:
    state = game.start(Random(0))
    for move in moves:
        state = game.play(state, move)
    return state


# Rules


def test_it_keeps_the_contract() -> None:
    check_game(spec, JuniperGreen(size=2), JuniperGreen(size=3, opening="any"), JuniperGreen(size=100))


@pytest.mark.parametrize(
    ("moves", "move", "reason"),
    [
        ((), 3, "The first number must be even, and 3 is odd."),
        ((4,), 4, "Number 4 has already been struck out."),
        ((4,), 6, "Number 6 is no factor or multiple of 4."),
        ((4,), 21, "Number 21 is not on the sheet: it runs from 1 to 20."),
    ],
)
def test_a_refusal_says_why(moves: tuple[int, ...], move: int, reason: str) -> None:
    game = JuniperGreen()
    with pytest.raises(IllegalMove) as refused:
        game.play(sheet(game, *moves), move)
    assert str(refused.value) == reason


# Theory


@every_small_game
def test_the_theory_agrees_with_retrograde_analysis_in_every_position(game: JuniperGreen) -> None:
    plain: Retrograde[tuple[int, int], int] = Retrograde(game, use_symmetry=False)
    plain.evaluate(sheet(game))
    theory = JuniperGreenTheory(game)
    for state in plain:
        assert theory.evaluate(state).value == plain.evaluate(state).value
        assert theory.best_moves(state) == plain.best_moves(state)


def test_the_matching_is_right_where_circles_are_odd() -> None:
    rng = Random(1)
    for _ in range(500):
        size = rng.randint(1, 9)
        graph = [0] * size
        for one in range(size):
            for other in range(one):
                if rng.random() < 0.4:
                    graph[one] |= 1 << other
                    graph[other] |= 1 << one
        everything = (1 << size) - 1
        most = most_pairs(graph, everything)
        matching = Matching(graph, everything)
        assert len(matching.partner) == 2 * most
        for vertex in range(size):
            assert (matching.missable >> vertex & 1) == (most_pairs(graph, everything ^ 1 << vertex) == most)


def most_pairs(graph: list[int], vertices: int) -> int:
    """The size of a maximum matching, by trying everything."""
    if not vertices:
        return 0
    one = vertices.bit_length() - 1
    rest = vertices ^ 1 << one
    return max(
        most_pairs(graph, rest),
        *(1 + most_pairs(graph, rest ^ 1 << other) for other in members(graph[one] & rest)),
        0,
    )


def test_the_theory_stops_after_so_many_positions() -> None:
    game = JuniperGreen()
    theory = JuniperGreenTheory(game, 1)
    theory.evaluate(sheet(game))
    with pytest.raises(TooLarge, match="more than 1 positions"):
        theory.evaluate(sheet(game, 4))


@every_small_game
def test_the_reason_for_a_winning_move_names_winning_answers(game: JuniperGreen) -> None:
    theory = JuniperGreenTheory(game)
    rng = Random(1)
    state = sheet(game)
    while moves := game.moves(state):
        for move in theory.best_moves(state):
            told = theory.why(state, move).values.get("pairs", ())
            for pair in told if isinstance(told, tuple) else ():
                theirs, ours = pair.values["number"], pair.values["partner"]
                after = game.play(game.play(state, move), theirs)
                assert ours in game.moves(after)
                if theory.evaluate_move(state, move).value > 0:
                    assert theory.evaluate_move(after, ours).value > 0
        state = game.play(state, rng.choice(moves))


# Batch, board, texts, claims


@pytest.mark.parametrize("game", [*SMALL, JuniperGreen(), JuniperGreen(size=64, opening="any")], ids=str)
def test_a_batch_plays_as_the_rules_do(game: JuniperGreen) -> None:
    rng = np.random.default_rng(1)
    batch = JuniperGreenBatch(game, 20)
    batch.reset(slice(None), rng)
    states = [game.start(Random(0))] * 20
    running = np.arange(20)
    while len(running):
        legal = batch.legal(running)
        observed = batch.observe(running)
        for row, index in enumerate(running.tolist()):
            state = states[index]
            assert batch.state(index) == state
            assert [batch.moves[action] for action in np.flatnonzero(legal[row])] == list(game.moves(state))
            assert list(observed[row]) == list(game.observe(state))
            assert batch.turn(running)[row] == game.turn(state)
        actions = batch.sample(rng, running)
        finished = batch.play(actions, running)
        for row, index in enumerate(running.tolist()):
            states[index] = game.play(states[index], batch.moves[actions[row]])
            outcome = game.outcome(states[index])
            assert finished.mask[row] == (outcome is not None)
            if outcome is not None:
                (at,) = np.flatnonzero(finished.indices == row)
                assert outcome.winner is not None and finished.results[at] == 1 + outcome.winner
        running = running[~finished.mask]


def test_the_board_shows_the_sheet() -> None:
    game = JuniperGreen(size=6)
    shown = board(game, sheet(game, 4, 2), [4, 2])
    assert [tile.kind for tile in shown.tiles] == ["open", "second", "closed", "first", "closed", "open"]
    assert {move: effect.text for move, effect in shown.effects.items()} == {
        "1": "leaves 3, 5 and 6",
        "6": "leaves 1 and 3",
    }
    assert shown.effects["1"].touches == (2, 4, 5)
    assert shown.last == (1,)
    assert shown.note is not None and shown.note.text == "a factor or a multiple of 2"
    assert [(bar.text, bar.value, bar.of) for bar in shown.bars] == [("Struck out", 2, 6)]


def test_the_claims_are_checked() -> None:
    assert [claim.check().verdict for claim in CLAIMS] == ["true", "partly", "true", "false"]


# Sequences


def test_the_sequences_agree_with_retrograde_analysis() -> None:
    winners, lost, first = (
        dict(zip(each.indices, each.terms(each.indices), strict=True)) for each in SEQUENCES
    )
    sizes = range(2, 15)
    counts = {}
    for size in sizes:
        game = JuniperGreen(size=size)
        plain: Retrograde[tuple[int, int], int] = Retrograde(game)
        worths = plain.evaluate_moves(sheet(game))
        counts[size] = sum(worth.value == WIN for worth in worths.values())
    assert {size: first[size] for size in sizes} == counts
    assert {size: winners[size] for size in sizes} == {size: 1 if counts[size] else 2 for size in sizes}
    assert list(lost.values()) == [size for size in winners if winners[size] == 2][: len(lost)]
