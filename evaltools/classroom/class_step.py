"""The step of a lesson that a class is shown now, in a small SQLite file that phones ask for what to vote on.

Whoever projects a lesson leads it, under the random name of the device. Nothing else is kept, and nothing that is older
than a day of teaching counts.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from evaltools.runs.shared_database import is_linked, opened

__all__ = ["ClassStep", "ClassStore"]

_LONGEST = 12 * 3600
"""Seconds after which a lesson that nobody moved on is over."""

_MADE = (
    "create table if not exists shown ("
    "only integer primary key check (only = 1), leader text not null, step integer not null, "
    "open integer not null, at real not null)"
)


@dataclass(frozen=True, slots=True)
class ClassStep:
    """What a class is shown.

    Parameters
    ----------
    leader : str
        The random name of the device that projects the lesson.
    step : int
        The place of the step, from 0.
    is_open : bool
        Whether one may vote: the verdicts of the metrics have not been shown.
    """

    leader: str
    step: int
    is_open: bool


class ClassStore:
    """What a class is shown of one lesson.

    A file that is a link or no database is neither read nor written.

    Parameters
    ----------
    path : Path
        The file; it is made when somebody leads, with its folder.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> store = ClassStore(Path(mkdtemp()) / "class.sqlite")
    >>> store.show(ClassStep("teacher", 2, True))
    >>> store.now()
    ClassStep(leader='teacher', step=2, is_open=True)
    >>> store.stop()
    >>> store.now() is None
    True
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def show(self, step: ClassStep) -> None:
        """Say what is shown, in the place of what was.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        values = (step.leader, step.step, int(step.is_open), time.time())
        self._write("insert or replace into shown (only, leader, step, open, at) values (1, ?, ?, ?, ?)", values)

    def stop(self) -> None:
        """Say that nobody leads any more.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        if self.path.exists():
            self._write("delete from shown", ())

    def now(self) -> ClassStep | None:
        """Return what is shown; None where nobody leads, or the file cannot be read."""
        with suppress(OSError):
            if self.path.is_file() and not is_linked(self.path):
                with opened(self.path, "ro") as database:
                    row = database.execute("select leader, step, open, at from shown").fetchone()
                return _read(row)
        return None

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        if is_linked(self.path):
            raise OSError(0, f"{self.path.name}: a link, which is not written")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with opened(self.path) as database:
            database.execute("begin immediate")
            database.execute(_MADE)
            database.execute(statement, values)
            database.execute("commit")


def _read(row: tuple[object, ...] | None) -> ClassStep | None:
    if row is None:
        return None
    leader, step, is_open, at = row
    known = isinstance(leader, str) and isinstance(step, int) and step >= 0 and isinstance(at, (int, float))
    if not known or not abs(time.time() - float(str(at))) < _LONGEST:
        return None
    return ClassStep(str(leader), int(str(step)), is_open == 1)
