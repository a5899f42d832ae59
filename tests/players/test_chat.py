"""Language models at the table: the endpoint, the prompts, the reading of answers, the disguise."""

from __future__ import annotations

import json
import pickle
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from numberduels.game.table import Table
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.template.rules import LastCounter
from numberduels.players.chat import ChatPlayer
from numberduels.players.conversation import FACTOR
from numberduels.players.endpoint import (
    LARGEST_REPLY,
    LONGEST_WAIT,
    TRIES,
)
from numberduels.players.external import ExternalSettings
from numberduels.players.model_options import BASE_URL, KEYS, check_base_url
from numberduels.players.player import Attempt, Forfeit
from numberduels.players.replies import failure_cause
from tables import table

from .chat_server import (
    Answer,
    Asked,
    Behaviour,
    ChatServer,
    busy,
    cut_off,
    drip,
    drop,
    echo,
    fail,
    say,
    send,
    slow,
)

PATIENCE = 60.0
"""Seconds that no test waits for."""
GAME = RangeWar(5)
KEY = "sk-planted/Zq81+x=secret"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key and no endpoint from outside reaches a test."""
    for name in (BASE_URL, *KEYS):
        monkeypatch.delenv(name, raising=False)


class Naps(list[float]):
    """The waits between tries, which nobody waits for."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def model_at(server: ChatServer, **settings: Any) -> ChatPlayer:
    return ChatPlayer("toy", ExternalSettings(base_url=server.url, **settings), sleep=Naps(), rng=Random(1))


def naps(model: ChatPlayer) -> Naps:
    assert isinstance(model.endpoint.sleep, Naps)
    return model.endpoint.sleep


def choose(model: ChatPlayer, game: Any = GAME, moves: tuple[Any, ...] = ()) -> Any:
    table = Table(game, game.start(Random(5)), moves)
    model.prepare(game, table.start)
    model.set_history(table.played)
    return model.choose(game, table.state, Random(0))


def played(*script: Behaviour | str, **settings: Any) -> tuple[ChatPlayer, ChatServer]:
    """A model that has answered with 3 in the end, and its server."""
    with ChatServer(script) as server:
        model = model_at(server, **settings)
        assert choose(model) == 3
    return model, server


def forfeited(*script: Behaviour | str, **settings: Any) -> tuple[Forfeit, ChatPlayer, ChatServer]:
    """Why a model has lost, the model and its server."""
    with ChatServer(script) as server:
        model = model_at(server, **settings)
        with pytest.raises(Forfeit) as caught:
            choose(model)
    return caught.value, model, server


def counted(usage: Any, **settings: Any) -> Attempt:
    """What is kept of an answer with these counts."""
    model, _ = played(send({"choices": [{"message": {"content": "MOVE: 3"}}], "usage": usage}), **settings)
    return model.attempts[0]


# Asking


def test_a_question_is_a_standard_request() -> None:
    _, server = played("MOVE: 3", seconds=float("inf"))  # which no socket takes
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["content-type"] == "application/json"
    assert "authorization" not in asked.headers
    assert set(asked.body) == {"model", "messages"} and asked.body["model"] == "toy"
    assert [message["role"] for message in asked.messages] == ["system", "user"]


def test_an_answer_is_kept_word_for_word_with_its_tokens() -> None:
    said = "  I think\u2026\n**MOVE:** `3`\n"
    with ChatServer([say(said, tokens=(310, 12))]) as server:
        clock = iter([99.0, 100.0, 102.5]).__next__  # before the conversation, before and after the request
        model = ChatPlayer("toy", ExternalSettings(base_url=server.url), clock=clock)
        choose(model)
    messages = tuple((each["role"], each["content"]) for each in server.asked[0].messages)
    assert model.attempts == [Attempt(said, "", 2.5, 310, 12, finish="stop", prompt=messages)]


@table(
    "usage",
    [
        *(None, {}, [], {"prompt_tokens": None, "completion_tokens": "9"}, {"prompt_tokens": -3}),
        {"prompt_tokens": 10**30, "cost": 10**400},
        {"completion_tokens": 10**16, "cost": 1e308},
    ],
)
def test_missing_and_absurd_counts_are_zero(usage: Any) -> None:
    assert counted(usage)[3:6] == (0, 0, None)


def test_a_cost_comes_from_the_prices_or_else_from_the_server() -> None:
    def paid(cost: Any, prices: tuple[tuple[str, float, float], ...]) -> float | None:
        usage = {"prompt_tokens": 2_000, "completion_tokens": 1_000, "cost": cost}
        return counted(usage, prices=prices).cost

    mine, others = (("toy", 0.5, 1.5),), (("another", 9.0, 9.0),)
    assert paid(7, mine) == 0.0025  # 2,000 * 0.5 + 1,000 * 1.5 for a million
    assert paid(7, others) == 7
    assert [paid(cost, ()) for cost in (0.125, None, -1, "2", True)] == [0.125, *[None] * 4]


