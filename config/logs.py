"""How a log line is written: of an exception its place and its type, never its text, which may hold what people wrote."""

import logging
import traceback
from types import TracebackType

type ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


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
