"""The OpenAPI document as a page shows it: chapters of calls, then the shapes that they exchange."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a key of a body or shape. `shape` names the shape that it has, if it has one of its own."""

    name: str
    type: str
    shape: str
    is_required: bool
    description: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way in which a call is answered."""

    status: str
    media_type: str
    shape: str
    description: str


@dataclass(frozen=True, slots=True)
class Call:
    """One method of one address."""

    method: str
    path: str
    summary: str
    description: str
    parameters: list[Field]
    body: str
    outcomes: list[Outcome]


@dataclass(frozen=True, slots=True)
class Reference:
    """The whole page."""

    title: str
    version: str
    chapters: dict[str, list[Call]]
    shapes: dict[str, list[Field]]


def reference_of(document: Json) -> Reference:
    """Return what is drawn of a document."""
    chapters: dict[str, list[Call]] = defaultdict(list)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            chapters[operation["tags"][0]].append(_call(method.upper(), path, operation))
    shapes = {name: _fields(schema) for name, schema in document["components"]["schemas"].items()}
    return Reference(document["info"]["title"], document["info"]["version"], dict(chapters), shapes)


def _call(method: str, path: str, operation: Json) -> Call:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    return Call(
        method=method,
        path=path,
        summary=operation.get("summary", ""),
        description=operation.get("description", ""),
        parameters=[
            _field(each["name"], each["schema"], each.get("required", False), each.get("description", ""))
            for each in operation.get("parameters", ())
        ],
        body=_shape(body),
        outcomes=[each for status, response in operation["responses"].items() for each in _outcomes(status, response)],
    )


def _outcomes(status: str, response: Json) -> list[Outcome]:
    description = response.get("description", "")
    content = response.get("content") or {"": {"schema": {}}}
    return [Outcome(status, media, _shape(each["schema"]), description) for media, each in content.items()]


def _fields(schema: Json) -> list[Field]:
    required = schema.get("required", ())
    return [
        _field(name, inner, name in required, inner.get("description", ""))
        for name, inner in schema.get("properties", {}).items()
    ]


def _field(name: str, schema: Json, is_required: bool, description: str) -> Field:
    return Field(name, _type(schema), _shape(schema), is_required, description)


def _shape(schema: Json) -> str:
    """Return the name of the shape that a schema refers to, however deep; empty: none."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    inner = [schema.get("items", {}), *schema.get("oneOf", ()), *schema.get("allOf", ()), *schema.get("anyOf", ())]
    return next((name for each in inner if each and (name := _shape(each))), "")


def _type(schema: Json) -> str:
    kinds = schema.get("type", "")
    if words := schema.get("enum"):
        return " | ".join(str(word) or '""' for word in words if word is not None)
    if schema.get("format"):
        return str(schema["format"])
    if kinds == "array":
        return "list"
    return " | ".join(kinds) if isinstance(kinds, list) else str(kinds)
