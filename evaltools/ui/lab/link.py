"""The lab's state in the link: trees, edits and choices, so that whoever opens the link sees the same.

Trees stand in the link as they are while they are short, else compressed. The lab's names all begin with ``lab_``.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence

import streamlit as st

from evaltools.treebank.edits import Edit, edits_as_text
from evaltools.ui.session import state

__all__ = ["LONGEST", "lab_query", "pack", "put_edits", "put_trees", "said", "say", "unpack"]

LONGEST = 20_000
"""Characters of a tree that the lab takes."""

_SHORT = 160
_SAID = "lab_said"
_PACKED = "~"


def pack(text: str) -> str:
    """Return a text as it stands in the link.

    Parameters
    ----------
    text : str
        A tree.

    Examples
    --------
    >>> pack("(S (N dogs))"), len(pack("(S (N dogs)) " * 1000)) < 100
    ('(S (N dogs))', True)
    """
    if len(text) <= _SHORT and not text.startswith(_PACKED):
        return text
    squeezed = zlib.compress(text.encode("utf-8", "surrogatepass"), 9)
    return _PACKED + base64.urlsafe_b64encode(squeezed).decode("ascii").rstrip("=")


def unpack(said: str) -> str:
    """Return the text that stands in a link; empty if it is damaged.

    Parameters
    ----------
    said : str
        What :func:`pack` made, or anything.

    Examples
    --------
    >>> unpack(pack("(S (N dogs)) " * 99)) == "(S (N dogs)) " * 99, unpack("~damaged")
    (True, '')
    """
    if not said.startswith(_PACKED):
        return said[:LONGEST]
    try:
        squeezed = base64.urlsafe_b64decode(said[1:] + "=" * (-len(said[1:]) % 4))
        return zlib.decompressobj().decompress(squeezed, 4 * LONGEST).decode("utf-8", "surrogatepass")[:LONGEST]
    except (binascii.Error, zlib.error, ValueError):
        return ""


def lab_query(gold: str, test: str, edits: Sequence[Edit] = (), **choices: str) -> dict[str, str]:
    """Return the query of a link to the lab.

    Parameters
    ----------
    gold, test : str
        The trees, in round or in square brackets.
    edits : sequence of Edit
        What was done to the test tree.
    **choices : str
        More of what the link says, without ``lab_``: ``preset="standard"``, ``show="e t"``.

    Returns
    -------
    dict
        Names and values of the query.
    """
    query = {"lab_gold": pack(gold), "lab_test": pack(test)} | {f"lab_{name}": said for name, said in choices.items()}
    return query | ({"lab_edits": edits_as_text(edits)} if edits else {})


def put_trees(**texts: str | None) -> None:
    """Write trees to the link, and forget the edits that were done to others.

    Parameters
    ----------
    **texts : str or None
        ``gold``, ``test``, and ``pair`` for the name of a ready pair; None removes the name.
    """
    told = {f"lab_{name}": None if text is None else pack(text) for name, text in texts.items()}
    if set(texts) != {"gold"}:
        told |= {"lab_edits": None, "lab_done": None}
    state.put(**told, lab_word=None, lab_step=None)
    say("")


def put_edits(edits: Sequence[Edit], done: int) -> None:
    """Write the edits to the link.

    Parameters
    ----------
    edits : sequence of Edit
        All edits, those that were undone last.
    done : int
        How many of them are in force.
    """
    place = None if done >= len(edits) else done
    state.put(lab_edits=edits_as_text(edits), lab_done=place, lab_word=None, lab_step=None)
    say("")


def say(text: str) -> None:
    """Keep what the reader is to be told, such as why something cannot be done, until the trees change.

    Parameters
    ----------
    text : str
        What to tell.
    """
    st.session_state[_SAID] = text


def said() -> str:
    """Return what the reader is to be told."""
    return str(st.session_state.get(_SAID, ""))
