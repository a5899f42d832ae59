"""The navigation of the site: every page must be in it. It is `nav` in zensical.toml."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tools.documentation.repository import CONFIGURATION, read_toml


def listed_pages(nav: Any = None) -> Iterator[str]:
    """The pages of a navigation, in order; by default of zensical.toml.

    >>> list(listed_pages([{"Home": "index.md"}, {"Games": [{"Nim": "games/nim.md"}]}]))
    ['index.md', 'games/nim.md']
    """
    if nav is None:
        nav = read_toml(CONFIGURATION)["project"]["nav"]
    for entry in nav:
        for target in entry.values():
            yield from [target] if isinstance(target, str) else listed_pages(target)


def navigation_faults(pages: Iterable[str], listed: Iterable[str]) -> list[str]:
    """What is wrong with a navigation, a line for each fault.

    >>> navigation_faults(["index.md", "new.md"], ["index.md", "index.md", "old.md"])[0]
    'new.md is in no menu: add a line such as { "Title" = "new.md" } to `nav` in zensical.toml'
    >>> for fault in navigation_faults(["index.md"], ["index.md", "index.md", "old.md"]):
    ...     print(fault)
    index.md is in the menu twice (`nav` in zensical.toml)
    old.md is in the menu, but there is no such page
    """
    there, named = set(pages), list(listed)
    missing = [
        f'{page} is in no menu: add a line such as {{ "Title" = "{page}" }} to `nav` in zensical.toml'
        for page in sorted(there - set(named))
    ]
    twice = [
        f"{page} is in the menu twice (`nav` in zensical.toml)"
        for page in sorted({page for page in named if named.count(page) > 1})
    ]
    unknown = [f"{page} is in the menu, but there is no such page" for page in sorted(set(named) - there)]
    return [*missing, *twice, *unknown]
