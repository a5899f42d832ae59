"""PuzzlesScreen: the puzzles of today, and as many others as you like, by game and level."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from numberduels.analysis.puzzles import LEVEL_NAMES, LEVELS, Puzzle, find_puzzle
from numberduels.game import registry
from numberduels.game.formatting import plural
from numberduels.play.puzzles import (
    PuzzleResult,
    offered_puzzles,
    puzzle_rating,
    puzzle_strength,
    read_results,
    results_of_day,
    streak,
    unmet_seed,
)
from numberduels.tui.base import ListScreen, list_heading
from numberduels.tui.puzzle import FAILED, SOLVED, level_name
from numberduels.tui.widgets import PlainButton, PlainList, PlainText, Row

TODAY, MORE = "today", "more"
OPEN = "·"


class PuzzlesScreen(ListScreen):
    """Choose a puzzle. The first one of today that is not solved is highlighted."""

    DEFAULT_CSS = """
    PuzzlesScreen #levels { height: 1; padding: 0 1; }
    PuzzlesScreen #levels Static { width: auto; margin-right: 1; }
    PuzzlesScreen #levels Button { min-width: 3; width: 3; margin-right: 1; }
    PuzzlesScreen #levels Button.-chosen { text-style: bold reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(level), f"level({level})", "Level", show=False) for level in LEVELS),
        Binding("t", "today", "Today's next"),
        Binding("z", "more", "Another one"),
    ]

    def __init__(self, today: date | None = None, *, endless: bool = False) -> None:
        """`today` is the day whose puzzles are offered; with `endless` the others are highlighted first."""
        super().__init__("Puzzles", "Today's puzzles are being fetched…")
        self.level_buttons = {
            level: PlainButton(str(level), name=f"level-{level}", action=f"level({level})", compact=True)
            for level in LEVELS
        }
        self.level_name = PlainText(name="level-name")
        self._endless = endless
        self.today = today or date.today()
        self.level = 0
        """The level of the endless puzzles; 0 until one is chosen, or until the fitting one is known."""
        self._daily: dict[str, Puzzle] = {}
        """The puzzles of today, by game."""
        self._levels: dict[str, tuple[int, ...]] = {}
        self._results: Sequence[PuzzleResult] = ()

    def body(self) -> ComposeResult:
        """The list, on a wide terminal what the highlighted puzzle asks, and the levels."""
        yield from super().body()
        yield Row(PlainText("Level"), *self.level_buttons.values(), self.level_name, id="levels")

    def on_mount(self) -> None:
        """Fetch the puzzles of today."""
        self.ask("offered", offered_puzzles, self.today, then=self._fetched)

    def _fetched(self, offered: tuple[dict[str, tuple[int, ...]], list[Puzzle]]) -> None:
        self._levels, daily = offered
        self._daily = {each.spec.name: each for each in daily}
        self.level = self.level or _fitting_level(puzzle_rating(read_results()))
        self._fill(next(iter(self._others), "") if self._endless else "")

    def on_screen_resume(self) -> None:
        """Show what has been solved meanwhile."""
        if self._levels:
            self._fill()

    # The list

    def _fill(self, highlighted: str = "") -> None:
        self._results = read_results()
        days, rating = streak(self._results, self.today), puzzle_rating(self._results)
        told = f"streak {plural(days, 'day')}, " if days else ""
        self.heading.write(f"Puzzles: {told}rating {rating}")
        done = results_of_day(self._results, self.today)
        solved = sum(each.solved for each in done.values())
        options = [list_heading(f"Today, {self.today}: {solved} of {len(self._daily)} solved")]
        for name, puzzle in self._daily.items():
            sign = OPEN if name not in done else SOLVED if done[name].solved else FAILED
            text = f" {sign} {puzzle.spec.title}, level {puzzle.level}"
            options.append(Option(Content(text), id=f"{TODAY}/{name}"))
        options.append(list_heading(f"As many as you like, level {self.level}"))
        for name, levels in self._levels.items():
            solved = sum(
                each.solved for each in self._results if (each.game, each.level) == (name, self.level)
            )
            there = self.level in levels
            told = " has none" if not there else f", {solved} solved" if solved else ""
            title = f"   {registry.spec(name).title}{told}"
            options.append(Option(Content(title), id=f"{MORE}/{name}", disabled=not there))
        self._show_level()
        self.list.fill(options, highlighted or self._following)

    @property
    def _following(self) -> str:
        """The first puzzle of today that was not tried; else the first of the others."""
        done = results_of_day(self._results, self.today)
        waiting = [f"{TODAY}/{name}" for name in self._daily if name not in done]
        return next(iter([*waiting, *self._others]), "")

    @property
    def _others(self) -> list[str]:
        """The games that have puzzles of the chosen level."""
        return [f"{MORE}/{name}" for name, levels in self._levels.items() if self.level in levels]

    def _show_level(self) -> None:
        for level in LEVELS:
            self.level_buttons[level].set_class(level == self.level, "-chosen")
        self.level_name.write(LEVEL_NAMES[self.level])

    def on_option_list_option_highlighted(self, event: PlainList.OptionHighlighted) -> None:
        """Say what the puzzle asks."""
        part, _, game = (event.option_id or "").partition("/")
        if part == TODAY:
            puzzle = self._daily[game]
            result = results_of_day(self._results, self.today).get(game)
            self.tell(
                f"{puzzle.spec.title}, {level_name(puzzle.level)}",
                puzzle.task,
                *([_result(result)] if result else []),
                "Everybody with this version has the same puzzle today.",
                "Enter begins.",
            )
        elif part == MORE:
            self.tell(
                f"{registry.spec(game).title}, {level_name(self.level)}",
                "A puzzle that you have not met yet.",
                "Keys 1 to 5 choose another level.",
                "Enter begins.",
            )

    # What the player does

    def action_level(self, level: int) -> None:
        """Choose the level of the endless puzzles."""
        self.level = level
        self._show_level()
        if not self._levels:
            return  # they are still being fetched
        part, _, game = self.list.highlighted_id.partition("/")
        self._fill("" if part == MORE and level not in self._levels[game] else self.list.highlighted_id)
        self.focus_on(self.list)

    def on_option_list_option_selected(self, event: PlainList.OptionSelected) -> None:
        """Begin the puzzle."""
        self._open(event.option_id or "")

    def _open(self, name: str) -> None:
        part, _, game = name.partition("/")
        if part == TODAY:
            self.open("puzzle", self._daily[game], True, today=self.today)
        elif part == MORE:
            self.about.write("Looking for a puzzle…")
            seed = unmet_seed(self._results, game, self.level)
            self.ask("puzzle", find_puzzle, game, self.level, seed, then=self._found)

    def _found(self, puzzle: Puzzle) -> None:
        self.open("puzzle", puzzle, today=self.today)

    def identity(self, slot: str) -> object:
        """A puzzle is wanted as long as its line is highlighted and no other screen is opened."""
        return (self.list.highlighted_id, self.level, self.in_front) if slot == "puzzle" else None

    def action_today(self) -> None:
        """Begin the first puzzle of today that was not tried."""
        if not self._levels:
            return  # they are still being fetched
        if self._following.startswith(TODAY):
            self._open(self._following)
        else:
            self.notify("You have tried all puzzles of today. There are new ones tomorrow.")

    def action_more(self) -> None:
        """Begin another puzzle of this level, of the highlighted game."""
        _, _, game = (self.list.highlighted_id or self._following).partition("/")
        if self.level in self._levels.get(game, ()):
            self._open(f"{MORE}/{game}")


def _result(result: PuzzleResult) -> str:
    return (
        f"{SOLVED} Solved, {plural(result.tries, 'try', 'tries')}."
        if result.solved
        else f"{FAILED} Not solved yet."
    )


def _fitting_level(rating: int) -> int:
    """The level whose puzzles are nearest to a rating.

    >>> [_fitting_level(rating) for rating in (700, 1000, 1300, 2400)]
    [1, 2, 3, 5]
    """
    return min(LEVELS, key=lambda level: abs(puzzle_strength(level) - rating))
