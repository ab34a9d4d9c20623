"""What can go wrong, in one place.

::

    EvaltoolsError            everything evaltools raises on purpose
    ├── InputError            a file cannot be read as what it should be (holds a Problem)
    ├── ParameterError        an unknown name or value; lists the valid ones
    ├── RunError              a run folder is missing, damaged, or of another version
    ├── ResourceError         the operating system grants no more memory, files or threads
    ├── UnificationError      two trees divide a sentence in ways that cross
    └── Cancelled             the user stopped a long computation

A :class:`Problem` is something found in the input that does not stop the work: it is
listed with file, line, what was found and what was expected. An error stops the work.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = [
    "Cancelled",
    "EvaltoolsError",
    "InputError",
    "ParameterError",
    "Problem",
    "ResourceError",
    "RunError",
    "UnificationError",
    "excerpt",
    "printable",
    "shortage",
]

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def excerpt(text: str, most: int = 60) -> str:
    """Return a text, with its middle left out if it is long: a message is not the place for a word of five megabytes.

    Parameters
    ----------
    text : str
        Any text.
    most : int
        How many characters may be shown.

    Returns
    -------
    str
        The text, or its beginning and its end.

    Examples
    --------
    >>> excerpt("incomprehensibilities", 11)
    'incom…ities'
    """
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}…{text[len(text) - (most - 1 - most // 2) :]}"


def printable(text: str) -> str:
    r"""Return a text that one line of a terminal can show, whatever a file or a file's name holds.

    Control characters become their pictures; those without one, lone surrogates, and characters that turn round the
    direction of the text are spelled out.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The text on one line.

    Examples
    --------
    >>> printable("NP\x1b[31m\n"), printable("\u202e")
    ('NP␛[31m␊', '\\u202e')
    """

    def shown(match: re.Match[str]) -> str:
        code = ord(match.group())
        if code < 0x20:
            return chr(0x2400 + code)
        return "␡" if code == 0x7F else f"\\u{code:04x}"

    return _UNPRINTABLE.sub(shown, text)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing found wrong in an input.

    Parameters
    ----------
    kind : str
        A short stable name, such as ``"unbalanced"`` or ``"words_differ"``.
    file : str
        The file's name as the user gave it.
    line, column : int or None
        Where, both counted from 1; the column counts bytes. None where the problem has no place.
    found, expected : str
        What stands there and what should.
    sentence : int or None
        The number of the sentence, from 1, where the problem belongs to one.
    parser : str or None
        The parser the file belongs to; None for the gold file.
    """

    kind: str
    file: str
    line: int | None
    column: int | None
    found: str
    expected: str
    sentence: int | None = None
    parser: str | None = None

    def __str__(self) -> str:
        """Return ``file:line:column: found; expected …`` on one line, leaving out what is unknown."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return printable(f"{place}: {self.found}; expected {self.expected}")


class EvaltoolsError(Exception):
    """Base of every error that evaltools raises on purpose."""


class InputError(EvaltoolsError):
    """A file that cannot be read at all; ``problem`` says where and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class ParameterError(EvaltoolsError):
    """An unknown name or a value out of range."""

    @classmethod
    def unknown(cls, what: str, name: str, valid: Iterable[str]) -> ParameterError:
        """Build the error for an unknown name, with the valid ones listed.

        Parameters
        ----------
        what : str
            What kind of name it is.
        name : str
            The name.
        valid : iterable of str
            The names that are known.

        Returns
        -------
        ParameterError
            The error, to be raised.
        """
        return cls(f"unknown {what} {name!r}; valid: {', '.join(valid)}")


class RunError(EvaltoolsError):
    """A run folder that is missing, incomplete, damaged, or written by another version."""


class ResourceError(EvaltoolsError):
    """The operating system grants no more memory, open files or threads; the data may be right."""


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
"""What libraries say when the operating system refuses; some raise no error of their own for it."""


def shortage(error: BaseException) -> ResourceError | None:
    """Return the error to raise where the operating system has refused memory, open files or threads.

    Parameters
    ----------
    error : BaseException
        Any error, also one that a library raised with the message of the operating system.

    Returns
    -------
    ResourceError or None
        None where `error` has another cause.

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
    """Trees that cannot be unified: ``crossing`` has the words of two nodes that overlap, neither inside the other."""

    def __init__(self, crossing: tuple[frozenset[int], frozenset[int]]) -> None:
        one, other = (", ".join(map(str, sorted(words))) for words in crossing)
        super().__init__(f"the words {{{one}}} of one node cross the words {{{other}}} of another")
        self.crossing = crossing


class Cancelled(EvaltoolsError):
    """The user asked a long computation to stop."""
