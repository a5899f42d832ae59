"""Run an audit: all checks, then the figures. The report grows, so that a stopped audit is worth reading."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version

from numberduels import __version__
from numberduels.audit import figures as measuring
from numberduels.audit.checks import CHECKS, Check
from numberduels.audit.report import (
    FAILED,
    NOT_CHECKED,
    PASSED,
    AuditFinding,
    AuditReport,
    Budget,
    CheckFailed,
)
from numberduels.audit.subject import OwnEnvironment, Subject
from numberduels.game import registry
from numberduels.game.adopted import is_adopted
from numberduels.game.adopted.environments import FactoryEnvironment
from numberduels.game.adopted.simulator import Environment, NotChecked, describe
from numberduels.game.check_game import check_game
from numberduels.game.registry import read_game

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
            measuring.measure_random_play(subject, found)
            tell("solving", len(CHECKS) + 1, total)
            subject.start_clock(self.budget.seconds)
            oracle = measuring.solve(self.game, found, subject)
            if oracle is not None:
                measuring.measure_decisions(self.game, oracle, found, self.budget)
            subject.start_clock(self.budget.seconds)
            for name, make in measuring.make_players(oracle, self.budget).items():
                tell(f"measuring {name}", len(CHECKS) + 1, total)
                found.players.append(measuring.measure_player(name, make, self.game, oracle, subject))
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
