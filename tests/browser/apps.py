"""Put a tool that acts outside into the product, from outside."""

from django.apps import AppConfig


class BrowserConfig(AppConfig):
    """Mounts the tool in every chat."""

    name = "tests.browser"
    label = "browser_tests"

    def ready(self) -> None:
        """Mount it."""
        from apps.runs.capabilities import Chat
        from tests.support.tools import Sending

        own_tools, tool = Chat.tools, Sending()
        Chat.tools = lambda chat: (*own_tools(chat), tool)  # type: ignore[method-assign]
