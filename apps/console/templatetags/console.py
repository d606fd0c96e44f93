"""Tags and filters of the console's templates."""

from django import template
from django.utils.safestring import SafeString

from apps.console import drawing, words

register = template.Library()
register.filter("moment", drawing.moment)
register.filter("short", drawing.short)


@register.simple_tag
def page(kind: str, reference: str, name: str = "change") -> str:
    """Return the address of a page of a session, run, interaction, record or user."""
    return drawing.address(kind, reference, name)


@register.filter
def kind_words(kind: str) -> str:
    """Return a kind of interaction in words."""
    return words.say(words.interaction_kinds, kind)


@register.filter
def capability_words(name: str) -> str:
    """Return the title of a capability."""
    return words.say(words.capabilities, name)


@register.filter
def channel_words(channel: str) -> str:
    """Return a door in words."""
    return words.say(words.channels, channel)


@register.filter
def interaction_status(status: str) -> SafeString:
    """Return a status of an interaction as a label."""
    return drawing.status(status, words.say(words.interaction_statuses, status))


@register.filter
def run_status(status: str) -> SafeString:
    """Return a status of a run as a label."""
    return drawing.status(status, words.say(words.run_statuses, status))
