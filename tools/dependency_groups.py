"""Print a dependency group of pyproject.toml as lines of a requirements file.

    python tools/dependency_groups.py dev

pip reads dependency groups itself from version 25.1 on; a new environment of Python 3.11 has an older one.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def requirements(group: str, groups: dict[str, list[str | dict[str, str]]]) -> list[str]:
    """The requirements of a group, with those of the groups that it includes.

    >>> requirements("all", {"all": ["a>=1", {"include-group": "rest"}], "rest": ["b"]})
    ['a>=1', 'b']
    """
    found: list[str] = []
    for each in groups[group]:
        found += [each] if isinstance(each, str) else requirements(each["include-group"], groups)
    return found


def main() -> None:
    """Print the group that the command line names."""
    groups = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["dependency-groups"]
    print(*requirements(sys.argv[1], groups), sep="\n")


if __name__ == "__main__":
    main()
