"""`duel review`, its chart and its picture; and `moves values` at the prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from numberduels.analysis import solution
from numberduels.analysis.review import review_game
from numberduels.cli.review import format_review
from numberduels.game import record
from tables import table

from .running import Ran, duel, lines

BOOK = '[Game "range-war"]\n[Player1 "Ada"]\n\n1. 6 4 2. 9 5 3. 7 3 4. 8 2 5. 10 1 0-1\n'
SNATCH = '[Game "number-snatch"]\n[Numbers "2,5,15"]\n\n1. 5 15 2. 2 0-1\n'
DRAWN = '[Game "number-collision"]\n[Size "4"]\n\n1. 1@1 2@2 2. 3@3 1@4 0-1\n'
RESIGNED = '[Game "restricted-removal"]\n[Termination "resigned"]\n\n1. 5 6 2. 7 1-0\n'
OPEN = '[Game "summation-duel"]\n[Target "42"]\n\n1. 6 *\n'
EMPTY = '[Game "range-war"]\n\n*\n'
ALL = {"book": BOOK, "snatch": SNATCH, "drawn": DRAWN, "resigned": RESIGNED, "open": OPEN, "empty": EMPTY}


def saved(text: str, folder: Path) -> str:
    path = folder / "game.duel"
    path.write_text(text, encoding="utf-8")
    return str(path)


def reviewed(text: str, folder: Path, *options: str) -> Ran:
    ran = duel("review", saved(text, folder), *options)
    assert (ran.err, ran.status) == ("", 0)
    return ran


# In words


def test_a_whole_review(tmp_path: Path) -> None:
    assert reviewed(BOOK, tmp_path).out == (
        "Move 3 decided the game: Ada played 9 and gave the win away; 5 would have kept\n"
        "it.\n"
        "\n"
        "Range War (size 10, opening lower)\n"
        "Player 1 (Ada) against Player 2, result 0-1\n"
        "Judged by the count of free numbers on each side.\n"
        "\n"
        " 1. Player 1 (Ada)  6   ?? threw away a win (win, now loss)\n"
        '    Better: 1 (or 2, 3, 4 or 5). To Ada: "No lower number is left for them, so\n'
        '    they are stuck and you win."\n'
        " 2. Player 2        4   x  missed a win (win, now loss)\n"
        '    Better: 5. To Player 2: "Take the nearest: every number you skip becomes\n'
        "    theirs. That leaves 4 numbers for them and 4 for you, and it is their\n"
        '    turn: they run out first."\n'
        " 3. Player 1 (Ada)  9   x  missed a win (win, now loss)\n"
        '    Better: 5. To Ada: "Take the nearest: every number you skip becomes\n'
        "    theirs. That leaves 3 numbers for them and 4 for you, and it is their\n"
        '    turn: they run out first."\n'
        " 4. Player 2        5   =  kept (win)\n"
        " 5. Player 1 (Ada)  7   =  kept (loss; every move loses)\n"
        " 6. Player 2        3   +  only move (win)\n"
        " 7. Player 1 (Ada)  8   =  kept (loss; every move loses)\n"
        " 8. Player 2        2   +  only move (win)\n"
        " 9. Player 1 (Ada)  10  -  forced (loss)\n"
        "10. Player 2        1   -  forced (win)\n"
        "\n"
        "Who wins at best play, after each move:\n"
        "  Player 1 (Ada) wins | #       #\n"
        "        Player 2 wins |     #       #   #   #   #   #   #   #   #\n"
        "             mistakes |     ??  x   x\n"
        "                 move | 0   1   2   3   4   5   6   7   8   9   10\n"
        "\n"
        "Accuracy (right choices where a wrong one was possible):\n"
        "  Player 1 (Ada)  0% (0 of 2)\n"
        "  Player 2        75% (3 of 4)\n"
        "\n"
        "Signs:\n"
        "  #   who wins after that move\n"
        "  -   forced: there was no other move\n"
        "  +   only move: every other move would have given the win or the draw away\n"
        "  =   kept: it gave nothing away\n"
        "  ??  threw away a win: the win was there, and now it is gone\n"
        "  x   missed a win: the other player had just given the win, and it was not\n"
        "      taken\n"
    )


def test_a_reason_for_the_only_person_speaks_to_that_person(tmp_path: Path) -> None:
    game = BOOK.replace('"Ada"]\n', '"Ada"]\n[Player2 "the computer"]\n[Seat2 "casual"]\n')
    out = " ".join(reviewed(game, tmp_path).out.split())
    assert "Better: 1 (or 2, 3, 4 or 5). No lower number is left for them" in out
    assert 'Better: 5. To the computer: "Take the nearest' in out


def test_a_game_of_points_tells_margins(tmp_path: Path) -> None:
    out = reviewed(SNATCH, tmp_path).out
    assert "1. Player 1  5   ?? threw away a win (win +12, now loss -18: 30 points given away)\n" in out
    assert "2. Player 2  15  +  only move (win +18)\n" in out
    assert "3. Player 1  2   -  forced (loss -18)\n" in out
    assert "(up: Player 1 is ahead, down: Player 2):\n" in out
    assert (
        "       +10 | #\n"
        "        +5 | #\n"
        "         0 | _   _   _   _\n"
        "        -5 |     #   #   #\n"
        "       -10 |     #   #   #\n"
        "       -15 |     #   #   #\n"
        "       -20 |     #   #   #\n"
        "  mistakes |     ??\n"
        "      move | 0   1   2   3\n"
    ) in out
    assert "  Player 1  0% (0 of 1); points given away per move: 30.0\n" in out
    assert "  Player 2  100% (1 of 1); points given away per move: 0.0\n" in out


def test_moves_beyond_reach_are_named() -> None:
    tags = '[Game "number-collision"]\n[Size "3"]\n[Values "2"]\n[Repetition "forbidden"]\n'
    found = record.read(f"{tags}\n1. 1@1 2@2 2. 1@3 1-0\n")
    words = found.spec.text_for(found.game)
    judged = review_game(found, max_positions=2)  # enough for the last cell only: it can be filled in one way
    said = format_review(judged, words)
    assert "Moves 1 to 2 are not judged and do not count: there are more than 2 positions.\n" in said
    assert "1. Player 1  1 on cell 1  .  not judged\n" in said
    assert "3. Player 1  1 on cell 3  -  forced (win)\n" in said
    assert "      not known | #   #\n" in said
    assert "  Player 1  no judged move could go wrong\n  Player 2  no move was judged\n" in said


# As data


@table("text", ALL.values())
def test_json_is_the_whole_review_and_nothing_else(text: str, tmp_path: Path) -> None:
    report = json.loads(reviewed(text, tmp_path, "--json").out)
    assert report == json.loads(json.dumps(review_game(record.read(text)).report()))
    assert len(report["values"]) == len(report["moves"]) + 1
    assert [each["ply"] for each in report["moves"]] == list(range(1, len(report["moves"]) + 1))


# moves values


def values(*options: str, after: tuple[str, ...] = (), asked: str = "moves values") -> str:
    """What is said to the question, up to the blank line after it."""
    out = duel("play", *options, typed=lines(*after, asked)).out
    return out.split(f"{asked.strip()}\n", 1)[1].split("\n\n")[0] + "\n"


@table("asked", ["moves values", "MOVES VALUES", "moves   values"])
def test_moves_with_their_values(asked: str) -> None:
    assert values("range-war", "--size", "4", asked=asked) == (
        "Legal moves by worth:\n  win in 1 move    1\n  win in 3 moves   2\n"
        "  loss in 4 moves  3\n  loss in 2 moves  4\n"
    )


def test_the_margin_is_told_in_a_game_of_points() -> None:
    said = values("number-snatch", "--numbers", "2,5,7,10,12,13,15,17,18,20")
    assert said.startswith("Legal moves by worth:\n  win by 11        20\n  win by ")
    assert "\n  loss by " in said


def test_values_beyond_reach_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution, "QUICK", 500)
    said = values("number-collision", "--repetition", "forbidden")
    assert said.startswith("What the moves are worth is beyond reach here: ") and said.count("\n") == 1
