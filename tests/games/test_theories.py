"""Two roads to every value: the theory of each game against a solver that knows no game by name."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from random import Random
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest

import numberduels
from numberduels.game.bits import members
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval, neighbours
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.solvers import LOSS, WIN, Margins, Nimbers, Oracle, Retrograde, TooLarge, Worth, make_oracle
from tables import table

Theory = Callable[[Any], Oracle[Any, Any]]
"""What makes the oracle of a game: a theory, or a broken copy of one."""

BOOK_LIST = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)
EVEN_LIST = (1, 3, 4, 7, 11, 12, 14, 16, 18, 20)
SPECS = ("range_war", "number_snatch", "restricted_removal", "summation_duel", "number_collision")


def start(game: Any) -> Any:
    return game.start(Random(0))


def after(game: Any, *moves: Any) -> Any:
    state = start(game)
    for move in moves:
        state = game.play(state, move)
    return state


def everywhere(game: Any, root: Any = None) -> Iterator[Any]:
    """Every position that can be reached, each once."""
    waiting = [start(game) if root is None else root]
    seen = set(waiting)
    while waiting:
        state = waiting.pop()
        yield state
        for move in game.moves(state):
            child = game.play(state, move)
            if child not in seen:
                seen.add(child)
                waiting.append(child)


def walks(game: Any, count: int, rng: Random, skip: int = 0, plies: int = 60) -> set[Any]:
    """The positions of so many random games, from the ply after `skip` on."""
    found = set()
    for _ in range(count):
        state = start(game)
        for ply in range(plies):
            if ply >= skip:
                found.add(state)
            moves = game.moves(state)
            if not moves:
                break
            state = game.play(state, rng.choice(moves))
    return found


def module(spec: str) -> ModuleType:
    return importlib.import_module(f"numberduels.games.{spec}.theory")


def theory_of(found: ModuleType) -> Theory:
    """The one theory in a module, be it the real one or a copy."""
    (name,) = (name for name in vars(found) if name.endswith("Theory"))
    theory: Theory = getattr(found, name)
    return theory


def same(found: Worth, known: Worth, *where: Any) -> None:
    """The same value, and the same of whatever else both roads tell."""
    assert found.value == known.value, where
    for ours, theirs in zip(found, known, strict=True):
        assert ours is None or theirs is None or ours == theirs, where


def agree(
    oracle: Oracle[Any, Any], known: Oracle[Any, Any], states: Iterable[Any], moves: bool = True
) -> int:
    """The same worth at each state, and of each move there; how many states there were."""
    count = 0
    for count, state in enumerate(states, 1):  # noqa: B007  # the last one is the number of them
        try:
            same(oracle.evaluate(state), known.evaluate(state), oracle.game, state)
            for move, worth in oracle.evaluate_moves(state).items() if moves else ():
                same(worth, known.evaluate_move(state, move), oracle.game, state, move)
        except TooLarge as fault:
            raise AssertionError(f"no value of {state}") from fault
    return count


# The agreements: each raises AssertionError where the theory is wrong


def agree_range_war(theory: Theory, sizes: Iterable[int] = range(1, 9)) -> None:
    for size in sizes:
        for opening in ("lower", "free"):
            game = RangeWar(size, opening)
            known, oracle = Retrograde[Any, Any](game, use_symmetry=False), theory(game)
            agree(oracle, known, everywhere(game))
            for state in known:
                assert oracle.evaluate(state) == known.evaluate(
                    state
                )  # the remoteness is not left out either


LISTS = (
    (3,),
    (4,),
    (2, 3),
    (2, 4),
    (1, 2, 3),
    (1, 2, 3, 6),
    (2, 5, 10, 15, 4),
    (1, 3, 6, 9, 12, 5),
    EVEN_LIST[:6],
)
LONGER = (BOOK_LIST, EVEN_LIST, (1, 2, 3, 4, 6, 8, 9, 12, 18, 36, 72), tuple(1 << i for i in range(11)))


def agree_number_snatch(theory: Theory, lists: Iterable[tuple[int, ...]] = LISTS) -> None:
    for numbers in lists:
        game = NumberSnatch(numbers=numbers)
        oracle, known = theory(game), Margins[Any, Any](game)
        agree(oracle, known, [start(game), *everywhere(game)])
        for state in everywhere(game):
            assert oracle.evaluate(state).margin == known.evaluate(state).margin
    rng = Random(6)
    for numbers in LONGER:
        game = NumberSnatch(numbers=numbers)
        oracle = theory(game)
        agree(oracle, Margins(game), [start(game), *walks(game, 30, rng)])


def agree_restricted_removal(theory: Theory, sizes: Iterable[int] = (*range(2, 12), 16, 20)) -> None:
    for size in sizes:
        game = RestrictedRemoval(size)
        oracle, known = theory(game), Nimbers[Any, Any](game)
        folded = (
            {(available, 0) for available, _ in everywhere(game)}
            if size < 12
            else walks(game, 100, Random(1))
        )
        agree(oracle, known, folded)
        for state in folded:
            assert oracle.evaluate(state).nimber == known.evaluate(state).nimber
    rng = Random(2)
    for size in (34, 38):
        game = RestrictedRemoval(size)
        agree(theory(game), Nimbers(game), walks(game, 25, rng))


def agree_summation_duel(theory: Theory, sizes: Iterable[int] = (1, 2, 3, 5, 7)) -> None:
    for size in sizes:
        for target in range(1, size * (size + 1) // 2 + 1):
            game = SummationDuel(size, target)
            agree(theory(game), Retrograde(game, use_symmetry=False), everywhere(game))
    rng = Random(3)
    for size, target in ((9, 30), (13, 50), (13, 91)):
        game = SummationDuel(size, target)
        agree(theory(game), Retrograde(game, use_symmetry=False), [start(game), *walks(game, 100, rng)])


def agree_number_collision(theory: Theory, sizes: Iterable[int] = range(1, 5), values: int = 3) -> None:
    for size in sizes:
        for number in range(1, values + 1):
            game = NumberCollision(size, number)
            known, oracle = Retrograde[Any, Any](game, use_symmetry=False), theory(game)
            count = agree(oracle, known, everywhere(game), moves=size < 5)
            assert count == known.positions
            for state in known:
                assert oracle.evaluate(state) == known.evaluate(state)
    for size, number in ((2, 2), (3, 2), (4, 1)):
        game = NumberCollision(size, number, "forbidden")
        agree(theory(game), Retrograde(game, use_symmetry=False), everywhere(game))


AGREEMENTS: dict[str, Callable[[Theory], None]] = {
    "range_war": agree_range_war,
    "number_snatch": agree_number_snatch,
    "restricted_removal": agree_restricted_removal,
    "summation_duel": agree_summation_duel,
    "number_collision": agree_number_collision,
}
TABLES = ("summation_duel",)


@table("spec", SPECS)
def test_both_roads_agree(spec: str) -> None:
    AGREEMENTS[spec](theory_of(module(spec)))
    if spec in TABLES:  # the table is asked from the first number on, and then there is none
        with patch.object(module(spec), "MAX_RETROGRADE", 0):
            AGREEMENTS[spec](theory_of(module(spec)))
            with patch.dict(sys.modules, {f"numberduels.games.{spec}.sum_tables": None}):
                AGREEMENTS[spec](theory_of(module(spec)))


@table(
    "size, target, first, then",
    [
        (29, 61, (1, 2, 3, 5, 12, 19), (19, 23)),
        (27, 106, (7, 10, 13, 17, 19, 20), (13, 23, 24, 26)),
        (25, 77, (1, 5, 9, 12, 15, 16), (3, 9, 24, 25)),
    ],
)
def test_summation_duel_may_be_asked_about_positions_in_any_order(
    size: int, target: int, first: tuple[int, ...], then: tuple[int, ...]
) -> None:
    game = SummationDuel(size, target)
    oracle = make_oracle(game)
    oracle.evaluate(after(game, *first))
    assert oracle.value(after(game, *then)) == make_oracle(game).value(after(game, *then))


# Without NumPy

WITHOUT = """
import json, sys
sys.modules["numpy"] = None
import numberduels
for name, options in json.loads(sys.argv[1]):
    given = {key: tuple(each) if isinstance(each, list) else each for key, each in options.items()}
    game = numberduels.make(name, **given)
    report = numberduels.solve(game).report()
    print(json.dumps([report[key] for key in ("winner", "value", "best")]))
