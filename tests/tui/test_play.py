"""The table: playing with keys and mouse, help, the past, the end."""

from __future__ import annotations

from functools import partial

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from numberduels.game import registry
from numberduels.play.live_game import LiveGame
from numberduels.play.saved_games import saved_games
from numberduels.play.setup import Setup, start_game
from numberduels.tui import play
from numberduels.tui.board_view import BoardView
from numberduels.tui.play import PlayScreen
from numberduels.tui.table_panel import TablePanel
from ours import OURS

from .driving import (
    engine_of,
    in_app,
    press,
    screen_text,
    settled,
    started,
    until,
    words,
)


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "PAUSE", 0.0)


def table(game: str = "range-war", opponent: str = "perfect", rule_set: str = "book") -> PlayScreen:
    return PlayScreen(start_game(Setup(registry.spec(game), rule_set, opponent, "1"), ("Ada", ""), "7"))


def at(pilot: Pilot[int]) -> PlayScreen:
    screen = pilot.app.screen
    assert isinstance(screen, PlayScreen)
    return screen


def _moved_on(game: LiveGame, ply: int) -> bool:
    return game.table.ply > ply and not game.computer_to_move


async def answered(pilot: Pilot[int], ply: int) -> None:
    """Wait until this many moves are made."""
    await until(pilot, lambda: at(pilot).game.table.ply >= ply)


@in_app
async def test_the_computer_answers_and_is_called_the_computer() -> None:
    async with started(table()) as pilot:
        await press(pilot, "6", "enter")
        await answered(pilot, 2)
        assert at(pilot).game.table.played == (6, 5)  # the only move that wins
        text = screen_text(pilot)
        assert "The computer (perfect): 5, leaves 7-10." in text and "You chose" not in text
        assert "Your turn." in text


@in_app
async def test_a_preview_says_what_the_move_would_do() -> None:
    async with started(table("restricted-removal")) as pilot:
        await press(pilot, "6")
        assert "6: locks 2 and 3. Enter plays it." in screen_text(pilot)
        assert at(pilot).game.table.ply == 0


@in_app
async def test_the_mouse_plays() -> None:
    async with started(table()) as pilot:
        view = pilot.app.screen.query_one(BoardView)
        tile = view.picture(view.size.width).tiles[5]
        for _ in range(2):
            await pilot.click(BoardView, offset=(tile.x + 2, tile.y + 1))
        await answered(pilot, 2)
        assert at(pilot).game.table.played[0] == 6


@in_app
async def test_a_hint_names_the_only_move_that_wins() -> None:
    async with started(table("restricted-removal")) as pilot:
        await press(pilot, "h")
        await until(pilot, lambda: "Hint: 6." in screen_text(pilot))
        assert pilot.app.screen.query_one(BoardView).move == "6"


@in_app
async def test_a_hint_that_comes_after_the_move_is_dropped() -> None:
    async with started(table("restricted-removal", "human")) as pilot:
        engine_of(pilot).hold()
        await press(pilot, "h", "9", "enter")
        assert at(pilot).game.table.played == (9,) and engine_of(pilot).unanswered == 1
        engine_of(pilot).hand_over()
        await settled(pilot)
        assert "Hint:" not in screen_text(pilot)


@in_app
async def test_values_stand_on_the_board() -> None:
    async with started(table("restricted-removal")) as pilot:
        view = pilot.app.screen.query_one(BoardView)
        await press(pilot, "v")
        await until(pilot, lambda: bool(view.marks))
        assert [move for move, value in view.marks.items() if value == "win"] == ["6"]
        await press(pilot, "v")
        assert not view.marks


@in_app
async def test_the_rules_stand_beside_the_board() -> None:
    async with started(table(), (100, 30)) as pilot:
        await press(pilot, "i")
        await until(pilot, lambda: "─ Rules" in screen_text(pilot))
        await press(pilot, "6", "enter")  # the board still has the keys
        await answered(pilot, 2)


@in_app
async def test_undo_takes_back_both_moves() -> None:
    async with started(table()) as pilot:
        await press(pilot, "6", "enter")
        await answered(pilot, 2)
        await press(pilot, "u")
        assert at(pilot).game.table.played == ()


