"""A phone, in the process of the test: it sends requests to the application and keeps its cookie."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from tests.coroutines import complete

HOST = "192.168.1.5:8502"
COOKIE = "evaltools_phone"


@dataclass(slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: str

    @property
    def title(self) -> str:
        found = re.search("<h1>(.*?)</h1>", self.body)
        return found[1] if found else ""


@dataclass(slots=True)
class Phone:
    """A device with an address and, once it has one, a cookie."""

    app: Any
    address: str = "192.168.1.77"
    cookie: str = field(default="", repr=False)

    def send(
        self, method: str, path: str, body: bytes = b"", *, chunks: int = 1, query: str = "", **headers: str
    ) -> Answer:
        """Send a request; the names of further headers are written with underscores."""
        named = {"host": HOST, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if self.cookie:
            named.setdefault("cookie", f"{COOKIE}={self.cookie}")
        if method == "POST":
            named.setdefault("content-length", str(len(body)))
            named.setdefault("content-type", "application/x-www-form-urlencoded")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in named.items() if value],
            "client": (self.address, 50_000),
            "server": ("192.168.1.5", 8502),
        }
        size = max(1, -(-len(body) // chunks))
        parts = [body[at : at + size] for at in range(0, len(body), size)] or [b""]
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            if not parts:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

        async def take(message: dict[str, Any]) -> None:
            sent.append(message)

        complete(self.app(scope, receive, take))
        head = sent[0]
        answer = Answer(
            head["status"],
            {name.decode().lower(): value.decode() for name, value in head["headers"]},
            b"".join(message.get("body", b"") for message in sent[1:]).decode(),
        )
        if found := re.match(f"{COOKIE}=([^;]+)", answer.headers.get("set-cookie", "")):
            self.cookie = found[1]
        return answer

    def get(self, path: str = "/", **options: Any) -> Answer:
        return self.send("GET", path, **options)

    def post(self, path: str, **fields: str) -> Answer:
        return self.send("POST", path, urlencode(fields).encode())

    def vote(self, ballot: str, answer: str) -> int:
        return self.post("/answer", ballot=ballot, answer=answer).status
