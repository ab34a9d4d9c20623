"""The text of one input, or of a part of it: opened by path or URL, decompressed, decoded, its problems counted.

URLs are opened through fsspec. Of each kind of problem the first are listed, and the number of the others.
"""

from __future__ import annotations

import codecs
import hashlib
import io
import os
import re
import sys
import weakref
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from types import ModuleType
from typing import IO, Any, TypeGuard

from evaltools.errors import InputError, ParameterError, Problem, missing_package
from evaltools.text import decimals

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_FILE = "file://"


def is_url(location: object) -> bool:
    """Return whether a location is a URL; ``file://…`` counts as a path of this machine."""
    return isinstance(location, str) and bool(_URL.match(location)) and not location.startswith(_FILE)


def without_file_scheme(location: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the path of a ``file://`` URL; anything else unchanged."""
    return location.removeprefix(_FILE) if isinstance(location, str) else location


def path_as_text(path: str | os.PathLike[str]) -> str | None:
    """Return the full path of a file; None if its name is no text, so that it cannot be stored."""
    full_path = str(Path(path).resolve())
    return full_path if full_path.encode("utf-8", "replace").decode("utf-8") == full_path else None


def file_stem(file: str) -> str:
    """Return the name of a file without endings of its format and compression; empty for standard input."""
    if file == "-":
        return ""
    path = Path(file)
    return Path(path.stem if path.suffix.lower() in (".gz", ".zst") else path.name).stem


def is_folder(source: object) -> TypeGuard[str | os.PathLike[str]]:
    """Return whether a source is the path of a folder."""
    if not isinstance(source, str | os.PathLike) or is_url(source):
        return False
    try:
        return os.path.isdir(without_file_scheme(source))
    except (OSError, ValueError):
        return False


def file_system(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise missing_package(f"{url}: URLs", "fsspec", "dask") from None
    try:
        system, path = url_to_fs(url)
    except (ImportError, ValueError, OSError) as error:  # OSError if the host does not answer
        raise ParameterError(f"{url}: {error}") from None
    return system, str(path).rstrip("/")


def open_url(url: str) -> tuple[IO[bytes], int | None]:
    """Open what a URL points to for reading, and return its size where that is known."""
    system, path = file_system(url)
    try:
        if system.isdir(path):
            raise IsADirectoryError
        return system.open(path, "rb"), system.size(path)
    except FileNotFoundError:
        found = "no such file"
    except IsADirectoryError:
        found = "a folder"
    except Exception as error:  # each kind of file system has errors of its own
        found = str(error) or type(error).__name__
    raise InputError(Problem("file", url, None, None, found, "a readable file"))


MAX_LISTED = 100
"""Maximum number of problems of one kind that are listed of a file of trees."""
_MIN_ITEMS = 10_000
_MORE = re.compile(r"([\d,]+) more problems of this kind")


def n_more(found: str) -> int:
    """Return the number of problems that are not listed, if this is what a problem says.

    Examples
    --------
    >>> n_more("1,050 more problems of this kind"), n_more("text outside any bracket: 'a'")
    (1050, 0)
    """
    match = _MORE.fullmatch(found)
    return 0 if match is None else int(match[1].replace(",", ""))


@dataclass(slots=True)
class ProblemLog:
    """The numbers of problems of one file of trees, by kind, and what is said once a file."""

    listed: Counter[str] = field(default_factory=Counter)
    more: Counter[str] = field(default_factory=Counter)
    has_trees: bool = False
    unfinished: Problem | None = None  # Of what is still open where the part that was read last ends
    _once: dict[str, tuple[Problem, int]] = field(default_factory=dict)

    def room(self, kind: str, n: int) -> int:
        """Return how many of the next `n` problems of a kind are listed; the others are counted."""
        n_listed = min(n, MAX_LISTED - self.listed[kind])
        self.listed[kind] += n_listed
        self.more[kind] += n - n_listed
        return n_listed

    def first(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems that are listed."""
        return [problem for problem in problems if self.room(problem.kind, 1)]

    def count(self, problem: Problem, n: int) -> None:
        """Count `n` cases of a problem that is listed once, at the first of them."""
        first, before = self._once.get(problem.kind, (problem, 0))
        self._once[problem.kind] = first, before + n

    def check(self, n_items: int, name: str, title: str) -> None:
        """Raise InputError if many items have been read and none is a tree."""
        n_problems = self.listed.total() + self.more.total()
        if self.has_trees or not n_problems or max(n_items, n_problems) < _MIN_ITEMS:
            return
        found = f"no tree among the first {_MIN_ITEMS:,} sentences"
        raise InputError(Problem("format", name, None, None, found, f"{title}, or another --input-format"))

    def rest(self, name: str) -> list[Problem]:
        """Return, once, the problems that are listed once a file, and the numbers of those that are not listed."""
        problems = [
            replace(problem, found=problem.found.replace("{n}", f"{n:,}", 1)) for problem, n in self._once.values()
        ]
        problems += [
            Problem(kind, name, None, None, f"{n:,} more problems of this kind", "none")
            for kind, n in self.more.items()
            if n
        ]
        if self.unfinished is not None:
            problems.append(self.unfinished)
        self._once.clear()
        self.more.clear()
        self.unfinished = None
        return problems


_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_UNREAD = {
    _GZIP: "a file compressed twice",
    _ZSTD: "a file compressed twice",
    b"PK\x03\x04": "a ZIP archive",
    b"\xfd7zXZ\0": "an xz file",
    b"BZh": "a bzip2 file",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
}
"""First bytes of files that are not decompressed, and their description."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"
_DECLARATION = re.compile(rb"""<\?xml\s[^<>]*?encoding\s*=\s*["']([A-Za-z][\w.:-]*)["'][^<>]*\?>""")
_MEASURED, _MIN_MEASURED, _MIN_NULS = 1 << 10, 1 << 3, 0.5
_ENCODINGS = ("utf-8", "latin-1", "cp1252", "utf-16")
_STORED_BLOCK = 1 << 20
_COMPRESSED_BLOCK = 1 << 11


class ByteStream:
    """An input that is read once, from its beginning to its end."""

    def __init__(
        self,
        file: IO[bytes],
        name: str,
        size: int | None = None,
        *,
        own: bool = False,
        path: str | None = None,
        max_size: int | None = None,
        encoding: str | None = None,
    ) -> None:
        self.name = name
        self.encoding = encoding
        self.path = path
        self.format: str | None = None  # Name of the format, once it is known
        self.size = size
        self.n_stored = 0
        self._max_size = max_size
        self._file = file
        self._own = own
        self._digest = hashlib.sha256()
        self._blocks: Iterator[bytes] = self._checked()

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes as stored that have been read; of the whole input after its end."""
        return self._digest.hexdigest()

    def read_block(self) -> bytes:
        """Return the next bytes, none at the end."""
        return next((block for block in self._blocks if block), b"")

    def peek(self, at_least: int) -> bytes:
        """Return so many of the next bytes, or all there are, and leave them to be read."""
        blocks: list[bytes] = []
        while sum(map(len, blocks)) < at_least and (block := self.read_block()):
            blocks.append(block)
        self._blocks = chain(blocks, self._blocks)
        return b"".join(blocks)

    def read_all(self) -> bytes:
        """Return everything that is left."""
        return b"".join(self._blocks)

    def close(self) -> None:
        """Close the file before its end."""
        if self._own:
            self._file.close()

    def _checked(self) -> Iterator[bytes]:
        try:
            yield from _with_line_ends(self._decoded())
        except Exception as error:  # that of zstandard is known by its name: the library is imported where it is needed
            if (fault := _fault_of(error)) is None:
                raise
            raise self._error(*fault) from None

    def _error(self, kind: str, found: str, expected: str) -> InputError:
        return InputError(Problem(kind, self.name, None, None, found, expected))

    def _stored(self) -> Iterator[bytes]:
        try:
            while block := self._file.read(_STORED_BLOCK):
                self._digest.update(block)
                self.n_stored += len(block)
                yield block
        finally:
            if self._own:
                self._file.close()

    def _decompressed(self) -> Iterator[bytes]:
        first, blocks = _beginning(self._stored(), 4)
        if first.startswith(_GZIP):
            blocks = self._limited(_expanded(blocks, lambda: zlib.decompressobj(wbits=31)))
        elif first.startswith(_ZSTD):
            blocks = self._limited(_expanded(blocks, lambda: zstandard_library().ZstdDecompressor().decompressobj()))
        yield from blocks

    def _limited(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield decompressed blocks; raise InputError if they exceed the limit."""
        total = 0
        for block in blocks:
            total += len(block)
            if self._max_size is not None and total > self._max_size:
                size = f"{decimals(self._max_size / 2**20, 0)} MB after decompression"
                raise self._error("compression", f"more than {size}", f"at most {size}; evaltools score reads more")
            yield block

    def _decoded(self) -> Iterator[bytes]:
        first, blocks = _beginning(self._decompressed(), 6)
        for magic, found in _UNREAD.items():
            if first.startswith(magic):
                raise self._error("compression", found, "text, plain or compressed once by gzip or Zstandard")
        encoding = self.encoding or ("utf-16" if first.startswith(_UTF16) else _declared_encoding(first))
        if encoding is None and (guess := _looks_like_utf16(first)) is not None:
            found = "text that looks like UTF-16 without a byte order mark"
            raise self._error("encoding", found, f"UTF-8 text; --encoding {guess} reads it so")
        blocks = chain((next(blocks, b"").removeprefix(_BOM),), blocks)
        if encoding is None:
            yield from blocks
            return
        # half a surrogate pair becomes bytes that are not UTF-8, which readers list with their line
        errors = "surrogatepass" if encoding.lower().startswith("utf") else "strict"
        decoder = codecs.getincrementaldecoder(encoding)(errors)
        for block in blocks:
            yield decoder.decode(block).encode("utf-8", "surrogatepass")
        yield decoder.decode(b"", final=True).encode("utf-8", "surrogatepass")


def _fault_of(error: Exception) -> tuple[str, str, str] | None:
    """Return the kind of problem of an error in reading, what was found and expected; None if it is another error."""
    last_part = str(error).rpartition(": ")[2]
    if isinstance(error, EOFError):
        return "compression", "a compressed file that is cut off", "a whole compressed file"
    if isinstance(error, zlib.error):
        return "compression", f"a compressed file that is damaged (gzip: {last_part})", "a whole compressed file"
    if type(error).__name__ == "ZstdError":
        return "compression", f"a compressed file that is damaged (Zstandard: {last_part})", "a whole compressed file"
    if isinstance(error, UnicodeDecodeError):
        return "encoding", error.reason, f"{error.encoding.upper()} text"
    if isinstance(error, OSError):
        return "file", error.strerror or str(error), "a readable file"
    return None


def _beginning(blocks: Iterator[bytes], n: int) -> tuple[bytes, Iterator[bytes]]:
    """Return the first `n` bytes or more, and all blocks from the first on."""
    first = b""
    for block in blocks:
        first += block
        if len(first) >= n:
            break
    return first, chain((first,), blocks)


def _declared_encoding(first: bytes) -> str | None:
    """Return the encoding that an XML file declares, unless it is UTF-8 or cannot be that of the declaration itself."""
    if first.startswith(_BOM) or (match := _DECLARATION.match(first)) is None:
        return None
    name = match[1].decode("ascii")
    try:
        is_readable = match[0].decode(name) == match[0].decode("ascii")
        return name if is_readable and codecs.lookup(name).name != "utf-8" else None
    except (LookupError, UnicodeError):
        return None


def _looks_like_utf16(first: bytes) -> str | None:
    """Return the UTF-16 encoding in which a text seems to be, in which every other byte of ASCII is NUL."""
    beginning = first[:_MEASURED]
    halves = beginning[::2], beginning[1::2]
    shares = [half.count(0) / max(len(half), 1) for half in halves]
    if len(beginning) < _MIN_MEASURED or max(shares) < _MIN_NULS or min(shares) > 0:
        return None
    return "utf-16-be" if shares[0] else "utf-16-le"


def _with_line_ends(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Turn CR into LF where lines end in CR alone: the first block has the one and not the other."""
    first, blocks = _beginning(blocks, 1)
    only_cr = b"\r" in first[:-1] and b"\n" not in first
    for block in blocks:
        yield block.replace(b"\r", b"\n") if only_cr else block


def zstandard_library() -> ModuleType:
    """Return the library of Zstandard, an extra of evaltools, or raise ParameterError."""
    try:
        import zstandard
    except ImportError:
        raise missing_package("files compressed with Zstandard (.zst)", "zstandard", "zstd") from None
    return zstandard


def _expanded(blocks: Iterator[bytes], begin: Callable[[], Any]) -> Iterator[bytes]:
    """Decompress every member or frame, given what begins one; zeros may follow each. A part becomes at most 64 MB."""
    member, inside = begin(), True
    for block in blocks:
        for at in range(0, len(block), _COMPRESSED_BLOCK):
            rest = block[at : at + _COMPRESSED_BLOCK]
            while rest and (inside or (rest := rest.lstrip(b"\0"))):
                if not inside:
                    member = begin()
                yield member.decompress(rest)
                inside = not member.eof
                rest = b"" if inside else member.unused_data
    if inside:
        raise EOFError


def open_bytes(
    source: str | os.PathLike[str] | IO[bytes], name: str | None = None, encoding: str | None = None
) -> ByteStream:
    """Open an input; it is UTF-8, unless it says otherwise itself or an encoding is given."""
    if encoding is not None:
        try:
            codecs.lookup(encoding)
        except LookupError:
            raise ParameterError(f"unknown encoding {encoding!r}; valid: {', '.join(_ENCODINGS)}, and others") from None
    if not isinstance(source, str | os.PathLike):
        return ByteStream(source, name or str(getattr(source, "name", "<upload>")), encoding=encoding)
    if is_url(source):
        remote, size = open_url(str(source))
        return ByteStream(remote, name or str(source), size, own=True, encoding=encoding)
    source = without_file_scheme(source)
    if str(source) == "-":
        return ByteStream(sys.stdin.buffer, name or "<standard input>", encoding=encoding)
    title = os.fsencode(name or str(source)).decode("utf-8", "backslashreplace")  # a name may be any bytes
    try:
        file = Path(source).open("rb")  # noqa: SIM115 - the stream closes it
    except (OSError, ValueError) as error:  # the latter for a NUL in the path
        known: dict[type[Exception], str] = {FileNotFoundError: "no such file", IsADirectoryError: "a folder"}
        found = known.get(type(error)) or getattr(error, "strerror", None) or str(error)
        file_name = repr(title) if isinstance(error, ValueError) else title
        raise InputError(Problem("file", file_name, None, None, found, "a readable file")) from None
    size = os.fstat(file.fileno()).st_size
    stream = ByteStream(file, title, size, own=True, path=path_as_text(source), encoding=encoding)
    weakref.finalize(stream, file.close)  # where it is not read to its end
    return stream


_TITLES = {"latin-1": "Latin-1", "cp1252": "Windows-1252"}
MAX_LINES_LISTED = 10_000
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
    def from_bytes(cls, stored: bytes, name: str, max_size: int | None = None, encoding: str | None = None) -> Source:
        """Decompress, decode and check the bytes of an input.

        Parameters
        ----------
        stored : bytes
            Bytes of the file, compressed or not.
        name : str
            Name of the input in problems.
        max_size : int or None
            Maximum number of bytes after decompression, for uploads.
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
        return cls.from_stream(ByteStream(io.BytesIO(stored), name, len(stored), max_size=max_size, encoding=encoding))

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
        problems = check_text(data, stream.name, 1)
        return cls(stream.name, data, stream.digest, problems, path=stream.path, format=stream.format)


FileSource = str | os.PathLike[str] | Source | IO[bytes]
"""What :func:`open_source` opens."""
AnySource = FileSource | ByteStream
"""A file, which may be opened already."""


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


def check_text(data: bytes, name: str, first_line: int, first_column: int = 1) -> list[Problem]:
    """List lines that are not UTF-8 or contain NUL bytes; after `MAX_LINES_LISTED`, a last problem counts the rest."""
    problems: list[Problem] = []
    for kind, expected, fault in (("encoding", "UTF-8 text", _undecodable), ("nul", "text", _nul)):
        if fault(data) is None:
            continue
        lines = enumerate(io.BytesIO(data), start=first_line)
        faults = ((number, *result) for number, line in lines if (result := fault(line)) is not None)
        for number, at, found in islice(faults, MAX_LINES_LISTED):
            column = at + (first_column if number == first_line else 1)
            problems.append(Problem(kind, name, number, column, found, expected))
        if more := sum(1 for _ in faults):
            problems.append(Problem(kind, name, None, None, f"{more:,} more lines of this kind", expected))
        if kind == "encoding" and (encoding := likely_encoding(data)) is not None:  # one message for the whole file
            found = f"{problems[0].found}; the file looks like {_TITLES[encoding]}"
            problems = [replace(problems[0], found=found, expected=f"UTF-8 text; --encoding {encoding} reads it so")]
    return problems


def _undecodable(text: bytes) -> tuple[int, str] | None:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start, f"bytes {text[error.start : error.end].hex(' ')} that are not UTF-8"
    return None


def _nul(text: bytes) -> tuple[int, str] | None:
    return (text.index(b"\0"), "a NUL byte") if b"\0" in text else None


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
