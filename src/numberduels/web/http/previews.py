"""Preview pictures of links (`og:image`): a match, its review, a puzzle, a game.

The engine draws them and caches them. Their address names the language, because whoever fetches them is a
program; without one they are in English.
"""

from __future__ import annotations

from random import Random

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from numberduels.analysis.puzzles import LEVELS
from numberduels.analysis.puzzles.selection import day_of
from numberduels.engine.preview import Preview
from numberduels.game import options
from numberduels.game.contract import Seat, has_fixed_start
from numberduels.web.http import forms, i18n
from numberduels.web.http.i18n import Translator, languages, translator
from numberduels.web.http.learn import ask
from numberduels.web.http.middleware import client_address
from numberduels.web.http.puzzles import SEED, today
from numberduels.web.http.services import services
from numberduels.web.match.engine_queries import position, review
from numberduels.web.match.events import COMPUTER
from numberduels.web.match.model import OVER, WAITING, Match

HOUR, YEAR = 3600, 365 * 24 * 3600
"""Seconds for which a picture may be kept: of a game that is over, and of what never changes."""


async def _match(request: Request) -> Match:
    return await services(request).matches.get(request.path_params["duel"])


def _translator(request: Request) -> Translator:
    """The translator into the language that the address names."""
    code = request.query_params.get(forms.LANGUAGE, "")
    return translator(code if code in languages() else languages()[0])


def _name(_: Translator, match: Match, seat: Seat) -> str:
    info = match.seat_infos[seat]
    if info.kind == COMPUTER:
        name = _("the computer ({level})", level=_(i18n.LEVELS[info.level]))
        return name[:1].upper() + name[1:]
    return info.name or _("Player {number}", number=seat + 1)


def _preview_of(_: Translator, match: Match, title: str) -> Preview:
    """The position of a match, and what is going on."""
    name, texts, moves = position(match, match.table.ply)
    names = [_name(_, match, 0), _name(_, match, 1)]
    status, marked = "", match.turn
    if match.status == WAITING:
        status = _("A seat is free")
    elif match.winner is not None:
        marked, status = match.winner, _("{player} wins", player=names[match.winner])
    elif match.status == OVER:
        half = match.is_first_of_two
        status = _("Unfinished") if not match.outcome else _("First game over") if half else _("Tie")
    return Preview(name, texts, [moves], title, status, names, marked, language=_.code)


async def match_preview(request: Request) -> Response:
    """A match as it stands now."""
    match = await _match(request)
    seconds = HOUR if match.status == OVER else 0
    return await _draw(request, _preview_of(_translator(request), match, match.spec.title), seconds)


async def review_preview(request: Request) -> Response:
    """The last position of a match that is over, with the sentence of its review."""
    match = await _match(request)
    found = await review(services(request).engine, match, (), client_address(request.scope))
    _ = _translator(request)
    content = _preview_of(_, match, _("Review: {game}", game=match.spec.title))
    return await _draw(request, content._replace(caption=_.for_game(match.spec.name)(found["summary"])), HOUR)


async def puzzle_preview(request: Request) -> Response:
    """The position of a puzzle with its task, without its solution; none of a day to come."""
    name, level, seed = (request.path_params[part] for part in ("game", "level", "seed"))
    spec, day = forms.requested_spec(name), day_of(seed)
    known = spec and forms.number(level) in LEVELS and SEED.fullmatch(seed)
    if not known or spec is None or (day and day > today()):
        raise HTTPException(404)
    found = await ask(request, "puzzle", spec.name, int(level), seed)
    _ = _translator(request)
    title, status = _("Puzzle: {game}", game=spec.title), _("Level {level}", level=found["level"])
    content = Preview(spec.name, found["options"], found["positions"], title, status, language=_.code)
    return await _draw(request, content._replace(caption=_.for_game(spec.name)(found["task"])), YEAR)


async def game_preview(request: Request) -> Response:
    """A game before its first move."""
    spec = forms.path_spec(request)
    game = spec.build({})
    if not has_fixed_start(game):
        game = game.with_start(game.start(Random(1)))
    _ = _translator(request)
    content = Preview(spec.name, options.format_options(game), [[]], spec.title, language=_.code)
    content = content._replace(caption=_.for_game(spec.name)(spec.summary))
    return await _draw(request, content, YEAR)


async def _draw(request: Request, content: Preview, seconds: int) -> Response:
    """The picture, which anybody may keep for so many seconds, and any site may show."""
    kept = f"public, max-age={seconds}" if seconds else "public, no-cache"
    headers = {"cache-control": kept, "cross-origin-resource-policy": "cross-origin"}
    return Response(await ask(request, "preview", *content), media_type="image/png", headers=headers)


ROUTES = [
    Route("/preview/g/{duel}.png", match_preview),
    Route("/preview/review/{duel}.png", review_preview),
    Route("/preview/puzzle/{game}/{level}/{seed}.png", puzzle_preview),
    Route("/preview/game/{game}.png", game_preview),
]
