"""The menu of the line mode: on a real pseudo-terminal, and through a pipe."""

from __future__ import annotations

import os
import re
import signal
from datetime import date, timedelta
from pathlib import Path

import pytest

from numberduels.game import registry
from numberduels.play.puzzle_log import PuzzleResult, append_result
from numberduels.play.settings import load_settings, update_settings
from tables import table

from .running import Ran, Screen, duel, lines, moves_of, process, records, refused, rest, terminal

CTRL_C, CTRL_D = "\x03", "\x04"
COLOUR = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
MENU = r"(?:Type 1 to \d+|Please type a number)[^:]*: (?:\x1b\[0m)?"
NUMBER = r"Select a \S*ber: (?:\x1b\[0m)?"
NAME = r"Enter for none: (?:\x1b\[0m)?"
FIRST_GAME = ("play", "range-war", "book", "casual", "1")
"""Range War by the book against casual; you start, and 1 wins at once."""


def answer(screen: Screen[str], *typed: str, ask: str = MENU) -> str:
    """Give each answer at the next question; what was said before the last of them."""
    for text in typed:
        screen.expect(ask)
        screen.send(text if text in (CTRL_C, CTRL_D) else f"{text}\r")
    return screen.before or ""


def plain(text: str) -> str:
    return COLOUR.sub("", text).replace("\r\n", "\n")


def menu(*typed: str) -> Ran:
    """The menu through a pipe, with these lines typed."""
    return duel("--plain", typed=lines(*typed))


# A first game


@pytest.mark.long
def test_somebody_new_is_playing_after_five_answers_and_reviews_the_game() -> None:
    with terminal("--plain") as screen:
        answer(screen, *FIRST_GAME)
        answer(screen, "Ada", ask=NAME)
        screen.expect(r"Player 2 \(the computer\).* plays casual")
        answer(screen, "1", ask=NUMBER)
        screen.expect(r"Player 1 \(Ada\).* wins!")
        answer(screen, "")  # Enter: the review
        screen.expect("Accuracy")
        answer(screen, "menu", "quit")
        rest(screen)
        assert screen.exitstatus == 0
    assert [moves_of(path) for path in records()] == ["1. 1 1-0"]


def test_enter_alone_starts_a_game_against_casual_by_the_balanced_rules() -> None:
    out = menu("", "", "", "", "", "").out
    assert "Type 1 to 9, or Enter for Play a game: " in out
    assert "Enter for balanced: " in out and "Enter for casual: " in out and "Enter for by lot: " in out
    size = registry.spec("range-war").rule_set("balanced").options["size"]
    assert f"Available Numbers: {','.join(map(str, range(1, size + 1)))}\n" in out
    assert "Player 1 (you)'s turn." in out or "Player 2 (you)'s turn." in out


def test_each_rule_set_is_explained_in_one_sentence() -> None:
    for spec in registry.specs():
        out = " ".join(menu("play", spec.name, "quit").out.split())
        for rules in spec.rule_sets:
            assert f"{rules.title} {rules.about}" in out


def test_the_name_is_asked_once() -> None:
    question = "What is your name?"
    assert question in menu(*FIRST_GAME, "Ada", "1", "menu").out
    assert load_settings().name == "Ada"
    assert question not in menu("play", "", "", "", "", "quit").out
    update_settings(name="")
    assert question not in menu("play", "", "", "", "", "quit").out


@table("name", ["A,B", "\x1b[2J", "x" * 41])
def test_a_name_that_cannot_be_one_is_asked_for_again(name: str) -> None:
    out = menu(*FIRST_GAME, name, "Zoë", "quit").out
    assert "That is no good: name takes up to 40 printable characters" in out
    assert "Player 1 (Zoë)'s turn." in out


def test_somebody_called_like_the_computer_plays_all_the_same() -> None:
    assert "Player 1 (you)'s turn." in menu(*FIRST_GAME, "The Computer", "quit").out


def test_a_friend_plays_at_the_same_keyboard() -> None:
    out = menu("play", "range-war", "book", "a friend", "1", "", "6", "4", "quit").out
    assert "Player 2 (your friend)'s turn." in out


def test_the_balanced_rules_of_number_snatch_are_a_friendly_match_of_two_games() -> None:
    out = menu("play", "number-snatch", "balanced", "human", "1", "", "hint", "resign", "resign", "").out
    assert "Hint: " in out
    assert "Standing after round 1 of 1" in out
    assert "And now?" in out


def test_a_draw_by_agreement_ends_a_game_that_need_not_end() -> None:
    typed = ("3 5", "draw", "no", "2 2", "draw", "yes", "menu", "quit")
    out = menu("play", "number-collision", "book", "human", "1", "", *typed).out
    assert "Player 1 (you), Player 2 (your friend) offers a draw. Do you agree?" in out
    assert "Player 1 (you) plays on." in out
    assert "The players agree on a draw." in out
    assert "And now?" in out


