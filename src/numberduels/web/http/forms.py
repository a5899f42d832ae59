"""Reads requests: the secret of the visitor, the language, the fields of a form or of a JSON body."""

from __future__ import annotations

import asyncio
import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from random import SystemRandom
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode

from msgspec import Struct, ValidationError, convert
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from numberduels.game import options, registry
from numberduels.game.contract import Seat
from numberduels.game.formatting import JOINERS, short
from numberduels.game.messages import Message, mark
from numberduels.game.spec import GameSpec
from numberduels.players import LEVELS
from numberduels.web.errors import UserError, sentence
from numberduels.web.http.i18n import option_label, preferred, translator
from numberduels.web.http.services import services
from numberduels.web.match.events import BEST_OF, CLOCKS, COMPUTER, HUMAN, NO_CLOCK, OPEN, SeatInfo
from numberduels.web.match.seating import UNINVITED, hash_secret, new_secret

COOKIE, LANGUAGE, THEME = "duel", "language", "theme"
THEMES = ("auto", "light", "dark")
"""The colours of the pages: those that the visitor's system asks for, or always these."""
MODES = ("computer", "friend", "here")
"""The opponent: the computer, a friend who is invited, or somebody at the same screen."""
SEATS = ("1", "2", "random")
YEAR = 365 * 24 * 3600
MAX_NAME = 30
"""Characters of a player's name."""
MIN_TOKEN = 16
"""Characters of a token that a client may choose."""

Fields = dict[str, str]

# Who sends the request


def secret(request: Request) -> str:
    """The secret of this browser (a cookie) or bot (a token); empty if there is none."""
    return _bearer_token(request) if _has_bearer(request) else request.cookies.get(COOKIE, "")


def key(request: Request) -> str:
    """The hash of the secret."""
    return hash_secret(secret(request))


def browser_secret(request: Request) -> str:
    """The secret of this browser; a new one if it has none."""
    found = secret(request)
    return found if len(found) >= MIN_TOKEN else new_secret()


def bot_token(request: Request) -> str:
    """The token of a bot; a new one if it has none. It is sent back, so a cookie is never used for it."""
    found = _bearer_token(request) if _has_bearer(request) else ""
    return found if len(found) >= MIN_TOKEN else new_secret()


def _has_bearer(request: Request) -> bool:
    return request.headers.get("authorization", "").partition(" ")[0].lower() == "bearer"


def _bearer_token(request: Request) -> str:
    return request.headers.get("authorization", "").partition(" ")[2].strip()


def set_secret_cookie(request: Request, response: Response, found: str) -> None:
    """Let the browser keep its secret."""
    set_cookie(request, response, COOKIE, found, YEAR)


def set_cookie(
    request: Request, response: Response, name: str, value: str, seconds: int, path: str = "/"
) -> None:
    """Set a cookie that scripts cannot read, and that an HTTPS site sends by HTTPS only."""
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, seconds, path=path, secure=secure, httponly=True, samesite="lax")


def language(request: Request) -> str:
    """The language of the pages for this visitor."""
    chosen = request.query_params.get(LANGUAGE) or request.cookies.get(LANGUAGE, "")
    return preferred(request.headers.get("accept-language", ""), chosen)


def theme(request: Request) -> str:
    """The colours of the pages for this visitor, one of THEMES."""
    asked = (request.query_params.get(THEME), request.cookies.get(THEME))
    return next((each for each in asked if each in THEMES), THEMES[0])


# The body of the request


async def body(request: Request) -> bytes:
    """The whole body; UserError if it is too long or arrives too slowly."""
    settings = services(request).settings
    data = b""
    try:
        async with asyncio.timeout(settings.arrival):
            async for piece in request.stream():
                data += piece
                if len(data) > settings.body:
                    raise UserError(
                        "too_long", Message("A request has at most {most} bytes.", most=settings.body)
                    )
    except TimeoutError:
        raise UserError("slow", Message("The request took too long to arrive.")) from None
    except ClientDisconnect:  # nobody reads the response, but this is not a bug of ours
        raise UserError("gone", Message("The request was broken off.")) from None
    return data


