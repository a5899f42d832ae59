"""What a request to one language model carries beside the conversation: server, key, parameters, headers.

The tables come from a TOML file, one for each model; the table `*` is for all. They are kept with a run, so
they hold no key: keys are named by their environment variables.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from numberduels.game.formatting import nearest, short
from numberduels.players.external import ALL_MODELS

BASE_URL = "NUMBERDUELS_BASE_URL"
KEYS = ("NUMBERDUELS_API_KEY", "OPENAI_API_KEY")
"""The environment variables for the API key; the first that is set is used."""

ENV_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
HEADER_NAME = re.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+")
PRINTABLE = re.compile("[ -~]*")
SECRET_NAME = re.compile(
    r"(?:^|[-_.])(?:api[-_]?key|key|token|secret|password|passwd|authorization|auth|credentials?|cookie|sig"
    r"|signature)$",
    re.IGNORECASE,
)
SECRET_VALUE = re.compile(
    r"\s*(?:bearer|basic|token|api-key)\s+\S+.*|(?:sk|pk|rk|gsk|hf|xai|ghp|gho|github_pat|AIza|AKIA)[-_A-Za-z0-9]{12,}"
    r"|(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9_+/=-]{32,}",
    re.IGNORECASE,
)
"""A value with which keys begin, or a long run of letters and digits."""

OWN_BODY = ("model", "messages", "stream")
"""Entries of a request that an extra body must not set."""


@dataclass(frozen=True, slots=True)
class EnvValue:
    """A value that is read from the environment for each request."""

    name: str
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The options of one model."""

    base_url: str = ""
    """Its server; empty for the one of all models."""
    model: str = ""
    """Its name on the server; empty if the player has that name."""
    api_key_env: str | None = None
    """The variable of its key; empty for no key; None for the usual variables."""
    body: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the request, such as the temperature."""
    headers: Mapping[str, str | EnvValue] = field(default_factory=dict)
    query: Mapping[str, str | EnvValue] = field(default_factory=dict)

    def variables(self) -> list[str]:
        """The environment variables that must be set."""
        values = [*self.headers.values(), *self.query.values()]
        named = [self.api_key_env] if self.api_key_env else []
        return [*named, *(value.name for value in values if isinstance(value, EnvValue))]


NO_OPTIONS = ModelOptions()

Table = dict[str, Any]


def read_model_options(text: str) -> dict[str, Table]:
    """The tables of a TOML file by the names of models; ValueError says what is wrong.

    >>> read_model_options('[llama]\\ntemperature = 0.5')
    {'llama': {'temperature': 0.5}}
    >>> read_model_options('[llama]\\ntemprature = 0.5')
    Traceback (most recent call last):
    ValueError: [llama] has no option 'temprature'; did you mean temperature?
    """
    import tomllib

    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise ValueError(f"it is not TOML: {fault}") from None
    tables: dict[str, Table] = {}
    for name, table in data.items():
        if not isinstance(table, dict):
            raise ValueError(
                f'{short(name)} is outside of a table; write a table for each model, such as ["llama3.1"]'
            )
        tables[name.removeprefix("chat:")] = _checked(name, table)
    return tables


def options_for(tables: Mapping[str, Table], model: str) -> Table:
    """The table of a model, with the entries of the table for all that it does not have itself."""
    merged = dict(tables.get(ALL_MODELS, {}))
    for entry, value in tables.get(model, {}).items():
        both = isinstance(value, dict) and isinstance(merged.get(entry), dict)
        merged[entry] = {**merged[entry], **value} if both else value
    return merged


def write_options(table: Mapping[str, Any]) -> str:
    """A table as JSON text in which equal tables are equal; without the price, which changes no request."""
    return json.dumps({name: value for name, value in table.items() if name != "price"}, sort_keys=True)


def parse_options(text: str) -> ModelOptions:
    """The options in a text of `write_options`; ValueError if it is none."""
    table = json.loads(text)
    if not isinstance(table, dict):
        raise ValueError("the options of a model are a table")
    table = _checked("options", table)
    base_url, query = _split_url(table.get("base_url", ""))
    body = {name: value for name, value in table.items() if name in PARAMETERS} | table.get("extra_body", {})
    # The usual key is not sent to another server.
    key = table.get("api_key_env", "" if base_url else None)
    headers = {name: _value(value) for name, value in table.get("headers", {}).items()}
    query |= {name: _value(value) for name, value in table.get("query", {}).items()}
    return ModelOptions(base_url, table.get("model", ""), key, body, headers, query)


def read_variable(name: str) -> str:
    """The value of an environment variable; ValueError, which does not quote it, if it cannot be sent."""
    value = os.environ.get(name, "").strip()
    if not re.fullmatch("[!-~]*", value):
        raise ValueError(f"The key in {name} has characters that no key has")
    return value


def check_base_url(base_url: str) -> str:
    """The base URL without a final slash; ValueError says what is wrong with it."""
    if not base_url:
        raise ValueError(
            f"no endpoint is known: give a base URL or set {BASE_URL}, such as http://localhost:8000/v1"
        )
    if not re.fullmatch("[!-~]+", base_url):
        raise ValueError("a base URL has no blanks and none but plain characters")
    try:
        parts = urlsplit(base_url)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        right = False
    if not right:
        raise ValueError(
            "a base URL begins with http:// or https:// and a host, such as http://localhost:8000/v1"
        )
    if "@" in parts.netloc or "?" in base_url or "#" in base_url:
        # The URL appears in messages and results, so it must not contain a secret.
        raise ValueError(
            f"a base URL ends with its path and names no user; a key belongs in the variable {KEYS[0]}"
        )
    return base_url.rstrip("/")


# Checking a table


def looks_secret(name: str, value: str) -> bool:
    """Whether a literal value looks like a key that must not be kept with a run.

    >>> looks_secret("X-Title", "My study"), looks_secret("api-key", "abc"), looks_secret("X", "Bearer abc")
    (False, True, True)
    """
    return bool(SECRET_NAME.search(name) or SECRET_VALUE.fullmatch(value))


def _checked(name: str, table: Table) -> Table:
    for option, value in table.items():
        if option not in CHECKS:
            meant = nearest(option, CHECKS)
            others = f"there are {', '.join(CHECKS)}; others go to extra_body"
            hint = f"did you mean {meant}?" if meant else others
            raise ValueError(f"[{name}] has no option {short(option)}; {hint}")
        kind, check, description = CHECKS[option]
        try:
            right = isinstance(value, kind) and not isinstance(value, bool) and check(value) is not False
        except ValueError as fault:
            raise ValueError(f"[{name}] {option}: {fault}") from None
        if not right:
            raise ValueError(f"[{name}] {option} takes {description}")
    return table


def _is_stop(value: str | list[Any]) -> bool:
    texts = [value] if isinstance(value, str) else value
    return bool(texts) and all(isinstance(text, str) and text for text in texts)


def _is_line(value: str) -> bool:
    return bool(value.strip()) and value.isprintable()


def _is_price(value: list[Any]) -> bool:
    return len(value) == 2 and all(type(each) in (int, float) and 0 <= each <= 1e9 for each in value)


def _check_url(value: str) -> None:
    base_url, query = _split_url(value)
    check_base_url(base_url)
    _check_values(query)


def _check_values(values: Mapping[str, Any]) -> None:
    """Check the values of headers or of a query: texts without keys, or names of variables."""
    for name, value in values.items():
        if not HEADER_NAME.fullmatch(name):
            raise ValueError(f"{short(name)} is no name of a header or a parameter")
        if isinstance(value, dict):
            env, prefix = value.get("env"), value.get("prefix", "")
            if not all(isinstance(each, str) and PRINTABLE.fullmatch(each) for each in (env, prefix)):
                raise ValueError(f'{name} takes a text or {{env = "VARIABLE"}}')
            if not ENV_NAME.fullmatch(str(env)) or set(value) - {"env", "prefix"}:
                raise ValueError(f'{name} takes {{env = "VARIABLE", prefix = "..."}} and nothing else')
        elif not isinstance(value, str) or not PRINTABLE.fullmatch(value):
            raise ValueError(f'{name} takes a text of plain characters or {{env = "VARIABLE"}}')
        elif looks_secret(name, value):
            raise ValueError(
                f"the value of {name} looks like a key, which would be kept with the run;"
                f' write {name} = {{env = "VARIABLE"}}'
            )


def _check_body(body: Table) -> None:
    for name in OWN_BODY:
        if name in body:
            raise ValueError(f"{name} is set by the program")
    try:
        json.dumps(body, allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError("dates, infinity and nan cannot be sent as JSON") from None
    _check_no_key(body)


def _check_no_key(value: Any, name: str = "") -> None:
    if isinstance(value, dict):
        for each, inner in value.items():
            _check_no_key(inner, each)
    elif isinstance(value, list):
        for inner in value:
            _check_no_key(inner, name)
    elif isinstance(value, str) and looks_secret(name, value):
        raise ValueError(f"the value of {name} looks like a key, which would be kept with the run")


Check = tuple[type | tuple[type, ...], Callable[[Any], bool | None], str]
"""The type of a value, what says if it is right or raises ValueError, and what the option takes."""


def _whole(low: int, description: str) -> Check:
    return int, lambda value: low <= value < 2**63, description


PARAMETERS: dict[str, Check] = {
    "temperature": ((int, float), lambda value: 0 <= value <= 100, "a number of at least 0"),
    "top_p": ((int, float), lambda value: 0 <= value <= 1, "a number from 0 to 1"),
    "max_tokens": _whole(1, "a whole number of at least 1"),
    "max_completion_tokens": _whole(1, "a whole number of at least 1"),
    "seed": _whole(-(2**63), "a whole number"),
    "stop": ((str, list), _is_stop, "a text or a list of texts"),
    "reasoning_effort": (str, _is_line, 'a text such as "low"'),
}
"""The parameters of a request."""

CHECKS: dict[str, Check] = PARAMETERS | {
    "base_url": (str, _check_url, "a URL"),
    "model": (str, _is_line, "the name of the model on the server"),
    "api_key_env": (
        str,
        lambda value: not value or ENV_NAME.fullmatch(value) is not None,
        "the name of an environment variable, or an empty text for no key",
    ),
    "headers": (dict, _check_values, "a table of headers"),
    "query": (dict, _check_values, "a table of parameters"),
    "extra_body": (dict, _check_body, "a table"),
    "price": (list, _is_price, "a list of two numbers: what a million tokens cost, in and out"),
}
"""All options of a table."""


def _split_url(url: str) -> tuple[str, dict[str, str | EnvValue]]:
    """A base URL, and the parameters behind it."""
    try:
        query = urlsplit(url).query
    except ValueError:
        return url, {}  # check_base_url says what is wrong
    return url.partition("?")[0] if query else url, dict(parse_qsl(query, keep_blank_values=True))


def _value(value: Any) -> str | EnvValue:
    return EnvValue(value["env"], value.get("prefix", "")) if isinstance(value, dict) else value