@pytest.mark.long
def test_a_position_that_has_stood_three_times_is_noted_in_a_game_of_the_menu() -> None:
    with terminal("--plain", NO_COLOR="1") as screen:
        answer(screen, "play", "number-collision", "book", "human", "1")
        answer(screen, "", ask=NAME)
        place = r"<position>\): "
        answer(screen, *("1 1", "1 2") * 2, ask=place)
        screen.expect_exact("Note: this position has stood three times. The command draw offers a draw.")
        answer(screen, "draw", ask=place)
        answer(screen, "yes", ask="Type yes or no: ")
        screen.expect_exact("The players agree on a draw.")


def test_sizes_of_the_settings_that_cannot_be_are_refused_in_words(own_home: Path) -> None:
    own_home.mkdir(exist_ok=True)
    (own_home / "settings.json").write_text('{"name": "Ada", "sizes": {"range-war": {"sise": "7"}}}')
    out = menu("play", "range-war", "sizes", "human", "1", "quit").out
    assert "That does not work: there is no option 'sise'; there are size, opening, ending; change" in out


def test_the_menu_offers_a_game_with_your_sizes_again() -> None:
    duel("config", "sizes.range-war.size", "7")
    menu("play", "range-war", "sizes", "human", "1", "", "quit", "quit")
    assert "Again: Range War, your sizes, against a friend" in menu("quit").out


def test_sizes_of_the_settings_are_offered_as_rules_of_your_own() -> None:
    duel("config", "sizes.range-war.size", "7")
    out = menu("play", "range-war", "sizes", "human", "1", "", "quit", "quit").out
    assert "  3  your sizes   size 7 (from your settings)\n" in out
    assert "Available Numbers: 1,2,3,4,5,6,7\n" in out


# What Enter repeats


def test_the_last_game_is_offered_again_and_enter_plays_it() -> None:
    menu("play", "summation-duel", "book", "expert", "1", "Ada", "resign", "menu")
    out = menu("", "resign").out
    assert "Hello Ada!\n" in out
    assert "Again: Summation Duel, by the book, against expert\n" in out
    assert "or Enter for Again: \n" in out
    assert "Player 1 (Ada)'s Turn:" in out


def test_enter_repeats_the_last_choice_of_the_session() -> None:
    out = menu("stats", "", "quit").out
    assert out.count("You have played no game here yet.") == 2
    assert "or Enter for Statistics: " in out


@pytest.mark.long
def test_a_rematch_swaps_the_seats() -> None:
    with terminal("--plain", NO_COLOR="1") as screen:
        answer(screen, "play", "range-war", "book", "human", "1")
        answer(screen, "Ada", ask=NAME)
        screen.expect_exact("Player 1 (Ada)'s turn.")
        answer(screen, "1", ask=NUMBER)
        answer(screen, "rematch")
        screen.expect_exact("Player 1 (your friend)'s turn.")
        answer(screen, "1", ask=NUMBER)
        answer(screen, "rematch")
        screen.expect_exact("Player 1 (Ada)'s turn.")
        answer(screen, "quit", ask=NUMBER)
        answer(screen, "quit")
        rest(screen)
    assert [moves_of(path) for path in records()] == ["1. 1 1-0"] * 2


@pytest.mark.long
def test_the_computer_is_not_called_you() -> None:
    with terminal("--plain", NO_COLOR="1") as screen:
        answer(screen, "play", "summation-duel", "book", "casual", "2")
        answer(screen, "", ask=NAME)
        screen.expect(r"The computer chose \d+\.")
        answer(screen, "quit", ask=r"Choose a number to add \([^)]*\): ")
    assert "You chose" not in (screen.before or "")


# Continue


def test_an_unfinished_game_is_continued_with_enter() -> None:
    menu("play", "range-war", "book", "human", "1", "", "6", "4", "quit", "quit")
    out = menu("", "quit", "quit").out
    assert "  1  Continue: Range War against a friend\n" in out
    assert "The game goes on after move 2." in out
    assert moves_of(records()[0]) == "1. 6 4 *"


def test_whoever_has_no_name_has_none_in_the_record_and_is_called_you_on_the_screen() -> None:
    out = menu("play", "range-war", "book", "skilled", "1", "", "5", "quit", "quit").out
    assert "Player 1 (you)'s turn." in out
    text = records()[0].read_text(encoding="utf-8")
    assert "you" not in text and '[Player2 "the computer"]' in text
    assert "Player 1 (you)'s turn." in menu("continue", "quit", "quit").out