assert sys.modules["numpy"] is None
"""
BOOK_GAMES: list[tuple[str, dict[str, Any]]] = [
    ("range-war", {}),
    ("range-war", {"opening": "free"}),
    ("number-snatch", {"numbers": list(BOOK_LIST)}),
    ("number-snatch", {"numbers": [*range(1, 14)]}),
    ("restricted-removal", {}),
    ("restricted-removal", {"size": 40}),
    ("summation-duel", {}),
    ("summation-duel", {"target": 42}),
    ("summation-duel", {"size": 15, "target": 70}),
    ("number-collision", {}),
    ("number-collision", {"size": 3, "values": 2, "repetition": "forbidden"}),
]


@pytest.mark.long
def test_without_numpy_the_book_sizes_are_solved_all_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, json.dumps(BOOK_GAMES)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    without = [json.loads(line) for line in done.stdout.splitlines()]
    for (name, options), found in zip(BOOK_GAMES, without, strict=True):
        given = {key: tuple(each) if isinstance(each, list) else each for key, each in options.items()}
        report = numberduels.solve(numberduels.make(name, **given)).report()
        assert found == [report["winner"], report["value"], report["best"]], name


# Reach, by counts

NIMBERS = [*map(int, "10011003322330011003322444761")]


@pytest.mark.long
@table("size, positions", [(113, 317), (121, 653), (126, 314), (128, 23_939), (133, 32_754), (150, 27_287)])
def test_restricted_removal_beyond_a_hundred_is_won_by_the_first_player(size: int, positions: int) -> None:
    game = RestrictedRemoval(size)
    oracle = make_oracle(game)
    assert oracle.evaluate(start(game)) == Worth(WIN)
    assert oracle.positions == positions


def test_restricted_removal_nimbers_of_the_start() -> None:
    games = [RestrictedRemoval(size) for size in range(2, 31)]
    assert [make_oracle(game).evaluate(start(game)).nimber for game in games] == NIMBERS


def test_restricted_removal_larger_nimbers_are_computed_if_they_are_asked_for() -> None:
    game = RestrictedRemoval(30)
    with patch.object(module("restricted_removal"), "MAX_NIMBER_SIZE", 28):
        assert numberduels.solve(game).worth == Worth(WIN)
        assert numberduels.solve(game, nimbers=True).worth == Worth(WIN, nimber=NIMBERS[-1])
        with patch.object(module("restricted_removal"), "MAX_ASKED_NIMBER_SIZE", 28):
            assert numberduels.solve(game, nimbers=True).worth == Worth(WIN)


@table("count", [20, 24, 1_000])
def test_number_snatch_of_many_numbers_looks_at_every_move_once(count: int) -> None:
    solution = numberduels.solve(NumberSnatch(numbers=tuple(range(1, count + 1))))
    assert solution.worth.margin == count // 2  # 1 for each pair, largest first
    assert solution.best[-1] == count
    assert solution.positions == count + 1


def test_summation_duel_of_twenty_four_counts_the_sets_within_the_target() -> None:
    ways = [1] + [0] * 150
    for number in range(1, 25):
        for total in range(150, number - 1, -1):
            ways[total] += ways[total - number]
    game = SummationDuel(24, 150)
    oracle = make_oracle(game)
    assert oracle.evaluate(start(game)).value == LOSS
    assert oracle.positions == sum(ways) == 8_482_454


@table("opening", ["lower", "free"])
def test_range_war_of_ten_thousand(opening: str) -> None:
    solution = numberduels.solve(RangeWar(10_000, opening))
    assert solution.positions == 10_002
    if opening == "lower":
        assert solution.worth == Worth(WIN, 1)
        assert solution.best == list(range(1, 5_001))
    else:
        assert solution.worth == Worth(LOSS, 10_000)
    assert numberduels.solve(RangeWar(9_999, "free")).best == [5_000]


def test_number_collision_of_a_thousand() -> None:
    solution = numberduels.solve(NumberCollision(1_000, 20))
    assert solution.value == "draw"
    assert solution.positions == 20_002


@table(
    "game, max_positions, estimate",
    [
        (
            SummationDuel(60, 915),
            2_000,
            r"more than 2,000 positions, and a table would take more than a million GB",
        ),
        (NumberCollision(10, 5, "forbidden"), 2_000, "more than 2,000 positions"),
        (RestrictedRemoval(80), 100, "more than 100 positions"),
    ],
)
def test_what_does_not_fit_is_refused_with_an_estimate(game: Any, max_positions: int, estimate: str) -> None:
    with pytest.raises(TooLarge, match=estimate):
        numberduels.solve(game, max_positions=max_positions)


def test_restricted_removal_large_primes_change_places() -> None:
    size = 40
    game, related = RestrictedRemoval(size), neighbours(size)
    canon = module("restricted_removal").interchange(size)
    known, rng = Nimbers[Any, Any](game), Random(12)
    changed = 0
    for _ in range(400):
        mask = rng.getrandbits(size + 1) & rng.getrandbits(size + 1) & -4
        twin = canon(mask)
        degrees, others = (
            sorted((related[n] & each).bit_count() for n in members(each)) for each in (mask, twin)
        )
        assert degrees == others
        assert canon(twin) == twin
        assert known.evaluate((mask, 0)).nimber == known.evaluate((twin, 0)).nimber
        changed += mask != twin
    assert changed > 100
