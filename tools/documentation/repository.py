"""Where the files of the documentation are."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CONFIGURATION = ROOT / "zensical.toml"
STAGE = ROOT / "build" / "docs"
"""The collected pages, as Zensical reads them (`docs_dir` in the configuration)."""

SITE = ROOT / "site"
"""The built pages (`site_dir` in the configuration)."""

ASSETS = Path(__file__).parent / "assets"
"""The style sheet and the scripts of the site."""

NOT_PAGES = ("README.md", "CODE_OF_CONDUCT.md")
"""Files of the top folder that are no pages: the start page of the site is docs/index.md."""


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as data."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def source_address() -> str:
    """The address of the repository, as pyproject.toml states it."""
    return str(read_toml(ROOT / "pyproject.toml")["project"]["urls"]["Source"])


def sources() -> dict[str, Path]:
    """The file behind each page: `theorems.md` is docs/theorems.md, `architecture.md` is ARCHITECTURE.md."""
    found = {path.relative_to(DOCS).as_posix(): path for path in sorted(DOCS.rglob("*.md"))}
    for path in sorted(ROOT.glob("*.md")):
        if path.name not in NOT_PAGES:
            found[path.name.lower()] = path
    return found
