"""What phones show while a class is on, in an SQLite file that lasts as long as the class.

The app writes it for the server of the phones, which can only read it and note which device has used a code.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar, Literal

import msgspec

from evaltools.classroom.votes import Ballot, Store, restrict
from evaltools.outputs import replace_file
from evaltools.runs.folders.shared_database import is_linked, opened

__all__ = [
    "CLASS_FILE",
    "CODE_DAYS",
    "PHONES_URL",
    "TEACHER",
    "Admission",
    "ClassState",
    "ClassStore",
    "CodeBox",
    "CodeSecret",
    "class_codes",
    "class_store",
    "code_digest",
    "code_secret",
]

CLASS_FILE = "EVALTOOLS_CLASS_FILE"
"""Environment variable with the path of the file; the launcher of a class sets it, and the two below."""

PHONES_URL = "EVALTOOLS_PHONES_URL"
"""Environment variable with the address that phones open."""

TEACHER = "EVALTOOLS_TEACHER"
"""Environment variable with the secret that the teacher's browser has to show to the app."""

Admission = Literal["device", "code"]
"""Who has one vote: each device, or each code of a printed sheet."""

CODE_DAYS = 14
"""Number of days for which a printed sheet of one-time codes is valid, also if the class is started again."""

_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without signs that look alike
_LENGTH = 10
_SHOW = "insert or replace into state (only, content) values (1, ?)"
_JOIN = "insert or ignore into joined (code, device) select ?, ? where exists (select 1 from codes where code = ?)"


class ClassState(msgspec.Struct, frozen=True):
    """The step that a class is shown, and its question if it has one."""

    leader: str  # Random name of the browser that projects the lesson
    lesson: str  # Title of the lesson
    votes: str  # Path of the lesson's votes
    admission: Admission = "device"
    students: int = 40  # Number of codes, and of devices that one network address may have
    question: str = ""  # Id of the question; empty if the step has none
    round: int = 1
    kind: str = ""  # Kind of the question, and the question itself as JSON
    content: str = ""

    @property
    def ballot(self) -> Ballot:
        """The ballot on the question."""
        return Ballot(self.question, self.round)


_DECODER = msgspec.json.Decoder(ClassState)


class ClassStore(Store):
    """The step that a class is shown, and the codes that admit to its votes.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> store = ClassStore(Path(mkdtemp()) / "class.sqlite")
    >>> store.show(ClassState("teacher", "Attachment", "votes.sqlite"))
    >>> store.now().lesson
    'Attachment'
    >>> store.end()
    >>> store.now() is None
    True
    """

    tables: ClassVar[dict[str, str]] = {
        "state": "only integer primary key check (only = 1), content text not null",
        "codes": "code text primary key",
        "joined": "code text primary key, device text not null",
    }

    def show(self, state: ClassState) -> None:
        """Set what the class is shown."""
        self.write((_SHOW, (msgspec.json.encode(state).decode(),)))

    def now(self) -> ClassState | None:
        """Return what the class is shown; None if there is nothing or the file cannot be read."""
        return _decoded(self.read("state", "select content from state"))

    def end(self) -> None:
        """Show nothing any more."""
        if self.path.exists():
            self.write(("delete from state", ()))

    def admit(self, codes: list[str]) -> None:
        """Admit these codes, and no others; devices that use others have to join again."""
        rows = [("insert or ignore into codes values (?)", (code_digest(code),)) for code in codes]
        rest = ("delete from joined where code not in (select code from codes)", ())
        self.write(("delete from codes", ()), *rows, rest)


class CodeBox:
    """The file of a class as the server of the phones may use it: it may note which device has used a code."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def now(self) -> ClassState | None:
        """Return what the class is shown."""
        return ClassStore(self.path).now()

    def has_joined(self, device: str) -> bool:
        """Return whether a device uses a code that is admitted."""
        return bool(ClassStore(self.path).read("joined", "select 1 from joined where device = ?", (device,)))

    def join(self, code: str, device: str) -> str | None:
        """Let a device use a code; return the device that uses it, or None if there is no such code."""
        digest = code_digest(code)
        if not self.path.is_file() or is_linked(self.path):
            return None
        with opened(self.path, "rw") as database:
            restrict(database, "joined")
            database.execute(_JOIN, (digest, device, digest))
            rows = database.execute("select device from joined where code = ?", (digest,)).fetchall()
        return next((str(name) for (name,) in rows), None)


def _decoded(rows: list[tuple[object, ...]]) -> ClassState | None:
    for (content,) in rows:
        try:
            return _DECODER.decode(str(content))
        except (msgspec.DecodeError, UnicodeError):
            return None
    return None


def class_store() -> ClassStore | None:
    """Return the store of the class that this app was started for; None if it was started without phones."""
    path = os.environ.get(CLASS_FILE)
    return ClassStore(Path(path)) if path else None


class CodeSecret(msgspec.Struct, frozen=True):
    """What the codes of a sheet are made from, and how long they are valid."""

    secret: str
    made: datetime

    @property
    def until(self) -> datetime:
        """When the codes end to be valid."""
        return self.made + timedelta(days=CODE_DAYS)


def code_secret(file: Path, now: datetime | None = None, *, renew: bool = False) -> CodeSecret:
    """Return the secret of the codes, which outlasts the class so that a sheet can be printed the day before.

    Parameters
    ----------
    file : Path
        Where it is stored, readable by its owner alone.
    now : datetime, optional
        The time; by default the present one.
    renew : bool
        Whether to make a new secret; codes of the earlier one are no longer known.

    Returns
    -------
    CodeSecret
        The one that is stored if it is valid, else a new one.

    Raises
    ------
    OSError
        If a new one cannot be stored.
    """
    time = now or datetime.now(UTC)
    if not renew and not is_linked(file):
        with suppress(OSError, msgspec.DecodeError, UnicodeError):
            stored = _SECRET.decode(file.read_bytes())
            if stored.secret and stored.made.tzinfo is not None and stored.made <= time < stored.until:
                return stored
    made = CodeSecret(secrets.token_urlsafe(24), time)
    replace_file(file, msgspec.json.encode(made), private=True)
    return made


_SECRET = msgspec.json.Decoder(CodeSecret)


def class_codes(secret: str, number: int) -> list[str]:
    """Return one-time codes: always the same ones for a secret, so that a sheet can be printed again.

    Examples
    --------
    >>> class_codes("secret", 2) == class_codes("secret", 3)[:2], len(class_codes("secret", 1)[0])
    (True, 11)
    """
    return [_code(hmac.digest(secret.encode(), f"code {index}".encode(), "sha256")) for index in range(number)]


def _code(digest: bytes) -> str:
    number, signs = int.from_bytes(digest), []
    for _ in range(_LENGTH):
        number, rest = divmod(number, len(_ALPHABET))
        signs.append(_ALPHABET[rest])
    return f"{''.join(signs[: _LENGTH // 2])}-{''.join(signs[_LENGTH // 2 :])}"


def code_digest(code: str) -> str:
    """Return what is stored of a code, however it was typed.

    Examples
    --------
    >>> code_digest("abcde-fghjk") == code_digest(" ABCDEFGHJK ")
    True
    """
    return blake2b(re.sub(r"[\s-]", "", code).upper().encode("utf-8", "replace"), digest_size=16).hexdigest()
