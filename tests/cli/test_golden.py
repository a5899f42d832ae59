"""Whole sessions through a real pipe, byte by byte. The plain names are the printed sessions of the books."""

from __future__ import annotations

from tables import table

from .running import GAMES, GOLDEN, duel, play


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_bytes().decode()


def same(name: str, typed: str, *arguments: str) -> None:
    """The session of these words is the golden one, and ends well."""
    ran = play(*arguments, typed=typed)
    assert ran.out == golden(name)
    assert (ran.err, ran.status) == ("", 0)


@table("name", GAMES)
def test_every_game_has_a_golden_session(name: str) -> None:
    assert (GOLDEN / f"{name.replace('-', '_')}.txt").is_file()


# Range War


def test_range_war_prints_the_session_of_its_book() -> None:
    same("range_war", "6 4 9 5 7 3 8 2 10 1", "range-war")


def test_range_war_ends_stuck_with_numbers_left() -> None:
    same("range_war_stuck", "4 2 3 1 5", "range-war", "--size", "6")
    assert "Available Numbers: None" not in golden("range_war_stuck")


def test_range_war_with_a_free_opening_says_that_either_side_is_open() -> None:
    same("range_war_free", "2 3 1 4", "range-war", "--size", "4", "--opening", "free")


def test_range_war_calls_the_players_by_name() -> None:
    same("range_war_names", "2 1 3", "range-war", "--size", "3", "--names", "Alice,Bob")


# Number Snatch

BOOKS_LIST = "2,5,7,10,12,13,15,17,18,20"


def test_number_snatch_prints_the_turns_of_its_book_and_ends_74_to_45() -> None:
    same("number_snatch", "13 5 15 2 10 18 12 20 17 7", "number-snatch", "--numbers", BOOKS_LIST)
    session = golden("number_snatch")
    assert session.startswith(golden("number_snatch_book"))
    assert session.endswith(
        "\n\nGame Over!\nFinal Scores:\nPlayer 1: 74\nPlayer 2: 45\nWinner: Player 1\nCongratulations!\n"
    )


def test_number_snatch_level_scores_are_a_win_for_the_second_and_it_says_so() -> None:
    same("number_snatch_level", "2 3 1", "number-snatch", "--numbers", "1,2,3")


def test_number_snatch_calls_the_players_by_name() -> None:
    same("number_snatch_names", "2 4 1", "number-snatch", "--numbers", "1,2,4", "--names", "Alice,Bob")


# Restricted Removal


def test_restricted_removal_prints_the_session_of_its_book() -> None:
    same("restricted_removal", "5 2 9 7", "restricted-removal", "--names", "Alice,Bob")


def test_restricted_removal_without_names() -> None:
    same("restricted_removal_plain", "2 3", "restricted-removal", "--size", "4")


# Summation Duel


def test_summation_duel_prints_the_session_of_its_book_with_the_refused_five() -> None:
    same("summation_duel", "7 8 10 9 6 5 5 3 2", "summation-duel")


def test_summation_duel_over_the_target_names_loser_overshoot_and_winner() -> None:
    same("summation_duel_over", "4 3", "summation-duel", "--size", "4", "--target", "6")


def test_summation_duel_calls_the_players_by_name() -> None:
    same(
        "summation_duel_names",
        "4 2",
        "summation-duel",
        "--size",
        "4",
        "--target",
        "6",
        "--names",
        "Alice,Bob",
    )


# Number Collision


def place(*moves: str) -> bytes:
    return "".join(f"place {move[0]} at {move[2:]}\n" for move in moves).encode()


def test_number_collision_prints_the_five_turns_of_its_book() -> None:
    ran = duel("play", "number-collision", typed=place("3@5", "3@5", "3@6", "2@1", "2@2", "1@10"))
    assert ran.out.startswith(golden("number_collision"))


@table(
    "sentence",
    [
        "Number Line Positions: [1][2][3][4][5][6][7][8][9][10]\n"
        "Current State:         [ ][ ][ ][ ][ ][ ][ ][ ][ ][ ]\n",
        "\nPlayer 1 placed a 3 at position 5.\n[ ][ ][ ][ ][3][ ][ ][ ][ ][ ]\n",
        "\nInvalid move. Position 5 is already occupied. Try again.\n",
        "\nCollision! Numbers at positions 5 and 6 have been removed.\n[ ][ ][ ][ ][ ][ ][ ][ ][ ][ ]\n",
        "\n[2][ ][ ][ ][ ][ ][ ][ ][ ][ ]\n",
        "\n[ ][ ][ ][ ][ ][ ][ ][ ][ ][1]\n",
    ],
)
def test_number_collision_keeps_the_pictures_and_sentences_of_its_book(sentence: str) -> None:
    assert sentence in golden("number_collision")


def test_number_collision_announces_the_victory_as_its_book_does() -> None:
    same("number_collision_one_cell", "1@1", "number-collision", "--size", "1")
    assert golden("number_collision_one_cell").endswith(
        "\nPlayer 2 has no valid moves remaining. Player 1 wins!\n"
    )


def test_number_collision_is_won_by_filling_the_last_cell() -> None:
    same("number_collision_short_forms", "1@1 2@2", "number-collision", "--size", "2")


def test_number_collision_of_three_removes_all_three() -> None:
    same("number_collision_triple", "3@4 3@6 3@5 resign", "number-collision")


def test_number_collision_calls_the_players_by_name() -> None:
    same(
        "number_collision_names",
        "1@2 1@1 2@2 1@3 3@1",
        "number-collision",
        "--size",
        "3",
        "--names",
        "Alice,Bob",
    )
