"""The home page with its form for a new game, and the games that it creates.

The form has one field `game`, and fields of each game with its name before them, such as
`range-war.options.size`: only those of the chosen game count. What was chosen last is kept in a cookie.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from numberduels.engine.levels import LADDER
from numberduels.game import registry
from numberduels.web.errors import UserError
from numberduels.web.http import commands, forms, games_page
from numberduels.web.http.choices import keep_choices, last_choices
from numberduels.web.http.forms import Fields
from numberduels.web.http.rendering import page
from numberduels.web.http.statuses import status_of
from numberduels.web.store.log import Unavailable

MOST_CURRENT = 4
"""Games in progress on the home page."""

WEEK = 7 * 24 * 3600


def own_fields(fields: Fields) -> Fields:
    """The fields of the chosen game under their plain names, without those of other games.

    >>> own_fields({"game": "range-war", "range-war.rules": "book", "number-snatch.rules": "balanced"})
    {'game': 'range-war', 'rules': 'book'}
    """
    games = {spec.name for spec in registry.specs()}
    found: Fields = {}
    for name, text in fields.items():
        game, dot, rest = name.partition(".")
        if not dot or game not in games:
            found[name] = text
        elif game == fields.get("game"):
            found[rest] = text
    return found


async def home(request: Request) -> Response:
    """The home page: games in progress, and the form for a new one. `?game=` chooses a game."""
    filled = last_choices(request)
    asked = request.query_params.get("game", "")
    if forms.requested_spec(asked):
        filled["game"] = asked
    return await _home(request, 200, filled)


async def _home(
    request: Request, status: int, filled: Fields, error: forms.ErrorText | None = None
) -> Response:
    try:
        found, _ = await games_page.entries(request)
    except Unavailable:  # the database is away: the page itself needs none
        found = []
    current = [entry for entry in found if entry.group != "over"]
    current.sort(key=lambda entry: (entry.group != "yours", -entry.match.updated))
    game = filled.get("game", "")
    values: dict[str, Any] = {
        "error": error,
        "filled": filled,
        "chosen": game if forms.requested_spec(game) else next(iter(registry.specs())).name,
        "current": current[:MOST_CURRENT],
        "more": len(current) > MOST_CURRENT,
        "any_games": bool(found),
        "ladder": LADDER,
    }
    return page(request, "home.html", status, url="/", **values)


async def new(request: Request) -> Response:
    """Create a match from a form."""
    fields = own_fields(await forms.form(request))
    secret = forms.browser_secret(request)
    try:
        match, invitation, _ = await commands.create(request, fields, secret)
    except UserError as error:
        shown_error = forms.error_text(request, error, forms.requested_spec(fields.get("game", "")))
        return await _home(request, status_of(error), fields, shown_error)
    url = f"/g/{match.id}"
    response = RedirectResponse(url, 303)
    forms.set_secret_cookie(request, response, secret)
    keep_choices(request, response, fields)
    if invitation:
        # Only the browser of the creator keeps the invitation.
        forms.set_cookie(request, response, f"invitation_{match.id}", invitation, WEEK, url)
    return response


async def back(_: Request) -> Response:
    """The address of the form, opened as a page: after an error the browser shows it."""
    return RedirectResponse("/", 303)


ROUTES = [Route("/", home), Route("/new", new, methods=["POST"]), Route("/new", back)]