async def form(request: Request, body_type: BodyType | None = None) -> Fields:
    """The fields of a form, or of a JSON object that fits the type; the last one of each name."""
    data = await body(request)
    if request.headers.get("content-type", "").partition(";")[0].strip() == "application/json":
        return _json_fields(data, body_type)
    try:
        pairs = parse_qsl(data.decode(), keep_blank_values=True, max_num_fields=100)
    except ValueError:
        raise UserError("unreadable", Message("That is no form.")) from None
    return dict(pairs)


BodyType = type[Struct] | Callable[[dict[str, Any]], type[Struct]]
"""The type of a JSON object, or a function that chooses it by the content."""

ERROR_KEYS = {"game": "unknown_game", "move": "illegal.type", "options": "option"} | {
    name: name for name in ("mode", "level", "seat", "rules", "clock", "best_of")
}
"""The keys of errors by the fields that cause them."""


MISFIT = re.compile(r"(?P<why>.*?)(?: - at `\$\.?(?P<path>[^`]*)`)?", re.DOTALL)
"""A message of msgspec: what does not fit, and where."""

FIELD = re.compile(r"field `(.*)`", re.DOTALL)
"""The field that is missing or unknown, in such a message."""


def _check(found: dict[str, Any], body_type: type[Struct]) -> None:
    """Raise UserError if the object does not fit the type."""
    try:
        convert(found, body_type)
    except ValidationError as error:
        misfit = MISFIT.fullmatch(str(error))
        assert misfit is not None, "every part is optional"
        path = [*filter(None, (misfit["path"] or "").split(".")), *FIELD.findall(misfit["why"])]
        name = path[0] if path else ""
        if name == "ply":
            raise UserError("unreadable", "The ply is a count of moves.") from None
        if name == "invitation":
            raise UserError("uninvited", UNINVITED) from None
        text = f"{short(path[-1], 30)[1:-1]}: {short(misfit['why'], 200)[1:-1]}"
        raise UserError(ERROR_KEYS.get(name, "field"), sentence(text), name) from None


def _json_fields(data: bytes, body_type: BodyType | None) -> Fields:
    """The fields of a JSON object as texts; a field of an inner object is named `outer.inner`."""
    fields: Fields = {}
    try:
        found = json.loads(data or b"{}")
        if not isinstance(found, dict):
            raise ValueError
        if body_type:
            _check(found, body_type if isinstance(body_type, type) else body_type(found))
        for name, value in found.items():
            inner = value.items() if isinstance(value, dict) else [("", value)]
            for part, each in inner:
                fields[f"{name}.{part}" if part else name] = _field_text(each)
    except (ValueError, RecursionError):  # RecursionError: nested too deeply
        raise UserError("unreadable", "That is no JSON object.") from None
    return fields


def _field_text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(_field_text, value[:1_000]))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = "" if value is None else "yes" if value is True else "" if value is False else str(value)
    # JSON can contain lone surrogates, which nothing else accepts.
    return text.encode("utf-8", "ignore").decode()


# Errors on pages


class ErrorText(NamedTuple):
    """An error as a page shows it."""

    text: str
    english: bool
    """Whether the text is in English because the catalogue has no translation."""
    field: str
    """The form field that the text is shown beside, if any."""


def error_text(request: Request, error: UserError, spec: GameSpec | None = None) -> ErrorText:
    """The error in the language of the visitor; with a spec, options have the names of its forms."""
    say, text = translator(language(request)), error.text
    if spec:
        say = say.for_game(spec.name)
        labels = {each.name: option_label(each) for each in options.declared(spec.rules)}
        if isinstance(text, Message) and text.values.get("name") in labels:
            named = text.values | {"option": labels[text.values["name"]]}
            text = Message(text.template, text.plural, **named)
    return ErrorText(sentence(say(text)), say.is_english(text), error.field)


# The content of fields


def player_name(text: str) -> str:
    """A player's name without invisible characters, cut to the longest length."""
    kept = (each for each in unicodedata.normalize("NFC", text) if each.isprintable() or each in JOINERS)
    visible = "".join(kept).strip(JOINERS)
    return " ".join(visible.split())[:MAX_NAME].strip()


