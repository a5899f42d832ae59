"""Templates rendered as pages, and what templates call: boards, rules, QR codes, the next game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from numberduels.game import options, registry
from numberduels.game.contract import Unreadable
from numberduels.game.spec import GameSpec
from numberduels.players import LEVELS
from numberduels.web.http import assets, forms, i18n
from numberduels.web.http.i18n import ENGLISH, Translator, languages, translator
from numberduels.web.match.events import Seats
from numberduels.web.match.model import OVER, Match

WIDE, TALL, SHORT = 1.9, 0.8, 1.8
"""Width by height of the room for tiles: on a wide screen, on a tall one such as a phone, and on a phone
whose browser, or the rest of the page, leaves little height."""

MOST_COLUMNS = {WIDE: 12, TALL: 7, SHORT: 7}
"""More columns would make tiles too narrow for a finger."""

LEAST = 0.1
"""The least size of a tile, as a part of the height: tiles do not become smaller, and the page scrolls."""

ROUND_BONUS = 1.1
"""Rows of five or ten numbers are easy to read."""

INCOMPLETE, HARDLY_SEEN = 0.75, 0.95
"""A last row that is not full looks bad, but below three others it is hardly seen."""

KEYPAD = 3
"""In so many columns a last tile by itself stands in the middle, as on a telephone."""

MOST_ROWS = 12
"""With more rows than this, tiles have their least size."""


@cache
def tile_grid(count: int) -> str:
    """The classes of a board with this many tiles: columns and rows on a tall, a short and a wide screen.

    >>> tile_grid(10), tile_grid(9)
    ('tc-3 tr-4 sc-5 sr-2 wc-5 wr-2', 'tc-3 tr-3 sc-3 sr-3 wc-3 wr-3')
    """
    grids = {"t": best_grid(count, TALL), "s": best_grid(count, SHORT), "w": best_grid(count, WIDE)}
    return " ".join(
        f"{letter}c-{columns} {letter}r-{min(rows, MOST_ROWS)}" for letter, (columns, rows) in grids.items()
    )


def best_grid(count: int, ratio: float) -> tuple[int, int]:
    """Columns and rows for the largest square tiles in a room with this ratio of width to height.

    >>> best_grid(24, WIDE), best_grid(42, WIDE), best_grid(100, TALL)
    ((6, 4), (10, 5), (7, 15))
    """

    def worth(columns: int) -> tuple[float, int]:
        rows = -(-count // columns)
        size = min(ratio / columns, 1 / rows)
        if size < LEAST:
            return 0, columns
        size *= ROUND_BONUS if columns in (5, 10) else 1
        full = count % columns == 0 or (columns == KEYPAD and count % columns == 1)
        if not full:
            size *= INCOMPLETE if rows <= KEYPAD else HARDLY_SEEN
        return round(size, 6), columns

    columns = max(range(1, min(max(count, 1), MOST_COLUMNS[ratio]) + 1), key=worth)
    return columns, -(-count // columns)


MAX_HEADING = 6
"""The lowest level of headings in HTML."""


@lru_cache(64)
def rendered(text: str, shift: int = 1) -> Markup:
    """The text as HTML without its title; the other headings are `shift` levels lower.

    >>> rendered("# Title\\n## Rules\\nTake *one*.").splitlines()
    [Markup('<h3>Rules</h3>'), Markup('<p>Take <em>one</em>.</p>')]
    >>> print(rendered("<script>alert(1)</script>").strip())
    <p>&lt;script&gt;alert(1)&lt;/script&gt;</p>
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = _untitled(parser.parse(text))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + shift, MAX_HEADING)}"
    # The parser has escaped everything.
    return Markup(parser.renderer.render(tokens, parser.options, {}))


def _untitled(tokens: list[Token]) -> list[Token]:
    """The tokens without the title: the page shows it elsewhere."""
    titled = bool(tokens) and tokens[0].type == "heading_open" and tokens[0].tag == "h1"
    return tokens[3:] if titled else tokens


TERMINAL = ("Options", "At the prompt")
"""Headings of the sections about the command line, in English."""


class RulesText(NamedTuple):
    """The rules in one language, as HTML."""

    short: str
    """What the game is about, in a paragraph."""
    sections: Sequence[tuple[str, str]]
    """Every other section: its heading and its text."""
    is_english: bool
    """Whether they are in English because nobody translated them."""

    @property
    def how_to_play(self) -> str:
        """The first section, which is enough to play; empty if there is none."""
        return self.sections[0][1] if self.sections else ""


@cache
def rules_for(spec: GameSpec, language: str) -> RulesText:
    """The rules of a game in this language, or in English. A translation has the same sections.

    >>> from numberduels.game import registry
    >>> [heading for heading, _ in rules_for(registry.spec("range-war"), "en").sections]
    ['How to play', 'An example', 'How to win', 'When the stuck player wins', 'Readings']
    """
    translated = None if language == ENGLISH else spec.resource(f"locale/{language}/rules.md")
    english = _sections(spec.rulebook())
    shown = _sections(translated or spec.rulebook())
    kept = [
        (heading, rendered(text))
        for (name, _), (heading, text) in zip(english, shown, strict=False)
        if name not in TERMINAL
    ]
    return RulesText(kept[0][1], kept[1:], language != ENGLISH and not translated)


