"""The public interface does not change by accident: names, signatures, commands, options and paths."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools import public_api

ROOT = Path(__file__).parents[1]
ADVICE = """The public interface has changed (- is gone, + is new):

{found}

If you mean it, write it down again with `make api`, and commit tests/public_api.txt with the change.
What is gone or changed breaks programs of others: CHANGELOG.md must tell it, and docs/versions.md says
which version it needs."""


def test_the_public_interface_is_as_written_down() -> None:
    found = public_api.changes(public_api.FILE.read_text(encoding="utf-8"), public_api.public_api())
    if found:
        pytest.fail(ADVICE.format(found="\n".join(found)), pytrace=False)


def test_a_class_is_described_with_its_fields_in_order_and_its_methods() -> None:
    lines = list(public_api.signatures("numberduels", "Outcome make"))
    assert lines == [
        "class numberduels.Outcome(NamedTuple)",
        "numberduels.Outcome.winner: Seat | None",
        "numberduels.Outcome.why: str",
        "numberduels.Outcome.scores: tuple[int, int] | None = None",
        "numberduels.make(name: str, /, **options: Any) -> Game[Any, Any]",
    ]


def test_a_public_name_that_is_gone_is_an_error() -> None:
    with pytest.raises(LookupError, match="change PUBLIC"):
        list(public_api.signatures("numberduels", "gone"))


IMPORT = re.compile(r"^(?:>>> )?from (numberduels[\w.]*) import ([\w, ]+)$", re.MULTILINE)


def test_the_documents_import_public_names_only() -> None:
    known = {
        (module, name)
        for module, names in public_api.PUBLIC.items()
        for name in public_api.public_names(module, names)
    }
    missing = [
        f"{path.name}: from {module} import {name}"
        for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
        for module, names in IMPORT.findall(path.read_text(encoding="utf-8"))
        for name in re.split(r",\s*", names.strip())
        if (module, name) not in known and f"{module}.{name}" not in public_api.PUBLIC
    ]
    assert missing == [], "not in PUBLIC of tools/public_api.py"
