"""The settings of capabilities: the caller's own, and those of the installation."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.api import plan_shapes
from apps.api.bodies import Body
from apps.api.describing import describe, parameter
from apps.api.errors import InsufficientScope
from apps.api.queries import Query
from apps.api.views.base import ApiView, caller
from apps.runs.settings_store import change_settings, settings_of

OWN, INSTALLATION = "user", "installation"
_SCOPE = parameter("scope", "Whose settings; without it the caller's own.", enum=(OWN, INSTALLATION))


@extend_schema_field({"type": "object", "additionalProperties": True})
class _Part(serializers.JSONField):
    """Some settings of one capability; which, and in which range, is the coordinator's matter."""


class SettingsBody(Body):
    """A part of the settings. Unknown settings are dropped, `null` takes one back."""

    chat = _Part(required=False, allow_null=True)
    solve = _Part(required=False, allow_null=True)
    tools = _Part(required=False, allow_null=True, help_text="`tools` of every capability: `{name: never, ask or off}`.")


class CapabilitySettingsView(ApiView):
    """The settings of capabilities."""

    scopes = {"PUT": "run"}

    def check_permissions(self, request: Request) -> None:
        """Let only staff change the settings of the installation, with a token only by its scope admin."""
        is_change = request.method == "PUT" and request.query_params.get("scope") == INSTALLATION
        if is_change:
            self.scopes = {"PUT": "admin"}
        super().check_permissions(request)
        if is_change and not caller(request).is_staff:
            raise InsufficientScope(_("Only staff changes the settings of the installation."))

    @describe(
        "Settings of capabilities",
        answers={200: plan_shapes.CapabilitySettings},
        parameters=[_SCOPE],
        refusals=("invalid_query",),
    )
    def get(self, request: Request) -> Response:
        """Show every setting as it holds: the caller's own over those of the installation over the defaults."""
        return Response(settings_of(_owner(request)))

    @describe(
        "Change settings of capabilities",
        body=SettingsBody,
        answers={200: plan_shapes.CapabilitySettings},
        parameters=[_SCOPE],
        refusals=("invalid_query",),
    )
    def put(self, request: Request) -> Response:
        """Change a part of the settings, return them all. Numbers out of range are clamped, `null` takes a setting back."""
        owner, changes = _owner(request), SettingsBody.read(request.data)
        return Response(change_settings(owner, changes))


def _owner(request: Request) -> User | None:
    query = Query(request.query_params)
    scope = query.choice("scope", (OWN, INSTALLATION))
    query.check()
    return None if scope == INSTALLATION else caller(request)
