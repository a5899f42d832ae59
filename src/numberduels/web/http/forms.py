"""What a request asks for: who asks, in which language, and what they filled in."""

from __future__ import annotations

import asyncio
import json
import unicodedata
from collections.abc import Callable, Sequence
from random import SystemRandom
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from numberduels import registry
from numberduels.spec import GameSpec
from numberduels.text import JOINERS, short
from numberduels.web.http.i18n import Say, preferred, speaker
from numberduels.web.http.validation import Schema, misfits
from numberduels.web.match.model import COMPUTER, HUMAN, LEVELS, OPEN, Refused, Sitting
from numberduels.web.match.service import Hall
from numberduels.web.match.tokens import fresh_secret, hashed

COOKIE, LANGUAGE = "duel", "language"
MODES = ("computer", "friend", "here")
"""Against whom: the computer, a friend who is invited, or somebody at the same screen."""
SEATS = ("1", "2", "random")
YEAR = 365 * 24 * 3600
LONGEST_NAME = 30


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
    set_cookie(request, response, COOKIE, found, YEAR)


def set_cookie(
    request: Request, response: Response, name: str, value: str, seconds: int, path: str = "/"
) -> None:
    """Let the browser keep something that no script can read, and that under HTTPS only HTTPS carries."""
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, seconds, path=path, secure=secure, httponly=True, samesite="lax")


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
        async with asyncio.timeout(request.app.state.settings.arrival):
            async for piece in request.stream():
                data += piece
                if len(data) > most:
                    raise Refused("too_long", f"A request has at most {most} bytes.", 413)
    except TimeoutError:
        raise Refused("slow", "The request took too long to arrive.", 408) from None
    except ClientDisconnect:  # nobody will read this, and it is no fault of ours
        raise Refused("gone", "The request was broken off.", 400) from None
    return data


async def form(request: Request, schema: Schema | Choose | None = None) -> dict[str, str]:
    """The fields of a form, or of a JSON object that fits the schema; of two of one name, the last."""
    data = await body(request)
    if request.headers.get("content-type", "").partition(";")[0].strip() == "application/json":
        return _fields(data, schema)
    try:
        pairs = parse_qsl(data.decode(), keep_blank_values=True, max_num_fields=100)
    except ValueError:
        raise Refused("unreadable", "That is no form.", 400) from None
    return dict(pairs)


Choose = Callable[[dict[str, Any]], Schema]
"""Finds the schema of an object by what it holds."""

KEYS = {"game": "unknown_game", "move": "illegal", "options": "option"} | {
    name: name for name in ("mode", "level", "seat")
}
"""The keys of refusals by the fields that they are about."""


def _check(found: dict[str, Any], schema: Schema) -> None:
    """Refuse what does not fit the schema."""
    wrong = next(misfits(schema, found, {}), None)
    if wrong is None:
        return
    name = wrong.path[0]
    if name == "ply":
        raise Refused("unreadable", "The ply is a count of moves.", 400)
    if name == "invitation":
        raise Refused("uninvited", "That is not an invitation to this game.", 403)
    path = wrong.path[1:] if name == "options" and wrong.path[1:] else wrong.path
    text = f"{'.'.join(map(_name, path))} must be {wrong.expected}"
    raise Refused(KEYS.get(name, "field"), sentence(ValueError(text)), 422, name)


def _name(text: str) -> str:
    return text if text.replace("_", "").isalnum() and text.isascii() and len(text) < 30 else short(text)


def _fields(data: bytes, schema: Schema | Choose | None) -> dict[str, str]:
    """The fields of a JSON object as texts; those of an object within it have both names, with a dot."""
    fields: dict[str, str] = {}
    try:
        found = json.loads(data or b"{}")
        if not isinstance(found, dict):
            raise ValueError
        if schema:
            _check(found, schema(found) if callable(schema) else schema)
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
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = "" if value is None else "yes" if value is True else "" if value is False else str(value)
    # Half a character can be written in JSON, and nowhere else.
    return text.encode("utf-8", "ignore").decode()


class Told(NamedTuple):
    """A refusal as a page says it."""

    text: str
    english: bool
    """Whether the page has no words of its own for it."""
    field: str
    """The form field that it stands beside, if any."""


def told(request: Request, fault: Refused, spec: GameSpec | None = None) -> Told:
    """A refusal in the language of the page; options of the spec are called as its forms call them."""
    say, key, values = saying(request), f"refused.{fault.sentence}", dict(fault.values)
    if spec and "option" in values:
        values["option"] = say(f"option.{spec.name}.{values['option']}", str(values["option"]))
    text = say(key, "", **values)
    return Told(str(fault), True, fault.field) if text == key else Told(text, False, fault.field)


def _or(words: Sequence[str]) -> str:
    """The words as a choice.

    >>> _or(["1", "2", "random"])
    '1, 2 or random'
    """
    return f"{', '.join(words[:-1])} or {words[-1]}"


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


def requested_spec(name: str) -> GameSpec | None:
    """The spec of this name, if there is one."""
    try:
        return registry.spec(name)
    except registry.UnknownGame:
        return None


def number(text: str | None) -> int | None:
    """A count, if it is one."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else None


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
            raise Refused("level", f"There is no level {short(level)}; choose {_or(LEVELS)}.", 422, "level")
        other = Sitting(COMPUTER, level=level)
    else:
        raise Refused("mode", f"There is no mode {short(mode)}; choose {_or(MODES)}.", 422, "mode")
    seat = _seat(fields.get("seat", "1"))
    return ([me, other] if seat == 0 else [other, me]), seat


def _seat(text: str) -> int:
    if text == "random":
        return SystemRandom().randrange(2)
    if text not in SEATS:
        raise Refused("seat", f"There is no seat {short(text)}; choose {_or(SEATS)}.", 422, "seat")
    return int(text) - 1
