"""Every `duel` command that a document shows is one: its own parser accepts it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from numberduels.cli.argument_parser import parser_of
from numberduels.cli.commands import COMMANDS, SUBCOMMANDS, load_command
from tables import table

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
READERS_GAMES = (["my-game"], ["nim-heap"], ["juniper-green"])
"""Games that a reader has installed by then."""

SHELL = ("|", "||", "&&", ";", ">", "<", "2>", "</dev/null", ">/dev/null")
"""Words that end a command."""


def code_lines(text: str) -> Iterator[str]:
    """The lines of code blocks, fenced or indented; a backslash at the end joins two."""
    text = re.sub(r"\\\n\s*", " ", text)
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            yield line.strip().removeprefix("$ ")


def commands(page: str) -> list[list[str]]:
    """The `duel` commands in the code blocks of a page, each as its words."""
    found = []
    for line in code_lines((ROOT / page).read_text(encoding="utf-8")):
        place = re.search(r"(?:^|[|&(;] *)(duel [a-z].*)", re.split(r"\s#|\s{3}", line)[0])
        if place and "..." not in place[1].replace("..", ".", 1):
            words = shlex.split(place[1].rstrip(")"))
            ends = [number for number, word in enumerate(words) if word in SHELL]
            found.append(words[1 : min(ends, default=len(words))])
    return found


@table("page", [page for page in PAGES if commands(page)])
def test_the_commands_of_a_document_are_accepted_by_their_parsers(page: str) -> None:
    for name, *arguments in commands(page):
        assert name in COMMANDS, f"duel {name}"
        run = load_command(name)
        parser = parser_of(run, *arguments)
        if parser is None:
            assert arguments[:1] in READERS_GAMES or name == "mcp", f"duel {name} {shlex.join(arguments)}"
        else:
            parser.parse_args(arguments[1:] if {*arguments[:1]} & {*SUBCOMMANDS.get(name, ())} else arguments)


def test_the_reader_of_commands_finds_them_in_all_kinds_of_blocks() -> None:
    assert ["play", "range-war", "--vs", "casual"] in commands("docs/terminal.md")  # a console block
    assert ["arena", "report", "DIR"] in commands("docs/arena.md")  # an indented block
    assert ["serve", "--host", "0.0.0.0"] in commands("docs/guides/play_a_friend.md")  # a shell block
