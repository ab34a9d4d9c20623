"""Votes of a class on which of two parses is worse, in one SQLite file for each lesson.

A vote is a ballot, a choice, and a random name of the voter, so that the vote can be changed; nothing else is stored
about voters. Of an exercise all answers that a voter hands in are kept, in their order; the last one counts. Counts of
a show of hands, which are typed in, are stored as well. Showing the verdicts of the metrics closes a ballot; to vote
again on the same question is another ballot, and the last one counts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from evaltools.errors import ParameterError
from evaltools.runs.folders.shared_database import Statement, create, is_linked, opened

__all__ = ["CHOICES", "MAX_HANDS", "MAX_TRIES", "Ballot", "BallotBox", "Store", "Tally", "VoteStore", "restrict"]

CHOICES: dict[str, str] = {"a": "A is worse", "b": "B is worse", "equal": "equally bad"}
"""Choices of a vote."""

MAX_HANDS = 10_000
"""Maximum number of hands."""

MAX_TRIES = 100
"""Maximum number of answers of a voter to a question that are kept; later ones count, but only the last one is kept."""

_MAX_ROUNDS = 10_000
"""Larger numbers of ballots on a question come from a damaged file."""

_ADD = "insert or replace into votes (question, voter, choice) select ?, ?, ? where "
_VOTE = _ADD + "not exists (select 1 from ballots where question = ? and round = ? and open = 0)"
_PHONE_VOTE = _ADD + "exists (select 1 from ballots where question = ? and round = ? and open = 1)"
_TRY = (
    "insert into tries (question, voter, choice) select ?, ?, ? "
    f"where not exists (select 1 from tries where question = ? and voter = ? limit 1 offset {MAX_TRIES - 1})"
)
_CHOICE = "select choice from votes where question = ? and voter = ?"
_HANDS = "insert or replace into hands (question, choice, number) values (?, ?, ?)"
_TALLIES = {
    "votes": "select question, choice, count(*) from votes group by question, choice",
    "hands": "select question, choice, number from hands",
}
_STATE = "insert or replace into ballots (question, round, open) values (?, ?, ?)"
_DISCARD = "delete from ballots where open = 0 and round = 1 and question not in ({}) and question not in ({})".format(
    "select question from votes", "select question from hands"
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


@dataclass(frozen=True, slots=True)
class Ballot:
    """One ballot on a question; there is another one each time the class votes again."""

    question: str  # Id of the question
    round: int = 1
    is_open: bool = True

    @property
    def key(self) -> str:
        """What the ballot is called in the table of votes: in the first round like the question.

        Examples
        --------
        >>> Ballot("q").key, Ballot("q", 2).key
        ('q', 'q#2')
        """
        return self.question if self.round == 1 else f"{self.question}#{self.round}"


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

    def has_table(self, table: str) -> bool:
        """Return whether the file has a table, which those of older versions may lack."""
        return bool(self.read("sqlite_master", "select 1 from sqlite_master where name = ?", (table,)))

    def clear(self) -> None:
        """Delete all rows."""
        if self.path.exists():
            self.write(*((f"delete from {name}", ()) for name in self.tables))


class VoteStore(Store):
    """The votes of a lesson.

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
    >>> store.vote_again("first")
    >>> store.ballot("first"), store.tally("first").total
    (Ballot(question='first', round=2, is_open=True), 0)
    """

    tables: ClassVar[dict[str, str]] = {
        "votes": "question text not null, voter text not null, choice text not null, primary key (question, voter)",
        "hands": (
            "question text not null, choice text not null, number integer not null, primary key (question, choice)"
        ),
        "ballots": (
            "question text not null, round integer not null, open integer not null, primary key (question, round)"
        ),
        "tries": "question text not null, voter text not null, choice text not null",
    }

    def ballot(self, question: str) -> Ballot:
        """Return the last ballot on a question; one that nobody has opened or closed is open."""
        query = "select round, open from ballots where question = ? and round <= ? order by round desc limit 1"
        for number, is_open in self.read("ballots", query, (question, _MAX_ROUNDS)):
            if isinstance(number, int) and number > 0:
                return Ballot(question, number, is_open == 1)
        return Ballot(question)

    def has_opened(self, question: str) -> bool:
        """Return whether phones may vote: the ballot has been opened and not closed."""
        query = "select 1 from ballots where question = ? and round = ? and open = 1"
        return bool(self.read("ballots", query, (question, self.ballot(question).round)))

    def open(self, question: str) -> None:
        """Let phones vote on a question, unless its ballot is closed."""
        ballot = self.ballot(question)
        if ballot.is_open and not (self.has_opened(question) and self.has_table("tries")):
            self.write((_STATE, (question, ballot.round, 1)))

    def close(self, question: str) -> None:
        """Close the ballot on a question: later votes do not count."""
        ballot = self.ballot(question)
        if ballot.is_open:
            self.write((_STATE, (question, ballot.round, 0)))

    def vote_again(self, question: str) -> None:
        """Open another ballot on a question."""
        ballot = self.ballot(question)
        self.write((_STATE, (question, ballot.round, 0)), (_STATE, (question, ballot.round + 1, 1)))

    def reopen(self, question: str) -> None:
        """Open the last ballot on a question again; what has been answered stays."""
        self.write((_STATE, (question, self.ballot(question).round, 1)))

    def answers(self, question: str) -> dict[str, str]:
        """Return what each voter has answered in the last ballot on a question."""
        query = "select voter, choice from votes where question = ? order by voter"
        return {str(voter): str(answer) for voter, answer in self.read("votes", query, (self.ballot(question).key,))}

    def tries(self, question: str) -> dict[str, list[str]]:
        """Return all that each voter has handed in to the last ballot on a question, in their order."""
        query = "select voter, choice from tries where question = ? order by rowid"
        tries: dict[str, list[str]] = {}
        for voter, answer in self.read("tries", query, (self.ballot(question).key,)):
            tries.setdefault(str(voter), []).append(str(answer))
        return tries

    def numbers(self) -> dict[str, int]:
        """Return a number for each voter, from 1, in the order in which they handed in first: it never changes."""
        rows = self.read("tries", "select voter from tries group by voter order by min(rowid)")
        return {str(voter): number for number, (voter,) in enumerate(rows, start=1)}

    def discard_unused(self) -> None:
        """Forget closed ballots on which nobody has voted, such as those of a rehearsal."""
        if self.read("ballots", "select 1 from ballots where open = 0 limit 1"):
            self.write((_DISCARD, ()))

    def vote(self, question: str, voter: str, choice: str) -> bool:
        """Store a vote, which replaces an earlier one of the same voter; return False if the ballot is closed."""
        if choice not in CHOICES:
            raise ParameterError.unknown("choice", choice, CHOICES)
        ballot = self.ballot(question)
        return self.write((_VOTE, (ballot.key, voter, choice, question, ballot.round))) > 0

    def vote_of(self, question: str, voter: str) -> str | None:
        """Return a voter's choice on a question."""
        rows = self.read("votes", _CHOICE, (self.ballot(question).key, voter))
        return next((str(choice) for (choice,) in rows if choice in CHOICES), None)

    def hands(self, question: str, counts: Tally) -> None:
        """Store the counts of a show of hands; they replace earlier ones."""
        numbers = {choice: getattr(counts, choice) for choice in CHOICES}
        if not all(0 <= number <= MAX_HANDS for number in numbers.values()):
            raise ParameterError(f"hands {numbers}; expected numbers from 0 to {MAX_HANDS:,}")
        key = self.ballot(question).key
        self.write(*((_HANDS, (key, choice, number)) for choice, number in numbers.items()))

    def hands_of(self, question: str) -> Tally:
        """Return the counts of the last show of hands on a question."""
        key = self.ballot(question).key
        rows = self.read("hands", "select question, choice, number from hands where question = ?", (key,))
        return _tallies(rows).get(key, Tally())

    def tally(self, question: str) -> Tally:
        """Return the votes on a question, hands included."""
        return self.tallies().get(question, Tally())

    def rounds(self, question: str) -> list[Tally]:
        """Return the votes of each ballot on a question, the last one last."""
        by_key = self._by_key()
        last = self.ballot(question).round
        return [by_key.get(Ballot(question, number).key, Tally()) for number in range(1, last + 1)]

    def _by_key(self) -> dict[str, Tally]:
        return _tallies([row for table, query in _TALLIES.items() for row in self.read(table, query)])

    def tallies(self) -> dict[str, Tally]:
        """Return the votes of the last ballot on each question; empty if the file cannot be read."""
        by_key = self._by_key()
        rounds = self.read("ballots", "select question, max(round) from ballots group by question")
        ballots = [Ballot(str(question), number) for question, number in rounds if isinstance(number, int)]
        last = {ballot.question: by_key[ballot.key] for ballot in ballots if ballot.key in by_key}
        again = {ballot.question for ballot in ballots}
        return last | {key: tally for key, tally in by_key.items() if "#" not in key and key not in again}


