"""What a limited search sees, and the depth of a puzzle, compared with plain looking ahead."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from numberduels.analysis.puzzles.generation import Workshop, depth_of, positions, random_game
from numberduels.analysis.puzzles.kinds import KINDS
from numberduels.analysis.puzzles.model import DEEPEST
from numberduels.analysis.puzzles.move_puzzles import OnlyMove
from numberduels.analysis.puzzles.shortcuts import LimitedSearch
from numberduels.game import registry
from numberduels.game.contract import Scored
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.restricted_removal.teaching import taught_nimber
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.solvers import Nimbers, TooLarge
from tables import table

from .shipped import FIVE

SMALL: list[Any] = [
    RangeWar(7),
    RangeWar(7, "free"),
    NumberSnatch(numbers=(2, 3, 4, 6, 8)),
    RestrictedRemoval(11),
    SummationDuel(7, 18),
    NumberCollision(5, 1, "forbidden"),
]


def plain_value(game: Any, state: Any, plies: int) -> int:
    """What is seen within the plies, by nothing but the rules; points count at the horizon."""
    outcome = game.outcome(state)
    mine = game.turn(state)
    if isinstance(game, Scored) and (outcome or not plies):
        scores = game.scores(state)
        return int(scores[mine] - scores[1 - mine])
    if outcome:
        return 0 if outcome.winner is None else 1 if outcome.winner == mine else -1
    if not plies:
        return 0
    return max(-plain_value(game, game.play(state, move), plies - 1) for move in game.moves(state))


@table("game", SMALL)
@table("with_twins", [False, True])
def test_a_limited_search_sees_what_plain_looking_ahead_sees(game: Any, with_twins: bool) -> None:
    """With and without the keys by which a game says which positions are alike."""
    rng = Random(f"{game}")
    search = Workshop(registry.spec_of(game), game).search if with_twins else LimitedSearch(game)
    state = game.start(rng)
    while not game.outcome(state):
        for plies in range(5):
            plain = plain_value(game, state, plies)
            assert search.value(state, plies) == (plain > 0) - (plain < 0)
            if isinstance(game, Scored):
                assert search.margin(state, plies) == plain
        state = game.play(state, rng.choice(game.moves(state)))


def test_a_limited_search_gives_up_beyond_its_limit() -> None:
    game = SummationDuel(12, 60)
    with pytest.raises(TooLarge):
        LimitedSearch(game, 100).value(game.start(Random(0)), 9)


def test_the_depth_of_an_only_move_is_what_plain_looking_ahead_needs() -> None:
    spec, game = registry.spec("summation-duel"), SummationDuel(8, 24)
    found = 0
    for first in game.all_moves():
        for second in game.all_moves():
            if first == second:
                continue
            puzzle = OnlyMove(spec, game, ((first, second),))
            answer = puzzle.solve(puzzle.oracle)
            if answer is None:
                continue
            state = puzzle.state
            puzzle = OnlyMove(spec, game, ((first, second),), answer)
            depth = depth_of(puzzle, LimitedSearch(game))
            for plies in range(1, 8):
                seen = {
                    str(move): -plain_value(game, game.play(state, move), plies - 1)
                    for move in game.moves(state)
                }
                best = [move for move, value in seen.items() if value == max(seen.values())]
                assert (best == [answer]) == (plies >= depth)
            found += 1
    assert found > 3


@table("name", FIVE)
def test_what_the_workshop_accepts_is_a_puzzle(name: str) -> None:
    """New candidates of every source: what becomes a puzzle is deep enough and has its answer."""
    spec = registry.spec(name)
    rng = Random(f"workshop {name}")
    for source in spec.load("puzzles").sources:
        if source.kind in ("which-position", "first-move"):
            continue
        accepted = 0
        for _ in range(12):
            table = random_game(spec, source, rng)
            if table is None or accepted > 2:
                continue
            workshop = Workshop(spec, table.game, max_seen=10_000)
            late = list(positions(table, source, rng, root=table.ply // 2))[-12:]
            for moves, each in late:
                if not source.where(each):
                    continue
                puzzle = workshop.judge(KINDS[source.kind](spec, table.game, (moves,)))
                if puzzle:
                    accepted += 1
                    assert 3 <= puzzle.depth <= DEEPEST and puzzle.answer in puzzle.answers


def test_what_the_rules_teach_about_groups_is_never_wrong() -> None:
    """The recipe must be as good as a clever reader, or it would let easy puzzles pass."""
    for size in (10, 12, 14):
        game = RestrictedRemoval(size)
        nimbers: Nimbers[Any, Any] = Nimbers(game)
        rng = Random(size)
        for _ in range(40):
            state = game.start(rng)
            while game.moves(state):
                taught = taught_nimber(game, state)
                if taught is not None:
                    assert (taught == 0) == (nimbers.evaluate(state).value < 0)
                state = game.play(state, rng.choice(game.moves(state)))
