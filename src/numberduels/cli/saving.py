"""Saving a game in progress: where, and how to go on with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.cli.console import command

if TYPE_CHECKING:
    from numberduels.cli.session import Chair
    from numberduels.files import GameFile
    from numberduels.record import Record


class Keeper:
    """Saves one game in a file of its own. Nothing is loaded for that before it is needed."""

    thing = "game"
    """What is saved, in a word."""

    def __init__(self, name: str, file: GameFile | None = None, terms: tuple[str, ...] = ()) -> None:
        """`name` is that of the game; `terms` are the options about programs and models, as typed."""
        self._name = name
        self._file = file
        self.terms = terms

    @property
    def wanted(self) -> bool:
        """Whether somebody has asked for a certain file, so that a finished game is saved, too."""
        return self._file is not None

    @property
    def file(self) -> GameFile:
        """Where the game is saved."""
        if self._file is None:
            self._file = self.new_file()
        return self._file

    def new_file(self) -> GameFile:
        """A file for it, where nobody has asked for one."""
        from numberduels.files import GameFile

        return GameFile(self._name)

    def keep(self, game: Record) -> None:
        """Save the game so far; a game without a move leaves no file behind."""
        if game.moves or (self.file.asked and self.file.holds):
            self.file.save(self.text(game))
        else:
            self.file.discard()

    def text(self, game: Record) -> str:
        """What is written."""
        from numberduels.record import write

        return write(game)

    def way_back(self, chairs: tuple[Chair, Chair]) -> str:
        """The command that goes on from the file."""
        return going_on("play", self.file.path, chairs, self.terms)

    def shown_by(self) -> tuple[str, ...]:
        """The arguments by which `duel replay` and `duel review` find the game."""
        return (self.file.path,)


def going_on(action: str, path: str, chairs: tuple[Chair, Chair], terms: tuple[str, ...]) -> str:
    """The command that goes on from a file.

    A file may not seat every player, so the command names those that it may not.
    """
    from numberduels.players import allowed_in_files

    named: list[str] = []
    for number, chair in enumerate(chairs, 1):
        if not allowed_in_files(chair.kind):
            named += [f"--p{number}", chair.kind]
    return command(action, "--resume", path, *named, *(terms if named else ()))
