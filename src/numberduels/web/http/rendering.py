"""Templates rendered as pages, in the language and the colours of the visitor."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from numberduels.engine.levels import LEVELS
from numberduels.game import options, registry
from numberduels.game.contract import Unreadable
from numberduels.web.http import assets, forms, labels
from numberduels.web.http.board_layout import frame_size, tile_grid
from numberduels.web.http.i18n import ENGLISH, Translator, languages, translator
from numberduels.web.http.next_game import new_game_fields, next_level
from numberduels.web.http.qr import qr_code
from numberduels.web.http.rule_pages import rules_for

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
        "labels": labels,
        "languages": {code: translator(code)(labels.LANGUAGE_NAME) for code in languages()},
        "specs": registry.specs,
        "levels": LEVELS,
        "declared": lambda spec: options.declared(spec.rules),
        "option_text": options.format_value,
        "tile_grid": tile_grid,
        "frame_size": frame_size,
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
