"""The options of models: what their files may say, what is sent, and that no key is kept."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from numberduels.games.range_war.rules import RangeWar
from numberduels.players.chat import ChatPlayer
from numberduels.players.external import ExternalSettings
from numberduels.players.model_options import (
    BASE_URL,
    KEYS,
    looks_secret,
    options_for,
    read_model_options,
    write_options,
)
from numberduels.players.player import Forfeit
from tables import table

from .chat_server import ChatServer

KEY = "sk-planted/Zq81+x=secret"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key and no endpoint from outside reaches a test."""
    for name in (BASE_URL, *KEYS, "AZURE_KEY", "OTHER_KEY"):
        monkeypatch.delenv(name, raising=False)


def settings(text: str, *models: str, base_url: str = "") -> ExternalSettings:
    tables = read_model_options(text)
    return ExternalSettings(
        base_url=base_url,
        models=tuple((name, write_options(options_for(tables, name))) for name in models or tables),
    )


def ask(model: str, options: ExternalSettings) -> ChatPlayer:
    player = ChatPlayer(model, options, sleep=lambda _: None)
    player.choose(RangeWar(5), RangeWar(5).start(Random()), Random())
    return player


def test_parameters_are_sent_and_nothing_else() -> None:
    text = """
        [toy]
        temperature = 0.5
        top_p = 1
        max_tokens = 800
        max_completion_tokens = 900
        seed = 7
        stop = ["\\n\\n", "END"]
        reasoning_effort = "low"
        extra_body = {top_k = 40, provider = {order = ["a", "b"]}}
        price = [0.5, 1.5]
    """
    with ChatServer() as server:
        ask("toy", settings(text, base_url=server.url))
    (asked,) = server.asked
    assert asked.body == {
        "model": "toy",
        "messages": asked.messages,
        "temperature": 0.5,
        "top_p": 1,
        "max_tokens": 800,
        "max_completion_tokens": 900,
        "seed": 7,
        "stop": ["\n\n", "END"],
        "reasoning_effort": "low",
        "top_k": 40,
        "provider": {"order": ["a", "b"]},
    }
    assert asked.path == "/v1/chat/completions"


def test_a_table_for_all_fills_in_what_a_model_does_not_say() -> None:
    with ChatServer() as server:
        text = """
            ["*"]
            temperature = 1
            headers = {X-Title = "duels", X-Run = "1"}
            ["chat:toy"]
            top_p = 0.5
            headers = {X-Run = "2"}
        """
        options = settings(text, base_url=server.url)
        ask("toy", options)
        ask("other", options)
    sent = [(asked.body["temperature"], asked.body.get("top_p")) for asked in server.asked]
    assert sent == [(1, 0.5), (1, None)]
    headers = [(asked.headers["x-title"], asked.headers["x-run"]) for asked in server.asked]
    assert headers == [("duels", "2"), ("duels", "1")]


def test_each_model_has_its_own_server_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERDUELS_API_KEY", "usual-key")
    monkeypatch.setenv("OTHER_KEY", f" {KEY}\n")
    with ChatServer() as one, ChatServer() as two, ChatServer() as three:
        text = f"""
            [b]
            base_url = "{two.url}"
            api_key_env = "OTHER_KEY"
            [c]
            base_url = "{three.url}"
            [d]
            api_key_env = ""
        """
        options = settings(text, base_url=one.url)
        for model in "abcd":
            ask(model, options)
    assert [asked.headers.get("authorization") for asked in one.asked] == ["Bearer usual-key", None]
    assert [asked.headers.get("authorization") for asked in two.asked] == [f"Bearer {KEY}"]
    assert [asked.headers.get("authorization") for asked in three.asked] == [None], (
        "it is not for that server"
    )


def test_headers_are_sent_and_their_keys_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AZURE_KEY", KEY)
    monkeypatch.setenv("OTHER_KEY", "another-secret-value")
    with ChatServer() as server:
        text = f"""
            [gpt]
            base_url = "{server.url}/deployments/gpt?api-version=2024-10-21"
            model = "gpt-4o-2024-08-06"
            headers.api-key = {{env = "AZURE_KEY"}}
            headers.X-Title = "My study"
            headers.Authorization = {{env = "OTHER_KEY"}}
        """
        ask("gpt", settings(text))
    (asked,) = server.asked
    assert asked.path == "/v1/deployments/gpt/chat/completions?api-version=2024-10-21"
    assert asked.headers["api-key"] == KEY and asked.headers["x-title"] == "My study"
    assert asked.headers["authorization"] == "another-secret-value"
    assert asked.body["model"] == "gpt-4o-2024-08-06"


