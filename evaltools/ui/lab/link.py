"""The state of the lab in the URL: trees, edits and choices.

Long trees are compressed. All names begin with ``lab_``.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence

import streamlit as st

from evaltools.corpus.editing import Edit, edits_as_text
from evaltools.ui.session import state

__all__ = ["MAX_CHARACTERS", "lab_query", "message", "pack", "put_edits", "put_message", "put_trees", "unpack"]

MAX_CHARACTERS = 20_000
"""Maximum length of a tree in the lab."""

_MAX_PLAIN = 160
_MESSAGE = "lab_message"
_PACKED = "~"


def pack(text: str) -> str:
    """Return the form of a text in a link.

    Examples
    --------
    >>> pack("(S (N dogs))"), len(pack("(S (N dogs)) " * 1000)) < 100
    ('(S (N dogs))', True)
    """
    if len(text) <= _MAX_PLAIN and not text.startswith(_PACKED):
        return text
    squeezed = zlib.compress(text.encode("utf-8", "surrogatepass"), 9)
    return _PACKED + base64.urlsafe_b64encode(squeezed).decode("ascii").rstrip("=")


def unpack(packed: str) -> str:
    """Return the text from its form in a link; empty if damaged.

    Examples
    --------
    >>> unpack(pack("(S (N dogs)) " * 99)) == "(S (N dogs)) " * 99, unpack("~damaged")
    (True, '')
    """
    if not packed.startswith(_PACKED):
        return packed[:MAX_CHARACTERS]
    try:
        squeezed = base64.urlsafe_b64decode(packed[1:] + "=" * (-len(packed[1:]) % 4))
        return (
            zlib.decompressobj()
            .decompress(squeezed, 4 * MAX_CHARACTERS)
            .decode("utf-8", "surrogatepass")[:MAX_CHARACTERS]
        )
    except (binascii.Error, zlib.error, ValueError):
        return ""


def lab_query(gold: str, test: str, edits: Sequence[Edit] = (), **choices: str) -> dict[str, str]:
    """Return the query of a link to the lab."""
    query = {"lab_gold": pack(gold), "lab_test": pack(test)} | {f"lab_{name}": value for name, value in choices.items()}
    return query | ({"lab_edits": edits_as_text(edits)} if edits else {})


def put_trees(**texts: str | None) -> None:
    """Write trees to the link, and remove the edits of the previous trees."""
    values = {f"lab_{name}": None if text is None else pack(text) for name, text in texts.items()}
    if set(texts) != {"gold"}:
        values |= {"lab_edits": None, "lab_done": None}
    state.put(**values, lab_word=None, lab_step=None)
    put_message("")


def put_edits(edits: Sequence[Edit], done: int) -> None:
    """Write the edits to the link."""
    index = None if done >= len(edits) else done
    state.put(lab_edits=edits_as_text(edits), lab_done=index, lab_check=None, lab_word=None, lab_step=None)
    put_message("")


def put_message(text: str) -> None:
    """Store a message to the reader, such as why an edit is impossible, until the trees change."""
    st.session_state[_MESSAGE] = text


def message() -> str:
    """Return the stored message to the reader."""
    return str(st.session_state.get(_MESSAGE, ""))
