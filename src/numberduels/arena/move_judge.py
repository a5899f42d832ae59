"""Judges the moves of the games of a run, and remembers what it has judged: small games repeat positions."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from numberduels.analysis.judgement import (
    GAVE_POINTS,
    KEPT,
    NOT_JUDGED,
    EvaluatedChoice,
    compare_moves,
    judge_choice,
)
from numberduels.analysis.oracle_cache import ORACLES, DepthFinder
from numberduels.game import registry
from numberduels.solvers import Oracle, TooLarge, Worth

MAX_REMEMBERED = 20_000
"""Moves whose verdict is remembered."""

ARENA_VERDICTS = {NOT_JUDGED: None, GAVE_POINTS: KEPT}
"""The verdicts that the arena stores differently: points given away are a figure of their own there."""


MoveDetails = dict[str, Any]
"""The fields of a MoveResult that say how good the move was."""

UNJUDGED: MoveDetails = {"keeping": 0, "losing": 0}
"""A move in a position that is too large to solve."""


class MoveJudge:
    """Judges moves of one game with one oracle."""

    def __init__(self, oracle: Oracle[Any, Any], finder: DepthFinder) -> None:
        self.oracle = oracle
        self._finder = finder
        self._format_move = registry.spec_of(oracle.game).text_for(oracle.game).format_move
        self._forget()

    def _forget(self) -> None:
        self._worths: dict[Any, Worth] = {}
        self._moves: dict[Any, dict[Any, Worth]] = {}
        self._choices: dict[Any, EvaluatedChoice] = {}
        self._details: dict[Any, MoveDetails] = {}

    def judge(self, states: Sequence[Any], moves: Sequence[Any], first: int) -> list[MoveDetails]:
        """The details of the moves from index `first`; `states` are the positions before all moves.

        A move can be None for no legal move. The last positions are judged first: they are the smallest, and
        what the oracle finds there helps with earlier ones. What comes before a position that is too large is
        not tried.
        """
        if max(len(self._worths), len(self._details)) > MAX_REMEMBERED:
            self._forget()
        worths: dict[int, Worth] = {}
        choices: dict[int, EvaluatedChoice] = {}
        try:
            for index in reversed(range(first, len(moves))):
                worths[index] = self._worth(states[index])
                choices[index] = self._choice(states[index], moves[index], worths[index])
            if first:  # it tells a missed win from a win that was thrown away
                worths[first - 1] = self._worth(states[first - 1])
        except TooLarge:
            pass
        # Last, because finding the depth uses the oracle, which may visit only so many positions in all.
        return [
            self._move_details(
                states[index], moves[index], worths[index], choices[index], worths.get(index - 1)
            )
            if index in choices
            else UNJUDGED
            for index in range(first, len(moves))
        ]

    def _worth(self, state: Any) -> Worth:
        worth = self._worths.get(state)
        if worth is None:
            worth = self._worths[state] = self.oracle.evaluate(state)
        return worth

    def _choice(self, state: Any, move: Any, before: Worth) -> EvaluatedChoice:
        choice = self._choices.get((state, move))
        if choice is None:
            if state not in self._moves:
                self._moves[state] = self.oracle.evaluate_moves(state)
            choice = self._choices[state, move] = compare_moves(self._moves[state], move, before)
        return choice

    def _move_details(
        self, state: Any, move: Any, before: Worth, choice: EvaluatedChoice, earlier: Worth | None
    ) -> MoveDetails:
        """The details; `earlier` is the worth before the opponent's last move, if known."""
        key = state, move, earlier is not None and earlier.value
        details = self._details.get(key)
        if details is None:
            judged = judge_choice(0, self.oracle.game.turn(state), move, before, choice, earlier)
            remoteness, proof = self._finder.find(state)
            details = self._details[key] = {
                "verdict": ARENA_VERDICTS.get(judged.verdict, judged.verdict),
                "before": before.value_name,
                "after": choice.worth and choice.worth.value_name,
                "keeping": choice.keeping,
                "losing": choice.losing,
                "margin_given": judged.given,
                "remoteness": remoteness,
                "proof": proof,
                "better": tuple(map(self._format_move, choice.better)),
            }
        return details


class JudgeCache(threading.local):
    """The judges of a worker; each thread has its own. A judge is kept as long as its oracle."""

    def __init__(self) -> None:
        self._judges: dict[Any, MoveJudge] = {}

    def judge(self, game: Any) -> MoveJudge:
        """The judge of a game with a fixed start."""
        oracle = ORACLES.oracle(game)
        judge = self._judges.get(game)
        if judge is None or judge.oracle is not oracle:
            judge = MoveJudge(oracle, ORACLES.depth_finder(oracle))
            self._judges = {each: kept for each, kept in self._judges.items() if ORACLES.keeps(kept.oracle)}
            if ORACLES.keeps(oracle):
                self._judges[game] = judge
        return judge


JUDGES = JudgeCache()