@table(
    "usage, reasoning, cached",
    [
        ({"completion_tokens_details": {"reasoning_tokens": 7}}, 7, None),
        ({"prompt_tokens_details": {"cached_tokens": 0}}, None, 0),
        ({"prompt_cache_hit_tokens": 12}, None, 12),
        ({"completion_tokens_details": [], "prompt_tokens_details": {"cached_tokens": "9"}}, None, None),
    ],
)
def test_tokens_of_reasoning_and_of_the_cache_are_kept_if_told(
    usage: Any, reasoning: int | None, cached: int | None
) -> None:
    assert counted(usage)[9:11] == (reasoning, cached)


def test_without_an_endpoint_there_is_no_player() -> None:
    with pytest.raises(ValueError, match="set NUMBERDUELS_BASE_URL"):
        ChatPlayer("toy")
    with pytest.raises(ValueError, match="name of a model"):
        ChatPlayer(" ", ExternalSettings(base_url="http://a.test"))


@table(
    "url",
    ["localhost:1", "ftp://a.test", "http://", "http://a.test:x", "http://a.test:0", "http://[", "http://a b"]
    + ["http://a.test/\n", "http://me:secret@a.test", "http://a.test?key=secret", "http://a.test#secret"],
)
def test_a_base_url_that_cannot_be_is_refused_without_being_quoted(url: str) -> None:
    with pytest.raises(ValueError, match=r"^a base URL ") as caught:
        check_base_url(url)
    assert "secret" not in str(caught.value)


# Trying again

NO_ANSWERS: list[Any] = [b"{not json", b"[1, 2]", b"\xff\xfe\x00", b"[" * 100_000, {}, {"choices": []}]
NO_ANSWERS += [{"choices": {}}, {"choices": [None]}, {"choices": [{"text": "MOVE: 3"}]}]
SILENCE: list[Any] = [None, "", " \n", 7, []]


@table(
    "trouble",
    [busy(), fail(500), drop, cut_off, send(b" " * (LARGEST_REPLY + 1)), send(b"", 204)]
    + [*map(send, NO_ANSWERS), *(say(text, tokens=None) for text in SILENCE)],
)
def test_a_fault_of_the_server_is_tried_again(trouble: Behaviour) -> None:
    model, server = played(trouble, trouble, "MOVE: 3")
    assert len(server.asked) == 3 and len(naps(model)) == 2
    assert len(model.attempts) == 1, "a fault of the server is no answer of the model"
    assert len({json.dumps(asked.body) for asked in server.asked}) == 1


def test_waits_grow_and_are_spread() -> None:
    found = naps(forfeited(*[fail(500)] * TRIES)[1])
    assert all(2**i / 2 <= wait <= 2**i for i, wait in enumerate(found)) and len(found) == TRIES - 1
    assert len({wait / 2**i for i, wait in enumerate(found)}) > 1


@table(
    "after, low, high",
    [("7", 7, 8), ("0", 0, 1), ("100000", LONGEST_WAIT, LONGEST_WAIT), ("soon", 0.5, 1), ("inf", 0.5, 1)],
)
def test_a_server_may_ask_for_patience_up_to_a_limit(after: str, low: float, high: float) -> None:
    model, _ = played(busy(after), "MOVE: 3")
    (wait,) = naps(model)
    assert low <= wait <= high


def test_a_server_that_is_not_there_is_an_error_after_the_stated_tries() -> None:
    with ChatServer() as server:
        url = server.url
    model = ChatPlayer("toy", ExternalSettings(base_url=url), sleep=Naps())
    with pytest.raises(Forfeit, match=r"^The server cannot be reached: .*refused \(5 tries\)\.$") as caught:
        choose(model)
    assert caught.value.cause == "error"
    (attempt,) = model.attempts
    assert (attempt.answer, attempt.cause, attempt.fault) == ("", "error", str(caught.value))


@table("status", [400, 401, 404, 422])
def test_a_request_that_is_refused_is_an_error_at_once(status: int) -> None:
    fault, _, server = forfeited(fail(status, "x" * 5000))
    assert fault.cause == "error" and len(server.asked) == 1
    assert f"status {status}: xxx" in str(fault) and len(str(fault)) < 300


