"""A search that is saved and read again goes on exactly as one that was never stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from numberduels.analysis.game_length import LengthSearch
from numberduels.games.restricted_removal.rules import RestrictedRemoval, neighbours
from numberduels.games.restricted_removal.theory import interchange
from numberduels.games.summation_duel import sum_tables
from numberduels.games.summation_duel.sum_tables import SolvedPasses
from numberduels.solvers.game_length import GameLength
from numberduels.solvers.kayles_proof_search import KaylesProofSearch
from numberduels.solvers.node_kayles import NodeKayles
from numberduels.solvers.oracle import TooLarge
from numberduels.solvers.resumable import BadRows, Checkpoints, Resumable, StepEnd, solve_in_steps
from tables import table

SIZE = 51
START = RestrictedRemoval(SIZE).start(Random(0))[0]


class StopAtOnce(Checkpoints):
    def reached(self) -> None:
        raise KeyboardInterrupt


def plain(max_positions: int = 100_000) -> NodeKayles:
    return NodeKayles(neighbours(SIZE), interchange(SIZE), max_positions)


def proof(max_positions: int = 100_000) -> NodeKayles:
    return KaylesProofSearch(neighbours(SIZE), interchange(SIZE), max_positions, plain_size=20)


def rows(table: Resumable) -> list[str]:
    return sorted(json.dumps(row) for row in table.dump())


def copied(table: Resumable, fresh: Any) -> Any:
    """The table as another process reads it."""
    fresh.load(json.loads(json.dumps(list(table.dump()))))
    return fresh


@table("make", [plain, proof])
def test_a_search_stopped_at_every_step_visits_the_same_parts(
    make: Callable[[], NodeKayles], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NodeKayles, "step", 40)
    free, whole = make(), make()
    free.wins(START)
    assert solve_in_steps(whole, lambda: whole.wins(START), Checkpoints()) is False  # Player 2 wins at 51
    table, stops = make(), 0
    while True:
        try:
            found = solve_in_steps(table, lambda table=table: table.wins(START), StopAtOnce())  # type: ignore[misc]
            break
        except KeyboardInterrupt:
            stops += 1
            assert table.visited == 40 * stops
            table = copied(table, make())
    assert found is False and stops > 5
    assert table.visited == whole.visited == free.visited and rows(table) == rows(whole) == rows(free)


def test_the_limit_of_a_search_holds_over_all_runs() -> None:
    table = plain(100)
    for _ in range(2):
        with pytest.raises(TooLarge, match="more than 100"):
            solve_in_steps(table, lambda: table.wins(START), Checkpoints())
    assert table.visited > 100


@table("moves", [False, True])
def test_lengths_stopped_at_every_step_are_the_same(moves: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GameLength, "step", 40)
    game = RestrictedRemoval(50)
    whole = LengthSearch(game)
    expected = whole.solve(game, moves=moves)
    assert (expected.long_begins.low, expected.short_begins.low) == (20, 16)
    search, stops = LengthSearch(game), 0
    while True:
        try:
            found = solve_in_steps(
                search.lengths,
                lambda search=search: search.solve(game, moves=moves),  # type: ignore[misc]
                StopAtOnce(),
            )
            break
        except KeyboardInterrupt:
            stops += 1
            search = copied(search, LengthSearch(game))
    assert stops >= 3
    assert (found.long_begins, found.short_begins) == (expected.long_begins, expected.short_begins)
    assert search.lengths.visited == whole.lengths.visited and rows(search) == rows(whole)


def test_passes_stopped_after_each_are_the_same() -> None:
    class Stored(Checkpoints):
        saved: Any = None

        def restore(self, table: Resumable) -> None:
            self.table = table
            if self.saved:
                table.load(self.saved)

        def reached(self) -> None:
            self.saved = json.loads(json.dumps(list(self.table.dump())))
            raise KeyboardInterrupt

    stored, runs = Stored(), 0
    while True:
        runs += 1
        try:
            found = [lost for _, lost in sum_tables.iterate_lost_rests(14, None, stored)]
            break
        except KeyboardInterrupt:
            pass
    assert runs == 2  # two passes: 106 rests, 64 at a time
    assert found == sum_tables.lost_rests(14)


@table(
    "hostile",
    [
        [],
        [[1]],
        [["1"], ["c", 1]],
        [[True], ["c", 1]],
        [[1], []],
        [[1], ["c"]],
        [[1], [12, 1]],
        [[1], ["c", 99]],
        [[1], ["c", "1"]],
        [[1], ["c", True]],
        [[1], ["0", 0]],
        [[1], ["-c", 1]],
        [[1], ["c_c", 1]],
        [[1], ["f" * 1000, 1]],
        [[2], ["c", 1], ["c", 1]],
        [[1], ["c", -1, "fffff"]],
        [[1], ["c", -1, "1", [0, 1, 2]]],
        [[1], ["c", -1, "1", "x"]],
        [[999_999], ["c", 1]],
        [[-1]],
    ],
)
def test_rows_that_no_search_has_written_are_refused(hostile: Any) -> None:
    for make in (plain, proof):
        with pytest.raises(BadRows):
            make().load(hostile)


@table(
    "hostile",
    [
        [],
        [[-1]],
        [[-1, "x"], [0]],
        [[-1, -1], [1]],
        [[-1, -1], [0], ["c", 2, 1, 1]],
        [[-1, -1], [0], ["c", 0, 5, 1]],
        [[-1, -1], [0], ["c", 0, 1, 9999]],
        [[-1, -1], [0], ["c", "whole", 0, 1]],
        [[-1, -1], [0], [["c"], 0, 1, 1]],
        [[-1, -1], [0], []],
    ],
)
def test_bounds_that_no_search_has_written_are_refused(hostile: Any) -> None:
    with pytest.raises(BadRows):
        LengthSearch(RestrictedRemoval(20)).load(hostile)


@table("hostile", [[[9]], [[1], ["0"]], [[0], *[["1"]] * 15], [["1"], *[["0"]] * 15]])
def test_passes_that_nobody_has_solved_are_refused(hostile: Any) -> None:
    with pytest.raises(BadRows):
        SolvedPasses(14).load(hostile)


def test_a_saved_table_has_at_most_the_positions_that_are_allowed() -> None:
    solved = plain()
    solved.wins(START)
    saved = list(solved.dump())
    for make in (plain, proof):
        make(solved.visited).load(saved)
        with pytest.raises(BadRows, match="the number of parts"):
            make(solved.visited - 1).load(saved)


def test_a_step_ends_before_a_part_is_counted() -> None:
    table = plain()
    table.step_ends = 100
    with pytest.raises(StepEnd):
        table.wins(START)
    assert table.visited == 100 and len(list(table.dump())) == 101
