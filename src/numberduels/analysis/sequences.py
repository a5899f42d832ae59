"""What a game declares to be tabulated: integer sequences, and a table of winners with statements about it.

A game lists both in its `claims.py`. Terms and winners are always computed, never written down.

>>> found = find_sequence("restricted-removal-nimbers")
>>> list(found.terms(range(2, 12)))
[1, 0, 0, 1, 1, 0, 0, 3, 3, 2]
>>> print("".join(b_file_lines(found, range(2, 4))))
# restricted-removal-nimbers: the nimber of Restricted Removal with the numbers 2 to n.
# method: node Kayles on the graph of factors and multiples, a search of each connected component
# status: computed exactly
2 1
3 0
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any

from numberduels.game import registry
from numberduels.game.contract import ProgressCallback
from numberduels.game.formatting import nearest, short
from numberduels.game.spec import GameSpec
from numberduels.solvers import WIN, Oracle, TooLarge, make_oracle

MAX_POSITIONS = 2_500_000
"""The most positions to search for all terms of one run."""

Compute = Callable[[range, ProgressCallback | None], Iterable[int]]
"""Computes the terms of these indices, in order; TooLarge if one is out of reach."""


class ProofStatus(Enum):
    """What is known about the terms."""

    THEOREM = "theorem: proven for every n"
    COMPUTED = "computed exactly"
    CONJECTURE = "conjecture: true for every n that was computed, not proven"


@dataclass(frozen=True, slots=True)
class IntegerSequence:
    """A sequence a(first), a(first + 1), ... with its definition."""

    name: str
    """The game, a hyphen and what is counted."""
    definition: str
    """What a(n) is, a phrase that ends one sentence: "the nimber of ...". """
    indices: range
    """The indices that are computed if nobody asks for others."""
    compute: Compute
    method: str
    """How the terms are computed, a phrase."""
    status: ProofStatus
    proof: str = ""
    """Where the proof is, or what is proven."""

    def terms(self, indices: range, progress: ProgressCallback | None = None) -> Iterator[int]:
        """The terms of these indices, in order."""
        yield from self.compute(indices, progress)

    @property
    def status_text(self) -> str:
        """The proof status, and where the proof is."""
        return f"{self.status.value} ({self.proof})" if self.proof else self.status.value


class UnknownSequence(LookupError):
    """No installed game has a sequence of that name."""


def sequences_of(spec: GameSpec) -> tuple[IntegerSequence, ...]:
    """The sequences that a game declares."""
    return tuple(spec.load("sequences") or ())


def all_sequences() -> list[IntegerSequence]:
    """The sequences of all installed games."""
    return [each for spec in registry.specs() for each in sequences_of(spec)]


def find_sequence(name: str) -> IntegerSequence:
    """The sequence of this name; UnknownSequence names the nearest one."""
    found = {each.name: each for each in all_sequences()}
    if name not in found:
        meant = nearest(name, found)
        question = f"; did you mean {meant}?" if meant else "; duel sweep lists them"
        raise UnknownSequence(f"there is no sequence called {short(name, 60)}{question}")
    return found[name]


def b_file_lines(
    sequence: IntegerSequence, indices: range, progress: ProgressCallback | None = None
) -> Iterator[str]:
    """The lines of a b-file, each as soon as its term is computed."""
    yield f"# {sequence.name}: {sequence.definition}.\n"
    yield f"# method: {sequence.method}\n"
    yield f"# status: {sequence.status_text}\n"
    for n, term in zip(indices, sequence.terms(indices, progress), strict=True):
        yield f"{n} {term}\n"


# Sequences of the start of a game


def from_starts(game: Callable[[int], Any], pick: Callable[[Oracle[Any, Any], Any], int]) -> Compute:
    """The terms that `pick` computes from the oracle and the start of game(n).

    The oracle of the largest size is made first, because those of smaller sizes may reuse its results.
    """

    def compute(indices: range, progress: ProgressCallback | None) -> Iterator[int]:
        if not indices:
            return
        family = make_oracle(game(max(indices)), MAX_POSITIONS)
        for n in indices:
            each = game(n)
            oracle = family.for_smaller_size(each)
            oracle.progress = progress
            yield pick(oracle, each.start(Random(0)))

    return compute


def winner(oracle: Oracle[Any, Any], start: Any) -> int:
    """1 or 2: who wins with best play, in a game without draws."""
    return 1 if oracle.value(start) == WIN else 2


def winning_first_moves(oracle: Oracle[Any, Any], start: Any) -> int:
    """How many first moves win."""
    return sum(worth.value == WIN for worth in oracle.evaluate_moves(start).values())


def nimber(oracle: Oracle[Any, Any], start: Any) -> int:
    """The nimber of the start; TooLarge if only the winner is computed at this size."""
    found = oracle.nimber(start)
    if found is None:
        raise TooLarge("only who wins is computed at this size, not the nimber")
    return found


def indices_with(compute: Compute, wanted: int, searched: range) -> Compute:
    """The indices n among those `searched` with a(n) = wanted; the first of them has index 1."""

    def found(indices: range, progress: ProgressCallback | None) -> Iterator[int]:
        place = 0
        for n, term in zip(searched, compute(searched, progress), strict=True):
            if term == wanted:
                place += 1
                if place in indices:
                    yield n
                if place == indices[-1]:
                    return
        raise TooLarge(f"only n up to {searched[-1]} is searched")

    return found


# A table of winners for all values of one option at every size, and statements that are checked on it

Cell = tuple[int, int]
"""A size and a value of the option."""

Winners = Mapping[Cell, int]
"""The winner, 1 or 2, of each cell that was computed."""


class Kind(Enum):
    """What is known about a statement."""

    THEOREM = "proven"
    SEEN = "seen, not proven"
    GUESS = "guess"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about the winner of some cells."""

    kind: Kind
    text: str
    predict: Callable[[Cell, Winners], int | None]
    """The winner of a cell; None if the statement says nothing about it. It may look at other cells."""


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A statement and what the table says about it."""

    statement: Statement
    cells: int
    """The cells that it says something about."""
    exception: Cell | None
    """The first of them, by size and value, with another winner."""


@dataclass(frozen=True, slots=True)
class WinnerTable:
    """How to compute who wins for all values of an option."""

    option: str
    """The name of the option; its values are 1, 2, 3, ..."""
    method: str
    compute: Callable[..., Iterator[tuple[int, list[int]]]]
    """For each size of a range, in order and as soon as it is known: the size, and the winners for the values
    1, 2, 3, ... The arguments are the range and a callback for the progress."""
    statements: tuple[Statement, ...] = ()
    notation: str = ""
    """A sentence that explains the letters of the statements."""

    def winners(self, sizes: range, progress: ProgressCallback | None = None) -> dict[Cell, int]:
        """The winner of every cell of these sizes."""
        found: dict[Cell, int] = {}
        self.fill(found, sizes, progress)
        return found

    def fill(self, winners: dict[Cell, int], sizes: range, progress: ProgressCallback | None = None) -> None:
        """Add the winner of every cell of these sizes; an interrupt leaves whole sizes."""
        for size, row in self.compute(sizes, progress):
            winners.update({(size, value): winner for value, winner in enumerate(row, 1)})

    def proven(self, cell: Cell, winners: Winners) -> bool:
        """Whether a theorem decides this cell."""
        return any(
            each.predict(cell, winners) is not None for each in self.statements if each.kind is Kind.THEOREM
        )


def winner_table_of(spec: GameSpec) -> WinnerTable | None:
    """The table that a game declares; None if it has none."""
    found: WinnerTable | None = spec.load("winner_table")
    return found


def check_statements(statements: Iterable[Statement], winners: Winners) -> list[CheckedStatement]:
    """Compare each statement with the table.

    >>> even = Statement(Kind.GUESS, "Player 2 wins even sizes.", lambda cell, _: None if cell[0] % 2 else 2)
    >>> check_statements([even], {(1, 1): 1, (2, 1): 2, (4, 1): 1, (4, 2): 2})[0].exception
    (4, 1)
    """
    findings = []
    for statement in statements:
        said = {cell: statement.predict(cell, winners) for cell in sorted(winners)}
        wrong = [cell for cell, winner in said.items() if winner not in (None, winners[cell])]
        cells = sum(winner is not None for winner in said.values())
        findings.append(CheckedStatement(statement, cells, wrong[0] if wrong else None))
    return findings