@table(
    "body, shown",
    [
        (b'{"error": "No such model."}', ": No such model."),
        (b'{"detail": "No such model."}', ": No such model."),
        (b'{"message": "No such model"}', ": No such model."),
        (b"No such model", ": No such model."),
        (b"<html>Sorry</html>", "."),
        (b'{"error": {"code": 3}}', "."),
        (b"\x1b[2J\x07", ": ?[2J?."),
    ],
)
def test_a_server_may_word_its_errors_in_any_usual_shape(body: bytes, shown: str) -> None:
    assert str(forfeited(send(body, 404))[0]) == f"The server answered with status 404{shown}"


@table("late", [slow(PATIENCE), drip(0.05)])
def test_a_server_that_is_too_slow_is_a_timeout_after_the_tries(late: Behaviour) -> None:
    fault, *_ = forfeited(*[late] * TRIES, seconds=0.1)
    assert fault.cause == "timeout" and "within 0.1 seconds" in str(fault)


# The shapes of an answer


@table(
    "shape",
    [
        say([{"type": "text", "text": "MOVE"}, {"type": "text", "text": ": 3"}]),
        say([{"type": "thinking", "text": "MOVE: 1"}, {"type": "text", "text": "MOVE: 3"}, 7, None]),
        say("MOVE: 3", refusal=None, tool_calls=[]),
        send({"choices": [{"message": {"content": "MOVE: 3"}}]}, content_type="text/html; charset=latin-1"),
        send(json.dumps({"choices": [{"message": {"content": "MOVE: 3"}}]}).encode("utf-16")),
    ],
)
def test_only_what_is_said_counts_whatever_its_shape(shape: Behaviour) -> None:
    played(shape)


def finished(reason: str, content: Any = None, **message: Any) -> Behaviour:
    """An answer with this finish reason."""
    return send({"choices": [{"message": {"content": content, **message}, "finish_reason": reason}]})


@table(
    "silence, cause",
    [
        (say(None, reasoning_content="Let me see."), "unreadable"),
        (say("", tokens=(10, 4096)), "unreadable"),
        (finished("length"), "truncated"),
    ],
)
def test_a_model_that_thinks_and_says_nothing_has_answered_so(silence: Behaviour, cause: str) -> None:
    """Else a model that uses up its tokens would be a fault of the server, which is no loss."""
    fault, model, server = forfeited("MOVE: 9", silence, silence)
    assert fault.cause == cause, "that of the last answer"
    assert [(attempt.answer, attempt.cause) for attempt in model.attempts[1:]] == [("", cause)] * 2
    assert all(message["content"] for asked in server.asked for message in asked.messages)


CUT_OFF = "The answer was cut off before it stated a move."
HELD_BACK = "The answer was held back by a content filter."
CALL = "The answer was a call of a tool, and there are no tools."
NO_LINE = "There is no line of the form MOVE: followed by a move."


@table(
    "behaviour, cause, fault",
    [
        (finished("length", "First I think"), "truncated", CUT_OFF),
        (finished("MAX_TOKENS", "First"), "truncated", CUT_OFF),
        (finished("length", "MOVE: 9\nor"), "illegal", "Number 9 is not on the line: it runs from 1 to 5."),
        (finished("stop", "I play 3."), "unreadable", NO_LINE),
        (finished("stop", "MOVE: x"), "unreadable", "'x' is not a whole number."),
        (finished("content_filter"), "filtered", HELD_BACK),
        (finished("tool_calls", tool_calls=[{"function": {"name": "move"}}]), "tool call", CALL),
        (finished("stop", tool_calls=[{"function": {"name": "move"}}]), "tool call", CALL),
        (finished("stop", refusal="I will not play."), "refused", NO_LINE),
    ],
)
def test_an_answer_without_a_legal_move_has_a_cause(behaviour: Behaviour, cause: str, fault: str) -> None:
    model, server = played(behaviour, "MOVE: 3")
    first, second = model.attempts
    assert (first.cause, first.fault, second.cause) == (cause, fault, "")
    assert f"That answer was not taken. {fault}\n" in server.asked[1].prompt


def test_an_answer_beside_a_refusal_is_not_refused() -> None:
    told = {"content": "MOVE: 3", "refusal": "I would rather not."}
    assert failure_cause({"finish_reason": "stop"}, told) == ""
    assert failure_cause({"finish_reason": "length"}, told) == "truncated"


@table("name", ["code", "type"])
def test_a_filtered_prompt_is_a_cause_of_its_own(name: str) -> None:
    error = {"error": {"message": "Against the policy.", name: "content_filter"}}
    fault, _, server = forfeited(send(error, 400))
    assert fault.cause == "filtered" and len(server.asked) == 1
    assert str(fault) == "The server filtered the prompt: Against the policy."


