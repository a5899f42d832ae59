"""Checks data against a JSON schema, as far as our own schemas need it.

Requests are checked against the same schemas that the OpenAPI document publishes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from numberduels.game.formatting import short

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
"""The types of JSON: their Python types, and their names in messages."""


class SchemaError(NamedTuple):
    """Where a value does not fit, and what was expected."""

    path: tuple[str, ...]
    expected: str


def schema_errors(
    schema: Schema, value: Any, schemas: Mapping[str, Schema], *path: str
) -> Iterator[SchemaError]:
    """All errors of a value; `schemas` are those that the schema refers to by `$ref`.

    >>> list(schema_errors({"type": "integer", "maximum": 3}, 4, {}))
    [SchemaError(path=(), expected='at most 3, not 4')]
    >>> list(schema_errors({"properties": {"a": {"enum": [1, 2]}}, "required": ["a", "b"]}, {"a": True}, {}))
    [SchemaError(path=('b',), expected='given'), SchemaError(path=('a',), expected='1 or 2, not True')]
    """
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema and not any(fits(each, value, schemas) for each in schema["anyOf"]):
        yield SchemaError(path, schema.get("description") or "something else")
        return
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(kind, value) for kind in kinds):
        yield SchemaError(path, f"{' or '.join(TYPES[kind][1] for kind in kinds)}, not {_quoted(value)}")
        return
    if "enum" in schema and not any(value == each and type(value) is type(each) for each in schema["enum"]):
        choices = dict.fromkeys(map(str, schema["enum"]))
        yield SchemaError(path, f"{' or '.join(choices)}, not {_quoted(value)}")
    if isinstance(value, str):
        yield from _misfits_of_text(schema, value, path)
    elif isinstance(value, int | float):
        if value < schema.get("minimum", value):
            yield SchemaError(path, f"at least {schema['minimum']}, not {_quoted(value)}")
        if value > schema.get("maximum", value):
            yield SchemaError(path, f"at most {schema['maximum']}, not {_quoted(value)}")
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield SchemaError(
                path, f"a list of {schema.get('minItems', 0)} to {schema.get('maxItems', 'any')}"
            )
        if schema.get("uniqueItems") and len({repr(each) for each in value}) < len(value):
            yield SchemaError(path, "a list in which nothing is there twice")
        for index, each in enumerate(value):
            yield from schema_errors(schema.get("items", {}), each, schemas, *path, str(index))
    elif isinstance(value, dict):
        yield from _misfits_of_object(schema, value, schemas, path)


def fits(schema: Schema, value: Any, schemas: Mapping[str, Schema]) -> bool:
    """Whether the value fits the schema."""
    return next(schema_errors(schema, value, schemas), None) is None


def _misfits_of_text(schema: Schema, value: str, path: tuple[str, ...]) -> Iterator[SchemaError]:
    if len(value) > schema.get("maxLength", len(value)):
        yield SchemaError(path, f"at most {schema['maxLength']} characters long")
    if len(value) < schema.get("minLength", 0):
        yield SchemaError(path, f"at least {schema['minLength']} characters long")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield SchemaError(path, f"of the form {schema['pattern']}, not {_quoted(value)}")


def _misfits_of_object(
    schema: Schema, value: dict[str, Any], schemas: Mapping[str, Schema], path: tuple[str, ...]
) -> Iterator[SchemaError]:
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            yield SchemaError((*path, name), "given")
    for name, each in value.items():
        if name in properties:
            yield from schema_errors(properties[name], each, schemas, *path, name)
        elif others is False:
            yield SchemaError((*path, name), f"left out: there are only {', '.join(properties)}")
        elif isinstance(others, Mapping):
            yield from schema_errors(others, each, schemas, *path, name)


def _is(kind: str, value: Any) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    whole = isinstance(value, float) and value.is_integer()
    return isinstance(value, TYPES[kind][0]) or (kind == "integer" and whole)


def _quoted(value: Any) -> str:
    if isinstance(value, str):
        return short(value)
    return str(value)[:20] if isinstance(value, int) else short(ascii(value)[:40])
