"""Links in Markdown: from the files of the repository to the pages of the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

from tools.documentation.repository import ROOT, source_address, sources

LINK = re.compile(r"(!?)(\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1[`~]*$", re.MULTILINE | re.DOTALL)
PICTURES = (".svg", ".png")


class BrokenLink(Exception):
    """A link of a page leads nowhere."""


class Links:
    """Rewrites the links of pages, and notes the pictures that the pages need.

    Links to pages lead to pages. Pictures are copied. Links to other files of the repository lead to the
    repository's address.
    """

    def __init__(self) -> None:
        self.pages = {path: page for page, path in sources().items()}
        self.pictures: dict[str, Path] = {}
        """The files to copy, by their place in the site."""

    def rewrite(self, text: str, source: Path, page: str) -> str:
        """The text of a file as a part of a page; BrokenLink if a link leads nowhere."""
        return outside_code(text, lambda part: LINK.sub(lambda found: self._link(found, source, page), part))

    def _link(self, found: re.Match[str], source: Path, page: str) -> str:
        mark, label, target = found.groups()
        address, _, anchor = target.partition("#")
        if ":" in address or (not address and self.pages.get(source) in (None, page)):
            return found[0]
        path = (source.parent / address).resolve() if address else source
        if not path.exists() or not path.is_relative_to(ROOT):
            raise BrokenLink(f"{source.relative_to(ROOT).as_posix()}: there is no file {target}")
        if path in self.pages:
            place = relative(self.pages[path], page)
        elif path.suffix in PICTURES:
            place = relative(self._picture(path), page)
        else:
            kind = "tree" if path.is_dir() else "blob"
            place = f"{source_address()}/{kind}/main/{path.relative_to(ROOT).as_posix()}"
        return f"{mark}{label}({place}{'#' if anchor else ''}{anchor})"

    def _picture(self, path: Path) -> str:
        place = path.relative_to(ROOT).as_posix()
        place = place.removeprefix("docs/") if place.startswith("docs/") else f"files/{place}"
        self.pictures[place] = path
        return place


def relative(target: str, page: str) -> str:
    """The address of a file of the site, as seen from a page.

    >>> relative("records.md", "games/range_war.md")
    '../records.md'
    """
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text with everything changed that is not in a fenced code block.

    >>> outside_code("a\\n```\\na\\n```\\na", str.upper)
    'A\\n```\\na\\n```\\nA'
    """
    parts, end = [], 0
    for block in FENCE.finditer(text):
        parts += [change(text[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*parts, change(text[end:])])