def _tallies(rows: list[tuple[object, ...]]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    for question, choice, number in rows:
        if isinstance(question, str) and choice in CHOICES and isinstance(number, int) and number > 0:
            votes = Tally(**{str(choice): min(number, MAX_HANDS)})
            tallies[question] = tallies.get(question, Tally()) + votes
    return tallies


class BallotBox:
    """The votes of a lesson as the server of the phones may use them: it may add a vote to an open ballot.

    The connection refuses every other change, whatever statement is run on it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def is_open(self, ballot: Ballot) -> bool:
        """Return whether a ballot is open."""
        query = "select 1 from ballots where question = ? and round = ? and open = 1"
        return bool(self._read(query, (ballot.question, ballot.round)))

    def answer_of(self, ballot: Ballot, voter: str) -> str | None:
        """Return what a voter has answered."""
        return next((str(answer) for (answer,) in self._read(_CHOICE, (ballot.key, voter))), None)

    def number_of(self, voter: str) -> int:
        """Return the number of a voter as :meth:`VoteStore.numbers` does; 0 if none of the answers are kept."""
        voters = dict.fromkeys(str(name) for (name,) in self._read("select voter from tries order by rowid", ()))
        return list(voters).index(voter) + 1 if voter in voters else 0

    def put(self, ballot: Ballot, voter: str, answer: str, *, keeps_tries: bool = False) -> bool:
        """Store an answer, which replaces an earlier one of the same voter; return False if the ballot is closed.

        Parameters
        ----------
        ballot : Ballot
            The ballot.
        voter : str
            The voter's random name.
        answer : str
            The answer.
        keeps_tries : bool
            Whether the answers that are replaced are kept, too.
        """
        values = (ballot.key, voter, answer, ballot.question, ballot.round)
        with self._opened("rw") as database:
            database.execute("begin immediate")
            is_stored = bool(database.execute(f"{_PHONE_VOTE} returning 1", values).fetchall())
            if is_stored and keeps_tries:
                database.execute(_TRY, (ballot.key, voter, answer, ballot.key, voter))
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
            restrict(database, "votes", "tries")
            yield database


def restrict(database: sqlite3.Connection, *tables: str) -> None:
    """Have a connection refuse everything but reading, and adding rows to some tables."""
    reading = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_TRANSACTION}

    def allow(action: int, name: str | None, *_: object) -> int:
        is_allowed = action in reading or (action == sqlite3.SQLITE_INSERT and name in tables)
        return sqlite3.SQLITE_OK if is_allowed else sqlite3.SQLITE_DENY

    database.set_authorizer(allow)
