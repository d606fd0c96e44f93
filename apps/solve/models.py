"""The plans of runs as rows, for people, events and API. The transcript decides; these are written with it."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.chat.models import Run


class SolvePlan(models.Model):
    """One version of a run's plan. Its words never change; its status does."""

    class Status(models.TextChoices):
        """What has become of it."""

        PROPOSED = "proposed"
        ACTIVE = "active"
        REJECTED = "rejected"
        REPLACED = "replaced"
        DONE = "done"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="plans")
    version = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status)
    analysis = models.TextField(blank=True)
    reason = models.TextField(blank=True)  # why the version before was given up
    replans_used = models.PositiveSmallIntegerField()
    replans_max = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField()
    erased = models.BooleanField(default=False)  # its words and those of its steps are gone

    class Meta:
        verbose_name, verbose_name_plural = _("plan"), _("plans")
        ordering = ["id"]
        indexes = [models.Index(fields=["created_at", "id"], name="plan_made")]
        constraints = [
            models.UniqueConstraint(fields=["run", "version"], name="plan_version"),
            models.UniqueConstraint(fields=["run"], condition=Q(status="active"), name="one_active_plan_a_run"),
            models.UniqueConstraint(fields=["run"], condition=Q(status="proposed"), name="one_proposed_plan_a_run"),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.version}"


class SolveStep(models.Model):
    """One step of a version. `number` is that of its id over all versions of the run; null: it never got one."""

    class Status(models.TextChoices):
        """What has become of it."""

        OPEN = "open"
        DONE = "done"
        FAILED = "failed"
        DROPPED = "dropped"

    plan = models.ForeignKey(SolvePlan, on_delete=models.CASCADE, related_name="steps")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="plan_steps", db_index=False)
    place = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField(null=True)
    goal = models.TextField(blank=True)
    status = models.CharField(max_length=8, choices=Status)
    summary = models.TextField(blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["plan", "place"], name="step_place"),
            models.UniqueConstraint(fields=["run", "number"], name="step_number"),
        ]

    def __str__(self) -> str:
        return f"{self.plan_id}/{self.place}"
