"""The audit trail: append-only records in chains, and the head of each chain."""

from typing import Any, ClassVar, NoReturn

from django.db import models
from django.utils.translation import gettext_lazy as _

# Sessions, runs, requests and users are plain ids without foreign keys: a deleted session leaves its trail readable.


class HistoryIsNeverEdited(TypeError):
    """An audit record can be read, and written once by `apps.audit.write.record`."""


class AppendOnlyQuerySet(models.QuerySet["AuditRecord"]):
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
