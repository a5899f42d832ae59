"""Checks plain data against a JSON schema, as far as our own description uses it.

The description of the interface is the only place that says what a request may hold: what does not fit it is
refused by it, and so it is true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from numberduels.text import short

Schema = Mapping[str, Any]

TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "string": ((str,), "a text"),
    "integer": ((int,), "a whole number"),
    "number": ((int, float), "a number"),
    "boolean": ((bool,), "true or false"),
    "array": ((list,), "a list"),
    "object": ((dict,), "an object"),
    "null": ((type(None),), "null"),
}
"""The types of JSON: what they are in Python, and what people call them."""


class Misfit(NamedTuple):
    """What does not fit: where, and what it should be."""

    path: tuple[str, ...]
    expected: str


def misfits(schema: Schema, value: Any, schemas: Mapping[str, Schema], *path: str) -> Iterator[Misfit]:
    """Everything in the value that does not fit the schema; `schemas` are those that it refers to.

    >>> list(misfits({"type": "integer", "maximum": 3}, 4, {}))
    [Misfit(path=(), expected='at most 3, not 4')]
    >>> list(misfits({"properties": {"a": {"enum": [1, 2]}}, "required": ["a", "b"]}, {"a": True}, {}))
    [Misfit(path=('b',), expected='given'), Misfit(path=('a',), expected='1 or 2, not True')]
    """
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema and not any(fits(each, value, schemas) for each in schema["anyOf"]):
        yield Misfit(path, schema.get("description") or "something else")
        return
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(kind, value) for kind in kinds):
        yield Misfit(path, f"{' or '.join(TYPES[kind][1] for kind in kinds)}, not {_shown(value)}")
        return
    if "enum" in schema and not any(value == each and type(value) is type(each) for each in schema["enum"]):
        choices = dict.fromkeys(map(str, schema["enum"]))
        yield Misfit(path, f"{' or '.join(choices)}, not {_shown(value)}")
    if isinstance(value, str):
        yield from _misfits_of_text(schema, value, path)
    elif isinstance(value, int | float):
        if value < schema.get("minimum", value):
            yield Misfit(path, f"at least {schema['minimum']}, not {_shown(value)}")
        if value > schema.get("maximum", value):
            yield Misfit(path, f"at most {schema['maximum']}, not {_shown(value)}")
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield Misfit(path, f"a list of {schema.get('minItems', 0)} to {schema.get('maxItems', 'any')}")
        if schema.get("uniqueItems") and len({repr(each) for each in value}) < len(value):
            yield Misfit(path, "a list in which nothing is there twice")
        for index, each in enumerate(value):
            yield from misfits(schema.get("items", {}), each, schemas, *path, str(index))
    elif isinstance(value, dict):
        yield from _misfits_of_object(schema, value, schemas, path)


def fits(schema: Schema, value: Any, schemas: Mapping[str, Schema]) -> bool:
    """Whether the value fits the schema."""
    return next(misfits(schema, value, schemas), None) is None


def _misfits_of_text(schema: Schema, value: str, path: tuple[str, ...]) -> Iterator[Misfit]:
    if len(value) > schema.get("maxLength", len(value)):
        yield Misfit(path, f"at most {schema['maxLength']} characters long")
    if len(value) < schema.get("minLength", 0):
        yield Misfit(path, f"at least {schema['minLength']} characters long")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield Misfit(path, f"of the form {schema['pattern']}, not {_shown(value)}")


def _misfits_of_object(
    schema: Schema, value: dict[str, Any], schemas: Mapping[str, Schema], path: tuple[str, ...]
) -> Iterator[Misfit]:
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            yield Misfit((*path, name), "given")
    for name, each in value.items():
        if name in properties:
            yield from misfits(properties[name], each, schemas, *path, name)
        elif others is False:
            yield Misfit((*path, name), f"left out: there are only {', '.join(properties)}")
        elif isinstance(others, Mapping):
            yield from misfits(others, each, schemas, *path, name)


def _is(kind: str, value: Any) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    whole = isinstance(value, float) and value.is_integer()
    return isinstance(value, TYPES[kind][0]) or (kind == "integer" and whole)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return short(value)
    return str(value)[:20] if isinstance(value, int) else short(ascii(value)[:40])
