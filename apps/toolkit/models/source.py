"""Attachments of a session and the parts of their text. The file itself lies in the session's workspace."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.chat.models import ChatSession
from apps.common.ids import new_id


def new_source_id() -> str:
    """Return a fresh public id of a source."""
    return new_id("src")


class Source(models.Model):
    """One attached file."""

    class State(models.TextChoices):
        """What has become of it."""

        READ = "read"  # its text is in the parts
        KEPT = "kept"  # it has no text: a picture

    public_id = models.CharField(max_length=40, default=new_source_id, editable=False)
    session = models.ForeignKey(ChatSession, on_delete=models.CASCADE, related_name="sources")
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    state = models.CharField(max_length=8, choices=State)
    part_count = models.PositiveIntegerField()
    characters = models.PositiveIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        verbose_name, verbose_name_plural = _("attachment"), _("attachments")
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["public_id"], name="source_public_id")]
        indexes = [models.Index(fields=["created_at", "id"], name="source_made")]

    def __str__(self) -> str:
        return self.public_id


class SourcePart(models.Model):
    """A piece of a source's text, small enough for one look. `number` counts from 1, `page` too where there are pages."""

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="parts", db_index=False)
    number = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)
    heading = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    words = models.TextField()
    """The terms by which it is found, with a space between them; the index is made of this column."""
    word_count = models.PositiveIntegerField()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["source", "number"], name="part_number")]

    def __str__(self) -> str:
        return f"{self.source_id}/{self.number}"
