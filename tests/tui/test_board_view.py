"""The board as a widget: keys and mouse choose moves."""

from __future__ import annotations

import re
from typing import Any

from rich.style import Style
from textual.app import ComposeResult

from numberduels.game import registry
from numberduels.game.board import board_of
from numberduels.game.table import replay
from numberduels.tui.base import DuelScreen
from numberduels.tui.board_view import BoardView

from .driving import duel, in_app, press, screen_text, settled, started


class OneBoard(DuelScreen):
    """A screen with a board to play on, which notes what it is told."""

    def __init__(self, game: str, options: dict[str, str], moves: tuple[Any, ...] = ()) -> None:
        super().__init__()
        rules = registry.spec(game).make(options)
        table = replay(rules, moves)
        self.board = board_of(rules, table.state, table.played)
        self.chosen: list[str] = []

    def body(self) -> ComposeResult:
        yield BoardView()

    def on_mount(self) -> None:
        self.query_one(BoardView).show(self.board, playing=True)
        self.query_one(BoardView).focus()

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        self.chosen.append(event.move)


@in_app
async def test_arrows_go_only_to_what_can_be_played() -> None:
    screen = OneBoard("range-war", {"size": "6"}, (4, 2))
    async with started(screen) as pilot:
        view = screen.query_one(BoardView)
        seen = []
        for _ in range(4):
            await press(pilot, "right")
            seen.append(view.move)
        assert seen == ["3", "5", "6", "3"]
        await press(pilot, "left", "enter")
        assert screen.chosen == ["6"]


@in_app
async def test_typed_digits_go_to_the_number() -> None:
    screen = OneBoard("restricted-removal", {"size": "22"})
    async with started(screen) as pilot:
        await press(pilot, "2", "1", "enter", "7", "enter")
        assert screen.chosen == ["21", "7"]


@in_app
async def test_up_and_down_change_the_number_to_place() -> None:
    screen = OneBoard("number-collision", {"size": "4", "values": "3"})
    async with started(screen) as pilot:
        await press(pilot, "right", "right", "up", "enter", "3", "enter")
        assert screen.chosen == ["2@2", "3@2"]


@in_app
async def test_a_first_click_previews_and_a_second_one_plays() -> None:
    screen = OneBoard("restricted-removal", {"size": "10"})
    async with started(screen) as pilot:
        view = screen.query_one(BoardView)
        region = next(each for each in view.picture(view.size.width).tiles if each.place == 4)
        await pilot.click(BoardView, offset=(region.x + 2, region.y + 1))
        assert (view.move, screen.chosen) == ("6", [])
        await pilot.click(BoardView, offset=(region.x + 2, region.y + 1))
        assert screen.chosen == ["6"]


@in_app
async def test_what_cannot_be_played_cannot_be_clicked_and_can_be_read_in_both_themes() -> None:
    screen = OneBoard("range-war", {"size": "6"}, (4, 2))
    async with started(screen) as pilot:
        for _ in range(2):
            await pilot.click(BoardView, offset=(2, 2))
        assert screen.chosen == []
        for theme in ("dark", "light"):
            duel(pilot).use_theme(theme)
            await settled(pilot)
            text = screen.query_one(BoardView).render()
            background = screen.background_colors[1].rich_color
            styles = [span.style for span in text.spans if isinstance(span.style, Style)]
            assert styles
            assert all(style.color and style.color != (style.bgcolor or background) for style in styles)


@in_app
async def test_every_number_is_on_the_screen_at_any_size() -> None:
    screen = OneBoard("restricted-removal", {"size": "30"})
    async with started(screen) as pilot:
        for width, height in ((80, 24), (40, 20), (200, 60)):
            await pilot.resize_terminal(width, height)
            await settled(pilot)
            assert {*range(2, 31)} <= {int(number) for number in re.findall(r"\d+", screen_text(pilot))}
