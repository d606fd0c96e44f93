"""Addresses of the API: exactly those of the contract, without a slash at the end but for schema and docs."""

from django.urls import path, re_path

from apps.api.views import about, artifacts, capability_settings, chat, health, interactions, plans, sessions, sources, transcript
from apps.api.views.unknown import UnknownView

urlpatterns = [
    path("healthz", health.AliveView.as_view(), name="healthz"),
    path("readyz", health.ReadyView.as_view(), name="readyz"),
    path("api/chat", chat.ChatView.as_view(), name="api-chat"),
    path("api/chat/continue", chat.ContinueView.as_view(), name="api-continue"),
    path("api/chat/abort", chat.AbortView.as_view(), name="api-abort"),
    path("api/chat/retry", chat.RetryView.as_view(), name="api-retry"),
    path("api/interactions/pending", interactions.PendingView.as_view(), name="api-pending"),
    path("api/interactions", interactions.InteractionsView.as_view(), name="api-interactions"),
    path("api/interactions/<str:request_id>", interactions.InteractionView.as_view(), name="api-interaction"),
    path("api/interactions/<str:request_id>/draft", interactions.DraftView.as_view(), name="api-draft"),
    path("api/interactions/<str:request_id>/extend", interactions.ExtendView.as_view(), name="api-extend"),
    path("api/sessions", sessions.SessionsView.as_view(), name="api-sessions"),
    path("api/sessions/<str:session_id>", sessions.SessionView.as_view(), name="api-session"),
    path("api/sessions/<str:session_id>/messages", transcript.MessagesView.as_view(), name="api-messages"),
    path("api/sessions/<str:session_id>/plans", plans.PlansView.as_view(), name="api-plans"),
    path("api/sessions/<str:session_id>/sources", sources.SourcesView.as_view(), name="api-sources"),
    path("api/sessions/<str:session_id>/sources/<str:source_id>", sources.SourceView.as_view(), name="api-source"),
    path("api/sessions/<str:session_id>/events", transcript.EventsView.as_view(), name="api-events"),
    path("api/sessions/<str:session_id>/evidence", transcript.EvidenceView.as_view(), name="api-evidence"),
    path("api/artifacts/<str:artifact_id>", artifacts.ArtifactView.as_view(), name="api-artifact"),
    path("api/inbox/events", transcript.InboxEventsView.as_view(), name="api-inbox-events"),
    path("api/capabilities", about.CapabilitiesView.as_view(), name="api-capabilities"),
    path("api/v1/capabilities/settings", capability_settings.CapabilitySettingsView.as_view(), name="api-settings"),
    path("api/tools", about.ToolsView.as_view(), name="api-tools"),
    path("api/schema/", about.SchemaView.as_view(), name="api-schema"),
    path("api/docs/", about.ReferenceView.as_view(), name="api-docs"),
    re_path(r"^api(?:/[\s\S]*)?\Z", UnknownView.as_view()),
]
