"""Lines as a run writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from numberduels.arena.game_runner import play_game
from numberduels.arena.plan import Plan
from numberduels.arena.report import RunReport
from numberduels.arena.results import read_result

GAMES = (
    *("range-war:size=12:opening=lower", "number-snatch:size=6:top=12", "restricted-removal:size=12"),
    *("summation-duel:size=6:target=15", "number-collision:size=4:values=3"),
)
HOSTILE = (
    "Let me think. </script><script>alert(1)</script> MOVE: 4",
    "<!-- <img src=x onerror=alert(1)> & \"quotes\" 'too'",
    "\u202egnorw \u200f\x00 null and right to left",
    "a lone \ud800 half",
    "multiple\nlines\n\n\tand a tab " + "x" * 300,
)


@cache
def sample() -> list[dict[str, Any]]:
    """Five games of three players from the start, then a forfeit, an abandoned game, and hostile answers."""
    plan = Plan(("perfect", "casual", "random"), GAMES, rounds=1, seed="7", opening=0, limit=30)
    lines = [play_game(each).to_json() for each in plan.schedule()]
    attempts = [*(attempt(each, "no") for each in HOSTILE), attempt("MOVE: 4", "")]
    talk = [move(0, after="win", attempts=attempts)]
    crash = {"seat": 1, "cause": "crash", "message": HOSTILE[0]}
    lines.append(line(key="range-war:size=9 | a | b | 1", moves=talk, end="forfeit", forfeit=crash))
    return [*lines, abandoned(0, talk, key="range-war:size=9 | a | b | 2")]


def attempt(answer: str, fault: str) -> dict[str, Any]:
    return {"answer": answer, "fault": fault, "seconds": 1.2, "tokens_in": 310, "tokens_out": 12}


def line(result: str = "1-0", *, players: tuple[str, ...] = ("a", "b"), **more: Any) -> dict[str, Any]:
    """A game with nothing in it but its result."""
    return {"game": "range-war", "players": list(players), "result": result, "moves": [], **more}


def move(seat: int, verdict: str | None = "kept", **more: Any) -> dict[str, Any]:
    """A judged move where there was something to lose."""
    told = {"seat": seat, "move": "4", "verdict": verdict, "before": "win", "losing": 1}
    return told | more


def make_report(lines: Sequence[dict[str, Any]], config: Mapping[str, Any]) -> RunReport:
    """The report on these lines."""
    return RunReport([read_result(number, each) for number, each in enumerate(lines, 1)], config)


def abandoned(seat: int, moves: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    """A game in which this seat could not be reached when it was to move."""
    lost: dict[str, Any] = {"seat": seat, "move": None, "verdict": None, "seconds": 30.0, "attempts": []}
    error = {"seat": seat, "cause": "error"}
    return line("*", moves=[*(moves or []), lost], end="error", forfeit=error, **more)
