"""PlayScreen: the table itself. The board, the players, the moves, and everything that helps."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.game.formatting import capitalised
from numberduels.game.messages import Message
from numberduels.play.game_in_progress import NotAllowed
from numberduels.play.live_game import LiveGame
from numberduels.solvers import Worth
from numberduels.tui import tasks
from numberduels.tui.base import DuelScreen
from numberduels.tui.board_view import BoardView
from numberduels.tui.table_panel import MoveList, TablePanel
from numberduels.tui.text_pages import RulesPanel
from numberduels.tui.widgets import Column, Row, TextField

COMPUTER, HELP, DECISION = "computer", "help", "decision"
"""What the engine is asked for: a move, a hint and the like, and where the game was decided."""

PAUSE = 0.35
"""Seconds between your move and the computer's, so that you see both."""


def short_value(worth: Worth) -> str:
    """The worth of a move in a few characters.

    >>> short_value(Worth(1)), short_value(Worth(-1, margin=-7))
    ('win', '-7')
    """
    return worth.value_name if worth.margin is None else f"{worth.margin:+}"


class PlayScreen(DuelScreen):
    """One game. The position that is looked at may be an earlier one."""

    DEFAULT_CSS = """
    PlayScreen #table { height: 1fr; }
    PlayScreen #side { width: 1fr; min-width: 26; max-width: 48; }
    PlayScreen.-narrow #side { display: none; }
    PlayScreen.-narrow #choices { layout: vertical; }
    PlayScreen.-narrow.-side #side { display: block; width: 1fr; max-width: 100%; }
    PlayScreen.-narrow.-side TablePanel { display: none; }
    PlayScreen MoveList, PlayScreen RulesPanel { height: 1fr; }
    PlayScreen RulesPanel { display: none; padding: 0; }
    PlayScreen.-rules RulesPanel { display: block; }
    PlayScreen.-rules MoveList { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint"),
        Binding("v", "values", "Values"),
        Binding("u", "undo", "Undo"),
        Binding("n", "next_game", "Next game"),
        Binding("n", "rematch", "Rematch"),
        Binding("w", "review", "Review"),
        Binding("o", "next_opponent", "Next opponent"),
        Binding("comma,pageup", "look(-1)", "Earlier", key_display=","),
        Binding("full_stop,pagedown", "look(1)", "Later", key_display=".", show=False),
        Binding("end", "present", "Present", show=False),
        Binding("m", "type", "Type a move", show=False),
        Binding("i", "rules", "Rules"),
        Binding("s", "side", "Moves"),
        Binding("g", "resign", "Give up"),
        Binding("d", "draw", "Offer a draw"),
        Binding("escape", "close_rules", "Close rules"),
        Binding("escape", "back", "Leave"),
    ]

    def __init__(self, game: LiveGame) -> None:
        super().__init__(game.title)
        self.game = game
        self.panel = TablePanel(game)
        self.view = self.panel.view
        self.moves = MoveList()
        self.side = Column(self.moves, RulesPanel(game.spec), id="side", classes="panel")
        self.looking: int | None = None
        """The number of moves after which the position is shown; None for the present."""
        self._giving_up = False
        self._showing_values = False
        self._decided: tuple[object, str] | None = None
        """Where the game was decided, and the identity of that game."""
        self._keys_shown_for: tuple[bool, ...] = ()
        """The state for which the keys at the bottom are shown."""

    # What is on the screen

    def body(self) -> ComposeResult:
        """The players above and below the board, and the moves beside it."""
        yield Row(self.panel, self.side, id="table")

    def on_mount(self) -> None:
        """Show the position, and let the computer begin if it is to move."""
        self.focus_on(self.view)
        self._show()
        if not self.game.table.ply:
            self._say(f"{self.game.spec.summary} Arrows and Enter, or the mouse; i shows the rules.")
        self._go_on()

    def _show(self) -> None:
        """Show everything as it is now."""
        game = self.game
        self.panel.show(self.looking, self._decision())
        self._show_side()
        state = game.over, game.table.ply > 0
        if state != self._keys_shown_for:
            self._keys_shown_for = state
            self.refresh_bindings()

    def _show_side(self) -> None:
        """The moves, or the rules in their place."""
        self.side.border_title = "Rules" if self.has_class("-rules") else "Moves"
        marked = self.game.table.ply if self.looking is None else self.looking
        self.moves.show(self.game, marked)

    def _say(self, text: str) -> None:
        """Show a sentence below the board; a question that it replaces is no longer asked."""
        self._giving_up = False
        self.panel.say(text)

    # Moves

    @on(BoardView.Previewed)
    def _previewed(self, event: BoardView.Previewed) -> None:
        self._giving_up = False
        self.panel.show_effect(event.move)

    @on(BoardView.Refused)
    def _refused(self, event: BoardView.Refused) -> None:
        """Say why the typed or clicked number cannot be played."""
        if not event.typed:
            self._say("Choose a move first: arrows, digits or the mouse.")
            return
        table, text = self.game.table, self.game.text
        try:
            table.game.play(table.state, text.parse_move(event.typed))
        except (IllegalMove, Unreadable) as fault:
            self._say(text.refusal(fault).strip())
        else:
            self._say(f"{event.typed} cannot be chosen here.")

    @on(BoardView.Chosen)
    def _chosen(self, event: BoardView.Chosen) -> None:
        self._play(event.move)

    def _play(self, text: str) -> None:
        """Make a move of a person."""
        game = self.game
        if game.over or game.computer_to_move or self.looking is not None:
            return
        try:
            game.play(text)
        except (IllegalMove, Unreadable) as fault:
            self._say(game.text.refusal(fault).strip())
            return
        self._say(game.save())
        self._after_move()

    def _show_unsaved(self) -> None:
        """As long as the game cannot be saved, the heading says so."""
        fault = self.game.unsaved
        self.heading.write(f"NOT SAVED ({fault}): {self.game.title}" if fault else self.game.title)

    def _after_move(self) -> None:
        self._show_unsaved()
        if self.game.threefold:
            self._say("This position has occurred three times. Press d to offer a draw.")
        self._show()
        if self._showing_values and not self.game.over and not self.game.computer_to_move:
            self._find_values()
        self._go_on()

    def _go_on(self) -> None:
        game = self.game
        if game.computer_to_move:
            kind = game.seats[game.table.turn]
            text = game.record_text()
            self.ask(COMPUTER, tasks.choose_move, text, kind, then=self._computer_moves, pause=PAUSE)

    def _computer_moves(self, move: str) -> None:
        """Make the move of the computer."""
        game = self.game
        game.play(move)
        note = game.save()
        seat, told, did = game.described_moves()[-1]
        first = f" {game.spec.summary} i shows the rules." if game.table.ply == 1 else ""
        self._say(note or f"{capitalised(game.label(seat))}: {told}{f', {did}' if did else ''}.{first}")
        self._after_move()

    # Answers of the engine

    def identity(self, slot: str) -> object:
        """Questions are about a position, and about a game that goes on or has ended."""
        return self.game.record_text()

    def no_answer(self, slot: str, reason: str) -> None:
        """Say why; the game can go on."""
        super().no_answer(slot, reason)
        if slot == COMPUTER:
            self._say("The computer does not know how to go on. u takes your move back.")
        elif slot == DECISION:
            self._tell_decision("")
        else:
            self._showing_values = False
            self._say("")

    def save(self) -> None:
        """Save the game."""
        self.game.save()

    # Help

    def _return_to_my_turn(self) -> bool:
        """Go back to the present; False, and a sentence, if a computer is to move."""
        self.action_present()
        if self.game.computer_to_move:
            self._say("It is not your turn yet.")
        return not self.game.computer_to_move and not self.game.over

    def action_hint(self) -> None:
        """Show a good move and why."""
        if self._return_to_my_turn():
            self._say("thinking … (Escape stops)")
            self.ask(HELP, tasks.hint, self.game.record_text(), then=self._give_hint)

    def _give_hint(self, found: tuple[str, Message]) -> None:
        move, why = found
        self._say(f"Hint: {self.game.say_move(move)}. {why}")
        self.view.point_at(move)

    def action_values(self) -> None:
        """Show what each move is worth, or stop showing it."""
        if not self._return_to_my_turn():
            return
        self._showing_values = not self._showing_values
        if self._showing_values:
            self._find_values()
        else:
            self.forget(HELP)
            self.view.mark({})
            self._say("")

    def _find_values(self) -> None:
        self._say("thinking … (Escape stops)")
        self.ask(HELP, tasks.move_values, self.game.record_text(), then=self._show_values)

    def _show_values(self, worths: dict[str, Worth]) -> None:
        self.view.mark({move: short_value(worth) for move, worth in worths.items()})
        points = any(worth.margin is not None for worth in worths.values())
        self._say(
            "Values: by how many points each move wins (+) or loses (-) with best play."
            if points
            else "Values: what each move leads to with best play, win, draw or loss."
        )

    def _decision(self) -> str:
        """Where the game was decided, if it is over; the engine is asked once."""
        game = self.game
        if not game.over or not game.table.ply:
            return ""
        text = game.record_text()
        if self._decided and self._decided[0] == text:
            return self._decided[1]
        if not self.asking(DECISION):
            self.ask(DECISION, tasks.review, text, then=lambda found: self._tell_decision(str(found.summary)))
        return "Looking where it was decided …"

    def _tell_decision(self, text: str) -> None:
        self._decided = self.game.record_text(), text
        self.panel.show(self.looking, text)

    def action_undo(self) -> None:
        """Take back the last move of a person, and the computer's answer."""
        self.forget()
        self.looking = None
        undone = self.game.undo()
        self._say((self.game.save() or "Taken back.") if undone else "There is no move to take back.")
        self._show()
        self._go_on()

    def action_look(self, steps: int) -> None:
        """Look at an earlier or later position."""
        ply = self.game.table.ply
        self._look_at((ply if self.looking is None else self.looking) + steps)

    def action_present(self) -> None:
        """Go back to the present position."""
        self._look_at(self.game.table.ply)

    def _look_at(self, ply: int) -> None:
        looking = None if ply >= self.game.table.ply else max(ply, 0)
        if looking != self.looking:
            self.looking = looking
            self._show()

    def action_rules(self) -> None:
        """Show the rules beside the board, or the moves again; on a narrow terminal on their own screen."""
        if self.has_class("-narrow"):
            self.open("rules", self.game.spec)
            return
        self._show_rules(not self.has_class("-rules"))

    def action_close_rules(self) -> None:
        """Show the moves again."""
        self._show_rules(False)

    def _show_rules(self, shown: bool) -> None:
        self.set_class(shown, "-rules")
        self._show_side()
        if self.side.has_focus_within:  # the part that is hidden now had the keys
            self.focus_on(self.view)
        self.refresh_bindings()

    def action_side(self) -> None:
        """On a narrow terminal: show the list of moves, or the board again."""
        self.toggle_class("-side")
        if not self.has_class("-side"):  # a hidden board has lost the keys
            self.focus_on(self.view)

    def action_type(self) -> None:
        """Type a move."""
        if not self._return_to_my_turn():
            return
        self._let_type(not self.panel.typing)

    def _let_type(self, typing: bool) -> None:
        self.panel.set_class(typing, "-typing")
        self.panel.typed.clear()
        self.focus_on(self.panel.typed if typing else self.view)

    @on(TextField.Submitted)
    def _typed(self, event: TextField.Submitted) -> None:
        self._let_type(False)
        self._play(event.value)

    # The end

    def action_resign(self) -> None:
        """Give up, if the key is pressed twice."""
        if not self._giving_up:
            self._say("Press g once more to give up this game.")
            self._giving_up = True
            return
        self._giving_up = False
        self.forget()
        self.game.resign()
        self._end()

    def _end(self) -> None:
        """The players have ended the game."""
        self._say(self.game.save())
        self._show_unsaved()
        self._show()

    def action_draw(self) -> None:
        """Offer a draw: a computer decides; two people have agreed when one of them presses the key."""
        if not self._return_to_my_turn():
            return
        try:
            agreed = self.game.check_draw_offer((self.game.table.turn,))
        except NotAllowed as refused:
            self._say(str(refused))
            return
        if agreed:
            self.game.agree_draw()
            self._end()
        else:
            self._say("thinking … (Escape stops)")
            self.ask(HELP, tasks.accepts_draw, self.game.record_text(), then=self._draw_answered)

    def _draw_answered(self, accepted: bool) -> None:
        if accepted:
            self.game.agree_draw()
            self._end()
        else:
            self.game.offer_draw(self.game.table.turn)
            self.game.decline_draw()
            self._say("The computer plays on.")

    def action_rematch(self) -> None:
        """The next game of the match, or the same game once more with the seats swapped."""
        self.open_instead("play", self.game.next_game() or self.game.rematch())

    def action_next_game(self) -> None:
        """The next game of the match."""
        self.action_rematch()

    def action_review(self) -> None:
        """Judge every move."""
        self.open("review", self.game.record_text(), self.game.path)

    def action_next_opponent(self) -> None:
        """The same game against a stronger or a weaker computer."""
        opponent = self.game.next_opponent
        self.duel.change_settings(opponent=opponent)
        self.open_instead("play", self.game.rematch(opponent))

    def action_back(self) -> None:
        """Stop thinking or typing; otherwise leave. The game is saved."""
        if self.panel.typing:
            self._let_type(False)
        elif self.asking(HELP):
            self.forget(HELP)
            self._showing_values = False
            self._say("")
        else:
            self.leave()

    def on_unmount(self) -> None:
        """A game that is not saved is told again when the app has ended."""
        if fault := self.game.unsaved:
            self.duel.notes.append(f"Note: the game {self.game.title} is not saved ({fault}).")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys make sense now."""
        # What depends on whose turn it is stays: changing the keys takes longer than a frame.
        game = self.game
        if action in ("hint", "values", "type", "resign"):
            return not game.over
        if action == "draw":
            return game.can_draw
        if action in ("rematch", "review"):
            return game.over
        if action == "next_game":
            return game.over and game.next_game() is not None
        if action == "close_rules":
            hidden = self.has_class("-narrow") and not self.has_class("-side")
            return self.has_class("-rules") and not (hidden or self.panel.typing or self.asking(HELP))
        if action == "next_opponent":
            return bool(game.next_opponent)
        if action == "undo":
            return game.table.ply > 0
        if action == "side":
            return self.has_class("-narrow")
        return True
