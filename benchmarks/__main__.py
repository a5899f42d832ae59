"""Runs the benchmarks, one table each: `python -m benchmarks [NAME ...]`, or `make bench` for all."""

from __future__ import annotations

import sys
from importlib import import_module

TABLES = (
    "rules",
    "startup",
    "solvers",
    "envs",
    "batches",
    "vector",
    "web",
)


def main() -> None:
    chosen = sys.argv[1:] or TABLES
    for name in chosen:
        if name not in TABLES:
            sys.exit(f"there is no benchmark {name!r}; there are {', '.join(TABLES)}")
        module = import_module(f"benchmarks.{name}")
        print(f"## {module.TITLE}\n")
        for line in module.table():
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
