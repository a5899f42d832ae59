"""The list of puzzles, and a puzzle: answers, hints, the ending, and what is kept."""

from __future__ import annotations

import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot

from numberduels.analysis.puzzles import Puzzle, find_puzzle
from numberduels.game import registry
from numberduels.play.puzzles import PuzzleResult, append_result, puzzle_rating, read_results
from numberduels.tui.app import DuelApp, run_app
from numberduels.tui.board_view import BoardView
from numberduels.tui.puzzle import PuzzleScreen
from numberduels.tui.puzzles import PuzzlesScreen

from .driving import in_app, press, settled, started, words

SMALL = (40, 20)
TODAY = date(2026, 11, 17)
SEED = TODAY.isoformat()
RANGE_WAR = registry.spec("range-war")


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
    """Go to an answer, and press Enter."""
    board = screen.focused
    assert isinstance(board, BoardView)
    board.point_at(answer)
    await press(pilot, "enter")


def opened(pilot: Pilot[int]) -> PuzzleScreen:
    """The puzzle on the screen."""
    screen = pilot.app.screen
    assert isinstance(screen, PuzzleScreen)
    return screen


# One puzzle


@pytest.mark.parametrize("kind", ["move", "choice", "number"])
@in_app
async def test_a_wrong_answer_is_explained_and_marked_and_a_right_one_solves_the_puzzle(kind: str) -> None:
    puzzle = puzzle_asking_for(kind)
    wrong = wrong_answer(puzzle)
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen, SMALL) as pilot:
        assert puzzle.task in words(pilot)
        await give(pilot, screen, wrong)
        text = puzzle.game_text
        told = text.typed(text.parse_move(wrong)) if kind == "move" else wrong
        assert f"✗ Not {told}." in words(pilot)
        board = screen.focused
        assert isinstance(board, BoardView) and board.marks == {wrong: "✗"} and read_results() == []
        await give(pilot, screen, puzzle.answer)
        assert "✓ Right at try 2!" in words(pilot)
        result = PuzzleResult(TODAY, puzzle.spec.name, 1, puzzle.seed, solved=True, tries=2)
        assert read_results() == [result]
        change = puzzle_rating([result]) - 1000
        assert f"Your rating: {1000 + change} ({change:+d})." in words(pilot)


@in_app
async def test_refused_answers_are_no_tries_and_hints_come_one_after_another() -> None:
    puzzle = puzzle_asking_for("move")
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen, SMALL) as pilot:
        for move in ("9999", "x"):
            screen.post_message(BoardView.Chosen(move))
            await settled(pilot)
        assert not screen.attempt.tries and "9999" not in puzzle.answers
        for number in range(1, len(puzzle.hints) + 1):
            await press(pilot, "h")
            assert f"Hint {number} of {len(puzzle.hints)}:" in words(pilot)
        assert not screen.check_action("hint", ())
        await press(pilot, "i", "escape")
        await give(pilot, screen, puzzle.answer)
        assert "✓ Right at the first try!" in words(pilot)
        assert [(each.tries, each.hints) for each in read_results()] == [(1, len(puzzle.hints))]


@in_app
async def test_the_solution_counts_as_not_solved_and_needs_two_presses_of_a_daily_puzzle() -> None:
    puzzle = puzzle_asking_for("move")
    screen = PuzzleScreen(puzzle, True, today=TODAY)
    async with started(screen) as pilot:
        await press(pilot, "s")
        assert "Press s again to see the solution" in words(pilot)
        assert not screen.attempt.over and not read_results()
        await press(pilot, "s")
        assert "✗ Not solved. Here is the solution." in words(pilot)
        assert screen.positions[0].view.move == puzzle.answer
        pilot.app.push_screen(PuzzleScreen(puzzle, today=TODAY))
        await press(pilot, "s")
        assert [each.solved for each in read_results()] == [False, False]


@in_app
async def test_keys_and_clicks_choose_an_answer() -> None:
    choice, move = puzzle_asking_for("choice"), puzzle_asking_for("move")
    screen = PuzzleScreen(choice, today=TODAY)
    async with started(screen) as pilot:
        assert "Position A" in words(pilot) and "Position B" in words(pilot)
        for key in "ba":
            await press(pilot, key)
            assert screen.answers.move == key.upper()
        for _ in range(1 if choice.answer == "A" else 2):
            await pilot.click("#answers", offset=(2 if choice.answer == "A" else 7, 1))
        await settled(pilot)
        assert screen.attempt.solved
        await pilot.click("#next")
        await settled(pilot)
        assert pilot.app.screen is not screen
        screen = PuzzleScreen(move, today=TODAY)
        pilot.app.push_screen(screen)
        await settled(pilot)
        board = screen.positions[0].view
        place = next(index for index, tile in enumerate(board.board.tiles) if tile.move == move.answer)
        region = next(each for each in board.picture(board.size.width).tiles if each.place == place)
        for _ in range(2):
            await pilot.click(board, offset=(region.x + 2, region.y + 1))
        assert [each.solved for each in read_results()] == [True, True]


