"""What a browser chose for its last new game, kept in a cookie: game, opponent, level, rules, name."""

from __future__ import annotations

from urllib.parse import parse_qsl, quote, unquote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from numberduels.web.http import forms
from numberduels.web.http.forms import Fields

COOKIE = "last"

KEPT = ("game", "mode", "level", "rules", "name", "other", "seat", "clock", "best_of")
"""The fields that are kept; sizes and variants are not."""

MAX_KEPT = 60
"""Characters of a field."""


def last_choices(request: Request) -> Fields:
    """The choices of the last new game of this browser; empty if there are none.

    They come from a cookie, so they may be anything: a form marks only choices that exist.
    """
    pairs = parse_qsl(unquote(request.cookies.get(COOKIE, "")[:4_000]))
    return {name: text[:MAX_KEPT] for name, text in pairs if name in KEPT}


def keep_choices(request: Request, response: Response, fields: Fields) -> None:
    """Keep the choices of a form for the next one; what the form does not have stays as it was."""
    kept = last_choices(request) | {name: fields[name][:MAX_KEPT] for name in KEPT if name in fields}
    # Quoted twice: a cookie must not contain all that a query may.
    forms.set_cookie(request, response, COOKIE, quote(urlencode(kept), safe=""), forms.YEAR)
