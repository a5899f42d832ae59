"""`duel docs`: open the documentation, which works without a network."""

from __future__ import annotations

import sys
from pathlib import Path

from numberduels.cli.console import print_folded
from numberduels.cli.parser import CliError, Parser

PACKAGE = Path(__file__).parents[1]
BUNDLED = PACKAGE / "site"
"""Where a released package has the documentation."""

CHECKOUT = PACKAGE.parents[1]
"""The clone that an editable install runs from."""


def run(arguments: list[str]) -> int:
    """Open the documentation in a browser, and print its address."""
    parser = Parser(
        "docs",
        "Open the documentation in your browser. It is on this machine and needs no network.",
    )
    parser.add_argument(
        "page", metavar="PAGE", nargs="?", default="index", help="such as games/range_war (default: index)"
    )
    parser.add_argument("--print", action="store_true", dest="only_print", help="only print the address")
    parsed = parser.parse_args(arguments)
    address = find_page(find_site(), parsed.page).as_uri()
    if parsed.only_print or not sys.stdout.isatty() or not _open(address):
        print(address)
    else:
        print_folded(f"The documentation is open in your browser: {address}\n")
    return 0


def find_site(bundled: Path = BUNDLED, checkout: Path = CHECKOUT) -> Path:
    """The folder of the built documentation; CliError says how to get one."""
    for folder in (bundled, checkout / "site"):
        if (folder / "index.html").is_file():
            return folder
    if (checkout / "zensical.toml").is_file():
        raise CliError(f"the documentation is not built yet: run `make docs` in {checkout}")
    raise CliError(
        "this package has no documentation inside; releases have it, and `make docs` builds it in a clone"
    )


def find_page(site: Path, name: str) -> Path:
    """A page of the documentation; CliError names pages of a similar name."""
    pages = {path.relative_to(site).with_suffix("").as_posix(): path for path in site.rglob("*.html")}
    wanted = name.removesuffix(".html").removesuffix(".md").replace("-", "_")
    found = [page for page in pages if page == wanted or page.endswith(f"/{wanted}")]
    if found:
        return pages[min(found, key=len)]
    from numberduels.game.formatting import nearest, short

    meant = nearest(wanted, pages)
    raise CliError(f"there is no page {short(name)}{f'; did you mean {meant}?' if meant else ''}")


def _open(address: str) -> bool:
    """Open a browser; False if there is none."""
    import webbrowser

    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False
