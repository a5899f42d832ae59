"""Pages that lead to a seat: the home page with its form for a new game, invitations, another device.

The form has one field `game`, and fields of each game with its name before them, such as
`range-war.options.size`: only those of the chosen game count. What was chosen last is kept in a cookie.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from numberduels.game import registry
from numberduels.players import LADDER
from numberduels.web.errors import UserError, status_of
from numberduels.web.http import commands, forms, my_games
from numberduels.web.http.forms import Fields, keep_choices, last_choices
from numberduels.web.http.match_pages import requested_match
from numberduels.web.http.rendering import page
from numberduels.web.http.services import services
from numberduels.web.match import seating
from numberduels.web.match.model import Match
from numberduels.web.match.seating import UNUSABLE_LINK, hash_secret, read_device_token
from numberduels.web.match.service import MatchNotFound
from numberduels.web.store.base import Unavailable

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
        found, _ = await my_games.entries(request)
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


# Invitations


async def show_invitation(request: Request) -> Response:
    """The page that an invitation link leads to."""
    match = await requested_match(request)
    if match.seats_of(forms.key(request)):
        return RedirectResponse(f"/g/{match.id}", 303)
    name = last_choices(request).get("name", "")
    return _invitation_page(request, match, request.query_params.get("key", ""), name)


def _invitation_page(
    request: Request, match: Match, key: str, name: str = "", error: UserError | None = None
) -> Response:
    """The form to accept an invitation, or the reason why it cannot be accepted."""
    usable = True
    try:
        seating.join(match, "", "", hash_secret(key))
    except UserError as reason:
        usable, error = False, reason
    url = f"/g/{match.id}/join?{urlencode({'key': key})}"
    return _page(request, "join.html", url, error, match=match, key=key, name=name, usable=usable)


def _page(request: Request, template: str, url: str, error: UserError | None, **values: Any) -> Response:
    """A page that may show an error, with the status of the error."""
    status, text = (status_of(error), forms.error_text(request, error)) if error else (200, None)
    return page(request, template, status, url=url, error=text, **values)


async def join(request: Request) -> Response:
    """Take the free seat."""
    fields = await forms.form(request)
    secret = forms.browser_secret(request)
    try:
        match = await commands.join(request, fields, secret)
    except UserError as error:
        match = await requested_match(request)
        return _invitation_page(request, match, fields.get("invitation", ""), fields.get("name", ""), error)
    response = RedirectResponse(f"/g/{match.id}", 303)
    forms.set_secret_cookie(request, response, secret)
    keep_choices(request, response, {"name": fields.get("name", "")})
    return response


# Other devices


async def show_carry_link(request: Request) -> Response:
    """The page that a link to another device leads to; it needs a click, because previews open links, too."""
    token = request.path_params["token"]
    match_id, secret = read_device_token(token)
    try:
        match = await services(request).matches.get(match_id)
        if match.seats_of(forms.key(request)):
            return RedirectResponse(f"/g/{match.id}", 303)
        seating.use_device_link(match, hash_secret(secret), "", services(request).matches.now())
    except MatchNotFound:
        return _carry_page(request, token, None, UserError("no_link", UNUSABLE_LINK))
    except UserError as error:
        return _carry_page(request, token, match, error)
    return _carry_page(request, token, match)


def _carry_page(
    request: Request, token: str, match: Match | None, error: UserError | None = None
) -> Response:
    return _page(request, "carry.html", f"/carry/{quote(token)}", error, token=token, match=match)


async def carry(request: Request) -> Response:
    """Take a seat along to this device."""
    token, secret = request.path_params["token"], forms.browser_secret(request)
    try:
        match = await commands.use_device_link(request, token, secret)
    except UserError as error:
        return _carry_page(request, token, None, error)
    response = RedirectResponse(f"/g/{match.id}", 303)
    forms.set_secret_cookie(request, response, secret)
    return response


ROUTES = [
    Route("/", home),
    Route("/new", new, methods=["POST"]),
    Route("/new", back),
    Route("/g/{duel}/join", show_invitation),
    Route("/g/{duel}/join", join, methods=["POST"]),
    Route("/carry/{token}", show_carry_link),
    Route("/carry/{token}", carry, methods=["POST"]),
]
