"""Votes of a class on the question which of two parses is worse, kept in a small SQLite file.

Nothing is kept of those who vote: a vote is a question, a choice, and a random name that holds for one browser session
and only serves to let the vote be changed. Beside these stand the numbers of a show of hands, which are typed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from evaltools.errors import ParameterError
from evaltools.runs.shared_database import is_linked, opened

__all__ = ["CHOICES", "MOST_HANDS", "Tally", "VoteStore"]

CHOICES: dict[str, str] = {"a": "A is worse", "b": "B is worse", "equal": "equally bad"}
"""What can be voted for."""

MOST_HANDS = 10_000
"""The largest number of hands that is believed."""

_MADE = (
    "create table if not exists votes ("
    "question text not null, voter text not null, choice text not null, primary key (question, voter))",
    "create table if not exists hands ("
    "question text not null, choice text not null, number integer not null, primary key (question, choice))",
)
_VOTE = "insert or replace into votes (question, voter, choice) values (?, ?, ?)"
_HANDS = "insert or replace into hands (question, choice, number) values (?, ?, ?)"
_ALL = (
    "select question, choice, count(*) from votes group by question, choice",
    "select question, choice, number from hands",
)


@dataclass(frozen=True, slots=True)
class Tally:
    """The votes on a question.

    Parameters
    ----------
    a, b, equal : int
        How many think that the first parse is worse, the second, that they are equally bad.
    """

    a: int = 0
    b: int = 0
    equal: int = 0

    @property
    def total(self) -> int:
        """The number of votes."""
        return self.a + self.b + self.equal

    @property
    def answer(self) -> str | None:
        """What most have voted for; None where nothing has more votes than all else.

        Examples
        --------
        >>> Tally(3, 1, 2).answer, Tally(2, 2, 1).answer, Tally().answer
        ('a', None, None)
        """
        most = max(self.a, self.b, self.equal)
        leading = [choice for choice in CHOICES if getattr(self, choice) == most]
        return leading[0] if most and len(leading) == 1 else None

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.a + other.a, self.b + other.b, self.equal + other.equal)


class VoteStore:
    """The votes of a lesson.

    Any number of people may vote at once, from several processes. A file that is a link or no database is neither read
    nor written.

    Parameters
    ----------
    path : Path
        The file; it is made with the first vote, with its folder.

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

    def __init__(self, path: Path) -> None:
        self.path = path

    def vote(self, question: str, voter: str, choice: str) -> None:
        """Keep a vote in the place of any other of the same voter on the same question.

        Parameters
        ----------
        question : str
            The question.
        voter : str
            The random name of a session.
        choice : {"a", "b", "equal"}
            What is voted for.

        Raises
        ------
        ParameterError
            If nobody can vote for that.
        OSError
            If it cannot be written.
        """
        if choice not in CHOICES:
            raise ParameterError.unknown("choice", choice, CHOICES)
        self._write([(_VOTE, (question, voter, choice))])

    def vote_of(self, question: str, voter: str) -> str | None:
        """Return what somebody has voted for on a question."""
        found = self._read("select choice from votes where question = ? and voter = ?", (question, voter))
        return next((str(row[0]) for row in found if row[0] in CHOICES), None)

    def hands(self, question: str, counted: Tally) -> None:
        """Keep the numbers of a show of hands in the place of earlier ones.

        Parameters
        ----------
        question : str
            The question.
        counted : Tally
            The hands.

        Raises
        ------
        ParameterError
            If a number is negative or more than :data:`MOST_HANDS`.
        OSError
            If it cannot be written.
        """
        numbers = {choice: getattr(counted, choice) for choice in CHOICES}
        if not all(0 <= number <= MOST_HANDS for number in numbers.values()):
            raise ParameterError(f"hands {numbers}; expected numbers from 0 to {MOST_HANDS:,}")
        self._write([(_HANDS, (question, choice, number)) for choice, number in numbers.items()])

    def hands_of(self, question: str) -> Tally:
        """Return the numbers of the last show of hands on a question."""
        rows = self._read("select question, choice, number from hands where question = ?", (question,))
        return _tallies(rows).get(question, Tally())

    def tally(self, question: str) -> Tally:
        """Return the votes on a question, hands included."""
        return self.tallies().get(question, Tally())

    def tallies(self) -> dict[str, Tally]:
        """Return the votes on every question that has some; none where the file cannot be read."""
        return _tallies([row for query in _ALL for row in self._read(query)])

    def reset(self) -> None:
        """Forget all votes.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        if self.path.exists():
            self._write([("delete from votes", ()), ("delete from hands", ())])

    def _write(self, statements: list[tuple[str, tuple[object, ...]]]) -> None:
        if is_linked(self.path):
            raise OSError(0, f"{self.path.name}: a link, which is not written")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with opened(self.path) as database:
            database.execute("begin immediate")
            for made in _MADE:
                database.execute(made)
            for statement, values in statements:
                database.execute(statement, values)
            database.execute("commit")

    def _read(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        with suppress(OSError):
            if self.path.is_file() and not is_linked(self.path):
                with opened(self.path, "ro") as database:
                    tables = database.execute("select name from sqlite_master where type = 'table'").fetchall()
                    if {("votes",), ("hands",)} <= set(tables):
                        return database.execute(query, values).fetchall()
        return []


def _tallies(rows: list[tuple[object, ...]]) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for question, choice, number in rows:
        if isinstance(question, str) and choice in CHOICES and isinstance(number, int) and number > 0:
            more: Mapping[str, int] = {str(choice): min(number, MOST_HANDS)}
            found[question] = found.get(question, Tally()) + Tally(**more)
    return found
