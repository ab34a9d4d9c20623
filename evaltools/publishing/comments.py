"""Comments inside files that show no caption, so that a file still says how it came about."""

from __future__ import annotations

import struct
import zlib

__all__ = ["with_comment"]

_PNG_START = 33  # Signature and header chunk
_PDF_END = b"startxref"


def with_comment(content: bytes, kind: str, text: str) -> bytes:
    r"""Return a file with a comment that readers of the picture do not see.

    Parameters
    ----------
    content : bytes
        The file.
    kind : str
        Its format: ``"svg"``, ``"png"``, ``"pdf"``, ``"latex"``, ``"dot"`` or ``"text"``; others are left as they are.
    text : str
        The comment; line breaks become blanks.

    Returns
    -------
    bytes
        The file with the comment.

    Examples
    --------
    >>> with_comment(b"digraph {}", "dot", "gold and a")
    b'// gold and a\ndigraph {}'
    """
    line = " ".join(text.split())
    if not line:
        return content
    encoded = line.encode("utf-8", "backslashreplace")
    if kind == "svg":
        start, bracket, rest = content.partition(b">")
        return start + bracket + b"<!-- " + encoded.replace(b"--", b"- -") + b" -->" + rest
    if kind == "png":
        return content[:_PNG_START] + _png_text(encoded) + content[_PNG_START:]
    if kind == "pdf":  # before the pointer to the table of objects, so that no object moves
        before, pointer, after = content.rpartition(_PDF_END)
        return before + b"% " + encoded + b"\n" + pointer + after
    sign = {"latex": b"% ", "dot": b"// ", "text": b"# "}.get(kind)
    return content if sign is None else sign + encoded + b"\n" + content


def _png_text(text: bytes) -> bytes:
    """Return an international text chunk of a PNG file."""
    data = b"iTXtComment\0\0\0\0\0" + text
    return struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data))
