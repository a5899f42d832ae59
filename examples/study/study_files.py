"""Writes the files of a study. A file that somebody has changed by hand is kept."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping

from numberduels.game import files

MANIFEST = "files.json"
"""The hashes of the files that were written, to notice changes by hand."""


def write_files(folder: str, texts: Mapping[str, str], *, force: bool = False) -> list[str]:
    """Write the files, each completely or not at all; the names of those that were kept.

    A file is kept if it is not as it was written here, unless with `force`. OSError if one cannot be written.
    """
    known = _read_manifest(folder)
    hashes = {name: _hash(text.encode("utf-8")) for name, text in texts.items()}
    kept = []
    for name in texts:
        found = _hash_of_file(os.path.join(folder, name))
        if not force and found is not None and found not in (*known.get(name, ()), hashes[name]):
            kept.append(name)
    written = [name for name in texts if name not in kept]
    # Both hashes are known while files are replaced: after a crash none of them looks changed by hand.
    _write_manifest(folder, known | {name: [*known.get(name, ()), hashes[name]] for name in written})
    for name in written:
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if _hash_of_file(path) != hashes[name]:
            files.write_text(path, texts[name], force=True)
    _write_manifest(folder, known | {name: [hashes[name]] for name in written})
    return kept


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _hash_of_file(path: str) -> str | None:
    """The hash of a file; None if there is none, or an empty one."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None
    return _hash(data) if data else None


def _read_manifest(folder: str) -> dict[str, list[str]]:
    """The hashes by file; nothing is known if the manifest cannot be read."""
    try:
        with open(os.path.join(folder, MANIFEST), encoding="utf-8") as file:
            data = json.load(file)
    except (FileNotFoundError, ValueError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {
        name: [each for each in hashes if isinstance(each, str)]
        for name, hashes in data.items()
        if isinstance(hashes, list)
    }


def _write_manifest(folder: str, hashes: Mapping[str, list[str]]) -> None:
    text = json.dumps(hashes, indent=1, sort_keys=True) + "\n"
    files.write_text(os.path.join(folder, MANIFEST), text, force=True)
