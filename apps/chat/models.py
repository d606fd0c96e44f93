"""The transcript as rows: a run's state is these rows, nothing else.

Public ids are unique by a constraint, not by `unique=True`, which would add a second index for LIKE on PostgreSQL.
"""

import hashlib
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.agent.state import SCHEMA_VERSION
from apps.common.ids import MESSAGE, RUN, SESSION, new_id


def new_session_id() -> str:
    """Return a fresh public id of a session."""
    return new_id(SESSION)


def new_run_id() -> str:
    """Return a fresh public id of a run."""
    return new_id(RUN)


def new_message_id() -> str:
    """Return a fresh public id of a message."""
    return new_id(MESSAGE)


class ChatSession(models.Model):
    """One user's chat. (Django's own "session" is another thing.)"""

    public_id = models.CharField(max_length=40, default=new_session_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chat_sessions")
    title = models.CharField(max_length=200, blank=True)
    archived = models.BooleanField(default=False)
    tools = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(auto_now_add=True)
    """When its user last looked at what had come, in the web interface."""
    erasures = models.PositiveIntegerField(default=0)
    """How often its files were erased: one that was sent before is not stored after it."""

    class Meta:
        verbose_name, verbose_name_plural = _("session"), _("sessions")
        constraints = [models.UniqueConstraint(fields=["public_id"], name="session_public_id")]
        indexes = [
            models.Index(fields=["user", "archived", "-updated_at", "-id"], name="session_of_user"),
            models.Index(fields=["created_at", "id"], name="session_made"),
            models.Index(fields=["user", "created_at", "id"], name="session_made_by_user"),
        ]

    def __str__(self) -> str:
        return self.public_id


class CapabilitySettings(models.Model):
    """The settings of one capability: a user's own, or, without a user, the installation's. What is not in them is default."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="capability_settings"
    )
    capability = models.CharField(max_length=32)
    values: Any = models.JSONField(default=dict, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = verbose_name_plural = _("capability settings")
        constraints = [
            models.UniqueConstraint(fields=["user", "capability"], name="settings_of_user"),
            models.UniqueConstraint(fields=["capability"], condition=Q(user__isnull=True), name="settings_of_installation"),
        ]

    def __str__(self) -> str:
        return f"{self.capability} ({self.user_id or 'installation'})"


class Run(models.Model):
    """One user message up to its final answer. Its statuses change in apps.runs.machine only."""

    class Status(models.TextChoices):
        """Where a run stands."""

        QUEUED = "queued"
        RUNNING = "running"
        WAITING = "waiting"
        COMPLETED = "completed"
        FAILED = "failed"
        CANCELLED = "cancelled"

    ACTIVE = (Status.QUEUED, Status.RUNNING, Status.WAITING)

    public_id = models.CharField(max_length=40, default=new_run_id, editable=False)
    session = models.ForeignKey(ChatSession, on_delete=models.CASCADE, related_name="runs")
    parent_call = models.ForeignKey("ToolCall", null=True, blank=True, on_delete=models.CASCADE, related_name="delegated_runs")
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    capability = models.CharField(max_length=32, default="chat")
    config = models.JSONField(default=dict, blank=True)
    language = models.CharField(max_length=8, default="en")
    channel = models.CharField(max_length=8, default="web")
    can_ask = models.CharField(max_length=32, blank=True)  # empty, or the code that every ask gets
    state_version = models.PositiveSmallIntegerField(default=SCHEMA_VERSION)
    fence = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=32, blank=True)
    reason = models.CharField(max_length=32, blank=True)
    error_code = models.CharField(max_length=64, blank=True)
    error_message = models.CharField(max_length=500, blank=True)
    retryable = models.BooleanField(default=False)
    model = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("run"), _("runs")
        constraints = [
            models.UniqueConstraint(fields=["public_id"], name="run_public_id"),
            models.UniqueConstraint(
                fields=["session"],
                condition=Q(status__in=("queued", "running", "waiting"), parent_call__isnull=True),
                name="one_active_run_a_session",
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(status="queued"), name="run_queued"),
            models.Index(fields=["id"], condition=Q(status="running"), name="run_running"),
            # The console's lists. An ended run enters its status's index once, so a round of questions touches none of them.
            models.Index(fields=["created_at", "id"], name="run_made"),
            models.Index(fields=["created_at", "id"], condition=Q(ended_at__isnull=True), name="run_made_active"),
            models.Index(fields=["status", "created_at", "id"], condition=Q(ended_at__isnull=False), name="run_made_by_status"),
        ]

    def __str__(self) -> str:
        return self.public_id


class Segment(models.Model):
    """One uninterrupted execution of a run by one worker; `number` is the run's fence while it lasts."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="segments")
    number = models.PositiveIntegerField()
    owner = models.CharField(max_length=64)
    lease_until = models.DateTimeField()
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ending = models.CharField(max_length=12, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="segment_number"),
            models.UniqueConstraint(fields=["run"], condition=Q(ended_at__isnull=True), name="one_open_segment_a_run"),
        ]
        indexes = [models.Index(fields=["lease_until"], condition=Q(ended_at__isnull=True), name="segment_open_lease")]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.number}"


class Message(models.Model):
    """What somebody wrote: the user, the model (one row a turn), or the engine (a note)."""

    class Role(models.TextChoices):
        """Who wrote it."""

        USER = "user"
        ASSISTANT = "assistant"
        NOTE = "note"

    public_id = models.CharField(max_length=40, default=new_message_id, editable=False)
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="messages")
    role = models.CharField(max_length=10, choices=Role)
    kind = models.CharField(max_length=16, blank=True)  # of a note
    text = models.TextField(blank=True)
    final = models.BooleanField(default=False)
    finish = models.CharField(max_length=12, blank=True)  # of a turn: stop, length, interrupted
    extras = models.JSONField(null=True, blank=True)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    erased = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["public_id"], name="message_public_id")]

    def __str__(self) -> str:
        return self.public_id


def call_key(call_id: str) -> str:
    """Return what is unique for a call id of any length: the id, or the digest of one too long for an index."""
    return call_id if len(call_id) <= 100 else "sha256:" + hashlib.sha256(call_id.encode()).hexdigest()


class ToolCall(models.Model):
    """One call that the model made, under the model's own id."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="calls")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="calls")
    call_id = models.TextField()
    key = models.CharField(max_length=100)
    name = models.CharField(max_length=200)
    arguments = models.TextField()
    extras = models.JSONField(null=True, blank=True)
    erased = models.BooleanField(default=False)
    started_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="call_id_in_run")]

    def __str__(self) -> str:
        return self.key


class ToolResult(models.Model):
    """The one result of a call: the key is the call's, so there is never a second."""

    call = models.OneToOneField(ToolCall, on_delete=models.CASCADE, primary_key=True, related_name="result")
    content = models.TextField()
    is_error = models.BooleanField(default=False)
    code = models.CharField(max_length=32, blank=True)
    details: Any = models.JSONField(null=True, blank=True)
    erased = models.BooleanField(default=False)
    salt = models.CharField(max_length=32, blank=True)
    """Binds the audit's record to the content; both are erased together."""
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.call_id)
