"""Keeps what takes long to compute, as long as the package does not change."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

from tools.documentation.repository import ROOT

KEPT = ROOT / "build" / "computed"


@cache
def package_hash() -> str:
    """A hash of all Python files of the package and of this tool."""
    found = sha256()
    for folder in (ROOT / "src" / "numberduels", Path(__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            found.update(path.relative_to(ROOT).as_posix().encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def kept_text(name: str, compute: Callable[[], str]) -> str:
    """What was computed under this name before, or else is computed now."""
    path = _folder() / f"{_key(name)}.md"
    if not path.exists():
        _write(path, compute())
    return path.read_text(encoding="utf-8")


def kept_file(name: str, target: Path, draw: Callable[[Path], str]) -> str:
    """Copy a picture that was drawn before, or draw it now; returns what `draw` returns."""
    path = _folder() / f"{_key(name)}{target.suffix}"
    about = kept_text(f"{name} about", lambda: draw(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)
    return about


def _folder() -> Path:
    folder = KEPT / package_hash()
    if not folder.exists():
        shutil.rmtree(KEPT, ignore_errors=True)
        folder.mkdir(parents=True)
    return folder


def _key(name: str) -> str:
    return sha256(name.encode()).hexdigest()[:24]


def _write(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
