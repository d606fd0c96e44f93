"""Who stands in the console."""

from django.contrib.auth.models import Group

from apps.accounts.models import ApiToken, User
from apps.audit.models import AuditRecord, Retention
from apps.chat.models import CapabilitySettings, ChatSession, Run
from apps.console.capability_settings import CapabilitySettingsAdmin
from apps.console.interactions import InteractionAdmin
from apps.console.people import GroupAdmin, PersonAdmin
from apps.console.plans import PlanAdmin
from apps.console.retention import RetentionAdmin
from apps.console.runs import RunAdmin
from apps.console.sessions import SessionAdmin
from apps.console.site import console
from apps.console.sources import SourceAdmin
from apps.console.tokens import TokenAdmin
from apps.console.trail import RecordAdmin
from apps.interactions.models import Interaction
from apps.solve.models import SolvePlan
from apps.toolkit.models import Source

__all__ = ["console"]

console.register(ChatSession, SessionAdmin)
console.register(Run, RunAdmin)
console.register(Interaction, InteractionAdmin)
console.register(SolvePlan, PlanAdmin)
console.register(Source, SourceAdmin)
console.register(AuditRecord, RecordAdmin)
console.register(CapabilitySettings, CapabilitySettingsAdmin)
console.register(Retention, RetentionAdmin)
console.register(User, PersonAdmin)
console.register(Group, GroupAdmin)
console.register(ApiToken, TokenAdmin)
