"""The command imports dataclasses without inspect, and nobody notices."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from numberduels.cli.deferred_inspect import import_dataclasses
import_dataclasses()
from dataclasses import dataclass, field, fields, replace
@dataclass(frozen=True)
class Base:
    'A class.'
    low: int = 1
@dataclass(frozen=True, slots=True)
class Pair(Base):
    'A pair.'
    high: int = field(default=2)
print(replace(Pair(), high=3), [each.name for each in fields(Pair)], 'inspect' in sys.modules)
@dataclass
class Undocumented:
    low: int = 1
print(Undocumented.__doc__, 'inspect' in sys.modules)
import inspect
print(inspect.__file__.endswith('inspect.py'))
first = sys.modules['dataclasses']
import_dataclasses()
print(sys.modules['dataclasses'] is first)
"""


@pytest.mark.long
def test_dataclasses_work_without_inspect_until_somebody_needs_it() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "Pair(low=1, high=3) ['low', 'high'] False",
        "Undocumented(low: int = 1) True",  # a class without a docstring gets its signature
        "True",
        "True",
    ]