def test_the_review_of_the_menu_calls_whoever_has_no_name_you() -> None:
    out = menu(*FIRST_GAME, "", "5", "quit", "list", "1", "review", "quit").out
    assert "Player 1 (you) against Player 2 (the computer), result *\n" in out


def test_the_name_of_the_settings_is_in_the_record_and_a_friend_has_none() -> None:
    menu("play", "range-war", "book", "human", "1", "Ada", "6", "quit", "quit")
    text = records()[0].read_text(encoding="utf-8")
    assert '[Player1 "Ada"]' in text and "friend" not in text


def test_a_game_against_a_program_is_not_offered(own_home: Path) -> None:
    (own_home / "games").mkdir(parents=True)
    text = '[Game "range-war"]\n[Seat2 "process:touch owned"]\n\n1. 6 *\n'
    (own_home / "games" / "x.duel").write_text(text)
    assert "Continue" not in menu("quit").out


def test_without_an_unfinished_game_there_is_nothing_to_continue() -> None:
    assert "Continue" not in menu("quit").out


@pytest.mark.long
@table("key, status", [(CTRL_C, 130), (CTRL_D, 1)])
def test_a_game_of_the_menu_that_is_broken_off_loses_nothing(key: str, status: int) -> None:
    with terminal("--plain", NO_COLOR="1") as screen:
        answer(screen, "play", "range-war", "book", "human", "1")
        answer(screen, "", ask=NAME)
        answer(screen, "6", "4", key, ask=NUMBER)
        said = rest(screen)
        assert "To go on with it: duel continue " in said and "Traceback" not in said
        assert screen.exitstatus == status
    assert [moves_of(path) for path in records()] == ["1. 6 4 *"]


@pytest.mark.long
def test_sigterm_in_a_game_of_the_menu_loses_nothing() -> None:
    with terminal("--plain", NO_COLOR="1") as screen:
        answer(screen, "play", "range-war", "book", "human", "1")
        answer(screen, "", ask=NAME)
        answer(screen, "6", ask=NUMBER)
        screen.expect(NUMBER)
        screen.kill(signal.SIGTERM)
        assert "The game is saved." in rest(screen)
        assert screen.exitstatus == 143
    assert [moves_of(path) for path in records()] == ["1. 6 *"]


# Leaving, and what it does not offer


@pytest.mark.long
@table("word", ["q", "quit", "EXIT", "9", CTRL_D])
def test_the_menu_can_be_left(word: str) -> None:
    with terminal("--plain") as screen:
        answer(screen, word)
        rest(screen)
        assert screen.exitstatus == 0
    assert records() == []


@pytest.mark.long
def test_ctrl_c_in_the_menu_leaves_without_a_traceback() -> None:
    with terminal("--plain") as screen:
        answer(screen, CTRL_C)
        assert "Traceback" not in rest(screen)
        assert screen.exitstatus == 130


@pytest.mark.long
def test_the_menu_asks_again_after_an_answer_that_it_does_not_offer() -> None:
    with terminal("--plain") as screen:
        answer(screen, "0", "99", "?x", "1.0", "-1", "9" * 500, "٣", "zebra")
        screen.expect("Please type a number from 1 to 9, help or quit, or Enter for Play a game: ")
        screen.send("q\r")
        assert "Traceback" not in rest(screen)


def test_help_says_what_to_type_and_back_leads_to_the_menu() -> None:
    out = menu("?", "play", "range", "back", "q").out
    assert "Type the number in front of your choice" in out
    assert out.count("What would you like to do?") == 3


def test_a_word_or_its_beginning_is_as_good_as_its_number() -> None:
    assert menu("rules", "summ").out == menu("8", "4").out.replace(": 8\n", ": rules\n").replace(
        ": 4\n", ": summ\n"
    )


# Everything else that it offers


def test_the_menu_shows_rules_and_statistics() -> None:
    out = menu("rules", "range-war", "stats", "quit").out
    assert "## How to play" in out
    assert "You have played no game here yet." in out


def test_the_menu_teaches() -> None:
    out = menu("learn", "range-war", "quit", "quit").out
    assert "Lesson: A guided first game" in out
    assert out.count("What would you like to do?") == 2


def test_the_menu_sets_puzzles() -> None:
    out = menu("puzzle", "range-war", "1", "quit", "quit").out
    assert "Level 1." in out
    assert out.count("What would you like to do?") == 2


def test_the_menu_changes_settings() -> None:
    out = menu("settings", "opponent", "Expert", "settings", "name", "a,b", "settings", "first", "").out
    assert "That does not work: name takes up to 40 printable characters" in out
    assert load_settings().opponent == "expert"


