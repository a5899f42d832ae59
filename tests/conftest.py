"""What many tests share: hypothesis the same on every run, what was left out, walks beside a naive twin."""

from __future__ import annotations

import inspect
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, Protocol

import pytest
from hypothesis import settings

import announcement
from tables import finish

settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")

BEGAN = pytest.StashKey[float]()


def pytest_configure() -> None:
    """Let tests and programs that they start hear Ctrl-C and hang-ups, though a shell or nohup ignores them.

    A handler is not inherited, and an ignored signal is.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run tests that are coroutines."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    finish(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say what `make test` will do and how long it takes here."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if (
        reporter
        and announcement.is_whole_quick_run(session.config)
        and not hasattr(session.config, "workerinput")
    ):
        reporter.write_line(announcement.text(session.config))
        session.config.stash[BEGAN] = time.monotonic()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in which order the tests ran, which did not and why, and which command would run them."""
    began, stats = terminalreporter.config.stash.get(BEGAN, None), terminalreporter.stats
    if began is not None and "error" not in stats:
        tests = sum(len(stats.get(kind, ())) for kind in ("passed", "failed", "skipped"))
        announcement.remember(terminalreporter.config, tests, time.monotonic() - began)
    skipped: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        skipped[reason.removeprefix("Skipped: ")] += 1
    for reason, count in sorted(skipped.items()):
        terminalreporter.write_line(f"skipped {count}: {reason}")
    seed = terminalreporter.config.getoption("randomly_seed", None)
    if seed is not None:
        terminalreporter.write_line(f"the order of this run: --randomly-seed={seed}")
    if terminalreporter.config.option.markexpr == "not long":
        terminalreporter.write_line("the long tests were left out; to run everything: make test-all")


class Naive(Protocol):
    """A game in progress as the rule book tells it: plain lists, no masks, history and all."""

    def moves(self) -> list[Any]: ...

    def play(self, move: Any) -> None: ...

    def winner(self) -> int | None: ...


Agree = Callable[[Any, Any, Naive, Random], None]
AgreeEverywhere = Callable[[Any, Any, Naive, int], int]


def _same(game: Any, state: Any, naive: Naive) -> None:
    assert list(game.moves(state)) == naive.moves()
    outcome = game.outcome(state)
    assert (outcome.winner if outcome else None) == naive.winner()
    if hasattr(naive, "score"):
        assert list(game.scores(state)) == naive.score


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """A PostgreSQL for all tests of this process."""
    from postgresql import server

    with server() as running:
        yield running


@pytest.fixture(scope="session")
def agree() -> Agree:
    """Walk at random through the game and its naive twin: the same moves, the same end."""

    def walk(game: Any, state: Any, naive: Naive, rng: Random, plies: int = 300) -> None:
        for ply in range(plies):
            _same(game, state, naive)
            assert game.turn(state) == ply % 2
            moves = game.moves(state)
            if not moves:
                break
            move = rng.choice(moves)
            state = game.play(state, move)
            naive.play(move)

    return walk


@pytest.fixture(scope="session")
def agree_everywhere() -> AgreeEverywhere:
    """Walk through every line of play down to a depth beside the naive twin; how many there are."""

    def walk(game: Any, state: Any, naive: Naive, depth: int) -> int:
        _same(game, state, naive)
        lines = 1
        for move in game.moves(state) if depth else ():
            twin = deepcopy(naive)
            twin.play(move)
            lines += walk(game, game.play(state, move), twin, depth - 1)
        return lines

    return walk
