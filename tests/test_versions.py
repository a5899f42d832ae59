"""The versions of other packages: lower bounds that are stated, and a lock file for development."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKED = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")


def test_every_requirement_of_an_extra_has_a_lower_bound() -> None:
    needs = [each for extra in PROJECT["project"]["optional-dependencies"].values() for each in extra]
    assert [each for each in needs if not re.match(r"[\w.\[\]-]+>=\d", each)] == []


def test_the_lock_file_has_exact_versions_and_no_address() -> None:
    lines = LOCKED.splitlines()
    assert len(lines) > 30
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[^ @/]+( ; .*)?", line)] == []


def test_the_lock_file_has_every_requirement_of_the_tests() -> None:
    locked = {line.partition("==")[0] for line in LOCKED.splitlines()}
    named = {re.split(r"[\[<>=!~; ]", each)[0] for each in PROJECT["dependency-groups"]["dev"]}
    assert named - locked == set(), "run `make lock`"
