"""Does the observation tell all? Two positions that look alike must go on alike."""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Any

from numberduels.audit.report import CheckFailed
from numberduels.audit.walks import Subject
from numberduels.game.adopted.simulator import Episode, NotChecked
from numberduels.game.formatting import plural

EXPLORED = 2_000
"""Positions that are compared with everything that can follow at once, from the start on."""

Appearance = tuple[Any, ...]


class Comparison:
    """What was seen so far: for each appearance and action, what followed, and after which moves."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.followed: dict[tuple[Appearance, int], tuple[Any, tuple[str, ...]]] = {}
        self.repeated = 0

    def add(self, before: Appearance, moves: tuple[str, ...], action: int, gain: Any, after: Episode) -> None:
        """Note what an action led to; CheckFailed if it led elsewhere from the same appearance."""
        if after.truncated:
            return  # the number of moves is not part of the position
        over = after.seat is None
        result = gain, over, None if over else appearance(after)
        known, example = self.followed.setdefault((before, action), (result, moves))
        self.repeated += moves != example
        if known == result:
            return
        what = self.subject.environment.move_text(action)
        if known[:2] != result[:2]:
            differs = "ends or is rewarded differently"
        else:
            differs = "leads to different observations or legal actions"
        raise CheckFailed(
            f"two positions look alike, but {what} {differs}; the other one comes after"
            f" {' '.join(example) or 'no move'}",
            moves,
        )


def appearance(episode: Episode) -> Appearance:
    """What the player to move sees: the observation and the legal actions."""
    seat = episode.seat
    assert seat is not None, "nobody is to move"
    return seat, episode.observation(seat), tuple(episode.actions())


def check_observations(subject: Subject) -> str:
    """The observation and the legal actions tell everything that matters."""
    start = subject.reset(subject.budget.seed)
    start.observation(0)  # NotChecked, if there are none
    subject.require("deterministic")
    comparison = Comparison(subject)
    explored, everything = _explore(subject, comparison, start)
    for _, walk in subject.games():
        if everything or subject.out_of_time:
            break
        _follow(subject, comparison, next(walk))
    if not comparison.repeated and not everything:
        raise NotChecked(f"no two of {plural(explored, 'position')} looked alike")
    if everything:
        return f"all {plural(explored, 'position')}"
    alike = plural(comparison.repeated, "move")
    return f"{plural(explored, 'position')}; {alike} from positions that look alike"


def _explore(subject: Subject, comparison: Comparison, start: Episode) -> tuple[int, bool]:
    """Compare all actions from the start on, breadth first; whether that was everything."""
    waiting = deque([start])
    known = {_identity(start)}
    explored = 0
    while waiting:
        if explored >= EXPLORED or subject.out_of_time:
            return explored, False
        episode = waiting.popleft()
        explored += 1
        before, moves, returns = appearance(episode), subject.moves(episode), episode.returns()
        for action in episode.actions():
            after = episode.copy()
            after.step(action)
            comparison.add(before, moves, action, _gain(returns, after), after)
            if after.seat is not None and _identity(after) not in known:
                known.add(_identity(after))
                waiting.append(after)
    return explored, True


def _identity(episode: Episode) -> Any:
    """The history if nothing better is known, and for environments with keys the key."""
    found = episode.key()
    return episode.history if found is None else found


def _gain(returns: tuple[float, float], after: Episode) -> tuple[float, float]:
    first, second = after.returns()
    return round(first - returns[0], 9), round(second - returns[1], 9)


def _follow(subject: Subject, comparison: Comparison, episode: Episode) -> None:
    """Compare the actions of one random game."""
    rng = Random(repr(("observations", episode.history, subject.budget.seed)))
    for _ in range(subject.budget.plies):
        if episode.seat is None:
            return
        before, moves, returns = appearance(episode), subject.moves(episode), episode.returns()
        action = rng.choice(list(episode.actions()))
        episode.step(action)
        comparison.add(before, moves, action, _gain(returns, episode), episode)
