"""One question put to the user by one tool call, as a row; and the draft of its answer."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.chat.models import ChatSession, Run, ToolCall
from apps.common.clock import DatabaseClock
from apps.common.ids import INTERACTION, new_id
from apps.common.transitions import Transitions


def new_interaction_id() -> str:
    """Return a fresh public id of an interaction; on the wire it is the requestId."""
    return new_id(INTERACTION)


class InteractionQuerySet(models.QuerySet["Interaction"]):
    """Interactions, by what the database's clock says of them."""

    def open_now(self) -> "InteractionQuerySet":
        """Keep those that can be answered at this moment; the sweep of expired ones need not have run."""
        return self.filter(status=Interaction.Status.PENDING).filter(
            Q(expires_at__isnull=True) | Q(expires_at__gt=DatabaseClock())
        )

    def due(self) -> "InteractionQuerySet":
        """Keep the pending ones whose deadline has passed."""
        return self.filter(status=Interaction.Status.PENDING, expires_at__lte=DatabaseClock())


class Interaction(models.Model):
    """One thing put to the user by one tool call."""

    class Status(models.TextChoices):
        """What has become of it."""

        PENDING = "pending"
        ANSWERED = "answered"
        CANCELLED = "cancelled"
        EXPIRED = "expired"
        ABORTED = "aborted"

    TRANSITIONS: Transitions = {
        "answer": (frozenset({Status.PENDING}), Status.ANSWERED),
        "cancel": (frozenset({Status.PENDING}), Status.CANCELLED),
        "expire": (frozenset({Status.PENDING}), Status.EXPIRED),
        "abort": (frozenset({Status.PENDING}), Status.ABORTED),
    }

    public_id = models.CharField(max_length=40, default=new_interaction_id, editable=False)
    call = models.ForeignKey(ToolCall, on_delete=models.CASCADE, related_name="interactions")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="interactions")
    session = models.ForeignKey(ChatSession, on_delete=models.CASCADE, related_name="interactions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="interactions")
    kind = models.CharField(max_length=16)
    mode = models.CharField(max_length=16)
    payload = models.JSONField()
    repairs = models.JSONField(default=list, blank=True)
    fingerprint = models.CharField(max_length=64, blank=True)
    on_timeout = models.CharField(max_length=8)
    cancel_stops = models.BooleanField()
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    reason = models.CharField(max_length=32, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    resolved_at = models.DateTimeField(null=True, blank=True)
    channel = models.CharField(max_length=8, blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    submission: Any = models.TextField(blank=True)  # the accepted body as it was received
    decision: Any = models.TextField(blank=True)  # of a call that was allowed: JSON text, its result comes later
    salt = models.CharField(max_length=32, blank=True)
    shown = models.CharField(max_length=32, blank=True)  # the channels in which the card was shown

    objects = InteractionQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = _("interaction"), _("interactions")
        constraints = [
            models.UniqueConstraint(fields=["public_id"], name="interaction_public_id"),
            models.UniqueConstraint(fields=["call"], condition=Q(status="pending"), name="one_open_interaction_a_call"),
        ]
        indexes = [
            models.Index(fields=["user", "id"], condition=Q(status="pending"), name="interaction_waits_for_user"),
            models.Index(fields=["status", "expires_at"], condition=Q(status="pending"), name="interaction_due"),
            models.Index(fields=["user", "-id"], name="interaction_history"),
            # The console's lists, newest first: all, of one user, of one status, of one kind.
            models.Index(fields=["created_at", "id"], name="interaction_asked"),
            models.Index(fields=["user", "created_at", "id"], name="interaction_asked_of_user"),
            models.Index(fields=["status", "created_at", "id"], name="interaction_asked_by_status"),
            models.Index(fields=["kind", "created_at", "id"], name="interaction_asked_by_kind"),
        ]

    def __str__(self) -> str:
        return self.public_id


class Draft(models.Model):
    """What a person has filled in so far. It is never an answer; it goes with the answer."""

    interaction = models.OneToOneField(Interaction, on_delete=models.CASCADE, primary_key=True, related_name="draft")
    body = models.JSONField()
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return str(self.interaction_id)
