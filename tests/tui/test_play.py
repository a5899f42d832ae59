"""The table: playing with keys and mouse, help, the past, the end."""

from __future__ import annotations

from functools import partial

import pytest
from textual.pilot import Pilot

from numberduels.game import registry
from numberduels.play.saved_games import saved_games
from numberduels.play.setup import Setup, start_game
from numberduels.tui import play
from numberduels.tui.board_view import BoardView
from numberduels.tui.play import PlayScreen
from ours import OURS

from .driving import engine_of, in_app, press, screen_text, settled, started, until, words


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "PAUSE", 0.0)


def table(game: str = "range-war", opponent: str = "perfect", rule_set: str = "book") -> PlayScreen:
    return PlayScreen(start_game(Setup(registry.spec(game), rule_set, opponent, "1"), ("Ada", ""), "7"))


def at(pilot: Pilot[int]) -> PlayScreen:
    screen = pilot.app.screen
    assert isinstance(screen, PlayScreen)
    return screen


def _fills(pilot: Pilot[int], columns: int) -> bool:
    return columns - 2 < len(screen_text(pilot).splitlines()[-1]) <= columns


@in_app
async def test_a_game_from_the_first_preview_to_the_past() -> None:
    async with started(table()) as pilot:
        game, view = at(pilot).game, at(pilot).view
        tile = view.picture(view.size.width).tiles[5]
        for _ in range(2):  # the first click previews, the second plays
            assert game.table.ply == 0
            await pilot.click(BoardView, offset=(tile.x + 2, tile.y + 1))
        await settled(pilot)
        assert game.table.played == (6, 5)  # the only move that wins
        text = screen_text(pilot)
        assert "The computer (perfect): 5, leaves 7-10." in text and "You chose" not in text
        assert "Your turn." in text
        await press(pilot, "comma")
        assert "after move 1 of 2" in screen_text(pilot)
        await press(pilot, "9", "enter")
        assert game.table.ply == 2, "the past cannot be played"
        await press(pilot, "end")
        assert at(pilot).looking is None and "Your turn." in screen_text(pilot)
        await press(pilot, "m", "9", "pageup")
        assert at(pilot).looking == 1 and at(pilot).panel.typed.value == "9"
        await press(pilot, "enter")
        assert game.table.ply == 2, "a typed move is for the present, too"
        await press(pilot, "u")
        assert not game.table.ply
        await press(pilot, "i")
        assert "─ Rules" in screen_text(pilot) and "esc Close rules" in screen_text(pilot)
        await press(pilot, "7", "enter", "escape")  # the board still has the keys
        assert saved_games()[0].record.moves[0] == 7
        assert "─ Moves" in screen_text(pilot) and "esc Leave" in screen_text(pilot)
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, PlayScreen)


@in_app
async def test_previews_hints_and_values() -> None:
    async with started(table("restricted-removal")) as pilot:
        view = at(pilot).view
        await press(pilot, "6")
        assert "6: locks 2 and 3. Enter plays it." in screen_text(pilot) and at(pilot).game.table.ply == 0
        await press(pilot, "9", "h")
        assert "Hint: 6." in screen_text(pilot) and view.move == "6"
        await press(pilot, "v")
        assert [move for move, value in view.marks.items() if value == "win"] == ["6"]
        await press(pilot, "v")
        assert not view.marks
        await press(pilot, "6", "enter")
        ply = at(pilot).game.table.ply
        await press(pilot, "right", "2", "enter")  # 2 is locked: no other number is played
        assert at(pilot).game.table.ply == ply == 2 and view.move == ""
        assert "Choose a move first" in screen_text(pilot)
        await press(pilot, "2")
        assert "2" in str(at(pilot).panel.message.shown)


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
async def test_a_typed_move_is_refused_in_words_or_played_and_a_draw_is_offered() -> None:
    async with started(table("number-collision")) as pilot:
        game = at(pilot).game
        await press(pilot, "m", *"9 9", "enter")
        assert "Invalid" in screen_text(pilot) and game.table.ply == 0
        await press(pilot, "m", *"3 5", "enter")
        assert game.text.format_move(game.table.played[0]) == "3@5" and game.table.ply == 2
        await press(pilot, "u", "d")
        assert game.agreed and "The game is a draw." in screen_text(pilot)


@in_app
async def test_with_one_number_to_place_digits_choose_the_cell() -> None:
    async with started(table("number-collision", rule_set="balanced")) as pilot:
        await press(pilot, "4", "enter")
        assert at(pilot).game.text.format_move(at(pilot).game.table.played[0]) == "1@4"


@in_app
async def test_the_end_says_who_won_and_where_it_was_decided_and_a_rematch_swaps_the_seats() -> None:
    async with started(table()) as pilot:
        await press(pilot, "d", "6", "enter")  # 1 to 5 would have won; a draw cannot be offered
        assert "Offer a draw" not in screen_text(pilot)
        while not at(pilot).game.over:
            await press(pilot, "right", "enter")
        assert at(pilot).game.winner == 1 and "Move 1 decided" in words(pilot)
        assert "wins. You are stuck: no move is left" in words(pilot)
        await press(pilot, "n")
        assert at(pilot).game.person == 1 and at(pilot).game.table.ply == 1
        assert registry.spec("range-war").summary in words(pilot), "the aim is told, too"