@in_app
async def test_the_past_is_visibly_the_past_and_cannot_be_played() -> None:
    async with started(table()) as pilot:
        await press(pilot, "6", "enter")
        await answered(pilot, 2)
        await press(pilot, "comma")
        assert "after move 1 of 2" in screen_text(pilot)
        await press(pilot, "9", "enter")
        assert at(pilot).game.table.ply == 2
        await press(pilot, "end")
        assert at(pilot).looking is None and "Your turn." in screen_text(pilot)
        await press(pilot, "m", "9", "pageup")
        assert at(pilot).looking == 1 and at(pilot).panel.typed.value == "9"
        await press(pilot, "enter")
        assert at(pilot).game.table.ply == 2, "a typed move is for the present, too"


@in_app
async def test_a_typed_move_is_refused_in_words_or_played() -> None:
    async with started(table("number-collision")) as pilot:
        await press(pilot, "m", *"9 9", "enter")
        assert "Invalid" in screen_text(pilot) and at(pilot).game.table.ply == 0
        await press(pilot, "m", *"3 5", "enter")
        await answered(pilot, 2)
        assert str(at(pilot).game.table.played[0]) == str(at(pilot).game.text.parse_move("3@5"))


@in_app
async def test_giving_up_wants_the_key_twice() -> None:
    async with started(table()) as pilot:
        await press(pilot, "g")
        assert not at(pilot).game.over
        await press(pilot, "g")
        assert at(pilot).game.resigned == 0
        assert "The computer (perfect) wins. Ada gave up." in screen_text(pilot)


@in_app
async def test_the_end_says_who_won_and_where_it_was_decided() -> None:
    async with started(table()) as pilot:
        await press(pilot, "6", "enter")  # 1 to 5 would have won
        for ply in range(2, 12, 2):
            await answered(pilot, ply)
            if at(pilot).game.over:
                break
            await press(pilot, "right", "enter")
        assert at(pilot).game.winner == 1
        decided = at(pilot).query_one("#decided", Static)
        await until(pilot, lambda: "Move 1 decided" in str(decided.render()))
        assert "wins. You are stuck: no move is left" in words(pilot)


@in_app
async def test_in_40_columns_every_button_of_the_end_can_be_read() -> None:
    async with started(table(), (40, 30)) as pilot:
        await press(pilot, "g", "g")
        await until(pilot, lambda: "Rematch (n)" in screen_text(pilot))
        assert "Review (w)" in screen_text(pilot) and "Play expert (o)" in screen_text(pilot)


@in_app
async def test_on_a_low_terminal_the_end_scrolls_into_view() -> None:
    async with started(table("restricted-removal", "human", "balanced"), (40, 20)) as pilot:
        while not at(pilot).game.over:
            await press(pilot, "right", "enter")
        decided = at(pilot).query_one("#decided", Static)
        await until(pilot, lambda: "Looking" not in str(decided.render()))
        await until(pilot, lambda: "Review (w)" in screen_text(pilot))
        assert "Rematch (n)" in screen_text(pilot)


@in_app
async def test_a_broken_line_of_the_moves_goes_on_below_the_move() -> None:
    async with started(table("restricted-removal"), (80, 24)) as pilot:
        await press(pilot, "6", "enter")
        await answered(pilot, 2)
        at(pilot).query_one(TablePanel).display = False
        at(pilot).query_one("#side").styles.max_width = 24

        def goes_on_below() -> bool:
            lines = [line for line in screen_text(pilot).splitlines() if line.startswith("│")]
            first = next((row for row, line in enumerate(lines) if "1. ◆ 6" in line), None)
            if first is None or len(lines[first].strip()) != 24:
                return False
            place = lines[first].index("6")
            return not lines[first + 1][1:place].strip() and lines[first + 1][place] != " "

        await until(pilot, goes_on_below)


@in_app
async def test_the_aim_of_the_game_is_told_even_if_the_computer_begins() -> None:
    setup = Setup(registry.spec("range-war"), "book", "perfect", "2")
    async with started(PlayScreen(start_game(setup, ("Ada", ""), "7"))) as pilot:
        await answered(pilot, 1)
        await until(pilot, lambda: registry.spec("range-war").summary in words(pilot))


@in_app
async def test_a_rematch_swaps_the_seats() -> None:
    async with started(table()) as pilot:
        await press(pilot, "1", "enter")  # nothing is lower: won at once
        assert "You win!" in screen_text(pilot)
        await press(pilot, "n")
        await until(pilot, lambda: at(pilot).game.person == 1)
        await answered(pilot, 1)


