"""The text of one input, or of a part of it."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import IO, Any

from evaltools.errors import ParameterError, Problem
from evaltools.formats.reading.byte_stream import ByteStream, ExpansionLimit, open_bytes
from evaltools.formats.reading.locations import can_reopen, is_url, without_file_scheme
from evaltools.formats.reading.problem_log import ProblemLog

__all__ = [
    "Source",
    "check_text",
    "check_twice",
    "first_reading",
    "likely_encoding",
    "named_encoding",
    "open_source",
    "peek_source",
    "split_character",
]


_TITLES = {"latin-1": "Latin-1", "cp1252": "Windows-1252"}
MAX_LISTED = 10_000
"""Maximum number of lines listed for one kind of fault; a binary file has millions."""


@dataclass(slots=True)
class Source:
    """The decompressed bytes of one input, or of a part of it, in UTF-8.

    Parameters
    ----------
    name : str
        Its name as the user gave it.
    data : bytes
        The content, without compression and byte order mark.
    digest : str
        SHA-256 of the bytes as stored; empty for a part.
    problems : list of Problem
        Bytes that are not UTF-8, NUL bytes.
    layout : str or None
        How sentences are separated, as returned by the format's ``layout``; None to detect it from the content.
    first_line : int
        Number of the first line, from 1.
    first_column : int
        Column of the first byte in its line, from 1.
    first_sentence : int
        Number of sentences before this part.
    path : str or None
        Where the file is, if it is one.
    format : str or None
        Name of the format if it is known; None to detect it from the content.
    log : ProblemLog
        The problems of the whole input, as far as trees have been read from it.
    """

    name: str
    data: bytes
    digest: str
    problems: list[Problem] = field(default_factory=list)
    layout: str | None = None
    first_line: int = 1
    first_column: int = 1
    first_sentence: int = 0
    path: str | None = None
    format: str | None = None
    log: ProblemLog = field(default_factory=ProblemLog)

    @classmethod
    def from_bytes(
        cls, stored: bytes, name: str, limit: ExpansionLimit | None = None, encoding: str | None = None
    ) -> Source:
        """Decompress, decode and check the bytes of an input.

        Parameters
        ----------
        stored : bytes
            Bytes of the file, compressed or not.
        name : str
            Name of the input in problems.
        limit : ExpansionLimit or None
            Maximum size after decompression, for uploads.
        encoding : str or None
            Encoding of the input, as for :func:`open_source`.

        Returns
        -------
        Source
            The input, checked.

        Raises
        ------
        InputError
            If its compression is damaged, or it exceeds the limit.
        """
        return cls.from_stream(ByteStream(io.BytesIO(stored), name, len(stored), limit=limit, encoding=encoding))

    @classmethod
    def from_stream(cls, stream: ByteStream) -> Source:
        """Read a stream to its end and check it.

        Parameters
        ----------
        stream : ByteStream
            The input.

        Returns
        -------
        Source
            The input, checked.
        """
        data = stream.read_all()
        return cls(stream.name, data, stream.digest, check_text(data, stream.name, 1), path=stream.path)


def open_source(
    source: str | os.PathLike[str] | Source | IO[bytes], name: str | None = None, encoding: str | None = None
) -> Source:
    """Read a complete input.

    Parameters
    ----------
    source : str, path, Source, or binary file
        A path; ``"-"`` for standard input; or an open binary file such as an upload.
        gzip and Zstandard are recognized by their first bytes.
    name : str, optional
        Name of the input in problems; the path if not given.
    encoding : str, optional
        Encoding of the input; by default UTF-8, UTF-16 with a byte order mark, or the encoding that XML declares.

    Returns
    -------
    Source
        Its bytes.

    Raises
    ------
    InputError
        If it does not exist, is a folder, cannot be read, or its compression is damaged.
    """
    return source if isinstance(source, Source) else Source.from_stream(open_bytes(source, name, encoding))


def check_twice(source: Any, option: str) -> None:
    """Raise an error if a source can be read only once."""
    if isinstance(source, Source) or can_reopen(source):
        return
    if isinstance(source, ByteStream):
        if source.path is not None:
            return
    elif not isinstance(source, str | os.PathLike) and source.seekable():
        return
    raise ParameterError(f"{option} reads each file twice, which is impossible for a pipe or standard input")


def first_reading(source: Any) -> Any:
    """Return what to read first, so that the source itself can be read after it."""
    # A binary file is used for both readings; the caller restores its position.
    if isinstance(source, ByteStream) and source.path is not None:
        return open_bytes(source.path, source.name, source.encoding)
    return source


def peek_source(source: Any) -> tuple[Any, Source | None]:
    """Return an input and its beginning, None for a folder; a pipe is returned as a stream that can be read on."""
    if isinstance(source, Source):
        return source, source
    if isinstance(source, str | os.PathLike) and not is_url(source) and os.path.isdir(without_file_scheme(source)):
        return source, None
    if can_reopen(source):
        stream = open_bytes(source)
        beginning = stream.peek()
        stream.close()
        return source, Source(stream.name, beginning, "")
    if not isinstance(source, ByteStream | str | os.PathLike) and source.seekable():
        offset = source.tell()
        stream = open_bytes(source)
        beginning = stream.peek()
        source.seek(offset)
        return source, Source(stream.name, beginning, "")
    stream = source if isinstance(source, ByteStream) else open_bytes(source)
    return stream, Source(stream.name, stream.peek(), "")


def check_text(data: bytes, name: str, first_line: int, first_column: int = 1) -> list[Problem]:
    """List lines that are not UTF-8 or contain NUL bytes; after `MAX_LISTED`, a last problem counts the rest."""
    problems: list[Problem] = []
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        problems += _listed(data, _undecodable, "encoding", "UTF-8 text", name, first_line, first_column)
        if (encoding := likely_encoding(data)) is not None:  # one message for the whole file
            found = f"{problems[0].found}; the file looks like {_TITLES[encoding]}"
            expected = f"UTF-8 text; --encoding {encoding} reads it so"
            problems = [replace(problems[0], kind="encoding", found=found, expected=expected)]
    if b"\0" in data:
        problems += _listed(data, _nul, "nul", "text", name, first_line, first_column)
    return problems


def split_character(data: bytes) -> tuple[bytes, bytes]:
    r"""Return a text in UTF-8 without the character at its end that is not complete, and what there is of it.

    Examples
    --------
    >>> split_character("Zü".encode()), split_character("Zü".encode()[:2])
    ((b'Z\xc3\xbc', b''), (b'Z', b'\xc3'))
    """
    for n in range(1, min(len(data), 3) + 1):
        if data[-n] >= 0xC0:
            size = 2 + (data[-n] >= 0xE0) + (data[-n] >= 0xF0)
            return (data[:-n], data[-n:]) if n < size else (data, b"")
    return data, b""


def likely_encoding(data: bytes) -> str | None:
    """Return the encoding of a text in which no character but those of ASCII is UTF-8, as in old files.

    Examples
    --------
    >>> likely_encoding("(N Zürich)".encode("latin-1")), likely_encoding("(N Zürich)".encode())
    ('latin-1', None)
    """
    if b"\0" in data or data.isascii() or not data.decode("utf-8", "ignore").isascii():
        return None
    if re.search(rb"\xed[\xa0-\xbf][\x80-\xbf]", data):  # half a surrogate pair
        return None
    return "cp1252" if re.search(rb"[\x80-\x9f]", data) else "latin-1"


def named_encoding(problem: Problem) -> str | None:
    """Return the encoding that would read a file, if a problem names one."""
    match = re.search(r"--encoding (\S+) reads", problem.expected) if problem.kind == "encoding" else None
    return None if match is None else match[1]


def _undecodable(line: bytes) -> tuple[int, str] | None:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start, f"bytes {line[error.start : error.end].hex(' ')} that are not UTF-8"
    return None


def _nul(line: bytes) -> tuple[int, str] | None:
    return (line.index(b"\0"), "a NUL byte") if b"\0" in line else None


def _listed(
    data: bytes,
    fault: Callable[[bytes], tuple[int, str] | None],
    kind: str,
    expected: str,
    name: str,
    first_line: int,
    first_column: int,
) -> list[Problem]:
    """List the lines with a fault."""
    problems: list[Problem] = []
    more = 0
    for number, line in enumerate(io.BytesIO(data), start=first_line):
        if (result := fault(line)) is None:
            continue
        if len(problems) == MAX_LISTED:
            more += 1
            continue
        at, found = result
        column = at + (first_column if number == first_line else 1)
        problems.append(Problem(kind, name, number, column, found, expected))
    if more:
        problems.append(Problem(kind, name, None, None, f"{more:,} more lines of this kind", expected))
    return problems
