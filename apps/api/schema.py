"""The OpenAPI document, generated from the views."""

from functools import lru_cache
from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_bearer_security_scheme_object

from apps.api.fields import CapabilityField, capability_names


class BearerScheme(OpenApiAuthenticationExtension):
    """Describes the bearer token."""

    target_class = "apps.api.authentication.BearerToken"
    name = "bearer"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return the security scheme."""
        return dict(build_bearer_security_scheme_object("Authorization", "Bearer"))


class CookieScheme(OpenApiAuthenticationExtension):
    """Describes the session cookie."""

    target_class = "apps.api.authentication.SessionCookie"
    name = "cookie"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return the security scheme."""
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


class StrictBodies(OpenApiSerializerExtension):
    """Says of the bodies of requests that they take no other keys."""

    target_class = "apps.api.bodies.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """Return the schema of a body."""
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": False}


class TextFields(OpenApiSerializerFieldExtension):
    """Describes texts: that they hold no NUL, how long they may be, which names there are."""

    target_class = "apps.api.fields.Text"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """Return the schema of a text."""
        limit = {"maxLength": self.target.max_length} if self.target.max_length else {}
        if isinstance(self.target, CapabilityField):
            return {"type": "string", "enum": [*capability_names(), *([None] if self.target.allow_null else [])]}
        return {"type": "string", "pattern": self.target.pattern, **limit}


class Operation(AutoSchema):
    """One call: its tag is the first word of its address, its id the method and the words of the address."""

    def get_tags(self) -> list[str]:
        """Return the tag."""
        return [self._words()[0] if self.path.startswith("/api/") else "health"]

    def get_operation_id(self) -> str:
        """Return the id, such as ``get_sessions_one_messages``."""
        return "_".join([self.method.lower(), *self._words()])

    def _words(self) -> list[str]:
        words = self.path.removeprefix("/api").strip("/").split("/")
        return ["one" if word.startswith("{") else word for word in words]


@lru_cache(maxsize=1)
def document() -> dict[str, Any]:
    """Return the OpenAPI document; it is the same for everybody, in English."""
    generated: dict[str, Any] = _unmarked(SchemaGenerator().get_schema(request=None, public=True))
    return generated


def _unmarked(value: Any) -> Any:
    """Return the document without the marks that the generator leaves for its own use."""
    if isinstance(value, dict):
        return {key: _unmarked(inner) for key, inner in value.items() if key != "x-spec-enum-id"}
    return list(map(_unmarked, value)) if isinstance(value, list) else value
