"""`duel match`, run as a user would: both seats on every deal, and the pie rule."""

from __future__ import annotations

import re
from random import Random

import pytest

from numberduels import make
from numberduels.analysis import oracle
from numberduels.solve import LOSS

from .running import Ran, duel, lines, records, refused, shell

GAMES = ("range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision")
COMPUTERS = ("--p1", "perfect", "--p2", "random")


def match(*arguments: str, typed: str = "") -> Ran:
    return duel("match", *arguments, typed=lines(*typed.split()))


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_match(game: str) -> None:
    options = ("--size", "4") if game == "number-collision" else ()
    if game == "restricted-removal":
        options = ("--size", "8")
    one, again = (match(game, *options, *COMPUTERS, "--seed", "3") for _ in range(2))
    assert (one.status, one.err) == (0, "")
    assert one.out == again.out
    assert "Standing after round 1 of 1: wins perfect " in one.out
    assert re.search(r"^(perfect|random) wins the match\.$|^The match ends level\.$", one.out, re.M)


def test_perfect_beats_random_in_both_seats_together() -> None:
    ran = match("number-snatch", *COMPUTERS, "--seed", "1", "--rounds", "3")
    assert ran.out.endswith("perfect wins the match.\n")
    assert [int(n) for n in re.findall(r"Standing after round (\d) of 3", ran.out)] == [1, 2, 3]


def test_both_seats_are_played_on_the_same_deal() -> None:
    ran = match("number-snatch", *COMPUTERS, "--seed", "5", "--rounds", "3")
    games = re.split(r"^Game Over!$", ran.out, flags=re.M)
    deals = [found[1] for game in games[:-1] if (found := re.search(r"Numbers: \[([\d, ]+)\]", game))]
    assert len(deals) == 6
    assert deals[0::2] == deals[1::2]
    assert len(set(deals)) == 3
    first = [
        found[1] for game in games[:-1] if (found := re.search(r"^Player 1 \((\w+)\)'s turn", game, re.M))
    ]
    assert first == ["perfect", "random"] * 3


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_the_total_margin_decides(seed: str) -> None:
    ran = match("number-snatch", "--size", "7", *COMPUTERS, "--seed", seed, "--rounds", "2")
    margin = 0
    for final in re.findall(r"Final Scores:\n(.+)\n(.+)\n", ran.out):
        scores = dict(re.findall(r"\((\w+)\): (\d+)", "\n".join(final)))
        margin += int(scores["perfect"]) - int(scores["random"])
    leader = "perfect" if margin > 0 else "random"
    end = f"in points {leader} is ahead by {abs(margin)}.\n{leader} wins the match.\n"
    assert ran.out.endswith(end if margin else "in points they are level.\nThe match ends level.\n")


def test_wins_decide_where_there_are_no_points() -> None:
    # Player 1 takes 1 and wins at once, in both games.
    ran = match("range-war", "--names", "Ann,Bob", typed="1 1")
    assert ran.status == 0
    assert "Standing after round 1 of 1: wins Ann 1, Bob 1.\nThe match ends level.\n" in ran.out


@pytest.mark.parametrize(("reply", "winner"), [("yes", "Bob"), ("Y", "Bob"), ("no", "Ann"), ("N", "Ann")])
def test_with_the_pie_rule_a_human_may_change_seats(reply: str, winner: str) -> None:
    # After 2 Player 1 wins: Player 2 must take 1, and Player 1 any number.
    ran = match("range-war", "--size", "4", "--swap", "--names", "Ann,Bob", typed=f"2 {reply} 1 3")
    assert "Bob, the first move is 2. Change seats? Type yes or no: " in ran.out
    assert f"Player 1 ({winner}) wins!" in ran.out


def test_the_question_is_put_again_until_it_is_answered() -> None:
    ran = match("range-war", "--size", "4", "--swap", "--names", "Ann,Bob", typed="2 maybe \x1b[2J 7 yes 1 3")
    assert ran.out.count("Please type yes or no: ") == 3
    assert "Player 1 (Bob) wins!" in ran.out


