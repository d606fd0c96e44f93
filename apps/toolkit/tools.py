"""The work tools that every capability mounts: those that work here and now."""

from collections.abc import Sequence

from apps.agent.tools import Tool
from apps.providers.registry import has_language_model
from apps.toolkit.code_execution import CodeExecution
from apps.toolkit.geometry.analysis import GeogebraAnalysis
from apps.toolkit.reasoning.reason import Reason
from apps.toolkit.sandboxes import code_pool

NAMES = frozenset({CodeExecution.name, GeogebraAnalysis.name, Reason.name})
"""Of all work tools, those that do not work here and now as well."""


def work_tools() -> Sequence[Tool]:
    """Return them in the order in which the model sees them."""
    pool = code_pool()
    code = [CodeExecution(pool)] if pool else []
    reason = [Reason()] if has_language_model() else []
    return [*code, GeogebraAnalysis(), *reason]
