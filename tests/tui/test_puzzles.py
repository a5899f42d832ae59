"""The list of puzzles, and a puzzle: answers, hints, the ending, and what is kept."""

from __future__ import annotations

import shutil
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from numberduels.analysis.puzzles import Puzzle, find_puzzle
from numberduels.game import registry
from numberduels.play.puzzles import PuzzleResult, append_result, puzzle_rating, read_results
from numberduels.tui.app import DuelApp, run_app
from numberduels.tui.board_view import BoardView
from numberduels.tui.puzzle import PuzzleScreen
from numberduels.tui.puzzles import PuzzlesScreen

from .driving import (
    in_app,
    press,
    screen_text,
    settled,
    started,
    until,
    words,
)

SMALL = (40, 20)
TODAY = date(2026, 11, 17)
SEED = TODAY.isoformat()


def puzzle_asking_for(kind: str) -> Puzzle:
    """The first puzzle of level 1 that asks for a move, a choice or a number."""
    for name in registry.OURS:
        for seed in range(1, 20):
            found = find_puzzle(registry.spec(name), 1, str(seed))
            if found.asks_for == kind:
                return found
    raise AssertionError(f"no puzzle asks for a {kind}")


def wrong_answer(puzzle: Puzzle) -> str:
    return next(each for each in puzzle.answers if not puzzle.is_right(each))


async def give(pilot: Pilot[int], screen: PuzzleScreen, answer: str) -> None:
    """Go to an answer, press Enter, and wait until it is judged."""
    board = screen.focused
    assert isinstance(board, BoardView)
    board.point_at(answer)
    await press(pilot, "enter")
    await judged(pilot, screen)


async def judged(pilot: Pilot[int], screen: PuzzleScreen) -> None:
    await until(pilot, lambda: not screen.busy)
    await settled(pilot)


async def listed(pilot: Pilot[int], screen: PuzzlesScreen) -> OptionList:
    """The list, when the puzzles are there."""
    found = screen.query_one(OptionList)
    await until(pilot, lambda: found.highlighted is not None)
    await settled(pilot)
    return found


async def opened(pilot: Pilot[int]) -> PuzzleScreen:
    """The puzzle on the screen, when it is there."""
    await until(pilot, lambda: isinstance(pilot.app.screen, PuzzleScreen))
    screen: Any = pilot.app.screen
    await until(pilot, lambda: screen.is_mounted)
    await settled(pilot)
    assert isinstance(screen, PuzzleScreen)
    return screen


# One puzzle


@pytest.mark.parametrize("kind", ["move", "choice", "number"])
@in_app
async def test_a_right_answer_solves_the_puzzle(kind: str) -> None:
    puzzle = puzzle_asking_for(kind)
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen, SMALL) as pilot:
        assert puzzle.task in words(pilot)
        await give(pilot, screen, puzzle.answer)
        assert "✓ Right at the first try!" in words(pilot)
        result = PuzzleResult(TODAY, puzzle.spec.name, 1, puzzle.seed, solved=True, tries=1)
        assert read_results() == [result]
        change = puzzle_rating([result]) - 1000
        assert f"Your rating: {1000 + change} ({change:+d})." in words(pilot)


@pytest.mark.parametrize("kind", ["move", "choice", "number"])
@in_app
async def test_a_wrong_answer_is_explained_marked_and_tried_again(kind: str) -> None:
    puzzle = puzzle_asking_for(kind)
    wrong = wrong_answer(puzzle)
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen, SMALL) as pilot:
        await give(pilot, screen, wrong)
        text = puzzle.game_text
        told = text.typed(text.parse_move(wrong)) if kind == "move" else wrong
        await until(pilot, lambda: f"✗ Not {told}." in words(pilot))
        board = screen.focused
        assert isinstance(board, BoardView) and board.marks == {wrong: "✗"}
        assert read_results() == []
        await give(pilot, screen, puzzle.answer)
        assert "✓ Right at try 2!" in words(pilot)
        assert [(each.solved, each.tries) for each in read_results()] == [(True, 2)]


