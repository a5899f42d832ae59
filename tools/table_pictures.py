"""Pictures of the full-screen table for the documents, and their text for the tests.

    make pictures                           write docs/table/*.svg and *.txt
    python -m tools.table_pictures --show   print the screens

Every picture shows the app itself with fixed games, seeds and days. A test compares the texts.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

from numberduels.analysis.lessons import lessons_of
from numberduels.analysis.puzzles import find_puzzle
from numberduels.game import registry
from numberduels.play.live_game import LiveGame
from numberduels.play.puzzles import PuzzleResult, append_result
from numberduels.play.settings import update_settings
from numberduels.play.setup import Setup, start_game
from numberduels.tui import play
from numberduels.tui.app import DuelApp
from numberduels.tui.home import HomeScreen
from numberduels.tui.lesson import LessonScreen
from numberduels.tui.new_game import NewGameScreen
from numberduels.tui.play import PlayScreen
from numberduels.tui.puzzle import PuzzleScreen
from numberduels.tui.review import ReviewScreen

FOLDER = Path(__file__).parents[1] / "docs" / "table"
SIZE = (80, 24)
DAY = date(2026, 11, 17)
PATIENCE = 3_000
"""Looks at the screen before a picture is given up: a minute."""


def game(name: str, *moves: str, rule_set: str = "balanced", opponent: str = "casual") -> LiveGame:
    """A game of Ada's, who begins, after these moves."""
    found = start_game(Setup(registry.spec(name), rule_set, opponent, "1"), ("Ada", ""), "7")
    for move in moves:
        found.play(move)
    found.save()
    return found


def prepare_player() -> None:
    """The name of the player, three days of puzzles, and an unfinished game."""
    update_settings(name="Ada", game="restricted-removal")
    for days in (1, 2, 3):
        append_result(PuzzleResult(DAY - timedelta(days), "range-war", 1, str(days), daily=True))
    game("range-war", "5", "9")


def home() -> Screen[Any]:
    """The home screen of somebody who has played before."""
    prepare_player()
    return HomeScreen(DAY)


def new_game() -> Screen[Any]:
    """What can be chosen before a game."""
    prepare_player()
    return NewGameScreen()


def table() -> Screen[Any]:
    """A game with a preview of a move."""
    return PlayScreen(game("restricted-removal", "7", "10"))


def ending() -> Screen[Any]:
    """The end of a game."""
    return PlayScreen(game("summation-duel", "6", "8", "10", "9", "5", "3", "1", rule_set="balanced"))


def review() -> Screen[Any]:
    """The review of a game."""
    played = game("restricted-removal", "5", "6", "4", "7", "9", rule_set="book")
    return ReviewScreen(played.record_text())


def puzzle() -> Screen[Any]:
    """A puzzle."""
    return PuzzleScreen(find_puzzle(registry.spec("restricted-removal"), 2, "1"), today=DAY)


def lesson() -> Screen[Any]:
    """The text of a lesson."""
    spec = registry.spec("range-war")
    return LessonScreen(spec, lessons_of(spec)[1])


Scene = tuple[Callable[[], Screen[Any]], str, str]
SCENES: dict[str, Scene] = {
    "home": (home, "", "against casual"),
    "new-game": (new_game, "", "▸ balanced"),
    "table": (table, "6", "Enter plays it"),
    "ending": (ending, "", "decided the game"),
    "review": (review, "", "decided the game"),
    "puzzle": (puzzle, "", "esc Back"),
    "lesson": (lesson, "", "esc Back"),
}
"""By name: the screen, the keys to press, and a pattern that stands on it when it is complete."""


@asynccontextmanager
async def scene(name: str) -> AsyncIterator[Pilot[int]]:
    """The app with this screen, in a folder of its own."""
    make, keys, pattern = SCENES[name]
    app = DuelApp(make())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        before = ""
        for _ in range(PATIENCE):
            text = screen_text(app)
            keys_shown = bool(text.split("\n")[-1])
            if text == before and keys_shown and re.search(pattern, text) and "…" not in text:
                break
            before = text
            await pilot.pause(0.05)
        else:
            raise RuntimeError(f"{name} is never complete:\n{screen_text(app)}")
        yield pilot


def screen_text(app: DuelApp | Any) -> str:
    """What stands on the screen, without colours."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def without_web_fonts(svg: str) -> str:
    """The picture without fonts from elsewhere: documents load nothing from other servers."""
    svg = re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "ui-monospace, Menlo, Consolas, monospace")


def in_own_folder(work: Callable[[], Awaitable[None]]) -> None:
    """Run this with a home folder that is thrown away."""
    before = os.environ.get("NUMBERDUELS_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBERDUELS_HOME"] = folder
        try:
            asyncio.run(work())  # type: ignore[arg-type]  # a coroutine function
        finally:
            if before is None:
                del os.environ["NUMBERDUELS_HOME"]
            else:
                os.environ["NUMBERDUELS_HOME"] = before


def main(show: bool) -> None:
    """Write all pictures, or print them."""
    play.PAUSE = 0.0
    FOLDER.mkdir(exist_ok=True)
    for name in SCENES:

        async def draw(name: str = name) -> None:
            async with scene(name) as pilot:
                text, svg = screen_text(pilot.app), without_web_fonts(pilot.app.export_screenshot())
            if show:
                print(f"{name}\n{text}\n")
                return
            (FOLDER / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
            (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")

        in_own_folder(draw)


if __name__ == "__main__":
    main("--show" in sys.argv[1:])
