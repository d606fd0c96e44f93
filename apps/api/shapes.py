"""The shapes of answers, for the schema: what wire.py and the card serialiser write. A test compares the two.

Some keys have the names of attributes of a serializer. DRF takes the fields out of the class before that matters.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.fields import ToolSetting
from apps.chat import models as chat
from apps.interactions import models as interactions
from apps.toolkit import models as sources

Shape = serializers.Serializer[Any]

KINDS = ("ask_user", "questions", "plan_review", "approval")
MODES = ("single", "multiple", "text", "number", "date", "directory", "toggle", "form", "plan_review", "approval")


@extend_schema_field({})
class AnyValue(serializers.JSONField):
    """Any JSON value."""


@extend_schema_field({"type": "object", "additionalProperties": True})
class AnyObject(serializers.JSONField):
    """Any JSON object."""


def moment(**options: Any) -> serializers.DateTimeField:
    """Return a field for a time, RFC 3339 in UTC."""
    return serializers.DateTimeField(**options)


class FieldError(Shape):
    """One wrong field."""

    field = serializers.CharField(help_text="Its path in the body, such as answers[0].id; empty: the body itself.")
    message = serializers.CharField()


class Problem(Shape):
    """A refusal (RFC 9457). Beside these members there may be facts, such as the receipt of a closed question."""

    type = serializers.CharField()
    title = serializers.CharField(help_text="The status in words.")
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable, for programs.")
    detail = serializers.CharField(help_text="For people, in their language.")
    errors = FieldError(many=True)  # type: ignore[assignment]


class Option(Shape):
    """One choice. In ask_user its value is the id, in a question its label."""

    id = serializers.CharField(required=False)
    label = serializers.CharField()  # type: ignore[assignment]
    description = serializers.CharField()
    recommended = serializers.BooleanField()


class Question(Shape):
    """One question of a card; without options it is answered in own words."""

    id = serializers.CharField()
    header = serializers.CharField()
    question = serializers.CharField()
    options = Option(many=True)
    multiSelect = serializers.BooleanField()


class Intent(Shape):
    """What a card is for."""

    kind = serializers.CharField()
    approve = serializers.CharField()


class Card(Shape):
    """A question as it is put to the user. After an erasure its words are null, and `erased` is true."""

    id = serializers.CharField(help_text="The requestId of its answer.")
    sessionId = serializers.CharField()
    runId = serializers.CharField()
    toolCallId = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    title = serializers.CharField(allow_null=True)
    mode = serializers.ChoiceField(choices=MODES, allow_null=True)
    description = serializers.CharField(allow_null=True)
    options = Option(many=True, allow_null=True)
    allowCustom = serializers.BooleanField(allow_null=True)
    submitLabel = serializers.CharField(allow_null=True)
    questions = Question(many=True, allow_null=True)
    detail = serializers.CharField(allow_null=True)
    intent = Intent(allow_null=True)
    planRevision = serializers.IntegerField(allow_null=True)
    createdAt = moment()
    expiresAt = moment(allow_null=True)
    resumable = serializers.BooleanField()
    erased = serializers.BooleanField(required=False)


class Receipt(Shape):
    """What was recorded of a closed question."""

    requestId = serializers.CharField()
    toolCallId = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    title = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(choices=interactions.Interaction.Status.values)
    reason = serializers.CharField()
    answer = AnyValue(allow_null=True, help_text="What the tool result says.")
    answeredBy = serializers.CharField()
    channel = serializers.CharField()
    createdAt = moment()
    resolvedAt = moment(allow_null=True)
    erased = serializers.BooleanField(required=False)


class Interaction(Card):
    """A card of the history, with what has become of it."""

    status = serializers.ChoiceField(choices=interactions.Interaction.Status.values)
    receipt = Receipt(allow_null=True, help_text="null while the question is open.")


class InteractionWithDraft(Interaction):
    """A card with its receipt and what has been filled in so far."""

    draft = AnyObject(allow_null=True)


class Pending(Shape):
    """What waits for an answer, oldest first."""

    sessionId = serializers.CharField(allow_null=True)
    pending = Card(many=True)


class Draft(Shape):
    """A draft that was kept."""

    requestId = serializers.CharField()
    draft = AnyObject()


class Started(Shape):
    """A run that was accepted."""

    sessionId = serializers.CharField()
    runId = serializers.CharField()
    status = serializers.ChoiceField(choices=chat.Run.Status.values)


class Aborted(Shape):
    """The run that was stopped; runId null: the session was idle."""

    sessionId = serializers.CharField()
    runId = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(choices=["idle", *chat.Run.Status.values])


class Answered(Shape):
    """A submission that was accepted."""

    requestId = serializers.CharField()
    toolCallId = serializers.CharField()
    runId = serializers.CharField()
    status = serializers.ChoiceField(choices=interactions.Interaction.Status.values)
    receipt = Receipt()


class RunError(Shape):
    """Why a run failed."""

    code = serializers.CharField()
    message = serializers.CharField()
    retryable = serializers.BooleanField()


class Run(Shape):
    """A run."""

    runId = serializers.CharField()
    status = serializers.ChoiceField(choices=chat.Run.Status.values)
    capability = serializers.CharField()
    config = AnyObject()
    language = serializers.CharField()
    channel = serializers.CharField()
    model = serializers.CharField()
    outcome = serializers.CharField()
    reason = serializers.CharField()
    error = RunError(allow_null=True)
    createdAt = moment()
    endedAt = moment(allow_null=True)


class Session(Shape):
    """A session."""

    sessionId = serializers.CharField()
    title = serializers.CharField()
    archived = serializers.BooleanField()
    tools = serializers.DictField(child=ToolSetting())
    status = serializers.ChoiceField(choices=["idle", *chat.Run.ACTIVE])
    lastRun = Run(allow_null=True)
    createdAt = moment()
    updatedAt = moment()


class Result(Shape):
    """The one result of a call; content is the very text that the model received. After an erasure it is null."""

    isError = serializers.BooleanField()
    content = serializers.CharField(allow_null=True)
    details = AnyObject(allow_null=True)
    createdAt = moment()
    erased = serializers.BooleanField(required=False)


class Call(Shape):
    """A call that the model made; requestId names the question if the call asked one."""

    toolCallId = serializers.CharField()
    name = serializers.CharField()
    arguments = serializers.CharField(allow_null=True)
    requestId = serializers.CharField(allow_null=True)
    result = Result(allow_null=True)
    erased = serializers.BooleanField(required=False)


class Message(Shape):
    """A message of the transcript with the calls that it made. After an erasure its text is null, and `erased` is true."""

    messageId = serializers.CharField()
    runId = serializers.CharField()
    role = serializers.ChoiceField(choices=chat.Message.Role.values)
    kind = serializers.CharField(help_text="Of a note.")
    text = serializers.CharField(allow_null=True)
    final = serializers.BooleanField()
    finish = serializers.CharField()
    toolCalls = Call(many=True)
    createdAt = moment()
    erased = serializers.BooleanField(required=False)


class Event(Shape):
    """A stored event; beside these keys it has those of its type."""

    type = serializers.CharField()
    sessionId = serializers.CharField()
    seq = serializers.IntegerField()
    at = moment()
    runId = serializers.CharField(allow_null=True)


class StreamedEvent(Shape):
    """One server-sent event; `data` is a JSON object in one line. Running text comes without an id."""

    id = serializers.CharField(required=False)
    event = serializers.CharField()
    data = serializers.CharField()  # type: ignore[assignment]


class Capability(Shape):
    """A mode that a run may have; config is the JSON Schema of its settings."""

    name = serializers.CharField()
    aliases = serializers.ListField(child=serializers.CharField())
    titles = serializers.DictField(child=serializers.CharField())
    config = AnyObject()
    tools = serializers.ListField(child=serializers.CharField())


class Tool(Shape):
    """A tool as the model is told of it."""

    type = serializers.CharField()
    function = AnyObject()


class Alive(Shape):
    """The process answers."""

    status = serializers.ChoiceField(choices=["ok"])


class Ready(Shape):
    """What the product needs to work."""

    database = serializers.ChoiceField(choices=["ok", "failed"])
    queue = serializers.ChoiceField(choices=["ok", "failed"])
    model = serializers.ChoiceField(choices=["ok", "failed"])


class Source(Shape):
    """A file that is attached to a session."""

    sourceId = serializers.CharField()
    name = serializers.CharField()
    mediaType = serializers.CharField(help_text="Found by its content.")
    size = serializers.IntegerField(help_text="Bytes.")
    sha256 = serializers.CharField()
    state = serializers.ChoiceField(
        choices=sources.Source.State.values, help_text="read: its text can be found. kept: it has none."
    )
    parts = serializers.IntegerField(help_text="Parts of its text; they are counted from 1.")
    createdAt = moment()


@extend_schema_field({"type": "array", "items": {"type": "string", "format": "binary"}, "minItems": 1})
class _Uploads(serializers.JSONField):
    """Files of a form."""


class Files(Shape):
    """A form with files."""

    file = _Uploads(help_text="One or more files, together at most as large as HANDRAISE_SOURCE_MEGABYTES.")


class _Page(Shape):
    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page; null: this is the last one.")


class SessionsPage(_Page):
    """Sessions."""

    results = Session(many=True)


class MessagesPage(_Page):
    """Messages, oldest first."""

    results = Message(many=True)


class InteractionsPage(_Page):
    """Cards, newest first."""

    results = Interaction(many=True)


class EventsPage(_Page):
    """Events, oldest first."""

    results = Event(many=True)


class CapabilitiesPage(_Page):
    """Capabilities, and the model that answers."""

    model = serializers.CharField(allow_null=True, help_text="What answers; null: none is set up.")
    results = Capability(many=True)


class SourcesPage(_Page):
    """Attachments, oldest first, all of them."""

    results = Source(many=True)


class ToolsPage(_Page):
    """Tools, in the order in which the model sees them."""

    results = Tool(many=True)
