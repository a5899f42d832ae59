"""The layers of the package, computed from its imports, as a picture.

    make architecture                     write docs/layers.svg
    python -m tools.architecture --check  exit with 1 if the picture is out of date

A unit is a package, a module, or the same file of every game. A unit stands above all units that it imports.
"""

from __future__ import annotations

import ast
import sys
from functools import cache
from html import escape
from pathlib import Path

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


@cache
def imports(module: str) -> frozenset[str]:
    """Every module of the package that a module imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole.removeprefix("numberduels.") in MODULES else node.module)
    ours = (each.partition(".")[2] for each in found if each.split(".")[0] == "numberduels")
    return frozenset(each for each in ours if each)


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
            found[unit_of(module)] |= {unit_of(each) for each in imports(module)} - {unit_of(module)}
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
