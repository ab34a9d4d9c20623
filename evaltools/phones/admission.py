"""One vote a person: signed cookies of devices, and limits of what an address or a device may do."""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b

__all__ = ["Cookies", "RateLimit", "network_of", "voter_of"]

_COOKIE = re.compile(r"([dc])([0-9a-f]{32})\.([0-9a-f]{64})")
_MAX_BUCKETS = 10_000


@dataclass(frozen=True, slots=True)
class Cookies:
    """The cookies of devices: a letter for how the device was admitted, its random name, and a signature.

    Examples
    --------
    >>> cookies = Cookies()
    >>> cookies.name(cookies.value("d", "0" * 32)), cookies.name("d" + "0" * 32 + "." + "0" * 64)
    ('d00000000000000000000000000000000', '')
    """

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def value(self, letter: str, name: str) -> str:
        """Return the cookie of a device: ``d`` for any device, ``c`` for the holder of a code."""
        return f"{letter}{name}.{self._signature(letter + name)}"

    def name(self, value: str) -> str:
        """Return letter and name of a device; empty if the cookie is not signed by this server."""
        match = _COOKIE.fullmatch(value)
        if match is None or not hmac.compare_digest(match[3], self._signature(match[1] + match[2])):
            return ""
        return match[1] + match[2]

    def _signature(self, text: str) -> str:
        return hmac.digest(self.secret, text.encode(), "sha256").hex()


def voter_of(name: str, votes: str) -> str:
    """Return the name under which a device votes on a lesson; votes on two lessons cannot be linked by it."""
    return blake2b(f"{name}\0{votes}".encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


class RateLimit:
    """A number of actions at once, then one each time that an interval has passed, for each key.

    Examples
    --------
    >>> limit = RateLimit(2, 10, clock=lambda: 0.0)
    >>> [limit.take("key") for _ in range(3)], limit.take("other key")
    ([True, True, False], True)
    """

    def __init__(self, burst: int, interval: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst = burst
        self.interval = interval
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> bool:
        """Return whether an action is allowed now, and count it if so."""
        now = self._clock()
        left, at = self._buckets.pop(key, (float(self.burst), now))
        left = min(self.burst, left + (now - at) / self.interval)
        is_allowed = left >= 1
        self._buckets[key] = (left - is_allowed, now)  # the last one: those that come first are the oldest
        while len(self._buckets) > _MAX_BUCKETS:
            del self._buckets[next(iter(self._buckets))]
        return is_allowed


def network_of(address: str) -> str:
    """Return the address that limits count by: a device may choose among the addresses of its IPv6 network.

    Examples
    --------
    >>> network_of("192.168.1.5"), network_of("2001:db8::1:2:3:4") == network_of("2001:db8::9")
    ('192.168.1.5', True)
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4 or parsed.ipv4_mapped:
        return str(getattr(parsed, "ipv4_mapped", None) or parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
