"""The engine service caches answers, but no timeouts and no busy pool."""

from __future__ import annotations

import asyncio
import traceback
from typing import Any

import pytest
from starlette.testclient import TestClient

from numberduels.engine import pool
from numberduels.game import registry
from numberduels.web.match.engine_queries import EngineService
from tables import table

from .in_process import DirectPool, InProcessServer, raising


class Scripted(DirectPool):
    """Answers in turn with these, or raises them."""

    def __init__(self, *script: Any) -> None:
        super().__init__()
        self.script = list(script)

    async def run(self, task: str, *arguments: Any, client: str = "", seconds: float | None = None) -> Any:
        self.asked[task] += 1
        given = self.script.pop(0)
        if isinstance(given, Exception):
            raise given
        return given


def ask(service: EngineService, task: str = "values", seconds: float | None = None) -> Any:
    return asyncio.run(service.answer("somebody", task, "range-war", seconds=seconds))


def service(*script: Any, **more: Any) -> EngineService:
    engine_pool: Any = Scripted(*script)
    return EngineService(engine_pool, **more)


def test_an_answer_is_computed_once() -> None:
    kept = service({"value": "win"})
    assert [ask(kept) for _ in range(3)] == [{"value": "win"}] * 3


@table(
    "fault",
    [
        pool.EngineBusy("too many are waiting"),
        pool.EngineQueueFull("you ask too much"),
        pool.EngineTimeout("that takes longer than 1 seconds"),
        pool.EngineCrashed("the process has ended"),
    ],
)
def test_a_failure_that_load_or_a_limit_has_caused_is_tried_again(fault: Exception) -> None:
    kept = service(fault, fault, "an answer")
    for _ in range(2):
        with pytest.raises(type(fault)):
            ask(kept, seconds=1.0)
    assert ask(kept) == "an answer"
    assert ask(kept) == "an answer"


def test_that_there_is_no_answer_is_an_answer_whose_fault_is_new_each_time() -> None:
    kept = service(pool.EngineRejected("the game is over"))
    faults = []
    for _ in range(5):
        with pytest.raises(pool.EngineRejected, match=r"^the game is over$") as caught:
            ask(kept)
        faults.append(caught.value)
    assert len({id(fault) for fault in faults}) == 5
    depths = [len(traceback.extract_tb(fault.__traceback__)) for fault in faults[1:]]
    assert len(set(depths)) == 1, "it does not grow"


# On the pages


def begin(visitor: TestClient, **fields: str) -> str:
    data = {"game": "range-war", "mode": "computer", "level": "random"} | fields
    return str(visitor.post("/new", data=data).headers["location"])


BUSY = pool.EngineBusy("too many are waiting")
LATE = pool.EngineTimeout("that takes longer than 1 seconds")


# Beginning a game


def test_a_new_size_is_checked_by_the_question_pool(fresh: InProcessServer) -> None:
    for address in ("10.0.0.1", "10.0.0.2"):
        begin(fresh.visitor(address), level="perfect", **{"options.size": "12"})
    begin(fresh.visitor("10.0.0.3"), level="perfect", **{"options.size": "13"})
    assert not fresh.move_pool.asked
    assert fresh.question_pool.asked == {"check_player": 2}, "what is known is not asked again"
    assert fresh.question_pool.clients == ["10.0.0.1", "10.0.0.3"], "so that addresses take turns"


def test_a_rule_set_of_the_form_is_begun_without_a_question(fresh: InProcessServer) -> None:
    """All levels are known to play them: a busy machine must not refuse what the form offers."""
    fresh.question_pool.trouble = raising(LATE)
    for spec in registry.specs():
        for rules in spec.rule_sets:
            fields = {"game": spec.name, "rules": rules.key, "level": "perfect", "seat": "1"}
            assert fresh.visitor().post("/new", data=fields).status_code == 303, fields
    assert not fresh.question_pool.asked


def test_a_size_is_refused_by_counted_work_and_never_because_of_the_clock(fresh: InProcessServer) -> None:
    for fault, status, key, text in (
        (BUSY, 503, "busy", "Try again in a moment."),
        (pool.EngineQueueFull("The computer still thinks."), 429, "busy", "still thinks"),
        (LATE, 503, "busy", "Try again in a moment."),
        (pool.EngineCrashed("Traceback: secret"), 503, "busy", "Try again in a moment."),
        (pool.EngineRejected("perfect cannot finish this game"), 409, "unable", "cannot finish this game."),
    ):
        fresh.question_pool.trouble = raising(fault)
        asked = {"game": "range-war", "level": "perfect", "options": {"size": 14}}
        answer = fresh.visitor().post("/api/duels", json=asked)
        assert (answer.status_code, answer.json()["key"]) == (status, key), fault
        assert text in answer.json()["error"] and "secret" not in answer.text, fault
