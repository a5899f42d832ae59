"""The texts of the pages: every language says the same things, and none says what nobody asks for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import NamedTuple, get_args

import pytest
from jinja2 import Environment, nodes

from numberduels import board, options, registry
from numberduels.analysis import claims, puzzles, review
from numberduels.web.engine import levels
from numberduels.web.http import i18n
from numberduels.web.http.i18n import ENGLISH, catalogue, languages, preferred, speaker

from .inside import FIVE

SOURCE = Path(i18n.__file__).parents[2]
WEB = Path(i18n.__file__).parent
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
CODE = sorted(WEB.parent.rglob("*.py"))
BOARDS = sorted((SOURCE / "games").glob("*/board.py"))

every_language = pytest.mark.parametrize("language", languages())
every_other_language = pytest.mark.parametrize("language", [name for name in languages() if name != ENGLISH])


def blanks(text: str) -> set[str]:
    """The names of what is filled in.

    >>> sorted(blanks("{game}: {level}"))
    ['game', 'level']
    """
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def under(table: str) -> set[str]:
    """What the English catalogue has in one of its tables, or of what begins alike.

    >>> sorted(under("value."))
    ['draw', 'loss', 'win']
    """
    return {key.removeprefix(table) for key in catalogue(ENGLISH) if key.startswith(table)}


# What is asked for: by the templates


class Asked(NamedTuple):
    """A call of `say` in a template."""

    where: str
    key: str
    """With a star for every part that is known only when the page is made."""
    values: frozenset[str]
    """The names of what it fills in."""
    open: bool
    """Whether it may fill in more than that."""


def asked_in(source: str, where: str = "") -> Iterator[Asked]:
    """Every text that a template asks for.

    >>> [each.key for each in asked_in("{{ say('a.b', n=1) }} {{ say('level.' ~ level) }} {{ say(key) }}")]
    ['a.b', 'level.*', '*']
    >>> [each.key for each in asked_in("{{ say('a' if b else 'c') }}")]
    ['a', 'c']
    """
    for call in Environment().parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "say":
            values = frozenset(each.key for each in call.kwargs)
            for key in _keys(call.args[0]):
                yield Asked(f"{where}:{call.lineno}", key, values, call.dyn_kwargs is not None)


def _keys(part: nodes.Expr) -> list[str]:
    if isinstance(part, nodes.Const):
        return [str(part.value)]
    if isinstance(part, nodes.Concat):
        return ["".join(_keys(each)[0] for each in part.nodes)]
    if isinstance(part, nodes.CondExpr) and part.expr2 is not None:
        return _keys(part.expr1) + _keys(part.expr2)
    return ["*"]


ASKED = [each for path in TEMPLATES for each in asked_in(path.read_text(encoding="utf-8"), path.name)]
LITERAL = [each for each in ASKED if "*" not in each.key]
BUILT = {each.key for each in ASKED if "*" in each.key and not each.key.startswith("*")}


# What is asked for: by the code


def trees(paths: list[Path]) -> Iterator[ast.AST]:
    """Every part of these modules."""
    for path in paths:
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def text_of(part: ast.AST | None) -> str:
    """A text that stands in the code as it is, or nothing."""
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else ""


def calls(name: str, paths: list[Path]) -> list[ast.Call]:
    """Every call of this name that is made with arguments in their places."""
    found = [each for each in trees(paths) if isinstance(each, ast.Call) and each.args]
    return [each for each in found if isinstance(each.func, ast.Name) and each.func.id == name]


def said_in_code() -> set[str]:
    """The keys that the code hands to a speaker, or to a page as its `key`."""
    found = set()
    for part in trees(CODE):
        if isinstance(part, ast.Call):
            speaks = isinstance(part.func, ast.Call) or (
                isinstance(part.func, ast.Name) and part.func.id == "say"
            )
            if speaks and part.args:
                found.add(text_of(part.args[0]))
            found |= {text_of(each.value) for each in part.keywords if each.arg == "key"}
    return {key for key in found if re.fullmatch(r"[a-z]+(\.[a-z_-]+)+", key)}


def refusals() -> set[str]:
    """The keys of all refusals."""
    made = calls("UserError", CODE) + calls("_option_error", CODE)
    return {text_of(part) for call in made for part in ast.walk(call.args[0])} - {""}


def tables_of_refusals() -> set[str]:
    """The tables in which a refusal is looked up, from texts such as f"refused.{error.key}"."""
    found = set()
    for part in trees(CODE):
        if isinstance(part, ast.JoinedStr) and len(part.values) == 2:
            table, hole = part.values
            if isinstance(hole, ast.FormattedValue) and isinstance(hole.value, ast.Attribute):
                found |= {text_of(table)} if hole.value.attr in ("key", "message_key") else set()
    return {table for table in found if table.endswith(".")}


# Every language says the same


def test_english_is_first_and_every_file_is_a_language() -> None:
    assert languages()[0] == ENGLISH
    assert {f"{name}.toml" for name in languages()} == {each.name for each in (WEB / "texts").iterdir()}


def test_every_language_calls_itself_by_a_name_of_its_own() -> None:
    names = [catalogue(language)["language"] for language in languages()]
    assert len({*names}) == len(names)


@every_other_language
def test_every_language_has_exactly_the_keys_of_english(language: str) -> None:
    own, english = {*catalogue(language)}, {*catalogue(ENGLISH)}
    assert not english - own, "these are not translated"
    assert not own - english, "these are translated for nobody"


@every_other_language
def test_every_language_fills_in_the_same(language: str) -> None:
    own, english = catalogue(language), catalogue(ENGLISH)
    different = {
        key: text for key, text in own.items() if key in english and blanks(text) != blanks(english[key])
    }
    assert not different


@every_language
def test_what_is_filled_in_has_a_plain_name(language: str) -> None:
    for key, text in catalogue(language).items():
        assert all(re.fullmatch("[a-z]+", name) for name in blanks(text)), key
        assert all(not spec and not kind for _, _, spec, kind in Formatter().parse(text)), key


@every_language
def test_no_text_is_empty_or_frayed(language: str) -> None:
    for key, text in catalogue(language).items():
        assert text and text == " ".join(text.split()), key


@every_language
def test_no_text_has_html_in_it(language: str) -> None:
    for key, text in catalogue(language).items():
        assert not re.search(r"[<>]|&#?\w+;", text), key


# What is asked for is there, and nothing else


def test_every_text_that_a_template_asks_for_by_name_is_there() -> None:
    assert LITERAL
    assert not {each.where: each.key for each in LITERAL if each.key not in catalogue(ENGLISH)}


def test_every_text_that_the_code_asks_for_by_name_is_there() -> None:
    said = said_in_code()
    assert {"error.missing", "puzzle.no_level"} <= said
    assert not said - {*catalogue(ENGLISH)}


def test_every_key_that_a_template_puts_together_can_be_found() -> None:
    keys = "\n".join(catalogue(ENGLISH))
    assert not {each for each in BUILT if not re.search(f"^{_pattern(each)}$", keys, re.M)}


def test_every_blank_is_filled_by_who_asks() -> None:
    english = catalogue(ENGLISH)
    for each in LITERAL:
        if each.key in english and not each.open:
            assert blanks(english[each.key]) <= each.values, each


def test_every_text_is_asked_for_by_somebody() -> None:
    used = {each.key for each in LITERAL} | {text_of(part) for part in trees(CODE)}
    used |= {table + key for table in tables_of_refusals() for key in refusals()}
    used |= {key for key in catalogue(ENGLISH) if key.startswith(("effect.", "note."))}
    left = {*catalogue(ENGLISH)} - used
    assert not {key for key in left if not any(re.fullmatch(_pattern(each), key) for each in BUILT)}


def _pattern(built: str) -> str:
    return ".+".join(map(re.escape, built.split("*")))


# Whole families of texts, each as large as what it is about


def test_every_refusal_in_the_catalogue_is_made_somewhere() -> None:
    assert "refused." in tables_of_refusals()
    assert not under("refused.") - refusals()


def test_every_level_has_its_word() -> None:
    assert under("level.") == {*levels.LEVELS}
    assert under("puzzle.level_") == {str(level) for level in puzzles.LEVELS}


def test_every_kind_of_tile_has_its_word() -> None:
    assert under("kind.") == {*board.KINDS}


def test_every_verdict_has_its_word() -> None:
    moves = {each.replace(" ", "_") for each in review.VERDICTS}
    assert under("verdict.") == moves | {*get_args(claims.Verdict)}


def test_every_value_has_its_words() -> None:
    assert under("value.") == under("learn.value_") == {"win", "draw", "loss"}


def test_every_game_is_told_about() -> None:
    assert under("about.") == {*FIVE}


def test_every_option_and_choice_has_its_words() -> None:
    expected = set()
    for spec in map(registry.spec, FIVE):
        for each in options.declared(spec.rules):
            expected.add(f"{spec.name}.{each.name}")
            expected |= {f"{spec.name}.{each.name}_{choice}" for choice in each.metadata["choices"] or ()}
    assert under("option.") == expected


# Which language


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de", "de"),
        ("DE-at", "de"),
        ("de-DE,de;q=0.9,en;q=0.8", "de"),
        ("en;q=0.5, de;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.1", "en"),
        ("de, en", "de"),
        ("en, de", "en"),
        ("fr, es;q=0.9", "en"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_the_browser_is_heard(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


def test_who_chooses_is_heard_before_the_browser() -> None:
    assert preferred("de", "en") == "en"
    assert preferred("en", "de") == "de"


@pytest.mark.parametrize(
    "chosen", ["", "xx", "DE", "de.toml", "../texts/de", "../../../etc/passwd", "de\0", "d" * 10**6]
)
def test_nobody_can_choose_what_is_no_language(chosen: str) -> None:
    assert preferred("de", chosen) == "de"
    assert preferred("", chosen) == "en"


@pytest.mark.parametrize(
    "accepted",
    [
        ",",
        ";",
        ";q=",
        ";q=1",
        "de;q=abc",
        "de;q=nan",
        "de;q=nan,en;q=nan,de;q=1,en;q=nan",
        "de;q=inf,en;q=-inf",
        "de;q=1e999",
        "de;q=-1",
        "de;q=0x10",
        "de;q=1;q=1",
        "de;q=" + "9" * 10**6,
        "de;q=0." + "0" * 10**6,
        "d" * 10**6,
        "-" * 10**6,
        "," * 10**6,
        "xx;q=0.1," * 10**5 + "de",
        "de\r\nset-cookie: a=b",
        "\0\ud800\N{ARABIC-INDIC DIGIT ONE}",
        "../../../etc/passwd",
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_whatever_a_browser_sends_some_language_is_spoken(accepted: str) -> None:
    assert preferred(accepted) in languages()


def test_a_weight_that_is_none_does_not_count() -> None:
    assert preferred("de;q=abc") == "en"
    assert preferred("en;q=abc, de;q=0.1") == "de"


# What is said


def test_a_speaker_fills_in() -> None:
    assert speaker("en")("duel.player", number=2) == "Player 2"
    assert speaker("de")("duel.player", number=2) == "Spieler 2"


@every_language
def test_what_no_language_knows_is_said_as_its_default(language: str) -> None:
    say = speaker(language)
    assert say("refused.nonsense", "Too {large}.") == "Too {large}."
    assert say("refused.nonsense", "Too {large}.", large=7) == "Too 7."
    assert say("refused.nonsense") == "refused.nonsense"


@every_language
def test_what_is_filled_in_is_not_filled_in_again(language: str) -> None:
    assert "{number.__class__}" in speaker(language)("duel.player", number="{number.__class__}")


def test_what_a_language_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"en": {"one": "one {n}", "two": "two"}, "xx": {"two": "", "three": "III"}}
    monkeypatch.setattr(i18n, "catalogue", known.__getitem__)
    say = speaker.__wrapped__("xx")
    assert say("one", "a default", n=1) == "one 1"
    assert say("two", "a default") == "two"
    assert say("three", "a default") == "III"
    assert say("four", "a default") == "a default"


@every_language
def test_every_text_can_be_said(language: str) -> None:
    say = speaker(language)
    for key, text in catalogue(language).items():
        said = say(key, **dict.fromkeys(blanks(text), "7"))
        assert "{" not in said and "}" not in said, key
