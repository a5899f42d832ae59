"""Session: one game at the prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from numberduels.cli.commands import CliError
from numberduels.cli.console import CYAN, MAGENTA, Console, error_reason, shell_command
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt import Prompt, Quit, ask_yes_or_no
from numberduels.cli.seats import Seats
from numberduels.game.adopted import CannotAdopt
from numberduels.game.contract import OTHER, Seat, Unreadable, always_ends
from numberduels.game.formatting import capitalised, printable, short
from numberduels.game.table import Table
from numberduels.players import COMPUTER

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numberduels.game.text import AnyGameText
    from numberduels.play.live_game import LiveGame
    from numberduels.players import Player

NOTHING = "No move was made, so there is nothing to save.\n"

COMMANDS = {
    "help": "this list",
    "board": "the position once more",
    "rules": "how the game is played",
    "moves": "every legal move; with the word values, what each is worth",
    "hint": "a good move, and why",
    "undo": "take back your last move",
    "save": "write the game so far to a file; --force replaces one",
    "resign": "give up this game",
    "draw": "offer a draw",
    "quit": "leave; the game can be resumed later",
}


class Session(Prompt):
    """One game between two seats. All chance follows from the seed and the number of moves.

    The game is saved: on a terminal after every move, otherwise when it is interrupted.
    """

    commands = COMMANDS
    arguments = {"save": "FILE", "moves": "[values]"}  # noqa: RUF012

    def __init__(
        self,
        console: Console,
        game: LiveGame,
        seats: Seats,
        *,
        stop: int | None = None,
        external_options: tuple[str, ...] = (),
    ) -> None:
        """`seats` are those of the game, with their computer players.

        `stop` ends the session after this many moves. `external_options` are the options about programs and
        models, as the user typed them.
        """
        super().__init__(console, game.spec)
        self.game = game
        self.seats = seats
        self.stop = stop
        self.external_options = external_options
        self._copies: dict[str, str] = {}
        """The texts that the command `save` has written, by path."""
        self._forfeited = False

    @property
    def table(self) -> Table[Any, Any]:
        """The game with its moves."""
        return self.game.table

    @property
    def game_text(self) -> AnyGameText:
        """The game's text with the names of the players."""
        return self.game.text

    def run(self) -> None:
        """Play to the end, or until `stop` moves are made.

        Quit, EOFError and KeyboardInterrupt are raised again after saving.
        """
        try:
            with self._safely():
                self.begin()
                while self.table.ply != self.stop:
                    if self.game.over:
                        self._end()
                        return
                    player = self.seats[self.table.turn].player
                    if player:
                        self._computer_turn(player)
                    else:
                        self.take_line(self._painted(self.game_text.question(self.table.state)))
        finally:
            for seat_setup in self.seats:
                if seat_setup.player:
                    seat_setup.player.close()

    def agrees(self, question: str) -> bool:
        """Ask a yes-or-no question between two turns."""
        with self._safely():
            return ask_yes_or_no(self.console, self._painted(question))

    @contextmanager
    def _safely(self) -> Iterator[None]:
        """Save the game whatever interrupts it."""
        try:
            yield
        except (Quit, EOFError, KeyboardInterrupt, CannotAdopt):
            self._break_off()
            raise
        except ValueError as fault:  # a player that cannot go on
            self._break_off()
            raise CliError(f"the computer does not know how to go on: {fault}") from None
        except OSError:  # the output is gone: there is nobody to tell, but the game must not be lost
            self.game.write_file()
            raise

    # The turns

    def take_answer(self, line: str) -> None:
        """Make the typed move."""
        try:
            move = self.game_text.parse_move(line)
        except Unreadable as fault:
            raise self.unreadable(fault, line) from None
        self._make(move)

    def _computer_turn(self, player: Player) -> None:
        from numberduels.players.player import Forfeit

        state, seat = self.table.state, self.table.turn
        player.set_history(self.table.played)
        try:
            with ProgressBar("thinking") as bar:
                player.progress = bar.update
                move = player.choose(self.table.game, state, self.game.rng("move"))
        except Forfeit as fault:
            if fault.cause == "error":
                raise ValueError(str(fault)) from None
            winner = self.game_text.label(OTHER[seat])
            self.say(f"{self.game_text.label(seat)} forfeits: {fault}\n{winner} wins!\n")
            # A record has no other word for a forfeit.
            self.game.resigned, self._forfeited = seat, True
            return
        # Printed as if typed, so that every session reads like those in the books.
        self.say(f"{self.game_text.question(state)}{self.game_text.typed(move)}\n")
        self._make(move)

    def _make(self, move: Hashable) -> None:
        before, seat = self.table.state, self.table.turn
        self.table.play(move)
        self.say(self._addressed(self.game_text.announce(before, move, self.table.state), seat))
        if not self.game.over:
            self.say("\n")
        if self.console.interactive:
            if self.game.threefold:
                self.say("Note: this position has occurred three times. Type draw to offer a draw.\n\n")
            self._autosave()

    def _addressed(self, text: str, seat: Seat) -> str:
        """What a move did. On a terminal "You chose 4." is for people; a computer is called by its name.

        Through a pipe every session reads like those in the books.
        """
        if not self.console.interactive or not self.seats[seat].player:
            return text
        return about_computer(text, self.seats[seat].name or self.game_text.label(seat))

    # The commands

    @property
    def available(self) -> Mapping[str, str]:
        """The commands that this game allows."""
        unknown = {"hint", "undo"} if not self.game.friendly else set()
        unknown |= {"draw"} if always_ends(self.table.game) else set()
        return {name: about for name, about in COMMANDS.items() if name not in unknown}

    def _allow_advice(self, what: str) -> None:
        if not self.game.friendly:
            raise Unreadable(f"There is no {what} in a match that is not --friendly.")

    @property
    def help_head(self) -> str:
        """How a move is typed."""
        return f"Type your move, for example: {self.game_text.typed(self.table.moves[0])}"

    def _command_moves(self, rest: str) -> None:
        if not rest:
            super()._command_moves(rest)
            return
        if rest.lower() != "values":
            raise Unreadable("Type moves, or moves values.")
        self._allow_advice("moves values")
        from numberduels.analysis.solution import QUICK
        from numberduels.cli.solve import move_lines
        from numberduels.solvers import TooLarge, make_oracle

        try:
            with ProgressBar("thinking"):
                found = make_oracle(self.table.game, QUICK).evaluate_moves(self.table.state)
        except TooLarge as fault:
            self.say(f"What the moves are worth is beyond reach here: {fault}.\n\n")
        else:
            self.say("\n".join(["Legal moves by worth:", *move_lines(self.game_text, found), "\n"]))

    def _command_hint(self, _: str) -> None:
        self._allow_advice("hint")
        self.give_hint(self.game.rng("hint"))

    def _command_undo(self, _: str) -> None:
        self._allow_advice("undo")
        gone = self.game.undo()
        if not gone:
            self.say("There is no move to take back.\n\n")
            return
        told = ", then ".join(self.game_text.typed(move) for move in gone)
        self.say(f"Taken back: {told}.\n{self.game_text.position(self.table.state)}\n")
        if self.console.interactive:
            self._autosave()

    def _command_save(self, rest: str) -> None:
        from numberduels.game import files

        first, _, others = rest.partition(" ")
        force = first == "--force"
        path = files.absolute_path(others.strip() if force else rest)
        if not path:
            self.say("Say where to: save FILE. To replace a file: save --force FILE.\n\n")
            return
        own = path == self.game.path
        try:
            if own:
                self.game.write_file()
            else:
                text = self.game.record_text()
                files.write_text(path, text, replacing=self._copies.get(path), force=force)
                self._copies[path] = text
        except (OSError, ValueError) as fault:
            self.say(f"That cannot be saved: {error_reason(fault)}.\n\n")
        else:
            back = resume_command(self.game, path, self.external_options, copy=not own)
            self.say(f"The game so far is saved. To go on with it: {back}\n\n")

    def _command_resign(self, _: str) -> None:
        self.game.resign()

    def _command_draw(self, _: str) -> None:
        from numberduels.play.game_in_progress import NotAllowed

        mine = self.table.turn
        try:
            self.game.check_draw_offer((mine,))
        except NotAllowed as refused:
            raise Unreadable(str(refused)) from None
        offers, other = self.game_text.label(mine), self.game_text.label(OTHER[mine])
        question = f"{other}, {offers} offers a draw. Do you agree?"
        if self.seats[OTHER[mine]].player:
            from numberduels.play.live_game import accepts_draw

            with ProgressBar("thinking"):
                agreed = accepts_draw(self.table)
            self.say(f"{question} Type yes or no: {'yes' if agreed else 'no'}\n")
        else:
            agreed = ask_yes_or_no(self.console, self._painted(question))
        if agreed:
            self.game.agree_draw()
        else:
            self.game.offer_draw(mine)
            self.game.decline_draw()
            self.say(f"{other} plays on.\n\n")

    # Output

    def say(self, text: str) -> None:
        """Print a text, with a colour for each player."""
        self.console.say(self._painted(text))

    def _painted(self, text: str) -> str:
        if self.console.colour:
            first, second = self.game_text.label(0), self.game_text.label(1)
            text = text.replace(first, self.console.paint(first, CYAN))
            text = text.replace(second, self.console.paint(second, MAGENTA))
        return text

    def begin(self) -> None:
        """Print the introduction and the position."""
        if self.console.interactive:
            self.say(self._introduction())
        if self.table.ply:
            position = self.game_text.position(self.table.state)
            self.say(f"The game goes on after move {self.table.ply}.\n{position}\n")
        else:
            self.say(f"{self.game_text.opening(self.table.state)}\n")

    def _introduction(self) -> str:
        """The game, its options, its aim, who plays, and what can be typed."""
        from numberduels.game import options

        game, spec = self.table.game, self.game.spec
        settings = ", ".join(f"{name} {text}" for name, text in options.format_options(game).items())
        seats = "".join(
            f"{self.game_text.label(seat)} {'' if seat_setup.name == COMPUTER else f'is {COMPUTER} and '}"
            f"plays {seat_setup.kind}.\n"
            for seat, seat_setup in zip(OTHER, self.seats, strict=True)
            if seat_setup.player
        )
        endless = "" if always_ends(game) else "It need not end: offer a draw, resign or quit any time.\n"
        board = "board to see it drawn" if self.console.draws else "board to see it again"
        how = f"Type a move, {board}, or help for all you can type.\n" if not self.game.unattended else ""
        return f"{spec.title} ({settings})\n{spec.summary}\n{endless}{seats}{how}\n"

    def _end(self) -> None:
        game = self.game
        if game.resigned is not None:
            if not self._forfeited:
                self.say(self.game_text.resignation(game.resigned))
        elif game.agreed:
            self.say(self.game_text.agreement())
        elif self.table.outcome is not None:
            self.say(self.game_text.closing(self.table.state))
        else:
            self.say(
                f"\nThe game does not end by itself: it is left unfinished after {self.table.ply} moves.\n"
            )
        if not (self.console.interactive or game.file_named) or not self._saved():
            return
        if game.file.asked and not game.file.holds:
            self.say(NOTHING)
        if self.console.interactive and game.file.holds and self.table.ply:
            again = saved_arguments(game)
            self.say(f"\nTo see this game again: {shell_command('saved', 'replay', *again)}\n")
            self.say(f"To have every move judged: {shell_command('review', *again)}\n")

    # Saving

    def _autosave(self) -> None:
        """Save during the game; an error such as a full disk is reported once."""
        asked = self.game.file.path
        if note := self.game.save():
            self.say(f"{note}\n\n")
        self._report_fallback(asked)

    def _report_fallback(self, requested: str) -> None:
        """Report that the game was saved in another file than the requested one."""
        file = self.game.file
        if file.fault and file.path != requested:
            self.say(
                f"Note: {short(requested, 200)} cannot be written ({error_reason(file.fault)})."
                f" The {self.game.noun} is saved in {printable(file.path)}\n\n"
            )

    def _break_off(self) -> None:
        """Save an interrupted game and say how to resume it."""
        self.say("\n")
        if not self._saved():
            return
        if not self.game.file.holds:
            self.say(NOTHING)
        else:
            back = resume_command(self.game, self.game.path, self.external_options)
            self.say(f"The {self.game.noun} is saved. To go on with it: {back}\n")

    def _saved(self) -> bool:
        """Save the game; if that fails, print its record."""
        asked, thing = self.game.file.path, self.game.noun
        try:
            self.game.write_file()
        except OSError as fault:
            text = self.game.saved_text()
            self.say(f"The {thing} cannot be saved ({error_reason(fault)}). This is its record:\n\n{text}")
            return False
        self._report_fallback(asked)
        return True


