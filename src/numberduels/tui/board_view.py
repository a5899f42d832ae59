"""BoardView: the widget that draws a board, and on which a move is chosen by keys or mouse.

Left and right move along the tiles that can be played, up and down between rows; where a number is placed
on a cell, up and down change the number. Typed digits go to the tile with that label. Enter plays. With the
mouse, pointing previews and a click on the previewed tile plays, so that on a touch screen the first tap
previews and the second plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from numberduels.game import registry
from numberduels.game.board import KINDS, Board, board_of
from numberduels.game.board_text import (
    STYLES,
    Picture,
    Region,
    explain_signs,
    large_board,
    plain_text,
    wrap_parts,
)
from numberduels.game.table import Table
from numberduels.tui.widgets import Column, Guarded, PlainText

EMPTY = Board(())
LABELS = ("Player 1", "Player 2")


class BoardView(Guarded, Widget, can_focus=True):
    """A board. Without `playing` it only shows a position."""

    DEFAULT_CSS = """
    BoardView { height: auto; width: 1fr; }
    BoardView > .board--open { color: $success; text-style: bold; }
    BoardView > .board--empty { color: $success; }
    BoardView > .board--filled { color: $foreground; text-style: bold; }
    BoardView > .board--closed { color: $text-muted; }
    BoardView > .board--first { color: $primary; text-style: bold; }
    BoardView > .board--second { color: $warning; text-style: bold; }
    BoardView > .board--locked { color: $error; }
    BoardView > .board--removed { color: $text-muted; }
    BoardView > .board--note { color: $text; }
    BoardView > .board--legend { color: $text-muted; }
    BoardView > .board--bar { color: $accent; }
    BoardView > .board--chosen { color: $background; background: $success; text-style: bold; }
    BoardView > .board--touched { color: $accent; text-style: bold; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"board--{style}" for style in (*KINDS, *STYLES)}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1, 0)", "Choose a move", show=False),
        Binding("right", "step(1, 0)", "Choose a move", show=False),
        Binding("up", "step(0, -1)", "Choose a move", show=False),
        Binding("down", "step(0, 1)", "Choose a move", show=False),
        Binding("enter", "play", "Play this move", show=False),
        Binding("space", "play", "Play this move", show=False),
    ]

    class Previewed(Message):
        """Another move is previewed; empty if none is."""

        def __init__(self, move: str) -> None:
            super().__init__()
            self.move = move

    class Chosen(Message):
        """A move was chosen, as records write it."""

        def __init__(self, move: str) -> None:
            super().__init__()
            self.move = move

    class Refused(Message):
        """Enter, a digit or a click that chooses no legal move; `typed` names the tile, if one was named."""

        def __init__(self, typed: str) -> None:
            super().__init__()
            self.typed = typed

    def __init__(self, *, playing: bool = False, most_rows: int = 0, name: str = "board") -> None:
        """`playing` lets the player choose a move; `most_rows` limits the height, 0 is the screen's half."""
        super().__init__(id=name)
        self.playing = playing
        self.board = EMPTY
        self.marks: Mapping[str, str] = {}
        self.shown = ""
        """A move that is shown by somebody else, such as the better move of a review."""
        self.most_rows = most_rows
        self._labels = LABELS
        self._place: int | None = None
        self._number = ""
        self._typed = ""
        self._picture: Picture | None = None

    def show(
        self,
        board: Board,
        *,
        playing: bool = False,
        shown: str = "",
        marks: Mapping[str, str] | None = None,
        labels: tuple[str, str] = LABELS,
    ) -> None:
        """Show another board. `shown` is a move to preview, `marks` are short texts for moves."""
        self.board, self.playing, self.shown, self.marks = board, playing, shown, marks or {}
        self._labels = labels
        self._place, self._typed = None, ""
        if self._number not in board.hand:
            self._number = board.hand[0] if board.hand else ""
        self._changed()

    def mark(self, marks: Mapping[str, str]) -> None:
        """Show short texts on the tiles, such as the value of each move."""
        self.marks = marks
        self._changed()

    def point_at(self, move: str) -> None:
        """Preview a move, as if the player had gone there."""
        number = self.board.number_of(move)
        for index, tile in enumerate(self.board.tiles):
            if tile.move and number + tile.move == move:
                self._number, self._place = number, index
                self._changed()
                self.post_message(self.Previewed(self.move))
                return

    @property
    def move(self) -> str:
        """The previewed move, as records write it; empty if there is none."""
        if self._place is None or self._place >= len(self.board.tiles):
            return self.shown
        tile = self.board.tiles[self._place]
        return f"{self._number if self.board.hand else ''}{tile.move}" if tile.move else ""

    def _changed(self) -> None:
        """Draw the board again; the screen is arranged again only if the board has another height."""
        before = len(self._picture.lines) if self._picture else 0
        self._picture = None
        self.refresh(layout=not before or len(self.picture(self._drawn_for).lines) != before)

    # Drawing

    def picture(self, width: int) -> Picture:
        """The board as it is drawn at this width."""
        if self._picture is None or self._drawn_for != width:
            rows = self.most_rows or max((self.screen.size.height if self.is_attached else 24) // 2, 6)
            self._drawn_for = width
            number = self._number if self.playing else ""
            self._picture = large_board(
                self.board,
                width,
                rows,
                move=self.move,
                number=number,
                marks=self.marks,
                labels=self._labels,
            )
        return self._picture

    _drawn_for = 0

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as the board is."""
        return len(self.picture(width).lines)

    def render(self) -> Text:
        """The board as coloured text."""
        text = Text(no_wrap=True, end="")
        for number, line in enumerate(self.picture(self.size.width).lines):
            text.append("\n" if number else "")
            for segment in line:
                text.append(segment.text, self._rich_style(segment.style))
        return text

    def _rich_style(self, style: str) -> Style:
        return self.get_component_rich_style(f"board--{style}") if style else Style()

    # Keys and mouse

    @property
    def _playable(self) -> list[int]:
        return [index for index, tile in enumerate(self.board.tiles) if tile.move]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A move is chosen only where one can be played."""
        return self.playing or action not in ("step", "play")

    def action_step(self, dx: int, dy: int) -> None:
        """Go to the next tile, or take the next number in hand."""
        if not self._playable:
            return
        self._typed = ""
        if dy and self.board.hand:
            place = self.board.hand.index(self._number)
            self._number = self.board.hand[(place - dy) % len(self.board.hand)]
            self._point(self._playable[0] if self._place is None else self._place)
        elif self._place is None:
            self._point(self._playable[0 if max(dx, dy) > 0 else -1])
        else:
            picture = self.picture(self.size.width)
            self._point(picture.neighbour(self._playable, self._place, dx, dy))

    def action_play(self) -> None:
        """Play the previewed move."""
        self.post_message(self.Chosen(self.move) if self.move else self.Refused(self._typed))

    def on_key(self, event: events.Key) -> None:
        """Digits go to the tile with that name; of several numbers to place they choose the number."""
        if not self.playing or not (event.character and event.character.isdigit()):
            return
        event.stop()
        if len(self.board.hand) > 1:
            if event.character in self.board.hand:
                self._number = event.character
                self._point(self._playable[0] if self._place is None else self._place)
            else:
                self.post_message(self.Refused(event.character))
            return
        self._typed = (
            self._typed + event.character if self._begins(self._typed + event.character) else event.character
        )
        if not self._begins(self._typed):
            self.post_message(self.Refused(self._typed))
            self._typed = ""
        self._point(next((place for place in self._playable if self._tile_name(place) == self._typed), None))

    def _begins(self, typed: str) -> bool:
        """Whether the name of a tile that can be played begins like this."""
        return any(self._tile_name(place).startswith(typed) for place in self._playable)

    def _tile_name(self, place: int) -> str:
        tile = self.board.tiles[place]
        return tile.name or tile.label

    @property
    def typed(self) -> str:
        """The digits typed so far, if they do not yet name a tile that can be played."""
        return "" if self.move else self._typed

    def _point(self, place: int | None) -> None:
        self._place = place
        self._changed()
        self.post_message(self.Previewed(self.move))

    def _region_at(self, event: events.MouseEvent) -> Region | None:
        tiles = self.picture(self.size.width).tiles
        return next((region for region in tiles if region.contains(event.x, event.y)), None)

    def _tile_at(self, event: events.MouseEvent) -> int | None:
        """The tile under the mouse, if it can be played."""
        region = self._region_at(event)
        return region.place if region and self.board.tiles[region.place].move else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Preview the move under the mouse."""
        found = self._tile_at(event) if self.playing else None
        if found is not None and found != self._place:
            self._point(found)

    def on_click(self, event: events.Click) -> None:
        """Play the previewed tile, or preview another one; choose a number to place."""
        if not self.playing:
            return
        for region in self.picture(self.size.width).hand:
            if region.contains(event.x, event.y):
                self._number = self.board.hand[region.place]
                self._point(self._playable[0] if self._place is None else self._place)
                return
        found = self._tile_at(event)
        if found is None:
            if unplayable := self._region_at(event):
                self.post_message(self.Refused(self._tile_name(unplayable.place)))
            return
        if found == self._place:
            self.action_play()
        else:
            self._point(found)


HOW_TO_PLAY = "Arrow keys or the mouse choose, Enter plays."


class PositionView(Column):
    """A position. `labels` are the names of the players by seat."""

    DEFAULT_CSS = """
    PositionView { height: auto; }
    PositionView > Static { height: auto; }
    PositionView > .effect { color: $success; }
    PositionView > .legend { color: $text-muted; }
    """

    def __init__(
        self, labels: tuple[str, str] = LABELS, *, name: str = "position", most_rows: int = 0
    ) -> None:
        """`most_rows` limits the height of the board; 0 is the screen's half."""
        super().__init__(id=name)
        self.view = BoardView(most_rows=most_rows)
        self.view.can_focus = False
        self.effect = PlainText(classes="effect")
        self.legend = PlainText(classes="legend")
        self._labels = labels
        self._say: Mapping[str, str] = {}

    def compose(self) -> ComposeResult:
        """The board, the effect of the previewed move, and the signs."""
        yield self.view
        yield self.effect
        yield self.legend

    def show(
        self,
        table: Table[Any, Any],
        *,
        playing: bool = False,
        shown: str = "",
        marks: Mapping[str, str] | None = None,
    ) -> None:
        """Show another position. The other arguments are those of `BoardView.show`."""
        board = board_of(table.game, table.state, table.played)
        text = registry.spec_of(table.game).text_for(table.game)
        self._say = {move: text.typed(text.parse_move(move)) for move in board.effects}
        self.view.can_focus = playing
        self.view.show(board, playing=playing, shown=shown, marks=marks, labels=self._labels)
        self._update()

    def on_board_view_previewed(self) -> None:
        """Say what the move would do. The message goes on to the screen."""
        self._update()

    def on_resize(self, _: events.Resize) -> None:
        """Wrap the explanation of the signs again."""
        self._update()

    def _update(self) -> None:
        board, move = self.view.board, self.view.move
        effect = board.effects.get(move)
        if effect:
            text = f"{self._say.get(move, move)}: {effect.text}"
        else:
            text = HOW_TO_PLAY if self.view.playing and not move else ""
        signs = explain_signs(board, move, self._labels)
        legend = plain_text(wrap_parts(signs, self.size.width or 40, "legend"))
        for part, shown in ((self.effect, text), (self.legend, legend)):
            part.display = bool(shown)
            part.write(shown)
