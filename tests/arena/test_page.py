"""The page: whole by itself, and safe whatever the players are called and whatever they say."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from needs import chromium
from numberduels.analysis.judgement import MISTAKES
from numberduels.arena import page
from numberduels.arena.cells import visible
from numberduels.arena.page import MAX_ANSWER, SCRIPT, STYLE, boards_of, render_page, script_json
from numberduels.arena.results import read_result
from numberduels.game import registry
from numberduels.game.record import read
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
    return render_page(make_report(sample(1), {"players": ["perfect", "idle"], "seed": "7"}))


def data(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])


# Whole by itself


def test_the_page_is_well_formed_and_asks_for_nothing_outside_itself() -> None:
    tree = Tree(sampled())
    links = [
        value for _, attributes in tree.found for name, value in attributes.items() if name in ("src", "href")
    ]
    assert links == ["#games"]
    assert not {"link", "img", "iframe", "object", "base"} & {tag for tag, _ in tree.found}
    assert not re.search(
        r"url\(|@import|fetch\(|XMLHttpRequest|innerHTML|eval\(|document\.write", STYLE + SCRIPT
    )


def test_the_policy_allows_exactly_the_script_and_the_style_that_are_there() -> None:
    policy = next(each["content"] for each in Tree(sampled()).all("meta") if "http-equiv" in each)
    assert policy is not None and policy.startswith("default-src 'none'; ")
    inside = {
        kind: re.findall(rf"<{kind}>(.*?)</{kind}>", sampled(), re.DOTALL) for kind in ("style", "script")
    }
    for kind, texts in inside.items():
        (text,) = texts
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert not [1 for _, attributes in Tree(sampled()).found if any(name[:2] == "on" for name in attributes)]
    assert not [1 for _, attributes in Tree(sampled()).found if "style" in attributes]


def test_every_game_is_in_the_data_with_every_move_and_its_verdict() -> None:
    packed = data(sampled())
    assert packed["mistakes"] == list(MISTAKES)
    assert len(packed["games"]) == len(sample(1))
    for found, told in zip(packed["games"], sample(1), strict=True):
        assert found["p"] == told["players"]
        assert [each["m"] for each in found.get("m", [])] == [each["move"] for each in told["moves"]]
        assert [each.get("v") for each in found.get("m", [])] == [
            each.get("verdict") for each in told["moves"]
        ]
        assert [each.get("a") for each in found.get("m", [])] == [each.get("after") for each in told["moves"]]


def test_the_words_of_a_model_are_in_the_data_with_what_was_wrong() -> None:
    attempts = [{"answer": HOSTILE[0], "fault": "no"}, {"answer": "4", "fault": ""}]
    packed = data(render_page(make_report([line(moves=[move(0, attempts=attempts)])], {})))
    assert packed["games"][0]["m"][0]["w"] == [[HOSTILE[0], "no"], ["4", ""]]


def test_a_long_answer_is_cut_and_that_is_said() -> None:
    attempts = [{"answer": "x" * (MAX_ANSWER + 7), "fault": ""}]
    (told,) = data(render_page(make_report([line(moves=[move(0, attempts=attempts)])], {})))["games"][0]["m"][
        0
    ]["w"]
    assert told[0] == "x" * MAX_ANSWER + "\n[7 characters more in the saved games]"


def test_without_javascript_what_needs_it_is_hidden() -> None:
    live = next(each for each in Tree(sampled()).all("div") if each.get("id") == "live")
    assert "hidden" in live


def test_every_game_is_there_with_its_board_before_and_after_each_move() -> None:
    for found, told in zip(data(sampled())["games"], sample(1), strict=True):
        record = read(told["record"])
        words = registry.spec_of(record.game).text_for(record.game)
        places = range(len(record.moves) + 1)
        assert found["z"] == [words.position(record.table(ply).state).strip("\n") for ply in places]
    assert "left out" not in sampled().partition('id="games"')[2].partition("<noscript>")[0]


@table(
    "record",
    ["", "nonsense", '[Game "chess"]\n\n*', '[Game "range-war"]\n\n1. 6 7 *', *HOSTILE]
    + ['[Game "range-war"]\n\n1. 6 5 *'],
)
def test_a_record_that_cannot_be_read_or_is_of_other_moves_gives_no_board(record: Any) -> None:
    odd = line(record=record, moves=[move(0, move="6"), move(1, move="4")])
    assert boards_of(read_result(1, odd)) == []
    (found,) = data(render_page(make_report([odd], {})))["games"]
    assert "z" not in found and [each["m"] for each in found["m"]] == ["6", "4"]
    told = '[Game "range-war"]\n\n1. 6 4 *'
    assert boards_of(read_result(1, odd | {"record": told}))[1] == "Available Numbers: 1,2,3,4,5,7,8,9,10"


def test_too_many_boards_are_left_out_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MAX_BOARD_CHARACTERS", 9)
    text = render_page(make_report(sample(1)[:9], {}))
    assert not any("z" in game for game in data(text)["games"]) and data(text)["drawn"] is False
    (said,) = re.findall("<p>The boards are left out: (.*?)</p>", text)
    assert "large" in said


@table("cause", ["crash", "timeout", "illegal"])
def test_a_forfeit_is_told_where_the_mistakes_are(cause: str) -> None:
    lost = line(forfeit={"seat": 1, "cause": cause, "message": "No."}, end="forfeit")
    text = render_page(make_report([lost], {}))
    assert data(text)["games"][0]["q"] == [1, cause]
    broken = line("*", forfeit={"seat": 1, "cause": "error", "message": "No."}, end="error")
    assert "q" not in data(render_page(make_report([broken], {})))["games"][0], "nobody lost by an error"


def test_abandoned_games_and_players_without_a_move_have_their_columns() -> None:
    text = render_page(
        make_report([line(moves=[move(0), move(1)]), abandoned(0, [move(1)], players=("z", "b"))], {})
    )
    board = text.partition('id="leaderboard"')[2].partition("<details>")[0]
    heads = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', board)
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", board)]
    found = {
        cells[0]: tuple(
            cells[heads.index(head)] for head in ("Abandoned", "Not reached", "Games", "Moves made")
        )
        for cells in rows
    }
    assert found == {
        "<bdi>a</bdi>": ("0", "0", "1", "1"),
        "<bdi>b</bdi>": ("1", "0", "2", "2"),
        "<bdi>z</bdi>": ("1", "1", "1", "0"),
    }
    assert "- (no move)" in board


def test_a_run_over_positions_and_an_empty_one_make_pages_too() -> None:
    single = line("*", players=("a",), kind="position", moves=[{"seat": 0, "move": "1"}, move(1)])
    text = render_page(make_report([single], {"players": ["a"]}))
    Tree(text)
    assert "one decision" in text and "Leaderboard" not in text
    Tree(render_page(make_report([], {})))


# In a browser


def driven(text: str, script: str, tmp_path: Path, *flags: str) -> Any:
    """What a script in the page tells, by `tell(value)`, once the page has loaded."""
    own = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    lead = "function tell(value) { document.body.textContent = '@@' + JSON.stringify(value) + '@@'; }"
    lead += "function all(found) { return Array.from(document.querySelectorAll(found)); }"
    lead += "function texts(found) { return all(found).map(function (each) { return each.textContent; }); }"
    lead += "function pick(id, value) { document.getElementById(id).value = value;"
    lead += " document.getElementById('filters').dispatchEvent(new Event('change')); }"
    path = tmp_path / "page.html"
    path.write_text(own.replace("</body>", f"<script>{lead}{script}</script></body>"), encoding="utf-8")
    command = [chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", *flags, "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=60, text=True)
    told = re.search("@@(.*)@@", done.stdout)
    assert told, done
    return json.loads(unescape(told[1]))


@pytest.mark.long
def test_mistakes_are_those_of_the_chosen_player(tmp_path: Path) -> None:
    bad, late = "missed a win", {"seat": 1, "cause": "timeout", "message": ""}
    games = [
        line("0-1", players=("a", "b"), moves=[move(0, verdict=bad), move(1), move(0, verdict=bad)]),
        line("1-0", players=("a", "b"), moves=[move(0), move(1, verdict=bad)]),
        line("1-0", players=("a", "b"), moves=[move(0)], forfeit=late),
        abandoned(1, [move(0)]),
    ]
    script = """
      var found = {};
      document.getElementById("faulty").checked = true;
      ["", "a", "b"].forEach(function (name) {
        pick("player", name);
        found[name] = texts("#list thead th:nth-child(5), #list tbody td:nth-child(5)");
      });
      document.getElementById("faulty").checked = false;
      pick("end", "abandoned");
      all("#list button")[0].click();
      found.abandoned = texts("#chosen tbody tr:last-child td:nth-child(4)");
      tell(found);
    """
    text = render_page(make_report([each | {"key": str(n)} for n, each in enumerate(games)], {}))
    assert driven(text, script, tmp_path) == {
        "": ["Mistakes of both", "✗ 2", "✗ 1", "✗ forfeit: timeout"],
        "a": ["Mistakes of a", "✗ 2"],
        "b": ["Mistakes of b", "✗ 1", "✗ forfeit: timeout"],
        "abandoned": ["- no move: abandoned"],
    }


@pytest.mark.long
def test_a_game_is_replayed_board_by_board(tmp_path: Path) -> None:
    told = '[Game "range-war"]\n[Size "4"]\n[Termination "resigned"]\n\n1. 3 2 0-1'
    nasty = "<img src=x onerror=alert(1)>"
    moves = [move(0, move="3"), move(1, move="2", verdict="missed a win"), move(0, move=None, verdict=None)]
    forfeit = {"seat": 0, "cause": "illegal", "message": nasty}
    lost = line("0-1", players=(nasty, "b"), moves=moves, record=told, forfeit=forfeit)
    script = """
      var found = [], box = document.getElementById("chosen");
      function note() {
        var now = all("#chosen tr[aria-current]").map(function (row) { return row.rowIndex; });
        found.push([texts(".board")[0], now, texts("[aria-live=polite] > p")[0]]);
      }
      function press(key) { box.dispatchEvent(new KeyboardEvent("keydown", { key: key })); note(); }
      all("#list button")[0].click();
      note();
      press("ArrowRight");
      all(".replay button")[2].click();
      note();
      press("ArrowRight");
      press("ArrowRight");
      press("ArrowLeft");
      all("#chosen th button")[0].click();
      note();
      tell([found, all("img").length, all("[aria-live=polite] .board").length]);
    """
    found, images, live = driven(render_page(make_report([lost], {})), script, tmp_path)
    assert images == 0 and live == 1
    start, one, two = (f"Available Numbers: {left}" for left in ("1,2,3,4", "1,2,4", "1,4"))
    assert [(board, now) for board, now, _ in found] == [
        (start, []),
        (one, [1]),
        (two, [2]),
        (two, [3]),  # a move that was not made
        (two, [3]),
        (two, [2]),
        (one, [1]),
    ]
    assert found[2][2].startswith("Move 2 of 3, Player 2 (b): 2; ✗ missed a win")
    assert nasty in found[1][2]


# For everybody


def test_tables_have_captions_and_heads_with_a_scope() -> None:
    tree = Tree(sampled())
    assert len(tree.all("caption")) == len(tree.all("table"))
    assert {each.get("scope") for each in tree.all("th")} == {"col", "row"}


def test_what_scrolls_can_be_reached_by_the_keyboard_and_has_a_name() -> None:
    boxes = [each for each in Tree(sampled()).all("div") if each.get("class") == "wide"]
    assert boxes
    assert all(each["tabindex"] == "0" and each["role"] == "region" and each["aria-label"] for each in boxes)


def test_controls_have_labels_headings_go_down_by_one_and_ids_are_unlike() -> None:
    tree = Tree(sampled())
    labels = {each.get("for") for each in tree.all("label")}
    assert {each["id"] for each in tree.all("select")} <= labels
    levels = [int(tag[1]) for tag, _ in tree.found if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1 and levels.count(1) == 1 and set(levels) == {1, 2}
    ids = [each["id"] for _, each in tree.found if "id" in each]
    assert len(ids) == len(set(ids))
    assert {each["aria-labelledby"] for each in tree.all("section")} <= set(ids)
    assert tree.all("html") == [{"lang": "en"}]


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@table("scheme", [0, 1])
def test_colours_have_enough_contrast(scheme: int) -> None:
    colours = dict(re.findall(r"--(\w+):(#\w+)", STYLE.split("@media")[scheme].partition("}")[0]))
    long = {
        name: value if len(value) == 7 else "#" + "".join(c * 2 for c in value[1:])
        for name, value in colours.items()
    }
    # By WCAG: 4.5 for text, 3 for marks and for what shows the focus.
    words = dict.fromkeys(["ink", "pale", "fault", "good", "bar"], 4.5)
    for name, least in (words | dict.fromkeys(["two", "mark", "focus"], 3)).items():
        for ground in ("paper", "card"):
            bright, dark = sorted((luminance(long[name]), luminance(long[ground])), reverse=True)
            assert (bright + 0.05) / (dark + 0.05) >= least, (name, ground)


# Safe


@table("nasty", NASTY)
def test_no_name_or_answer_becomes_markup(nasty: str) -> None:
    attempts = [{"answer": nasty, "fault": nasty}]
    calm, wild = (
        line(
            key=f"range-war:{text} | a | 1",
            players=(text or "x", "b"),
            moves=[move(0, move=text, attempts=attempts, better=[text] * 9, verdict="missed a win")],
            forfeit={"seat": 0, "cause": f"odd {text}", "message": text},
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
    assert len(re.findall("<script", told)) == 2 and len(re.findall("</script", told)) == 2
    assert told.count("<!--") == 0
    told.encode()
    assert all(char.isprintable() or char == "\n" for char in told)


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(exclude_categories=[])))
def test_any_answer_comes_back_from_the_data_as_it_is_shown(answer: str) -> None:
    text = render_page(make_report([line(moves=[move(0, attempts=[{"answer": answer, "fault": "no"}])])], {}))
    assert data(text)["games"][0]["m"][0]["w"] == [[visible(answer), "no"]]
    text.encode()


@given(st.recursive(st.none() | st.text() | st.integers(), lambda each: st.lists(each, max_size=4)))
def test_embedded_data_cannot_leave_its_element(value: Any) -> None:
    told = script_json(value)
    assert json.loads(told) == value
    assert not set("<>&") & set(told)
    assert told.isascii()
