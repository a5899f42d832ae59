"""LessonRun: one learner at a lesson; the log of finished lessons, and which lesson comes next."""

from __future__ import annotations

import os
from datetime import date
from random import Random
from typing import Any

from numberduels.analysis.lessons import Lesson, Mistake, judge_move, lessons_of
from numberduels.game import files, registry
from numberduels.game.contract import Seat
from numberduels.game.record import Record, write
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table
from numberduels.play.storage import append_line, failure_note, read_lines

FILE = "lessons.jsonl"


def mark_done(game: str, lesson_key: str) -> str:
    """Note that a lesson is finished; returns a note for the player, empty if all is well."""
    if lesson_key in done(game):
        return ""
    value = {"game": game, "lesson": lesson_key, "day": date.today().isoformat()}
    try:
        append_line(os.path.join(files.data_folder(), FILE), value)
    except OSError as fault:
        return failure_note("that you have finished this lesson", fault)
    return ""


def done(game: str, notes: list[str] | None = None) -> set[str]:
    """The keys of the finished lessons of a game."""
    return {
        value["lesson"]
        for value in read_lines(os.path.join(files.data_folder(), FILE), notes)
        if value.get("game") == game and isinstance(value.get("lesson"), str)
    }


def all_lessons() -> dict[str, tuple[Lesson, ...]]:
    """The lessons of every installed game, by its name."""
    return {spec.name: lessons_of(spec) for spec in registry.specs()}


def next_lesson(spec: GameSpec) -> Lesson:
    """The first lesson of a game that is not finished; the first one if all are."""
    lessons, finished = lessons_of(spec), done(spec.name)
    return next((lesson for lesson in lessons if lesson.key not in finished), lessons[0])


def lesson_after(spec: GameSpec, key: str) -> Lesson | None:
    """The lesson of a game after the one with this key.

    >>> from numberduels.game import registry
    >>> lesson_after(registry.spec("range-war"), "first-game").key
    'nearest'
    """
    lessons = lessons_of(spec)
    places = {lesson.key: place for place, lesson in enumerate(lessons)}
    after = places.get(key, len(lessons)) + 1
    return lessons[after] if after < len(lessons) else None


class LessonRun:
    """The game of a lesson while it is played: mistakes are stopped, the opponent answers.

    `play` and `reply` compute here. A front that computes elsewhere uses `make` and `stop` instead.
    """

    def __init__(self, spec: GameSpec, lesson: Lesson) -> None:
        self.spec = spec
        self.lesson = lesson
        self.table: Table[Any, Any] = lesson.table(spec)
        self.attempt = 1
        self.mistakes = 0
        """How many moves were stopped in this attempt."""
        self._oracle: Any = None
        self._player: Any = None

    @property
    def learner(self) -> Seat:
        """The seat of the learner."""
        return self.lesson.seat

    @property
    def learner_to_move(self) -> bool:
        """Whether the game goes on and the learner is to move."""
        return not self.table.outcome and self.table.turn == self.learner

    @property
    def won(self) -> bool:
        """Whether the learner has won."""
        return self.table.outcome is not None and self.table.outcome.winner == self.learner

    def play(self, move: Any) -> Mistake | None:
        """Make a move of the learner; a mistake is returned and not made. IllegalMove if it is refused."""
        from numberduels.solvers import make_oracle

        state = self.table.state
        self.table.game.play(state, move)
        self._oracle = self._oracle or make_oracle(self.table.game)
        mistake = judge_move(self._oracle, state, move)
        if mistake:
            self.stop()
        else:
            self.make(move)
        return mistake

    def make(self, move: Any) -> None:
        """Make a move that was judged, or one of the opponent."""
        self.table.play(move)

    def stop(self) -> None:
        """Count a mistake, which is not made."""
        self.mistakes += 1

    def reply(self, rng: Random) -> Any:
        """Make the move of the opponent and return it."""
        from numberduels.players import make_player

        assert not self.table.outcome and not self.learner_to_move
        if self._player is None:
            self._player = make_player(self.lesson.opponent)
            self._player.prepare(self.table.game, self.table.start)
        self._player.set_history(self.table.played)
        move = self._player.choose(self.table.game, self.table.state, rng)
        self.make(move)
        return move

    @property
    def can_undo(self) -> bool:
        """Whether the learner has made a move."""
        own = [state for state, _, _ in self.table.steps()][len(self.lesson.moves) :]
        return any(self.table.game.turn(state) == self.learner for state in own)

    def undo(self) -> None:
        """Take back the last move of the learner, and the answer to it."""
        self.table.undo()
        while self.table.turn != self.learner:
            self.table.undo()

    def restart(self) -> None:
        """Play the game again from its start; the opponent may choose otherwise."""
        self.attempt += 1
        self.mistakes = 0
        self.table = self.lesson.table(self.spec)

    def record_text(self) -> str:
        """The game as a record; its seed is the attempt."""
        seed = f"{self.lesson.key} {self.attempt}"
        return write(Record(self.spec, self.table.game, self.table.played, seed=seed))
