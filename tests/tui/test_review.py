"""The review of a game, move by move."""

from __future__ import annotations

from random import Random

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from numberduels.game import record, registry
from numberduels.game.table import deal, replay
from numberduels.tui.board_view import BoardView
from numberduels.tui.play import PlayScreen
from numberduels.tui.review import ReviewScreen
from numberduels.tui.value_chart import ValueChart
from ours import OURS

from .driving import (
    HandedEngine,
    in_app,
    press,
    screen_text,
    settled,
    started,
    until,
    words,
)

SMALL = (40, 20)

# Numbers 1 to 10, target 20: of all first moves only 3 wins. After 5, 10 leaves 5 to go, and the 5 is gone.
SUMMATION = """[Game "summation-duel"]
[Size "10"]
[Target "20"]
[Player1 "Ada"]
[Player2 "the computer"]
[Seat1 "human"]
[Seat2 "greedy"]
[Seed "7"]
[Result "0-1"]

1. 5 1 2 10 6 0-1
"""

BOOK_LIST = "2,5,7,10,12,13,15,17,18,20"


async def judged(pilot: Pilot[int], screen: ReviewScreen) -> None:
    await until(pilot, lambda: screen.reviewed.review is not None)
    await settled(pilot)


@in_app
async def test_it_opens_where_the_game_was_decided() -> None:
    screen = ReviewScreen(SUMMATION)
    async with started(screen, SMALL) as pilot:
        await judged(pilot, screen)
        assert screen.reviewed.review is not None
        assert str(screen.reviewed.review.summary) in words(pilot)
        assert screen.ply == max(each.ply for each in screen.reviewed.review.moves if each.mistake)
        assert f"Before move {screen.ply} of 5" in words(pilot)


@in_app
async def test_in_40_columns_the_whole_heading_can_be_read() -> None:
    async with started(ReviewScreen(SUMMATION), (40, 20)) as pilot:
        assert "Review: Summation Duel, Ada against the computer" in words(pilot)


@in_app
async def test_a_mistake_is_named_with_the_better_move_on_the_board() -> None:
    screen = ReviewScreen(SUMMATION, ply=1)
    async with started(screen, SMALL) as pilot:
        await judged(pilot, screen)
        assert screen.ply == 1
        shown = words(pilot)
        assert "Ada played 5. ?? threw away a win." in shown and "Better: 3." in shown
        view = screen.query_one(BoardView)
        assert (view.move, dict(view.marks)) == ("3", {"5": "??"})


@in_app
async def test_keys_step_through_the_moves() -> None:
    screen = ReviewScreen(SUMMATION, ply=2)
    async with started(screen, SMALL) as pilot:
        await judged(pilot, screen)
        seen = []
        for key in ("right", "left", "down", "up", "end", "right", "home", "left"):
            await press(pilot, key)
            await settled(pilot)
            seen.append(screen.ply)
        assert seen == [3, 2, 3, 2, 5, 5, 1, 1]


@in_app
async def test_n_and_p_go_from_mistake_to_mistake() -> None:
    # Only 3 wins at first; after 7 and 8, 5 makes 20.
    text = '[Game "summation-duel"]\n[Target "20"]\n\n1. 7 8 1 4 0-1\n'
    screen = ReviewScreen(text, ply=1)
    async with started(screen, SMALL) as pilot:
        await judged(pilot, screen)
        assert screen.reviewed.review is not None
        mistakes = [each.ply for each in screen.reviewed.review.moves if each.mistake]
        assert mistakes == [1, 2, 3]
        for ply in mistakes[1:]:
            await press(pilot, "n")
            assert screen.ply == ply
        await press(pilot, "n")  # there is no other one
        assert screen.ply == mistakes[-1]
        for key, ply in zip("pN" * 10, reversed(mistakes[:-1]), strict=False):
            await press(pilot, key)
            assert screen.ply == ply


