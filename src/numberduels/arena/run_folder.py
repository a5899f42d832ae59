"""The folder of a run while it is played: its lock and its plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from numberduels.arena.plan import Plan
from numberduels.arena.results_file import PLAN, own_file
from numberduels.arena.saved_plan import conflicts, growth
from numberduels.game import files
from numberduels.game.file_locks import lock_file

LOCK = "lock"


class RunFolderError(ValueError):
    """The folder cannot be used for this run; the message says why."""


def save_plan(plan: Plan, folder: str) -> list[str]:
    """Save the plan in the folder, if it is new there or continues the one saved there.

    Returns what it adds to the saved plan. RunFolderError names the differences that would change games.
    """
    path = own_file(folder, PLAN)
    given = plan.data()
    text = json.dumps(given, indent=1) + "\n"
    try:
        with open(path, encoding="utf-8") as file:
            saved_text = file.read()
        saved = json.loads(saved_text)
        if not isinstance(saved, dict):
            raise ValueError
    except FileNotFoundError:
        files.write_text(path, text)
        return []
    except ValueError:
        raise RunFolderError(f"{PLAN} in that folder is not the plan of a run") from None
    if "parts" in saved:
        raise RunFolderError("that folder holds merged runs of different plans, which cannot be continued")
    differences = conflicts(saved, given)
    if differences:
        raise RunFolderError(
            f"that folder holds another run; {'; '.join(differences)}; a run can get more rounds, positions,"
            " players, opponents and games, and nothing else may change"
        )
    added = growth(saved, given)
    if added or saved.get("total") != given["total"]:
        files.write_text(path, text, replacing=saved_text)
    return added


@contextmanager
def locked(folder: str) -> Iterator[None]:
    """Lock the folder against a second run."""
    with open(own_file(folder, LOCK), "a", encoding="utf-8") as lock:
        try:
            lock_file(lock.fileno(), wait=False)
        except OSError:
            raise RunFolderError("another run is writing there; wait for it, or stop it") from None
        yield
