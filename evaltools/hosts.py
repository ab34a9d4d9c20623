"""Host names of requests, and which of them the app answers.

Another site may make its own name resolve to this computer (DNS rebinding). Its requests then reach the app, but with
the name of that site in ``Host``. This is why only requests for allowed names are answered.
"""

from __future__ import annotations

import functools
import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass

from evaltools.errors import ParameterError

ALLOWED_HOSTS = "EVALTOOLS_ALLOWED_HOSTS"
"""Environment variable with additional host names, separated by commas."""

LAUNCHED = "EVALTOOLS_LAUNCHED"
"""Environment variable that is set for a server whose standard input says when it ends."""

CLASS_FILE = "EVALTOOLS_CLASS_FILE"
"""Environment variable with the path of the file that says what phones show; a class sets it, and the two below."""

PHONES_URL = "EVALTOOLS_PHONES_URL"
"""Environment variable with the address that phones open."""

TEACHER = "EVALTOOLS_TEACHER"
"""Environment variable with the secret that the teacher's browser has to show to the app."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of this computer that no other computer can use to reach it."""

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?", re.ASCII)
_ORIGIN = re.compile(r"https?://([^/?#]*)")


@dataclass(frozen=True, slots=True)
class Host:
    """A host of a request or an option."""

    name: str  # Lower case, without a final dot; IP addresses in their shortest form, without brackets
    port: int | None = None  # The port, if one is given


@functools.lru_cache(maxsize=64)
def parse_host(text: str) -> Host | None:
    """Return the host that a ``Host`` header names; None if it is malformed.

    Examples
    --------
    >>> parse_host("LocalHost.:8501")
    Host(name='localhost', port=8501)
    >>> parse_host("[0:0::1]").name, parse_host("a.example:80@b.example")
    ('::1', None)
    """
    match = _HOST.fullmatch(text.lower())
    if match is None:
        return None
    name, port = match[1].strip("[]").removesuffix("."), int(match[2]) if match[2] else None
    if not name or (port is not None and not 1 <= port <= 65535):
        return None
    address = _shortest(name)
    if match[1].startswith("[") and (":" not in name or address is None):
        return None
    return Host(address or name, port)


def parse_origin(text: str) -> Host | None:
    """Return the host that an ``Origin`` header names; None if it is malformed or ``null``.

    Examples
    --------
    >>> parse_origin("http://192.168.1.5:8502"), parse_origin("null")
    (Host(name='192.168.1.5', port=8502), None)
    """
    match = _ORIGIN.fullmatch(text.lower())
    return None if match is None else parse_host(match[1])


@functools.lru_cache(maxsize=64)
def _shortest(name: str) -> str | None:
    """Return an IP address in its shortest form; None if the name is no IP address."""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return None
    return str(getattr(address, "ipv4_mapped", None) or address)


def parse_allowed(names: Iterable[str]) -> tuple[Host, ...]:
    """Return the hosts that an option names."""
    hosts = []
    for name in names:
        host = parse_host(name.strip())
        if host is None:
            raise ParameterError(f"{name!r} is not a host; expected a name or an IP address, with :PORT or without")
        hosts.append(host)
    return tuple(hosts)


def is_local(address: str) -> bool:
    """Return whether only this computer can reach a server that listens on an address.

    Examples
    --------
    >>> is_local("127.0.0.1"), is_local("localhost"), is_local("::1"), is_local("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address.lower() == "localhost"


def lan_address() -> str | None:
    """Return the IP address of this computer in its network, None if it has none; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if is_local(address) else address


def network_names() -> frozenset[str]:
    """Return the names of this computer in its network: full and short host name, and that of multicast DNS."""
    full = socket.gethostname().lower().removesuffix(".")
    short = full.partition(".")[0]
    return frozenset({full, short, f"{short}.local"}) if short else frozenset()


def is_answered(
    host: Host, names: Iterable[str], port: int, allowed: Iterable[Host] = (), *, default_port: int = 80
) -> bool:
    """Return whether the app answers requests for a host.

    Examples
    --------
    >>> is_answered(Host("localhost", 8501), LOOPBACK, 8501), is_answered(Host("localhost"), LOOPBACK, 8501)
    (True, False)
    >>> is_answered(Host("class.example"), LOOPBACK, 8501, [Host("class.example")])
    True
    """
    requested_port = default_port if host.port is None else host.port
    own_names = {_shortest(name) or name for name in names}
    if host.name in own_names and requested_port == port:
        return True
    return any(entry.name == host.name and entry.port in (None, requested_port) for entry in allowed)
