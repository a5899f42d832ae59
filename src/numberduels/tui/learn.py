"""LearnScreen: the games with their lessons, and what is done."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from numberduels.analysis.lessons import Lesson
from numberduels.game import registry
from numberduels.play.lessons import all_lessons, done
from numberduels.tui.base import ListScreen, list_heading
from numberduels.tui.widgets import PlainList


class LearnScreen(ListScreen):
    """Choose a lesson. The first one that is not done is highlighted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next", "Next lesson"),
        *(Binding(str(number), f"game({number})", "Game", show=False) for number in range(1, 10)),
    ]

    def __init__(self) -> None:
        super().__init__("Learn", "The lessons are being fetched…")
        self._lessons: dict[str, Lesson] = {}
        """By the name of the game, a stroke and the key of the lesson."""
        self._done: set[str] = set()
        """The names of the lessons that are done."""

    def on_mount(self) -> None:
        """Ask for the lessons: a game without lessons of its own has one that must be computed."""
        self.ask("lessons", all_lessons, then=self._fetched)

    def _fetched(self, found: dict[str, tuple[Lesson, ...]]) -> None:
        self._lessons = {f"{game}/{each.key}": each for game, lessons in found.items() for each in lessons}
        self._fill()

    def on_screen_resume(self) -> None:
        """Show what has been done meanwhile."""
        if self._lessons:
            self._fill()

    @property
    def _games(self) -> list[str]:
        return list(dict.fromkeys(name.partition("/")[0] for name in self._lessons))

    def _of_game(self, game: str) -> list[str]:
        return [name for name in self._lessons if name.partition("/")[0] == game]

    def _fill(self) -> None:
        """Write the list."""
        finished = {f"{game}/{key}" for game in self._games for key in done(game)}
        self._done = finished & self._lessons.keys()
        options: list[Option] = []
        for number, game in enumerate(self._games, 1):
            names = self._of_game(game)
            count = sum(name in self._done for name in names)
            title = registry.spec(game).title
            options.append(list_heading(f"{number} {title}: {count} of {len(names)} done"))
            for name in names:
                sign = "✓" if name in self._done else "·"
                options.append(Option(Content(f"  {sign} {self._lessons[name].title}"), id=name))
        self.heading.write(f"Learn: {len(self._done)} of {len(self._lessons)} lessons done")
        self.list.fill(options, self._following(self.duel.settings.game))

    def _following(self, game: str) -> str:
        """The first lesson that is not done, of this game if it has one; else the first of all."""
        ordered = [*self._of_game(game), *self._lessons]
        return next((name for name in ordered if name not in self._done), next(iter(self._lessons), ""))

    def on_option_list_option_highlighted(self, event: PlainList.OptionHighlighted) -> None:
        """Say what the lesson is about."""
        name = event.option_id or ""
        if lesson := self._lessons.get(name):
            mark = "  ✓ done" if name in self._done else ""
            title = f"{registry.spec(name.partition('/')[0]).title}: {lesson.title}{mark}"
            self.tell(title, str(lesson.idea), str(lesson.task), "Enter begins.")

    def on_option_list_option_selected(self, event: PlainList.OptionSelected) -> None:
        """Begin the lesson."""
        self._open(event.option_id or "")

    def _open(self, name: str) -> None:
        if lesson := self._lessons.get(name):
            game = name.partition("/")[0]
            self.duel.change_settings(game=game)
            self.open("lesson", registry.spec(game), lesson)

    def action_next(self) -> None:
        """Begin the first lesson that is not done."""
        self._open(self._following(self.duel.settings.game))

    def action_game(self, number: int) -> None:
        """Go to the first lesson of a game that is not done."""
        if number <= len(self._games):
            names = self._of_game(self._games[number - 1])
            self.list.highlight(next((name for name in names if name not in self._done), names[0]))
