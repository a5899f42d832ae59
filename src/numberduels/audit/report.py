"""What an audit found: one finding for each check, the figures, and the budget that was spent."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

PASSED, FAILED, NOT_CHECKED = "passed", "failed", "not checked"


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
class Finding:
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
    findings: list[Finding] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)
    complete: bool = False
    """Whether the audit came to its end."""
    seconds: float = 0.0

    @property
    def failed(self) -> list[Finding]:
        """The checks that found a fault."""
        return [each for each in self.findings if each.status == FAILED]

    def data(self) -> dict[str, Any]:
        """The report as JSON data."""
        return asdict(self) | {"failed": [each.key for each in self.failed]}