def test_the_menu_lists_games_and_deletes_one() -> None:
    menu("play", "range-war", "book", "human", "1", "", "6", "quit", "quit")
    out = menu("list", "1", "replay", "list", "1", "delete", "no", "list", "1", "delete", "yes", "list").out
    assert "Range War against a friend: unfinished" in out
    assert "Player 1 selected 6." in out
    assert out.endswith("No game is kept here yet.\n" + out[out.rindex("\nWhat would you") :])
    assert records() == []


def test_a_streak_is_greeted() -> None:
    for ago in (2, 1):
        append_result(PuzzleResult(date.today() - timedelta(ago), "range-war", 1, "7", daily=True))
    assert "Your streak: 2 days. Solve one of today's puzzles to make it 3.\n" in menu("quit").out


# Terminals of all kinds


@pytest.mark.long
def test_the_whole_way_fits_into_40_columns() -> None:
    with terminal("--plain", columns=40, NO_COLOR="1") as screen:
        screen.logfile_read = log = Log()
        answer(screen, *FIRST_GAME)
        answer(screen, "Ada", ask=NAME)
        answer(screen, "board", "hint", "moves values", "1", ask=NUMBER)
        answer(screen, "review", "menu", "stats", "list", "1", "replay", "settings", "back", "learn", "1")
        answer(screen, "board", "quit", ask=NUMBER)
        answer(screen, "quit")
        rest(screen)
        assert screen.exitstatus == 0
    for line in plain("".join(log.parts)).split("\n"):
        assert len(line.rstrip("\r")) <= 40, line


class Log:
    """Keeps what a program prints."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def write(self, text: str) -> None:
        self.parts.append(text)

    def flush(self) -> None:
        """Nothing is held back."""


@pytest.mark.long
@table("columns", [64, 72, 80, 90, 100, 120])
def test_the_columns_of_the_menu_hold_at_every_width(columns: int) -> None:
    with terminal("--plain", columns=columns, NO_COLOR="1") as screen:
        answer(screen, "play")
        screen.expect(MENU)
        shown = plain(screen.before or "").split("Which game?\n")[1].splitlines()
    column = shown[0].index("Claim")
    assert all(len(line) <= columns for line in shown)
    assert all(line[column - 2 : column] == "  " and line[column] != " " for line in shown)


@pytest.mark.long
def test_a_dumb_terminal_has_no_escape_sequences() -> None:
    with terminal("--plain", term="dumb") as screen:
        screen.logfile_read = log = Log()
        answer(screen, *FIRST_GAME)
        answer(screen, "", ask=NAME)
        answer(screen, "board", "1", ask=NUMBER)
        answer(screen, "review", "menu", "rules", "1", "quit")
        rest(screen)
    assert "\x1b" not in "".join(log.parts)


@pytest.mark.long
def test_a_dumb_terminal_gets_the_menu_without_being_asked() -> None:
    with terminal(term="dumb") as screen:
        answer(screen, "q")
        rest(screen)
        assert screen.exitstatus == 0


@pytest.mark.long
def test_without_a_terminal_plain_reads_the_pipe_and_nothing_else_does() -> None:
    ran = process("--plain", typed=lines("quit"))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("Number Duels")
    refused(duel("--plain", "play"), "no command '--plain'")


# Damaged and hostile files


def test_hostile_files_in_the_data_folder_do_not_stop_the_menu(own_home: Path) -> None:
    (own_home / "games").mkdir(parents=True)
    (own_home / "matches").mkdir()
    (own_home / "settings.json").write_text('{"name": "\\u001b[2J", "game": 7, "opponent": "os:system"}')
    (own_home / "puzzles.jsonl").write_bytes(b"\xff\n{}\n[" * 50)
    (own_home / "lessons.jsonl").write_text('{"game": 3}\n')
    (own_home / "games" / "x.duel").write_bytes(bytes(range(256)))
    (own_home / "games" / "$(touch owned).duel").write_text('[Game "range-war"]\n\n1. 6 *\n')
    (own_home / "matches" / "y.match").write_text('[Match "range-war"]')
    os.mkfifo(own_home / "games" / "z.duel")
    ran = menu("list", "1", "replay", "stats", "learn", "range", "quit", "quit")
    assert ran.status == 0
    assert "Player 1 selected 6." in ran.out
    assert not Path("owned").exists()


@pytest.mark.long
def test_a_folder_that_cannot_be_written_is_told_and_play_goes_on() -> None:
    with terminal("--plain", NUMBERDUELS_HOME="/proc/nowhere", NO_COLOR="1") as screen:
        answer(screen, *FIRST_GAME)
        answer(screen, "Ada", ask=NAME)
        screen.expect_exact("Note: your settings cannot be saved")
        answer(screen, "1", ask=NUMBER)
        screen.expect("wins?!")
        screen.expect_exact("cannot be saved")
        answer(screen, "quit")
        assert "Traceback" not in rest(screen)
