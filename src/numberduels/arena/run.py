"""A run: every game of a plan is played somewhere, and kept as soon as it is over."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from typing import Any

from numberduels import files
from numberduels.arena.game_runner import GameRunner, Line
from numberduels.arena.openings import openings
from numberduels.arena.plan import Plan, ScheduledGame, read_game
from numberduels.arena.results_file import ERROR, GAMES, PLAN, ResultsFile, lines, own_file
from numberduels.arena.workers import WorkerDied, WorkerPool
from numberduels.players import make_player
from numberduels.text import short

LOCK = "lock"

FREE = ("concurrency", "total")
"""What may change from one part of a run to the next: it changes no game, or follows from what does."""

CHUNK_SECONDS = 0.25
"""Seconds after which an errand is over: fewer errands cost less, and a kill loses little."""

PATIENCE = 3
"""How often the workers may die over the same games before the run gives up."""

Progress = Callable[[int, int], None]


class RunFolderError(ValueError):
    """The folder holds a run of another plan; the message shows what differs."""


class RunAborted(ValueError):
    """The run cannot go on; the message says why. What was finished is kept."""


def _unseen(done: int, total: int) -> None:
    """Nobody looks on."""


def play(scheduled: ScheduledGame) -> Line:
    """Play a game, or make a decision, and return what is to be kept of it."""
    runner = GameRunner(scheduled)
    began = time.perf_counter()
    with ExitStack() as leaving:
        for player in runner.players:
            leaving.callback(player.close)
        runner.run()
    return runner.line(time.perf_counter() - began)


def check(plan: Plan) -> None:
    """See that everybody can play every game; ValueError says who cannot play what."""
    for text in plan.games:
        game, start, _ = openings(read_game(text)[1], plan.seed, 0).at(1)
        for name in {*plan.players, *plan.against}:
            player = make_player(name, plan.terms)
            if not name.startswith("process:"):  # which would start it; it says so itself when it is asked
                try:
                    player.prepare(game, start)
                except ValueError as fault:
                    raise ValueError(f"{name} cannot play {text}: {fault}") from None
                player.close()


ChunkPlayer = Callable[[list[ScheduledGame]], tuple[list[Line], float]]
"""Plays some games, the first at least, and returns them with the seconds that they took."""


def play_chunk(
    fixtures: list[ScheduledGame],
    play: Callable[[ScheduledGame], Line] = play,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[list[Line], float]:
    """What a worker does: play some games, the first at least, until it is time to hand them in.

    How long that took is told, too. Halted if the first game cannot be played; players cannot cause that.
    """
    began = clock()
    kept: list[Line] = []
    for scheduled in fixtures:
        try:
            kept.append(play(scheduled))
        except Exception as fault:  # the game itself is broken
            if not kept:
                told = f"{type(fault).__name__}: {short(str(fault), 200)}"
                raise RunAborted(f"the game {scheduled.key} cannot be played: {told}") from fault
            break
        if clock() - began > CHUNK_SECONDS:
            break
    return kept, clock() - began


def run(
    plan: Plan,
    folder: str,
    *,
    workers: int = 1,
    dask: str = "",
    progress: Progress | None = None,
) -> int:
    """Play what is still to be played of the plan, on processes of this machine or on a Dask cluster.

    Returns how many games were abandoned because a player could not be reached, which is nobody's loss: the
    next run plays them again. A kill at any moment loses the games in the air, and the next run goes on.
    ValueError where the folder is not this run's, OSError where nothing can be written: what was finished is
    kept. On KeyboardInterrupt threads may still be waiting for answers; `leave` does not wait for them.
    """
    os.makedirs(folder, exist_ok=True)
    with _alone(folder):
        _same(plan, folder)
        results_file = ResultsFile(own_file(folder, GAMES))
        try:
            # The folder may be a stranger's: a line without a key of ours is no game of this run.
            ends = {str(line.get("key")): line.get("end") for line in lines(results_file.path)}
            done = {key for key, end in ends.items() if end != ERROR}
            fixtures = list(plan.schedule())
            waiting = [scheduled for scheduled in fixtures if scheduled.key not in done]
            finished = len(fixtures) - len(waiting)
            progress = progress or _unseen
            progress(finished, len(fixtures))
            for kept in _played(plan, waiting, workers, dask):
                results_file.add(kept)
                ends |= {line["key"]: line["end"] for line in kept}
                finished += len(kept)
                progress(finished, len(fixtures))
            return sum(end == ERROR for end in ends.values())
        finally:
            results_file.close()


def _same(plan: Plan, folder: str) -> None:
    """Note the plan in the folder, or see that it is the one noted there."""
    path = own_file(folder, PLAN)
    try:
        with open(path, encoding="utf-8") as file:
            noted = json.load(file)
    except FileNotFoundError:
        files.write_text(path, json.dumps(plan.data(), indent=1) + "\n")
        return
    except ValueError:
        raise RunFolderError(f"{PLAN} in that folder is not the plan of a run") from None
    differences = list(_differences(noted, plan.data()))
    if differences:
        raise RunFolderError("that folder holds another run; " + "; ".join(differences))


def _differences(noted: Any, asked: Any, name: str = "") -> Iterator[str]:
    if isinstance(noted, dict) and isinstance(asked, dict):
        for key in [*asked, *(key for key in noted if key not in asked)]:
            if key not in FREE:
                yield from _differences(noted.get(key), asked.get(key), key)
    elif noted != asked:
        yield f"{name} was {json.dumps(noted)} and is now {json.dumps(asked)}"


@contextmanager
def _alone(folder: str) -> Iterator[None]:
    """Keep a second run out of the folder while this one lasts."""
    import fcntl

    with open(own_file(folder, LOCK), "a", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RunFolderError("another run is writing there; wait for it, or stop it") from None
        yield


def _played(plan: Plan, waiting: list[ScheduledGame], workers: int, dask: str) -> Iterator[list[Line]]:
    """The games as they are finished, some at a time."""
    left = waiting
    broken = 0
    while left:
        ended: set[str] = set()
        try:
            with _executor(plan, workers, dask) as (executor, slots):
                for kept in play_chunks(executor, slots, left):
                    ended |= {line["key"] for line in kept}
                    yield kept
        except Exception as fault:
            # Dask has its own name for it.
            if not isinstance(fault, WorkerDied) and type(fault).__name__ != "KilledWorker":
                raise
            # Nothing of theirs was counted: they begin again.
            broken = 0 if ended else broken + 1
            if broken == PATIENCE:
                raise RunAborted(f"the workers died {broken} times over the same games") from None
        left = [scheduled for scheduled in left if scheduled.key not in ended]


def play_chunks(
    executor: Executor, slots: int, waiting: list[ScheduledGame], play_chunk: ChunkPlayer = play_chunk
) -> Iterator[list[Line]]:
    """Keep all hands busy, with errands as long as they should be."""
    queue = deque(waiting)
    size = 1
    running: dict[Future[tuple[list[Line], float]], list[ScheduledGame]] = {}
    while queue or running:
        while queue and len(running) < 2 * slots:
            piece = [queue.popleft() for _ in range(min(size, len(queue)))]
            running[executor.submit(play_chunk, piece)] = piece
        over, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in [future for future in running if future in over]:
            piece = running.pop(future)
            kept, seconds = future.result()
            queue.extendleft(reversed(piece[len(kept) :]))
            size = max(1, min(2 * len(kept), round(len(kept) * CHUNK_SECONDS / max(seconds, 1e-4))))
            yield kept


@contextmanager
def _open(pool: Executor) -> Iterator[Executor]:
    """The pool, closed afterwards. If the run is broken off, the games still being played are lost."""
    patient = True
    try:
        yield pool
    except BaseException:
        patient = isinstance(pool, WorkerPool)  # threads cannot be told, and answer when they will
        if isinstance(pool, WorkerPool):
            pool.terminate()
        raise
    finally:
        pool.shutdown(wait=patient, cancel_futures=True)


@contextmanager
def _executor(plan: Plan, workers: int, dask: str) -> Iterator[tuple[Executor, int]]:
    """What plays the games, and how many it plays at once."""
    if dask:
        from distributed import Client

        try:
            client = Client(dask, timeout=PATIENCE * 5)
        except OSError:
            raise RunAborted(f"no Dask scheduler answers at {dask}") from None
        with client:
            yield client.get_executor(pure=False), max(1, sum(client.ncores().values()))
        return
    if plan.models:
        # Models are waited for, not computed: threads do, and share the limit of open questions.
        with _open(ThreadPoolExecutor(plan.terms.concurrency)) as threads:
            yield threads, plan.terms.concurrency
        return
    with _open(WorkerPool(workers)) as pool:
        yield pool, workers
