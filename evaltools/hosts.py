"""Host names of requests: how they are read, and which of them the app answers.

A page of another site may have its own name resolve to this computer (DNS rebinding). Its requests reach the app, but
they carry the name of that site in ``Host``, which is why only known names are answered.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass

from evaltools.errors import ParameterError

__all__ = [
    "ALLOWED_HOSTS",
    "LOOPBACK",
    "Host",
    "is_answered",
    "is_local",
    "network_names",
    "parse_allowed",
    "parse_host",
]

ALLOWED_HOSTS = "EVALTOOLS_ALLOWED_HOSTS"
"""The environment variable that names further hosts, separated by commas."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names by which only this computer reaches itself."""

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Host:
    """A host of a request or an option.

    Parameters
    ----------
    name : str
        Lower case, without a final dot; IP addresses in their shortest form, without brackets.
    port : int or None
        The port, if one is given.
    """

    name: str
    port: int | None = None


def parse_host(text: str) -> Host | None:
    """Return the host that a ``Host`` header names; None if it is malformed.

    Parameters
    ----------
    text : str
        ``name``, ``name:port``, ``[IPv6]`` or ``[IPv6]:port``.

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


def _shortest(name: str) -> str | None:
    """Return an IP address in its shortest form; None for what is no IP address."""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return None
    return str(getattr(address, "ipv4_mapped", None) or address)


def parse_allowed(names: Iterable[str]) -> tuple[Host, ...]:
    """Return the hosts that an option names.

    Parameters
    ----------
    names : iterable of str
        Each ``NAME`` for any port, or ``NAME:PORT``.

    Raises
    ------
    ParameterError
        If a name is malformed.
    """
    hosts = []
    for name in names:
        host = parse_host(name.strip())
        if host is None:
            raise ParameterError(f"no host {name!r}; expected a name or an IP address, with :PORT or without")
        hosts.append(host)
    return tuple(hosts)


def is_local(address: str) -> bool:
    """Return whether only this computer reaches a server that listens on an address.

    Parameters
    ----------
    address : str
        An IP address, or a name.

    Examples
    --------
    >>> is_local("127.0.0.1"), is_local("localhost"), is_local("::1"), is_local("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address.lower() == "localhost"


def network_names() -> frozenset[str]:
    """Return the names of this computer in its network: its host name, whole, short, and as multicast DNS has it."""
    whole = socket.gethostname().lower().removesuffix(".")
    short = whole.partition(".")[0]
    return frozenset({whole, short, f"{short}.local"}) if short else frozenset()


def is_answered(
    host: Host, names: Iterable[str], port: int, allowed: Iterable[Host] = (), *, default_port: int = 80
) -> bool:
    """Return whether the app answers requests for a host.

    Parameters
    ----------
    host : Host
        What the request names.
    names : iterable of str
        The server's own names and addresses, which count with its own port only.
    port : int
        The server's port.
    allowed : iterable of Host
        Further hosts; one without a port counts with every port.
    default_port : int
        The port of a host that names none: 80, or 443 for https.

    Examples
    --------
    >>> is_answered(Host("localhost", 8501), LOOPBACK, 8501), is_answered(Host("localhost"), LOOPBACK, 8501)
    (True, False)
    >>> is_answered(Host("class.example"), LOOPBACK, 8501, [Host("class.example")])
    True
    """
    given = default_port if host.port is None else host.port
    own = {_shortest(name) or name for name in names}
    if host.name in own and given == port:
        return True
    return any(other.name == host.name and other.port in (None, given) for other in allowed)
