"""The layers of the package, computed from its imports, as a picture.

    make architecture                     write docs/layers.svg
    python -m tools.architecture --check  exit with 1 if the picture is out of date

A unit is a package, a module, or the same file of every game. A unit stands above all units that it imports.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "numberduels"
PICTURE = ROOT / "docs" / "layers.svg"

BASE = ("bits", "catalogues", "core", "file_locks", "loading", "messages", "options", "processes", "text")
"""Modules that everything stands on; they are drawn as one unit."""
PARTS = {
    "position_history": "rules",
    "all_targets": "theory",
    "batch_theory": "batch",
    "rest_table": "theory",
    "sum_table": "theory",
}
"""Files of one game that belong to a part that every game has."""


def module_name(path: Path) -> str:
    """The name below `numberduels`, such as games.range_war.rules; empty for the package itself."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}


class Import(NamedTuple):
    """The full name of what is imported, which may be a name within a module, and whether only for types."""

    name: str
    for_types: bool


@cache
def statements(module: str) -> tuple[Import, ...]:
    """Everything that a module imports, inside functions too; relative imports there are none."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    return tuple(_statements(tree, False))


def _statements(node: ast.AST, for_types: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, for_types) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "a relative import"
            yield from (Import(f"{child.module}.{alias.name}", for_types) for alias in child.names)
        elif not isinstance(child, ast.expr):  # which holds no statement
            guarded = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            yield from _statements(child, for_types or guarded)


@cache
def imports(module: str, *, at_run_time: bool = False) -> set[str]:
    """The modules of ours that a module imports."""
    found = set()
    for name, for_types in statements(module):
        package, _, below_it = name.partition(".")
        if package == "numberduels" and not (at_run_time and for_types):
            found.add(below_it if below_it in MODULES else below_it.rpartition(".")[0])
    return found


def unit_of(module: str) -> str:
    """The unit that a module belongs to.

    >>> unit_of("games.range_war.rules"), unit_of("web.http.match_pages"), unit_of("core")
    ('games/*/rules', 'web/http', 'base')
    """
    first, *rest = module.split(".")
    if first in BASE:
        return "base"
    if first == "games":
        return "/".join(["games", "*", *(PARTS.get(each, each) for each in rest[1:2])])
    if first == "web":
        return f"web/{rest[0]}" if rest and (SOURCE / "web" / rest[0]).is_dir() else "web"
    return first


@cache
def units() -> dict[str, frozenset[str]]:
    """Every unit with the units that it imports."""
    found: dict[str, set[str]] = {unit_of(module): set() for module in MODULES if module}
    for module in MODULES:
        if module:
            found[unit_of(module)] |= {unit_of(each) for each in imports(module) if each} - {unit_of(module)}
    return {unit: frozenset(used) for unit, used in found.items()}


@cache
def level(unit: str) -> int:
    """How far above the base a unit stands; RecursionError if units import each other in a circle."""
    return 1 + max((level(each) for each in units()[unit]), default=-1)


def layers() -> list[list[str]]:
    """The units by level, the base first."""
    rows: list[list[str]] = [[] for _ in range(max(map(level, units())) + 1)]
    for unit in sorted(units()):
        rows[level(unit)].append(unit)
    return rows


def size(unit: str) -> int:
    """Lines of code of a unit."""
    paths = (path for module, path in MODULES.items() if module and unit_of(module) == unit)
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


WIDTH, HEIGHT, BOX, GAP = 1000, 64, 44, 10


def picture() -> str:
    """The layers as SVG, the highest on top. Colours come from the reader's theme."""
    rows = layers()[::-1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT * len(rows) + GAP}" role="img"'
        ' font-family="sans-serif" text-anchor="middle">',
        "<title>The layers of Number Duels: each unit imports only units below it</title>",
        "<style>rect{fill:#eef2f7;stroke:#33415c}text{fill:#14213d}"
        "@media(prefers-color-scheme:dark){rect{fill:#1d2a44;stroke:#9fb3d1}text{fill:#e8eef7}}</style>",
    ]
    for number, row in enumerate(rows):
        width = (WIDTH - GAP * (len(row) + 1)) / len(row)
        for place, unit in enumerate(row):
            x, y = GAP + place * (width + GAP), GAP + number * HEIGHT
            parts += [
                f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{BOX}" rx="6"/>',
                f'<text x="{x + width / 2:.0f}" y="{y + 27}" font-size="15">{escape(unit)}</text>',
            ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def main(check: bool) -> int:
    """Write or check the picture."""
    if not check:
        PICTURE.write_text(picture(), encoding="utf-8")
    elif not PICTURE.exists() or PICTURE.read_text(encoding="utf-8") != picture():
        print("docs/layers.svg is out of date: run make architecture")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
