"""LearnScreen: the games with their lessons, and what is done."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from numberduels import registry
from numberduels.analysis.lessons import Lesson
from numberduels.profile import lesson_log
from numberduels.tui import lesson_tasks
from numberduels.tui.base import DuelScreen

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
    heading_text = "Learn"

    def __init__(self) -> None:
        super().__init__()
        self._lessons: dict[str, tuple[Lesson, ...]] = {}
        self._done: dict[str, set[str]] = {}

    def body(self) -> ComposeResult:
        """The list, and on a wide terminal what the highlighted lesson is about."""
        with Horizontal():
            yield OptionList(id="lessons", markup=False)
            with VerticalScroll(id="details", classes="panel", can_focus=False):
                yield Static(id="title", markup=False)
                yield Static(id="about", markup=False)

    def on_mount(self) -> None:
        """Ask for the lessons: a game without lessons of its own has one that must be computed."""
        self.query_one("#about", Static).update("The lessons are being fetched…")
        self.query_one(OptionList).focus()
        self.run_worker(self._fetch(), exclusive=True)

    async def _fetch(self) -> None:
        self._lessons = await self.engine.run(lesson_tasks.all_lessons)
        self._fill()

    def on_screen_resume(self) -> None:
        """Show what has been done meanwhile."""
        if self._lessons:
            self._fill()

    def _fill(self) -> None:
        """Write the list."""
        listed = self.query_one(OptionList)
        self._done = {game: lesson_log.done(game) for game in self._lessons}
        listed.clear_options()
        for number, (game, lessons) in enumerate(self._lessons.items(), 1):
            done = sum(lesson.key in self._done[game] for lesson in lessons)
            head = f"{number} {registry.spec(game).title}: {done} of {len(lessons)} done"
            listed.add_option(Option(Content.styled(head, "bold"), disabled=True))
            for lesson in lessons:
                sign = DONE if lesson.key in self._done[game] else OPEN
                listed.add_option(Option(Content(f"  {sign} {lesson.title}"), id=f"{game}/{lesson.key}"))
        done_in_all = sum(
            lesson.key in self._done[game] for game, lessons in self._lessons.items() for lesson in lessons
        )
        self.set_heading(f"Learn: {done_in_all} of {sum(map(len, self._lessons.values()))} lessons done")
        self._highlight(self._following(self.duel.settings.game))

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

    def _highlight(self, name: str) -> None:
        listed = self.query_one(OptionList)
        if name:
            listed.highlighted = listed.get_option_index(name)

    def _found(self, name: str | None) -> tuple[str, Lesson] | None:
        game, _, key = (name or "").partition("/")
        return next(((game, each) for each in self._lessons.get(game, ()) if each.key == key), None)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say what the lesson is about."""
        if found := self._found(event.option_id):
            game, lesson = found
            done = "  ✓ done" if lesson.key in self._done[game] else ""
            title = Content.assemble((f"{registry.spec(game).title}: {lesson.title}", "bold"), done)
            self.query_one("#title", Static).update(title)
            self.query_one("#about", Static).update(f"{lesson.idea}\n\n{lesson.task}\n\nEnter begins.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Begin the lesson."""
        self._open(event.option_id)

    def _open(self, name: str | None) -> None:
        if found := self._found(name):
            game, lesson = found
            self.duel.change_settings(game=game)
            self.duel.show("lesson", registry.spec(game), lesson)

    def action_next(self) -> None:
        """Begin the first lesson that is not done."""
        self._open(self._following(self.duel.settings.game))

    def action_game(self, number: int) -> None:
        """Go to the first lesson of a game that is not done."""
        if number <= len(self._lessons):
            game = list(self._lessons)[number - 1]
            waiting = [each for each in self._lessons[game] if each.key not in self._done[game]]
            self._highlight(f"{game}/{(waiting or self._lessons[game])[0].key}")
