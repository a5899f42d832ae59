"""Steps that are not allowed, tried in a process of their own, because compiled code may crash.

    python -m numberduels.audit.probe

reads JSON from standard input: the name of the environment, and a list of cases `[seed, history, action,
after_end]`. It prints what happened in each case, one line for each.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

from numberduels.game.adopted import load_environment
from numberduels.game.adopted.simulator import Environment

PATIENCE = 120
"""Seconds until the process is ended."""


class Case(NamedTuple):
    """An action that is not allowed after these actions."""

    seed: int
    history: tuple[int, ...]
    action: int
    after_end: bool


def try_case(environment: Environment, case: Case) -> str:
    """What happened, as a phrase; nothing if the action was refused."""
    episode = environment.reset(case.seed)
    for action in case.history:
        episode.step(action)
    return episode.try_after_end(case.action) if case.after_end else episode.try_illegal(case.action)


def probe(text: str, cases: Sequence[Case]) -> list[str]:
    """What happened in each case; a crash ends the list with a phrase that says so."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "numberduels.audit.probe"],
            input=json.dumps([text, cases]),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [f"did not return within {PATIENCE} seconds"]
    results = [json.loads(line) for line in done.stdout.splitlines()]
    if len(results) < len(cases):
        end = f"by signal {-done.returncode}" if done.returncode < 0 else f"with status {done.returncode}"
        results.append(f"ended the Python process {end}")
    return results


def main() -> None:
    """Try the cases of standard input."""
    text, cases = json.load(sys.stdin)
    environment = load_environment(text)
    for case in cases:
        print(json.dumps(try_case(environment, Case(*case))), flush=True)


if __name__ == "__main__":
    main()
