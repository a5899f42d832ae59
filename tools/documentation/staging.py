"""Collects the pages of the site in one folder: documents, generated parts, pictures, style and scripts."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from tools.documentation.command_line import command_line
from tools.documentation.game_facts import (
    claims_list,
    draw_board,
    draw_sweep,
    options_table,
    sequences_list,
    winning_answers,
)
from tools.documentation.http_api import http_api
from tools.documentation.includes import Generator, expand
from tools.documentation.markdown_links import Links, relative
from tools.documentation.navigation import listed_pages, navigation_faults
from tools.documentation.repository import ASSETS, sources


class BadNavigation(Exception):
    """Pages and navigation do not agree; the message has a line for each fault."""


def stage(folder: Path) -> None:
    """Write all pages to a new folder; BadNavigation, BrokenLink or UnknownPart if one is not in order."""
    pages = sources()
    if faults := navigation_faults(pages, listed_pages()):
        raise BadNavigation("\n".join(faults))
    shutil.rmtree(folder, ignore_errors=True)
    links = Links()
    for page, source in pages.items():
        text = expand(source.read_text(encoding="utf-8"), source, page, links, generators(folder, page))
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    for place, picture in links.pictures.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, folder / place)
    shutil.copytree(ASSETS, folder / "assets")


def generators(folder: Path, page: str) -> dict[str, Generator]:
    """The generated parts that a page can name."""

    def picture(words: str, draw: Callable[[str, Path], str], suffix: str) -> tuple[str, str]:
        place = f"pictures/{re.sub(r'[^a-z0-9]+', '-', words.lower()).strip('-')}{suffix}"
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        return draw(words, folder / place), relative(place, page)

    def board(words: str) -> str:
        about, place = picture(words, draw_board, ".png")
        return f"![{about}]({place}){{ .board }}"

    def sweep(words: str) -> str:
        command, place = picture(words, draw_sweep, ".svg")
        return f"![Who wins at each size, by {command}]({place})\n\n```sh\n{command}\n```"

    return {
        "answers": winning_answers,
        "board": board,
        "claims": claims_list,
        "command-line": lambda _: command_line(),
        "http-api": lambda _: http_api(),
        "options": options_table,
        "sequences": lambda _: sequences_list(),
        "sweep": sweep,
    }
