"""Bytes of a file, URL or upload, a block at a time: decompressed, in UTF-8, without a byte order mark."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import IO

from evaltools.errors import InputError, ParameterError, Problem, missing_package
from evaltools.formats.reading.locations import is_url, open_url, without_file_scheme
from evaltools.text import decimals

__all__ = ["ByteStream", "ExpansionLimit", "open_bytes", "zstandard_library"]

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
_LARGEST_BLOCK = 1 << 24
_COMPRESSED_BLOCK = 1 << 11


@dataclass(frozen=True, slots=True)
class ExpansionLimit:
    """Limit of the size of a compressed input after decompression."""

    size: int  # Maximum number of bytes after decompression
    # Maximum number of bytes after decompression for each stored byte. Treebanks and gold graphs have 4 to 10, lists of
    # similar graphs up to 70.
    ratio: int = 20
    free: int = 1 << 24  # Bytes after decompression for which `ratio` does not count

    def allowed(self, n_stored: int) -> int:
        """Return the maximum size after decompression of `n_stored` bytes."""
        return min(self.size, max(self.free, self.ratio * n_stored))

    def describe(self) -> str:
        """Return the limit in one line."""
        size, free = (decimals(n / 2**20, 0) for n in (self.size, self.free))
        return (
            f"at most {size} MB after decompression, and at most {self.ratio} times the stored size beyond {free} MB; "
            "upload it without compression, or score it with evaltools score"
        )


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
        limit: ExpansionLimit | None = None,
        encoding: str | None = None,
    ) -> None:
        self.name = name
        self.encoding = encoding
        self.path = path
        self.size = size
        self.n_stored = 0
        self._limit = limit
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

    def peek(self) -> bytes:
        """Return the next bytes and leave them to be read, none at the end."""
        block = self.read_block()
        self._blocks = chain((block,), self._blocks)
        return block

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
        except EOFError:
            raise self._error("compression", "a compressed file that is cut off", "a whole compressed file") from None
        except zlib.error as error:
            found = f"a compressed file that is damaged (gzip: {str(error).rpartition(': ')[2]})"
            raise self._error("compression", found, "a whole compressed file") from None
        except UnicodeDecodeError as error:
            raise self._error("encoding", error.reason, f"{error.encoding.upper()} text") from None
        except OSError as error:
            raise self._error("file", error.strerror or str(error), "a readable file") from None
        except Exception as error:
            if type(error).__name__ != "ZstdError":  # zstandard is imported only where it is needed
                raise
            found = f"a compressed file that is damaged (Zstandard: {str(error).rpartition(': ')[2]})"
            raise self._error("compression", found, "a whole compressed file") from None

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
        blocks = self._stored()
        first = next(blocks, b"")
        while len(first) < 4 and (more := next(blocks, b"")):
            first += more
        stored = chain((first,), blocks)
        if first.startswith(_GZIP):
            yield from self._limited(_gunzip(stored))
        elif first.startswith(_ZSTD):
            yield from self._limited(_unzstd(stored))
        else:
            yield from stored

    def _limited(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield decompressed blocks; raise InputError if they exceed the limit."""
        if self._limit is None:
            yield from blocks
            return
        total = 0
        for block in blocks:
            total += len(block)
            if total > (allowed := self._limit.allowed(self.n_stored)):
                found = f"more than {decimals(allowed / 2**20, 0)} MB after decompression"
                raise self._error("compression", found, self._limit.describe())
            yield block

    def _decoded(self) -> Iterator[bytes]:
        blocks = (block for block in self._decompressed() if block)
        first = next(blocks, b"")
        while len(first) < 6 and (more := next(blocks, b"")):
            first += more
        for magic, found in _UNREAD.items():
            if first.startswith(magic):
                raise self._error("compression", found, "text, plain or compressed once by gzip or Zstandard")
        encoding = self.encoding or ("utf-16" if first.startswith(_UTF16) else _declared_encoding(first))
        if encoding is None:
            if (guess := _looks_like_utf16(first)) is not None:
                found = "text that looks like UTF-16 without a byte order mark"
                raise self._error("encoding", found, f"UTF-8 text; --encoding {guess} reads it so")
            yield first.removeprefix(_BOM)
            yield from blocks
            return
        # half a surrogate pair becomes bytes that are not UTF-8, which readers list with their line
        errors = "surrogatepass" if encoding.lower().startswith("utf") else "strict"
        decoder = codecs.getincrementaldecoder(encoding)(errors)
        for block in chain((first.removeprefix(_BOM),), blocks):
            yield decoder.decode(block).encode("utf-8", "surrogatepass")
        yield decoder.decode(b"", final=True).encode("utf-8", "surrogatepass")


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
    first = next(blocks, b"")
    only_cr = b"\r" in first[:-1] and b"\n" not in first
    for block in chain((first,), blocks):
        yield block.replace(b"\r", b"\n") if only_cr else block


def _gunzip(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Decompress every member; zeros may follow each."""
    member = zlib.decompressobj(wbits=31)
    inside = True
    for block in _cut(blocks):
        rest = block
        while rest:
            if not inside:
                rest = rest.lstrip(b"\0")
                if not rest:
                    break
                member, inside = zlib.decompressobj(wbits=31), True
            yield member.decompress(rest, _LARGEST_BLOCK)
            rest = member.unused_data if member.eof else member.unconsumed_tail
            inside = not member.eof
    if inside:
        raise EOFError


def zstandard_library() -> ModuleType:
    """Return the library of Zstandard, an extra of evaltools, or raise ParameterError."""
    try:
        import zstandard
    except ImportError:
        raise missing_package("files compressed with Zstandard (.zst)", "zstandard", "zstd") from None
    return zstandard


def _unzstd(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Decompress every frame."""
    zstandard = zstandard_library()
    frame = zstandard.ZstdDecompressor().decompressobj()
    inside = True
    for block in _cut(blocks):
        rest = block
        while rest:
            if not inside:
                frame = zstandard.ZstdDecompressor().decompressobj()
            yield frame.decompress(rest)
            inside = not frame.eof
            rest = b"" if inside else frame.unused_data
    if inside:
        raise EOFError


def _cut(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Cut blocks so that one decompresses to at most 64 MB."""
    for block in blocks:
        for at in range(0, len(block), _COMPRESSED_BLOCK):
            yield block[at : at + _COMPRESSED_BLOCK]


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
        file = Path(source).open("rb")  # noqa: SIM115 - the stream closes it at its end
    except FileNotFoundError:
        raise InputError(Problem("file", title, None, None, "no such file", "a readable file")) from None
    except IsADirectoryError:
        raise InputError(Problem("file", title, None, None, "a folder", "a readable file")) from None
    except OSError as error:
        raise InputError(Problem("file", title, None, None, error.strerror or str(error), "a readable file")) from None
    except ValueError as error:  # a NUL in the path
        raise InputError(Problem("file", repr(title), None, None, str(error), "a readable file")) from None
    size = os.fstat(file.fileno()).st_size
    full_path = str(Path(source).resolve())
    is_text = full_path.encode("utf-8", "replace").decode("utf-8") == full_path  # else it cannot be stored as text
    return ByteStream(file, title, size, own=True, path=full_path if is_text else None, encoding=encoding)
