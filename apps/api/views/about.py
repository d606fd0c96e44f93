"""What this installation can do: capabilities, tools, the schema and the page drawn from it."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agent.capabilities import Capability
from apps.agent.model import ModelError
from apps.api import shapes
from apps.api.describing import describe, parameter
from apps.api.fields import capability_names
from apps.api.queries import Query
from apps.api.reference import reference_of
from apps.api.schema import document
from apps.api.views.base import ApiView, OpenView, caller
from apps.api.wire import Json
from apps.providers.registry import current_model
from apps.runs import services
from apps.runs.capabilities import all_capabilities, capability_named, mounted
from apps.runs.config import schema_of
from apps.runs.policies import toolbox_for


class CapabilitiesView(ApiView):
    """The capabilities."""

    @describe("Capabilities", answers={200: shapes.CapabilitiesPage})
    def get(self, request: Request) -> Response:
        """List the modes that a run may have, and the settings that it may be given."""
        return Response({"model": _model_name(), "results": list(map(_capability, all_capabilities())), "next": None})


def _model_name() -> str | None:
    try:
        return current_model().name
    except ModelError:
        return None


def _capability(capability: Capability) -> Json:
    return {
        "name": capability.name,
        "aliases": list(getattr(capability, "aliases", ())),
        "titles": dict(capability.titles),
        "config": {"type": "object", "properties": schema_of(capability), "additionalProperties": False},
        "tools": list(mounted(capability, {}).tools),
    }


class ToolsView(ApiView):
    """The tools."""

    @describe(
        "Tools",
        answers={200: shapes.ToolsPage},
        parameters=[
            parameter("capability", "Name or alias; without it: chat.", enum=capability_names()),
            parameter("language", "Of the descriptions; without it that of Accept-Language.", enum=("en", "zh")),
            parameter("sessionId", "With the tools that this session has switched on and off."),
        ],
        refusals=("invalid_query", "not_found"),
    )
    def get(self, request: Request) -> Response:
        """List the schemas exactly as the next request to the model would carry them."""
        query = Query(request.query_params)
        name, session_id = query.choice("capability", capability_names()) or "chat", query.text("sessionId")
        language = query.choice("language", ("en", "zh")) or (get_language() or "en")[:2]
        query.check()
        session = None if session_id is None else services.session_of(caller(request), session_id)
        toolbox, _asking = toolbox_for(caller(request).pk, capability_named(name), session, {})
        return Response({"results": toolbox.schemas(language), "next": None})


class SchemaView(OpenView):
    """The schema."""

    @describe("This document", answers={200: OpenApiTypes.OBJECT}, is_open=True)
    def get(self, request: Request) -> Response:
        """Return the OpenAPI document of the API."""
        return Response(document())


class ReferenceView(OpenView):
    """The schema as a page, drawn here: nothing is loaded from elsewhere."""

    schema = None

    def get(self, request: Request) -> HttpResponse:
        """Draw the page."""
        return render(request._request, "api/reference.html", {"reference": reference_of(document())})
