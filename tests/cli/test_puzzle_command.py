"""`duel puzzle` through a real pipe and on a real terminal."""

from __future__ import annotations

import re
from random import Random

import pytest

from numberduels import registry
from numberduels.analysis.puzzles import find_puzzle

from .running import GAMES, GOLDEN, duel, lines, refused, rest, shell, terminal

AGAIN = re.compile(r"The same puzzle again: (.+)$", re.M)


def plain(text: str) -> str:
    """The text with the command as it is where `duel` is on the path."""
    return re.sub(r"again: .*duel puzzle", "again: duel puzzle", text)


def test_a_whole_session_with_a_bad_a_wrong_and_the_right_answer() -> None:
    typed = lines("help", "moves", "abc", "2", "hint", "10", "hint", "hint", "7")
    ran = duel("puzzle", "range-war", "--level", "2", "--seed", "1", typed=typed)
    assert plain(ran.out) == (GOLDEN / "puzzle_range_war.txt").read_text(encoding="utf-8")
    assert (ran.err, ran.status) == ("", 0)


def test_a_draw_is_asked_for_and_explained() -> None:
    ran = duel("puzzle", "number-collision", "--seed", "4", typed=lines("history", "1 1", "2 2"))
    assert plain(ran.out) == (GOLDEN / "puzzle_number_collision.txt").read_text(encoding="utf-8")
    assert ran.status == 0


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("level", [1, 3])
def test_every_wrong_answer_is_answered_and_the_right_one_explained(name: str, level: int) -> None:
    each = find_puzzle(name, level, "w")
    words = each.spec.text_for(each.game)
    typed = [words.typed(move) for move in (*each.wrong, each.solution)]
    ran = duel("puzzle", name, "--level", str(level), "--seed", "w", typed=lines(*typed))
    assert ran.status == 0
    assert ran.out.count("Not that one. ") == len(each.wrong) and ran.out.count("Right! ") == 1
    assert f"Right! {typed[-1][0].upper()}{typed[-1][1:]} " in ran.out and each.why in ran.out
    for move in each.wrong:
        after = each.game.play(each.state, move)
        if each.game.outcome(after):
            assert "ends the game:\n" in ran.out
        else:
            told = re.search(f"After {re.escape(words.typed(move))}, .* answers (.*) and (.*)\\.\n", ran.out)
            assert told, ran.out
            reply = words.parse_move(told[1])
            worth = each.oracle.evaluate_move(after, reply).value
            assert told[2] == {1: "wins", 0: "holds the draw"}[worth] and worth > -each.value


@pytest.mark.parametrize("name", GAMES)
def test_the_printed_command_gives_the_same_puzzle(name: str) -> None:
    first = duel("puzzle", name, "--seed", "it's 5", typed=lines("quit"))
    found = AGAIN.search(first.out)
    assert found and first.status == 0
    assert plain(shell(found[1], lines("quit")).out) == plain(first.out)


def test_a_seed_that_looks_like_an_option_comes_back_too() -> None:
    first = duel("puzzle", "range-war", "--seed=-x", typed=lines("quit"))
    found = AGAIN.search(first.out)
    assert found and shell(found[1], lines("quit")).status == 0


def test_without_a_game_the_seed_chooses_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "names", lambda: list(GAMES))
    titles = {
        duel("puzzle", "--seed", str(seed), typed=lines("quit")).out.partition(" (")[0] for seed in range(8)
    }
    assert len(titles) >= 4
    again = [duel("puzzle", "--seed", "1", typed=lines("quit")) for _ in range(2)]
    assert again[0] == again[1] and again[0].status == 0


def test_show_tells_the_solution_and_ends_well() -> None:
    each = find_puzzle("summation-duel", 2, "s")
    ran = duel("puzzle", "summation-duel", "--level", "2", "--seed", "s", typed=lines("SHOW"))
    assert f"\n{each.solution} wins. {each.why}\n" in ran.out and ran.status == 0


