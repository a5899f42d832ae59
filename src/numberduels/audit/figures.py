"""What a game is like: length and balance in random games, and, if it can be solved, how players fare."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from numberduels.audit.report import Budget, Figures, PlayerFigures
from numberduels.audit.subject import Subject
from numberduels.game.contract import Seat
from numberduels.players.ladder import LevelPlayer, PerfectPlayer
from numberduels.players.player import Player
from numberduels.players.search import GreedyPlayer, MctsPlayer, RandomPlayer
from numberduels.solvers import LOSS, WIN, Oracle, TooLarge, make_oracle
from numberduels.solvers.oracle import select_best

ITERATIONS = 100
"""Simulated games of the tree search for each move."""

LEVELS = ("beginner", "casual", "skilled", "expert")

LIMIT = 400
"""Moves after which a measured game counts as a tie."""

WINNERS = {WIN: "first", LOSS: "second", 0: "nobody"}


def measure_random_play(subject: Subject, figures: Figures) -> None:
    """Length and balance of random games."""
    lengths, scores = [], []
    for _, episode in subject.finished_games():
        lengths.append(len(episode.history))
        figures.truncated += episode.truncated
        first, second = episode.returns()
        scores.append(0.5 if first == second else float(first > second))
    figures.games = len(lengths)
    figures.length = sum(lengths) / len(lengths), min(lengths), max(lengths)
    figures.random_first = sum(scores) / len(scores)


class TimedGame:
    """A game that cannot be played on when the time of the audit is over, so that a solver stops."""

    def __init__(self, game: Any, subject: Subject) -> None:
        self._game, self._subject = game, subject

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def play(self, state: Any, move: Any) -> Any:
        """As the game itself; TooLarge when the time is over."""
        if self._subject.out_of_time:
            raise TooLarge(f"it takes more than {self._subject.budget.seconds:g} seconds")
        return self._game.play(state, move)


def solve(game: Any, figures: Figures, subject: Subject) -> Oracle[Any, Any] | None:
    """Solve the game from its start; None if that is out of reach."""
    budget = subject.budget
    oracle = make_oracle(game, budget.positions)
    start = game.start(Random(budget.seed))
    oracle.game = TimedGame(game, subject)
    try:
        worth = oracle.evaluate(start)
    except TooLarge as fault:
        figures.unsolved = str(fault)
        return None
    finally:
        oracle.game = game
    figures.winner, figures.plies = WINNERS[worth.value], worth.remoteness
    figures.positions, figures.method = oracle.positions, oracle.method
    return oracle


def measure_decisions(game: Any, oracle: Oracle[Any, Any], figures: Figures, budget: Budget) -> None:
    """In how many decisions of random games some legal move loses value."""
    matters = decisions = 0
    for number in range(budget.games):
        rng = Random(f"decisions {budget.seed + number}")
        state = game.start(rng)
        for _ in range(LIMIT):
            moves = game.moves(state)
            if not moves:
                break
            if len(moves) > 1:
                decisions += 1
                matters += _matters(oracle, state)
            state = game.play(state, rng.choice(list(moves)))
    figures.matters = matters / decisions if decisions else None


def _matters(oracle: Oracle[Any, Any], state: Any) -> bool:
    choices = oracle.evaluate_moves(state)
    return len({worth.value for worth in choices.values()}) > 1


def make_players(oracle: Oracle[Any, Any] | None, budget: Budget) -> dict[str, Callable[[], Player]]:
    """The players that are measured, from floor to ceiling; without a solution, only the first ones."""
    players: dict[str, Callable[[], Player]] = {
        "random": RandomPlayer,
        "greedy": GreedyPlayer,
        f"mcts:{ITERATIONS}": lambda: MctsPlayer(ITERATIONS),
    }
    if oracle is not None:
        perfect = PerfectPlayer(budget.positions)
        perfect.use_solution(oracle)
        for level in LEVELS:
            players[level] = lambda level=level: LevelPlayer(level, perfect)  # type: ignore[misc]
        players["perfect"] = lambda: perfect
    return players


def measure_player(
    name: str, make: Callable[[], Player], game: Any, oracle: Oracle[Any, Any] | None, subject: Subject
) -> PlayerFigures:
    """How a player fares against random play in both seats."""
    if subject.out_of_time:
        return PlayerFigures(name, reason="out of time")
    player = make()
    scores: dict[int, list[float]] = {0: [], 1: []}
    kept: list[bool] = []
    for number in range(subject.budget.games):
        for seat in (0, 1):
            if subject.out_of_time:
                return PlayerFigures(name, reason="out of time")
            rng = Random(f"{name} {seat} {subject.budget.seed + number}")
            scores[seat].append(_play(player, 1 if seat else 0, game, oracle, rng, kept))
    return PlayerFigures(
        name,
        sum(scores[0]) / len(scores[0]),
        sum(scores[1]) / len(scores[1]),
        sum(kept) / len(kept) if kept else None,
    )


def _play(
    player: Player, seat: Seat, game: Any, oracle: Oracle[Any, Any] | None, rng: Random, kept: list[bool]
) -> float:
    """One game against random play: 1, 1/2 or 0 for the player."""
    state = game.start(rng)
    player.prepare(game, state)
    for _ in range(LIMIT):
        moves = game.moves(state)
        if not moves:
            break
        if game.turn(state) != seat:
            move = rng.choice(list(moves))
        else:
            move = player.choose(game, state, rng)
            if oracle is not None and len(moves) > 1 and _matters(oracle, state):
                choices = oracle.evaluate_moves(state)
                kept.append(choices[move].value == choices[select_best(choices)[0]].value)
        state = game.play(state, move)
    outcome = game.outcome(state)
    if outcome is None or outcome.winner is None:
        return 0.5
    return float(outcome.winner == seat)
