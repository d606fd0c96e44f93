"""The capabilities of this installation, by name and alias."""

from collections.abc import Collection, Mapping, Sequence

from django.utils.translation import gettext as _

from apps.agent.capabilities import Capability
from apps.agent.tools import AnyTool, Toolbox, is_ask_tool, is_state_tool
from apps.common.errors import FieldError
from apps.interactions.guidance import system_text
from apps.interactions.plans import PresentPlanTool
from apps.interactions.tools import AskUserQuestionTool, AskUserTool
from apps.runs.delegating import Delegate
from apps.runs.errors import InvalidRequest
from apps.solve.capability import DeepSolve
from apps.toolkit.tools import work_tools


class Chat(Capability):
    """Plain conversation with the ask tools."""

    name = "chat"
    titles: Mapping[str, str] = {"en": "Chat", "zh": "对话"}

    def tools(self) -> Sequence[AnyTool]:
        """Return the ask tools."""
        return (AskUserTool(), AskUserQuestionTool(), PresentPlanTool())

    def instructions(self, language: str, block: str = "") -> str:
        """Return the system text: who the agent is and when it asks."""
        return block or system_text(language)


_registered: dict[str, Capability] = {}


def register(capability: Capability) -> None:
    """Add a capability. Raises ValueError if its name is taken."""
    if capability.name in _registered:
        raise ValueError(f"The capability {capability.name} is registered already.")
    _registered[capability.name] = capability


register(Chat())
register(DeepSolve())


def all_capabilities() -> Sequence[Capability]:
    """Return the capabilities in the order of their registration."""
    return tuple(_registered.values())


def capability_named(name: str) -> Capability:
    """Return the capability with this name or alias. Raises InvalidRequest."""
    for capability in _registered.values():
        if name == capability.name or name in capability.aliases:
            return capability
    message = _("There is no such capability.")
    raise InvalidRequest(message, errors=[FieldError("capability", message)])


def mounted(capability: Capability, switches: Mapping[str, bool], useless: Collection[str] = ()) -> Toolbox:
    """Return the capability's tools and the work tools that are not switched off; those that make the mode cannot be.

    Work tools that are `useless` in the session are not there at all. Where there is work to give away, it can be.
    """
    every: list[AnyTool] = [*capability.tools(), *(tool for tool in work_tools() if tool.name not in useless)]
    if not all(is_ask_tool(tool) or is_state_tool(tool) for tool in every):
        every.append(Delegate())
    tools = [tool for tool in every if tool.name in capability.owned or switches.get(tool.name, True)]
    return Toolbox({tool.name: tool for tool in tools})