@table("reason", ["length", "content_filter", "tool_calls"])
def test_a_legal_move_counts_whatever_the_finish_reason(reason: str) -> None:
    (attempt,) = played(finished(reason, "MOVE: 3\nand so on"))[0].attempts
    assert (attempt.finish, attempt.cause) == (reason, "")


@table(
    "behaviour",
    [
        say("MOVE: 3", reasoning_content="Let me see."),
        say("MOVE: 3", reasoning="Let me see."),
        say([{"type": "thinking", "thinking": "Let me see."}, {"type": "text", "text": "MOVE: 3"}]),
        say([{"type": "reasoning", "text": "Let me see."}, {"type": "text", "text": "MOVE: 3"}]),
    ],
)
def test_reasoning_is_kept_apart_from_the_answer(behaviour: Behaviour) -> None:
    (attempt,) = played(behaviour)[0].attempts
    assert (attempt.answer, attempt.reasoning) == ("MOVE: 3", "Let me see.")


def test_half_a_character_can_be_written_to_a_file() -> None:
    model, _ = played(send(b'{"choices": [{"message": {"content": "\\ud83d MOVE\\nMOVE: 3"}}]}'))
    assert model.attempts[0].answer.encode() == b"? MOVE\nMOVE: 3"


def test_a_long_answer_is_read_whole_and_kept_in_part() -> None:
    long = "well, " * 50_000 + "\nMOVE: 3"
    (attempt,) = played(say(long, reasoning=long))[0].attempts
    kept = attempt.answer
    assert len(kept) <= 20_000 and kept.startswith("well, ") and kept.endswith("MOVE: 3")
    assert attempt.reasoning == kept and "characters left out" in kept


# Keys


def everything(model: ChatPlayer, fault: BaseException | None) -> str:
    """Every text that a player and its fault could leave anywhere."""
    told = [repr(model), repr(vars(model)), repr(vars(model.endpoint)), repr(model.attempts)]
    told.append(repr(pickle.dumps(model)))
    while fault is not None:
        told += [str(fault), repr(fault), repr(fault.args), "".join(traceback.format_exception(fault))]
        fault = fault.__context__
    return "\n".join(told)


@table(
    "behaviour",
    [
        echo,
        fail(401, f"Incorrect API key provided: {KEY}."),
        fail(401, "x" * 190 + KEY),
        fail(500, f"Bearer {KEY}"),
        send(KEY.encode(), 403),
        send({"error": KEY}),
        send({"error": {"message": "x" * 190 + KEY}}),
        send(b"", 302, location=f"http://other.test/{'x' * 170}{KEY}"),
        send({"choices": [{"message": {"content": None}}], "error": {"message": KEY}}),
        send(b"", 302, location=f"http://other.test/{KEY}"),
        drop,
        say(f"MOVE: {KEY}"),
        say(f"MOVE: 1{KEY[:3]}"),
    ],
)
def test_a_key_is_in_nothing_that_is_left_behind(
    behaviour: Behaviour,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NUMBERDUELS_API_KEY", f" {KEY}\n")
    fault, model, server = forfeited(*[behaviour] * TRIES)
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}", "it was sent"
    assert all(KEY not in asked.prompt for asked in server.asked), "nor is it told to the model"
    captured = capfd.readouterr()
    left = everything(model, fault) + caplog.text + captured.out + captured.err
    assert KEY not in left and KEY[:6] not in left, "nor a part of it"


def test_our_own_key_comes_before_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer() as server:
        model = model_at(server)
        monkeypatch.setenv("OPENAI_API_KEY", "usual")
        choose(model)  # it is read when asking, not when the player is made
        monkeypatch.setenv("NUMBERDUELS_API_KEY", "own")
        choose(model)
    assert [asked.headers["authorization"] for asked in server.asked] == ["Bearer usual", "Bearer own"]


@table("status", [301, 302, 303, 307, 308])
def test_no_redirection_is_followed(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERDUELS_API_KEY", KEY)
    with ChatServer() as other:
        fault, _, server = forfeited(send(b"", status, location=f"{other.url}/elsewhere"))
    assert str(fault).startswith("The server redirects to http://127.0.0.1") and fault.cause == "error"
    assert len(server.asked) == 1 and not other.asked


def test_a_proxy_is_asked_for_other_machines_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "")
    played("MOVE: 3")
    with ChatServer(["MOVE: 3"]) as server:
        monkeypatch.setenv("http_proxy", server.url)
        model = ChatPlayer("toy", ExternalSettings(base_url="http://models.test/v1"), sleep=Naps())
        assert choose(model) == 3
    assert server.asked[0].path == "http://models.test/v1/chat/completions"


