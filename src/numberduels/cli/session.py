"""Session: one game at the prompt."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Any

from numberduels.cli.console import CYAN, MAGENTA, RED, TOO_LONG, Console, error_reason, shell_command
from numberduels.cli.parser import CliError
from numberduels.cli.progress import ProgressBar
from numberduels.cli.prompt_commands import (
    COMMANDS,
    Quit,
    available_commands,
    run_command,
    split_command,
    suggest_command,
)
from numberduels.cli.saving import GameSaver
from numberduels.cli.seats import YOU, SeatSetup
from numberduels.cli.session_text import about_computer, about_you, introduction
from numberduels.game.adopted import CannotAdopt
from numberduels.game.contract import OTHER, IllegalMove, Seat, Unreadable, always_ends
from numberduels.game.formatting import printable, short
from numberduels.game.spec import GameSpec
from numberduels.game.table import THREEFOLD, Table

if TYPE_CHECKING:
    from numberduels.game.record import Record
    from numberduels.players import Player

NOTHING = "No move was made, so there is nothing to save.\n"


class Session:
    """One game between two seats. All chance follows from the seed and the number of moves.

    The game is saved: on a terminal after every move, otherwise when it is interrupted.
    """

    def __init__(
        self,
        console: Console,
        spec: GameSpec,
        table: Table[Any, Any],
        seats: tuple[SeatSetup, SeatSetup],
        *,
        seed: str,
        delay: float = 0.0,
        stop: int | None = None,
        saver: GameSaver | None = None,
        begun: Record | None = None,
        swapped: bool | None = None,
        friendly: bool = True,
        nimbers: bool = False,
    ) -> None:
        """Prepare the game.

        `begun` is the record to resume. `swapped` says whether the players swapped seats under the pie rule.
        Undo and advice need a `friendly` game. `stop` ends the session after this many moves. With
        `nimbers` hints and values tell them.
        """
        self.console = console
        self.spec = spec
        self.table = table
        self.seats = seats
        self.seed = seed
        self.delay = delay
        self.stop = stop
        self.saver = saver or GameSaver(spec.name)
        self.friendly = friendly
        self.nimbers = nimbers
        self.swapped = swapped
        self.saved: dict[str, str] = {}
        """The texts that `save` has written, by path."""
        self.game_text = spec.text_for(table.game, (seats[0].name, seats[1].name))
        self.resigned: Seat | None = None
        self.agreed = False
        """Whether the players agreed on a draw."""
        self._begun = begun
        self._forfeited = False
        self._warned = False

    @property
    def winner(self) -> Seat | None:
        """The seat that won, if the game is over and somebody did."""
        if self.resigned is not None:
            return OTHER[self.resigned]
        outcome = self.table.outcome
        return outcome.winner if outcome else None

    def run(self) -> None:
        """Play to the end, or until `stop` moves are made.

        Quit, EOFError and KeyboardInterrupt are raised again after saving.
        """
        with self._safely(), self._leaving():
            self.begin()
            while self.table.ply != self.stop:
                if self._over():
                    self._end()
                    return
                player = self.seats[self.table.turn].player
                if player:
                    self._computer_turn(player)
                else:
                    self._human_turn()

    def agrees(self, question: str) -> bool:
        """Ask a yes-or-no question between two turns."""
        with self._safely():
            return self.ask_yes_or_no(question)

    def ask_yes_or_no(self, question: str) -> bool:
        """Ask a yes-or-no question during a turn."""
        reply = ""
        while reply not in ("y", "yes", "n", "no"):
            reply, _ = split_command(self.console.ask(self._painted(question), lambda: ("yes", "no", "quit")))
            if reply == "quit":
                raise Quit
            question = "Please type yes or no: "
        return reply.startswith("y")

    @contextmanager
    def _safely(self) -> Iterator[None]:
        """Save the game whatever interrupts it."""
        try:
            yield
        except (Quit, EOFError, KeyboardInterrupt):
            self._break_off()
            raise
        except CannotAdopt:
            self._break_off()
            raise
        except ValueError as fault:  # a player that cannot go on
            self._break_off()
            raise CliError(f"the computer does not know how to go on: {fault}") from None
        except OSError:
            self.saver.save(
                self.record()
            )  # the output is gone: there is nobody to tell, but the game must not be lost
            raise

    @contextmanager
    def _leaving(self) -> Iterator[None]:
        """Close the players at the end."""
        try:
            yield
        finally:
            for seat_setup in self.seats:
                if seat_setup.player:
                    seat_setup.player.close()

    @property
    def unattended(self) -> bool:
        """Whether no person plays."""
        return all(seat_setup.player for seat_setup in self.seats)

    def _over(self) -> bool:
        if self.resigned is not None or self.agreed or self.table.outcome is not None:
            return True
        return self.unattended and self.table.exceeds_ply_limit

    # The turns

    def _human_turn(self) -> None:
        line = self.console.ask(self._painted(self.game_text.question(self.table.state)), self._completions)
        name, rest = split_command(line)
        try:
            if line == TOO_LONG:
                raise Unreadable("That line is too long.")
            if name in COMMANDS:
                run_command(self, name, rest)
            else:
                self._make(self._read(line))
        except (Unreadable, IllegalMove) as fault:
            self.say(f"{self.console.paint(self.game_text.refusal(fault).rstrip(), RED)}\n\n")

    def _read(self, line: str) -> Hashable:
        try:
            return self.game_text.parse_move(line)
        except Unreadable as fault:
            raise Unreadable(f"{fault}{suggest_command(line, COMMANDS)}") from None

    def _computer_turn(self, player: Player) -> None:
        from numberduels.players.player import Forfeit

        state, seat = self.table.state, self.table.turn
        player.set_history(self.table.played)
        try:
            with ProgressBar("thinking") as bar:
                player.progress = bar.update
                move = player.choose(self.table.game, state, self.rng("move"))
        except Forfeit as fault:
            if fault.cause == "error":
                raise ValueError(str(fault)) from None
            winner = self.game_text.label(OTHER[seat])
            self.say(f"{self.game_text.label(seat)} forfeits: {fault}\n{winner} wins!\n")
            # A record has no other word for a forfeit.
            self.resigned, self._forfeited = seat, True
            return
        if self.delay:
            time.sleep(self.delay)
        # Printed as if typed, so that every session reads like those in the books.
        self.say(f"{self.game_text.question(state)}{self.game_text.typed(move)}\n")
        self._make(move)

    def _make(self, move: Hashable) -> None:
        before, seat = self.table.state, self.table.turn
        self.table.play(move)
        self.say(self._addressed(self.game_text.announce(before, move, self.table.state), seat))
        if not self._over():
            self.say("\n")
        if self.console.interactive:
            self._note_repetition()
            self.autosave()

    def _addressed(self, text: str, seat: Seat) -> str:
        """What a move did. On a terminal "You chose 4." is for people; a computer is called by its name.

        Through a pipe every session reads like those in the books.
        """
        if not self.console.interactive or not self.seats[seat].player:
            return text
        return about_computer(text, self.seats[seat].name or self.game_text.label(seat))

    def _note_repetition(self) -> None:
        """Say that a position has stood three times, where a game need not end."""
        if always_ends(self.table.game) or self._over():
            return
        if self.table.times_reached == THREEFOLD:
            self.say("Note: this position has stood three times. The command draw offers a draw.\n\n")

    def _completions(self) -> list[str]:
        return [*(self.game_text.typed(move) for move in self.table.moves), *available_commands(self)]

    def rng(self, purpose: str) -> Random:
        """A generator that depends on the seed, the purpose and the number of moves."""
        return Random(f"{self.seed} {purpose} {self.table.ply}")

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
            self.say(introduction(self))
        if self.table.ply:
            position = self.game_text.position(self.table.state)
            self.say(f"The game goes on after move {self.table.ply}.\n{position}\n")
        else:
            self.say(f"{self.game_text.opening(self.table.state)}\n")

    def _end(self) -> None:
        if self.resigned is not None:
            if not self._forfeited:
                self.say(self._to_you(self.game_text.resignation(self.resigned)))
        elif self.agreed:
            self.say(self.game_text.agreement())
        elif self.table.outcome is not None:
            self.say(self._to_you(self.game_text.closing(self.table.state)))
        else:
            self.say(
                f"\nThe game does not end by itself: it is left unfinished after {self.table.ply} moves.\n"
            )
        if not (self.console.interactive or self.saver.file_requested):
            return
        if not self._saved():
            return
        if self.saver.file.asked and not self.saver.file.holds:
            self.say(NOTHING)
        if self.console.interactive and self.saver.file.holds and self.table.ply:
            self.say(f"\nTo see this game again: {shell_command('replay', *self.saver.replay_arguments())}\n")
            self.say(
                f"To have every move judged: {shell_command('review', *self.saver.replay_arguments())}\n"
            )

    def _to_you(self, text: str) -> str:
        """The end of a game. On a terminal a player who is called "you" is told "You win!"."""
        if self.console.interactive:
            for seat in OTHER:
                if self.seats[seat].name.casefold() == YOU:
                    text = about_you(text, self.game_text.label(seat))
        return text

    # Saving

    def record(self) -> Record:
        """The record of the game so far."""
        from datetime import date

        from numberduels.game.record import Record

        today = date.today().strftime("%Y.%m.%d")
        return Record(
            self.spec,
            self.table.game,
            self.table.played,
            names=(self.seats[0].name, self.seats[1].name),
            seats=(self.seats[0].kind, self.seats[1].kind),
            date=self._begun.date if self._begun else today,
            seed=self.seed,
            resigned=self.resigned,
            agreed=self.agreed,
            swapped=self.swapped if self.table.ply else None,
            other=self._begun.other if self._begun else (),
        )

    def autosave(self) -> None:
        """Save during the game; an error such as a full disk is reported once."""
        asked = self.saver.file.path
        try:
            self.saver.save(self.record())
        except OSError as fault:
            if not self._warned:
                self._warned = True
                self.say(f"Note: this {self.saver.noun} cannot be saved ({error_reason(fault)}).\n\n")
        else:
            self._report_fallback(asked)

    def _report_fallback(self, requested: str) -> None:
        """Report that the game was saved in another file than the requested one."""
        file = self.saver.file
        if file.fault and file.path != requested:
            self.say(
                f"Note: {short(requested, 200)} cannot be written ({error_reason(file.fault)})."
                f" The {self.saver.noun} is saved in {printable(file.path)}\n\n"
            )

    def _break_off(self) -> None:
        """Save an interrupted game and say how to resume it."""
        self.say("\n")
        if not self._saved():
            return
        if not self.saver.file.holds:
            self.say(NOTHING)
            return
        back = self.saver.resume_command(self.seats)
        self.say(f"The {self.saver.noun} is saved. To go on with it: {back}\n")

    def _saved(self) -> bool:
        """Save the game; if that fails, print its record."""
        asked, thing = self.saver.file.path, self.saver.noun
        try:
            self.saver.save(self.record())
        except OSError as fault:
            text = self.saver.text(self.record())
            self.say(f"The {thing} cannot be saved ({error_reason(fault)}). This is its record:\n\n{text}")
            return False
        self._report_fallback(asked)
        return True
