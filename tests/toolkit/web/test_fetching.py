"""Pages: what is read of them, and what is not."""

import gzip

import pytest

from apps.toolkit.web import requesting
from apps.toolkit.web.extraction import MOST_TEXT, run
from apps.toolkit.web.faults import WebFault
from apps.toolkit.web.fetching import Page
from tests.toolkit.web.local import Answers, answer, fetcher, serving

PARAGRAPH = "A triangle is a polygon with three corners, and the angles at them add up to 180 degrees. " * 4
ARTICLE = f"""<html><head><title>Triangles</title><script>var hidden = 1;</script></head><body><nav><a href="/">Home</a></nav>
<article><h1>Triangles</h1><p>{PARAGRAPH}</p><p>三角形的内角和等于一百八十度，这是平面几何中最基本的定理之一。</p></article></body></html>"""


async def fetched(answers: Answers, path: str = "/") -> Page:
    async with serving(answers) as local:
        return await fetcher(local).fetch(f"http://start.example{path}")


async def fault(answers: Answers, path: str = "/") -> str:
    with pytest.raises(WebFault) as raised:
        await fetched(answers, path)
    return raised.value.key


async def test_a_page_is_read_with_its_title_and_without_its_scripts() -> None:
    page = await fetched({"/": answer(ARTICLE.encode(), type="text/html; charset=utf-8")})
    assert (page.url, page.title, page.is_cut) == ("http://start.example/", "Triangles", False)
    assert "add up to 180 degrees" in page.text
    assert "三角形的内角和" in page.text
    assert "hidden" not in page.text


async def test_redirects_are_followed_to_the_third_and_no_further() -> None:
    hops = {f"/{n}": answer(b"", f"Location: /{n + 1}", status="302 Found") for n in range(4)}
    page = await fetched({**hops, "/3": answer(b"there", type="text/plain")}, "/0")
    assert (page.url, page.text) == ("http://start.example/3", "there")
    assert await fault({**hops, "/4": answer(b"there", type="text/plain")}, "/0") == "many_redirects"


@pytest.mark.parametrize(
    ("sent", "key"),
    [
        (answer(b"%PDF", type="application/pdf"), "bad_type"),
        (answer(b"x", type="image/png"), "bad_type"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", "bad_type"),
        (answer(gzip.compress(b"x" * 99), "Content-Encoding: gzip"), "encoded"),
        (answer(b"x" * (requesting.MOST_BYTES + 1), type="text/plain"), "too_large"),
        (answer(b"gone", status="410 Gone"), "bad_status"),
        (answer(b"no", status="302 Found"), "bad_status"),
        (b"no HTTP at all\r\n\r\n", "no_answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nbroken", "no_answer"),
        (b"", "no_answer"),
    ],
)
async def test_what_is_no_readable_page_is_said_to_be_none(sent: bytes, key: str) -> None:
    assert await fault({"/": sent}) == key


async def test_a_server_that_sends_nothing_more_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requesting, "PART_SECONDS", 0.2)
    begun = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nbegun"
    assert await fault({"/hang": begun}, "/hang") == "too_slow"


async def test_a_request_carries_no_cookie_and_asks_for_the_plain_page() -> None:
    async with serving({"/a?b=c": answer(b"x", type="text/plain")}) as local:
        await fetcher(local).fetch("http://start.example/a?b=c#d")
    assert local.requests[0].splitlines()[0] == "GET /a?b=c HTTP/1.1"
    headers = {line.partition(":")[0].lower() for line in local.requests[0].splitlines()[1:] if line}
    assert headers == {"host", "user-agent", "accept-encoding", "connection"}
    assert "Host: start.example" in local.requests[0]


@pytest.mark.parametrize("charset", ["gb18030", "no-such", "", "utf-8"])
def test_a_text_is_decoded_by_its_charset_or_by_what_it_looks_like(charset: str) -> None:
    body = "几何图形与三角形的内角和定理的证明".encode("gb18030" if charset == "gb18030" else "utf-8")
    read = run({"body": body.decode("latin-1"), "charset": charset, "is_html": False})
    assert read == {"title": "", "text": "几何图形与三角形的内角和定理的证明", "is_cut": False}


def test_a_long_text_is_cut_and_said_to_be() -> None:
    read = run({"body": "x" * (MOST_TEXT + 1), "charset": "utf-8", "is_html": False})
    assert (len(read["text"]), read["is_cut"]) == (MOST_TEXT, True)


@pytest.mark.parametrize("body", ["", "<", "<html>", "<p>" * 3000, "\0\0", "<title>" + "t" * 999])
def test_a_broken_page_is_read_as_far_as_it_goes(body: str) -> None:
    assert set(run({"body": body, "charset": "utf-8", "is_html": True})) == {"title", "text", "is_cut"}
