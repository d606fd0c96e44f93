"""The bodies of requests, as strict forms: the same classes check them and describe them in the schema.

A body of the wrong form is malformed (400); one of the right form with a value that cannot be used is invalid (422).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from apps.api.fields import SAYS_SOMETHING, STORABLE, CapabilityField, ConfigField, Flag, Text, ToolSetting, Whole
from apps.common.errors import FieldError
from apps.common.text import clean_shown
from apps.interactions.submissions import MAX_ERRORS, MalformedBody, Submission, parse_submission
from apps.runs.config import MAX_LIFETIME
from apps.runs.errors import InvalidRequest
from apps.runs.starting import MAX_MESSAGE, NewRun

MAX_TITLE = 200
MAX_TOOLS = 100
MAX_SOURCES = 50


class Body(serializers.Serializer[Any]):
    """A JSON object with these keys and no others. An optional key that is null is not given."""

    @classmethod
    def read(cls, given: object) -> dict[str, Any]:
        """Return the values given. Raises MalformedBody or InvalidRequest, which name every wrong field."""
        if not isinstance(given, Mapping):
            raise MalformedBody(_("The body must be a JSON object."))
        form = cls(data=given)
        if not form.is_valid():
            raise refusal_of(form.errors)
        return {key: value for key, value in form.validated_data.items() if value is not None}

    def to_internal_value(self, given: Any) -> Any:
        """Read the fields; unknown keys are named beside the other faults."""
        unknown = {
            clean_shown(str(key))[:100]: [ErrorDetail(_("This key is unknown."), "unknown")]
            for key in given
            if key not in self.fields
        }
        try:
            values = super().to_internal_value(given)
        except ValidationError as error:
            faults: Any = error.detail  # of a form: by field
            raise ValidationError({**unknown, **faults}) from None
        if unknown:
            raise ValidationError(unknown)
        return values


def read_object(given: object) -> dict[str, Any]:
    """Return a body that may be any JSON object. Raises MalformedBody."""
    if not isinstance(given, dict):
        raise MalformedBody(_("The body must be a JSON object."))
    return given


_OF_VALUE = frozenset({"invalid_choice", "max_length", "max_value", "min_length", "min_value", "unusable"})
"""Faults of a value; all others are faults of the form."""


def refusal_of(detail: Any) -> MalformedBody | InvalidRequest:
    """Return the refusal for what a form found wrong."""
    faults = list(_faults(detail, ""))
    errors = [FieldError(path, str(fault)) for path, fault in faults][:MAX_ERRORS]
    if all(fault.code in _OF_VALUE for _path, fault in faults):
        return InvalidRequest(_("The request has values that cannot be used."), errors=errors)
    return MalformedBody(_("The body is malformed."), errors=errors)


def _faults(detail: Any, path: str) -> Iterator[tuple[str, ErrorDetail]]:
    """Yield every fault with the path of its field, such as ``answers[0].id``."""
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            named = f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}".strip(".")
            yield from _faults(inner, named)
    elif isinstance(detail, list):
        for inner in detail:
            yield from _faults(inner, path)
    else:
        yield path, detail


class SessionBody(Body):
    """The session that is meant."""

    sessionId = Text()


class ChatBody(Body):
    """A message that starts a run."""

    message = Text(max_length=MAX_MESSAGE, pattern=SAYS_SOMETHING, help_text="What the user says. Not blank.")
    sessionId = Text(required=False, allow_null=True, help_text="Where it is said; without it a session is made.")
    capability = CapabilityField(required=False, allow_null=True, help_text="Name or alias of a capability; without it: chat.")
    config = ConfigField(required=False, allow_null=True, help_text="Settings of this run.")
    language = Text(
        required=False,
        allow_null=True,
        max_length=35,
        help_text="Language of the agent's own words: zh and its kin, else English. Without it that of Accept-Language.",
    )
    sources = serializers.ListField(
        child=Text(),
        required=False,
        allow_null=True,
        max_length=MAX_SOURCES,
        help_text="Ids of attachments of the session that came with this message.",
    )
    onPending = serializers.ChoiceField(
        choices=["", "supersede"],
        required=False,
        allow_null=True,
        help_text="supersede: a question that is open in the session is closed, and this message takes its place.",
    )

    @classmethod
    def new_run(cls, given: object) -> NewRun:
        """Return what the coordinator needs to start the run. Raises MalformedBody or InvalidRequest."""
        body = cls.read(given)
        return NewRun(
            message=body["message"],
            session_id=body.get("sessionId", ""),
            capability=body.get("capability") or "chat",
            config=body.get("config"),
            language=body.get("language") or get_language() or "en",
            on_pending=body.get("onPending", ""),
            sources=list(dict.fromkeys(body.get("sources", ()))),
        )


class AnswerBody(Body):
    """The answer to one question of a card. Skipped: an empty `selected` without `custom`."""

    id = Text()
    selected = serializers.ListField(child=Text(), help_text="Labels, as they stand in the question.")
    custom = Text(required=False, allow_null=True, help_text="Own text.")


_GOAL = {
    "type": "object",
    "properties": {"goal": {"type": "string", "pattern": STORABLE}},
    "required": ["goal"],
    "additionalProperties": False,
}


class ContinueBody(Body):
    """A submission: which keys answer a question depends on its kind and mode. `cancelled` wins over all others."""

    sessionId = Text()
    requestId = Text()
    selections = serializers.ListField(child=Text(), required=False, allow_null=True, help_text="Ids of options.")
    customInput = Text(required=False, allow_null=True, help_text="Own text; the one field of text, number, date, directory.")
    answers = AnswerBody(many=True, required=False, allow_null=True, help_text="Every question of the card once.")
    decision = Text(required=False, allow_null=True)
    feedback = Text(required=False, allow_null=True)
    plan = extend_schema_field(
        {
            "oneOf": [
                {"type": "string", "pattern": STORABLE},
                {"type": "array", "items": _GOAL},
            ]
        }
    )(serializers.JSONField)(required=False, allow_null=True, help_text="The edited plan: Markdown, or its goals.")
    planRevision = Whole(required=False, allow_null=True)
    cancelled = Flag(required=False, allow_null=True)

    @classmethod
    def submission(cls, given: object) -> tuple[str, str, Submission]:
        """Return session, question and submission. Raises MalformedBody, which names every wrong field."""
        if not isinstance(given, Mapping):
            raise MalformedBody(_("The body must be a JSON object."))
        rest = dict(given)
        address = {name: rest.pop(name, None) for name in ("sessionId", "requestId")}
        errors = [FieldError(name, _("This must be a text.")) for name, value in address.items() if not isinstance(value, str)]
        try:
            submission = parse_submission(rest)
        except MalformedBody as refusal:
            raise MalformedBody(refusal.message, errors=[*errors, *refusal.errors]) from None
        if errors:
            raise MalformedBody(_("The body is malformed."), errors=errors)
        return str(address["sessionId"]), str(address["requestId"]), submission


class ExtendBody(Body):
    """How long a question stays open from now on."""

    seconds = Whole(min_value=1, help_text=f"From now; the question stays open {MAX_LIFETIME} seconds at most.")


class NewSessionBody(Body):
    """A session without a message."""

    title = Text(required=False, allow_null=True, max_length=MAX_TITLE)


class SessionChangesBody(Body):
    """What is to be changed of a session."""

    title = Text(required=False, allow_null=True, max_length=MAX_TITLE)
    archived = Flag(required=False, allow_null=True)
    tools = serializers.DictField(
        child=ToolSetting(),
        required=False,
        allow_null=True,
        help_text="Tools by name: true or false switches one, `ask` asks the user before each of its calls.",
    )

    def validate_tools(self, tools: dict[str, bool | str] | None) -> dict[str, bool | str] | None:
        """Keep the list within what a row should hold."""
        if tools and (len(tools) > MAX_TOOLS or any(len(name) > MAX_TITLE for name in tools)):
            raise ValidationError(_("These are too many tools, or too long names."), "unusable")
        return tools