# Many at once


def test_no_more_requests_are_open_than_the_settings_allow() -> None:
    together = threading.Barrier(3)

    def all_three(asked: Asked) -> Answer:
        together.wait(PATIENCE)  # so that three are open at once, again and again
        return say("MOVE: 3")(asked)

    with ChatServer(otherwise=all_three) as server:
        models = [model_at(server, concurrency=3, seconds=PATIENCE) for _ in range(12)]
        with ThreadPoolExecutor(12) as pool:
            assert list(pool.map(choose, models)) == [3] * 12
    assert len(server.asked) == 12 and server.most_open == 3


def test_waiting_keeps_nobody_else_outside() -> None:
    with ChatServer([fail(500), "MOVE: 3", "MOVE: 2"]) as server:
        said: list[Any] = []
        other = model_at(server, concurrency=1)
        settings = ExternalSettings(base_url=server.url, concurrency=1)
        model = ChatPlayer("toy", settings, sleep=lambda _: said.append(choose(other)))
        assert choose(model) == 2 and said == [3]


# Asking again


def test_what_cannot_be_played_is_asked_again_in_the_same_conversation_with_the_reason() -> None:
    answers = ["I take 2.", "MOVE: x", "MOVE: 4", "MOVE: 2"]
    with ChatServer(answers) as server:
        model = model_at(server, attempts=4)
        assert choose(model, GAME, (3,)) == 2
    faults = [NO_LINE, "'x' is not a whole number.", "Number 4 is not lower than 3.", ""]
    assert [each[:2] for each in model.attempts] == list(zip(answers, faults, strict=True))
    last = server.asked[-1].messages
    assert [each["role"] for each in last] == ["system", "user"] + ["assistant", "user"] * 3
    assert [each["content"] for each in last if each["role"] == "assistant"] == answers[:3]
    for message, fault in zip(last[3::2], faults, strict=False):
        assert message["content"].startswith(f"That answer was not taken. {fault}\n")
        assert message["content"].endswith("\nMOVE: ...")
    assert [message["content"].split("\n")[1] for message in last[3::2]] == [
        "You have 3 answers left for this move.",
        "You have 2 answers left for this move.",
        "This is your last answer for this move: if it gives no legal move, you lose the game.",
    ]


def test_after_the_last_attempt_the_game_is_forfeited() -> None:
    fault, model, server = forfeited(*["MOVE: 9"] * 9, attempts=2)
    assert fault.cause == "illegal" and len(server.asked) == len(model.attempts) == 2
    assert str(fault) == (
        "There was no legal move in 2 answers;"
        " the last fault: Number 9 is not on the line: it runs from 1 to 5."
    )


def test_attempts_before_an_error_are_kept_and_each_choice_begins_anew() -> None:
    with ChatServer(["MOVE: 9", fail(400), "MOVE: 1"]) as server:
        model = model_at(server)
        with pytest.raises(Forfeit, match="status 400"):
            choose(model)
        assert [(each.answer, each.cause) for each in model.attempts] == [
            ("MOVE: 9", "illegal"),
            ("", "error"),
        ]
        assert choose(model) == 1
    assert [attempt.answer for attempt in model.attempts] == ["MOVE: 1"]
    assert len(server.asked[-1].messages) == 2


# Told by a server


@table("disguise", [False, True])
def test_moves_that_were_drawn_are_told_apart(disguise: bool) -> None:
    with ChatServer() as server:
        model = model_at(server, disguise=disguise)
        choose(model, RangeWar(9), (5, 4, 6))
        model.opening_plies = 2
        choose(model, RangeWar(9), (5, 4, 6))
    plain, drawn = (asked.prompt for asked in server.asked)
    assert "lot" not in plain.split()
    five, four, six = (FACTOR * number if disguise else number for number in (5, 4, 6))
    assert f"Player 1: {five} (drawn by lot)\nPlayer 2: {four} (drawn by lot)\nPlayer 1: {six}\n\n" in drawn


def test_a_game_without_a_text_of_ours_is_told_by_its_book() -> None:
    game = LastCounter(4)
    with ChatServer() as server:
        assert choose(model_at(server), game) == 1
        with pytest.raises(ValueError, match="no disguise for last-counter"):
            model_at(server, disguise=True).prepare(game, game.start(Random()))
    assert "Whoever takes the last counter wins." in server.asked[0].prompt
    assert "The options of this game: size 4.\nA move is written like this: 1" in server.asked[0].prompt
    assert "Counters: 4\n\nLegal moves: 1, 2\n" in server.asked[0].prompt
