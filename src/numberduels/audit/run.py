"""Run an audit: all checks, then the figures. The report grows, so that a stopped audit is worth reading."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import Any

from numberduels import __version__
from numberduels.audit.checks import CHECKS, Check
from numberduels.audit.report import (
    FAILED,
    NOT_CHECKED,
    PASSED,
    AuditFinding,
    AuditReport,
    Budget,
    CheckFailed,
    Figures,
    PlayerFigures,
)
from numberduels.audit.subject import OwnEnvironment, Subject
from numberduels.game import registry
from numberduels.game.adopted import is_adopted
from numberduels.game.adopted.environments import FactoryEnvironment
from numberduels.game.adopted.interface import Environment, NotChecked, describe
from numberduels.game.check_game import check_game
from numberduels.game.contract import Seat
from numberduels.game.registry import read_game
from numberduels.players.ladder import LevelPlayer, PerfectPlayer
from numberduels.players.player import Player
from numberduels.players.search import GreedyPlayer, MctsPlayer, RandomPlayer
from numberduels.solvers import LOSS, WIN, Oracle, TooLarge, make_oracle
from numberduels.solvers.oracle import select_best

PACKAGES = {"openspiel": "open_spiel", "pettingzoo": "pettingzoo"}

ITERATIONS = 100
"""Simulated games of the tree search for each move."""

LEVELS = ("beginner", "casual", "skilled", "expert")

LIMIT = 400
"""Moves after which a measured game counts as a tie."""

WINNERS = {WIN: "first", LOSS: "second", 0: "nobody"}

Progress = Callable[[str, int, int], None]
"""Called with what is done next, how many steps are done, and how many there are."""


def audit_game(text: str, budget: Budget | None = None, progress: Progress | None = None) -> AuditReport:
    """Audit a game named by a text; UnknownGame and ValueError say what is wrong with the text."""
    audit = Audit(text, budget or Budget())
    audit.run(progress)
    return audit.report


class Audit:
    """One audit. `report` can be read at any time."""

    def __init__(self, text: str, budget: Budget) -> None:
        text, self.game = read_game(text)
        self.spec = registry.spec_of(self.game)
        self.budget = budget
        self.own = not is_adopted(text)
        environment: Environment = (
            OwnEnvironment(text, self.spec, self.game) if self.own else type(self.game).environment
        )
        self.subject = Subject(environment, budget)
        self.report = AuditReport(text, self.spec.title, _kind(text, environment), budget)

    def run(self, progress: Progress | None = None) -> None:
        """Make all checks, then measure."""
        began = time.monotonic()
        tell = progress or (lambda *_: None)
        total = len(CHECKS) + 2
        try:
            for done, (key, check) in enumerate(CHECKS.items()):
                tell(f"checking {key}", done, total)
                left = self.budget.seconds - (time.monotonic() - began)
                self.subject.start_clock(max(left, 0.0) / (len(CHECKS) - done))
                self.subject.start_counters()
                found = self._find(key, check)
                self.report.findings.append(replace(found, **self.subject.counters()))
                self.subject.failed = {each.key for each in self.report.failed}
            self._measure(tell, total)
            self.report.complete = True
        finally:
            self.report.seconds = round(time.monotonic() - began, 2)

    def _find(self, key: str, check: Check) -> AuditFinding:
        title = (check.__doc__ or key).splitlines()[0]
        try:
            detail = check(self.subject)
            if key == "contract" and self.own:
                check_game(self.spec, self.game, walks=5)
        except CheckFailed as fault:
            seed = fault.seed if self.subject.environment.uses_seeds else None
            return AuditFinding(key, title, FAILED, str(fault), fault.example, seed)
        except NotChecked as reason:
            return AuditFinding(key, title, NOT_CHECKED, str(reason))
        except AssertionError as fault:
            return AuditFinding(key, title, FAILED, str(fault))
        except (Exception, SystemExit) as fault:  # somebody else's code can fail in any way
            return AuditFinding(key, title, NOT_CHECKED, f"the environment fails: {describe(fault)}")
        return AuditFinding(key, title, PASSED, detail)

    def _measure(self, tell: Progress, total: int) -> None:
        found, subject = self.report.figures, self.subject
        if any(each.key in ("contract", "ends") for each in self.report.failed):
            found.unsolved = "a check failed without which nothing can be measured"
            return
        try:
            tell("playing at random", len(CHECKS), total)
            subject.start_clock(self.budget.seconds)
            measure_random_play(subject, found)
            tell("solving", len(CHECKS) + 1, total)
            subject.start_clock(self.budget.seconds)
            oracle = solve(self.game, found, subject)
            if oracle is not None:
                measure_decisions(self.game, oracle, found, self.budget)
            subject.start_clock(self.budget.seconds)
            for name, make in make_players(oracle, self.budget).items():
                tell(f"measuring {name}", len(CHECKS) + 1, total)
                found.players.append(measure_player(name, make, self.game, oracle, subject))
        except (Exception, SystemExit) as fault:
            found.unsolved = f"the environment fails: {describe(fault)}"


def _kind(text: str, environment: Environment) -> str:
    """The library and its version."""
    if not is_adopted(text):
        return f"Number Duels {__version__}"
    prefix = text.partition(":")[0]
    package = PACKAGES.get(prefix)
    if package is None:
        library = environment.library if isinstance(environment, FactoryEnvironment) else ""
        return f"{library} environment of a Python file".lstrip()
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package


# What a game is like: length and balance in random games and, if it can be solved, how players fare


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
