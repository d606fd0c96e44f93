"""A file that a tool made for the user."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.chat.models import ToolCall
from apps.common.ids import ARTIFACT, new_id


def new_artifact_id() -> str:
    """Return a fresh public id of an artifact."""
    return new_id(ARTIFACT)


class Artifact(models.Model):
    """One file of a call, written in the transaction of the call's one result.

    `number` is its place among the files of the call, `folder` that of the call in the session's workspace, `name` the
    path in that folder. `erased`: the file is gone; an erasure takes name and digest as well.
    """

    public_id = models.CharField(max_length=40, default=new_artifact_id, editable=False)
    # The constraint's index begins with the call.
    call = models.ForeignKey(ToolCall, on_delete=models.CASCADE, related_name="artifacts", db_index=False)
    number = models.PositiveSmallIntegerField()
    folder = models.CharField(max_length=64)
    name = models.TextField(blank=True)
    media_type = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64, blank=True)
    erased = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name, verbose_name_plural = _("file"), _("files")
        ordering = ["call", "number"]
        constraints = [
            models.UniqueConstraint(fields=["public_id"], name="artifact_public_id"),
            models.UniqueConstraint(fields=["call", "number"], name="artifact_of_call"),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def path(self) -> str:
        """Where the file lies in the session's workspace."""
        return f"{self.folder}/{self.name}"

    @property
    def short_name(self) -> str:
        """The name without folders of its own."""
        return self.name.rpartition("/")[2]

    @property
    def is_picture(self) -> bool:
        """Whether a page shows it as a picture."""
        return self.media_type in ("image/png", "image/jpeg", "image/gif")
