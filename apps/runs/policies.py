"""Policies of tools: which of them work without asking, which ask their user first, which are not there at all.

The installation's policy is the floor. A user and a session only tighten it, whatever they set. What holds is looked up
whenever a worker takes a run up: a run that has waited for days meets the policy of that day.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from django.db.models import BigIntegerField, CharField, Q
from django.utils.translation import gettext as _

from apps.agent.approvals import Policy, default_policy
from apps.agent.capabilities import Capability
from apps.agent.tools import Toolbox, is_ask_tool, is_state_tool
from apps.audit.fields import as_code
from apps.audit.write import Entry
from apps.chat.models import CapabilitySettings, ChatSession
from apps.common.errors import FieldError
from apps.common.prepared import Prepared, bound
from apps.runs.capabilities import mounted
from apps.toolkit.tools import useless_in

Setting = Literal["never", "ask", "off"]
SETTINGS: tuple[Setting, ...] = ("never", "ask", "off")
"""From the loosest to the strictest."""

MAX_TOOLS, MAX_NAME = 100, 200
Settings = dict[str, Setting]

_STORED = Prepared(
    lambda: CapabilitySettings.objects.filter(
        Q(user__isnull=True) | Q(user=bound("user", BigIntegerField())), capability=bound("capability", CharField())
    ).values_list("user_id", "values")
)


def read_settings(given: Any, path: str, errors: list[FieldError]) -> dict[str, Setting | None]:
    """Return the settings of tools that can be used, None for one that is taken back; name the others in `errors`.

    A switch is let pass for a setting: false is off, and true takes back what was set.
    """
    if not isinstance(given, Mapping) or len(given) > MAX_TOOLS or any(len(name) > MAX_NAME for name in given):
        errors.append(FieldError(path, _("Send an object of tools by name, not too many.")))
        return {}
    read: dict[str, Any] = {name: _SWITCHES[value] if isinstance(value, bool) else value for name, value in given.items()}
    wrong = [name for name, value in read.items() if value not in (None, *SETTINGS)]
    errors += [FieldError(f"{path}.{name}", _("Send one of: %(choices)s.") % {"choices": ", ".join(SETTINGS)}) for name in wrong]
    return {name: value for name, value in read.items() if name not in wrong}


_SWITCHES: Mapping[bool, Setting | None] = {False: "off", True: None}


def readable(stored: Any) -> dict[str, Setting]:
    """Return stored settings of tools; what cannot be used is left out."""
    given = stored if isinstance(stored, Mapping) else {}
    # Not `read_settings`: what is stored holds even if it has become too much to be sent again.
    read = {name: _SWITCHES[value] if isinstance(value, bool) else value for name, value in given.items()}
    return {name: value for name, value in read.items() if value in SETTINGS}


def held(capability: Capability, installation: Settings, own: Settings) -> dict[str, Setting]:
    """Return what holds of every working tool of the capability, and of every tool that was set."""
    tools = [tool for tool in mounted(capability, {}).tools.values() if _is_working(tool)]
    floor: dict[str, Setting] = {tool.name: default_policy(tool) for tool in tools}
    return {name: _strictest((floor | installation).get(name), own.get(name)) for name in (*floor, *installation, *own)}


def toolbox_for(
    user_id: int, capability: Capability, session: ChatSession | None, switches: dict[str, bool]
) -> tuple[Toolbox, dict[str, Policy]]:
    """Return the tools that a run has now, and which of them ask first. `switches` are the run's own."""
    stored = {
        owner is not None: readable(values.get("tools")) for owner, values in _STORED(user=user_id, capability=capability.name)
    }
    floor, own = stored.get(False, {}), stored.get(True, {})
    said: Mapping[str, Any] = session.tools if session else {}
    wishes = readable({name: value for name, value in said.items() if not isinstance(value, bool)})
    off = dict.fromkeys(_off(floor, own, wishes), False)
    box = mounted(capability, _switched(said) | switches | off, useless_in(session))
    asking: dict[str, Policy] = {}
    for tool in box.tools.values():
        if _is_working(tool):
            default = floor.get(tool.name) or default_policy(tool)
            strictest = _strictest(default, own.get(tool.name), wishes.get(tool.name))
            asking[tool.name] = "never" if strictest == "never" else "ask"
    return box, asking


def changes_of_tools(whose: Mapping[str, Any], before: Any, after: Any, session: str = "") -> list[Entry]:
    """Return an audit record for each tool that was set otherwise."""
    old, new = before or {}, after or {}
    changed = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    return [
        Entry(
            "settings_changed",
            session=session,
            summary={**whose, "names": ["tools"], "tool": as_code(name), "policy": _policy_word(new.get(name))},
        )
        for name in changed
    ]


def _policy_word(setting: Any) -> str:
    return {False: "off", True: "on", None: "default"}.get(setting) or str(setting)


def _switched(said: Mapping[str, Any]) -> dict[str, bool]:
    return {name: on for name, on in said.items() if isinstance(on, bool)}


def _off(*settings: Settings) -> Iterable[str]:
    return [name for each in settings for name, setting in each.items() if setting == "off"]


def _strictest(*settings: Setting | None) -> Setting:
    return max((setting for setting in settings if setting), key=SETTINGS.index, default="never")


def _is_working(tool: object) -> bool:
    return not (is_ask_tool(tool) or is_state_tool(tool))
