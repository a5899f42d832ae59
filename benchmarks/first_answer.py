"""The time from the end of the imports to the first answer of `solve`, `review` and `hint`, at book size."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.rounds import side_by_side
from benchmarks.startup import BARE, DUEL, new_user, python, until_prompt
from numberduels.game.registry import OURS

TITLE = "First answer: time from the end of the imports"
ROUNDS = 11

LOADED = """
import sys
from numberduels.cli.main import main
main({arguments!r})
print(*[name for name in sys.modules if name != "__main__"], file=sys.stderr)
"""
IMPORTS = """
import os
import {modules}
os._exit(0)
"""
"""It ends at once, as a command that is stopped when it has answered."""


def table() -> Iterator[str]:
    """Milliseconds from the end of the imports to the answer, as a number of bare start-ups."""
    with new_user(), TemporaryDirectory() as folder:
        cases = {}
        for game in OURS:
            record = str(Path(folder, f"{game}.duel"))
            random = "--p1", "random", "--p2", "random", "--seed", "1", "--save", record
            subprocess.run([DUEL, "play", game, *random], stdout=subprocess.DEVNULL, check=True)
            cases[f"duel solve {game}"] = ("solve", game), ""
            cases[f"duel review, a random game of {game}"] = ("review", record), ""
            cases[f"hint at the first prompt of {game}"] = ("play", game), "hint\n"
        bursts: dict[str, Callable[[], float]] = {BARE: python("pass")}
        for name, (arguments, typed) in cases.items():
            bursts[name] = _answered(arguments, typed)
            bursts[f"imports of {name}"] = python(_imports(arguments, typed))
        results = side_by_side(bursts, ROUNDS)
    yield "| command | ms to the answer (median) | ms of its imports | bare start-ups after them |"
    yield "|---|---|---|---|"
    bare = results[BARE]
    for name in cases:
        answer, imports = results[name], results[f"imports of {name}"]
        rest = median((a - i) / b for a, i, b in zip(answer, imports, bare, strict=True))
        yield f"| {name} | {median(answer) * 1000:.1f} | {median(imports) * 1000:.1f} | {rest:.2f} |"


def _answered(arguments: tuple[str, ...], typed: str) -> Callable[[], float]:
    """Seconds until the first output of a command; if something is typed, until the next prompt after it."""

    def burst() -> float:
        start = time.perf_counter()
        with subprocess.Popen([DUEL, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            if typed:
                process.stdin.write(typed.encode())
                process.stdin.flush()
                until_prompt(process.stdout.fileno(), start, after=typed.encode())
            else:
                os.read(process.stdout.fileno(), 1)
            seconds = time.perf_counter() - start
            process.kill()
        return seconds

    return burst


def _imports(arguments: tuple[str, ...], typed: str) -> str:
    """A program that imports what the command has loaded when it ends, in the same order."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(arguments=list(arguments))],
        input=typed,
        capture_output=True,
        text=True,
        check=True,
    )
    return IMPORTS.format(modules=", ".join(done.stderr.splitlines()[-1].split()))
