"""Votes and answers of a class, and what its phones show: SQLite files that the app and the phones' server share.

A vote is a question, a choice, and a random name of the voter, so that the vote can be changed; nothing else is stored
about voters. Counts of a show of hands, which are typed in, are stored as well. Showing the verdicts of the metrics, or
a solution, closes a question; it can be opened again. What phones show lasts as long as the class; the server can only
read it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import msgspec

from evaltools.errors import ParameterError
from evaltools.runs.shared_database import Statement, create, is_linked, opened

CHOICES: dict[str, str] = {"a": "A is worse", "b": "B is worse", "equal": "equally bad"}
"""Choices of a vote."""

MAX_HANDS = 10_000
"""Maximum number of hands."""

_ADD = "insert or replace into votes (question, voter, choice) select ?, ?, ? where "
_VOTE = _ADD + "not exists (select 1 from questions where question = ? and open = 0)"
_PHONE_VOTE = _ADD + "exists (select 1 from questions where question = ? and open = 1) returning 1"
_CHOICE = "select choice from votes where question = ? and voter = ?"
_HANDS = "insert or replace into hands (question, choice, number) values (?, ?, ?)"
_TALLIES = {
    "votes": "select question, choice, count(*) from votes group by question, choice",
    "hands": "select question, choice, number from hands",
}
_OPEN = "insert or replace into questions (question, open) values (?, ?)"
_DISCARD = (
    "delete from questions where open = 0 and question not in (select question from votes) "
    "and question not in (select question from hands)"
)


@dataclass(frozen=True, slots=True)
class Tally:
    """The votes on a question."""

    a: int = 0  # Votes that the first parse is worse, that the second is worse, that they are equally bad
    b: int = 0
    equal: int = 0

    @property
    def total(self) -> int:
        """The number of votes."""
        return self.a + self.b + self.equal

    @property
    def answer(self) -> str | None:
        """The choice with most votes; None if there is a tie.

        Examples
        --------
        >>> Tally(3, 1, 2).answer, Tally(2, 2, 1).answer, Tally().answer
        ('a', None, None)
        """
        maximum = max(self.a, self.b, self.equal)
        leading = [choice for choice in CHOICES if getattr(self, choice) == maximum]
        return leading[0] if maximum and len(leading) == 1 else None

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.a + other.a, self.b + other.b, self.equal + other.equal)


class Store:
    """An SQLite file that several people write at once; a file that is a link or no database is not used."""

    tables: ClassVar[dict[str, str]]
    """The columns of each table, in SQL."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, *statements: Statement) -> int:
        """Run statements in one transaction; create missing tables. Return the number of rows of the last one."""
        if is_linked(self.path):
            raise OSError(0, f"{self.path.name}: a symbolic link, which is not written to")
        tables = [(f"create table if not exists {name} ({columns})", ()) for name, columns in self.tables.items()]
        create(self.path, tables)
        with opened(self.path) as database:
            database.execute("begin immediate")
            rows = 0
            for statement, values in (*tables, *statements):
                rows = database.execute(statement, values).rowcount
            database.execute("commit")
        return rows

    def read(self, table: str, query: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Return the rows of a query on a table; none if the file cannot be read."""
        with suppress(OSError):
            if self.path.is_file() and not is_linked(self.path):
                with opened(self.path, "ro") as database:
                    names = database.execute("select name from sqlite_master where type = 'table'").fetchall()
                    if (table,) in names or table == "sqlite_master":
                        return database.execute(query, values).fetchall()
        return []

    def clear(self) -> None:
        """Delete all rows."""
        if self.path.exists():
            self.write(*((f"delete from {name}", ()) for name in self.tables))


class VoteStore(Store):
    """The votes of a lesson, or the answers to an exercise.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> store = VoteStore(Path(mkdtemp()) / "votes.sqlite")
    >>> store.vote("first", "somebody", "a"), store.vote("first", "somebody", "b")
    (True, True)
    >>> store.hands("first", Tally(2, 10, 1))
    >>> store.tally("first")
    Tally(a=2, b=11, equal=1)
    >>> store.close("first")
    >>> store.vote("first", "somebody", "a")
    False
    >>> store.reopen("first")
    >>> store.is_open("first"), store.tally("first").total
    (True, 14)
    """

    tables: ClassVar[dict[str, str]] = {
        "votes": "question text not null, voter text not null, choice text not null, primary key (question, voter)",
        "hands": (
            "question text not null, choice text not null, number integer not null, primary key (question, choice)"
        ),
        "questions": "question text primary key, open integer not null",
        "voters": "number integer primary key, voter text not null unique",
    }

    def is_open(self, question: str) -> bool:
        """Return whether answers are taken: nobody has closed the question."""
        return all(is_open == 1 for (is_open,) in self._states(question))

    def open(self, question: str) -> None:
        """Let phones answer a question, unless it is closed."""
        if not self._states(question):
            self.reopen(question)

    def close(self, question: str) -> None:
        """Close a question: later answers do not count."""
        if self.is_open(question):
            self.write((_OPEN, (question, 0)))

    def reopen(self, question: str) -> None:
        """Take answers again; what has been answered stays, and may be changed."""
        self.write((_OPEN, (question, 1)))

    def _states(self, question: str) -> list[tuple[object, ...]]:
        return self.read("questions", "select open from questions where question = ?", (question,))

    def answers(self, question: str) -> dict[str, str]:
        """Return what each voter has answered."""
        query = "select voter, choice from votes where question = ? order by voter"
        return {str(voter): str(answer) for voter, answer in self.read("votes", query, (question,))}

    def numbers(self) -> dict[str, int]:
        """Return a number for each phone, from 1, in the order of their first answers: it never changes."""
        rows = self.read("voters", "select voter, number from voters order by number")
        return {str(voter): number for voter, number in rows if isinstance(number, int)}

    def discard_unused(self) -> None:
        """Forget that questions are closed on which nobody has voted, such as those of a rehearsal."""
        if self.read("questions", "select 1 from questions where open = 0 limit 1"):
            self.write((_DISCARD, ()))

    def vote(self, question: str, voter: str, choice: str) -> bool:
        """Store a vote, which replaces an earlier one of the same voter; return False if the question is closed."""
        if choice not in CHOICES:
            raise ParameterError.unknown("choice", choice, CHOICES)
        return self.write((_VOTE, (question, voter, choice, question))) > 0

    def vote_of(self, question: str, voter: str) -> str | None:
        """Return a voter's choice on a question."""
        rows = self.read("votes", _CHOICE, (question, voter))
        return next((str(choice) for (choice,) in rows if choice in CHOICES), None)

    def hands(self, question: str, counts: Tally) -> None:
        """Store the counts of a show of hands; they replace earlier ones."""
        numbers = {choice: getattr(counts, choice) for choice in CHOICES}
        if not all(0 <= number <= MAX_HANDS for number in numbers.values()):
            raise ParameterError(f"hands {numbers}; expected numbers from 0 to {MAX_HANDS:,}")
        self.write(*((_HANDS, (question, choice, number)) for choice, number in numbers.items()))

    def hands_of(self, question: str) -> Tally:
        """Return the counts of the last show of hands on a question."""
        rows = self.read("hands", "select question, choice, number from hands where question = ?", (question,))
        return _tallies(rows).get(question, Tally())

    def tally(self, question: str) -> Tally:
        """Return the votes on a question, hands included."""
        return self.tallies().get(question, Tally())

    def tallies(self) -> dict[str, Tally]:
        """Return the votes on each question; empty if the file cannot be read."""
        return _tallies([row for table, query in _TALLIES.items() for row in self.read(table, query)])


def _tallies(rows: list[tuple[object, ...]]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    for question, choice, number in rows:
        if isinstance(question, str) and choice in CHOICES and isinstance(number, int) and number > 0:
            votes = Tally(**{str(choice): min(number, MAX_HANDS)})
            tallies[question] = tallies.get(question, Tally()) + votes
    return tallies


class BallotBox:
    """The votes of a lesson as the server of the phones may use them: it may add a vote to an open question.

    The connection refuses every other change, whatever statement is run on it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def is_open(self, question: str) -> bool:
        """Return whether a question has been opened, and not closed."""
        return bool(self._read("select 1 from questions where question = ? and open = 1", (question,)))

    def answer_of(self, question: str, voter: str) -> str | None:
        """Return what a voter has answered."""
        return next((str(answer) for (answer,) in self._read(_CHOICE, (question, voter))), None)

    def number_of(self, voter: str) -> int:
        """Return the number of a voter as :meth:`VoteStore.numbers` does; 0 before the first answer."""
        rows = self._read("select number from voters where voter = ?", (voter,))
        return next((number for (number,) in rows if isinstance(number, int)), 0)

    def put(self, question: str, voter: str, answer: str) -> bool:
        """Store an answer, which replaces an earlier one of the same voter; return False if the question is closed."""
        with self._opened("rw") as database:
            database.execute("begin immediate")
            is_stored = bool(database.execute(_PHONE_VOTE, (question, voter, answer, question)).fetchall())
            if is_stored:
                database.execute("insert or ignore into voters (voter) values (?)", (voter,))
            database.execute("commit")
        return is_stored

    def _read(self, query: str, values: Sequence[object]) -> list[tuple[object, ...]]:
        """Return the rows of a query; none if the file cannot be read."""
        with suppress(OSError), self._opened("ro") as database:
            return database.execute(query, values).fetchall()
        return []

    @contextmanager
    def _opened(self, mode: str) -> Iterator[sqlite3.Connection]:
        if is_linked(self.path):
            raise OSError(0, f"{self.path.name}: a symbolic link")
        with opened(self.path, mode) as database:
            _restrict(database)
            yield database


def _restrict(database: sqlite3.Connection) -> None:
    """Have a connection refuse everything but reading, and adding votes and voters."""
    reading = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_TRANSACTION}

    def allow(action: int, name: str | None, *_: object) -> int:
        is_allowed = action in reading or (action == sqlite3.SQLITE_INSERT and name in ("votes", "voters"))
        return sqlite3.SQLITE_OK if is_allowed else sqlite3.SQLITE_DENY

    database.set_authorizer(allow)


CLASS_FILE = "EVALTOOLS_CLASS_FILE"
"""Environment variable with the path of the file; the launcher of a class sets it, and the two below."""

PHONES_URL = "EVALTOOLS_PHONES_URL"
"""Environment variable with the address that phones open."""

TEACHER = "EVALTOOLS_TEACHER"
"""Environment variable with the secret that the teacher's browser has to show to the app."""


_SHOW = "insert or replace into state (only, content) values (1, ?)"


class ClassState(msgspec.Struct, frozen=True):
    """The step that a class is shown, and its question if it has one."""

    leader: str  # Random name of the browser that projects the lesson
    lesson: str  # Title of the lesson
    votes: str  # Path of the lesson's votes
    students: int = 40  # Number of devices that one network address may have
    question: str = ""  # Id of the question; empty if the step has none
    kind: str = ""  # Kind of the question, and the question itself as JSON
    content: str = ""


_DECODER = msgspec.json.Decoder(ClassState)


class ClassStore(Store):
    """The step that a class is shown.

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
