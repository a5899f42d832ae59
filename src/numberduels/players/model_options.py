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

PARAMETERS = (
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "seed",
    "stop",
    "reasoning_effort",
)
"""Options that are sent as they are; the server says what is wrong with a value."""
OPTIONS = ("base_url", "model", "api_key_env", "headers", "price", *PARAMETERS, "extra_body")


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The options of one model."""

    base_url: str = ""
    """Its server; empty for the one of all models."""
    query: str = ""
    """What follows the question mark of its URL."""
    model: str = ""
    """Its name on the server; empty if the player has that name."""
    api_key_env: str | None = None
    """The variable of its key; empty for no key; None for the usual variables."""
    body: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the request, such as the temperature."""
    headers: Mapping[str, str] = field(default_factory=dict)
    secret_headers: Mapping[str, str] = field(default_factory=dict)
    """Headers whose value is read from an environment variable for each request: the name of the variable."""

    def variables(self) -> list[str]:
        """The environment variables that must be set."""
        return [*([self.api_key_env] if self.api_key_env else []), *self.secret_headers.values()]


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
    base_url, _, query = table.get("base_url", "").partition("?")
    headers = table.get("headers", {})
    return ModelOptions(
        base_url,
        query,
        table.get("model", ""),
        table.get("api_key_env", "" if base_url else None),  # the usual key is not sent to another server
        {name: table[name] for name in PARAMETERS if name in table} | table.get("extra_body", {}),
        {name: value for name, value in headers.items() if isinstance(value, str)},
        {name: value["env"] for name, value in headers.items() if isinstance(value, dict)},
    )


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
            f"no endpoint is known: name base_url in the file of --model-options or set {BASE_URL}, such as http://localhost:8000/v1"
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
        if option not in OPTIONS:
            meant = nearest(option, OPTIONS)
            others = f"there are {', '.join(OPTIONS)}; others go to extra_body"
            hint = f"did you mean {meant}?" if meant else others
            raise ValueError(f"[{name}] has no option {short(option)}; {hint}")
        try:
            CHECKS.get(option, _check_json)(value)
        except ValueError as fault:
            raise ValueError(f"[{name}] {option}: {fault}") from None
    return table


def _check_url(value: Any) -> None:
    base_url, _, query = value.partition("?") if isinstance(value, str) else ("", "", "")
    check_base_url(base_url)
    for name, text in parse_qsl(query, keep_blank_values=True):
        _check_no_key(text, name)


def _check_model(value: Any) -> None:
    if not (isinstance(value, str) and value.strip() and value.isprintable()):
        raise ValueError("it takes the name of the model on the server")


def _check_variable(value: Any) -> None:
    if not isinstance(value, str) or (value and not ENV_NAME.fullmatch(value)):
        raise ValueError("it takes the name of an environment variable, or an empty text for no key")


def _check_headers(headers: Any) -> None:
    """Check headers: texts without keys, or names of variables."""
    if not isinstance(headers, dict):
        raise ValueError("it takes a table of headers")
    for name, value in headers.items():
        if not HEADER_NAME.fullmatch(name):
            raise ValueError(f"{short(name)} is no name of a header")
        variable = value.get("env") if isinstance(value, dict) and len(value) == 1 else None
        if isinstance(value, dict) and not (isinstance(variable, str) and ENV_NAME.fullmatch(variable)):
            raise ValueError(f'{name} takes {{env = "VARIABLE"}} and nothing else')
        if not isinstance(value, dict) and not (isinstance(value, str) and PRINTABLE.fullmatch(value)):
            raise ValueError(f'{name} takes a text of plain characters or {{env = "VARIABLE"}}')
        if isinstance(value, str) and looks_secret(name, value):
            raise ValueError(
                f"the value of {name} looks like a key, which would be kept with the run;"
                f' write {name} = {{env = "VARIABLE"}}'
            )


def _check_price(value: Any) -> None:
    pair = value if isinstance(value, list) else []
    if len(pair) != 2 or not all(type(each) in (int, float) and 0 <= each <= 1e9 for each in pair):
        raise ValueError("it takes a list of two numbers: what a million tokens cost, in and out")


def _check_body(body: Any) -> None:
    if not isinstance(body, dict):
        raise ValueError("it takes a table")
    for name in OWN_BODY:
        if name in body:
            raise ValueError(f"{name} is set by the program")
    _check_json(body)


def _check_json(value: Any) -> None:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError("dates, infinity and nan cannot be sent as JSON") from None
    _check_no_key(value)


def _check_no_key(value: Any, name: str = "it") -> None:
    if isinstance(value, dict):
        for each, inner in value.items():
            _check_no_key(inner, each)
    elif isinstance(value, list):
        for inner in value:
            _check_no_key(inner, name)
    elif isinstance(value, str) and looks_secret(name, value):
        raise ValueError(f"the value of {name} looks like a key, which would be kept with the run")


CHECKS: dict[str, Callable[[Any], None]] = {
    "base_url": _check_url,
    "model": _check_model,
    "api_key_env": _check_variable,
    "headers": _check_headers,
    "price": _check_price,
    "extra_body": _check_body,
}
"""What checks an option and raises ValueError; the parameters of a request must be JSON without keys."""
