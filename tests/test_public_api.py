"""The public interface does not change by accident: names, signatures, commands, options and paths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools import api_signatures, public_api

from tables import table

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


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package `numberduels` of two modules, in place of ours."""
    monkeypatch.setattr(api_signatures, "SOURCE", tmp_path)
    package = tmp_path / "numberduels"
    package.mkdir()
    (package / "__init__.py").write_text('from numberduels.parts import Part\n__all__ = ["Part"]\n')
    (package / "parts.py").write_text(
        "class Base:\n"
        "    def inherited(self, size: int = 3) -> str: ...\n"
        "@dataclass\n"
        "class Part(Base):\n"
        "    second: int\n"
        "    first: int = 0\n"
        "    _hidden: int = 0\n"
        "    def _internal(self) -> None: ...\n"
        "    @property\n"
        "    def name(self) -> str: ...\n"
        "    @name.setter\n"
        "    def name(self, text: str) -> None: ...\n"
        "def helper(a, /, *rest: int, key: str = 'x'): ...\n"
        "Seats = tuple[int, int]\n"
        "LIMIT = 3\n"
    )
    api_signatures._statements.cache_clear()
    yield
    api_signatures._statements.cache_clear()


@pytest.mark.usefixtures("source")
def test_a_class_is_told_with_fields_in_order_and_inherited_methods() -> None:
    assert list(api_signatures.signatures("numberduels", "*")) == [
        "class numberduels.Part(Base) @dataclass",
        "numberduels.Part.second: int",
        "numberduels.Part.first: int = 0",
        "numberduels.Part.inherited(self, size: int=3) -> str",
        "numberduels.Part.name(self) -> str @property",
    ]


@pytest.mark.usefixtures("source")
def test_functions_types_and_constants_are_told() -> None:
    assert list(api_signatures.signatures("numberduels.parts", "helper Seats LIMIT")) == [
        "numberduels.parts.LIMIT",
        "numberduels.parts.Seats = tuple[int, int]",
        "numberduels.parts.helper(a, /, *rest: int, key: str='x')",
    ]


@pytest.mark.usefixtures("source")
@table("module, name", [("numberduels.parts", "gone"), ("numberduels.gone", "Part")])
def test_a_public_name_that_is_gone_is_an_error(module: str, name: str) -> None:
    with pytest.raises(LookupError, match="gone; change PUBLIC"):
        list(api_signatures.signatures(module, name))


IMPORT = re.compile(r"^(?:>>> )?from (numberduels[\w.]*) import ([\w, ]+)$", re.MULTILINE)


def public_homes() -> set[tuple[str, str]]:
    """Every public name with its module, and with the module that defines it."""
    found = set()
    for module, names in public_api.PUBLIC.items():
        for name in api_signatures.exported(module) if names == "*" else names.split():
            found |= {(module, name), (api_signatures.definition(module, name).module, name)}
    return found


def test_the_documents_import_public_names_only() -> None:
    known = public_homes()
    modules = {*public_api.PUBLIC, *(module for module, _ in known)}
    missing = [
        f"{path.name}: from {module} import {name}"
        for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
        for module, names in IMPORT.findall(path.read_text(encoding="utf-8"))
        for name in re.split(r",\s*", names.strip())
        if (module, name) not in known and f"{module}.{name}" not in modules
    ]
    assert missing == [], "not in PUBLIC of tools/public_api.py"