@in_app
async def test_an_answer_that_breaks_the_rules_is_refused_and_is_no_try() -> None:
    puzzle = puzzle_asking_for("move")
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen, SMALL) as pilot:
        for move in ("9999", "x"):
            screen.post_message(BoardView.Chosen(move))
            await settled(pilot)
        assert not screen.attempt.tries and "9999" not in puzzle.answers
        await give(pilot, screen, puzzle.answer)
        assert "✓ Right at the first try!" in words(pilot)


@in_app
async def test_hints_come_one_after_another_and_are_counted() -> None:
    puzzle = puzzle_asking_for("move")
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen, SMALL) as pilot:
        for number in range(1, len(puzzle.hints) + 1):
            await press(pilot, "h")
            await settled(pilot)
            assert f"Hint {number} of {len(puzzle.hints)}:" in words(pilot)
        assert not screen.check_action("hint", ())
        await give(pilot, screen, puzzle.answer)
        assert read_results()[0].hints == len(puzzle.hints)


@in_app
async def test_the_solution_counts_as_not_solved() -> None:
    puzzle = puzzle_asking_for("move")
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen, SMALL) as pilot:
        await press(pilot, "s")
        await judged(pilot, screen)
        assert "✗ Not solved. Here is the solution." in words(pilot)
        assert screen.query_one(BoardView).move == puzzle.answer
        assert [each.solved for each in read_results()] == [False]


@in_app
async def test_the_solution_of_a_daily_puzzle_is_shown_at_the_second_press() -> None:
    screen = PuzzleScreen(puzzle_asking_for("move"), True, today=TODAY)
    async with started(screen) as pilot:
        await press(pilot, "s")
        await settled(pilot)
        assert "Press s again to see the solution" in words(pilot)
        assert not screen.attempt.over and not read_results()
        await press(pilot, "s")
        await judged(pilot, screen)
        assert "Not solved. Here is the solution." in words(pilot)


@in_app
async def test_a_and_b_choose_a_position() -> None:
    puzzle = puzzle_asking_for("choice")
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen) as pilot:
        assert "Position A" in words(pilot) and "Position B" in words(pilot)
        answers = screen.query_one("#answers", BoardView)
        await press(pilot, "b")
        assert answers.move == "B"
        await press(pilot, "a")
        assert answers.move == "A"
        await press(pilot, "enter")
        await judged(pilot, screen)
        assert screen.attempt.tries == 1


@in_app
async def test_an_answer_can_be_clicked() -> None:
    puzzle = puzzle_asking_for("choice")
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen) as pilot:
        for _ in range(2):
            await pilot.click("#answers", offset=(2 if puzzle.answer == "A" else 7, 1))
        await judged(pilot, screen)
        assert screen.attempt.over and read_results()[0].solved
        await pilot.click("#next")
        await until(pilot, lambda: pilot.app.screen is not screen)


@in_app
async def test_a_move_can_be_clicked_on_the_board() -> None:
    puzzle = puzzle_asking_for("move")
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen) as pilot:
        board = screen.query_one(BoardView)
        place = next(index for index, tile in enumerate(board.board.tiles) if tile.move == puzzle.answer)
        region = next(each for each in board.picture(board.size.width).tiles if each.place == place)
        for _ in range(2):
            await pilot.click(BoardView, offset=(region.x + 2, region.y + 1))
        await judged(pilot, screen)
        assert read_results()[0].solved


@in_app
async def test_enter_goes_on_to_a_puzzle_that_was_not_met() -> None:
    puzzle = find_puzzle(registry.spec("range-war"), 2, "1")
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen) as pilot:
        await give(pilot, screen, puzzle.answer)
        await press(pilot, "enter")
        await until(pilot, lambda: pilot.app.screen is not screen)
        following = await opened(pilot)
        assert (following.puzzle.level, following.puzzle.seed) == (2, "2")
        await give(pilot, following, following.puzzle.answer)
        await press(pilot, "n")
        await until(pilot, lambda: pilot.app.screen is not following)


