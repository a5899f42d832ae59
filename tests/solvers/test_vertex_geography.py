"""Vertex geography agrees with a search that follows the rules word for word."""

from __future__ import annotations

from itertools import permutations
from random import Random

from numberduels.game.bits import members
from numberduels.solvers.vertex_geography import ReplyFinder, VertexGeography
from tables import table

Edges = list[list[int]]


def wins_by_the_rules(after: Edges, vertex: int, open_: frozenset[int]) -> bool:
    return any(not wins_by_the_rules(after, each, open_ - {each}) for each in after[vertex] if each in open_)


def random_graph(rng: Random, count: int) -> tuple[Edges, list[int]]:
    """Edges mostly between vertices of different colours, as in the games; some of them one-way."""
    colours = [rng.randrange(2) for _ in range(count)]
    after: Edges = [[] for _ in range(count)]
    for one, two in permutations(range(count), 2):
        if rng.random() < (0.45 if colours[one] != colours[two] else 0.06):
            after[one].append(two)
    return after, colours


@table("seed", range(8))
def test_who_wins_is_what_the_rules_say_on_random_graphs(seed: int) -> None:
    rng = Random(seed)
    for _ in range(60):
        count = rng.randint(1, 8)
        after, colours = random_graph(rng, count)
        geography = VertexGeography(after, colours, [list(range(count))])
        for vertex in range(count):
            others = frozenset(range(count)) - {vertex}
            open_ = sum(1 << each for each in others)
            assert geography.wins(vertex, open_) == wins_by_the_rules(after, vertex, others)


def test_replies_are_found_often_and_only_for_the_winner() -> None:
    rng, found = Random(3), 0
    for _ in range(300):
        count = rng.randint(2, 8)
        after, colours = random_graph(rng, count)
        finder = ReplyFinder(after, colours)
        others = frozenset(range(1, count))
        open_ = sum(1 << each for each in others)
        wins = wins_by_the_rules(after, 0, others)
        for replies, for_mover in (
            (finder.replies_of_mover(0, open_), True),
            (finder.replies_of_opponent(0, open_), False),
        ):
            if replies is not None:
                found += 1
                assert wins == for_mover
                assert all(reply in after[each] and open_ >> reply & 1 for each, reply in replies.items())
    assert found > 200


def test_replies_are_right_whatever_the_colours_are() -> None:
    """Also where the vertex of the token has moves to vertices of its own colour."""
    rng, found = Random(5), 0
    for _ in range(400):
        count = rng.randint(2, 7)
        after, _ = random_graph(rng, count)
        finder = ReplyFinder(after, [rng.randrange(2) for _ in range(count)])
        others = frozenset(range(1, count))
        if finder.replies_of_opponent(0, 2**count - 2) is not None:
            found += 1
            assert not wins_by_the_rules(after, 0, others)
        if finder.replies_of_mover(0, 2**count - 2) is not None:
            assert wins_by_the_rules(after, 0, others)
    assert found > 40
    assert ReplyFinder([[1], [2], []], colours=[0, 0, 0]).replies_of_opponent(0, 0b110) == {1: 2}


def test_symmetric_positions_are_one() -> None:
    ring = [[(each - 1) % 6, (each + 1) % 6] for each in range(6)]
    turns = [[(each + turn) % 6 for each in range(6)] for turn in range(6)]
    geography = VertexGeography(ring, [each % 2 for each in range(6)], turns)
    assert {geography.position(each, 0b111111 & ~(1 << each)) for each in range(6)} == {(0, 0b111110)}
    assert members(geography.position(2, 0b000011)[1]) == (4, 5)  # the image with vertex 2 at 0


def test_a_vertex_is_never_both_met_and_a_reply() -> None:
    after, colours = [[3], [0, 2], [0, 4], [4], [1]], [1, 0, 0, 0, 0]
    # The only game is 0 3 4 1 2, and who moves on 0 loses, though 3, 2, 4 and 1 seem to answer 0, 1, 2 and 4.
    assert not wins_by_the_rules(after, 0, frozenset({1, 2, 3, 4}))
    assert ReplyFinder(after, colours).replies_of_mover(0, 0b11110) is None
