"""Responses to errors: JSON under /api/, a page elsewhere."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from numberduels.game.messages import Message
from numberduels.web.errors import UserError, status_of
from numberduels.web.http.rendering import page
from numberduels.web.http.responses import Fault, json_response
from numberduels.web.http.services import services
from numberduels.web.match.service import MatchNotFound
from numberduels.web.match.state import State, state_of
from numberduels.web.store.base import Unavailable

log = logging.getLogger("numberduels.web")

HEADERS = {401: {"www-authenticate": "Bearer"}, 429: {"retry-after": "1"}, 503: {"retry-after": "2"}}
"""Headers of errors by their status."""

AWAY = Message("The games cannot be reached just now. Nothing is lost; try again in a moment.")


def _is_api(request: Request) -> bool:
    return request.url.path.startswith("/api/")


def _respond(
    request: Request, status: int, key: str, text: str, page_text: str = "", state: State | None = None
) -> Response:
    headers = HEADERS.get(status, {})
    if _is_api(request):
        # msgspec encodes no subclass of str, such as Message.
        return json_response(Fault(error=str(text), key=key, state=state), status, headers)
    response = page(request, "error.html", status, text=page_text or text)
    response.headers.update(headers)
    return response


async def on_user_error(request: Request, error: Exception) -> Response:
    """A request that cannot be fulfilled; bots also get the state as it is now."""
    assert isinstance(error, UserError)
    state = None
    if _is_api(request) and "duel" in request.path_params:
        state = state_of(await services(request).matches.get(request.path_params["duel"]))
    return _respond(request, status_of(error), error.key, str(error), error.text, state)


async def on_match_not_found(request: Request, _: Exception) -> Response:
    """There is no such match."""
    return _respond(request, 404, "missing", Message("There is no such game."))


async def on_unavailable(request: Request, error: Exception) -> Response:
    """The store is unavailable: nothing was written."""
    log.error(json.dumps({"event": "store away", "path": request.url.path, "fault": str(error)}))
    return _respond(request, 503, "away", AWAY)


async def on_http_error(request: Request, error: Exception) -> Response:
    """There is no such address, or it does not support the method."""
    assert isinstance(error, HTTPException)
    key = "method" if error.status_code == 405 else "missing"
    response = _respond(request, error.status_code, key, error.detail, Message("There is no such page."))
    response.headers.update(error.headers or {})
    return response


async def on_exception(request: Request, error: Exception) -> Response:
    """A bug."""
    log.error(json.dumps({"event": "fault", "path": request.url.path}), exc_info=error)
    text = "Something went wrong on our side. Nothing is lost."
    return _respond(request, 500, "broken", text) if _is_api(request) else PlainTextResponse(text, 500)


HANDLERS: Mapping[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
    UserError: on_user_error,
    MatchNotFound: on_match_not_found,
    Unavailable: on_unavailable,
    HTTPException: on_http_error,
    Exception: on_exception,
}
"""The handler of each exception."""
