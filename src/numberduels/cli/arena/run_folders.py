"""Reading the folders of runs that the user names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from numberduels.cli.console import error_reason
from numberduels.cli.parser import CliError
from numberduels.game.files import absolute_path
from numberduels.game.formatting import short


@contextmanager
def reading_runs(folders: Sequence[str]) -> Iterator[None]:
    """Turn what goes wrong while the folders are read into errors for the user."""
    try:
        yield
    except OSError as fault:
        place = os.path.dirname(str(fault.filename or ""))
        named = next((each for each in folders if absolute_path(each) == place), None)
        if isinstance(fault, FileNotFoundError) and named is not None:
            raise CliError(f"{short(named, 200)} holds no run") from None
        raise CliError(f"{short(named or folders[0], 200)} cannot be read: {error_reason(fault)}") from None
    except ValueError as fault:
        where = f"{short(folders[0], 200)} cannot be read: " if len(folders) == 1 else ""
        raise CliError(f"{where}{fault}") from None