def requested_spec(name: str) -> GameSpec | None:
    """The game with this name; None if there is none."""
    try:
        return registry.spec(name)
    except registry.UnknownGame:
        return None


def path_spec(request: Request) -> GameSpec:
    """The game that the address names; 404 if there is none."""
    spec = requested_spec(request.path_params["game"])
    if spec is None:
        raise HTTPException(404)
    return spec


def number(text: str | None) -> int | None:
    """A number of at most five digits; None for any other text."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else None


MAX_MOVES_TEXT = 2_000
"""Characters of all moves in an address."""


def listed_moves(text: str, most: int) -> list[str]:
    """The moves of an address, with commas between them.

    >>> listed_moves("3,5,,7", 2)
    ['3', '5']
    """
    return [each for each in text[:MAX_MOVES_TEXT].split(",") if each][:most]


def sent_move(fields: Fields) -> str:
    """The move of a form: where a move is a number and a place, the form sends the two apart."""
    return fields.get("number", "") + fields.get("move", "")


def seat_infos(fields: Fields, own_key: str) -> tuple[list[SeatInfo], Seat]:
    """Who gets which seat of a new match, and the seat of the creator."""
    me = SeatInfo(HUMAN, player_name(fields.get("name", "")), key=own_key)
    mode = _chosen(fields, "mode", MODES, "computer", mark("There is no mode {given}; choose {all}."))
    if mode == "here":
        return [me, SeatInfo(HUMAN, player_name(fields.get("other", "")), key=own_key)], 0
    other = SeatInfo(OPEN)
    if mode == "computer":
        level = _chosen(fields, "level", LEVELS, "casual", mark("There is no level {given}; choose {all}."))
        other = SeatInfo(COMPUTER, level=level)
    place = _chosen(fields, "seat", SEATS, "1", mark("There is no seat {given}; choose {all}."))
    seat: Seat = SystemRandom().choice((0, 1)) if place == "random" else 0 if place == "1" else 1
    return ([me, other] if seat == 0 else [other, me]), seat


def clock(fields: Fields) -> str:
    """The clock of a new match. Only a game with a friend has one: nobody else could claim it."""
    text = _chosen(fields, "clock", [*CLOCKS], NO_CLOCK, mark("There is no clock {given}; choose {all}."))
    return text if fields.get("mode") == "friend" else NO_CLOCK


def best_of(fields: Fields) -> int:
    """How many games the series of a new match has at most."""
    choices = [str(each) for each in BEST_OF]
    return int(_chosen(fields, "best_of", choices, "1", mark("There is no best of {given}; choose {all}.")))


def _chosen(fields: Fields, name: str, choices: Sequence[str], default: str, template: str) -> str:
    """The choice of a field; UserError if there is no such choice."""
    given = fields.get(name) or default
    if given not in choices:
        raise UserError(name, Message(template, given=short(given), all=_or(choices)), name)
    return given


def _or(words: Sequence[str]) -> str:
    """The words as a choice.

    >>> _or(["1", "2", "random"])
    '1, 2 or random'
    """
    return f"{', '.join(words[:-1])} or {words[-1]}"


CHOICES_COOKIE = "last"

KEPT = ("game", "mode", "level", "rules", "name", "other", "seat", "clock", "best_of")
"""The fields that are kept; sizes and variants are not."""

MAX_KEPT = 60
"""Characters of a field."""


def last_choices(request: Request) -> Fields:
    """The choices of the last new game of this browser; empty if there are none.

    They come from a cookie, so they may be anything: a form marks only choices that exist.
    """
    pairs = parse_qsl(unquote(request.cookies.get(CHOICES_COOKIE, "")[:4_000]))
    return {name: text[:MAX_KEPT] for name, text in pairs if name in KEPT}


def keep_choices(request: Request, response: Response, fields: Fields) -> None:
    """Keep the choices of a form for the next one; what the form does not have stays as it was."""
    kept = last_choices(request) | {name: fields[name][:MAX_KEPT] for name in KEPT if name in fields}
    # Quoted twice: a cookie must not contain all that a query may.
    set_cookie(request, response, CHOICES_COOKIE, quote(urlencode(kept), safe=""), YEAR)
