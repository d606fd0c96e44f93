"""How a log line is written: without the text of an exception or an address, which may hold what people wrote."""

import logging
import traceback
from types import TracebackType

type ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class RouteForAddress(logging.Filter):
    """Puts the route where a line of Django's names the address: that is the client's text, or holds a secret.

    A reason keeps only what stands before a dash: behind it may stand a header of the client's.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record, and let it pass."""
        request = getattr(record, "request", None)
        if request is not None and isinstance(record.args, tuple):
            match = getattr(request, "resolver_match", None)
            route = match.route if match else "?"
            addresses = (request.path, request.path.encode("unicode_escape").decode("ascii"))
            told = (route if argument in addresses else argument for argument in record.args)
            record.args = tuple(each.partition(" - ")[0] if isinstance(each, str) else each for each in told)
        return True


class WithoutWords(logging.Formatter):
    """Writes tracebacks that end with the exception's type; causes and contexts likewise, the first one first."""

    def formatException(self, ei: ExcInfo) -> str:
        """Return the frames of an exception and of what led to it."""
        error: BaseException | None = ei[1]
        parts: list[str] = []
        while error is not None and len(parts) < 10:
            frames = "".join(traceback.format_tb(error.__traceback__))
            parts.append(f"{frames}{type(error).__module__}.{type(error).__qualname__}")
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\nwhich led to\n".join(reversed(parts))
