"""Pages that links to a seat lead to: an invitation, and a seat taken along from another device."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from numberduels.web.errors import UserError
from numberduels.web.http import commands, forms
from numberduels.web.http.choices import keep_choices, last_choices
from numberduels.web.http.match_view import requested_match
from numberduels.web.http.rendering import page
from numberduels.web.http.services import services
from numberduels.web.http.statuses import status_of
from numberduels.web.match import seating
from numberduels.web.match.model import Match
from numberduels.web.match.seating import UNUSABLE_LINK
from numberduels.web.match.service import MatchNotFound
from numberduels.web.match.tokens import hash_secret, read_carry_token

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
    return page(
        request,
        "join.html",
        status_of(error) if error else 200,
        url=f"/g/{match.id}/join?{urlencode({'key': key})}",
        match=match,
        key=key,
        name=name,
        usable=usable,
        error=forms.error_text(request, error) if error else None,
    )


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
    match_id, secret = read_carry_token(token)
    try:
        match = await services(request).matches.get(match_id)
        if match.seats_of(forms.key(request)):
            return RedirectResponse(f"/g/{match.id}", 303)
        seating.carry(match, hash_secret(secret), "", services(request).matches.now())
    except MatchNotFound:
        return _carry_page(request, token, None, UserError("no_link", UNUSABLE_LINK))
    except UserError as error:
        return _carry_page(request, token, match, error)
    return _carry_page(request, token, match)


def _carry_page(
    request: Request, token: str, match: Match | None, error: UserError | None = None
) -> Response:
    return page(
        request,
        "carry.html",
        status_of(error) if error else 200,
        url=f"/carry/{quote(token)}",
        token=token,
        match=match,
        error=forms.error_text(request, error) if error else None,
    )


async def carry(request: Request) -> Response:
    """Take a seat along to this device."""
    token, secret = request.path_params["token"], forms.browser_secret(request)
    try:
        match = await commands.carry(request, token, secret)
    except UserError as error:
        return _carry_page(request, token, None, error)
    response = RedirectResponse(f"/g/{match.id}", 303)
    forms.set_secret_cookie(request, response, secret)
    return response


ROUTES = [
    Route("/g/{duel}/join", show_invitation),
    Route("/g/{duel}/join", join, methods=["POST"]),
    Route("/carry/{token}", show_carry_link),
    Route("/carry/{token}", carry, methods=["POST"]),
]