def test_hints_rule_out_one_wrong_move_after_the_other_and_never_the_solution() -> None:
    each = find_puzzle("restricted-removal", 2, "h")
    hints = len(each.wrong) + 1
    ran = duel("puzzle", "restricted-removal", "--level", "2", "--seed", "h", typed=lines(*["hint"] * hints))
    ruled_out = [int(number) for number in re.findall(r"Hint: it is not (\d+)\.", ran.out)]
    assert len(set(ruled_out)) == len(ruled_out) == len(each.wrong) - 1
    left = [move for move in each.game.moves(each.state) if move not in ruled_out]
    assert each.solution in left and f"Hint: it is {left[0]} or {left[1]}.\n" in ran.out
    assert ran.status == 1


@pytest.mark.parametrize("typed", [b"", b"1", b"hint\n", b"\n\n\n"])
def test_the_end_of_the_input_before_the_solution_is_status_1(typed: bytes) -> None:
    ran = duel("puzzle", "number-snatch", "--seed", "e", "--level", "2", typed=typed)
    assert (ran.status, ran.err) == (1, "")


def test_the_rules_can_be_read() -> None:
    assert "# Range War" in duel("puzzle", "range-war", "--seed", "1", typed=lines("rules", "quit")).out


@pytest.mark.parametrize("name", GAMES)
def test_no_bytes_of_input_give_a_traceback(name: str) -> None:
    rng = Random(f"fuzz {name}")
    pieces = [
        b"hint",
        b"moves",
        b"show me",
        b"help",
        b"history",
        b"1",
        b"2 2",
        b"place 1 at 1",
        b"-1",
        b"9" * 400,
    ]
    pieces += [b"\xff\xfe", b"\x00", b"\x1b[2J", "\u0663".encode(), b"1@1", b"a" * 9_000, b"", b"1e3", b"0x1"]
    for seed in range(2):
        noise = [rng.choice(pieces) for _ in range(30)] + [rng.randbytes(40) for _ in range(10)]
        rng.shuffle(noise)
        ran = duel("puzzle", name, "--seed", str(seed), typed=b"\n".join(noise))
        assert ran.status in (0, 1) and ran.err == ""


# Refusals


@pytest.mark.parametrize("level", ["0", "6", "two", "", "-1", "1.5"])
def test_a_level_that_is_not_there_is_refused(level: str) -> None:
    refused(duel("puzzle", "range-war", f"--level={level}"), "--level takes a whole number from 1 to 5")


def test_an_unknown_game_is_refused() -> None:
    refused(duel("puzzle", "chess"), "there is no game called 'chess'")


def test_a_seed_that_cannot_be_printed_is_refused() -> None:
    refused(duel("puzzle", "range-war", "--seed", "\n"), "--seed takes up to 100 printable characters")


def test_help_says_what_a_level_is() -> None:
    told = " ".join(duel("puzzle", "--help").out.split())
    assert "The level says how many moves of your own must be seen ahead" in told


# On a terminal


def test_on_a_terminal_the_next_puzzle_is_offered_and_its_seed_follows() -> None:
    first, second = find_puzzle("range-war", 1, "t"), find_puzzle("range-war", 1, "t.2")
    with terminal("puzzle", "range-war", "--seed", "t", term="dumb") as screen:
        screen.expect_exact("Select a number: ")
        screen.sendline(str(first.solution))
        screen.expect_exact("Right!")
        screen.expect_exact("Another puzzle? Type yes or no: ")
        screen.sendline("yes")
        screen.expect_exact("--seed t.2")
        screen.expect_exact("Select a number: ")
        screen.sendline(str(second.solution))
        screen.expect_exact("Another puzzle? Type yes or no: ")
        screen.sendline("no")
        rest(screen)
        assert screen.exitstatus == 0


def test_on_a_terminal_control_d_leaves_it_unsolved() -> None:
    with terminal("puzzle", "summation-duel", "--seed", "t", term="dumb") as screen:
        screen.expect_exact("Choose a number to add")
        screen.sendeof()
        rest(screen)
        assert screen.exitstatus == 1
