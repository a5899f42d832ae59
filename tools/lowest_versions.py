"""Print the lowest versions that the extras of pyproject.toml allow, as constraints for pip.

    python tools/lowest_versions.py arena,data,envs,fast,tui,web >lowest.txt
    pip install --constraint lowest.txt '.[arena,data,envs,fast,tui,web]'

Only the requirements that we state ourselves are held at their lower bounds; what these bring along is the
newest that fits. A requirement without a lower bound is an error: nobody could say which version works.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^]]*])?\s*([^;]*)(;.*)?")


def lowest(requirements: Iterable[str]) -> list[str]:
    """Each requirement at its lower bound; of several bounds for one package the highest counts.

    >>> lowest(["numpy>=2.0", "starlette>=0.46,<2", "numpy>=2.1", "uvloop>=0.21; sys_platform != 'win32'"])
    ['numpy==2.1', 'starlette==0.46', "uvloop==0.21; sys_platform != 'win32'"]
    """
    bounds: dict[str, tuple[str, str]] = {}
    for requirement in requirements:
        found = REQUIREMENT.fullmatch(requirement)
        bound = found and re.search(r">=\s*([0-9][^,\s]*)", found[2])
        if not found or not bound:
            raise ValueError(f"{requirement!r} has no lower bound; write NAME>=VERSION")
        known = bounds.get(found[1])
        if known is None or _order(known[0]) < _order(bound[1]):
            bounds[found[1]] = (bound[1], found[3] or "")
    return sorted(f"{name}=={bound}{marker}" for name, (bound, marker) in bounds.items())


def _order(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def main() -> None:
    """Print the constraints of the extras that the command line names."""
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    try:
        found = lowest(each for extra in sys.argv[1].split(",") for each in extras[extra])
    except ValueError as fault:
        sys.exit(str(fault))
    print(*found, sep="\n")


if __name__ == "__main__":
    main()
