"""The audit trail: append-only records in chains, the heads of the chains, anchors over the heads; reasons, retention."""

from typing import Any, ClassVar, NoReturn

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

# Sessions, runs, requests and users are plain ids without foreign keys: a deleted session leaves its trail readable.


class HistoryIsNeverEdited(TypeError):
    """A record or an anchor can be read, and written once: by `apps.audit.write.record`, by `apps.audit.anchors`."""


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """Refuses what the database's triggers refuse, before a statement is sent."""

    def update(self, **kwargs: Any) -> NoReturn:
        """Refuse."""
        raise HistoryIsNeverEdited

    def delete(self) -> NoReturn:
        """Refuse."""
        raise HistoryIsNeverEdited


class AuditRecord(models.Model):
    """One fact: who did what, through which door, to which session, run, question and call.

    Holds ids, codes and counts, never free text. `number` is dense in a chain: 1, 2, 3 ...; the records
    of a session form one chain, those without a session (`session` is empty) the chain "installation".
    """

    session = models.CharField(_("session"), max_length=40, blank=True)
    number = models.PositiveBigIntegerField(_("number"))
    at = models.DateTimeField(_("time"))
    kind = models.CharField(_("kind"), max_length=30)
    actor_kind = models.CharField(_("actor"), max_length=6)
    actor_id = models.CharField(_("actor's id"), max_length=40, blank=True)
    channel = models.CharField(_("channel"), max_length=6)
    run = models.CharField(_("run"), max_length=40, blank=True)
    request = models.CharField(_("question"), max_length=40, blank=True)
    tool_call = models.TextField(_("tool call"), blank=True)
    """The model's own id, kept at any length."""
    result = models.TextField(_("tool result"), blank=True)
    summary = models.JSONField(_("summary"), default=dict)
    digest = models.BinaryField(_("digest of the payload"), default=b"")
    """Salted; the salt lies beside the text and is erased with it."""
    http_request = models.CharField(_("HTTP request"), max_length=40, blank=True)
    previous = models.BinaryField(_("previous value"))
    value = models.BinaryField(_("value"))
    key_id = models.CharField(_("key"), max_length=8)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        verbose_name, verbose_name_plural = _("audit record"), _("audit records")
        constraints: ClassVar = [models.UniqueConstraint(fields=["session", "number"], name="audit_record_number")]
        # The console's lists, newest first, and its search. SQLite uses a partial index if the query repeats the condition.
        indexes: ClassVar = [
            models.Index(fields=["at", "id"], name="audit_record_at"),
            models.Index(fields=["kind", "at", "id"], name="audit_record_kind"),
            models.Index(fields=["actor_id", "at", "id"], condition=Q(actor_id__gt=""), name="audit_record_actor"),
            models.Index(fields=["request"], condition=Q(request__gt=""), name="audit_record_request"),
            models.Index(fields=["run"], condition=Q(run__gt=""), name="audit_record_run"),
        ]

    def __str__(self) -> str:
        return f"{self.session or 'installation'} {self.number} {self.kind}"

    def save(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse: records are written by `apps.audit.write.record`."""
        raise HistoryIsNeverEdited

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse."""
        raise HistoryIsNeverEdited


class AuditChain(models.Model):
    """The head of a chain: number, time and value of its last record. Its lock puts the writers in line."""

    session = models.CharField(max_length=40, blank=True)
    number = models.PositiveBigIntegerField(default=0)
    at = models.DateTimeField()
    value = models.BinaryField(default=b"")
    key_id = models.CharField(max_length=8, blank=True)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar = [models.UniqueConstraint(fields=["session"], name="audit_chain_session")]

    def __str__(self) -> str:
        return f"{self.session or 'installation'} up to {self.number}"


class Anchor(models.Model):
    """One day's anchor: a signed digest of the chain heads that moved since the anchor before it."""

    day = models.DateField(_("day"))
    at = models.DateTimeField(_("time"))
    heads = models.PositiveBigIntegerField(_("chains"))
    """How many chain heads it covers: those that moved since the last anchor."""
    root = models.BinaryField(_("digest of the heads"))
    previous = models.BinaryField(_("previous value"))
    value = models.BinaryField(_("value"))
    key_id = models.CharField(_("key"), max_length=8)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        verbose_name, verbose_name_plural = _("audit anchor"), _("audit anchors")
        constraints: ClassVar = [models.UniqueConstraint(fields=["day"], name="audit_anchor_day")]

    def __str__(self) -> str:
        return str(self.day)


class AnchoredHead(models.Model):
    """A chain's last record as an anchor found it."""

    day = models.DateField()
    session = models.CharField(max_length=40, blank=True)
    number = models.PositiveBigIntegerField()
    value = models.BinaryField()

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day", "session"], name="audit_anchored_day"),
            models.UniqueConstraint(fields=["session", "number"], name="audit_anchored_number"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.session or 'installation'} {self.number}"


class Reason(models.Model):
    """Why somebody of the staff did what a record tells of, in their words: text, so it stands here and not in the record.

    `digest` is what the record holds: it commits to the text under the salt. Both go when the data are erased.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    session = models.CharField(max_length=40, blank=True, db_index=True)
    actor_id = models.CharField(max_length=40, blank=True, db_index=True)
    salt = models.CharField(max_length=32)
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.digest[:8]


class Retention(models.Model):
    """How many days one category of data is kept; no row: its default. Audit records are no category."""

    class Category(models.TextChoices):
        """What can be let go after a time."""

        DRAFTS = "drafts", _("drafts")
        ANSWERS = "answers", _("answers")
        EVENTS = "events", _("events")
        UPLOADS = "uploads", _("uploads")

    category = models.CharField(_("category"), max_length=10, choices=Category, primary_key=True)
    days = models.PositiveIntegerField(_("days"), help_text=_("0: for ever."))

    class Meta:
        default_permissions = ()
        verbose_name, verbose_name_plural = _("retention setting"), _("retention settings")

    def __str__(self) -> str:
        return str(self.get_category_display())
