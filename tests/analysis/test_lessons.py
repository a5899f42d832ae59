"""Lessons: every one can be won, against `perfect` too, and mistakes are stopped with a reason."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from numberduels.analysis.lessons import FIRST_GAME, Lesson, judge_move, lessons_of
from numberduels.game import registry
from numberduels.game.messages import Message
from numberduels.game.spec import GameSpec, balanced
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.template import spec as template
from numberduels.play.lessons import LessonRun
from numberduels.solvers import DRAW, LOSS, WIN, Oracle, Retrograde, general_oracle
from numberduels.solvers.general import DepthFirstSearch
from tables import table

OURS = ("number-collision", "number-snatch", "range-war", "restricted-removal", "summation-duel")
ALL = [(registry.spec(name), lesson) for name in OURS for lesson in lessons_of(registry.spec(name))]
every_lesson = table("spec, lesson", ALL)


def plain_oracle(game: Any) -> Oracle[Any, Any]:
    """A solver that knows no game: one without remoteness where lines carry their history."""
    return DepthFirstSearch(game) if getattr(game, "history_matters", False) else general_oracle(game)


@every_lesson
def test_a_learner_who_never_goes_wrong_beats_the_opponent(spec: GameSpec, lesson: Lesson) -> None:
    """What is wrong, a solver that knows no game says."""
    first = lesson.table(spec)
    oracle = plain_oracle(first.game)
    value = oracle.value(first.state)
    assert (value if first.turn == lesson.seat else -value) == WIN
    game, rng = LessonRun(spec, lesson), Random(0)
    while not game.table.outcome:
        if game.learner_to_move:
            state = game.table.state
            good = [move for move in game.table.moves if oracle.evaluate_move(state, move).value == WIN]
            assert game.play(rng.choice(good)) is None
        else:
            game.reply(rng)
    assert game.won and game.mistakes == 0


@every_lesson
def test_there_is_something_to_go_wrong_in_every_lesson(spec: GameSpec, lesson: Lesson) -> None:
    if lesson.key == FIRST_GAME:
        return
    for seed in range(20):
        game, rng = LessonRun(spec, lesson), Random(seed)
        while not game.table.outcome and not game.mistakes:
            if game.learner_to_move:
                game.play(rng.choice(game.table.moves))
            else:
                game.reply(rng)
        if game.mistakes:
            return
    raise AssertionError("whatever the learner does is right, so there is nothing to learn")


@every_lesson
def test_the_worked_position_exists_and_the_texts_are_translated(spec: GameSpec, lesson: Lesson) -> None:
    assert lesson.example_table(spec).ply == len(lesson.shown)
    german = spec.language("de")
    for text in (lesson.title, *lesson.text):
        assert isinstance(text, Message)
        assert german.say(text) != text


def test_a_mistake_names_the_answer_and_a_better_move() -> None:
    game = RangeWar(9)
    state = game.play(game.play(game.start(Random(0)), 5), 4)
    # Up are 6 to 9, down 1 to 3. Only the nearest keeps one number more.
    found = judge_move(Retrograde(game), state, 7)
    assert found is not None
    assert (found.move, found.lost, found.better) == (7, WIN, 6)
    assert found.refutation[0].startswith("After 7 they answer ")
    assert judge_move(Retrograde(game), state, 6) is None


def test_a_move_that_ends_the_game_with_a_loss_says_so() -> None:
    spec = registry.spec("summation-duel")
    game = spec.build({"size": 4, "target": 6})
    state = game.play(game.play(game.start(Random(0)), 3), 1)  # the total is 4
    found = judge_move(Retrograde(game), state, 4)
    assert found is not None
    assert found.refutation == ("4 ends the game, and you lose.",)


def test_a_win_can_become_a_draw() -> None:
    spec = registry.spec("number-collision")
    game = spec.build({"size": 3, "values": 3})
    state = game.start(Random(0))
    for move in ("1@1", "2@2"):
        state = game.play(state, spec.text_for(game).parse_move(move))
    oracle: Any = Retrograde(game)
    collision = spec.text_for(game).parse_move("2@3")
    assert (oracle.value(state), oracle.evaluate_move(state, collision).value) == (WIN, DRAW)
    found = judge_move(oracle, state, collision)
    assert found is not None
    assert "you can force a win no more" in found.refutation[0]


def test_a_game_without_lessons_has_a_guided_first_game_from_the_better_seat() -> None:
    (lesson,) = lessons_of(template)
    assert (lesson.key, lesson.idea) == (FIRST_GAME, template.summary)
    game = lesson.game(template)
    value = Retrograde(game).value(game.start(Random(0)))
    assert lesson.seat == (1 if value == LOSS else 0)


def test_the_better_seat_can_be_the_second() -> None:
    # One or two counters are taken: who faces a multiple of three loses.
    spec = replace(template, rule_sets=(balanced(Message("x"), size=6),))
    assert lessons_of(spec)[0].seat == 1
