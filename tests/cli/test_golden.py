"""Whole sessions, byte by byte. The plain names are the printed sessions of the books."""

from __future__ import annotations

from tables import table

from .running import GOLDEN, duel, lines, play

BOOKS_LIST = "2,5,7,10,12,13,15,17,18,20"
SESSIONS = {
    "range_war": ("range-war", "6 4 9 5 7 3 8 2 10 1"),
    "range_war_stuck": ("range-war --size 6", "4 2 3 1 5"),
    "range_war_free": ("range-war --size 4 --opening free", "2 3 1 4"),
    "range_war_names": ("range-war --size 3 --names Alice,Bob", "2 1 3"),
    "number_snatch": (f"number-snatch --numbers {BOOKS_LIST}", "13 5 15 2 10 18 12 20 17 7"),
    "number_snatch_level": ("number-snatch --numbers 1,2,3", "2 3 1"),
    "number_snatch_names": ("number-snatch --numbers 1,2,4 --names Alice,Bob", "2 4 1"),
    "restricted_removal": ("restricted-removal --names Alice,Bob", "5 2 9 7"),
    "restricted_removal_plain": ("restricted-removal --size 4", "2 3"),
    "summation_duel": ("summation-duel", "7 8 10 9 6 5 5 3 2"),  # one five is refused
    "summation_duel_over": ("summation-duel --size 4 --target 6", "4 3"),
    "summation_duel_names": ("summation-duel --size 4 --target 6 --names Alice,Bob", "4 2"),
    "number_collision_one_cell": ("number-collision --size 1", "1@1"),
    "number_collision_short_forms": ("number-collision --size 2", "1@1 2@2"),
    "number_collision_triple": ("number-collision", "3@4 3@6 3@5 resign"),
    "number_collision_names": ("number-collision --size 3 --names Alice,Bob", "1@2 1@1 2@2 1@3 3@1"),
}
"""The arguments and the typed words of each session that ends."""


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_bytes().decode()


@table("name, session", SESSIONS.items())
def test_a_session_prints_what_the_book_prints(name: str, session: tuple[str, str]) -> None:
    arguments, typed = session
    ran = play(*arguments.split(), typed=typed)
    assert ran.out == golden(name)
    assert (ran.err, ran.status) == ("", 0)


def test_number_collision_prints_the_five_turns_of_its_book() -> None:
    moves = ("3 at 5", "3 at 5", "3 at 6", "2 at 1", "2 at 2", "1 at 10")
    ran = duel("play", "number-collision", typed=lines(*(f"place {move}" for move in moves)))
    assert ran.out.startswith(golden("number_collision"))
