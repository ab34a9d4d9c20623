"""What was found in the uploads of a session, read once; it goes with the session, or when the files are scored."""

from __future__ import annotations

from hashlib import sha256

import streamlit as st

from evaltools.app.scoring import checking
from evaltools.app.scoring.checking import Checked
from evaltools.frameworks.framework import Compared
from evaltools.frameworks.presets import Preset, load_preset

_MOST = 32
"""Of files of one scoring; each is read again for some choices."""


def check(
    name: str, stored: bytes, like: str | None = None, encoding: str | None = None, *, as_evalb: bool = False
) -> Checked:
    """Return :func:`evaltools.app.scoring.checking.check` of an upload."""
    return _checked(name, sha256(stored).hexdigest(), like, encoding, as_evalb, stored)


def compare(gold: Checked, output: Checked, preset: str | Preset, *, align: bool = False) -> Compared:
    """Return :func:`evaltools.app.scoring.checking.compare` of two uploads."""
    return _compared(_text(gold), _text(output), load_preset(preset).describe(), align, gold, output, preset)


def _text(item: Checked) -> int:
    """Return a number that is the same for uploads of the same text; the text also depends on the encoding."""
    return 0 if item.source is None else hash(item.source.data)


def let_go() -> None:
    """Forget what the session has uploaded."""
    _checked.clear()
    _compared.clear()


@st.cache_resource(scope="session", max_entries=_MOST, show_spinner=False)
def _checked(name: str, digest: str, like: str | None, encoding: str | None, as_evalb: bool, _stored: bytes) -> Checked:
    return checking.check(name, _stored, like, encoding, as_evalb=as_evalb)


@st.cache_resource(scope="session", max_entries=_MOST, show_spinner=False)
def _compared(
    gold: int, output: int, rules: str, align: bool, _gold: Checked, _output: Checked, _preset: str | Preset
) -> Compared:
    return checking.compare(_gold, _output, _preset, align=align)
