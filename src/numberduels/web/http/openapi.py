"""The types of API requests, and the OpenAPI document."""

from __future__ import annotations

from dataclasses import Field
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.json import schema_components

from numberduels import __version__
from numberduels.game import registry
from numberduels.game.options import LARGEST, BadOption, declared
from numberduels.game.spec import GameSpec
from numberduels.players import LEVELS
from numberduels.web.http.commands import largest_value
from numberduels.web.http.forms import MAX_NAME, MODES
from numberduels.web.http.responses import RESPONSES
from numberduels.web.match.events import BEST_OF, CLOCKS, NO_CLOCK
from numberduels.web.match.state import WireStruct

Json = dict[str, Any]

MAX_DUELS = 50
"""Duels in one page of a list."""

CURSOR = "^[0-9]{1,19}-[0-9a-z]{1,100}$"
"""The end of a page of duels: when the seat was taken, in microseconds, and the id."""

TEXT: Json = {"type": "string"}

STRICT: Json = {"forbid_unknown_fields": True, "kw_only": True, "frozen": True}

CLOCK_ABOUT = "The time for each move, in mode `friend`; other modes have no clock."

SERIES_ABOUT = "How many games the series has at most; rematches belong to it."


def ref(name: str) -> Json:
    """The reference to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def _object(required: Json, optional: Json, about: str = "") -> Json:
    """The schema of an object with these properties and no others."""
    schema: Json = {"type": "object", "properties": required | optional, "additionalProperties": False}
    if required:
        schema["required"] = list(required)
    return schema | ({"description": about} if about else {})


class Join(WireStruct, frozen=True):
    """A request for the free seat."""

    invitation: str
    name: str = ""


class Carry(WireStruct, frozen=True):
    """A request to take a seat along."""

    link: Annotated[str, Meta(description="The token of a link to another device.")]


class Move(WireStruct, frozen=True):
    """A move."""

    move: Annotated[str | int, Meta(description="One of the legal moves.")]
    ply: Annotated[
        Annotated[int, Meta(ge=0, le=99_999)] | None,
        Meta(description="The ply that the move was chosen for; if the game has gone on, it is refused."),
    ] = None


EVENT = _object(
    {
        "event": TEXT | {"enum": ["state", "bye"]},
        "data": TEXT | {"contentMediaType": "application/json", "description": "A State; of `bye`, {}."},
    },
    {
        "id": TEXT | {"description": "The version of the state."},
        "retry": TEXT | {"description": "Milliseconds to wait before reconnecting."},
    },
    about="One event of a stream.",
)


VISITOR_EVENT = _object(
    {
        "event": TEXT | {"enum": ["time", "games", "version", "presence", "late", "bye"]},
        "data": TEXT
        | {
            "contentMediaType": "application/json",
            "description": "Of `games`, a list of Summary; of `version`, a Summary; of `time`, a number; of "
            "`presence`, the `match`, the `player` and `online`; of `late`, the `match` and the `player`; of "
            "`bye`, {}.",
        },
    },
    {"retry": TEXT | {"description": "Milliseconds to wait before reconnecting."}},
    about="One event of the stream of all your duels.",
)


@cache
def create_type(spec: GameSpec, largest: int) -> type[Struct]:
    """The type of a request for a new duel of this game, with sizes up to `largest`."""
    name = spec.name.title().replace("-", "")
    options = defstruct(
        f"{name}Options", [_option(spec, each, largest) for each in declared(spec.rules)], **STRICT
    )
    rules = [each.key for each in spec.rule_sets]
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = [
        ("game", Literal[spec.name]),
        ("mode", Literal[MODES], "computer"),
        ("level", Annotated[Literal[LEVELS], Meta(description="Level of the computer.")], "casual"),
        ("seat", Literal[1, 2, "1", "2", "random"], 1),
        ("name", Annotated[str, Meta(description=f"Your name, cut to {MAX_NAME} characters.")], ""),
        ("other", Annotated[str, Meta(description="Name of the second player in mode `here`.")], ""),
        ("clock", Annotated[Literal[tuple(CLOCKS)], Meta(description=CLOCK_ABOUT)], NO_CLOCK),
        ("best_of", Annotated[Literal[BEST_OF], Meta(description=SERIES_ABOUT)], 1),
        ("rules", Literal[tuple(rules)], rules[0]),
        ("options", options | UnsetType, UNSET),
    ]
    return defstruct(f"Create{name}", fields, **STRICT)


def _option(spec: GameSpec, each: Field[Any], largest: int) -> tuple[str, Any, Any]:
    """The name, the type and the default of an option."""
    about = Meta(description=each.metadata["about"])
    if isinstance(each.default, str):
        return each.name, Annotated[Literal[tuple(each.metadata["choices"])], about], each.default
    low, high = _bounds(spec, each.name)
    number = Annotated[int, Meta(ge=low, le=min(high, largest_value(each, largest)))]
    if isinstance(each.default, int):
        return each.name, Annotated[number, about], each.default
    numbers = Annotated[list[number], Meta(max_length=largest), about]
    return each.name, numbers | UnsetType, UNSET


@cache
def _bounds(spec: GameSpec, option: str) -> tuple[int, int]:
    """The smallest and largest number that a game accepts for an option; its errors name them."""
    (each,) = (each for each in declared(spec.rules) if each.name == option)
    found = []
    for number in (-1, LARGEST + 1):
        try:
            spec.rules(**{option: (number,) if isinstance(each.default, tuple) else number})
        except BadOption as error:
            found.append(error.bounds or (0, LARGEST))
        except Exception:  # it depends on other options, or the game has an error of its own
            found.append((0, LARGEST))
        else:
            found.append((0, LARGEST))
    return found[0][0], found[1][1]


@cache
def schemas(largest: int) -> Json:
    """Every schema by its name."""
    games = [create_type(spec, largest) for spec in registry.specs()]
    refs, components = schema_components(
        [*games, Join, Carry, Move, *RESPONSES], ref_template=ref("{name}")["$ref"]
    )
    create = {"oneOf": list(refs[: len(games)])}
    return components | {"Event": EVENT, "VisitorEvent": VISITOR_EVENT, "Create": create}


ACTIONS = {
    "move": "Make a move",
    "undo": "Take your last move back, against the computer or if both seats are yours",
    "takeback": "Ask the opponent to take your last move back",
    "accept": "Accept the takeback of the opponent",
    "decline": "Decline the takeback of the opponent",
    "resign": "Give the game up",
    "claim": "Win the game, because your opponent has exceeded the time",
    "cancel": "Take the invitation back, before anybody has accepted it",
    "reclaim": "Take your seat back from all devices that it was taken along to",
    "offer": "Offer a draw, in a game that need not end; accept one if the opponent has offered it",
    "accept-draw": "Accept the draw that the opponent offers",
    "decline-draw": "Decline the draw that the opponent offers",
}
"""The commands of players."""

STATUSES = {
    400: "The request cannot be read",
    401: "A token is needed",
    403: "Not allowed with this token: `key` says why",
    404: "There is no such duel",
    408: "The request took too long to arrive",
    409: "Not possible in the present state, or by the rules; `state` is the present state",
    413: "The request has too many bytes",
    422: "The request does not fit this description",
    429: "Too much at once from one address",
    500: "A fault of the server",
    503: "The store or the computer cannot be reached; try again",
}
ALWAYS = (400, 413, 429, 500)
READING = (*ALWAYS, 404, 503)
WRITING = (*READING, 403, 408, 409, 422)
RETRY = {"retry-after": {"description": "Seconds to wait.", "schema": {"type": "string"}}}


ENGINE = (*READING, 403, 422)
BY_TOKEN: list[Json] = [{"token": []}]
MAYBE_TOKEN: list[Json] = [{}, {"token": []}]
ABOUT = (
    "Bodies are JSON objects. A token belongs to whoever has it, not to a game: send one with every request "
    "to create or join, and it is the token of all these seats, which /api/me/duels lists. In a rematch the "
    "seats are swapped and the tokens stay: player 1 becomes player 2 with the same token."
)
TOKEN_ABOUT = "The token that came with a seat. It stays yours in every rematch."


def openapi_document(largest: int = 100) -> Json:
    """The document of a server with this largest size of games."""
    token = {"type": "http", "scheme": "bearer", "description": TOKEN_ABOUT}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Number Duels", "version": __version__, "description": ABOUT},
        "paths": _paths(),
        "components": {"schemas": schemas(largest), "securitySchemes": {"token": token}},
    }


def _paths() -> Json:
    last = _parameter("Last-Event-ID", "header", "The id of the last event that you got.", TEXT)
    limit = {"type": "integer", "minimum": 1, "maximum": MAX_DUELS, "default": 20}
    match_id = _parameter("duel", "path", "Its id.", TEXT) | {"required": True}
    of_match: Json = {
        "": _get("getDuel", "The state of a duel", "State"),
        "/stream": _get(
            "streamDuel",
            "Server-sent events: one `state` for each change; the id is the version",
            "Event",
            description="Whoever listens with the token of a seat is online. `bye` comes last if the server "
            "is about to stop: reconnect.",
            parameters=[last],
        ),
        "/join": _post("join", "Take the free seat", "Joined", "Join", security=MAYBE_TOKEN),
        "/rematch": _post("rematch", "Another game, seats swapped", "Rematch"),
        "/carry": _post("lend", "Make a link that takes your seat along", "CarryLink"),
        "/hint": _get("getHint", "A good move, and why", "Hint", ENGINE, security=BY_TOKEN),
        "/values": _get("getValues", "What every move is worth", "Values", ENGINE, security=MAYBE_TOKEN),
        "/review": _get("getReview", "The verdict on every move", "GameReview", (*ENGINE, 409)),
        "/record": _get("getRecord", "The game as text", ""),
        "/presence": _get("getPresence", "Which players are online", "PresenceInfo"),
    }
    for name, about in ACTIONS.items():
        of_match[f"/{name}"] = _post(name, about, "State", "Move" if name == "move" else "")
    return {
        "/api/games": _get("listGames", "Every game with its options", "Games", ALWAYS),
        "/api/me/duels": _get(
            "listMyDuels",
            "The duels in which your token has a seat",
            "Duels",
            (*ALWAYS, 401, 422, 503),
            security=BY_TOKEN,
            parameters=[
                _parameter("limit", "query", "How many at most.", limit),
                _parameter("before", "query", "The `next` of the page before.", TEXT | {"pattern": CURSOR}),
            ],
        ),
        "/api/me/stream": _get(
            "streamMyDuels",
            "Server-sent events about all duels of your token that are not over",
            "VisitorEvent",
            (*ALWAYS, 401, 503),
            security=BY_TOKEN,
            description="`time` comes first, with the time of the server in seconds since 1970, then "
            "`games`, which lists your duels. Then come `version` with the summary of a duel that has "
            "changed or is new, and `presence` and `late` with the id of the duel as `match`.",
        ),
        "/api/duels": _post(
            "createDuel",
            "Make a duel",
            "Made",
            "Create",
            (*ALWAYS, 403, 408, 409, 422, 503),
            security=MAYBE_TOKEN,
        ),
        "/api/carry": _post("carry", "Take a seat along", "Joined", "Carry", security=MAYBE_TOKEN),
    } | {f"/api/duels/{{duel}}{path}": each | {"parameters": [match_id]} for path, each in of_match.items()}


def _parameter(name: str, place: str, about: str, schema: Json) -> Json:
    return {"name": name, "in": place, "description": about, "schema": schema}


def _content(schema: Json, kind: str = "application/json") -> Json:
    return {"content": {kind: {"schema": schema}}}


def _get(name: str, about: str, response: str, errors: tuple[int, ...] = READING, **more: Any) -> Json:
    return {"get": {"operationId": name, "summary": about, "responses": _responses(response, errors)} | more}


def _post(
    name: str,
    about: str,
    response: str,
    body: str = "",
    errors: tuple[int, ...] = WRITING,
    security: list[Json] = BY_TOKEN,
) -> Json:
    operation: Json = {"operationId": name, "summary": about, "responses": _responses(response, errors)}
    if body:
        operation["requestBody"] = {"required": True} | _content(ref(body))
    return {"post": operation | {"security": security}}


def _responses(response: str, errors: tuple[int, ...]) -> Json:
    """The response of this type, or the text of a record without a type, and the errors."""
    about, schema, kind = "Done", ref(response), "application/json"
    if response.endswith("Event"):
        about, kind = "A stream of events", "text/event-stream"
    elif not response:
        about, schema, kind = "The record", TEXT, "text/plain"
    done: Json = {"description": about} | _content(schema, kind)
    if response == "Made":
        done["headers"] = {"location": {"description": "The address of its state.", "schema": TEXT}}
        linked = ("getDuel", "join", "rematch", "getHint", "getValues", *ACTIONS)
        parameters = {"duel": "$response.body#/id"}
        done["links"] = {name: {"operationId": name, "parameters": parameters} for name in linked}
    found: Json = {"201" if response == "Made" else "200": done}
    for status in sorted(errors):
        headers: Json = {"headers": RETRY} if status in (429, 503) else {}
        found[str(status)] = {"description": STATUSES[status]} | headers | _content(ref("Fault"))
    return found
