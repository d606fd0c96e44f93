"""The guard: whatever a model writes, nothing but the internet is asked. No test here sends a packet beyond this machine."""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpcore
import pytest

from apps.toolkit.web.addresses import is_public
from apps.toolkit.web.faults import BadAddress, NotPublic, WebFault
from apps.toolkit.web.fetching import Fetcher
from apps.toolkit.web.guarding import GuardedBackend
from apps.toolkit.web.locating import located
from tests.toolkit.web.local import PUBLIC, Local, answer, fetcher, resolving, serving

INSIDE = [
    "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
    "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "ff0e::1", "2001:db8::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "::ffff:0:127.0.0.1", "2002:7f00:1::", "2002:a00:1::1",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "nonsense", "",
    "fec0::1", "feff::1", "4000::1", "168.63.129.16", "192.88.99.1", "64:ff9b::a83f:8110",
    "::ffff:192.88.99.1", "2002:c058:6301::",
]  # fmt: skip
PROBES = [
    "http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://0/",
    "http://localhost/", "http://localhost./", "http://LOCALHOST/", "http://127.0.0.1:443/", "https://127.0.0.1/",
    "http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/", "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://192.168.0.1/",
    "http://100.64.0.1/", "http://[fd00::1]/", "http://[fe80::1]/", "http://192.0.2.1/", "http://198.51.100.7/",
    "http://[2001:db8::1]/", "http://１２７.0.0.1/", "http://127。0。0。1/", "http://224.0.0.1/", "http://255.255.255.255/",
]  # fmt: skip
BAD = [
    "ftp://192.0.2.1/", "file:///etc/passwd", "gopher://127.0.0.1/", "//example.org/", "example.org", "http://", "http:///path",
    "http://127.0.0.1:22/", "http://127.0.0.1:8000/", "http://example.org:0/", "http://example.org:99999/",
    "http://user@example.org/", "http://user:word@example.org/", "http://example.org\\@127.0.0.1/", "http://exa mple.org/",
    "http://example.org/\r\nHost: x", "http://[::1", "http://[fe80::1%25eth0]/", "javascript:alert(1)", "http://" + "a" * 2000,
    "http://example.org/\ud800", "http://.../",
]  # fmt: skip


class Unreached(httpcore.AsyncNetworkBackend):
    """Fails the test if it is asked to connect."""

    async def connect_tcp(self, host: str, port: int, *args: object, **options: object) -> httpcore.AsyncNetworkStream:
        """Refuse."""
        raise AssertionError(f"connected to {host}")


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_that_is_not_on_the_internet_is_none_in_whatever_it_is_wrapped(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.0.0.1", "2606:4700::1", "::ffff:1.0.0.1", "64:ff9b::100:1", "2002:100:1::"])
def test_an_address_on_the_internet_is_one(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("url", PROBES)
async def test_a_probe_is_refused_before_anything_is_connected(url: str) -> None:
    with pytest.raises(NotPublic):
        await Fetcher(GuardedBackend(inner=Unreached())).fetch(url)


@pytest.mark.parametrize("url", BAD)
async def test_what_is_no_address_of_a_page_is_refused_before_it_is_looked_up(url: str) -> None:
    with pytest.raises(BadAddress):
        await Fetcher(GuardedBackend(resolving([]), Unreached())).fetch(url)


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], [PUBLIC, "127.0.0.1"], ["10.0.0.1", PUBLIC], ["::1", "::ffff:192.168.0.1"], ["198.51.100.1"]]
)
async def test_a_name_is_refused_if_one_of_its_addresses_is_inside(addresses: Sequence[str]) -> None:
    async with serving({"/": answer(b"inside")}) as local:
        with pytest.raises(NotPublic):
            await fetcher(local, addresses).fetch("http://rebind.example/")
    assert local.asked == []


async def test_the_connection_goes_to_the_address_that_was_checked_and_the_name_is_looked_up_once() -> None:
    lookups: list[str] = []

    async def rebinding(host: str, port: int) -> Sequence[str]:
        lookups.append(host)
        return [PUBLIC] if len(lookups) == 1 else ["127.0.0.1"]

    async with serving({"/": answer(b"plain", type="text/plain")}) as local:
        guard = GuardedBackend(rebinding, local, lambda each: each == PUBLIC)
        assert (await Fetcher(guard).fetch("http://rebind.example/")).text == "plain"
        assert (local.asked, lookups) == ([(PUBLIC, 80)], ["rebind.example"])
        with pytest.raises(NotPublic):
            await Fetcher(guard).fetch("http://rebind.example/")
    assert local.asked == [(PUBLIC, 80)]


