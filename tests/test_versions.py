"""The versions of other packages: lower bounds that are stated, and a lock file for development."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from tools import lock, lowest_versions

from tables import table

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = re.search(r"^EXTRAS := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
LOCKED = lock.LOCK.read_text(encoding="utf-8")


@table("extra", PROJECT["project"]["optional-dependencies"])
def test_every_requirement_of_an_extra_has_a_lower_bound(extra: str) -> None:
    needs = PROJECT["project"]["optional-dependencies"][extra]
    assert len(lowest_versions.lowest(needs)) == len(needs)


def test_a_requirement_without_a_lower_bound_is_an_error() -> None:
    with pytest.raises(ValueError, match="'numpy<3' has no lower bound"):
        lowest_versions.lowest(["numpy<3"])


def test_the_lock_file_names_no_address() -> None:
    assert not re.search(r"https?:|file:|--(extra-)?index|--find-links|@", LOCKED)


def test_every_line_of_the_lock_file_is_an_exact_version() -> None:
    lines = [line for line in LOCKED.splitlines() if not line.startswith("#")]
    assert len(lines) > 30
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[A-Za-z0-9.+!]+", line)] == []
    names = [line.partition("==")[0] for line in lines]
    assert names == sorted(set(names))


def test_the_lock_file_has_every_direct_requirement() -> None:
    assert EXTRAS
    locked = {line.partition("==")[0] for line in LOCKED.splitlines()}
    assert lock.direct_requirements(EXTRAS[1]) - locked == set(), "run `make lock`"
