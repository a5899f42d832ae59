"""The answers of the shipped puzzles, found again by a solver that shares no code with ours."""

from __future__ import annotations

from typing import Any

import pytest

from numberduels.analysis.puzzles import Puzzle
from numberduels.analysis.puzzles.move_puzzles import best_line
from numberduels.game.contract import Scored
from numberduels.game.text import player_label
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.solvers import Nimbers, make_oracle
from tables import table

from .plain_solver import PlainSolver, TooMany
from .shipped import FIVE, shipped

every_game = table("name", FIVE)


def right_answers(puzzle: Puzzle, solver: Any) -> list[str]:
    """Every answer that is right by the rules of its kind."""
    notation = puzzle.game_text.format_move
    if puzzle.kind == "which-position":
        values = [solver.solve(table.state).value for table in puzzle.tables]
        assert sorted(values) == [-1, 1]
        return ["AB"[values.index(1)]]
    state = puzzle.state
    if puzzle.kind == "length":
        return [str(solver.solve(state).plies)]
    if puzzle.kind == "margin":
        return [str(abs(solver.solve(state).lead))]
    winning = solver.winning(state)
    if puzzle.kind == "winning-moves":
        return [str(len(winning))]
    if puzzle.kind == "highest-move":
        assert len(winning) > 1
        return [str(max(winning))]
    if puzzle.kind == "lowest-move":
        assert len(winning) > 1
        return [str(min(winning))]
    assert puzzle.kind in ("only-move", "first-move"), puzzle.kind
    assert (puzzle.moves == ()) == (puzzle.kind == "first-move")
    return [notation(move) for move in winning]


class ByNimbers:
    """For lists too long for the plain solver: the general solver of impartial games."""

    def __init__(self, game: RestrictedRemoval) -> None:
        self.game = game
        self.nimbers: Nimbers[Any, Any] = Nimbers(game, 400_000)

    def winning(self, state: Any) -> list[int]:
        return [move for move in self.game.moves(state) if self.nimbers.evaluate_move(state, move).value > 0]


def easy(name: str) -> list[Puzzle]:
    """A few puzzles of the lower levels, one of each kind among them."""
    return [puzzle for puzzle in shipped(name, 25) if puzzle.level <= 2 and len(puzzle.answers) < 60]


def check(puzzle: Puzzle, most: int) -> bool:
    """Check a puzzle with the plain solver, or its oracle if that takes too long; False if by the oracle."""
    try:
        assert right_answers(puzzle, PlainSolver(puzzle.game, most)) == [puzzle.answer]
        return True
    except TooMany:
        if isinstance(puzzle.game, RestrictedRemoval) and puzzle.asks_for == "move":
            assert right_answers(puzzle, ByNimbers(puzzle.game)) == [puzzle.answer]
            return True
        assert puzzle.solve(make_oracle(puzzle.game)) == puzzle.answer
        return False


@every_game
def test_the_answers_of_some_puzzles_are_right(name: str) -> None:
    checked = [check(puzzle, 10_000) for puzzle in easy(name)]
    assert sum(checked) > len(checked) / 2


@pytest.mark.long
@every_game
def test_the_answers_of_all_puzzles_are_right(name: str) -> None:
    checked = [check(puzzle, 150_000) for puzzle in shipped(name)]
    assert sum(checked) > 2 * len(checked) / 3


@every_game
def test_the_line_that_explains_a_length_or_a_margin_has_it(name: str) -> None:
    for puzzle in shipped(name, 20):
        if puzzle.kind not in ("length", "margin"):
            continue
        line, state = best_line(puzzle.oracle, puzzle.state), puzzle.state
        for move in line:
            state = puzzle.game.play(state, move)
        outcome = puzzle.game.outcome(state)
        assert outcome is not None and outcome.winner is not None
        named = [told.values["player"] for told in puzzle.solution_lines() if "player" in told.values]  # type: ignore[attr-defined]
        assert named[0] == player_label(outcome.winner)
        if puzzle.kind == "length":
            assert len(line) == int(puzzle.answer)
        else:
            assert isinstance(puzzle.game, Scored)
            first, second = puzzle.game.scores(state)
            assert abs(first - second) == int(puzzle.answer)


@every_game
def test_a_refutation_names_a_reply_that_wins_or_says_in_which_direction_to_look(name: str) -> None:
    check_refutations(easy(name), 5_000, 4)


def check_refutations(puzzles: list[Puzzle], most: int, answers: int) -> None:
    for puzzle in puzzles:
        solver = PlainSolver(puzzle.game, most)
        for answer in puzzle.answers[:answers]:
            if answer == puzzle.answer:
                continue
            first = puzzle.refutation_lines(answer)[0]
            if puzzle.asks_for == "number":
                less = int(answer) < int(puzzle.answer)
                words = (
                    ("It is more", "It takes longer", "too few") if less else ("less", "sooner", "too many")
                )
                assert any(word in first for word in words)
            elif puzzle.asks_for == "move" and "reply" in getattr(first, "values", {}):
                after = puzzle.game.play(puzzle.state, puzzle.game_text.parse_move(answer))
                said = first.values["reply"]  # type: ignore[attr-defined]
                (reply,) = [
                    move for move in puzzle.game.moves(after) if puzzle.game_text.spoken(move) == said
                ]
                try:
                    assert reply in solver.winning(after)
                except TooMany:
                    continue
