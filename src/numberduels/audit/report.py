"""What an audit found, as data and as text: a finding for each check, the figures, and the budget."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from numberduels.game.formatting import plural

PASSED, FAILED, NOT_CHECKED = "passed", "failed", "not checked"
SIGNS = {PASSED: "ok", FAILED: "FAILED", NOT_CHECKED: "-"}
WINNERS = {"first": "the first player wins", "second": "the second player wins", "nobody": "nobody wins"}


@dataclass(frozen=True, slots=True)
class Budget:
    """How much an audit may do."""

    positions: int = 100_000
    """The most positions that the solver visits."""
    games: int = 20
    """Random games that the checks look at, and games of each player in each seat."""
    plies: int = 2_000
    """A random game with more moves counts as endless."""
    seconds: float = 60.0
    """So long the checks together begin games; so long again it is solved, and players are measured."""
    seed: int = 0


class CheckFailed(Exception):
    """A check found a fault; `example` are the moves that show it."""

    def __init__(self, detail: str, example: tuple[str, ...] | None = None, seed: int | None = None) -> None:
        super().__init__(detail)
        self.example = example
        self.seed = seed
        """The seed of `reset` in the example."""


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """The result of one check."""

    key: str
    title: str
    """What a good environment does."""
    status: str
    """PASSED, FAILED or NOT_CHECKED."""
    detail: str = ""
    example: tuple[str, ...] | None = None
    """The moves from the start that show a fault."""
    seed: int | None = None
    """The seed of `reset` in the example, if there is one."""
    games: int = 0
    """Random games that the check looked at."""
    positions: int = 0
    """Positions of these games."""
    stopped_early: bool = False
    """Whether the time was over before all games of the budget were played."""


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """How far a player gets against random play, by seat: 1 for a win, 1/2 for a tie."""

    name: str
    first: float | None = None
    second: float | None = None
    kept: float | None = None
    """The share of its decisions that kept the value, where another move would have lost it."""
    reason: str = ""
    """Why it was not measured."""


@dataclass(slots=True)
class Figures:
    """What the game is like. A figure that is not known is None, and `unsolved` says why."""

    games: int = 0
    """Random games played."""
    length: tuple[float, int, int] | None = None
    """Mean, minimum and maximum of their moves."""
    random_first: float | None = None
    """The score of the first player, if both play at random."""
    truncated: int = 0
    """How many of them were stopped by a limit."""
    winner: str = ""
    """Who wins with best play: first, second or nobody."""
    plies: int | None = None
    """How long that takes."""
    positions: int | None = None
    method: str = ""
    matters: float | None = None
    """The share of decisions in random games in which some legal move loses value."""
    unsolved: str = ""
    """Why the solver does not know the game."""
    players: list[PlayerFigures] = field(default_factory=list)


@dataclass(slots=True)
class AuditReport:
    """Everything that one audit found."""

    game: str
    title: str
    kind: str
    """The library and its version."""
    budget: Budget
    findings: list[AuditFinding] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)
    complete: bool = False
    """Whether the audit came to its end."""
    seconds: float = 0.0

    @property
    def failed(self) -> list[AuditFinding]:
        """The checks that found a fault."""
        return [each for each in self.findings if each.status == FAILED]

    def data(self) -> dict[str, Any]:
        """The report as JSON data."""
        return asdict(self) | {"failed": [each.key for each in self.failed]}


def render_text(report: AuditReport) -> str:
    """The report as a table of the checks and a table of the figures."""
    width = max((len(each.key) for each in report.findings), default=0)
    lines = [f"{report.title} ({report.game}), {report.kind}", ""]
    lines += [f"{SIGNS[each.status]:<7} {each.key:<{width}}  {describe(each)}" for each in report.findings]
    lines += ["", *figure_lines(report.figures)]
    if not report.complete:
        lines += ["", "The audit was stopped: this is what is known so far."]
    lines += ["", verdict(report)]
    return "\n".join(lines) + "\n"


def describe(finding: AuditFinding) -> str:
    """What a check found, in a line."""
    if finding.status == NOT_CHECKED:
        return f"not checked: {finding.detail}"
    if finding.status == PASSED:
        early = "; the time was over" if finding.stopped_early else ""
        return f"{finding.title.rstrip('.')} ({finding.detail}{early})."
    return f"{finding.detail}{example_text(finding)}."


def example_text(finding: AuditFinding) -> str:
    """The moves that show a fault, as the end of a sentence."""
    if finding.example is None:
        return ""
    seed = "" if finding.seed is None else f", reset with seed {finding.seed}"
    return f" (moves: {' '.join(finding.example) or 'none'}{seed})"


def verdict(report: AuditReport) -> str:
    """The sum of it in a sentence."""
    counts = {status: sum(each.status == status for each in report.findings) for status in SIGNS}
    failed = ", ".join(each.key for each in report.failed)
    end = f"{counts[FAILED]} failed ({failed})" if failed else "none failed"
    return f"{plural(counts[PASSED], 'check')} passed, {end}, {counts[NOT_CHECKED]} not checked."


def figure_lines(figures: Figures) -> list[str]:
    """The figures, one a line."""
    lines = [f"{name:<22}{value}" for name, value in facts(figures)]
    if figures.players:
        lines += ["", f"{'against random play':<22}{'first':>7}{'second':>8}{'kept':>7}"]
    for each in figures.players:
        if each.reason:
            lines.append(f"{each.name:<22}not measured: {each.reason}")
        else:
            shares = f"{percent(each.first):>7}{percent(each.second):>8}{percent(each.kept):>7}"
            lines.append(f"{each.name:<22}{shares}")
    return lines


def facts(figures: Figures) -> list[tuple[str, str]]:
    """The figures about the game, as names and values."""
    found = []
    if figures.length:
        mean, low, high = figures.length
        found.append(
            (
                "length",
                f"{mean:.1f} moves on average, {low} to {high}, in {plural(figures.games, 'random game')}",
            )
        )
    if figures.random_first is not None:
        found.append(("first player", f"scores {percent(figures.random_first)} if both play at random"))
    if figures.truncated:
        found.append(("truncated", f"{figures.truncated} of {figures.games} random games"))
    if figures.winner:
        plies = "" if figures.plies is None else f", in {plural(figures.plies, 'move')}"
        found.append(("best play", f"{WINNERS[figures.winner]}{plies}"))
        found.append(("solved by", f"{figures.method}: {plural(figures.positions or 0, 'position')}"))
    elif figures.unsolved:
        found.append(("best play", f"not known: {figures.unsolved}"))
    if figures.matters is not None:
        found.append(("decisions that matter", percent(figures.matters)))
    return found


def percent(share: float | None) -> str:
    """A share in percent; a dash if it is not known.

    >>> percent(0.875), percent(None)
    ('88%', '-')
    """
    return "-" if share is None else f"{share:.0%}"
