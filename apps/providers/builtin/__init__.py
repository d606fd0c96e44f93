"""The built-in symbolic solver: a provider without a language model."""

from apps.providers.builtin.model import BuiltinModel

__all__ = ["BuiltinModel"]
