"""`duel play --rounds`, run as a user would: both seats on every deal, and the pie rule."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from pathlib import Path
from random import Random

import pytest

from numberduels import make
from numberduels.solvers import LOSS, make_oracle
from tables import table

from .running import Ran, duel, lines, refused, shell

COMPUTERS = ("--p1", "perfect", "--p2", "random")


def match(*arguments: str, typed: str = "") -> Ran:
    return duel("play", "--rounds", "1", *arguments, typed=lines(*typed.split()))


@table("reply, winner", [("yes", "Bob"), ("Y", "Bob"), ("no", "Ann"), ("N", "Ann")])
def test_with_the_pie_rule_a_human_may_change_seats(reply: str, winner: str) -> None:
    # After 2 Player 1 wins: Player 2 must take 1, and Player 1 any number.
    ran = match("range-war", "--size", "4", "--swap", "--names", "Ann,Bob", typed=f"2 {reply} 1 3")
    assert "Bob, the first move is 2. Change seats? Type yes or no: " in ran.out
    assert f"Player 1 ({winner}) wins!" in ran.out


@table("first", [2, 5, 6])
def test_a_computer_changes_seats_exactly_where_it_is_lost(first: int) -> None:
    game = make("range-war")
    state = game.play(game.start(Random(0)), first)
    changes = "yes" if make_oracle(game).evaluate(state).value == LOSS else "no"
    ran = match("range-war", "--swap", "--vs", "random", "--seed", "1", typed=str(first))
    assert f"random, the first move is {first}. Change seats? Type yes or no: {changes}\n" in ran.out


def test_a_computer_cuts_number_snatch_as_evenly_as_it_can() -> None:
    game = make("number-snatch", numbers=(2, 5, 7, 10, 12))
    margins = {
        move: abs(worth.margin or 0)
        for move, worth in make_oracle(game).evaluate_moves(game.start(Random(0))).items()
    }
    ran = match("number-snatch", "--numbers", "2,5,7,10,12", *COMPUTERS, "--swap", "--seed", "2")
    cuts = [int(n) for n in re.findall(r"the first move is (\d+)\.", ran.out)]
    assert len(cuts) == 2
    assert all(margins[cut] == min(margins.values()) for cut in cuts)


# Going on with a match


MATCHES = {
    "rounds": (("match", "range-war", "--size", "5", "--rounds", "2"), "3 2 4 1 5 3 2 4 1 5 1 1"),
    "the pie rule": (("match", "range-war", "--size", "4", "--swap"), "2 yes 1 3 2 no 1 3"),
    "points": (("match", "number-snatch", "--numbers", "2,5,8"), "2 5 8 5 resign"),
    "a computer": (("match", "number-snatch", "--size", "4", "--vs", "perfect"), ""),
}


@table("kind", MATCHES)
def test_a_match_can_be_left_after_any_line_and_goes_on_as_if_it_had_not_been(kind: str) -> None:
    command, typed = MATCHES[kind]
    names = ("--names", "Ann,Bob", "--seed", "7")
    words = typed.split() or numbers_of(duel(*command, *names).out)
    whole = duel(*command, *names, typed=lines(*words))
    assert whole.status == 0, whole.out
    for count in range(1, len(words)):
        left = duel(*command, *names, typed=lines(*words[:count], "quit"))
        if kind == "the pie rule" and count == 1:
            assert (
                "The game goes on after move 1.\nAvailable Numbers: 1,3,4\n" in shell(left.resume_command).out
            )
        if "the match by" in left.out or "The match goes to" in left.out or "nothing to save" in left.out:
            continue
        (action, *arguments) = shlex.split(left.resume_command)[1:]
        back = duel(action, *arguments, typed=lines(*words[count:]))
        assert (back.status, back.err) == (0, ""), back.out
        assert whole.out.splitlines()[-1] == back.out.splitlines()[-1]
        assert standings(whole.out)[-1] == standings(back.out)[-1]
        records_of_matches()[0].unlink(missing_ok=True)


def numbers_of(out: str) -> list[str]:
    """Every number of the deal, often enough: whatever is taken already is refused."""
    return re.findall(r"\d+", out.split("List: ")[1].split("\n")[0]) * 4


def standings(out: str) -> list[str]:
    return re.findall(r"^Standing after .*$", out, re.M)


def records_of_matches() -> list[Path]:
    return sorted((Path(os.environ["NUMBERDUELS_HOME"]) / "matches").glob("*"))


def test_the_games_of_a_match_can_be_replayed_and_reviewed() -> None:
    match("range-war", "--names", "Ann,Bob", typed="1 5 3 quit")
    path = str(records_of_matches()[0])
    assert "Player 1 (Ann) wins!" in duel("replay", path, "--game", "1").out
    assert "Player 1 (Bob) against Player 2 (Ann)" in duel("review", path, "--game", "2").out
    for action in ("replay", "review"):
        refused(duel(action, path), "is a match", "--game N")
    refused(duel("replay", path, "--game", "3"), "--game", "from 1 to 2")


def test_a_match_that_is_over_or_altered_is_not_resumed(tmp_path: Path) -> None:
    match("range-war", "--names", "Ann,Bob", typed="1 5 3 quit")
    path = tmp_path / "altered.match"
    text = records_of_matches()[0].read_text()
    for old, new, told in (
        ("", "", "leave out GAME"),
        ('[Match "range-war"]', '[Match "chess"]', "line 1: there is no game called 'chess'"),
        ('[Rounds "1"]', "", "line 1: a match states its Rounds or BestOf"),
        ('[Player1 "Bob"]', '[Player1 "Cid"]', "game 2: it is not the next game of this match"),
        ("1. 1 1-0", "1. 1 *", "game 1, line"),
        ('[Seat2 "human"]', '[Seat2 "process:sh -c exit"]', "as Player 2; a file may seat only a human"),
        ('[Seat1 "human"]', '[Seat1 "os:system"]', "as Player 1; a file may seat only a human"),
    ):
        assert old in text
        path.write_text(text.replace(old, new, 1))
        arguments = ("--rounds", "2") if not old else ()
        refused(duel("match", "--resume", str(path), *arguments), told)
    path.write_text(text.replace("1. 5 3 *", "1. 5 3 2. 10 2 1-0").replace('[Result "*"]', ""))
    refused(duel("match", "--resume", str(path)), "game 2, line")
    path.write_text(text.replace("1. 5 3 *", "1. 1 1-0").replace('[Result "*"]', ""))
    refused(duel("match", "--resume", str(path)), "that match is over")


@pytest.mark.long
def test_a_match_against_a_program_names_its_seat_of_the_first_game(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'move': json.loads(line)['legal'][-1]}), flush=True)\n"
    )
    ran = match("range-war", "--size", "2", "--vs", f"process:{sys.executable} {bot}", typed="1 quit")
    assert "--p2 'process:" in ran.resume_command and "--p1" not in ran.resume_command  # it began game 2
    assert "The game goes on after move 1." in shell(ran.resume_command, lines("quit")).out


# Fair play


@table("advice", ["undo", "hint", "moves values"])
def test_advice_and_undo_are_off_in_a_match_unless_it_is_friendly(advice: str) -> None:
    command = ("play", "range-war", "--rounds", "1")
    typed = lines("6", "4", advice, "help", "moves", "quit")
    ran = duel(*command, typed=typed)
    assert f"There is no {advice} in a match that is not --friendly." in ran.out
    assert "  undo" not in ran.out and "  hint" not in ran.out
    assert "Legal moves: 5, 7, 8, 9, 10" in ran.out
    assert "The game goes on after move 2." in shell(ran.resume_command).out  # nothing was taken back
    friendly = duel(*command, "--friendly", typed=typed)
    assert "There is no " not in friendly.out
    back = shell(friendly.resume_command, lines(advice))
    assert "There is no " not in back.out


def test_after_a_change_of_seats_the_first_move_is_credited_to_who_made_it() -> None:
    # Ann begins with 6, which is not judged; Bob takes her seat and makes no mistake.
    match("range-war", "--swap", "--names", "Ann,Bob", typed="6 yes 5 9 4 quit")
    path = str(records_of_matches()[0])
    review = duel("review", path, "--game", "1")
    assert re.search(r"^1\. Player 2 \(Ann\) +6 +o +pie rule$", review.out, re.M)
    assert "The players changed seats after move 1, which Player 2 (Ann) had made." in review.out
    report = json.loads(duel("review", path, "--game", "1", "--json").out)
    assert [move["player"] for move in report["moves"]] == [2, 2, 1, 2]
    assert report["accuracy"][0]["kept"] == report["accuracy"][0]["chances"]
    replayed = duel("replay", path, "--game", "1").out
    assert "Player 1 (Ann) selected 6." in replayed and "Player 2 (Ann) selected 5." in replayed
    assert "The players change seats." in replayed
