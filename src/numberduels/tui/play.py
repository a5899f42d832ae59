"""PlayScreen: the table itself. The board, the players, the moves, and everything that helps."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Input, Static

from numberduels.board_text import SYMBOLS
from numberduels.core import HUMAN, OTHER, IllegalMove, Seat, Unreadable
from numberduels.solvers import Worth
from numberduels.text import capitalised
from numberduels.tui import tasks
from numberduels.tui.base import DuelScreen, ScrollPanel
from numberduels.tui.board_view import BoardView
from numberduels.tui.large_board import explain_signs
from numberduels.tui.live_game import LiveGame
from numberduels.tui.rules import RulesPanel

PAUSE = 0.35
"""Seconds between your move and the computer's, so that you see both."""


class PlayScreen(DuelScreen):
    """One game. The position that is looked at may be an earlier one."""

    DEFAULT_CSS = """
    PlayScreen #table { height: 1fr; }
    PlayScreen #left { width: 2fr; padding: 0 1; }
    PlayScreen #side { width: 1fr; min-width: 26; max-width: 48; }
    PlayScreen.-narrow #side { display: none; }
    PlayScreen.-narrow.-side #side { display: block; width: 1fr; max-width: 100%; }
    PlayScreen.-narrow.-side #left { display: none; }
    PlayScreen .seat { height: 1; }
    PlayScreen .seat.-turn { background: $primary 30%; text-style: bold; }
    PlayScreen #turn { height: auto; text-style: bold; }
    PlayScreen #turn.-past { color: $accent; }
    PlayScreen #effect { height: auto; min-height: 1; color: $success; }
    PlayScreen #legend { height: auto; color: $text-muted; }
    PlayScreen #message { height: auto; margin: 1 0 0 0; }
    PlayScreen #message.-empty { display: none; }
    PlayScreen #typed { display: none; height: 3; }
    PlayScreen.-typing #typed { display: block; }
    PlayScreen #ending { display: none; height: auto; border: round $success; padding: 0 1; }
    PlayScreen.-over #ending { display: block; }
    PlayScreen.-over #effect, PlayScreen.-over #turn { display: none; }
    PlayScreen #ending Horizontal { height: auto; }
    PlayScreen #ending Button { margin: 0 1 0 0; min-width: 12; height: 1; border: none; }
    PlayScreen #result { text-style: bold; }
    PlayScreen #moves, PlayScreen RulesPanel { height: 1fr; }
    PlayScreen RulesPanel { display: none; padding: 0; }
    PlayScreen.-rules RulesPanel { display: block; }
    PlayScreen.-rules #moves { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint"),
        Binding("v", "values", "Values"),
        Binding("u", "undo", "Undo"),
        Binding("n", "rematch", "Rematch"),
        Binding("w", "review", "Review"),
        Binding("o", "next_opponent", "Next opponent"),
        Binding("comma,pageup", "look(-1)", "Earlier", key_display=","),
        Binding("full_stop,pagedown", "look(1)", "Later", key_display=".", show=False),
        Binding("home", "first_position", "First position", show=False),
        Binding("end", "present", "Present", show=False),
        Binding("m", "type", "Type a move", show=False),
        Binding("i", "rules", "Rules"),
        Binding("s", "side", "Moves"),
        Binding("g", "resign", "Give up"),
        Binding("d", "draw", "Offer a draw"),
        Binding("escape", "back", "Leave"),
    ]

    def __init__(self, game: LiveGame) -> None:
        super().__init__()
        self.game = game
        self.heading_text = game.title
        self.looking: int | None = None
        """The number of moves after which the position is shown; None for the present."""
        self._giving_up = False
        self._showing_values = False
        self._moves_shown = -1
        """How many moves are in the list."""
        self._written: dict[str, str] = {}
        """What stands in each text that changes often."""
        self._keys_shown_for: tuple[bool, ...] = ()
        """The state for which the keys at the bottom are shown."""

    # What is on the screen

    def body(self) -> ComposeResult:
        """The players above and below the board, and the moves beside it."""
        with Horizontal(id="table"):
            with ScrollPanel(id="left"):
                yield Static("", id="upper", classes="seat", markup=False)
                yield Static("", id="turn", markup=False)
                yield BoardView()
                yield Static("", id="effect", markup=False)
                yield Input(placeholder="a move, as you would type it", id="typed")
                with Vertical(id="ending"):
                    yield Static("", id="result", markup=False)
                    yield Static("", id="decided", markup=False)
                    with Horizontal():
                        yield Button("Rematch (n)", id="rematch", variant="success")
                        yield Button("Review (w)", id="review")
                        yield Button("", id="next-opponent")
                yield Static("", id="message", classes="-empty", markup=False)
                yield Static("", id="legend", markup=False)
                yield Static("", id="lower", classes="seat", markup=False)
            with Vertical(id="side", classes="panel"):
                with VerticalScroll(id="moves"):
                    yield Static("", id="panel", markup=False)
                yield RulesPanel(self.game.spec)

    def on_mount(self) -> None:
        """Show the position, and let the computer begin if it is to move."""
        self.query_one(BoardView).focus()
        self._show()
        if not self.game.table.ply:
            self._say(f"{self.game.spec.summary} Arrows and Enter, or the mouse; i shows the rules.")
        self._go_on()

    def _show(self) -> None:
        """Show everything as it is now."""
        game, past = self.game, self.looking is not None
        over = game.over and not past
        board = game.board(self.looking)
        mine = not game.over and not past and not game.computer_to_move
        view = self.query_one(BoardView)
        view.show(board, playing=mine, labels=game.labels)
        self.set_class(over, "-over")
        self.query_one("#turn", Static).set_class(past, "-past")
        self._write("#turn", self._turn_text())
        self._show_seats()
        self._show_effect("")
        self._show_panel()
        if over:
            self._show_ending()
        state = game.over, game.table.ply > 0
        if state != self._keys_shown_for:
            self._keys_shown_for = state
            self.refresh_bindings()

    def _write(self, place: str, text: str) -> None:
        """Change a text if it is another one; the screen is arranged again only if its height changes."""
        before = self._written.get(place, "")
        if text != before:
            self._written[place] = text
            width = max(self.query_one("#left").size.width - 2, 1)
            rows = [-(-len(each) // width) for each in (before, text)]
            self.query_one(place, Static).update(text, layout=rows[0] != rows[1])

    def _turn_text(self) -> str:
        game = self.game
        if self.looking is not None:
            return (
                f"You are looking at the past: after move {self.looking} of {game.table.ply}. End goes back."
            )
        if game.over:
            return ""
        if game.computer_to_move:
            return f"{capitalised(game.label(game.table.turn))} is thinking …"
        label = capitalised(game.label(game.table.turn))
        return "Your turn." if game.person is not None else f"{label}, it is your turn."

    def _show_seats(self) -> None:
        """The opponent above, the player below; of two people the second is above."""
        game = self.game
        below: Seat = game.person or 0
        for place, seat in (("#upper", OTHER[below]), ("#lower", below)):
            line = self.query_one(place, Static)
            turn = not game.over and game.table.turn == seat and self.looking is None
            line.set_class(turn, "-turn")
            scores = f"  {game.scores[seat]} points" if game.scores else ""
            sign = SYMBOLS[seat]
            self._write(place, f"{'▶' if turn else ' '} {sign} {capitalised(game.label(seat))}{scores}")

    def _show_effect(self, move: str) -> None:
        view = self.query_one(BoardView)
        effect = view.board.effects.get(move)
        text = f"{self.game.say_move(move)}: {effect.text}. Enter plays it." if effect else view.typed
        self._write("#effect", text if view.playing else "")
        self._write("#legend", "   ".join(explain_signs(view.board, move, self.game.labels)))

    def _show_panel(self) -> None:
        side = self.query_one("#side", Vertical)
        panel = self.query_one("#panel", Static)
        side.border_title = "Rules" if self.has_class("-rules") else "Moves"
        at = self.game.table.ply if self.looking is None else self.looking
        text = Text()
        for number, (seat, move, did) in enumerate(self.game.described_moves(), 1):
            mark = "▸" if number == at else " "
            style = "bold" if number == at else ""
            text.append(f"{mark}{number:>3}. {SYMBOLS[seat]} {move}", style)
            text.append(f"  {did}\n", "dim")
        grown = self.game.table.ply != self._moves_shown
        self._moves_shown = self.game.table.ply
        panel.update(text if text else Text("No move yet."), layout=grown)
        if grown:
            self.call_after_refresh(self.query_one("#moves", VerticalScroll).scroll_end, animate=False)

    def _show_ending(self) -> None:
        game = self.game
        lines = [_result(game)]
        if match := game.match_result:
            lines.append(match)
        self.query_one("#result", Static).update("\n".join(lines))
        self.query_one("#decided", Static).update("Looking where it was decided …" if game.table.ply else "")
        following = game.next_game() is not None
        self.query_one("#rematch", Button).label = "Next game (n)" if following else "Rematch (n)"
        other = self.query_one("#next-opponent", Button)
        other.display = bool(game.next_opponent)
        other.label = f"Play {game.next_opponent} (o)"
        if game.table.ply:
            self._find_decision()

    def _say(self, text: str) -> None:
        message = self.query_one("#message", Static)
        message.set_class(not text, "-empty")
        message.update(text)
        if text:
            self.call_after_refresh(message.scroll_visible, animate=False)

    # Moves

    @on(BoardView.Previewed)
    def _previewed(self, event: BoardView.Previewed) -> None:
        self._giving_up = False
        self._show_effect(event.move)

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
            note = game.play(text)
        except (IllegalMove, Unreadable) as fault:
            self._say(game.text.refusal(fault).strip())
            return
        self._say(note)
        self._after_move()

    def _show_unsaved(self) -> None:
        """As long as the game cannot be saved, the heading says so."""
        fault = self.game.unsaved
        self.set_heading(f"NOT SAVED ({fault}): {self.game.title}" if fault else self.game.title)

    def _after_move(self) -> None:
        self._show_unsaved()
        if self.game.threefold:
            self._say("This position has stood three times. d offers a draw.")
        self._show()
        if self._showing_values and not self.game.over and not self.game.computer_to_move:
            self._find_values()
        self._go_on()

    def _go_on(self) -> None:
        if self.game.computer_to_move:
            self._computer_moves()

    @work(exclusive=True, group="engine")
    async def _computer_moves(self) -> None:
        """Ask the background process for a move, and make it."""
        game = self.game
        kind = game.seats[game.table.turn]
        move, _ = await asyncio.gather(
            self.compute(tasks.choose_move, game.record_text(), kind), asyncio.sleep(PAUSE)
        )
        if move is None:
            self._say("The computer does not know how to go on. u takes your move back.")
            return
        note = game.play(move)
        seat, told, did = game.described_moves()[-1]
        self._say(note or f"{capitalised(game.label(seat))}: {told}{f', {did}' if did else ''}.")
        self._after_move()

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
            self._find_hint()

    @work(exclusive=True, group="engine")
    async def _find_hint(self) -> None:
        self._say("thinking … (Escape stops)")
        found = await self.compute(tasks.hint, self.game.record_text())
        if found is None:
            self._say("")
            return
        move, why = found
        self._say(f"Hint: {self.game.say_move(move)}. {why}")
        self.query_one(BoardView).point_at(move)

    def action_values(self) -> None:
        """Show what each move is worth, or stop showing it."""
        if not self._return_to_my_turn():
            return
        self._showing_values = not self._showing_values
        if self._showing_values:
            self._find_values()
        else:
            self.query_one(BoardView).mark({})
            self._say("")

    @work(exclusive=True, group="engine")
    async def _find_values(self) -> None:
        self._say("thinking … (Escape stops)")
        worths = await self.compute(tasks.move_values, self.game.record_text()) or {}
        self.query_one(BoardView).mark({move: short_value(worth) for move, worth in worths.items()})
        if not worths:
            self._say("")
            return
        points = any(worth.margin is not None for worth in worths.values())
        self._say(
            "Values: by how many points each move wins (+) or loses (-) with best play."
            if points
            else "Values: what each move leads to with best play, win, draw or loss."
        )

    @work(exclusive=True, group="decision")
    async def _find_decision(self) -> None:
        """Say where the game was decided."""
        found = await self.compute(tasks.review, self.game.record_text())
        self.query_one("#decided", Static).update(str(found.summary) if found else "")

    def action_undo(self) -> None:
        """Take back the last move of a person, and the computer's answer."""
        self.workers.cancel_group(self, "engine")
        self.looking = None
        undone = self.game.undo()
        self._say("Taken back." if undone else "There is no move to take back.")
        self._show()
        self._go_on()

    def action_look(self, steps: int) -> None:
        """Look at an earlier or later position."""
        ply = self.game.table.ply
        self._look_at((ply if self.looking is None else self.looking) + steps)

    def action_first_position(self) -> None:
        """Look at the position before the first move."""
        self._look_at(0)

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
            self.duel.show("rules", self.game.spec)
            return
        self.toggle_class("-rules")
        self._show_panel()

    def action_side(self) -> None:
        """On a narrow terminal: show the list of moves, or the board again."""
        self.toggle_class("-side")
        if not self.has_class("-side"):  # a hidden board has lost the keys
            self.query_one(BoardView).focus()

    def action_type(self) -> None:
        """Type a move."""
        if not self._return_to_my_turn():
            return
        self.toggle_class("-typing")
        typed = self.query_one("#typed", Input)
        if self.has_class("-typing"):
            typed.focus()
        else:
            self.query_one(BoardView).focus()

    @on(Input.Submitted, "#typed")
    def _typed(self, event: Input.Submitted) -> None:
        event.input.clear()
        self.remove_class("-typing")
        self.query_one(BoardView).focus()
        self._play(event.value)

    # The end

    def action_resign(self) -> None:
        """Give up, if the key is pressed twice."""
        if not self._giving_up:
            self._giving_up = True
            self._say("Press g once more to give up this game.")
            return
        self._giving_up = False
        self.workers.cancel_group(self, "engine")
        self._say(self.game.resign())
        self._show_unsaved()
        self._show()

    def action_draw(self) -> None:
        """Offer a draw: a computer decides; two people have agreed when one of them presses the key."""
        if not self._return_to_my_turn():
            return
        if self.game.opponent == HUMAN:
            self._say(self.game.agree_draw())
            self._show()
        else:
            self._offer_draw()

    @work(exclusive=True, group="engine")
    async def _offer_draw(self) -> None:
        self._say("thinking …")
        if await self.compute(tasks.accepts_draw, self.game.record_text()):
            self._say(self.game.agree_draw())
            self._show()
        else:
            self._say("The computer plays on.")

    @on(Button.Pressed, "#rematch")
    def action_rematch(self) -> None:
        """The next game of the match, or the same game once more with the seats swapped."""
        self.duel.show_instead("play", self.game.next_game() or self.game.rematch())

    @on(Button.Pressed, "#review")
    def action_review(self) -> None:
        """Judge every move."""
        self.duel.show("review", self.game.record_text(), self.game.path)

    @on(Button.Pressed, "#next-opponent")
    def action_next_opponent(self) -> None:
        """The same game against a stronger or a weaker computer."""
        opponent = self.game.next_opponent
        self.duel.change_settings(opponent=opponent)
        self.duel.show_instead("play", self.game.rematch(opponent))

    def action_back(self) -> None:
        """Stop thinking or typing; otherwise leave. The game is saved."""
        if self.has_class("-typing"):
            self.action_type()
            return
        thinking = [
            each
            for each in self.workers
            if each.group == "engine" and each.is_running and not self.game.computer_to_move
        ]
        if thinking:
            self.workers.cancel_group(self, "engine")
            self._showing_values = False
            self._say("")
            return
        self.workers.cancel_node(self)
        self.dismiss()

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
        if action == "next_opponent":
            return bool(game.next_opponent)
        if action == "undo":
            return game.table.ply > 0
        if action == "side":
            return self.has_class("-narrow")
        return True


def _result(game: LiveGame) -> str:
    """Who won, and by what."""
    winner = game.winner
    if winner is None:
        head = "The game is a draw." if game.agreed else "Nobody wins."
    elif game.person is None:
        head = f"The winner is {game.label(winner)}!"
    else:
        head = "You win!" if winner == game.person else f"{capitalised(game.label(winner))} wins."
    if game.scores:
        ours = game.scores if not game.person else game.scores[::-1]
        head += f" {ours[0]} to {ours[1]} points."
    if game.resigned is not None:
        return f"{head} {capitalised(game.label(game.resigned))} gave up."
    return head


def short_value(worth: Worth) -> str:
    """The worth of a move in a few characters.

    >>> short_value(Worth(1)), short_value(Worth(-1, margin=-7))
    ('win', '-7')
    """
    return worth.value_name if worth.margin is None else f"{worth.margin:+}"
