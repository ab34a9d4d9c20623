"""Trees in braces: ``{S {NP {N dogs}} {VP {V bark}}}``; braces in words are ``~(`` and ``~)``."""

from __future__ import annotations

from evaltools.corpus.bracket_text import Notation
from evaltools.formats.brackets import bracket_format

BRACES = bracket_format(
    "braces",
    "braces",
    lambda data: data.lstrip().startswith(b"{"),
    brackets="{}",
    notation=Notation("braces", "{", "}", ("~(", "~)"), is_tagged=True),
)
