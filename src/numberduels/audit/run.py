"""Run an audit: all checks, then the figures. The report grows, so that a stopped audit is worth reading."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from numberduels import __version__
from numberduels.audit import figures as measuring
from numberduels.audit.checks import CHECKS, Check
from numberduels.audit.own_game import OwnEnvironment
from numberduels.audit.report import (
    FAILED,
    NOT_CHECKED,
    PASSED,
    AuditReport,
    Budget,
    CheckFailed,
    Finding,
    PlayerFigures,
)
from numberduels.audit.walks import Subject
from numberduels.game import registry
from numberduels.game.adopted import is_adopted
from numberduels.game.adopted.factory import FactoryEnvironment
from numberduels.game.adopted.simulator import Environment, NotChecked, describe
from numberduels.game.check_game import check_game
from numberduels.game.notation import read_game

PACKAGES = {"openspiel": "open_spiel", "pettingzoo": "pettingzoo"}

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
        environment = self._environment(text)
        self.subject = Subject(environment, budget)
        self.report = AuditReport(text, self.spec.title, _kind(text, environment), budget)

    def _environment(self, text: str) -> Environment:
        if self.own:
            return OwnEnvironment(text, self.spec, self.game)
        environment: Environment = type(self.game).environment
        return environment

    def run(self, progress: Progress | None = None) -> None:
        """Make all checks, then measure."""
        began = time.monotonic()
        tell = progress or _silent
        total = len(CHECKS) + 2
        try:
            for done, (key, check) in enumerate(CHECKS.items()):
                tell(f"checking {key}", done, total)
                left = self.budget.seconds - (time.monotonic() - began)
                self.subject.start_clock(max(left, 0.0) / (len(CHECKS) - done))
                self.report.findings.append(self._counted(key, check))
                self.subject.failed = {each.key for each in self.report.failed}
            self._measure(tell, total)
            self.report.complete = True
        finally:
            self.report.seconds = round(time.monotonic() - began, 2)

    def _counted(self, key: str, check: Check) -> Finding:
        """What a check found, and how much it looked at."""
        subject = self.subject
        subject.start_counters()
        return replace(
            self._find(key, check),
            games=subject.games_played,
            positions=subject.positions_seen,
            stopped_early=subject.stopped_early,
        )

    def _find(self, key: str, check: Check) -> Finding:
        title = (check.__doc__ or key).splitlines()[0]
        try:
            detail = check(self.subject)
            if key == "contract" and self.own:
                check_game(self.spec, self.game, walks=5)
        except CheckFailed as fault:
            seed = fault.seed if self.subject.environment.uses_seeds else None
            return Finding(key, title, FAILED, str(fault), fault.example, seed)
        except NotChecked as reason:
            return Finding(key, title, NOT_CHECKED, str(reason))
        except AssertionError as fault:
            return Finding(key, title, FAILED, str(fault))
        except (Exception, SystemExit) as fault:  # somebody else's code can fail in any way
            return Finding(key, title, NOT_CHECKED, f"the environment fails: {describe(fault)}")
        return Finding(key, title, PASSED, detail)

    def _measure(self, tell: Progress, total: int) -> None:
        found, subject = self.report.figures, self.subject
        if any(each.key in ("contract", "ends") for each in self.report.failed):
            found.unsolved = "a check failed without which nothing can be measured"
            return
        try:
            tell("playing at random", len(CHECKS), total)
            subject.start_clock(self.budget.seconds)
            measuring.measure_random_play(subject, found)
            tell("solving", len(CHECKS) + 1, total)
            subject.start_clock(self.budget.seconds)
            oracle = measuring.solve(self.game, found, subject)
            if oracle is not None:
                measuring.measure_decisions(self.game, oracle, found, self.budget)
            subject.start_clock(self.budget.seconds)
            for name, make in measuring.make_players(oracle, self.budget).items():
                tell(f"measuring {name}", len(CHECKS) + 1, total)
                found.players.append(self._measured(name, make, oracle))
        except (Exception, SystemExit) as fault:
            found.unsolved = f"the environment fails: {describe(fault)}"

    def _measured(self, name: str, make: Callable[[], Any], oracle: Any) -> PlayerFigures:
        if self.subject.out_of_time:
            return PlayerFigures(name, reason="out of time")
        return measuring.measure_player(name, make(), self.game, oracle, self.subject)


def _silent(_what: str, _done: int, _total: int) -> None:
    """Tell nobody."""


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
