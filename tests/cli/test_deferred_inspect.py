"""The command imports dataclasses without inspect, and nobody notices."""

from __future__ import annotations

import subprocess
import sys

import pytest

START = """
import sys
from numberduels.cli.deferred_inspect import import_dataclasses
import_dataclasses()
from dataclasses import dataclass, field, fields, replace
"""


def output(program: str) -> str:
    """What the program prints after the start of the command."""
    done = subprocess.run(
        [sys.executable, "-c", START + program], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout


@pytest.mark.long
def test_a_documented_dataclass_works_without_inspect() -> None:
    program = """
@dataclass(frozen=True)
class Base:
    'A class.'
    low: int = 1
@dataclass(frozen=True, slots=True)
class Pair(Base):
    'A pair.'
    high: int = field(default=2)
print(replace(Pair(), high=3), [each.name for each in fields(Pair)], 'inspect' in sys.modules)
"""
    assert output(program) == "Pair(low=1, high=3) ['low', 'high'] False\n"


@pytest.mark.long
def test_a_dataclass_without_a_docstring_gets_its_signature() -> None:
    program = """
@dataclass
class Pair:
    low: int = 1
print(Pair.__doc__, 'inspect' in sys.modules)
"""
    assert output(program) == "Pair(low: int = 1) True\n"


@pytest.mark.long
def test_others_import_the_real_inspect() -> None:
    assert output("import inspect; print(inspect.__file__.endswith('inspect.py'))") == "True\n"


@pytest.mark.long
def test_nothing_happens_when_dataclasses_are_loaded_already() -> None:
    program = (
        "first = sys.modules['dataclasses']; import_dataclasses(); print(sys.modules['dataclasses'] is first)"
    )
    assert output(program) == "True\n"
