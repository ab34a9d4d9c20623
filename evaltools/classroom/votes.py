"""Votes and answers of a class, and what its phones show: SQLite files that the app and the phones' server share.

An answer is a question, a text, and a random name of the device, so that it can be changed; nothing else is stored
about students but names that they give themselves in exercises. Counts of a show of hands, which are typed in, are
stored as well. Showing the answer closes a question; it can be opened again. What phones show lasts as long as the
class; the server can only read it.
"""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar

import msgspec

from evaltools.errors import ParameterError
from evaltools.hosts import CLASS_FILE
from evaltools.runs.shared_database import Statement, create, is_linked, opened

MAX_HANDS = 10_000
"""Maximum number of hands."""

_ADD = "insert or replace into votes (question, voter, choice) select ?, ?, ? where "
_VOTE = _ADD + "not exists (select 1 from questions where question = ? and open = 0)"
_PHONE_VOTE = _ADD + "exists (select 1 from questions where question = ? and open = 1) returning 1"
_CHOICE = "select choice from votes where question = ? and voter = ?"
_HANDS = "insert or replace into hands (question, choice, number) values (?, ?, ?)"
_OPEN = "insert or replace into questions (question, open) values (?, ?)"


def leading(counts: Mapping[str, int]) -> str | None:
    """Return the choice with most votes; None if there is a tie or no vote.

    Examples
    --------
    >>> leading({"a": 3, "b": 1}), leading({"a": 2, "b": 2}), leading({})
    ('a', None, None)
    """
    most = max(counts.values(), default=0)
    first = [choice for choice, number in counts.items() if number == most]
    return first[0] if most and len(first) == 1 else None


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


class Ballots(Store):
    """The answers of a class to all questions.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> ballots = Ballots(Path(mkdtemp()) / "class.sqlite")
    >>> ballots.vote("first", "somebody", "a"), ballots.vote("first", "somebody", "b")
    (True, True)
    >>> ballots.hands("first", {"a": 2, "b": 10})
    >>> sorted(ballots.counts("first").items())
    [('a', 2), ('b', 11)]
    >>> ballots.close("first")
    >>> ballots.vote("first", "somebody", "a")
    False
    >>> ballots.reopen("first")
    >>> ballots.is_open("first")
    True
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
        """Return a number for each phone, from 1, in the order in which they joined: it never changes."""
        rows = self.read("voters", "select voter, number from voters order by number")
        return {str(voter): number for voter, number in rows if isinstance(number, int)}

    def vote(self, question: str, voter: str, answer: str) -> bool:
        """Store an answer, which replaces an earlier one of the same voter; return False if the question is closed."""
        return self.write((_VOTE, (question, voter, answer, question))) > 0

    def hands(self, question: str, counts: Mapping[str, int]) -> None:
        """Store the counts of a show of hands; they replace earlier ones."""
        if not all(0 <= number <= MAX_HANDS for number in counts.values()):
            raise ParameterError(f"hands {dict(counts)}; expected numbers from 0 to {MAX_HANDS:,}")
        self.write(*((_HANDS, (question, choice, number)) for choice, number in counts.items()))

    def hands_of(self, question: str) -> Counter[str]:
        """Return the counts of the last show of hands on a question."""
        counts: Counter[str] = Counter()
        for choice, number in self.read("hands", "select choice, number from hands where question = ?", (question,)):
            if isinstance(number, int) and number > 0:
                counts[str(choice)] = min(number, MAX_HANDS)
        return counts

    def counts(self, question: str) -> Counter[str]:
        """Return how often each answer to a question was given, hands included."""
        return Counter(self.answers(question).values()) + self.hands_of(question)

    def total(self) -> int:
        """Return the number of all answers, without hands."""
        return sum(int(str(number)) for (number,) in self.read("votes", "select count(*) from votes"))


class BallotBox:
    """The answers of a class as the server of the phones may use them: it may add one to an open question.

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
        """Return the number of a voter as :meth:`Ballots.numbers` does; 0 if it has not joined."""
        rows = self._read("select number from voters where voter = ?", (voter,))
        return next((number for (number,) in rows if isinstance(number, int)), 0)

    def join(self, voter: str) -> bool:
        """Give a voter a number; return whether it has one."""
        if not self.number_of(voter):
            with suppress(OSError), self._opened("rw") as database:
                database.execute("insert or ignore into voters (voter) values (?)", (voter,))
        return self.number_of(voter) > 0

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


_SHOW = "insert or replace into state (only, content) values (1, ?)"


class ClassState(msgspec.Struct, frozen=True):
    """The step that a class is shown, and its question if it has one."""

    lesson: str  # Title of the lesson or the exercise
    votes: str  # Path of the answers of the class
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
    >>> store.show(ClassState("Attachment", "class.sqlite"))
    >>> store.now().lesson
    'Attachment'
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
