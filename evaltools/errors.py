"""Exceptions and problems.

::

    EvaltoolsError            base class of all errors that evaltools raises
    ├── InputError            a file cannot be read in the expected format (has a Problem)
    ├── ParameterError        an unknown name or value; lists the valid ones
    ├── RunError              a run folder is missing, damaged, or of another version
    ├── ResourceError         out of memory, open files or threads
    ├── UnificationError      two trees have crossing constituents
    └── Cancelled             the user stopped a long computation

A :class:`Problem` is a defect of the input that does not stop the computation. It is
listed with file, line, the text found and the text expected. An error stops the computation.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from dataclasses import dataclass

from evaltools.text import excerpt, printable

__all__ = [
    "Cancelled",
    "EvaltoolsError",
    "InputError",
    "ParameterError",
    "Problem",
    "ResourceError",
    "RunError",
    "UnificationError",
    "missing_package",
    "shortage",
]


def missing_package(purpose: str, package: str, extra: str) -> ParameterError:
    """Return the error for a package that only an extra of evaltools installs.

    Parameters
    ----------
    purpose : str
        What needs the package, in the plural.
    package : str
        Name of the package.
    extra : str
        Name of the extra.

    Returns
    -------
    ParameterError
        To be raised.

    Examples
    --------
    >>> print(missing_package("charts", "altair", "charts"))
    charts need altair: pip install 'parser-evaltools[charts]'
    """
    return ParameterError(f"{purpose} need {package}: pip install 'parser-evaltools[{extra}]'")


@dataclass(frozen=True, slots=True)
class Problem:
    """A defect of an input file.

    Parameters
    ----------
    kind : str
        Short stable name, such as ``"unbalanced"`` or ``"words_differ"``.
    file : str
        Name of the file as given by the user.
    line, column : int or None
        Position, counted from 1; the column counts bytes. None if the problem has no position.
    found, expected : str
        Text that was found, and text that was expected.
    sentence : int or None
        Number of the sentence, from 1; None if the problem concerns no single sentence.
    parser : str or None
        Parser to which the file belongs; None for the gold file.
    """

    kind: str
    file: str
    line: int | None
    column: int | None
    found: str
    expected: str
    sentence: int | None = None
    parser: str | None = None

    def __repr__(self) -> str:
        return f"<Problem {excerpt(f'{self.kind} in {self}', 110)}>"

    def __str__(self) -> str:
        """Return ``file:line:column: found; expected …`` on one line, without unknown parts."""
        position = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return printable(f"{position}: {self.found}; expected {self.expected}")


class EvaltoolsError(Exception):
    """Base class of all errors that evaltools raises."""


class InputError(EvaltoolsError):
    """A file cannot be read; ``problem`` has the position and the reason."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class ParameterError(EvaltoolsError):
    """An unknown name or a value out of range."""

    @classmethod
    def unknown(cls, what: str, name: str, valid: Iterable[str]) -> ParameterError:
        """Build the error for an unknown name; its message lists the valid names.

        Parameters
        ----------
        what : str
            Kind of the name, such as ``"metric"``.
        name : str
            The name.
        valid : iterable of str
            Known names.

        Returns
        -------
        ParameterError
            The error, to be raised.
        """
        return cls(f"unknown {what} {name!r}; valid: {', '.join(valid)}")


class RunError(EvaltoolsError):
    """A run folder is missing, incomplete, damaged, or written by another version."""


class ResourceError(EvaltoolsError):
    """Out of memory, open files or threads; the data may be valid."""


_SHORTAGES = {
    errno.EMFILE: "too many open files; raise the limit (ulimit -n)",
    errno.ENFILE: "too many open files on this machine",
    errno.ENOMEM: "not enough memory",
}
_SHORTAGE_TEXTS = {
    "too many open files": _SHORTAGES[errno.EMFILE],
    "cannot allocate memory": _SHORTAGES[errno.ENOMEM],
    "out of memory": _SHORTAGES[errno.ENOMEM],
    "failed to allocate": _SHORTAGES[errno.ENOMEM],
    "failed to map segment": _SHORTAGES[errno.ENOMEM],
    "malloc of size": _SHORTAGES[errno.ENOMEM],
    "realloc of size": _SHORTAGES[errno.ENOMEM],
    "bad_alloc": _SHORTAGES[errno.ENOMEM],
    "start new thread": "no more threads, or not enough memory for one",
    "resource temporarily unavailable": "no more threads, or not enough memory for one",
}
"""Messages of libraries when the operating system refuses a resource; some raise no specific error."""


def shortage(error: BaseException) -> ResourceError | None:
    """Return the ResourceError for an error caused by a lack of memory, open files or threads.

    Parameters
    ----------
    error : BaseException
        Any error, also one that a library raised with the message of the operating system.

    Returns
    -------
    ResourceError or None
        None if `error` has another cause.

    Examples
    --------
    >>> shortage(MemoryError())
    ResourceError('not enough memory')
    >>> shortage(ValueError("no number")) is None
    True
    """
    if isinstance(error, ResourceError):
        return error
    if isinstance(error, MemoryError):
        return ResourceError(_SHORTAGES[errno.ENOMEM])
    if isinstance(error, OSError) and error.errno in _SHORTAGES:
        return ResourceError(_SHORTAGES[error.errno])
    message = "" if isinstance(error, EvaltoolsError) else str(error).lower()
    return next((ResourceError(text) for part, text in _SHORTAGE_TEXTS.items() if part in message), None)


class UnificationError(EvaltoolsError):
    """Trees cannot be unified; ``crossing`` has the word sets of two overlapping nodes, neither inside the other."""

    def __init__(self, crossing: tuple[frozenset[int], frozenset[int]]) -> None:
        first, second = (", ".join(map(str, sorted(words))) for words in crossing)
        super().__init__(f"the words {{{first}}} of one node cross the words {{{second}}} of another")
        self.crossing = crossing


class Cancelled(EvaltoolsError):
    """The user cancelled a long computation."""
