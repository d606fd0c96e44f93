"""Any endpoint that speaks the chat-completions protocol, hosted or local, and what such servers really send."""

from apps.providers.openai_compatible.model import OpenAICompatibleModel

__all__ = ["OpenAICompatibleModel"]
