"""Votes of a class on which of two parses is worse, and the step of the lesson that phones vote on, in SQLite files.

A vote is a question, a choice, and a random name that holds for one browser session, so that the vote can be changed;
nothing else is stored about voters. Counts of a show of hands, which are typed in, are stored as well.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from evaltools.errors import ParameterError
from evaltools.runs.folders.shared_database import is_linked, opened

__all__ = ["CHOICES", "MAX_HANDS", "ClassStep", "ClassStore", "Tally", "VoteStore"]

CHOICES: dict[str, str] = {"a": "A is worse", "b": "B is worse", "equal": "equally bad"}
"""Choices of a vote."""

MAX_HANDS = 10_000
"""Maximum number of hands."""

_MAX_STEP_AGE = 12 * 3600
"""Seconds without a change of step after which a lesson is over."""

_VOTE = "insert or replace into votes (question, voter, choice) values (?, ?, ?)"
_HANDS = "insert or replace into hands (question, choice, number) values (?, ?, ?)"
_TALLIES = (
    "select question, choice, count(*) from votes group by question, choice",
    "select question, choice, number from hands",
)
_SHOW = "insert or replace into shown (only, leader, step, open, at) values (1, ?, ?, ?, ?)"

Statement = tuple[str, Sequence[object]]
"""An SQL statement and its values."""


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


@dataclass(frozen=True, slots=True)
class ClassStep:
    """The step shown to a class."""

    leader: str  # Random name of the device that projects the lesson
    step: int  # Index of the step
    is_open: bool  # Whether voting is open; showing the verdicts of the metrics closes it


class _Store:
    """An SQLite file that several people write at once; a file that is a link or no database is not used."""

    tables: ClassVar[dict[str, str]]
    """The columns of each table, in SQL."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, *statements: Statement) -> None:
        """Run statements in one transaction; create missing tables."""
        if is_linked(self.path):
            raise OSError(0, f"{self.path.name}: a symbolic link, which is not written to")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with opened(self.path) as database:
            database.execute("begin immediate")
            for name, columns in self.tables.items():
                database.execute(f"create table if not exists {name} ({columns})")
            for statement, values in statements:
                database.execute(statement, values)
            database.execute("commit")

    def read(self, query: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Return the rows of a query; none if the file cannot be read."""
        with suppress(OSError):
            if self.path.is_file() and not is_linked(self.path):
                with opened(self.path, "ro") as database:
                    names = database.execute("select name from sqlite_master where type = 'table'").fetchall()
                    if {(name,) for name in self.tables} <= set(names):
                        return database.execute(query, values).fetchall()
        return []

    def clear(self) -> None:
        """Delete all rows."""
        if self.path.exists():
            self.write(*((f"delete from {name}", ()) for name in self.tables))


class VoteStore(_Store):
    """The votes of a lesson.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> store = VoteStore(Path(mkdtemp()) / "votes.sqlite")
    >>> store.vote("first", "somebody", "a")
    >>> store.vote("first", "somebody", "b")
    >>> store.hands("first", Tally(2, 10, 1))
    >>> store.tally("first")
    Tally(a=2, b=11, equal=1)
    """

    tables: ClassVar[dict[str, str]] = {
        "votes": "question text not null, voter text not null, choice text not null, primary key (question, voter)",
        "hands": (
            "question text not null, choice text not null, number integer not null, primary key (question, choice)"
        ),
    }

    def vote(self, question: str, voter: str, choice: str) -> None:
        """Store a vote; it replaces an earlier vote of the same voter on the same question."""
        if choice not in CHOICES:
            raise ParameterError.unknown("choice", choice, CHOICES)
        self.write((_VOTE, (question, voter, choice)))

    def vote_of(self, question: str, voter: str) -> str | None:
        """Return a voter's choice on a question."""
        rows = self.read("select choice from votes where question = ? and voter = ?", (question, voter))
        return next((str(choice) for (choice,) in rows if choice in CHOICES), None)

    def hands(self, question: str, counts: Tally) -> None:
        """Store the counts of a show of hands; they replace earlier ones."""
        numbers = {choice: getattr(counts, choice) for choice in CHOICES}
        if not all(0 <= number <= MAX_HANDS for number in numbers.values()):
            raise ParameterError(f"hands {numbers}; expected numbers from 0 to {MAX_HANDS:,}")
        self.write(*((_HANDS, (question, choice, number)) for choice, number in numbers.items()))

    def hands_of(self, question: str) -> Tally:
        """Return the counts of the last show of hands on a question."""
        rows = self.read("select question, choice, number from hands where question = ?", (question,))
        return _tallies(rows).get(question, Tally())

    def tally(self, question: str) -> Tally:
        """Return the votes on a question, hands included."""
        return self.tallies().get(question, Tally())

    def tallies(self) -> dict[str, Tally]:
        """Return the votes by question; empty if the file cannot be read."""
        return _tallies([row for query in _TALLIES for row in self.read(query)])


def _tallies(rows: list[tuple[object, ...]]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    for question, choice, number in rows:
        if isinstance(question, str) and choice in CHOICES and isinstance(number, int) and number > 0:
            votes = Tally(**{str(choice): min(number, MAX_HANDS)})
            tallies[question] = tallies.get(question, Tally()) + votes
    return tallies


class ClassStore(_Store):
    """The step of one lesson shown to a class.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> store = ClassStore(Path(mkdtemp()) / "class.sqlite")
    >>> store.show(ClassStep("teacher", 2, True))
    >>> store.now()
    ClassStep(leader='teacher', step=2, is_open=True)
    >>> store.clear()
    >>> store.now() is None
    True
    """

    tables: ClassVar[dict[str, str]] = {
        "shown": (
            "only integer primary key check (only = 1), leader text not null, step integer not null, "
            "open integer not null, at real not null"
        )
    }

    def show(self, step: ClassStep) -> None:
        """Set the current step."""
        self.write((_SHOW, (step.leader, step.step, int(step.is_open), time.time())))

    def now(self) -> ClassStep | None:
        """Return the current step; None if no lesson is running or the file cannot be read."""
        for leader, step, is_open, at in self.read("select leader, step, open, at from shown"):
            is_valid = isinstance(leader, str) and isinstance(step, int) and step >= 0 and isinstance(at, (int, float))
            if is_valid and abs(time.time() - float(str(at))) < _MAX_STEP_AGE:
                return ClassStep(str(leader), int(str(step)), is_open == 1)
        return None
