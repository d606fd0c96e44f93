"""Which IP addresses belong to the internet: those that are global, in whatever they are wrapped."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_NAT64 = IPv6Network("64:ff9b::/96")
_OLD_WRAPPERS = (IPv6Network("::/96"), IPv6Network("::ffff:0:0:0/96"))
"""Forms that nobody needs and some systems still unwrap."""
_NEAR = (IPv4Network("168.63.129.16/32"), IPv4Network("192.88.99.0/24"), IPv6Network("fec0::/10"))
"""Global by their numbers, yet nearby: the host of a machine at Azure, a gateway to IPv6, and a site's own of old."""


def is_public(address: str) -> bool:
    """Say whether an address as the resolver gives it is on the internet. What is no address is not."""
    try:
        plain = _unwrapped(ip_address(address.partition("%")[0]))
    except ValueError:
        return False
    is_kept_out = plain.is_multicast or plain.is_reserved or any(plain in network for network in _NEAR)
    return plain.is_global and not is_kept_out


def _unwrapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that an IPv6 one stands for, else the address itself. Raises ValueError for old forms."""
    if isinstance(address, IPv4Address):
        return address
    if inner := address.ipv4_mapped or address.sixtofour:
        return inner
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if any(address in network for network in _OLD_WRAPPERS):
        raise ValueError("an old form")
    return address
