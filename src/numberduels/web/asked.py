"""What a request asks for: who asks, in which language, and what they filled in."""

from __future__ import annotations

import asyncio
import json
import unicodedata
from dataclasses import Field
from random import SystemRandom
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from numberduels import options
from numberduels.rooms import Room
from numberduels.text import short
from numberduels.web.duel import COMPUTER, HUMAN, LEVELS, OPEN, Refused, Sitting
from numberduels.web.hall import Hall
from numberduels.web.secrets import fresh_secret, hashed
from numberduels.web.settings import Settings
from numberduels.web.texts import Say, preferred, speaker

COOKIE, LANGUAGE = "duel", "language"
YEAR = 365 * 24 * 3600
LONGEST_NAME = 30
JOINERS = "\u200c\u200d"
"""What cannot be seen, and yet belongs to words of Persian and Hindi, and to joined pictures."""
SLOWEST = 15.0
"""Seconds in which a request must have arrived."""
MOST_MOVES = 200
"""Legal moves that a page can show."""


def hall(request: Request) -> Hall:
    """The hall of this server."""
    found: Hall = request.app.state.hall
    return found


def secret(request: Request) -> str:
    """What only this browser, or this bot, knows; nothing if it has not been told."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    return request.cookies.get(COOKIE, "")


def key(request: Request) -> str:
    """The hash of that."""
    return hashed(secret(request))


def remember(request: Request, response: Response, found: str) -> None:
    """Let the browser keep its secret."""
    response.set_cookie(
        COOKIE, found, max_age=YEAR, httponly=True, samesite="lax", secure=request.url.scheme == "https"
    )


def own_secret(request: Request) -> str:
    """The secret of this browser, a new one if it has none."""
    found = secret(request)
    return found if len(found) >= 16 else fresh_secret()


def token(request: Request) -> str:
    """The token of a bot, a new one if it has none: what a cookie holds is never told, even to its owner."""
    scheme, _, found = request.headers.get("authorization", "").partition(" ")
    return found.strip() if scheme.lower() == "bearer" and len(found.strip()) >= 16 else fresh_secret()


def language(request: Request) -> str:
    """The language of the pages."""
    chosen = request.query_params.get(LANGUAGE) or request.cookies.get(LANGUAGE, "")
    return preferred(request.headers.get("accept-language", ""), chosen)


def saying(request: Request) -> Say:
    """What says the texts of the pages."""
    return speaker(language(request))


async def body(request: Request) -> bytes:
    """All of the request, unless that is too much."""
    most = request.app.state.settings.body
    data = b""
    try:
        async with asyncio.timeout(SLOWEST):
            async for piece in request.stream():
                data += piece
                if len(data) > most:
                    raise Refused("too_long", f"A request has at most {most} bytes.", 413)
    except TimeoutError:
        raise Refused("slow", "The request took too long to arrive.", 408) from None
    except ClientDisconnect:  # nobody will read this, and it is no fault of ours
        raise Refused("gone", "The request was broken off.", 400) from None
    return data


async def form(request: Request) -> dict[str, str]:
    """The fields of a form, or of a JSON object; of a field that comes twice, the last."""
    data = await body(request)
    if request.headers.get("content-type", "").partition(";")[0].strip() == "application/json":
        return _fields(data)
    try:
        pairs = parse_qsl(data.decode(), keep_blank_values=True, max_num_fields=100)
    except ValueError:
        raise Refused("unreadable", "That is no form.", 400) from None
    return dict(pairs)


def _fields(data: bytes) -> dict[str, str]:
    """The fields of a JSON object as texts; those of an object within it have both names, with a dot."""
    fields: dict[str, str] = {}
    try:
        found = json.loads(data or b"{}")
        if not isinstance(found, dict):
            raise ValueError
        for name, value in found.items():
            inner = value.items() if isinstance(value, dict) else [("", value)]
            for part, each in inner:
                fields[f"{name}.{part}" if part else name] = _text(each)
    except (ValueError, RecursionError):  # what is nested too deeply is no object of ours
        raise Refused("unreadable", "That is no JSON object.", 400) from None
    return fields


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(_text, value[:1_000]))
    text = "" if value is None else "yes" if value is True else "" if value is False else str(value)
    # Half a character can be written in JSON, and nowhere else.
    return text.encode("utf-8", "ignore").decode()


def sentence(fault: Exception) -> str:
    """A fault as a sentence.

    >>> sentence(ValueError("size is too large")), sentence(ValueError("size: 'x' is not a number."))
    ('Size is too large.', "Size: 'x' is not a number.")
    """
    text = str(fault).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def name(text: str) -> str:
    """A name as it is kept: what cannot be seen is left out, and the rest is not too long."""
    kept = (each for each in unicodedata.normalize("NFC", text) if each.isprintable() or each in JOINERS)
    seen = "".join(kept).strip(JOINERS)
    return " ".join(seen.split())[:LONGEST_NAME].strip()


def number(text: str | None) -> int | None:
    """A count, if it is one."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else None


def game(room: Room, fields: dict[str, str], settings: Settings) -> Any:
    """The game that a form asks for, no larger than visitors may have it."""
    texts = {}
    for each in options.declared(room.game):
        text = fields.get(f"options.{each.name}", "").strip()
        if text:
            texts[each.name] = text[:2_000]
    known = {f"options.{each.name}" for each in options.declared(room.game)}
    for given in fields:
        if given.startswith("options.") and given not in known:
            raise Refused("option", f"{room.title} has no option {short(given[8:])}.", 422)
    try:
        for each in options.declared(room.game):
            if each.name in texts:
                _small_enough(each, options.read(each, texts[each.name]), settings.largest)
        found = room.make(texts)
    except ValueError as fault:
        raise Refused("option", sentence(fault), 422) from None
    if len(found.moves(found.start(SystemRandom()))) > MOST_MOVES:
        raise Refused("large", "That game has too many moves for a page.", 422)
    return found


def _small_enough(each: Field[Any], value: Any, most: int) -> None:
    """Refuse what is too large for a page, before anything of that size is made."""
    if (isinstance(value, int) and value > _allowed(each.default, most)) or (
        isinstance(value, tuple) and (len(value) > most or max(value, default=0) > 10 * most)
    ):
        raise Refused("large", f"{each.name} {short(options.shown(value))} is too large for a page.", 422)


def _allowed(default: Any, most: int) -> int:
    """How large a size may be: a target grows faster than what it is made of."""
    return most * max(1, default // 10) if isinstance(default, int) else most


def sittings(fields: dict[str, str], own: str) -> tuple[list[Sitting], int]:
    """Who sits where, by what a form asks for, and which seat is the asker's."""
    me = Sitting(HUMAN, name(fields.get("name", "")), key=own)
    mode = fields.get("mode", "computer")
    if mode == "here":
        return [me, Sitting(HUMAN, name(fields.get("other", "")), key=own)], 0
    if mode == "friend":
        other = Sitting(OPEN)
    elif mode == "computer":
        level = fields.get("level", "casual")
        if level not in LEVELS:
            raise Refused("level", f"There is no level {short(level)}.", 422)
        other = Sitting(COMPUTER, level=level)
    else:
        raise Refused("mode", f"There is no way to play called {short(mode)}.", 422)
    seat = _seat(fields.get("seat", "1"))
    return ([me, other] if seat == 0 else [other, me]), seat


def _seat(text: str) -> int:
    if text == "random":
        return SystemRandom().randrange(2)
    if text not in ("1", "2"):
        raise Refused("seat", "A seat is 1, 2 or random.", 422)
    return int(text) - 1