@pytest.mark.parametrize("first", range(2, 11))
def test_a_computer_changes_seats_exactly_where_it_is_lost(first: int) -> None:
    game = make("range-war")
    state = game.play(game.start(Random(0)), first)
    changes = "yes" if oracle(game).at(state).value == LOSS else "no"
    ran = match("range-war", "--swap", "--vs", "random", "--seed", "1", typed=str(first))
    assert f"random, the first move is {first}. Change seats? Type yes or no: {changes}\n" in ran.out


@pytest.mark.parametrize("game", GAMES)
def test_the_pie_rule_in_every_game(game: str) -> None:
    options = ("--size", "4") if game == "number-collision" else ()
    ran = match(game, *options, *COMPUTERS, "--swap", "--seed", "2")
    assert (ran.status, ran.err) == (0, "")
    assert "Standing after round 1 of 1" in ran.out
    assert len(re.findall(r"Change seats\? Type yes or no: (?:yes|no)$", ran.out, re.M)) <= 2


def test_a_computer_cuts_number_snatch_as_evenly_as_it_can() -> None:
    game = make("number-snatch", numbers=(2, 5, 7, 10, 12))
    margins = {
        move: abs(worth.margin or 0) for move, worth in oracle(game).choices(game.start(Random(0))).items()
    }
    ran = match("number-snatch", "--numbers", "2,5,7,10,12", *COMPUTERS, "--swap", "--seed", "2")
    cuts = [int(n) for n in re.findall(r"the first move is (\d+)\.", ran.out)]
    assert len(cuts) == 2
    assert all(margins[cut] == min(margins.values()) for cut in cuts)


def test_the_end_of_the_input_leaves_a_game_that_can_be_resumed() -> None:
    ran = match("range-war", typed="5 3")
    assert ran.status == 1
    assert len(records()) == 1
    assert "The game goes on after move 2." in shell(ran.way_back).out


def test_quitting_leaves_a_game_that_can_be_resumed() -> None:
    ran = match("range-war", typed="5 quit")
    assert ran.status == 0
    assert "The game goes on after move 1." in shell(ran.way_back).out


def test_the_end_of_the_input_at_the_question_leaves_a_game_too() -> None:
    ran = match("range-war", "--swap", typed="5")
    assert ran.status == 1
    assert "The game goes on after move 1." in shell(ran.way_back).out


def test_resigning_before_the_first_move_is_a_loss_under_the_pie_rule_too() -> None:
    ran = match("range-war", "--swap", "--names", "Ann,Bob", typed="resign resign")
    assert ran.status == 0
    assert "wins Ann 1, Bob 1." in ran.out


def test_resigning_is_a_loss() -> None:
    ran = match("range-war", "--names", "Ann,Bob", typed="resign 5 resign")
    assert ran.status == 0
    assert "wins Ann 0, Bob 2.\nBob wins the match.\n" in ran.out


def test_hostile_lines_are_refused_and_cost_nothing() -> None:
    hostile = [b"\x00", b"\xff\xfe", b"\x1b[2J", b"9" * 5_000, b"", b"1_0", "\u0661".encode()]
    ran = duel("match", "range-war", "--names", "Ann,Bob", typed=b"\n".join([*hostile, b"1", b"1", b""]))
    assert ran.status == 0
    assert ran.out.endswith("The match ends level.\n")


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("chess",),
        ("range-war", "--rounds", "0"),
        ("range-war", "--rounds", "1000"),
        ("range-war", "--rounds", "x"),
        ("range-war", "--p1", "nobody"),
        ("range-war", "--p2", "random", "--vs", "random"),
        ("range-war", "--names", "Ann"),
        ("range-war", "--delay", "-1"),
        ("range-war", "--seed", "\x1b"),
        ("range-war", "--size", "0"),
        ("restricted-removal", "--size", "300", "--p1", "perfect", "--p2", "random"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: tuple[str, ...]) -> None:
    refused(match(*arguments))
