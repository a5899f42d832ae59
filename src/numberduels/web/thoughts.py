"""What the computer knows about a duel, where that may be told: hints, values, reviews."""

from __future__ import annotations

import json
from collections import Counter, OrderedDict
from typing import Any

from starlette.requests import Request

from numberduels import options
from numberduels.record import write
from numberduels.web import asked
from numberduels.web.duel import OVER, Duel, Refused
from numberduels.web.guard import address
from numberduels.web.thinking import Busy, Thinker, Unthought
from numberduels.web.thinking import Refused as Unable

KEPT = 1_000
"""Thoughts that are kept in memory."""

EACH = 4
"""Thoughts that one address may wait for at once."""

_kept: OrderedDict[str, Any] = OrderedDict()
_asking: Counter[str] = Counter()


async def thought(request: Request, task: str, *arguments: Any, seconds: float | None = None) -> Any:
    """What comes of thinking; Refused says in a sentence why nothing does."""
    thinker: Thinker = request.app.state.teacher
    who = address(request.scope)
    if _asking[who] >= EACH:
        raise Refused("busy", "The computer still thinks about what you have asked before.", 429)
    _asking[who] += 1
    try:
        return await thinker.think(task, *arguments, seconds=seconds)
    except Unable as fault:
        raise Refused("unanswered", asked.sentence(fault), 422) from None
    except Busy:
        text = "The computer has too much to think about. Try again in a moment."
        raise Refused("busy", text, 503) from None
    except Unthought:
        raise Refused("too_hard", "That would take the computer too long to find out.", 422) from None
    finally:
        _asking[who] -= 1
        if not _asking[who]:
            del _asking[who]


async def known(request: Request, task: str, *arguments: Any, seconds: float | None = None) -> Any:
    """The same for what many will ask and never changes: it is thought about once, and kept."""
    key = json.dumps((task, arguments), sort_keys=True)
    if key not in _kept:
        try:
            found = await thought(request, task, *arguments, seconds=seconds)
        except Refused as fault:
            if fault.key not in ("too_hard", "unanswered"):
                raise
            found = fault  # what was too hard once is not tried again for everybody who asks
        _kept[key] = found
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    if isinstance(_kept[key], Refused):
        raise _kept[key]
    return _kept[key]


async def hint(request: Request, duel: Duel) -> dict[str, Any]:
    """A good move and why, for whoever is to move against the computer."""
    if duel.turn is None or duel.turn not in duel.seats(asked.key(request)) or not duel.computer:
        raise Refused("no_hint", "Hints are for whoever is to move against the computer.", 403)
    found: dict[str, Any] = await known(request, "hint", *_place(duel, duel.table.ply))
    return found


async def values(request: Request, duel: Duel, ply: int | None = None) -> dict[str, Any]:
    """What every move is worth, in a game against the computer or one that is over."""
    if not duel.reveals(duel.seats(asked.key(request))):
        raise Refused("no_values", "Values are shown against the computer, or when the game is over.", 403)
    place = _place(duel, duel.table.ply if ply is None else ply)
    found: dict[str, Any] = await known(request, "values", *place)
    return found


async def review(request: Request, duel: Duel) -> dict[str, Any]:
    """The verdict on every move of a game that is over."""
    if duel.status != OVER:
        raise Refused("not_over", "A game is reviewed when it is over.")
    found: dict[str, Any] = await known(request, "judged", write(duel.record))
    return found


def _place(duel: Duel, ply: int) -> tuple[str, dict[str, str], list[str]]:
    return duel.room.name, options.written(duel.game), duel.moves[:ply]
