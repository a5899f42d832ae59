"""The tool that collects the pages of the documentation: includes, links, navigation, and what it refuses."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest
from tools.documentation import site_check
from tools.documentation.command_line import command_line
from tools.documentation.http_api import http_api
from tools.documentation.includes import UnknownPart, docstring, expand, section
from tools.documentation.markdown_links import BrokenLink, Links
from tools.documentation.repository import ROOT

import numberduels
from numberduels.cli.commands import COMMANDS
from numberduels.web.http.openapi import openapi_document
from tables import table

HERE = ROOT / "docs" / "guides" / "page.md"
"""A page that need not exist: links are resolved from its folder."""


@table("name", ["includes", "markdown_links", "navigation", "game_facts"])
def test_the_examples_of_the_tool_are_right(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"tools.documentation.{name}"))
    assert found.attempted and not found.failed


def test_the_page_about_python_has_every_public_name() -> None:
    text = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    for name in numberduels.__all__:
        assert re.search(rf"(^::: numberduels\S*\.{name}$)|`{name}`", text, re.MULTILINE), name


def test_the_page_about_the_command_line_has_every_command_and_option() -> None:
    text = command_line()
    for name in COMMANDS:
        assert re.search(rf"^### duel {name}$", text, re.MULTILINE), name
    for option in ("`--keep-days N`", "`--players LIST`", "`--after MOVES`", "--model-options"):
        assert option in text


def test_the_page_about_http_has_every_operation_and_its_links_lead_to_schemas() -> None:
    text = http_api()
    document = openapi_document()
    for path, methods in document["paths"].items():
        for method in methods.keys() - {"parameters"}:
            assert f"### {method.upper()} {path}\n" in text
    headings = {line[4:].lower() for line in text.splitlines() if line.startswith("### ")}
    assert set(re.findall(r"\]\(#(\w+)\)", text)) <= headings


def test_links_to_pages_pictures_and_other_files_lead_where_these_are_on_the_site() -> None:
    links = Links()
    text = (
        "[a](../arena.md#export) [b](../../SECURITY.md) [c](../../examples/clients) [d](../../Makefile)"
        " ![e](../session.svg) ![f](../../src/numberduels/games/range_war/picture.svg) [g](#here) [h](https://x.org)"
    )
    assert links.rewrite(text, HERE, "guides/page.md") == (
        "[a](../arena.md#export) [b](../security.md)"
        " [c](https://github.com/number-duels/number-duels/tree/main/examples/clients)"
        " [d](https://github.com/number-duels/number-duels/blob/main/Makefile)"
        " ![e](../session.svg) ![f](../files/src/numberduels/games/range_war/picture.svg) [g](#here) [h](https://x.org)"
    )
    assert set(links.pictures) == {"session.svg", "files/src/numberduels/games/range_war/picture.svg"}


def test_a_link_to_a_missing_file_is_refused_with_its_page() -> None:
    with pytest.raises(BrokenLink, match=r"docs/guides/page.md: there is no file nowhere.md"):
        Links().rewrite("[a](nowhere.md)", HERE, "guides/page.md")


def test_links_in_code_blocks_are_left_alone() -> None:
    text = "```\n[a](nowhere.md)\n```\n"
    assert Links().rewrite(text, HERE, "guides/page.md") == text


def expanded(line: str) -> str:
    return expand(line, HERE, "guides/page.md", Links(), {"twice": lambda words: f"{words} {words}"})


def test_a_line_with_an_include_is_replaced_by_the_file() -> None:
    text = expanded('before\n\n[client](../../examples/clients/client.py "include")\n\nafter')
    client = (ROOT / "examples" / "clients" / "client.py").read_text(encoding="utf-8").rstrip()
    assert text == f"before\n\n```python\n{client}\n```\n\nafter"


def test_links_of_an_included_section_lead_from_the_new_page() -> None:
    text = expanded('[run](../arena.md "include section What a run writes")')
    assert "[cache of answers](../arena.md#the-cache-of-answers)" in text


def test_generated_parts_are_asked_for_by_name() -> None:
    assert expanded('[x](../arena.md "generate twice a b")') == "a b a b"


@table(
    "line, reason",
    [
        ('[x](../arena.md "include section No such")', "arena.md has no section 'No such'"),
        ('[x](../arena.md "include chapter 3")', "cannot be included by 'chapter 3'"),
        ('[x](../arena.md "generate nonsense")', "nothing generates 'nonsense'; there are twice"),
    ],
)
def test_parts_that_do_not_exist_are_refused(line: str, reason: str) -> None:
    with pytest.raises(UnknownPart, match=reason):
        expanded(line)


def test_a_section_ends_at_the_next_heading_of_its_rank() -> None:
    assert section("## A\na\n### B\nb\n## C\nc", "A") == "a\n### B\nb"
    assert section("## A\na", "B") == ""


def test_the_steps_of_a_proof_become_a_list() -> None:
    text = docstring('"""Head.\n\nTheorem. It holds. QED\n1. One\n   goes on.\n2. Two.\n"""')
    assert text == "**Head.**\n\n**Theorem.** It holds. QED\n\n1. One\n    goes on.\n\n2. Two."


def test_faults_of_a_built_site_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="b.html#there">b</a><a href="b.html#gone">b</a><a href="c.html">c</a>'
        '<a href="https://example.org">far</a><img src="no.png"><script src="https://example.org/x.js"></script>'
    )
    (tmp_path / "b.html").write_text('<h2 id="there">B</h2><a href="a.html#top">a</a>')
    assert site_check.site_faults(tmp_path) == [
        "a.html loads no.png, which is not there",
        "a.html loads https://example.org/x.js from the network",
        "a.html links to b.html#gone, which is not there",
        "a.html links to c.html, which is not there",
    ]
