"""What the computer knows about a duel, where that may be told: hints, values, reviews."""

from __future__ import annotations

import json
import pickle
from collections import OrderedDict
from typing import Any, NamedTuple

from starlette.requests import Request

from numberduels import options
from numberduels.record import write
from numberduels.web.engine.pool import Busy, Thinker, TooMany, Unthought
from numberduels.web.engine.pool import Refused as Unable
from numberduels.web.http import forms
from numberduels.web.http.middleware import address
from numberduels.web.match.model import OVER, Duel, Refused

KEPT = 1_000
"""Answers that are kept in memory."""

KEPT_BYTES = 64 << 20
"""Their size in all, packed."""


class _Answer(NamedTuple):
    """What came of a question: a value, or a sentence that says why there is none."""

    value: Any
    refusal: str
    size: int


class Answers:
    """Answers that never change, so that what many ask is thought about once.

    That a question cannot be answered is an answer, too. That there was no time for it, or too much to do, is
    none: the next who asks may have more luck, or more time.
    """

    def __init__(self, thinker: Thinker, most: int = KEPT, most_bytes: int = KEPT_BYTES) -> None:
        self.thinker = thinker
        self._most = most
        self._most_bytes = most_bytes
        self._kept: OrderedDict[str, _Answer] = OrderedDict()
        self._bytes = 0

    async def ask(self, who: str, task: str, *arguments: Any, seconds: float | None = None) -> Any:
        """The answer, from memory or by thinking on behalf of `who`; an Unthought where there is none."""
        key = json.dumps((task, arguments), sort_keys=True)
        answer = self._kept.get(key)
        if answer is None:
            answer = await self._thought(who, task, *arguments, seconds=seconds)
            self._keep(key, answer)
        else:
            self._kept.move_to_end(key)
        if answer.refusal:
            raise Unable(answer.refusal)
        return answer.value

    async def _thought(self, who: str, task: str, *arguments: Any, seconds: float | None) -> _Answer:
        value, refusal = None, ""
        try:
            value = await self.thinker.think(task, *arguments, who=who, seconds=seconds)
        except Unable as fault:
            refusal = str(fault) or "there is no answer"
        return _Answer(value, refusal, len(pickle.dumps(value)) + len(refusal))

    def _keep(self, key: str, answer: _Answer) -> None:
        if key not in self._kept:  # else somebody has asked the same meanwhile
            self._kept[key] = answer
            self._bytes += len(key) + answer.size
        while len(self._kept) > self._most or self._bytes > self._most_bytes:
            forgotten, old = self._kept.popitem(last=False)
            self._bytes -= len(forgotten) + old.size


async def known(request: Request, task: str, *arguments: Any, seconds: float | None = None) -> Any:
    """The answer to a question of a visitor; Refused says in a sentence why there is none."""
    answers: Answers = request.app.state.answers
    try:
        return await answers.ask(address(request.scope), task, *arguments, seconds=seconds)
    except Unable as fault:
        raise Refused("unanswered", forms.sentence(fault), 409) from None
    except Busy as fault:
        raise busy(fault) from None
    except Unthought:
        raise Refused("too_hard", "That would take the computer too long to find out.", 409) from None


def busy(fault: Busy) -> Refused:
    """What is said to a visitor whose question has to wait too long."""
    if isinstance(fault, TooMany):
        return Refused("busy", str(fault), 429)
    return Refused("busy", "The computer has too much to think about. Try again in a moment.", 503)


async def hint(request: Request, duel: Duel) -> dict[str, Any]:
    """A good move and why, for whoever is to move against the computer."""
    if duel.turn is None or duel.turn not in duel.seats(forms.key(request)) or not duel.computer:
        raise Refused("no_hint", "Hints are for whoever is to move against the computer.", 403)
    found: dict[str, Any] = await known(request, "hint", *_place(duel, duel.table.ply))
    return found


async def values(request: Request, duel: Duel, ply: int | None = None) -> dict[str, Any]:
    """What every move is worth, in a game against the computer or one that is over."""
    if not duel.reveals(duel.seats(forms.key(request))):
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
    return duel.spec.name, options.format_options(duel.game), duel.moves[:ply]
