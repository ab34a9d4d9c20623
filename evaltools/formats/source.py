"""Bytes from wherever they are: a file, a compressed file, standard input, or memory."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sys
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from evaltools.errors import InputError, Problem

__all__ = ["Source", "open_source"]

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Source:
    """The decompressed bytes of one input, in UTF-8.

    Parameters
    ----------
    name : str
        Its name as the user gave it.
    data : bytes
        The content, without compression and byte order mark.
    digest : str
        SHA-256 of the bytes as stored.
    problems : list of Problem
        Bytes that are not UTF-8, NUL bytes.
    """

    name: str
    data: bytes
    digest: str
    problems: list[Problem] = field(default_factory=list)

    @classmethod
    def from_bytes(cls, stored: bytes, name: str) -> Source:
        """Decompress, decode and check the bytes of an input."""
        digest = hashlib.sha256(stored).hexdigest()
        data = _decompress(stored, name)
        if data.startswith(_UTF16):
            try:
                data = data.decode("utf-16").encode("utf-8", "surrogatepass")
            except UnicodeDecodeError as error:
                raise InputError(Problem("encoding", name, None, None, f"{error.reason}", "UTF-16 text")) from None
        data = data.removeprefix(_BOM)
        return cls(name, data, digest, _check(data, name))


def open_source(source: str | os.PathLike[str] | Source | io.IOBase, name: str | None = None) -> Source:
    """Read an input whole.

    Parameters
    ----------
    source : str, path, Source, or binary file
        A path; ``"-"`` for standard input; or an open binary file such as an upload.
        gzip and Zstandard are recognised by their first bytes.
    name : str, optional
        What to call it in problems; the path if not given.

    Raises
    ------
    InputError
        If it is not there, is a folder, cannot be read, or its compression is damaged.
    """
    if isinstance(source, Source):
        return source
    if isinstance(source, io.IOBase):
        return Source.from_bytes(source.read(), name or str(getattr(source, "name", "<upload>")))
    if str(source) == "-":
        return Source.from_bytes(sys.stdin.buffer.read(), name or "<standard input>")
    path = Path(source)
    shown = os.fsencode(name or str(source)).decode("utf-8", "backslashreplace")  # a name may be any bytes
    try:
        return Source.from_bytes(path.read_bytes(), shown)
    except FileNotFoundError:
        raise InputError(Problem("file", shown, None, None, "no such file", "a readable file")) from None
    except IsADirectoryError:
        raise InputError(Problem("file", shown, None, None, "a folder", "a readable file")) from None
    except OSError as error:
        raise InputError(Problem("file", shown, None, None, error.strerror or str(error), "a readable file")) from None
    except ValueError as error:  # a NUL in the path
        raise InputError(Problem("file", repr(shown), None, None, str(error), "a readable file")) from None


def _decompress(stored: bytes, name: str) -> bytes:
    try:
        if stored.startswith(_GZIP):
            return gzip.decompress(stored)
        if stored.startswith(_ZSTD):
            return _decompress_zstd(stored)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(Problem("compression", name, None, None, str(error), "a whole compressed file")) from None
    except Exception as error:
        if type(error).__name__ != "ZstdError":
            raise
        raise InputError(Problem("compression", name, None, None, str(error), "a whole Zstandard file")) from None
    return stored


def _decompress_zstd(stored: bytes) -> bytes:
    """Decompress every frame; unlike a stream reader this notices a file that is cut off."""
    import zstandard

    parts = []
    while stored:
        frame = zstandard.ZstdDecompressor().decompressobj()
        parts.append(frame.decompress(stored))
        if not frame.eof:
            raise EOFError("compressed file ended before the end of a frame")
        stored = frame.unused_data
    return b"".join(parts)


def _check(data: bytes, name: str) -> list[Problem]:
    problems: list[Problem] = []
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        for number, line in enumerate(data.split(b"\n"), start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                found = f"bytes {line[error.start : error.end].hex(' ')} that are not UTF-8"
                problems.append(Problem("encoding", name, number, error.start + 1, found, "UTF-8 text"))
    if b"\0" in data:
        for number, line in enumerate(data.split(b"\n"), start=1):
            if b"\0" in line:
                problems.append(Problem("nul", name, number, line.index(b"\0") + 1, "a NUL byte", "text"))
    return problems
