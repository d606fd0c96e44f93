"""The only module that knows the SDK. It takes a second to import: import it late, and not on an event loop."""

import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import Any

import httpx2
import openai

from apps.providers.openai_compatible.failures import Failure, failure_of_status, seconds_to_wait, words_of

CONNECT_SECONDS, WRITE_SECONDS = 10.0, 60.0


class Transport:
    """Connections to one address, for one event loop. The SDK's own retries are off.

    `silence_seconds`: how long the server may send nothing.
    """

    def __init__(self, base_url: str, api_key: str, silence_seconds: float) -> None:
        timeout = httpx2.Timeout(silence_seconds, connect=CONNECT_SECONDS, write=WRITE_SECONDS)
        http = openai.DefaultAsyncHttpxClient(auth=_OurKeyOnly(api_key), timeout=timeout)
        # The SDK wants some key, and would take keys of its own from the environment: `_OurKeyOnly` has the last word.
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key="unused", http_client=http, timeout=timeout, max_retries=0)

    @asynccontextmanager
    async def answer(self, body: Mapping[str, Any]) -> AsyncIterator[AsyncGenerator[bytes]]:
        """Send a request; give the pieces of the answer's body. Leaving closes the answer, read to the end or not.

        Raises Failure, while sending as well as while reading.
        """
        with failures_translated(broken="model_unavailable"):
            stream = await self._client.post(
                "/chat/completions", cast_to=object, body=body, stream=True, stream_cls=openai.AsyncStream[object]
            )
        try:
            async with aclosing(_pieces(stream.response)) as pieces:
                yield pieces
        finally:
            await stream.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()


class _OurKeyOnly(httpx2.Auth):
    """Sends the key that the settings name, and no other; without one the header is left out."""

    def __init__(self, api_key: str) -> None:
        self._api_key = api_key

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response]:
        request.headers.pop("Authorization", None)
        if self._api_key:
            request.headers["Authorization"] = f"Bearer {self._api_key}"
        yield request


async def _pieces(response: httpx2.Response) -> AsyncGenerator[bytes]:
    with failures_translated(broken="model_interrupted"):
        async for piece in response.aiter_bytes():
            yield piece


@contextmanager
def failures_translated(broken: str) -> Iterator[None]:
    """Turn the SDK's errors into Failure; a broken connection gets the code `broken`.

    The errors hold address and body, so they are not chained.
    """
    try:
        yield
    except openai.APIStatusError as error:
        wait_seconds = seconds_to_wait(error.response.headers)
        raise failure_of_status(error.status_code, words_of(error.body), wait_seconds) from None
    except (openai.APITimeoutError, httpx2.TimeoutException):
        raise Failure("model_timeout") from None
    except (openai.APIConnectionError, httpx2.RequestError, ssl.SSLError):
        raise Failure(broken) from None
