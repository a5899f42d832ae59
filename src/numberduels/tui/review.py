"""ReviewScreen: a game move by move, with verdicts, better moves, and the value over the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets.option_list import Option

from numberduels.analysis.judgement import JudgedMove
from numberduels.analysis.review import Review
from numberduels.game import record
from numberduels.game.board import board_of
from numberduels.game.board_text import SYMBOLS
from numberduels.game.contract import OTHER, Scored
from numberduels.game.formatting import capitalised, plural
from numberduels.play.review_view import GLYPHS, MEANINGS, ReviewView, format_accuracy
from numberduels.play.setup import play_on
from numberduels.tui import tasks
from numberduels.tui.base import NARROW, DuelScreen
from numberduels.tui.board_view import BoardView
from numberduels.tui.value_chart import ValueChart
from numberduels.tui.widgets import Column, PlainList, PlainText, Row, ScrollPanel

VIEWS = ("move", "moves", "chart", "legend")
"""On a narrow terminal one of these is shown at a time."""

ROOMY = 32
"""From this many rows on there is room for longer sentences and a higher chart."""

LONGEST = 1_000_000
"""More moves than any game has."""


STEPS: list[BindingType] = [
    Binding("left", "screen.step(-1)", "Step", key_display="←→", tooltip="Earlier move"),
    Binding("right", "screen.step(1)", "Later move", show=False),
    Binding("up", "screen.step(-1)", "Earlier move", show=False),
    Binding("down", "screen.step(1)", "Later move", show=False),
    Binding("home", f"screen.step(-{LONGEST})", "First move", show=False),
    Binding("end", f"screen.step({LONGEST})", "Last move", show=False),
]
"""The keys that step through the moves, wherever the focus is."""


class ReviewedMoves(PlainList):
    """The moves. Keys step as they do everywhere on this screen."""

    BINDINGS: ClassVar[list[BindingType]] = STEPS


class ReviewScreen(DuelScreen):
    """The review of one record. It can be stepped through while it is still being judged."""

    DEFAULT_CSS = """
    ReviewScreen #summary { height: auto; padding: 0 1; color: $accent; text-style: bold; }
    ReviewScreen #middle { height: 1fr; }
    ReviewScreen #move { width: 1fr; scrollbar-size-vertical: 1; }
    ReviewScreen #side { width: 36; }
    ReviewScreen #moves { height: 1fr; border: none; padding: 0; background: $background;
        background-tint: $background 0%; scrollbar-size-vertical: 1; text-wrap: nowrap;
        text-overflow: ellipsis; }
    ReviewScreen #legend { display: none; width: 36; scrollbar-size-vertical: 1; }
    ReviewScreen.-show-legend #legend { display: block; }
    ReviewScreen.-show-legend #side { display: none; }
    ReviewScreen #verdict { height: auto; text-style: bold; }
    ReviewScreen #verdict.-mistake { color: $error; }
    ReviewScreen #better { height: auto; }
    ReviewScreen #chart { height: auto; padding: 0 1; border-top: solid $panel;
        border-title-color: $text-muted; }
    ReviewScreen.-unjudged #chart { display: none; }
    ReviewScreen.-narrow #move, ReviewScreen.-narrow #side, ReviewScreen.-narrow #legend,
    ReviewScreen.-narrow #chart { display: none; width: 1fr; }
    ReviewScreen.-narrow.-show-move #move, ReviewScreen.-narrow.-show-moves #side,
    ReviewScreen.-narrow.-show-legend #legend, ReviewScreen.-narrow.-show-chart #chart { display: block; }
    ReviewScreen.-narrow.-show-chart #middle { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *STEPS,
        Binding("v", "view", "View"),
        Binding("n", "mistake(1)", "Mistakes", key_display="n/p", tooltip="Next mistake"),
        Binding("p,N", "mistake(-1)", "Previous mistake", show=False),
        Binding("b", "after", "Before/after"),
        Binding("l", "legend", "Legend"),
        Binding("c", "play_on", "Play on"),
        Binding("pageup", "scroll(-1)", "Scroll up", show=False),
        Binding("pagedown", "scroll(1)", "Scroll down", show=False),
    ]

    def __init__(self, record_text: str, path: str = "", ply: int | None = None) -> None:
        """`ply` is the move that is shown first, counted from 1; by default the one that decided the game."""
        self.reviewed = ReviewView(record.read(record_text))
        self.record = self.reviewed.record
        names = " against ".join(self.reviewed.names)
        super().__init__(f"Review: {self.record.spec.title}, {names}", classes="-unjudged -show-move")
        self.summary = PlainText(name="summary")
        self.verdict = PlainText(name="verdict")
        self.better = PlainText(name="better")
        self.view = BoardView()
        self.view.can_focus = False
        self.shown_move = ScrollPanel(self.verdict, self.better, self.view, id="move", classes="panel")
        self.moves = ReviewedMoves(name="moves")
        self.side = Column(self.moves, id="side", classes="panel")
        self.signs = PlainText(name="signs")
        self.legend = ScrollPanel(self.signs, id="legend", classes="panel")
        self.chart = ValueChart()
        self.chart_panel = Column(self.chart, id="chart")
        self.after = False
        """Whether the position after the move is shown."""
        self._record_text = record_text
        self._path = path
        self._asked = ply
        self._text = self.reviewed.text
        self.ply = min(max(ply or 1, 1), len(self.record.moves))
        """The chosen move, counted from 1; 0 if there is none."""

    # What is on the screen

    def body(self) -> ComposeResult:
        """The summary, the chosen move beside the list of moves, and the chart."""
        width, height = self.app.size
        self.view.most_rows = max(height // 3 - 2 * isinstance(self.record.game, Scored), 6)
        self.chart.most_rows = 2 if width >= NARROW and height < ROOMY else 4
        self.side.border_title, self.legend.border_title = "Moves", "Legend"
        yield self.summary
        yield Row(self.shown_move, self.side, self.legend, id="middle")
        yield self.chart_panel

    def on_mount(self) -> None:
        """Show the moves at once, and let them be judged."""
        self._show_list()
        self._show_move()
        self.focus_on(self.moves)
        self.summary.write("Judging every move, thinking … (Escape stops and goes back)")
        self.ask("review", tasks.review, self._record_text, then=self._judge)

    def no_answer(self, slot: str, reason: str) -> None:
        """Say why; the moves are still there."""
        super().no_answer(slot, reason)
        self.summary.write("The moves of this game cannot be judged. You can still step through them.")

    def _judge(self, review: Review) -> None:
        """Show the verdicts."""
        self.reviewed.review = review
        self.summary.write(str(review.summary))
        self.chart.show(review, self.reviewed.names)
        self.chart_panel.border_title = (
            "Who wins with best play" if review.margins is None else "The final margin with best play"
        )
        self.signs.write("\n".join(self._legend_lines(review)))
        self.set_class(not review.moves, "-unjudged")
        if self._asked is None:
            self.ply = self.reviewed.decisive or self.ply
        self._show_list()
        self._show_move()
        self.refresh_bindings()

    def _show_list(self) -> None:
        texts = [self._text.spoken(move) for move in self.record.moves]
        widest = max(map(len, texts), default=0)
        self.moves.fill(
            Option(self._list_line(ply, move.ljust(widest)), id=str(ply)) for ply, move in enumerate(texts, 1)
        )

    def _list_line(self, ply: int, move: str) -> Text:
        line = Text(f"{ply:>2}. {SYMBOLS[self.record.mover(ply - 1)]} {move}")
        if judged := self.reviewed.judged(ply):
            style = "bold" if judged.mistake else "dim"
            line.append(f"  {GLYPHS[judged.verdict]:<2} {judged.verdict}", style)
        return line

    def _show_move(self) -> None:
        """Show the chosen move everywhere."""
        judged = self.reviewed.judged(self.ply)
        when = "After" if self.after else "Before"
        self.shown_move.border_title = (
            f"{when} move {self.ply} of {len(self.record.moves)}" if self.ply else "The start"
        )
        self.shown_move.border_subtitle = ""
        self.verdict.set_class(bool(judged and judged.mistake), "-mistake")
        self.verdict.write(self._verdict_text(judged))
        self.better.write(self.reviewed.advice(judged) if judged else "")
        self.better.display = bool(judged and (judged.better or judged.why))
        self._show_board(judged)
        self.moves.highlight(str(self.ply))
        self.chart.point_at(self.ply)

    def _show_board(self, judged: JudgedMove | None) -> None:
        table = self.record.table(self._shown_ply)
        board = board_of(self.record.game, table.state, table.played)
        if self.app.size.height < ROOMY:  # the chart tells who is ahead
            board = replace(board, bars=tuple(bar for bar in board.bars if bar.seat is None))
        if self.after or not self.ply:
            self.view.show(board, labels=self.reviewed.names)
            return
        shown = played = self._text.format_move(self.record.moves[self.ply - 1])
        marks = {}
        if judged and judged.better:
            shown = self._text.format_move(judged.better[0])
            marks = {played: GLYPHS[judged.verdict]}
        self.view.show(board, shown=shown, marks=marks, labels=self.reviewed.names)

    @property
    def _shown_ply(self) -> int:
        """After how many moves the shown position stands."""
        return self.ply if self.after or not self.ply else self.ply - 1

    # Sentences

    def _verdict_text(self, judged: JudgedMove | None) -> str:
        if not self.ply:
            return "No move was made."
        name = self.reviewed.names[self.record.mover(self.ply - 1)]
        head = f"{capitalised(name)} played {self._text.spoken(self.record.moves[self.ply - 1])}."
        if judged is None:
            return head
        given = f" ({plural(judged.given, 'point')})" if judged.given else ""
        verdict = f"{GLYPHS[judged.verdict]} {judged.verdict}{given}"
        if self.app.size.height < ROOMY:
            return f"{head} {verdict}."
        return f"{head} {verdict}: {MEANINGS[judged.verdict]}."

    def _legend_lines(self, review: Review) -> Iterator[str]:
        """The signs of this review, the accuracy of both players, and where the game is kept."""
        yield f"█ {'who wins' if review.margins is None else 'the lead'} after that move"
        yield "▲ the chosen move"
        for verdict, sign in GLYPHS.items():
            if any(each.verdict == verdict for each in review.moves):
                yield f"{sign} {verdict}: {MEANINGS[verdict]}"
        yield "\nRight choices, where a wrong one was possible:"
        for seat in OTHER:
            yield f"{SYMBOLS[seat]} {self.reviewed.names[seat]}: {format_accuracy(review, seat)}"
        if review.beyond:
            yield f"\nThe first {review.unjudged} moves are not judged: {review.beyond}."
        if self._path:
            yield f"\nKept in {self._path}"

    # Keys and mouse

    def _go_to(self, ply: int) -> None:
        ply = min(max(ply, 1), len(self.record.moves))
        if ply != self.ply:
            self.ply = ply
            self._show_move()

    def action_step(self, steps: int) -> None:
        """Go to an earlier or later move."""
        self._go_to(self.ply + steps)

    def action_mistake(self, direction: int) -> None:
        """Go to the next or the previous move that gave something away."""
        if found := self.reviewed.next_mistake(self.ply, direction):
            self._go_to(found)
        else:
            # Not a notice: it would cover the chart.
            self.shown_move.border_subtitle = (
                "no mistake after this move" if direction > 0 else "no mistake before this move"
            )

    def action_after(self) -> None:
        """Show the position after the move, or before it again."""
        self.after = not self.after
        self._show_move()

    def action_view(self) -> None:
        """On a narrow terminal: show the next part."""
        shown = next(view for view in VIEWS if self.has_class(f"-show-{view}"))
        self._show_view(VIEWS[(VIEWS.index(shown) + 1) % len(VIEWS)])

    def action_legend(self) -> None:
        """Show what the signs mean, or hide it."""
        self._show_view("move" if self.has_class("-show-legend") else "legend")

    def _show_view(self, view: str) -> None:
        for each in VIEWS:
            self.set_class(each == view, f"-show-{each}")
        if view == "moves":
            self.focus_on(self.moves)

    def action_scroll(self, pages: int) -> None:
        """Scroll what does not fit."""
        panel = self.legend if self.has_class("-show-legend") else self.shown_move
        panel.scroll_relative(y=pages * max(panel.size.height - 1, 1), animate=False)

    @on(PlainList.OptionHighlighted)
    def _highlighted(self) -> None:
        # What is highlighted now counts: the message may be older than the move that is shown.
        if self.moves.highlighted_id:
            self._go_to(int(self.moves.highlighted_id))

    @on(PlainList.OptionSelected)
    def _selected(self, event: PlainList.OptionSelected) -> None:
        self._go_to(int(event.option.id or 1))
        if self.has_class("-narrow"):
            self._show_view("move")

    @on(ValueChart.Picked)
    def _picked(self, event: ValueChart.Picked) -> None:
        self._go_to(event.ply)

    def action_play_on(self) -> None:
        """Play on from the shown position against the computer."""
        settings = self.duel.settings
        try:
            game = play_on(self.record, self._shown_ply, name=settings.name, opponent=settings.opponent)
        except ValueError as fault:
            self.notify(str(fault))
        else:
            self.open("play", game)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which keys make sense now."""
        if action == "view":
            return self.has_class("-narrow")
        if action == "mistake":
            return bool(self.reviewed.given_away)
        if action in ("step", "after"):
            return bool(self.record.moves)
        return True
