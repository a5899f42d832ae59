"""The page about the HTTP API, from the OpenAPI document of the server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numberduels.web.http.openapi import openapi_document

Json = dict[str, Any]
METHODS = ("get", "post", "put", "delete")


def http_api() -> str:
    """All operations and all schemas of the API, as Markdown."""
    document = openapi_document()
    parts = [document["info"]["description"], "## Operations"]
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                parts += _operation(method, path, methods[method])
    parts.append("## Schemas")
    for name, schema in document["components"]["schemas"].items():
        parts += [f"### {name}", *_schema(schema)]
    return "\n\n".join(parts)


def _operation(method: str, path: str, operation: Json) -> Iterator[str]:
    yield f"### {method.upper()} {path}"
    yield f"{operation['summary']}. {_token(operation)}"
    facts = []
    for parameter in operation.get("parameters", ()):
        where = parameter["in"]
        facts.append(f"- `{parameter['name']}` ({where}): {parameter.get('description', '')}")
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        facts.append(f"- Request ({kind}): {_type(content['schema'])}")
    for status, response in operation["responses"].items():
        if int(status) < 400:
            kinds = [
                f"{_type(content['schema'])} ({kind})"
                for kind, content in response.get("content", {}).items()
            ]
            facts.append(f"- {status}: {', '.join(kinds) or response['description']}")
    failures = ", ".join(status for status in operation["responses"] if int(status) >= 400)
    facts.append(f"- Errors: {failures}")
    yield "\n".join(facts)


def _token(operation: Json) -> str:
    security = operation.get("security", [])
    if not security:
        return ""
    return "A token may be sent." if {} in security else "A token is needed."


def _schema(schema: Json) -> Iterator[str]:
    """The description of a schema and its fields."""
    if schema.get("description"):
        yield schema["description"]
    properties = schema.get("properties")
    if not properties:
        yield f"Type: {_type(schema)}"
        return
    rows = ["| field | type | meaning |", "|---|---|---|"]
    for name, each in properties.items():
        needed = "" if name in schema.get("required", ()) else " (optional)"
        rows.append(f"| `{name}`{needed} | {_cell(_type(each))} | {_cell(each.get('description', ''))} |")
    yield "\n".join(rows)


def _type(schema: Json) -> str:
    """The type of a value in words, with links to named schemas."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for key, word in (("anyOf", " or "), ("oneOf", " or "), ("allOf", " and ")):
        if key in schema:
            return word.join(_type(each) for each in schema[key])
    if "const" in schema:
        return f"`{schema['const']!r}`"
    if "enum" in schema:
        return " or ".join(f"`{each}`" for each in schema["enum"])
    kinds = schema.get("type", "any")
    if isinstance(kinds, list):
        return " or ".join(_type({**schema, "type": kind}) for kind in kinds)
    if kinds == "array":
        if "prefixItems" in schema:
            return f"list of {', '.join(_type(each) for each in schema['prefixItems'])}"
        items = schema.get("items")
        return f"list of {_type(items)}" if isinstance(items, dict) else "list"
    extra = schema.get("additionalProperties")
    if kinds == "object" and isinstance(extra, dict):
        return f"object of {_type(extra)}"
    return str(kinds)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