@in_app
async def test_enter_goes_on_to_a_puzzle_that_was_not_met() -> None:
    puzzle = find_puzzle(RANGE_WAR, 2, "1")
    screen = PuzzleScreen(puzzle, today=TODAY)
    async with started(screen) as pilot:
        await give(pilot, screen, puzzle.answer)
        await press(pilot, "enter")
        following = opened(pilot)
        assert (following.puzzle.level, following.puzzle.seed) == (2, "2")


@in_app
async def test_a_puzzle_that_is_left_counts_only_after_an_answer() -> None:
    puzzle = find_puzzle(RANGE_WAR, 2, "1")
    async with started(PuzzleScreen(puzzle, today=TODAY)) as pilot:
        screen = PuzzleScreen(puzzle, today=TODAY)
        pilot.app.push_screen(screen)
        await settled(pilot)
        await give(pilot, screen, wrong_answer(puzzle))
    assert [(each.solved, each.tries) for each in read_results()] == [(False, 1)]


@in_app
async def test_a_puzzle_that_is_left_says_that_its_result_cannot_be_saved(tmp_path: Path) -> None:
    puzzle = puzzle_asking_for("move")
    async with started(PuzzlesScreen(TODAY)) as pilot:
        screen = PuzzleScreen(puzzle, today=TODAY)
        pilot.app.push_screen(screen)
        await settled(pilot)
        await give(pilot, screen, wrong_answer(puzzle))
        shutil.rmtree(tmp_path / "home", ignore_errors=True)
        (tmp_path / "home").write_text("a file where the folder should be")
        await press(pilot, "escape")
        assert "cannot be saved" in words(pilot)


@in_app
async def test_a_daily_puzzle_keeps_the_streak_and_has_a_line_to_share() -> None:
    append_result(PuzzleResult(TODAY - timedelta(1), "range-war", 1, "2026-11-16", daily=True))
    puzzle = find_puzzle(RANGE_WAR, 1, SEED)
    screen = PuzzleScreen(puzzle, True, today=TODAY)
    async with started(screen, SMALL) as pilot:
        await give(pilot, screen, puzzle.answer)
        assert "Your streak: 2 days." in words(pilot)
        assert "Number Duels 2026-11-17 Range War: solved, 1 try" in words(pilot)
        await press(pilot, "c")
        assert pilot.app.clipboard == "Number Duels 2026-11-17 Range War: solved, 1 try"
        await press(pilot, "n")
        following = opened(pilot)
        assert (following.attempt.daily, following.puzzle.seed) == (True, SEED)
        assert following.puzzle.spec.name == "number-snatch"
        for name in list(registry.OURS)[2:]:
            append_result(PuzzleResult(TODAY, name, 1, SEED, daily=True))
        await give(pilot, following, following.puzzle.answer)
        assert not following.offered["next"].display and following.offered["back"].has_focus


# The list


@in_app
async def test_todays_puzzles_are_listed_with_what_is_solved_and_tried() -> None:
    append_result(PuzzleResult(TODAY, "range-war", 1, SEED, daily=True))
    screen = PuzzlesScreen(TODAY)
    async with started(screen, SMALL) as pilot:
        assert "streak 1 day" in words(pilot) and "Today, 2026-11-17: 1 of 5 solved" in words(pilot)
        assert "✓ Range War, level" in words(pilot) and "· Number Snatch, level" in words(pilot)
        assert screen.list.highlighted_id == "today/number-snatch"
        await press(pilot, "t")
        puzzle = opened(pilot)
        assert (puzzle.puzzle.spec.name, puzzle.puzzle.seed) == ("number-snatch", SEED)
        assert puzzle.attempt.daily
        await give(pilot, puzzle, wrong_answer(puzzle.puzzle))
        await press(pilot, "escape")
        assert "✗ Number Snatch, level" in words(pilot)
        assert screen.list.highlighted_id == "today/restricted-removal"
        await press(pilot, "enter")
        await give(pilot, opened(pilot), opened(pilot).puzzle.answer)
        await press(pilot, "escape")
        assert "✓ Restricted Removal" in words(pilot)


@in_app
async def test_a_level_is_chosen_by_key_or_click_and_a_puzzle_that_was_met_is_not_set_again() -> None:
    append_result(PuzzleResult(TODAY, "range-war", 2, "1"))
    async with started(PuzzlesScreen(TODAY), SMALL) as pilot:
        await press(pilot, "4")
        assert "As many as you like, level 4" in words(pilot) and "very hard" in words(pilot)
        await press(pilot, "z")
        puzzle = opened(pilot).puzzle
        assert not opened(pilot).attempt.daily
        assert (puzzle.spec.name, puzzle.level, puzzle.seed) == ("range-war", 4, "1")
        await press(pilot, "escape", "2", "z")
        assert opened(pilot).puzzle.seed == "2"
        await press(pilot, "escape")
        await pilot.click("#level-3")
        await settled(pilot)
        assert "As many as you like, level 3" in words(pilot)
        await pilot.click("#list", offset=(8, 9))
        await settled(pilot)
        assert (opened(pilot).puzzle.spec.name, opened(pilot).puzzle.level) == ("number-snatch", 3)


# What cannot be kept


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
