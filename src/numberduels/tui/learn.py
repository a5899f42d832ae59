"""LearnScreen: the games with their lessons, and what is done."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from numberduels.analysis.lessons import Lesson
from numberduels.game import registry
from numberduels.play.lessons import done
from numberduels.tui import tasks
from numberduels.tui.base import DuelScreen
from numberduels.tui.plain import PlainList, PlainText, Row, ScrollPanel

DONE, OPEN = "✓", "·"


class LearnScreen(DuelScreen):
    """Choose a lesson. The first one that is not done is highlighted."""

    DEFAULT_CSS = """
    LearnScreen #lessons { width: 40; height: 1fr; border: round $foreground 30%; background: $background; }
    LearnScreen #lessons { scrollbar-size-vertical: 1; }
    LearnScreen #lessons > .option-list--option-disabled { color: $primary; }
    LearnScreen #lessons:focus { border: round $primary; }
    LearnScreen #details { width: 1fr; height: 1fr; }
    LearnScreen #details Static { height: auto; margin-bottom: 1; }
    LearnScreen.-narrow #lessons { width: 1fr; }
    LearnScreen.-narrow #details { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "next", "Next lesson"),
        *(Binding(str(number), f"game({number})", "Game", show=False) for number in range(1, 10)),
    ]

    def __init__(self) -> None:
        super().__init__("Learn")
        self.list = PlainList(name="lessons")
        self.title_line = PlainText(name="title")
        self.about = PlainText("The lessons are being fetched…", name="about")
        self._lessons: dict[str, tuple[Lesson, ...]] = {}
        self._done: dict[str, set[str]] = {}

    def body(self) -> ComposeResult:
        """The list, and on a wide terminal what the highlighted lesson is about."""
        yield Row(self.list, ScrollPanel(self.title_line, self.about, id="details", classes="panel"))

    def on_mount(self) -> None:
        """Ask for the lessons: a game without lessons of its own has one that must be computed."""
        self.focus_on(self.list)
        self.ask("lessons", tasks.all_lessons, then=self._fetched)

    def _fetched(self, lessons: dict[str, tuple[Lesson, ...]]) -> None:
        self._lessons = lessons
        self._fill()

    def no_answer(self, slot: str, reason: str) -> None:
        """Say why; the lessons are fetched again when the screen is opened again."""
        self.about.write(f"The lessons cannot be fetched now. {reason}")
        super().no_answer(slot, reason)

    def on_screen_resume(self) -> None:
        """Show what has been done meanwhile."""
        if self._lessons:
            self._fill()

    def _fill(self) -> None:
        """Write the list."""
        self._done = {game: done(game) for game in self._lessons}
        options: list[Option] = []
        for number, (game, lessons) in enumerate(self._lessons.items(), 1):
            finished = sum(lesson.key in self._done[game] for lesson in lessons)
            head = f"{number} {registry.spec(game).title}: {finished} of {len(lessons)} done"
            options.append(Option(Content.styled(head, "bold"), disabled=True))
            for lesson in lessons:
                sign = DONE if lesson.key in self._done[game] else OPEN
                options.append(Option(Content(f"  {sign} {lesson.title}"), id=f"{game}/{lesson.key}"))
        done_in_all = sum(
            lesson.key in self._done[game] for game, lessons in self._lessons.items() for lesson in lessons
        )
        self.heading.write(f"Learn: {done_in_all} of {sum(map(len, self._lessons.values()))} lessons done")
        self.list.fill(options, self._following(self.duel.settings.game))

    def _following(self, game: str = "") -> str:
        """The first lesson that is not done, of this game if it has one; else the first of all."""
        waiting = [
            f"{name}/{lesson.key}"
            for name, lessons in self._lessons.items()
            for lesson in lessons
            if lesson.key not in self._done[name]
        ]
        everything = [f"{name}/{each.key}" for name, lessons in self._lessons.items() for each in lessons]
        own = [each for each in waiting if each.partition("/")[0] == game]
        return next(iter([*own, *waiting, *everything]), "")

    def _found(self, name: str | None) -> tuple[str, Lesson] | None:
        game, _, key = (name or "").partition("/")
        return next(((game, each) for each in self._lessons.get(game, ()) if each.key == key), None)

    def on_option_list_option_highlighted(self, event: PlainList.OptionHighlighted) -> None:
        """Say what the lesson is about."""
        if found := self._found(event.option_id):
            game, lesson = found
            mark = "  ✓ done" if lesson.key in self._done[game] else ""
            title = Content.assemble((f"{registry.spec(game).title}: {lesson.title}", "bold"), mark)
            self.title_line.write(title)
            self.about.write(f"{lesson.idea}\n\n{lesson.task}\n\nEnter begins.")

    def on_option_list_option_selected(self, event: PlainList.OptionSelected) -> None:
        """Begin the lesson."""
        self._open(event.option_id)

    def _open(self, name: str | None) -> None:
        if found := self._found(name):
            game, lesson = found
            self.duel.change_settings(game=game)
            self.open("lesson", registry.spec(game), lesson)

    def action_next(self) -> None:
        """Begin the first lesson that is not done."""
        self._open(self._following(self.duel.settings.game))

    def action_game(self, number: int) -> None:
        """Go to the first lesson of a game that is not done."""
        if number <= len(self._lessons):
            game = list(self._lessons)[number - 1]
            waiting = [each for each in self._lessons[game] if each.key not in self._done[game]]
            self.list.highlight(f"{game}/{(waiting or self._lessons[game])[0].key}")