@in_app
async def test_a_puzzle_that_is_left_after_an_answer_is_not_solved() -> None:
    puzzle = find_puzzle(registry.spec("range-war"), 2, "1")
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen) as pilot:
        await give(pilot, screen, wrong_answer(puzzle))
    assert [(each.solved, each.tries) for each in read_results()] == [(False, 1)]


@in_app
async def test_a_puzzle_that_is_left_says_that_its_result_cannot_be_saved(tmp_path: Path) -> None:
    puzzle = puzzle_asking_for("move")
    async with started(PuzzlesScreen(TODAY)) as pilot:
        pilot.app.push_screen(PuzzleScreen(puzzle, today=TODAY))
        screen = await opened(pilot)
        await give(pilot, screen, wrong_answer(puzzle))
        shutil.rmtree(tmp_path / "home", ignore_errors=True)
        (tmp_path / "home").write_text("a file where the folder should be")
        await press(pilot, "escape")
        await until(pilot, lambda: "cannot be saved" in words(pilot))


@in_app
async def test_a_puzzle_that_is_left_untouched_leaves_no_result() -> None:
    async with started(PuzzleScreen(find_puzzle(registry.spec("range-war"), 2, "1"), today=TODAY)):
        pass
    assert read_results() == []


@in_app
async def test_a_daily_puzzle_keeps_the_streak_and_has_a_line_to_share() -> None:
    append_result(PuzzleResult(TODAY - timedelta(1), "range-war", 1, "2026-11-16", daily=True))
    puzzle = find_puzzle(registry.spec("range-war"), 1, SEED)
    screen = PuzzleScreen(puzzle, True, today=TODAY)
    async with started(screen, SMALL) as pilot:
        await give(pilot, screen, puzzle.answer)
        assert "Your streak: 2 days." in words(pilot)
        assert "Number Duels 2026-11-17 Range War: solved, 1 try" in words(pilot)
        await press(pilot, "c")
        assert pilot.app.clipboard == "Number Duels 2026-11-17 Range War: solved, 1 try"
        await press(pilot, "n")
        await until(pilot, lambda: pilot.app.screen is not screen)
        following = await opened(pilot)
        assert (following.attempt.daily, following.puzzle.seed) == (True, SEED)
        assert following.puzzle.spec.name == "number-snatch"


@in_app
async def test_after_the_last_puzzle_of_today_there_is_no_next_one() -> None:
    for name in list(registry.OURS)[1:]:
        append_result(PuzzleResult(TODAY, name, 1, SEED, daily=True))
    puzzle = find_puzzle(registry.spec("range-war"), 1, SEED)
    screen = PuzzleScreen(puzzle, True, today=TODAY)
    async with started(screen) as pilot:
        await give(pilot, screen, puzzle.answer)
        assert not screen.query_one("#next").display
        assert screen.query_one("#back").has_focus


@in_app
async def test_i_shows_the_rules_and_escape_comes_back_to_the_puzzle() -> None:
    screen = PuzzleScreen(find_puzzle(registry.spec("range-war"), 2, "1"), today=TODAY)
    async with started(screen) as pilot:
        await press(pilot, "i")
        await until(pilot, lambda: "Range War: the rules" in screen_text(pilot))
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is screen)


# The list


@in_app
async def test_todays_puzzles_are_listed_with_what_is_solved() -> None:
    append_result(PuzzleResult(TODAY, "range-war", 1, SEED, daily=True))
    append_result(PuzzleResult(TODAY, "number-snatch", 1, SEED, daily=True, solved=False))
    screen = PuzzlesScreen(TODAY)
    async with started(screen, SMALL) as pilot:
        found = await listed(pilot, screen)
        text = words(pilot)
        assert "streak 1 day" in text
        assert "Today, 2026-11-17: 1 of 5 solved" in text
        assert "✓ Range War, level" in text
        assert "✗ Number Snatch, level" in text
        assert "· Restricted Removal, level" in text
        option = found.highlighted_option
        assert option is not None and option.id == "today/restricted-removal"


