"""The capabilities of this installation, by name and alias."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from apps.agent.capabilities import Capability
from apps.agent.state import RunState
from apps.agent.steps import Step
from apps.agent.tools import AnyTool, Toolbox
from apps.common.errors import FieldError
from apps.interactions.guidance import system_text
from apps.interactions.tools import AskUserQuestionTool, AskUserTool
from apps.runs.errors import InvalidRequest


class Chat:
    """Plain conversation with the ask tools."""

    name = "chat"
    aliases: Sequence[str] = ()
    titles: Mapping[str, str] = {"en": "Chat", "zh": "对话"}
    max_rounds = 8
    temperature = 0.7
    max_tokens = 8192

    def tools(self) -> Sequence[AnyTool]:
        """Return the ask tools."""
        return (AskUserTool(), AskUserQuestionTool())

    def instructions(self, language: str) -> str:
        """Return the system text: who the agent is and when it asks."""
        return system_text(language)

    def before_finish(self, state: RunState, text: str) -> Step | None:
        """Accept every final text."""
        return None


_registered: dict[str, Capability] = {}


def register(capability: Capability) -> None:
    """Add a capability. Raises ValueError if its name is taken."""
    if capability.name in _registered:
        raise ValueError(f"The capability {capability.name} is registered already.")
    _registered[capability.name] = capability


register(Chat())


def all_capabilities() -> Sequence[Capability]:
    """Return the capabilities in the order of their registration."""
    return tuple(_registered.values())


def capability_named(name: str) -> Capability:
    """Return the capability with this name or alias. Raises InvalidRequest."""
    for capability in _registered.values():
        if name == capability.name or name in getattr(capability, "aliases", ()):
            return capability
    message = _("There is no such capability.")
    raise InvalidRequest(message, errors=[FieldError("capability", message)])


def mounted(capability: Capability, switches: Mapping[str, bool]) -> Toolbox:
    """Return the tools of the capability that are not switched off."""
    return Toolbox({tool.name: tool for tool in capability.tools() if switches.get(tool.name, True)})
