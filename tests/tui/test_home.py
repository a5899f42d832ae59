"""The home screen, choosing a game, and the kept games."""

from __future__ import annotations

from datetime import date, timedelta

from textual.widgets import OptionList

from numberduels.game import registry
from numberduels.games.range_war.rules import RangeWar
from numberduels.play.live_game import LiveGame
from numberduels.play.puzzles import PuzzleResult, append_result
from numberduels.play.saved_games import saved_games
from numberduels.play.settings import load_settings, update_settings
from numberduels.play.setup import Setup, start_game
from numberduels.tui.home import HomeScreen
from numberduels.tui.new_game import NewGameScreen
from numberduels.tui.play import PlayScreen
from numberduels.tui.puzzles import PuzzlesScreen
from numberduels.tui.review import ReviewScreen
from numberduels.tui.saved_games import SavedGamesScreen

from .driving import (
    in_app,
    press,
    screen_text,
    started,
    until,
)

DAY = date(2026, 11, 17)


def play_a_little(game: str = "range-war", *moves: str, opponent: str = "casual") -> LiveGame:
    """A kept game after these moves."""
    begun = start_game(Setup(registry.spec(game), "book", opponent, "1"), ("Ada", ""), "7")
    for move in moves:
        begun.play(move)
    begun.save()
    return begun


@in_app
async def test_one_letter_and_enter_start_a_game() -> None:
    async with started() as pilot:
        await press(pilot, "p", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))


@in_app
async def test_the_menu_can_be_clicked() -> None:
    async with started() as pilot:
        await until(pilot, lambda: "Quit" in screen_text(pilot))
        await pilot.click("Menu", offset=(5, 0))
        await until(pilot, lambda: isinstance(pilot.app.screen, NewGameScreen))


@in_app
async def test_a_daily_streak_is_greeted() -> None:
    for days in (1, 2, 3):
        append_result(PuzzleResult(DAY - timedelta(days), "range-war", 1, "x", daily=True))
    update_settings(name="Ada")
    async with started(HomeScreen(DAY)) as pilot:
        await until(pilot, lambda: "Welcome, Ada. Your streak: 3 days." in screen_text(pilot))


@in_app
async def test_unfinished_games_are_shown_with_their_boards_and_go_on() -> None:
    play_a_little("range-war", "6", "3")
    async with started() as pilot:
        await until(pilot, lambda: "against casual, your turn" in screen_text(pilot))
        assert "[ 4]" in screen_text(pilot) or "[4]" in screen_text(pilot)
        await press(pilot, "c")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert pilot.app.screen.game.table.played == (6, 3)  # type: ignore[attr-defined]


@in_app
async def test_small_boards_have_the_signs_of_the_table() -> None:
    play_a_little("range-war", "6", "3")
    async with started() as pilot:
        await until(pilot, lambda: "against casual, your turn" in screen_text(pilot))
        board = screen_text(pilot).split("your turn")[1]
        assert "◆" in board and "◇•" in board and "2*" not in board


@in_app
async def test_nothing_can_be_played_in_a_kept_game_that_was_given_up() -> None:
    given_up = play_a_little("range-war", "6", "3")
    given_up.resign()
    given_up.save()
    async with started(SavedGamesScreen()) as pilot:
        await until(pilot, lambda: "you lost" in screen_text(pilot))
        assert "can be played" not in screen_text(pilot) and "[ 4]" not in screen_text(pilot)


@in_app
async def test_the_choice_of_a_game_is_remembered() -> None:
    async with started(NewGameScreen()) as pilot:
        await press(pilot, "down", "tab", "down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        settings = load_settings()
        assert (settings.game, settings.opponent) == ("number-snatch", "skilled")


@in_app
async def test_both_rule_sets_are_explained() -> None:
    async with started(NewGameScreen()) as pilot:
        for rules in registry.spec("range-war").rule_sets:
            pilot.app.screen._fill_rules(rules.key)  # type: ignore[attr-defined]
            about = rules.about[:30]
            await until(pilot, lambda: about in screen_text(pilot))  # noqa: B023  # it is awaited here


@in_app
async def test_impossible_sizes_are_refused_in_words() -> None:
    update_settings(game="summation-duel", rule_set="sizes", sizes={"summation-duel": {"target": "999"}})
    async with started(NewGameScreen(), (100, 30)) as pilot:
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, NewGameScreen)
        await until(pilot, lambda: "Change your sizes" in screen_text(pilot))


@in_app
async def test_your_sizes_are_a_third_choice_and_change_no_other_rules() -> None:
    update_settings(game="range-war", rule_set="book", sizes={"range-war": {"size": "7"}})
    async with started(NewGameScreen(), (100, 30)) as pilot:
        await until(pilot, lambda: "your sizes" in screen_text(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert pilot.app.screen.game.table.game == RangeWar(10)  # type: ignore[attr-defined]
    async with started(NewGameScreen(), (100, 30)) as pilot:
        pilot.app.screen._fill_rules("sizes")  # type: ignore[attr-defined]
        await until(pilot, lambda: "Your sizes: size 7" in screen_text(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        assert pilot.app.screen.game.table.game == RangeWar(7)  # type: ignore[attr-defined]
    assert load_settings().rule_set == "sizes"


@in_app
async def test_three_unfinished_games_are_shown_and_all_are_counted() -> None:
    for _ in range(5):
        play_a_little("range-war", "6", "3", opponent="human")
    async with started(size=(120, 40)) as pilot:
        await until(pilot, lambda: "against a friend, Ada to move" in screen_text(pilot))
        assert "5 unfinished" in screen_text(pilot)
        assert len(pilot.app.screen.query("UnfinishedGame")) == 3


@in_app
async def test_every_game_of_a_match_can_be_reviewed() -> None:
    first = start_game(Setup(registry.spec("number-snatch"), "balanced", "casual", "1"), seed="7")
    first.play(first.text.format_move(first.table.moves[0]))
    first.resign()
    first.save()
    second = first.next_game()
    assert second
    second.play(second.text.format_move(second.table.moves[-1]))
    second.save()
    async with started(SavedGamesScreen()) as pilot:
        await until(pilot, lambda: "game 1: you lost" in screen_text(pilot))
        await press(pilot, "down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        shown = pilot.app.screen.record  # type: ignore[attr-defined]
        assert shown.moves == first.table.played and shown.resigned == 0


@in_app
async def test_more_puzzles_begin_with_those_that_never_end() -> None:
    async with started() as pilot:
        await until(pilot, lambda: "Quit" in screen_text(pilot))
        await press(pilot, "z")
        await until(pilot, lambda: isinstance(pilot.app.screen, PuzzlesScreen))
        await until(pilot, lambda: pilot.app.screen.query_one(OptionList).highlighted is not None)
        option = pilot.app.screen.query_one(OptionList).highlighted_option
        assert option and (option.id or "").startswith("more/")


@in_app
async def test_a_kept_game_is_deleted_by_the_second_press_only() -> None:
    play_a_little("range-war", "6", "3")
    async with started(SavedGamesScreen()) as pilot:
        await until(pilot, lambda: "unfinished" in screen_text(pilot))
        await press(pilot, "x")
        assert len(saved_games()) == 1
        await press(pilot, "x")
        assert saved_games() == []
        await until(pilot, lambda: "Nothing is kept yet" in screen_text(pilot))
