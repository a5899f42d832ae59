"""The page: whole by itself, and safe whatever the players are called and whatever they say."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberduels.arena import page
from numberduels.arena.cells import visible
from numberduels.arena.page import MAX_ANSWER, STYLE, render_page
from tables import table

from .run_lines import HOSTILE, abandoned, line, make_report, move, sample

VOID = {"meta", "input", "br", "line", "rect", "path", "circle"}
NASTY = (
    "</script><script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "<!--<script>",
    "-->",
    "&lt;b&gt; &amp;",
    "\u202eevil\u2066",
    "nul\x00l",
    "\ud800",
    "]]>",
    "",
)


class Tree(HTMLParser):
    """The elements of a page in order; every one must be closed where it belongs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.inside = ""
        self.feed(text)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.stack):
            self.texts.setdefault(tag, []).append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@cache
def sampled() -> str:
    return render_page(make_report(sample(), {"players": ["perfect", "idle"], "seed": "7"}))


def games(text: str) -> str:
    """The part of the page with the games."""
    return text.partition('<h2 id="games"')[2]


def moves_in(text: str) -> list[list[str]]:
    """The cells of each move on the page, without markup."""
    rows = re.findall(r'<tr><th scope="row">\d+</th>(.*?)</tr>', games(text), re.DOTALL)
    cells = [re.findall(r"<td>(.*?)</td>", row, re.DOTALL) for row in rows]
    return [[unescape(re.sub("<[^>]*>", " ", cell)).strip() for cell in row] for row in cells]


# Whole by itself


def test_the_page_is_well_formed_and_asks_for_nothing_outside_itself() -> None:
    tree = Tree(sampled())
    links = [
        value for _, attributes in tree.found for name, value in attributes.items() if name in ("src", "href")
    ]
    assert links == ["#games"]
    assert not {"link", "img", "iframe", "object", "base", "script"} & {tag for tag, _ in tree.found}
    assert not re.search(r"url\(|@import", STYLE)


def test_the_policy_allows_exactly_the_style_that_is_there() -> None:
    policy = next(each["content"] for each in Tree(sampled()).all("meta") if "http-equiv" in each)
    (style,) = re.findall("<style>(.*?)</style>", sampled(), re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == (f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'")
    for _, attributes in Tree(sampled()).found:
        assert "style" not in attributes and not any(name.startswith("on") for name in attributes)


def test_every_move_of_every_game_is_there_with_its_verdict_and_value() -> None:
    # Games of the same rules and players stand together.
    grouped: dict[tuple[str, ...], list[dict[str, object]]] = {}
    for each in sample():
        grouped.setdefault((each["key"].partition(" | ")[0], *each["players"]), []).extend(each["moves"])
    told = [each for moves in grouped.values() for each in moves]
    found = moves_in(sampled())
    assert len(found) == len(told) > 100
    for (_, made, verdict, value, *_), each in zip(found, told, strict=True):
        assert made == (each["move"] or "-")
        if each.get("verdict") and each["move"]:
            assert verdict.lstrip("✗✓ ") == each["verdict"]
            assert value.startswith(f"{each['before']} → {each['after']}")


def test_the_answers_of_a_model_are_there_with_what_was_wrong() -> None:
    attempts = [
        {"answer": HOSTILE[0], "fault": "no", "cause": "illegal"},
        {"answer": "x" * (MAX_ANSWER + 7), "fault": "", "reasoning": "Hm."},
    ]
    text = render_page(make_report([line(moves=[move(0, attempts=attempts)])], {}))
    words = moves_in(text)[0][-1]
    assert words.startswith("2 answers, 1 bad") and HOSTILE[0] in words and "✗ illegal: no" in words
    assert f"{'x' * MAX_ANSWER}\n[7 characters more in the saved games]" in words
    assert "<summary>reasoning</summary><pre>Hm.</pre>" in text


def test_too_many_moves_are_left_out_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "moves are shown" not in sampled()
    monkeypatch.setattr(page, "MAX_MOVES", 9)
    text = render_page(make_report(sample()[:9], {}))
    assert len(moves_in(text)) <= 9 and "Only 9 moves are shown; games.jsonl has all" in text


def test_mistakes_and_forfeits_are_told_before_a_game_is_opened() -> None:
    late = {"seat": 1, "cause": "timeout", "message": "It slept."}
    bad = move(0, verdict="missed a win")
    told = [
        line("0-1", moves=[bad, move(1), bad]),
        line("1-0", moves=[move(0), move(1, move=None, verdict="no move")], forfeit=late, end="forfeit"),
        line("1-0", moves=[move(0)]),
        abandoned(1, [move(0)]),
    ]
    text = games(render_page(make_report([each | {"key": str(n)} for n, each in enumerate(told)], {})))
    heads = [
        re.sub("<[^>]*>", "", each).strip()
        for each in re.findall("<summary>(Line .*?)</summary>", text, re.DOTALL)
    ]
    assert [head.partition(": ")[2] for head in heads] == [
        "✗ 2 mistakes",
        "✗ forfeit: timeout",
        "no mistakes",
        "no mistakes",
    ]
    assert "forfeit, timeout, seat 2" in heads[1] and "It slept." in text
    assert "✗ no move: forfeit" in text and "- no move: abandoned" in text


def test_a_run_over_positions_and_an_empty_one_make_pages_too() -> None:
    single = line("*", players=("a",), kind="position", moves=[{"seat": 0, "move": "1"}, move(1)])
    text = render_page(make_report([single], {"players": ["a"]}))
    Tree(text)
    assert "one decision" in text and "Leaderboard" not in text
    Tree(render_page(make_report([], {})))


# For everybody


def test_tables_have_captions_and_heads_with_a_scope() -> None:
    tree = Tree(sampled())
    assert len(tree.all("caption")) == len(tree.all("table"))
    assert {each.get("scope") for each in tree.all("th")} == {"col", "row"}


# Safe


@table("nasty", NASTY)
def test_no_name_or_answer_becomes_markup(nasty: str) -> None:
    attempts = [{"answer": nasty, "fault": nasty or "x", "reasoning": nasty or "x"}]
    calm, wild = (
        line(
            key=f"range-war:{text} | a | 1",
            players=(text or "x", "b"),
            moves=[move(0, move=text, attempts=attempts, better=[text] * 9, verdict="missed a win")],
            forfeit={"seat": 0, "cause": f"odd {text}", "message": text or "x"},
            end=text,
            record=text,
            seed=text,
        )
        for text in ("calm", nasty)
    )
    told, plain = (render_page(make_report([each], {"seed": each["seed"]})) for each in (wild, calm))
    # The same elements with the same attributes, whatever the texts are.
    shape, expected = ([(tag, sorted(each)) for tag, each in Tree(text).found] for text in (told, plain))
    assert shape == expected
    assert told.count("<!--") == 0
    told.encode()
    assert all(char.isprintable() or char == "\n" for char in told)


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(exclude_categories=[])))
def test_any_answer_is_shown_as_it_is(answer: str) -> None:
    text = render_page(make_report([line(moves=[move(0, attempts=[{"answer": answer, "fault": "no"}])])], {}))
    (shown,) = re.findall("<pre>(.*?)</pre><p", text, re.DOTALL)
    assert unescape(shown) == (visible(answer) or "(no answer)")
    text.encode()
