"""Message catalogues: collect the messages from the source, bring the .po files up to date, compile them.

    make catalogues                     write the .po and .mo files
    python -m tools.catalogues --check  change nothing; exit with 1 if a file is out of date or not complete
    python -m tools.catalogues --folder examples/juniper_green/juniper_green
                                        the same for a game in another package, given its folder

A game in another package has the catalogues for which its folder `locale` has a .po file, which may be empty.

A message of a game belongs to the game's own catalogue, every other message to the shared one. Messages
are the literal texts in the calls that CALLS lists, in Python and in templates. The catalogue `disguise` has
only what language models are shown: refusals, positions and the status of a game.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from numberduels.analysis.lessons import TEXTS

SOURCE = Path(__file__).parents[1] / "src" / "numberduels"
SHARED = SOURCE / "game"
GAMES = sorted(path.parent for path in SOURCE.glob("games/*/rules.py") if path.parent.name != "template")
CODES = ("de", "disguise")

CALLS = ("Message", "MessageError", "IllegalMove", "Unreadable", "mark", "_")
"""Calls whose first argument is a message; a second text is its plural."""
REFUSALS = ("IllegalMove", "Unreadable")
"""Those of them that language models are shown."""
KEYWORDS = {"GameSpec": ("summary",), "option": ("label", "choices")}
"""Calls with messages in arguments of these names."""

HEADER = (
    '"Project-',
    '"Report-',
    '"POT-',
    '"PO-R',
    '"Last',
    '"Language-Team',
    '"MIME',
    '"Content-Tr',
    '"Gen',
)
"""Lines of a file's header that tell nothing, or would change without a change of its content."""

Text = str | tuple[str, str]
"""A message, or a message and its plural."""


def sources(home: Path, code: str) -> list[Path]:
    """The files whose messages belong to a catalogue of a folder."""
    if code == "disguise":
        return [home / "formatting.py"] if home == SHARED else [home / "rules.py", home / "text.py"]
    if home != SHARED:
        return sorted([*home.glob("*.py"), *home.glob("lessons.toml")])
    inside = [path for kind in ("*.py", "*.html") for path in SOURCE.rglob(kind)]
    outside = SOURCE / "games", SOURCE / "cli"
    return sorted(path for path in inside if not any(map(path.is_relative_to, outside)))


@cache
def messages(path: Path, code: str = "disguise") -> tuple[Text, ...]:
    """Every message of a file; what a position looks like is English in all languages but the disguise."""
    return tuple(_found(path, code))


def _found(path: Path, code: str) -> Iterator[Text]:
    if path.suffix == ".toml":
        for lesson in tomllib.loads(path.read_text(encoding="utf-8"))["lesson"]:
            yield from (" ".join(lesson[name].split()) for name in TEXTS if name in lesson)
        return
    if path.suffix == ".html":
        for call in Environment().parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "_":
                yield from _texts([each.value for each in call.args if isinstance(each, nodes.Const)])
        return
    in_text = path.name in ("text.py", "formatting.py") and code == "disguise"
    calls = REFUSALS if code == "disguise" else CALLS
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
        if name in calls or (name == "say" and in_text):
            yield from _texts([each.value if isinstance(each, ast.Constant) else None for each in node.args])
        for keyword in node.keywords:
            if code != "disguise" and keyword.arg in KEYWORDS.get(str(name), ()):
                values = keyword.value.values if isinstance(keyword.value, ast.Dict) else [keyword.value]
                yield from (str(each.value) for each in values if isinstance(each, ast.Constant))


def _texts(arguments: list[object]) -> Iterator[Text]:
    texts = [each for each in arguments[:2] if isinstance(each, str)]
    if arguments and isinstance(arguments[0], str) and arguments[0]:
        yield (texts[0], texts[1]) if len(texts) == 2 else texts[0]


def updated(home: Path, code: str) -> Catalog:
    """The catalogue of a folder with the messages of today, and the translations that it has."""
    base = SOURCE if home.is_relative_to(SOURCE) else home
    found = Catalog(locale=None if code == "disguise" else code, header_comment="", fuzzy=False)
    for path in sources(home, code):
        for text in messages(path, code):
            found.add(text, locations=[(path.relative_to(base).as_posix(), 0)])
    path = home / "locale" / f"{code}.po"
    if path.exists():
        with path.open("rb") as file:
            known = read_po(file, locale=found.locale)
        for each in found:
            old = known.get(each.id)
            if each.id and old is not None:
                each.string = old.string
    return found


def po_bytes(catalogue: Catalog) -> bytes:
    """The catalogue as the text of a .po file."""
    file = BytesIO()
    write_po(file, catalogue, width=110, include_lineno=False, sort_output=True)
    lines = file.getvalue().decode().lstrip("#\n").split("\n")
    return "\n".join(line for line in lines if not line.startswith(HEADER)).encode()


def mo_bytes(catalogue: Catalog) -> bytes:
    """The catalogue as the compiled .mo file that the package reads."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def texts(message: Message) -> list[str]:
    """The texts of a translation: one, or one for each form of the plural."""
    found = message.string or ""
    return [found] if isinstance(found, str) else list(found)


def is_translated(message: Message) -> bool:
    """Whether every form of a message has a text."""
    return all(texts(message))


def stale(folder: Path, code: str, catalogue: Catalog) -> list[str]:
    """The files that do not hold the texts of this catalogue. Their headers may differ."""
    today = {each.id: texts(each) for each in catalogue if each.id}
    compiled = {
        (each.id[0], form) if each.pluralizable else each.id: text
        for each in catalogue
        if each.id and is_translated(each)
        for form, text in enumerate(texts(each))
    }
    po, mo = folder / f"{code}.po", folder / f"{code}.mo"
    if not po.exists() or not mo.exists():
        return [f"{po.name} and {mo.name}"]
    with po.open("rb") as file:
        written = {each.id: texts(each) for each in read_po(file, locale=catalogue.locale) if each.id}
    with mo.open("rb") as file:
        read = {key: text for key, text in vars(GNUTranslations(file))["_catalog"].items() if key}
    return [po.name] * (written != today) + [mo.name] * (read != compiled)


def main(check: bool, folder: Path | None = None) -> int:
    """Write or check the catalogues of a game's folder, or all of ours, and print what is wrong."""
    faults = []
    for home in [folder] if folder else [SHARED, *GAMES]:
        locale = home / "locale"
        for code in sorted(path.stem for path in locale.glob("*.po")) if folder else CODES:
            catalogue = updated(home, code)
            missing = [each.id for each in catalogue if each.id and not is_translated(each)]
            faults += [f"{home.name}/locale/{code}.po: not translated: {each!r}" for each in missing]
            out = stale(locale, code, catalogue)
            if check:
                faults += [f"{home.name}/locale/{each} is out of date: run tools.catalogues" for each in out]
            elif out:
                locale.mkdir(exist_ok=True)
                (locale / f"{code}.po").write_bytes(po_bytes(catalogue))
                (locale / f"{code}.mo").write_bytes(mo_bytes(catalogue))
    print(*faults, sep="\n", end="\n" * bool(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    sys.exit(main(options.check, options.folder))