def _sections(book: str) -> list[tuple[str, str]]:
    """The heading and the text of each section; the first one has no heading."""
    first, *others = re.split("^## ", book, flags=re.MULTILINE)
    parts = (each.partition("\n") for each in others)
    return [("", first), *((heading.strip(), text) for heading, _, text in parts)]


QUIET_ZONE = 4
"""Modules of white around the code, as its standard asks for."""


def qr_code(url: str) -> Markup:
    """The link as an SVG element, dark on light in every theme.

    >>> qr_code("https://duels.example/").startswith("<svg")
    True
    """
    code = segno.make(url, error="m", micro=False)
    return Markup(
        code.svg_inline(
            border=QUIET_ZONE, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True
        )
    )


def next_level(match: Match, seats: Seats) -> str:
    """The level to play next: a stronger one after a win or a tie, a weaker one after a loss; else empty."""
    level = next((info.level for info in match.seat_infos if info.level), "")
    if match.status != OVER or match.is_first_of_two or not seats or level not in LEVELS:
        return ""
    at = LEVELS.index(level) + (1 if match.winner is None or match.winner in seats else -1)
    return LEVELS[at] if 0 <= at < len(LEVELS) else ""


def new_game_fields(match: Match, seats: Seats) -> dict[str, str]:
    """The fields of the form, except the level: the same rules and the same name, but a new deal."""
    fields = {"game": match.spec.name, "mode": "computer", "seat": "random"}
    if seats:
        fields["name"] = match.seat_infos[seats[0]].name
    rules = [each.key for each in match.spec.rule_sets if each.games == match.games]
    if match.games > 1 and rules:
        fields["rules"] = rules[0]
    for each in options.declared(match.spec.rules):
        if not isinstance(each.default, tuple):  # a list of numbers is the deal
            fields[f"options.{each.name}"] = options.format_value(getattr(match.game, each.name))
    return fields


MAX_QUERY = 1000
"""Characters of a query that links to the same page in other languages and colours repeat."""


@cache
def environment() -> Environment:
    """The Jinja environment: everything is escaped, and an undefined name is an error."""
    found = Environment(
        loader=PackageLoader("numberduels.web.http"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {
        "static": assets.asset_url,
        "labels": i18n,
        "languages": {code: translator(code)(i18n.LANGUAGE_NAME) for code in languages()},
        "specs": registry.specs,
        "levels": LEVELS,
        "declared": lambda spec: options.declared(spec.rules),
        "option_text": options.format_value,
        "tile_grid": tile_grid,
        "say_move": say_move,
        "rules_for": rules_for,
        "next_level": next_level,
        "new_game_fields": new_game_fields,
        "qr_code": qr_code,
    }
    return found


def page(request: Request, template: str, status: int = 200, url: str = "", **values: Any) -> Response:
    """Render a template in the language and the colours of the visitor.

    `url` is the address of the page, if it is not the address of the request.
    """
    language, theme = forms.language(request), forms.theme(request)
    own = url or _own_url(request, status)
    text = (
        environment()
        .get_template(template)
        .render(
            _=translator(language),
            language=language,
            language_urls=_urls_with(own, forms.LANGUAGE, languages()),
            preview_query="" if language == ENGLISH else f"?{forms.LANGUAGE}={language}",
            theme=theme,
            theme_urls=_urls_with(own, forms.THEME, forms.THEMES),
            status=status,
            site=str(request.base_url).rstrip("/"),
            known=bool(forms.secret(request)),
            **values,
        )
    )
    response = HTMLResponse(text, status)
    for name, chosen in ((forms.LANGUAGE, language), (forms.THEME, theme)):
        if request.query_params.get(name) == chosen:
            forms.set_cookie(request, response, name, chosen, forms.YEAR)
    return response


def say_move(_: Translator, game: Any, move: str) -> str:
    """A move, given as records write it, as a person says it; any other answer to a puzzle as it is.

    >>> from numberduels.games.number_collision import spec
    >>> say_move(translator("de"), spec.make(), "3@5")
    '3 auf Feld 5'
    """
    spec = registry.spec_of(game)
    text = spec.text_for(game)
    try:
        return _.for_game(spec.name)(text.spoken(text.parse_move(move)))
    except Unreadable:
        return move


def _own_url(request: Request, status: int) -> str:
    """The address of the requested page; the home page if there is no such page."""
    if request.method not in ("GET", "HEAD") or status in (404, 405):
        return "/"
    settings = (forms.LANGUAGE, forms.THEME)
    query = [(name, text) for name, text in request.query_params.multi_items() if name not in settings]
    text = urlencode(query)
    return request.url.path + (f"?{text}" if 0 < len(text) <= MAX_QUERY else "")


def _urls_with(url: str, name: str, choices: Iterable[str]) -> dict[str, str]:
    """The address of the same page with each choice of a setting.

    >>> _urls_with("/learn?m=3", "language", ["de"])
    {'de': '/learn?m=3&language=de'}
    """
    joint = "&" if "?" in url else "?"
    return {choice: f"{url}{joint}{name}={choice}" for choice in choices}
