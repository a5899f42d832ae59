"""The home screen, choosing a game, and the kept games."""

from __future__ import annotations

from datetime import date, timedelta

from textual.pilot import Pilot

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

from .driving import duel, in_app, press, screen_text, settled, started, words

DAY = date(2026, 11, 17)


def play_a_little(game: str = "range-war", *moves: str, opponent: str = "casual") -> LiveGame:
    """A kept game after these moves."""
    begun = start_game(Setup(registry.spec(game), "book", opponent, "1"), ("Ada", ""), "7")
    for move in moves:
        begun.play(move)
    begun.save()
    return begun


def at_table(pilot: Pilot[int]) -> LiveGame:
    """The game on the screen."""
    screen = pilot.app.screen
    assert isinstance(screen, PlayScreen)
    return screen.game


@in_app
async def test_letters_and_clicks_open_screens_and_a_streak_is_greeted() -> None:
    for days in (1, 2, 3):
        append_result(PuzzleResult(DAY - timedelta(days), "range-war", 1, "x", daily=True))
    update_settings(name="Ada")
    async with started(HomeScreen(DAY)) as pilot:
        assert "Welcome, Ada. Your streak: 3 days." in screen_text(pilot)
        await pilot.click("Menu", offset=(5, 0))
        await settled(pilot)
        assert isinstance(pilot.app.screen, NewGameScreen)
        await press(pilot, "enter")
        at_table(pilot)
        await press(pilot, "escape", "z")
        puzzles = pilot.app.screen
        assert isinstance(puzzles, PuzzlesScreen) and puzzles.list.highlighted_id.startswith("more/")


@in_app
async def test_unfinished_games_are_shown_with_their_boards_and_go_on() -> None:
    play_a_little("range-war", "6", "3")
    async with started(size=(120, 40)) as pilot:
        assert "against casual, your turn" in screen_text(pilot)
        board = screen_text(pilot).split("your turn")[1]
        assert "[ 4]" in board and "◆" in board and "◇•" in board and "2*" not in board
        await press(pilot, "c")
        assert at_table(pilot).table.played == (6, 3)
        for _ in range(4):
            play_a_little("range-war", "6", "3", opponent="human")
        await press(pilot, "escape")
        assert "against a friend, Ada to move" in screen_text(pilot) and "5 unfinished" in screen_text(pilot)
        assert len(pilot.app.screen.query("UnfinishedGame")) == 3


@in_app
async def test_the_choice_of_a_game_is_remembered_and_rules_are_explained() -> None:
    async with started(NewGameScreen()) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, NewGameScreen)
        for rules in registry.spec("range-war").rule_sets:
            screen._fill_rules(rules.key)
            await settled(pilot)
            assert rules.about[:30] in screen_text(pilot)
        await press(pilot, "down", "tab", "down", "enter")
        assert at_table(pilot)
        settings = load_settings()
        assert (settings.game, settings.opponent) == ("number-snatch", "skilled")


@in_app
async def test_your_sizes_are_a_third_choice_and_impossible_ones_are_refused_in_words() -> None:
    sizes = {"range-war": {"size": "7"}, "summation-duel": {"target": "999"}}
    update_settings(game="range-war", rule_set="book", sizes=sizes)
    async with started(NewGameScreen(), (100, 30)) as pilot:
        await press(pilot, "enter")
        assert at_table(pilot).table.game == RangeWar(10)
        screen = NewGameScreen()
        pilot.app.push_screen(screen)
        await settled(pilot)
        screen._fill_rules("sizes")
        await settled(pilot)
        assert "Your sizes: size 7" in screen_text(pilot)
        await press(pilot, "enter")
        assert at_table(pilot).table.game == RangeWar(7) and load_settings().rule_set == "sizes"
        duel(pilot).change_settings(game="summation-duel")
        pilot.app.push_screen(NewGameScreen())
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, NewGameScreen) and "Change your sizes" in screen_text(pilot)


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
        assert "game 1: you lost" in screen_text(pilot)
        await press(pilot, "down", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, ReviewScreen)
        assert screen.record.moves == first.table.played and screen.record.resigned == 0


@in_app
async def test_a_kept_game_that_is_over_offers_no_move_and_is_deleted_by_the_second_press_only() -> None:
    given_up = play_a_little("range-war", "6", "3")
    given_up.resign()
    given_up.save()
    async with started(SavedGamesScreen()) as pilot:
        assert "you lost" in screen_text(pilot)
        assert "can be played" not in screen_text(pilot) and "[ 4]" not in screen_text(pilot)
        await press(pilot, "x")
        assert len(saved_games()) == 1
        await press(pilot, "x")
        assert saved_games() == [] and "Nothing is kept yet" in screen_text(pilot)
        assert "Deleted: Range War" in screen_text(pilot) and "once more" not in screen_text(pilot)
        assert not {"Review", "Delete", "Continue"} & set(screen_text(pilot).splitlines()[-1].split())


@in_app
async def test_a_game_is_deleted_only_while_the_question_is_on_the_screen() -> None:
    for _ in range(3):
        play_a_little("range-war", "6", "3")
    async with started(size=(40, 20)) as pilot:
        await press(pilot, "k")
        for keys in (("down",), ("question_mark", "escape"), ("w", "escape"), ("escape", "k")):
            await press(pilot, "x")
            assert "Press x once more to delete this game" in words(pilot)
            await press(pilot, *keys)
            assert "once more" not in words(pilot), keys
        await press(pilot, "x")
        assert len(saved_games()) == 3 and not pilot.app._notifications
        await press(pilot, "x")
        assert len(saved_games()) == 2 and "Deleted" in words(pilot) and "once more" not in words(pilot)
        await press(pilot, "down")
        assert "Deleted" not in words(pilot)
