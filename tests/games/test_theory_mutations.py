"""The agreement of the two roads has teeth: a theory broken in one place is always found out."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from test_theories import AGREEMENTS, SPECS, TABLES, theory_of

from tables import table

pytestmark = pytest.mark.long


class Mutant(NamedTuple):
    """One change of one line of a module that the theory of a spec stands on.

    Some are asked with the tables from the first number on, and some with no tables at all.
    """

    spec: str
    file: str
    old: str
    new: str
    few: int | None = None
    tables: bool = True


RANGE_WAR = [
    Mutant("range_war", "theory", old, new)
    for old, new in [
        ("if ours > theirs else", "if ours >= theirs else"),
        ("2 * theirs + 1", "2 * theirs"),
        ("Worth(LOSS, 2 * ours)", "Worth(LOSS, 2 * theirs)"),
        ("if side >= 0 else (above, below)", "if side < 0 else (above, below)"),
        ("return max(above, below), min(above, below)", "return min(above, below), max(above, below)"),
        ("(free >> last).bit_count()", "(free >> last - 1).bit_count()"),
        ("Worth(WIN, size) if size % 2 else", "Worth(WIN, size) if size % 2 == 0 else"),
        ("return Worth(WIN, 1)", "return Worth(WIN, size)"),
        ('if self.game.opening == "lower":\n            return Worth', "if True:\n            return Worth"),
    ]
]
NUMBER_SNATCH = [
    Mutant("number_snatch", file, old, new)
    for file, old, new in [
        ("theory", "lead(self.game, state) + remaining_gain", "remaining_gain"),
        ("theory", "remaining_gain(left, last))", "remaining_gain(left, 0))"),
        ("theory", "largest + 2 * last", "largest + last"),
        ("theory", "largest = snatching[-1]", "largest = snatching[0]"),
        ("theory", "alternating(left ^ 1 << largest)", "alternating(left)"),
        ("theory", "max(plain, largest", "min(plain, largest"),
        ("theory", "sum(rising[-1::-2]) - sum(rising[-2::-2])", "sum(rising[-1::-2]) + sum(rising[-2::-2])"),
        ("theory", "sum(rising[-1::-2]) - sum(rising[-2::-2])", "sum(rising[0::2]) - sum(rising[1::2])"),
        ("theory", "range(2 * number, end, number)", "range(3 * number, end, number)"),
        ("theory", "range(2 * number, end, number)", "range(2 * number, end - 1, number)"),
        ("numberduels.solvers.margins", "WIN if margin > 0 else LOSS", "LOSS if margin > 0 else WIN"),
        (
            "numberduels.solvers.margins",
            "WIN if winner == game.turn(state) else LOSS",
            "LOSS if winner == game.turn(state) else WIN",
        ),
    ]
]
RESTRICTED_REMOVAL = [
    Mutant("restricted_removal", file, old, new)
    for file, old, new in [
        ("theory", "WIN if wins else LOSS", "LOSS if wins else WIN"),
        ("theory", "prime * prime > size <=", "prime * prime <= size <="),
        ("theory", "others = ~sum(family[-1] for family in families)", "others = ~0"),
        ("theory", "available.bit_count() <= max_size else None", "available.bit_count() > max_size else 0"),
        ("theory", "range(prime, size + 1, prime)", "range(2 * prime, size + 1, prime)"),
        ("numberduels.solvers.node_kayles", "NIMBERS = (0, 1, 1, 2, 0)", "NIMBERS = (0, 1, 1, 1, 0)"),
        ("numberduels.solvers.node_kayles", "total ^= part.nimber", "total |= part.nimber"),
        ("numberduels.solvers.node_kayles", "extra |= group & (group - 1) | low", "extra |= low"),
        ("numberduels.solvers.node_kayles", "groups.get(near, 0)", "groups.get(near | low, 0)"),
        ("numberduels.solvers.node_kayles", "~(near | 1 << v)", "~near"),
        ("numberduels.solvers.node_kayles", "while smaller < g and", "while smaller < g - 1 and"),
        ("numberduels.solvers.node_kayles", "return smaller == g", "return True"),
        ("numberduels.solvers.node_kayles", "part.reached >> g & 1", "part.reached >> g"),
        ("numberduels.solvers.node_kayles", "g ^= total", "g |= total"),
    ]
]
SUMMATION_DUEL = [
    Mutant("summation_duel", file, old, new, few=0)
    for file, old, new in [
        ("theory", "Worth(WIN if short else LOSS, 0)", "Worth(LOSS if short else WIN, 0)"),
        ("theory", "unused & (2 << short) - 1", "unused & (1 << short) - 1"),
        ("theory", "WIN if self._table.wins(used) else LOSS", "LOSS if self._table.wins(used) else WIN"),
        ("sum_tables", "bits.bit_count() == size", "bits.bit_count() == size + 1"),
        ("sum_tables", "np.array(1 << i, np.uint64) for i", "np.array(1 << i + 1, np.uint64) for i"),
        ("sum_tables", "allowed & ~wins[lo:hi]", "allowed & wins[lo:hi]"),
        ("sum_tables", "table[: total + 1] |=", "table[:total] |="),
        ("sum_tables", "floor = sum(numbers) - deficit", "floor = sum(numbers) - deficit + 1"),
        ("sum_tables", "np.bitwise_or(wins[lo:hi], loses[step]", "np.bitwise_and(wins[lo:hi], loses[step]"),
        ("sum_tables", "for size in SIZES[1:]", "for size in SIZES[2:]"),
        ("sum_tables", "np.bitwise_or(wins, reached, out=wins)", "np.bitwise_and(wins, reached, out=wins)"),
        ("sum_tables", "candidates & SIZES[0]", "candidates & SIZES[1]"),
    ]
] + [
    Mutant("summation_duel", "theory", old, new, few=0, tables=False)
    for old, new in [
        ("found = not any(", "found = any("),
        (
            "members(unused & (2 << self.game.target - total) - 1)",
            "members(unused & (1 << self.game.target - total) - 1)",
        ),
        ("LOSS if self._loses(state) else WIN", "WIN if self._loses(state) else LOSS"),
    ]
]
NUMBER_COLLISION = [
    Mutant("number_collision", "theory", old, new)
    for old, new in [
        ("empty == 1 and self.open(state)", "empty == 2 and self.open(state)"),
        ("empty == 1 and self.open(state)", "empty == 1"),
        ("return Worth(LOSS, 0)", "return Worth(WIN, 0)"),
        ("return Worth(WIN, 1)", "return Worth(WIN, 2)"),
        ("return Worth(LOSS, 2)", "return Worth(LOSS, 1)"),
        ("empty == 2 == self.game.size", "empty == 2"),
        ("self.game.values > 1", "self.game.values > 0"),
        ("[0] == 0 for place", "[0] != 0 for place"),
        ("return Worth(DRAW)", "return Worth(LOSS)"),
        ('game.repetition == "forbidden"', 'game.repetition == "never"'),
    ]
]
MUTANTS = [*RANGE_WAR, *NUMBER_SNATCH, *RESTRICTED_REMOVAL, *SUMMATION_DUEL, *NUMBER_COLLISION]


def copy_of(name: str, old: str = "", new: str = "") -> ModuleType:
    """A module made anew from its source, with one place of it replaced."""
    spec = importlib.util.find_spec(name)
    assert spec and spec.origin
    source = Path(spec.origin).read_text(encoding="utf-8")
    assert source.count(old) == 1 or not old, f"{old!r} is there {source.count(old)} times in {name}"
    assert new != old or not old
    module = ModuleType(name)
    code = compile(source.replace(old, new) if old else source, spec.origin, "exec", dont_inherit=True)
    exec(code, module.__dict__)
    return module


def check(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the mutant's theory go through the agreement of its game."""
    home = f"numberduels.games.{mutant.spec}"
    theory = f"{home}.theory"
    name = mutant.file if "." in mutant.file else f"{home}.{mutant.file}"
    changed = copy_of(name, mutant.old, mutant.new)
    if name != theory:
        monkeypatch.setitem(sys.modules, name, changed)
        changed = copy_of(theory)
    if mutant.few is not None:
        monkeypatch.setattr(changed, "MAX_RETROGRADE", mutant.few)
    if not mutant.tables:
        monkeypatch.setitem(sys.modules, f"{home}.sum_tables", None)
    AGREEMENTS[mutant.spec](theory_of(changed))


@table("mutant", MUTANTS)
def test_a_broken_theory_is_found_out(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError) as caught:
        check(mutant, monkeypatch)
    assert " times in " not in str(caught.value)


@table("spec", SPECS)
def test_an_unbroken_copy_is_not(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(Mutant(spec, "theory", "", "", few=0 if spec in TABLES else None), monkeypatch)


def test_every_theory_is_broken_in_at_least_four_places() -> None:
    for spec in SPECS:
        assert len({mutant for mutant in MUTANTS if mutant.spec == spec}) >= 4
