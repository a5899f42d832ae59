"""Runs a plan: plays every game on worker processes or threads, and saves each when it is over."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from types import FrameType

from numberduels.analysis.openings import game_openings
from numberduels.arena.game_runner import play_game
from numberduels.arena.plan import Plan, PlannedGame
from numberduels.arena.results import ERROR, GameResult
from numberduels.arena.run_folder import (
    GAMES,
    LinesFile,
    PromptsFile,
    line_cost,
    locked,
    own_file,
    read_lines,
    save_plan,
)
from numberduels.engine.pool import EnginePool, EngineRejected, WorkerDied
from numberduels.game.contract import ProgressCallback
from numberduels.game.formatting import short
from numberduels.game.registry import read_game
from numberduels.players import make_player
from numberduels.players.chat import AnswerCache, BudgetSpent, RequestBudget, RequestControl
from numberduels.players.program import close_lasting

CHUNK_SECONDS = 0.25
"""The target time of a chunk: longer chunks have less overhead, shorter ones lose less after a kill."""

MAX_FAILURES = 3
"""The run is aborted when workers die this often in a row without finishing a game."""

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

CHECK_SECONDS = 0.2
"""The longest wait between two checks for a signal."""


class RunAborted(ValueError):
    """The run cannot continue; the message says why. Finished games are saved."""


def check_players(plan: Plan, *, without_models: bool = False) -> None:
    """Check that every player can play every game; ValueError names the player and the game."""
    for text in plan.games:
        game, start, _ = game_openings(read_game(text)[1], plan.seed, 0).of_round(1)
        for name in dict.fromkeys((*plan.players, *plan.against)):  # in the order in which they were named
            if without_models and name.startswith("chat:"):
                continue
            player = make_player(name, plan.terms)
            # A program would be started; it reports problems when it plays.
            if not name.startswith(("process:", "process2:")):
                try:
                    player.prepare(game, start)
                except ValueError as fault:
                    raise ValueError(f"{name} cannot play {text}: {fault}") from None
                player.close()


ChunkPlayer = Callable[[list[PlannedGame]], tuple[list[GameResult], float]]
"""Plays games in order, at least the first, and returns their results and the seconds they took."""


def play_chunk(
    chunk: list[PlannedGame],
    play: Callable[[PlannedGame], GameResult] = play_game,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[list[GameResult], float]:
    """The task of a worker: play games of a chunk, at least the first, until CHUNK_SECONDS are over.

    If the budget is spent, even the first may be missing.

    RunAborted if the first game raises an exception that no player caused.
    """
    began = clock()
    results: list[GameResult] = []
    for scheduled in chunk:
        try:
            results.append(play(scheduled))
        except BudgetSpent:
            break
        except Exception as fault:  # a bug in the game
            if not results:
                message = f"{type(fault).__name__}: {short(str(fault), 200)}"
                raise RunAborted(f"the game {scheduled.key} cannot be played: {message}") from fault
            break
        if clock() - began > CHUNK_SECONDS:
            break
    return results, clock() - began


def run_plan(
    plan: Plan,
    folder: str,
    *,
    workers: int = 1,
    progress: ProgressCallback | None = None,
    tell_growth: Callable[[list[str]], None] = lambda _added: None,
    tell_unreached: Callable[[str, str], object] = lambda _player, _reason: None,
    budget: RequestBudget | None = None,
    cache: AnswerCache | None = None,
) -> int:
    """Play the games of the plan that the folder does not hold yet.

    Returns how many games were abandoned because a player could not be reached; the next run plays them
    again. A folder that holds a smaller run is continued; `tell_growth` gets what the plan adds to it.
    `tell_unreached` gets the player and the reason for each game that is abandoned. If the run is killed,
    only games still being played are lost, and the next run continues. RunFolderError if the folder belongs
    to another run, OSError if a file cannot be written; finished games are saved. When the budget is spent,
    no more requests are sent: games that need one are abandoned. After KeyboardInterrupt threads may still
    wait for models; `exit_now` does not wait for them.
    """
    os.makedirs(folder, exist_ok=True)
    with locked(folder):
        if added := save_plan(plan, folder):
            tell_growth(added)
        results_file, prompts_file = LinesFile(own_file(folder, GAMES)), PromptsFile(folder)
        try:
            # The folder may come from anywhere: a line without one of our keys is not a game of this run.
            budget = budget or RequestBudget()
            ends = {}
            for line in read_lines(results_file.path):
                ends[str(line.get("key"))] = line.get("end")
                budget.add(line_cost(line))
            scheduled = list(plan.schedule())
            waiting = [game for game in scheduled if ends.get(game.key, ERROR) == ERROR]
            finished = len(scheduled) - len(waiting)
            progress = progress or (lambda _done, _total: None)
            progress(finished, len(scheduled))
            for results in _play_all(plan, waiting, workers, RequestControl(cache, budget)):
                prompts_file.add(results)  # first, so that no game refers to a message that is not there
                results_file.append(result.to_json() for result in results)
                ends |= {result.key: result.end for result in results}
                for unreached in filter(None, (result.unreached for result in results)):
                    tell_unreached(*unreached)
                finished += len(results)
                progress(finished, len(scheduled))
            return sum(end == ERROR for end in ends.values())
        finally:
            prompts_file.close()
            results_file.close()


def _play_all(
    plan: Plan, waiting: list[PlannedGame], workers: int, requests: RequestControl
) -> Iterator[list[GameResult]]:
    """Play the games and yield results as they come. If workers die, their games are played again."""
    failures = 0
    budget = requests.budget or RequestBudget()
    play: ChunkPlayer = play_chunk
    if plan.models:
        play = partial(play_chunk, play=partial(play_game, requests=requests))
    while waiting and not budget.spent:
        finished: set[str] = set()
        try:
            with _executor(plan, workers) as (executor, slots), deferred_signals() as check_signals:
                for results in play_chunks(
                    executor,
                    slots,
                    waiting,
                    play,
                    check_signals=check_signals,
                    may_start=lambda: not budget.spent,
                ):
                    finished |= {result.key for result in results}
                    yield results
        except WorkerDied:
            failures = 0 if finished else failures + 1
            if failures == MAX_FAILURES:
                raise RunAborted(f"the workers died {failures} times over the same games") from None
        waiting = [game for game in waiting if game.key not in finished]


def play_chunks(
    executor: Executor | EnginePool,
    slots: int,
    waiting: list[PlannedGame],
    play_chunk: ChunkPlayer = play_chunk,
    check_signals: Callable[[], None] = lambda: None,
    may_start: Callable[[], bool] = lambda: True,
) -> Iterator[list[GameResult]]:
    """Keep two chunks queued for each slot, and adapt the chunk size to CHUNK_SECONDS.

    `check_signals` is called at least every CHECK_SECONDS; what it raises ends the run. When
    `may_start` is false, the chunks that are being played are the last.
    """
    queue = deque(waiting)
    size = 1
    running: dict[Future[tuple[list[GameResult], float]], list[PlannedGame]] = {}
    while (queue and may_start()) or running:
        while queue and len(running) < 2 * slots and may_start():
            chunk = [queue.popleft() for _ in range(min(size, len(queue)))]
            running[executor.submit(play_chunk, chunk)] = chunk
        check_signals()
        if not may_start():
            for future in [future for future in running if future.cancel()]:
                del running[future]
        done, _ = wait(running, CHECK_SECONDS, return_when=FIRST_COMPLETED)
        for future in [future for future in running if future in done]:
            chunk = running.pop(future)
            try:
                results, seconds = future.result()
            except EngineRejected as fault:  # by a worker process: other executors raise it as it is
                raise RunAborted(str(fault)) from None
            count = len(results)
            queue.extendleft(reversed(chunk[count:]))
            size = max(1, min(2 * count, round(count * CHUNK_SECONDS / max(seconds, 1e-4))))
            yield results


@contextmanager
def _executor(plan: Plan, workers: int) -> Iterator[tuple[Executor | EnginePool, int]]:
    """The executor for the games, and how many games it plays at once."""
    if plan.models:
        # Waiting for models needs no processor: threads are enough, and share the limit on open requests.
        threads, failed = ThreadPoolExecutor(plan.terms.concurrency), True
        try:
            yield threads, plan.terms.concurrency
            failed = False
        finally:
            close_lasting()
            threads.shutdown(wait=not failed, cancel_futures=True)  # they cannot be stopped
    else:
        # After an exception, games still being played are lost.
        queued = 2 * workers
        with EnginePool(
            workers, None, None, each=queued, waiting=queued, spare=0, tasks="", nice=0
        ) as processes:
            yield processes, workers


@contextmanager
def deferred_signals() -> Iterator[Callable[[], None]]:
    """Hold back the handlers of Ctrl-C and termination; calling what is yielded runs one that is due.

    Python raises KeyboardInterrupt between any two instructions of the main thread. In the middle of
    `concurrent.futures.wait` that can leave the lock of a future taken for ever. A signal that comes just
    before a wait without a timeout, or to another thread, does not wake that wait.

    A handler that was not called that way runs at the end, unless an exception ends the block anyway. In a
    thread that is not the main thread nothing changes, because Python runs handlers in the main thread only.
    """
    main = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in SIGNALS} if main else {}
    # What is not callable is ignored, or ends the process as the system does it.
    held = {number: handler for number, handler in handlers.items() if callable(handler)}
    due: list[tuple[int, FrameType | None]] = []

    def check() -> None:
        if due:
            number, frame = due.pop(0)
            held[number](number, frame)

    for number in held:
        signal.signal(number, lambda number, frame: due.append((number, frame)))
    try:
        yield check
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
    check()