@in_app
async def test_enter_begins_a_puzzle_of_today_and_escape_comes_back() -> None:
    screen = PuzzlesScreen(TODAY)
    async with started(screen, SMALL) as pilot:
        await listed(pilot, screen)
        await press(pilot, "down", "enter")
        puzzle = await opened(pilot)
        assert puzzle.attempt.daily
        assert (puzzle.puzzle.spec.name, puzzle.puzzle.seed) == ("number-snatch", SEED)
        await give(pilot, puzzle, puzzle.puzzle.answer)
        await press(pilot, "escape")
        await until(pilot, lambda: "✓ Number Snatch" in screen_text(pilot))


@in_app
async def test_a_puzzle_that_was_tried_and_left_is_crossed_in_the_list() -> None:
    screen = PuzzlesScreen(TODAY)
    async with started(screen) as pilot:
        await listed(pilot, screen)
        await press(pilot, "enter")
        puzzle = await opened(pilot)
        await give(pilot, puzzle, wrong_answer(puzzle.puzzle))
        await press(pilot, "escape")
        await until(pilot, lambda: "✗ Range War" in screen_text(pilot))


@in_app
async def test_digits_choose_the_level_and_z_begins_another_puzzle() -> None:
    screen = PuzzlesScreen(TODAY)
    async with started(screen) as pilot:
        await listed(pilot, screen)
        await press(pilot, "4")
        await settled(pilot)
        assert "As many as you like, level 4" in words(pilot) and "very hard" in words(pilot)
        await press(pilot, "z")
        puzzle = await opened(pilot)
        assert not puzzle.attempt.daily
        assert (puzzle.puzzle.spec.name, puzzle.puzzle.level, puzzle.puzzle.seed) == ("range-war", 4, "1")


@in_app
async def test_a_level_and_a_game_can_be_clicked() -> None:
    screen = PuzzlesScreen(TODAY)
    async with started(screen, SMALL) as pilot:
        await listed(pilot, screen)
        await pilot.click("#level-3")
        await settled(pilot)
        assert "As many as you like, level 3" in words(pilot)
        await pilot.click("#list", offset=(8, 9))
        puzzle = await opened(pilot)
        assert (puzzle.puzzle.spec.name, puzzle.puzzle.level) == ("number-snatch", 3)


@in_app
async def test_t_begins_the_first_puzzle_of_today_that_was_not_tried() -> None:
    append_result(PuzzleResult(TODAY, "range-war", 1, SEED, daily=True))
    screen = PuzzlesScreen(TODAY)
    async with started(screen) as pilot:
        await listed(pilot, screen)
        await press(pilot, "t")
        assert (await opened(pilot)).puzzle.spec.name == "number-snatch"


@in_app
async def test_a_puzzle_that_was_met_is_not_set_again() -> None:
    append_result(PuzzleResult(TODAY, "range-war", 2, "1"))
    screen = PuzzlesScreen(TODAY)
    async with started(screen) as pilot:
        await listed(pilot, screen)
        await press(pilot, "2", "z")
        assert (await opened(pilot)).puzzle.seed == "2"


@in_app
async def test_a_result_that_cannot_be_kept_at_the_end_of_the_app_is_told_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    screen = PuzzleScreen(puzzle_asking_for("move"))
    async with started(screen) as pilot:
        await press(pilot, "h")
        monkeypatch.setattr("os.fsync", full)
        await press(pilot, "ctrl+c")
    assert isinstance(pilot.app, DuelApp)
    assert [note for note in pilot.app.notes if "No space left on device" in note] == pilot.app.notes != []


def test_what_could_not_be_kept_is_printed_after_the_app(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(app: DuelApp) -> None:
        app.notes.append("Note: this is not saved.")

    monkeypatch.setattr(DuelApp, "run", run)
    assert run_app() == 1
    assert capsys.readouterr().err == "Note: this is not saved.\n"