@in_app
async def test_n_stops_where_points_were_given_away_and_the_cursor_has_a_row_of_its_own() -> None:
    text = '[Game "number-snatch"]\n[Numbers "2,3,7,20"]\n[Player2 "Max"]\n\n1. 20 2 7 3 1-0\n'
    screen = ReviewScreen(text)
    async with started(screen) as pilot:
        await judged(pilot, screen)
        assert screen.ply == 2 and "Max gave" in words(pilot)  # it opens at the costliest move of the loser
        await press(pilot, "home", "n")
        await settled(pilot)
        assert screen.ply == 2
        await press(pilot, "n")
        await settled(pilot)
        assert screen.ply == 2 and "no mistake after this move" in words(pilot)
        assert not pilot.app._notifications
        rows = screen_text(pilot).splitlines()
        (pointer,) = [row for row in rows if "▲" in row]
        (marks,) = [row for row in rows if "mistakes │" in row]
        assert "this move" in pointer and pointer.index("▲") == marks.index("~")


@in_app
async def test_an_only_move_has_its_reason() -> None:
    screen = ReviewScreen('[Game "summation-duel"]\n[Target "20"]\n[Seat2 "greedy"]\n\n1. 3 *\n', ply=1)
    async with started(screen) as pilot:
        await judged(pilot, screen)
        assert "You played 3. + only move." in words(pilot) and "Why: It makes 3" in words(pilot)


@in_app
async def test_b_shows_the_position_after_the_move() -> None:
    screen = ReviewScreen(SUMMATION, ply=1)
    async with started(screen, SMALL) as pilot:
        await judged(pilot, screen)
        view = screen.query_one(BoardView)
        assert [tile.kind for tile in view.board.tiles].count("first") == 0
        await press(pilot, "b")
        await settled(pilot)
        assert [tile.kind for tile in view.board.tiles].count("first") == 1
        assert view.move == "" and "After move 1 of 5" in words(pilot)
        await press(pilot, "b")
        await settled(pilot)
        assert "Before move 1 of 5" in words(pilot)


@in_app
async def test_a_click_on_a_move_or_on_the_chart_chooses_it() -> None:
    screen = ReviewScreen(SUMMATION, ply=1)
    async with started(screen) as pilot:
        await judged(pilot, screen)
        await pilot.click(OptionList, offset=(4, 3))
        assert screen.ply == 4
        chart = screen.query_one(ValueChart)
        row = screen_text(pilot).splitlines()[chart.region.bottom - 1]
        await pilot.click(ValueChart, offset=(row.index("▲") - chart.region.x - 6, 0))
        assert screen.ply == 3


@in_app
async def test_on_a_narrow_terminal_v_shows_one_part_after_the_other() -> None:
    screen = ReviewScreen(SUMMATION, ply=1)
    async with started(screen, (40, 20)) as pilot:
        await judged(pilot, screen)
        for expected in (" 1. ◆ 5 ?? threw away a win", "mistakes", "Right choices", "Ada played 5."):
            await press(pilot, "v")
            await settled(pilot)
            assert expected.strip() in words(pilot)
        await press(pilot, "v")
        await settled(pilot)
        await pilot.click(OptionList, offset=(4, 2))  # the move is shown
        await settled(pilot)
        assert screen.ply == 3 and "Ada played 2." in words(pilot)


@in_app
async def test_l_explains_every_sign_that_is_used() -> None:
    screen = ReviewScreen(SUMMATION, "/games/this.duel", ply=1)
    async with started(screen, SMALL) as pilot:
        await judged(pilot, screen)
        await press(pilot, "l")
        await settled(pilot)
        assert screen.reviewed.review is not None
        shown = words(pilot)
        assert "?? threw away a win: " in shown
        await press(pilot, "pagedown")
        await settled(pilot)
        assert "/games/this.duel" in words(pilot)
        await press(pilot, "l")
        await settled(pilot)
        assert "Ada played 5." in words(pilot) and "/games/this.duel" not in words(pilot)


