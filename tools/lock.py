"""Write requirements-dev.lock: the versions of everything that the development environment has.

    python -m tools.lock

It holds names and exact versions, no address of any index: pip takes them from wherever it is configured to.
It is used as constraints, so that a machine with another Python or system still installs what it can. Hashes
are left out: with hashes, pip would demand one for every file that any platform might need.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements-dev.lock"
HEAD = """\
# The versions of the development environment, written by `make lock` with Python {version}.
# `make LOCKED=1 test` installs these.
"""


def normalized(name: str) -> str:
    """The name of a package as indexes compare it.

    >>> normalized("Prometheus_Client")
    'prometheus-client'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def direct_requirements(extras: str) -> set[str]:
    """The packages that the extras and the group `dev` of pyproject.toml name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = [
        each for extra in extras.split(",") for each in project["project"]["optional-dependencies"][extra]
    ]
    named += project["dependency-groups"]["dev"]
    return {normalized(re.split(r"[\[<>=!~; ]", each, maxsplit=1)[0]) for each in named}


def installed() -> dict[str, str]:
    """The packages of this environment, without ourselves and what every environment has."""
    found = {normalized(each.metadata["Name"]): each.version for each in metadata.distributions()}
    return {
        name: found[name] for name in sorted(found.keys() - {"numberduels", "pip", "setuptools", "wheel"})
    }


def main() -> None:
    """Write the lock file from this environment."""
    lines = [f"{name}=={version}" for name, version in installed().items()]
    head = HEAD.format(version=".".join(map(str, sys.version_info[:2])))
    LOCK.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"{LOCK.name}: {len(lines)} packages")


if __name__ == "__main__":
    main()
