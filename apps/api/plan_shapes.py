"""The shapes of plans and settings, for the schema."""

from rest_framework import serializers

from apps.api.shapes import Shape, moment
from apps.runs.policies import SETTINGS
from apps.runs.settings_store import MAX_PROMPT
from apps.solve.models import SolvePlan


class PlanStep(Shape):
    """One step of a plan; while the plan is only proposed its id is its place."""

    id = serializers.CharField()
    goal = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(choices=["open", "current", "done", "failed", "dropped"])
    summary = serializers.CharField(allow_null=True)


class Plan(Shape):
    """One version of a run's plan. After an erasure its words are null, and `erased` is true."""

    runId = serializers.CharField()
    version = serializers.IntegerField()
    status = serializers.ChoiceField(choices=SolvePlan.Status.values)
    analysis = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True, help_text="Why the version before was given up.")
    steps = PlanStep(many=True)
    replansUsed = serializers.IntegerField()
    replansMax = serializers.IntegerField()
    createdAt = moment()
    erased = serializers.BooleanField(required=False)


class PlansPage(Shape):
    """Plans, oldest first."""

    results = Plan(many=True)
    next = serializers.CharField(allow_null=True)


class Prompt(Shape):
    """The block that replaces the packaged one of a language; empty: the packaged one."""

    en = serializers.CharField(max_length=MAX_PROMPT)
    zh = serializers.CharField(max_length=MAX_PROMPT)


class ChatSettings(Shape):
    """The settings of chat."""

    temperature = serializers.FloatField(min_value=0, max_value=2)
    max_tokens = serializers.IntegerField(min_value=1, max_value=200_000)
    max_rounds = serializers.IntegerField(min_value=1, max_value=50)
    prompt = Prompt()
    tools = serializers.DictField(
        child=serializers.ChoiceField(choices=SETTINGS), help_text="What holds of each tool; `ask`: its user is asked first."
    )


class SolveSettings(ChatSettings):
    """The settings of deep_solve."""

    max_replans = serializers.IntegerField(min_value=0, max_value=10)
    plan_review = serializers.ChoiceField(choices=["off", "first", "every"])
    enforcement = serializers.ChoiceField(choices=["strict", "advisory"])


class CapabilitySettings(Shape):
    """The settings of every capability as they hold."""

    chat = ChatSettings()
    solve = SolveSettings()