@in_app
async def test_the_buttons_of_the_end_can_be_clicked() -> None:
    async with started(table(opponent="casual")) as pilot:
        await press(pilot, "1", "enter")
        await until(pilot, lambda: "winning" in screen_text(pilot))  # below it, nothing moves any more
        await pilot.click("#next-opponent")
        await until(pilot, lambda: at(pilot).game.opponent == "skilled")


@in_app
async def test_a_draw_is_offered_only_where_a_game_need_not_end() -> None:
    async with started(table("number-collision", rule_set="book")) as pilot:
        await press(pilot, "d")
        await until(pilot, lambda: at(pilot).game.agreed)
        assert "The game is a draw." in screen_text(pilot)
    async with started(table("range-war")) as pilot:
        await press(pilot, "d")
        assert not at(pilot).game.over and "Offer a draw" not in screen_text(pilot)


@in_app
async def test_leaving_keeps_the_game() -> None:
    screen = table()
    async with started() as pilot:
        pilot.app.push_screen(screen)
        await press(pilot, "6", "enter", "escape")
        await until(pilot, lambda: pilot.app.screen is not screen)
        assert saved_games()[0].record.moves[0] == 6


@in_app
async def test_on_a_narrow_terminal_the_moves_are_one_key_away() -> None:
    async with started(table(), (40, 20)) as pilot:
        await press(pilot, "6", "enter")
        await answered(pilot, 2)
        assert "Your turn." in screen_text(pilot) and "Moves" not in screen_text(pilot).split("\n")[1]
        await press(pilot, "s")
        await until(pilot, lambda: "1. ◆ 6" in screen_text(pilot))


@pytest.mark.parametrize("name", OURS)
@in_app
async def test_every_game_can_be_played_to_the_end_with_two_keys(name: str) -> None:
    async with started(table(name, "random", "balanced"), (60, 24)) as pilot:
        game = at(pilot).game
        for _ in range(400):
            if game.over:
                break
            ply = game.table.ply
            await press(pilot, "right", "right", "up", "enter")
            await until(pilot, partial(_moved_on, game, ply))
        else:
            raise AssertionError("it never ends")
        assert at(pilot).query_one("#result").region.height > 0


@in_app
async def test_enter_never_plays_a_number_other_than_the_typed_one() -> None:
    async with started(table("restricted-removal")) as pilot:
        await press(pilot, "6", "enter")
        await answered(pilot, 2)
        ply = at(pilot).game.table.ply
        view = pilot.app.screen.query_one(BoardView)
        await press(pilot, "right", "2", "enter")  # 2 is locked
        assert at(pilot).game.table.ply == ply and view.move == ""
        assert "Choose a move first" in screen_text(pilot)
        await press(pilot, "2")
        assert "2" in str(at(pilot).query_one("#message", Static).render())


@in_app
async def test_the_board_has_the_keys_again_after_the_list_of_moves() -> None:
    async with started(table(), (40, 20)) as pilot:
        await press(pilot, "s", "s", "6", "enter")
        await answered(pilot, 2)


@in_app
async def test_end_returns_to_the_present_where_the_table_scrolls() -> None:
    async with started(table("restricted-removal", rule_set="balanced"), (40, 20)) as pilot:
        await press(pilot, "8", "enter")
        await answered(pilot, 2)
        await press(pilot, "comma", "end")
        assert at(pilot).looking is None


@in_app
async def test_with_one_number_to_place_digits_choose_the_cell() -> None:
    async with started(table("number-collision", rule_set="balanced")) as pilot:
        await press(pilot, "4", "enter")
        await answered(pilot, 1)
        assert at(pilot).game.text.format_move(at(pilot).game.table.played[0]) == "1@4"


@in_app
async def test_a_game_that_cannot_be_saved_says_so_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async with started(table()) as pilot:
        with monkeypatch.context() as broken:
            broken.setattr("os.fsync", full)
            await press(pilot, "6", "enter")
            await answered(pilot, 2)
            assert "NOT SAVED (No space left on device)" in screen_text(pilot)


@in_app
async def test_all_keys_of_a_screen_are_one_key_away() -> None:
    async with started(table(), (80, 30)) as pilot:
        await press(pilot, "question_mark")
        await until(pilot, lambda: "Keys (Esc closes)" in screen_text(pilot))
        text = screen_text(pilot)
        assert "Type a move" in text and "Give up" in text and "croll" not in text
        await press(pilot, "escape", "6", "enter")
        await answered(pilot, 2)
