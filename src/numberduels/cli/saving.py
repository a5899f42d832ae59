"""GameSaver: saves a game in progress and says how to resume it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.cli.console import shell_command

if TYPE_CHECKING:
    from numberduels.cli.seats import SeatSetup
    from numberduels.game.files import GameFile
    from numberduels.game.record import Record


class GameSaver:
    """Saves one game in a file of its own. Modules are imported when they are first needed."""

    noun = "game"
    """The word for what is saved."""

    def __init__(
        self, name: str, file: GameFile | None = None, external_options: tuple[str, ...] = ()
    ) -> None:
        """`external_options` are the options about programs and models, as the user typed them."""
        self.name = name
        self._file = file
        self.external_options = external_options
        self._failed = False

    @property
    def failed(self) -> bool:
        """Whether the game is not saved at all, or not in the file that the user named."""
        return self._failed or (self._file is not None and self._file.fault is not None)

    @property
    def file_requested(self) -> bool:
        """Whether the user named a file. Then a finished game is saved, too."""
        return self._file is not None

    @property
    def file(self) -> GameFile:
        """The file to save to."""
        if self._file is None:
            self._file = self.new_file()
        return self._file

    def new_file(self) -> GameFile:
        """A new file, if the user has named none."""
        from numberduels.game.files import GameFile

        return GameFile(self.name)

    def save(self, game: Record) -> None:
        """Save the game so far; a game without moves leaves no file."""
        if not game.moves and not (self.file.asked and self.file.holds):
            self.file.discard()
            return
        self._failed = True
        self.file.save(self.text(game))
        self._failed = False

    def text(self, game: Record) -> str:
        """The text to save."""
        from numberduels.game.record import write

        return write(game)

    def resume_command(self, seats: tuple[SeatSetup, SeatSetup]) -> str:
        """The command that resumes the game."""
        return resume_command("play", self.file.path, self.name, seats, self.external_options)

    def replay_arguments(self) -> tuple[str, ...]:
        """The arguments of `duel replay` and `duel review` for this game; none if it is not saved."""
        from numberduels.cli.arguments import typed_game
        from numberduels.cli.saved import short_name

        if not self._file or not self.file.holds:
            return ()
        return short_name(self.file.path), *typed_game(self.name)


def resume_command(
    action: str,
    path: str,
    game: str,
    seats: tuple[SeatSetup, SeatSetup],
    external_options: tuple[str, ...],
) -> str:
    """The command that resumes a file: `duel continue ID` if it is in the data folder.

    A file may not seat external players nor open a game of another library, so the command names them.
    """
    from numberduels.cli.arguments import typed_game
    from numberduels.cli.saved import short_name
    from numberduels.players import allowed_in_files

    named: list[str] = []
    for number, seat_setup in enumerate(seats, 1):
        if not allowed_in_files(seat_setup.kind):
            named += [f"--p{number}", seat_setup.kind]
    name = short_name(path)
    if name != path and not named:
        return shell_command("continue", name, *typed_game(game))
    options = (*named, *(external_options if named else ()), *typed_game(game))
    return shell_command(action, "--resume", name, *options)