def test_a_variable_that_is_not_set_is_said_before_the_first_request() -> None:
    options = settings('[toy]\napi_key_env = "AZURE_KEY"', base_url="http://127.0.0.1:9/v1")
    with pytest.raises(ValueError, match="AZURE_KEY, which the options of chat:toy name, is not set"):
        ChatPlayer("toy", options)


def test_a_variable_that_vanishes_or_holds_no_key_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_KEY", KEY)
    with ChatServer() as server:
        options = settings('[toy]\nheaders = {api-key = {env = "AZURE_KEY"}}', base_url=server.url)
        player = ChatPlayer("toy", options, sleep=lambda _: None)
        for value, reason in (
            ("", "variable AZURE_KEY is not set"),
            ("sk-\u00fc", "The key in AZURE_KEY has"),
        ):
            monkeypatch.setenv("AZURE_KEY", value)
            with pytest.raises(Forfeit, match=reason) as caught:
                player.choose(RangeWar(5), RangeWar(5).start(Random()), Random())
            assert caught.value.cause == "error" and "sk-" not in str(caught.value)
    assert not server.asked


@table(
    "text, reason",
    [
        ("[toy", "it is not TOML: "),
        ("temperature = 1", "temperature' is outside of a table"),
        ("[toy]\ntemprature = 1", "[toy] has no option 'temprature'; did you mean temperature?"),
        ("[toy]\nxyzzy = 1", "[toy] has no option 'xyzzy'; there are base_url, "),
        ("[toy]\ntemperature = nan", "[toy] temperature: dates, infinity and nan cannot"),
        ('[toy]\nstop = "sk-abcdefghijklmnop"', "[toy] stop: the value of it looks like a key"),
        ("[toy]\nprice = [1, -2]", "[toy] price: it takes a list of two numbers"),
        ('[toy]\nmodel = ""', "[toy] model: it takes the name of the model"),
        ('[toy]\nbase_url = "http://a.test/?key=abc"', "[toy] base_url: the value of key looks like a key"),
        ('[toy]\nbase_url = "http://me:pw@a.test/"', "[toy] base_url: a base URL "),
        ('[toy]\napi_key_env = "sk-123"', "[toy] api_key_env: it takes the name of an environment variable"),
        (
            '[toy]\nheaders = {Authorization = "x"}',
            "[toy] headers: the value of Authorization looks like a key",
        ),
        ('[toy]\nheaders = {X-Any = "Bearer abc"}', "the value of X-Any looks like a key"),
        ("[toy]\nheaders = {X-Any = 5}", "X-Any takes a text of plain characters"),
        ('[toy]\nheaders = {X-Any = "a\\nb"}', "X-Any takes a text of plain characters"),
        ('[toy]\nheaders = {"X Any" = "a"}', "'X Any' is no name of a header"),
        ("[toy]\nheaders = {X-Any = {env = 5}}", 'X-Any takes {env = "VARIABLE"} and nothing else'),
        ("[toy]\nheaders = 5", "[toy] headers: it takes a table of headers"),
        ('[toy]\nextra_body = {messages = "x"}', "[toy] extra_body: messages is set by the program"),
        (
            '[toy]\nextra_body = {a = {api_key = "x"}}',
            "[toy] extra_body: the value of api_key looks like a key",
        ),
        ("[toy]\nextra_body = {a = 2020-01-01}", "[toy] extra_body: dates, infinity and nan cannot"),
        ("[toy]\nextra_body = 5", "[toy] extra_body: it takes a table"),
    ],
)
def test_a_file_that_cannot_be_used_says_why_in_one_line(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)) as caught:
        read_model_options(text)
    assert "\n" not in str(caught.value)


@table(
    "name, value, secret",
    [
        ("HTTP-Referer", "https://example.org/my/study", False),
        ("X-Title", "A study of number duels in 2026", False),
        ("X-Api-Key", "abc", True),
        ("Cookie", "a=b", True),
        ("X-Any", "0123456789abcdef0123456789abcdef", True),
    ],
)
def test_what_looks_like_a_key(name: str, value: str, secret: bool) -> None:
    assert looks_secret(name, value) == secret


def test_only_models_that_play_are_kept_with_a_run() -> None:
    options = settings('["*"]\nseed = 1\n[a]\nseed = 2\n[b]\nseed = 3')
    assert options.for_players(("chat:a", "chat:c", "random")).models == (
        ("a", '{"seed": 2}'),
        ("c", '{"seed": 1}'),
    )
    assert ExternalSettings().for_players(("chat:a",)).models == ()


def test_the_example_of_the_docs_can_be_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(read_model_options(example)) >= 2
