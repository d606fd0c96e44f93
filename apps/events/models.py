"""Events, the counter that numbers them, and the text of the round that is running.

Sessions, runs and the rows that own a text are plain ids here: the apps that have those tables lie above this one.
"""

from django.db import models


class Stream(models.Model):
    """A session's counter of events. Its row is locked from the first number taken to the commit."""

    session = models.BigIntegerField(primary_key=True)
    public_id = models.CharField(max_length=40)
    last_seq = models.BigIntegerField(default=0)
    last_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.public_id


class Event(models.Model):
    """One fact of a session: its kind, ids and small facts. Text stays with the row that owns it, `subject`."""

    session = models.BigIntegerField()
    seq = models.BigIntegerField()
    kind = models.CharField(max_length=24)
    run = models.BigIntegerField(null=True)
    subject = models.BigIntegerField(null=True)
    facts = models.JSONField(null=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "seq"], name="event_number")]

    def __str__(self) -> str:
        return f"{self.session}/{self.seq} {self.kind}"


class PartialText(models.Model):
    """The text so far of the round that runs in a session; replaced by the stored turn.

    `after_seq` is the session's last number when the round began to write: a later event of the run means that the
    round is over, whatever became of the row.
    """

    session = models.BigIntegerField(primary_key=True)
    run = models.BigIntegerField()
    message_id = models.CharField(max_length=40)
    after_seq = models.BigIntegerField()
    text = models.TextField(blank=True)
    generation = models.PositiveIntegerField(default=0)  # how often the round has started over
    updated_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.message_id
