"""The review of a game, move by move."""

from __future__ import annotations

from random import Random

from numberduels.game import record, registry
from numberduels.game.table import deal, replay
from numberduels.tui.play import PlayScreen
from numberduels.tui.review import ReviewScreen
from ours import OURS

from .driving import HandedEngine, in_app, press, screen_text, settled, started, words

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


@in_app
async def test_it_opens_where_the_game_was_decided_and_keys_step_through_the_moves() -> None:
    screen = ReviewScreen(SUMMATION, "/games/this.duel")
    async with started(screen, SMALL) as pilot:
        review = screen.reviewed.review
        assert review is not None and str(review.summary) in words(pilot)
        assert "Review: Summation Duel, Ada against the computer" in words(pilot)
        assert screen.ply == max(each.ply for each in review.moves if each.mistake)
        assert f"Before move {screen.ply} of 5" in words(pilot)
        seen = []
        for key in ("home", "right", "right", "left", "down", "up", "end", "right", "home", "left"):
            await press(pilot, key)
            seen.append(screen.ply)
        assert seen == [1, 2, 3, 2, 3, 2, 5, 5, 1, 1]
        assert "Ada played 5. ?? threw away a win." in words(pilot) and "Better: 3." in words(pilot)
        assert (screen.view.move, dict(screen.view.marks)) == ("3", {"5": "??"})
        await press(pilot, "b")
        assert [tile.kind for tile in screen.view.board.tiles].count("first") == 1
        assert screen.view.move == "" and "After move 1 of 5" in words(pilot)
        await press(pilot, "b")
        assert [tile.kind for tile in screen.view.board.tiles].count("first") == 0
        assert "Before move 1 of 5" in words(pilot)
        await press(pilot, "l")
        assert "?? threw away a win: " in words(pilot)
        await press(pilot, "pagedown")
        assert "/games/this.duel" in words(pilot)
        await press(pilot, "l")
        assert "Ada played 5." in words(pilot) and "/games/this.duel" not in words(pilot)


@in_app
async def test_n_and_p_go_from_mistake_to_mistake() -> None:
    # Only 3 wins at first; after 7 and 8, 5 makes 20.
    screen = ReviewScreen('[Game "summation-duel"]\n[Target "20"]\n\n1. 7 8 1 4 0-1\n', ply=1)
    async with started(screen, SMALL) as pilot:
        assert screen.reviewed.given_away == [1, 2, 3]
        seen = []
        for key in "nnnpNp":  # there is no other one after the third
            await press(pilot, key)
            seen.append(screen.ply)
        assert seen == [2, 3, 3, 2, 1, 1]


@in_app
async def test_the_list_of_keys_names_every_way_to_step() -> None:
    screen = ReviewScreen(SUMMATION)
    async with started(screen) as pilot:
        await press(pilot, "home", "up", "question_mark")
        assert screen.ply == 1
        for line in ("← or ↑ Earlier move", "↓ or → Later move", "Home First move", "End Last move"):
            assert line in words(pilot)
        assert "n Next mistake" in words(pilot) and "p or N Previous mistake" in words(pilot)


@in_app
async def test_n_stops_where_points_were_given_away_and_the_cursor_has_a_row_of_its_own() -> None:
    text = '[Game "number-snatch"]\n[Numbers "2,3,7,20"]\n[Player2 "Max"]\n\n1. 20 2 7 3 1-0\n'
    screen = ReviewScreen(text)
    async with started(screen) as pilot:
        assert screen.ply == 2 and "Max gave" in words(pilot)  # it opens at the costliest move of the loser
        assert "The final margin with best play" in words(pilot)
        await press(pilot, "home", "n")
        assert screen.ply == 2
        await press(pilot, "n")
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
        assert "You played 3. + only move." in words(pilot) and "Why: It makes 3" in words(pilot)


@in_app
async def test_clicks_choose_a_move_and_c_plays_on_from_it() -> None:
    screen = ReviewScreen(SUMMATION, ply=1)
    async with started(screen) as pilot:
        await pilot.click(screen.moves, offset=(4, 3))
        assert screen.ply == 4
        row = screen_text(pilot).splitlines()[screen.chart.region.bottom - 1]
        await pilot.click(screen.chart, offset=(row.index("▲") - screen.chart.region.x - 6, 0))
        assert screen.ply == 3
        await press(pilot, "end", "b", "c")
        (notice,) = pilot.app._notifications
        assert "The game is over here" in notice.message and pilot.app.screen is screen
        await press(pilot, "b", "home", "right", "right", "c")
        play = pilot.app.screen
        assert isinstance(play, PlayScreen) and play.game.table.played == (5, 1)
        assert play.game.seats == ("human", "greedy")


@in_app
async def test_on_a_narrow_terminal_v_shows_one_part_after_the_other() -> None:
    screen = ReviewScreen(SUMMATION, ply=1)
    async with started(screen, (40, 20)) as pilot:
        for expected in ("1. ◆ 5 ?? threw away a win", "mistakes", "Right choices", "Ada played 5."):
            await press(pilot, "v")
            assert expected in words(pilot)
        await press(pilot, "v")
        await pilot.click(screen.moves, offset=(4, 2))  # the move is shown
        await settled(pilot)
        assert screen.ply == 3 and "Ada played 2." in words(pilot)


@in_app
async def test_every_game_can_be_reviewed() -> None:
    async with started(size=SMALL) as pilot:
        for name in OURS:
            spec, chance = registry.spec(name), Random(5)
            game = deal(spec.build(spec.rule_set(spec.rule_sets[-1].key).options), chance)
            table = replay(game)
            while not table.outcome and table.ply < 12:
                table.play(chance.choice(list(table.moves)))
            screen = ReviewScreen(record.write(record.Record(spec, game, table.played)))
            pilot.app.push_screen(screen)
            await settled(pilot)
            assert screen.reviewed.review is not None
            assert str(screen.reviewed.review.summary) in words(pilot), name
            await press(pilot, *["left"] * table.ply)
            assert "Before move 1 of" in words(pilot), name
            await press(pilot, "escape")


@in_app
async def test_a_long_game_scrolls_the_chart_with_the_chosen_move() -> None:
    moves = " ".join(f"{number}@{cell}" for _ in range(30) for number, cell in ((1, 1), (1, 2)))
    screen = ReviewScreen(f'[Game "number-collision"]\n\n1. {moves} *\n', ply=1)
    async with started(screen, (40, 20)) as pilot:
        await press(pilot, "v", "v")
        for key in ("end", "home"):
            await press(pilot, key)
            assert "▲" in screen_text(pilot)


@in_app
async def test_a_game_without_moves_can_be_looked_at() -> None:
    screen = ReviewScreen('[Game "range-war"]\n\n*\n')
    async with started(screen) as pilot:
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
