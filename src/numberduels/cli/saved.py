"""Kept games by short ids: `duel review 0a1b2c`, or `duel review last`, instead of a long path."""

from __future__ import annotations

import os

from numberduels.cli.parser import CliError
from numberduels.game.formatting import short

LAST = "last"
"""Means the game or match that was played last."""


def find_file(text: str) -> str:
    """The path of the file that a path, an id or the word `last` means.

    A text that looks like a path is returned as it is, so that reading it says what is wrong with it.
    """
    from numberduels.game import files

    if not text or "\0" in text or os.path.exists(files.absolute_path(text)):
        return text
    from numberduels.play.saved_games import full_id, kept_paths, matching_paths

    if text == LAST:
        found = kept_paths()[:1]
        if not found:
            raise CliError("no game is kept here yet; to play one: duel play GAME")
    else:
        found = matching_paths(text)
    if len(found) > 1:
        ids = list(map(full_id, found))
        if len(set(ids)) < len(ids):  # a game and a match that a person has named alike
            ids = list(map(os.path.basename, found))
        raise CliError(f"{short(text)} can be {' or '.join(ids)}: say which")
    if found:
        return found[0]
    if any(char in text for char in "/\\.~"):
        return text
    raise CliError(f"there is no file and no kept game called {short(text)}; duel list shows the kept ones")


def short_name(path: str) -> str:
    """What to call a file on the command line: its id if it is kept in the data folder, else its path."""
    from numberduels.play.saved_games import is_kept, matching_paths, short_id

    name = short_id(path)
    return name if is_kept(path) and matching_paths(name) == [path] and not _misleading(name) else path


def _misleading(name: str) -> bool:
    """Whether an id would be taken for something else."""
    return name == LAST or name.startswith("-") or os.path.exists(name) or not name.isprintable()