@in_app
async def test_c_plays_on_from_the_shown_position() -> None:
    screen = ReviewScreen(SUMMATION, ply=3)
    async with started(screen) as pilot:
        await judged(pilot, screen)
        await press(pilot, "c")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        play = pilot.app.screen
        assert isinstance(play, PlayScreen)
        assert play.game.table.played == (5, 1)
        assert play.game.seats == ("human", "greedy")


@in_app
async def test_c_says_that_the_game_is_over_after_the_last_move() -> None:
    screen = ReviewScreen(SUMMATION, ply=5)
    async with started(screen) as pilot:
        await judged(pilot, screen)
        await press(pilot, "b", "c")
        (notice,) = pilot.app._notifications
        assert "The game is over here" in notice.message and pilot.app.screen is screen


@in_app
async def test_a_game_of_points_has_a_chart_of_the_margin() -> None:
    # The best first move of the book's list is 20, which ends 11 points ahead.
    text = f'[Game "number-snatch"]\n[Numbers "{BOOK_LIST}"]\n\n1. 2 20 *\n'
    screen = ReviewScreen(text, ply=1)
    async with started(screen, SMALL) as pilot:
        await judged(pilot, screen)
        assert screen.reviewed.review is not None and screen.reviewed.review.margins is not None
        assert screen.reviewed.review.margins[0] == 11 and "Better: 20." in words(pilot)
        if True:
            await press(pilot, "v", "v")
            await settled(pilot)
        assert "The final margin with best play" in words(pilot)


@pytest.mark.parametrize("name", OURS)
@in_app
async def test_every_game_can_be_reviewed(name: str) -> None:
    spec, chance = registry.spec(name), Random(5)
    game = deal(spec.build(spec.rule_set(spec.rule_sets[-1].key).options), chance)
    table = replay(game)
    while not table.outcome and table.ply < 12:
        table.play(chance.choice(list(table.moves)))
    screen = ReviewScreen(record.write(record.Record(spec, game, table.played)))
    async with started(screen, SMALL) as pilot:
        await judged(pilot, screen)
        assert screen.reviewed.review is not None
        assert str(screen.reviewed.review.summary) in words(pilot)
        for _ in table.played:
            await press(pilot, "left")
        await settled(pilot)
        assert "Before move 1 of" in words(pilot)


@in_app
async def test_a_long_game_scrolls_the_chart_with_the_chosen_move() -> None:
    moves = " ".join(f"{number}@{cell}" for _ in range(30) for number, cell in ((1, 1), (1, 2)))
    screen = ReviewScreen(f'[Game "number-collision"]\n\n1. {moves} *\n', ply=1)
    async with started(screen, (40, 20)) as pilot:
        await judged(pilot, screen)
        await press(pilot, "v", "v")
        for key in ("end", "home"):
            await press(pilot, key)
            await settled(pilot)
            assert "▲" in screen_text(pilot)


@in_app
async def test_a_game_without_moves_can_be_looked_at() -> None:
    screen = ReviewScreen('[Game "range-war"]\n\n*\n')
    async with started(screen) as pilot:
        await judged(pilot, screen)
        await press(pilot, "right", "n", "b", "home")
        assert screen.ply == 0 and "No move was made." in words(pilot)


@in_app
async def test_a_game_can_be_stepped_through_while_it_is_judged_and_if_it_cannot_be() -> None:
    screen, engine = ReviewScreen(SUMMATION), HandedEngine()
    engine.hold()
    async with started(screen, engine=engine) as pilot:
        assert "thinking" in words(pilot)
        await press(pilot, "right", "right")
        assert screen.ply == 3 and "Ada played 2." in words(pilot)  # without verdicts
        engine.refuse = "That is too large for this machine."
        engine.hand_over()
        await settled(pilot)
        assert "cannot be judged" in words(pilot)
        await press(pilot, "end")
        assert "Ada played 6." in words(pilot)
