"""Parts of pages that come from elsewhere, so that every fact has one home.

A line that is nothing but a link with one of these titles is replaced on the site. Elsewhere it is a link to
the same thing:

    [Rules](../rules.md "include section How to play")   a section of a Markdown file, no heading
    [A client](../client.py "include")                   the file as a code block
    [Proof](../theory.py "include docstring")            the docstring of a Python file
    [Claims](../claims.py "generate claims range-war")   the output of a function in `GENERATORS`
"""

from __future__ import annotations

import ast
import posixpath
import re
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

from tools.documentation.markdown_links import BrokenLink, Links
from tools.documentation.repository import ROOT

DIRECTIVE = re.compile(r'^\[[^\]]*\]\((\S+) "(include|generate)(?: ([^"]*))?"\)$', re.MULTILINE)
MODULE = re.compile(r"`([\w/]+\.py)`")
PACKAGE = ROOT / "src" / "numberduels"
LANGUAGES = {".py": "python", ".sh": "sh", ".toml": "toml", ".json": "json", ".yml": "yaml"}

Generator = Callable[[str], str]
"""A function from the words behind its name to Markdown."""


class UnknownPart(Exception):
    """A page asks for a part that does not exist."""


def expand(text: str, source: Path, page: str, links: Links, generators: Mapping[str, Generator]) -> str:
    """The text of a page, with the parts that it names, and with links that work on the site."""
    parts, end = [], 0
    for found in DIRECTIVE.finditer(text):
        address, kind, words = found[1], found[2], found[3] or ""
        path = (source.parent / address).resolve()
        if not path.exists():
            raise BrokenLink(f"{source.relative_to(ROOT).as_posix()}: there is no file {address}")
        parts.append(links.rewrite(text[end : found.start()], source, page))
        if kind == "generate":
            name, _, rest = words.partition(" ")
            if name not in generators:
                raise UnknownPart(f"{page}: nothing generates {name!r}; there are {', '.join(generators)}")
            parts.append(generators[name](rest))
        else:
            parts.append(links.rewrite(included(path, words), path, page))
        end = found.end()
    return "".join([*parts, links.rewrite(text[end:], source, page)])


def included(path: Path, words: str) -> str:
    """What a file gives a page: all of it, a section, or its docstring."""
    text = path.read_text(encoding="utf-8")
    kind, _, rest = words.partition(" ")
    if kind == "section":
        return section(text, rest) or _refuse(f"{path.name} has no section {rest!r}")
    if kind == "docstring":
        return linked_modules(docstring(text), path) or _refuse(f"{path.name} has no docstring")
    if kind:
        _refuse(f"a file cannot be included by {words!r}; use section NAME or docstring")
    if path.suffix == ".md":
        return text.partition("\n")[2].strip()
    return f"```{LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n```"


def section(text: str, title: str) -> str:
    """A section of a Markdown text, without its heading; its own sections stay.

    >>> section("# A\\n## B\\nb\\n### C\\nc\\n## D\\nd\\n", "B")
    'b\\n### C\\nc'
    """
    heading = re.search(rf"^(#+) {re.escape(title)}$", text, re.MULTILINE)
    if not heading:
        return ""
    rest = text[heading.end() :]
    after = re.search(rf"^#{{1,{len(heading[1])}}} ", rest, re.MULTILINE)
    return rest[: after.start() if after else None].strip()


def docstring(text: str) -> str:
    """The docstring of a module as Markdown: its first line as a sentence in bold, then the rest.

    Numbered steps become a list: Markdown wants an empty line before each.
    """
    found = ast.get_docstring(ast.parse(text)) or ""
    first, _, rest = found.partition("\n")
    rest = re.sub(r"(?<=[^\n])\n(?=\d+\. )", "\n\n", rest.strip("\n"))
    rest = re.sub(r"^ {3}(?=\S)", "    ", rest, flags=re.MULTILINE)
    rest = re.sub(r"^(Theorem|Proof|Interchange)\b([^.]*\.)", r"**\1\2**", rest, flags=re.MULTILINE)
    return textwrap.dedent(f"**{first}**\n\n{rest}") if found else ""


def linked_modules(text: str, path: Path) -> str:
    """The text of a file, in which names of Python files beside it or in the package are links.

    >>> linked_modules("See `text.py` and `no.py`.", PACKAGE / "game" / "spec.py")
    'See [`text.py`](text.py) and `no.py`.'
    """

    def link(found: re.Match[str]) -> str:
        for folder in (path.parent, PACKAGE):
            if (folder / found[1]).is_file():
                place = posixpath.relpath((folder / found[1]).as_posix(), path.parent.as_posix())
                return f"[{found[0]}]({place})"
        return found[0]

    return MODULE.sub(link, text)


def _refuse(reason: str) -> str:
    raise UnknownPart(reason)
