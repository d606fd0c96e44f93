"""Tags and filters of the templates: Markdown, times, the list of sessions, what the reader chose."""

from datetime import UTC, datetime
from decimal import Decimal

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.common.layout import SHOWN, on_lines
from apps.web.markdown import render, render_line, render_typed
from apps.web.preferences import preferences_of
from apps.web.sidebar import Sidebar, sidebar_of

register = template.Library()
register.filter("markdown", render)
register.filter("markdown_cited", render)
register.filter("markdown_line", render_line)
register.filter("markdown_typed", render_typed)
register.filter("pretty_json", on_lines)
register.filter("preferences", preferences_of)


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """Return a moment as an element: readable in UTC as it is, in the reader's own zone once a script has seen it."""
    if value is None:
        return ""
    utc = value.astimezone(UTC)
    return format_html('<time datetime="{}">{} UTC</time>', utc.isoformat(), f"{utc:%Y-%m-%d %H:%M}")


@register.filter
def iso(value: datetime | None) -> str:
    """Return a moment as RFC 3339."""
    return "" if value is None else value.astimezone(UTC).isoformat()


@register.filter
def grouped(number: int) -> str:
    """Return a whole number with its digits in groups of three."""
    return f"{number:,}"


@register.filter
def money(cost: Decimal) -> str:
    """Return a cost with its currency: the smaller it is, the more digits, and never nothing for something."""
    smallest = Decimal("0.0001")
    if 0 < cost < smallest:
        return f"< {smallest} {settings.CURRENCY}"
    return f"{cost:,.2f} {settings.CURRENCY}" if cost >= 1 else f"{cost:.4f} {settings.CURRENCY}"


@register.filter
def beginning(text: str) -> str:
    """Return the first part of a long text."""
    return text[:SHOWN]


@register.filter
def is_long(text: str) -> bool:
    """Say whether only the beginning is shown."""
    return len(text) > SHOWN


@register.simple_tag(takes_context=True)
def sidebar(context: RequestContext) -> Sidebar:
    """Return the list of sessions of who is signed in."""
    return sidebar_of(context["request"].user)