async def test_a_redirect_to_a_host_that_has_changed_its_address_is_refused() -> None:
    async with serving({"/": answer(b"", "Location: /next", status="302 Found"), "/next": answer(b"inside")}) as local:
        with pytest.raises(NotPublic):
            await fetcher(local, [PUBLIC], ["127.0.0.1"]).fetch("http://rebind.example/")
    assert len(local.requests) == 1


@pytest.mark.parametrize("target", ["http://127.0.0.1/", "http://[::1]/", "//169.254.169.254/latest/"])
async def test_a_redirect_into_the_network_of_the_server_is_refused(target: str) -> None:
    async with serving({"/": answer(b"", f"Location: {target}", status="302 Found")}) as local:

        async def literal(host: str, port: int) -> Sequence[str]:
            return [PUBLIC] if host == "start.example" else [host]

        with pytest.raises(NotPublic):
            await Fetcher(GuardedBackend(literal, local, lambda each: each == PUBLIC)).fetch("http://start.example/")
    assert local.asked == [(PUBLIC, 80)]


@pytest.mark.parametrize("target", ["ftp://192.0.2.7/", "http://192.0.2.7:8080/", "file:///etc/passwd"])
async def test_a_redirect_to_what_is_no_page_is_refused(target: str) -> None:
    async with serving({"/": answer(b"", f"Location: {target}", status="301 Moved")}) as local:
        with pytest.raises(BadAddress):
            await fetcher(local).fetch("http://start.example/")


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    async with serving({"/": answer(b"plain", type="text/plain")}) as local:
        await fetcher(local).fetch("http://start.example/")
    assert local.asked == [(PUBLIC, 80)]


async def test_the_certificate_is_asked_for_by_the_name_though_the_connection_goes_to_the_address() -> None:
    names: list[str | None] = []

    class Stream(httpcore.AsyncNetworkStream):
        async def start_tls(self, ssl_context: object, server_hostname: str | None = None, timeout: float | None = None) -> Any:
            names.append(server_hostname)
            raise httpcore.ConnectError

    class Speaking(Local):
        async def connect_tcp(self, host: str, port: int, *args: object, **options: object) -> httpcore.AsyncNetworkStream:
            self.asked.append((host, port))
            return Stream()

    local = Speaking(0)
    with pytest.raises(WebFault):
        await fetcher(local).fetch("https://name.example/")
    assert (local.asked, names) == ([(PUBLIC, 443)], ["name.example"])


async def test_another_address_is_tried_where_the_first_does_not_answer() -> None:
    class Half(Local):
        async def connect_tcp(self, host: str, port: int, *args: object, **options: object) -> httpcore.AsyncNetworkStream:
            if host == "192.0.2.8":
                raise httpcore.ConnectError
            return await super().connect_tcp(host, port)

    async with serving({"/": answer(b"plain", type="text/plain")}) as local:
        half = Half(local.port)
        guard = GuardedBackend(resolving(["192.0.2.8", PUBLIC]), half, lambda each: each.startswith("192.0.2."))
        assert (await Fetcher(guard).fetch("http://two.example/")).text == "plain"
    assert half.asked == [(PUBLIC, 80)]


async def test_sockets_of_the_machine_and_unknown_names_are_refused() -> None:
    async def unknown(host: str, port: int) -> Sequence[str]:
        raise OSError

    with pytest.raises(NotPublic):
        await GuardedBackend().connect_unix_socket("/run/docker.sock")
    with pytest.raises(WebFault):
        await Fetcher(GuardedBackend(unknown, Unreached())).fetch("http://nowhere.invalid/")
    with pytest.raises(NotPublic):
        await asyncio.wait_for(GuardedBackend(resolving([PUBLIC])).connect_tcp("x.example", 22), 5)


@pytest.mark.parametrize(
    ("url", "form"),
    [
        ("HTTP://Example.ORG", "http://example.org/"),
        ("https://example.org:443/a b".replace(" ", "%20"), "https://example.org/a%20b"),
        ("http://example.org:443/?q=ü#part", "http://example.org:443/?q=%C3%BC"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
    ],
)
def test_an_address_has_one_form(url: str, form: str) -> None:
    assert located(url) == form