# Commands to type later


def saved_arguments(game: LiveGame) -> tuple[str, ...]:
    """The arguments of `duel review` for a game that is saved."""
    from numberduels.cli.arguments import typed_game
    from numberduels.cli.saved import short_name

    number = ("--game", str(len(game.match.played) + 1)) if game.match else ()
    return short_name(game.path), *typed_game(game.spec.name), *number


def resume_command(
    game: LiveGame, path: str, external_options: tuple[str, ...], *, copy: bool = False
) -> str:
    """The command that resumes a file: `duel continue ID` if it is in the data folder.

    A file may not seat external players nor open a game of another library, so the command names them. A
    `copy` holds one game, also of a match.
    """
    from numberduels.cli.arguments import typed_game
    from numberduels.cli.saved import short_name
    from numberduels.players import allowed_in_files

    seats = game.match.seats if game.match and not copy else game.seats
    named: list[str] = []
    for number, kind in enumerate(seats, 1):
        if not allowed_in_files(kind):
            named += [f"--p{number}", kind]
    name, typed = short_name(path), typed_game(game.spec.name)
    if name != path and not named:
        return shell_command("continue", name, *typed)
    return shell_command("play", "--resume", name, *named, *(external_options if named else ()), *typed)


def about_computer(text: str, name: str) -> str:
    """What a move of a computer did, with its name where the books say "You".

    >>> about_computer("You chose 4.\\nTotal Sum is now 9.", "the computer")
    'The computer chose 4.\\nTotal Sum is now 9.'
    """
    name = capitalised(name)
    return "\n".join(
        f"{name}{line.removeprefix('You')}" if line.startswith("You ") else line for line in text.split("\n")
    )
