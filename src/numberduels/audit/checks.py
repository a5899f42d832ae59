"""The checks of an audit: what a good environment does, each with a function that looks for a fault.

A check returns a phrase that says what was looked at. It raises CheckFailed with an example, or NotChecked.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from numberduels.audit.report import CheckFailed
from numberduels.audit.subject import Case, Subject, look, probe, try_case
from numberduels.game.adopted.interface import Episode, NotChecked, describe
from numberduels.game.formatting import plural

SEEDS = (0, 1, 2, 7, 12345)
"""The seeds of `reset` that are compared."""

TRIED = 40
"""Positions in which an illegal action is tried."""

PLIES = 60
"""Moves of a game that is played twice for comparison."""

EXPLORED = 2_000
"""Positions that are compared with everything that can follow at once, from the start on."""

Appearance = tuple[Any, ...]


def check_contract(subject: Subject) -> str:
    """There are legal actions exactly while the game goes on, and each of them can be played."""
    positions = 0
    for seed, walk in subject.games():
        last: tuple[str, ...] = ()
        try:
            for episode in walk:
                positions += 1
                last = subject.moves(episode)
                _check_actions(subject, episode, seed)
        except (CheckFailed, NotChecked):
            raise
        except (Exception, SystemExit) as fault:
            raise CheckFailed(f"a legal action fails: {describe(fault)}", last, seed) from None
    return f"in {plural(positions, 'position')}"


def _check_actions(subject: Subject, episode: Episode, seed: int) -> None:
    actions = list(episode.actions())
    example = subject.moves(episode)
    if episode.seat is None and actions:
        raise CheckFailed("there are legal actions after the end", example, seed)
    if episode.seat is not None and not actions:
        raise CheckFailed("the game goes on, but there is no legal action", example, seed)
    if len(set(actions)) < len(actions):
        raise CheckFailed("a legal action is listed twice", example, seed)


def check_seeds(subject: Subject) -> str:
    """The same seed gives the same start, whatever happened before."""
    if not subject.environment.uses_seeds:
        raise NotChecked("reset takes no seed")
    starts = []
    with _global_generators_kept():
        for seed in SEEDS:
            looks = []
            for disturbance in (1, 2, 3):
                _seed_globals(disturbance)
                looks.append(look(subject.reset(seed)))
            if looks[0] != looks[1] or looks[0] != looks[2]:
                raise CheckFailed(f"reset(seed={seed}) gives different starts", (), seed)
            starts.append(looks[0])
    different = len(set(map(repr, starts)))
    return f"{len(SEEDS)} seeds, {plural(different, 'different start')}"


def check_globals(subject: Subject) -> str:
    """The global generators of `random` and NumPy are left alone."""
    numpy = sys.modules.get("numpy")
    with _global_generators_kept():
        _seed_globals(5)
        before = _global_states(numpy)
        for number, (seed, walk) in enumerate(subject.games()):
            for episode in walk:
                if _global_states(numpy) != before:
                    step = "a step" if episode.history else "reset"
                    raise CheckFailed(f"{step} uses a global generator", subject.moves(episode), seed)
            if number >= 4:
                break
    return "random" if numpy is None else "random and numpy.random"


def _global_states(numpy: Any) -> tuple[Any, ...]:
    return random.getstate(), None if numpy is None else repr(numpy.random.get_state())


def _seed_globals(seed: int) -> None:
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


@contextmanager
def _global_generators_kept() -> Iterator[None]:
    """Put the global generators back afterwards: the audit keeps the rule that it checks."""
    numpy = sys.modules.get("numpy")
    kept = random.getstate(), None if numpy is None else numpy.random.get_state()
    try:
        yield
    finally:
        random.setstate(kept[0])
        if numpy is not None:
            numpy.random.set_state(kept[1])


def check_deterministic(subject: Subject) -> str:
    """The same actions have the same consequences, with every seed that gives the same start."""
    compared = 0
    for number in range(min(subject.budget.games, 10)):
        seed = subject.budget.seed + number
        start = subject.reset(seed)
        actions = _played(start.copy(), Random(f"twice {seed}"))
        others = [start.copy()]
        if subject.environment.uses_seeds:
            other = subject.reset(seed + 1000)
            if look(other) == look(start):
                others.append(other)
        for other in others:
            compared += _compare(subject, start.copy(), other, actions, seed)
    return f"{plural(compared, 'move')} played twice"


def _played(episode: Episode, rng: Random) -> list[int]:
    """Play at random; returns the actions."""
    for _ in range(PLIES):
        actions = episode.actions()
        if not actions:
            break
        episode.step(rng.choice(list(actions)))
    return list(episode.history)


def _compare(subject: Subject, one: Episode, other: Episode, actions: list[int], seed: int) -> int:
    for ply, action in enumerate(actions):
        if action not in one.actions() or action not in other.actions():
            raise CheckFailed("the same actions lead to different legal actions", subject.moves(one), seed)
        one.step(action)
        other.step(action)
        if look(one) != look(other) or one.returns() != other.returns():
            raise CheckFailed(
                f"move {ply + 1} has different consequences when it is repeated", subject.moves(one), seed
            )
    return len(actions)


def check_independence(subject: Subject) -> str:
    """Games do not influence each other: not a copy, and not the game before on the same object."""
    seed = subject.budget.seed
    episode = subject.reset(seed)
    before = look(episode)
    actions = _played(episode.copy(), Random(f"copy {seed}"))
    if look(episode) != before:
        raise CheckFailed(
            "playing on a copy changes the original", tuple(map(subject.environment.move_text, actions))
        )
    subject.require("seeds", "deterministic")
    _played(episode, Random(f"first {seed}"))
    example = subject.moves(episode)
    try:
        again = episode.restarted(seed)
    except NotChecked as reason:
        return f"copies; {reason}"
    fresh = subject.reset(seed)
    if look(again) != look(fresh):
        raise CheckFailed("reset after a game does not give the start of a new object", example, seed)
    for action in actions:
        if action not in again.actions() or action not in fresh.actions():
            break
        again.step(action)
        fresh.step(action)
        if look(again) != look(fresh) or again.returns() != fresh.returns():
            raise CheckFailed("a game after reset is not like one on a new object", example, seed)
    return "copies, and a second game on the same object"


def check_zero_sum(subject: Subject) -> str:
    """What one seat gains the other loses."""
    if not subject.environment.tells_both_rewards:
        raise NotChecked("only the reward of the player who has moved is told")
    ended = 0
    for seed, walk in subject.games():
        for episode in walk:
            first, second = episode.returns()
            if abs(first + second) > 1e-9:
                raise CheckFailed(
                    f"the returns are {first:g} and {second:g}, which do not add up to 0",
                    subject.moves(episode),
                    seed,
                )
        ended += episode.seat is None
    return f"in {plural(ended, 'finished game')}"


def check_rewards(subject: Subject) -> str:
    """The winner has the larger return, and a tie has equal ones."""
    ended = 0
    for seed, episode in subject.finished_games():
        if episode.seat is not None or episode.truncated:
            continue
        winner = episode.declared_winner()
        first, second = episode.returns()
        rewarded = None if first == second else 0 if first > second else 1
        names = {0: "the first player", 1: "the second player", None: "nobody"}
        if rewarded != winner:
            raise CheckFailed(
                f"{names[winner]} has won, but the returns are {first:g} and {second:g}",
                subject.moves(episode),
                seed,
            )
        ended += 1
    if not ended:
        raise NotChecked("no random game ended")
    return f"in {plural(ended, 'finished game')}"


def check_illegal(subject: Subject) -> str:
    """An action that is not legal is refused: by an exception, or by a negative reward."""
    cases: list[Case] = []
    size = subject.environment.num_actions
    for seed, walk in subject.games():
        rng = Random(f"illegal {seed}")
        for episode in walk:
            legal = set(episode.actions())
            illegal = [action for action in rng.sample(range(size), min(size, 20)) if action not in legal]
            if episode.seat is not None and illegal:
                cases.append(Case(seed, episode.history, illegal[0], False))
            if len(episode.history) > PLIES:
                break
        if len(cases) >= 4 * TRIED:
            break
    if not cases:
        raise NotChecked("every action is always legal")
    return _refused(subject, _spread(cases), "the illegal action {action}")


def _spread(cases: list[Case]) -> list[Case]:
    """Some of the cases, from the whole length of the games."""
    step = max(1, len(cases) // TRIED)
    return cases[::step][:TRIED]


def check_after_end(subject: Subject) -> str:
    """An action after the end is refused, or at least not rewarded."""
    cases = []
    for seed, episode in subject.finished_games():
        if episode.seat is None and episode.history:
            cases.append(Case(seed, episode.history, episode.history[0], True))
        if len(cases) >= 5:
            break
    if not cases:
        raise NotChecked("no random game ended")
    return _refused(subject, cases, "the action {action} after the end")


def _refused(subject: Subject, cases: list[Case], what: str) -> str:
    subject.require("seeds", "deterministic")
    if subject.environment.native:
        results = probe(subject.environment.text, cases)
    else:
        results = [try_case(subject.environment, case) for case in cases]
    for case, result in zip(cases, results, strict=False):
        if result:
            example = tuple(map(subject.environment.move_text, case.history))
            raise CheckFailed(f"{what.format(action=case.action)} {result}", example, case.seed)
    return f"in {plural(len(cases), 'position')}"


def check_spaces(subject: Subject) -> str:
    """Observations, legal actions and returns are inside of what is declared."""
    positions = 0
    for seed, walk in subject.games():
        for episode in walk:
            positions += 1
            if fault := episode.space_fault():
                raise CheckFailed(fault, subject.moves(episode), seed)
    return f"in {plural(positions, 'position')}"


def check_ends(subject: Subject) -> str:
    """Every random game ends, or a limit stops it as truncated."""
    lengths, stopped = [], 0
    for seed, episode in subject.finished_games():
        if episode.seat is not None and episode.actions():
            example = subject.moves(episode)[:20]
            raise CheckFailed(f"no end within {subject.budget.plies:,} moves; it began with", example, seed)
        lengths.append(len(episode.history))
        stopped += episode.truncated
    told = f"{plural(len(lengths), 'game')} of {min(lengths)} to {max(lengths)} moves"
    return f"{told}, {stopped} truncated" if stopped else told


# Does the observation tell all? Two positions that look alike must go on alike.


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


Check = Callable[[Subject], str]

CHECKS: dict[str, Check] = {
    "contract": check_contract,
    "seeds": check_seeds,
    "globals": check_globals,
    "deterministic": check_deterministic,
    "independent": check_independence,
    "zero-sum": check_zero_sum,
    "rewards": check_rewards,
    "illegal": check_illegal,
    "after-end": check_after_end,
    "spaces": check_spaces,
    "observation": check_observations,
    "ends": check_ends,
}
"""The checks by key, in order. The docstring of a check says what a good environment does."""
