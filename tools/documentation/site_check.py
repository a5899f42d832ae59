"""Checks the built site: every link and anchor leads somewhere, and nothing is loaded from the network."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "srcset")}
"""Attributes whose files a browser loads by itself."""

NOT_LOADED = {"prev", "next", "canonical"}
"""Kinds of <link> that load nothing."""


class Page(HTMLParser):
    """The ids and the references of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        for name, value in found.items():
            if (tag, name) in LOADED and found.get("rel") not in NOT_LOADED:
                self.loaded.append(value)
            elif name == "href":
                self.links.append(value)


@cache
def read_page(path: Path) -> Page:
    """A built page."""
    return Page(path.read_text(encoding="utf-8"))


def site_faults(site: Path) -> list[str]:
    """What is wrong with a built site, a line for each fault."""
    faults = []
    for path in sorted(site.rglob("*.html")):
        if path.name == "404.html":
            continue  # its addresses are those of a server
        page, name = read_page(path), path.relative_to(site).as_posix()
        for address in page.loaded:
            if urlsplit(address).scheme or address.startswith("//"):
                if not address.startswith("data:"):
                    faults.append(f"{name} loads {address} from the network")
            elif not _target(path, address).exists():
                faults.append(f"{name} loads {address}, which is not there")
        faults += [
            f"{name} links to {link}, which is not there" for link in page.links if _is_broken(path, link)
        ]
    return faults


def _target(path: Path, address: str) -> Path:
    place = unquote(urlsplit(address).path)
    return path.parent / place if place else path


def _is_broken(path: Path, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = _target(path, link)
    if not target.exists():
        return True
    anchor = unquote(parts.fragment)
    return bool(anchor) and target.suffix == ".html" and anchor not in read_page(target).ids