@in_app
async def test_giving_up_wants_the_key_twice_and_the_buttons_of_the_end_can_be_clicked() -> None:
    async with started(table(opponent="skilled"), (40, 30)) as pilot:
        await press(pilot, "g")
        assert not at(pilot).game.over
        await press(pilot, "v", "g")  # another sentence has replaced the question, which is asked again
        assert not at(pilot).game.over
        await press(pilot, "g")
        assert at(pilot).game.resigned == 0
        assert "The computer (skilled) wins. Ada gave up." in words(pilot)
        assert "Rematch (n)" in screen_text(pilot) and "Review (w)" in screen_text(pilot)
        await pilot.click("#next-opponent")
        await settled(pilot)
        assert at(pilot).game.opponent == "casual"


@in_app
async def test_on_a_low_terminal_the_end_scrolls_into_view() -> None:
    async with started(table("restricted-removal", "human", "balanced"), (40, 20)) as pilot:
        await press(pilot, "8", "enter", "comma", "end")  # where the table scrolls, End is not for scrolling
        assert at(pilot).looking is None
        while not at(pilot).game.over:
            await press(pilot, "right", "enter")
        assert "Rematch (n)" in screen_text(pilot) and "Review (w)" in screen_text(pilot)


@in_app
async def test_on_a_narrow_terminal_the_moves_are_one_key_away() -> None:
    async with started(table(), (40, 20)) as pilot:
        await press(pilot, "6", "enter")
        assert "Your turn." in screen_text(pilot) and "Moves" not in screen_text(pilot).split("\n")[1]
        await press(pilot, "s")
        assert "1. ◆ 6" in screen_text(pilot)
        await press(pilot, "s", "7", "enter")  # the board has the keys again
        assert at(pilot).game.table.ply > 2


@in_app
async def test_every_game_can_be_played_to_the_end_with_two_keys() -> None:
    async with started(size=(60, 24)) as pilot:
        for name in OURS:
            pilot.app.push_screen(table(name, "random", "balanced"))
            await settled(pilot)
            for _ in range(400):
                if at(pilot).game.over:
                    break
                await press(pilot, "right", "right", "up", "enter")
            else:
                raise AssertionError(f"{name} never ends")
            assert at(pilot).panel.ending.result.region.height > 0
            await press(pilot, "escape")


@in_app
async def test_a_game_that_cannot_be_saved_says_so_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async with started(table()) as pilot:
        with monkeypatch.context() as broken:
            broken.setattr("os.fsync", full)
            await press(pilot, "6", "enter")
            assert "NOT SAVED (No space left on device)" in screen_text(pilot)


@in_app
async def test_all_keys_of_a_screen_are_one_key_away() -> None:
    async with started(table(), (40, 40)) as pilot:
        await press(pilot, "question_mark")
        text = screen_text(pilot)
        assert "Keys (Esc closes)" in text and "Type a move" in text and "croll" not in text
        assert "← → ↑ ↓" in text and ", or Page up" in text and "Ctrl+C or Ctrl+Q" in text
        assert "pageup" not in text and "ctrl" not in text and "left" not in text
        await press(pilot, "escape", "6", "enter")
        assert at(pilot).game.table.ply == 2


@in_app
async def test_the_last_line_has_as_many_keys_as_fit_and_always_the_key_to_all_keys() -> None:
    described = {"Hint", "Values", "Undo", "Earlier", "Rules", "Moves", "Give up", "Leave", "All keys"}
    async with started(table()) as pilot:
        for columns in (40, 47, 53, 120):
            await pilot.resize_terminal(columns, 24)
            await until(pilot, partial(_fills, pilot, columns))
            line = screen_text(pilot).splitlines()[-1]
            assert line.endswith("? All keys"), columns
            shown = {" ".join(part.split()[1:]) for part in line.strip().split("  ") if part}
            assert shown <= described and ("Give up" in shown) == (columns == 120), line
        await press(pilot, "g", "g")
        assert "n Rematch" in screen_text(pilot)
        await press(pilot, "question_mark")
        assert "Review" in words(pilot) and "a move" not in words(pilot) and "this move" not in words(pilot)


@in_app
async def test_between_two_games_of_a_match_the_keys_and_the_button_name_the_next_game() -> None:
    async with started(table("number-snatch", rule_set="balanced")) as pilot:
        await press(pilot, "g", "g")
        assert "Next game (n)" in words(pilot) and "n Next game" in words(pilot)
        assert "Rematch" not in words(pilot)
        await press(pilot, "n", "g", "g")
        assert "Rematch (n)" in words(pilot) and "n Rematch" in words(pilot)
        assert "Next game" not in words(pilot)
