"""Forms of words without what tokenisers and parsers change: case, escapes, kinds of quotes and dashes."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

__all__ = ["fold"]

_BRACKETS = {"lrb": "(", "rrb": ")", "lsb": "[", "rsb": "]", "lcb": "{", "rcb": "}"}
_ESCAPED_BRACKET = re.compile("-([lr][rsc]b)-", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([/*])")
_DOUBLE_QUOTE = re.compile("``|''|[\u201c-\u201f\u00ab\u00bb]")
_DASHES = re.compile("[\u2010-\u2015\u2212]|-{2,}")
_SINGLE_QUOTES = str.maketrans(dict.fromkeys("`\u00b4\u2018\u2019\u201a\u201b", "'"))


@lru_cache(maxsize=1 << 16)
def fold(form: str) -> str:
    r"""Return a word's form as it is compared where the words of two trees differ.

    Upper and lower case are the same; so are ``-LRB-`` and ``(`` (and the other brackets), ``\/`` and ``/``, ``\*`` and
    ``*``, all double quotes, all single quotes, all dashes, and what Unicode calls compatible (``…`` and ``...``).
    White space inside a word is left out.

    Parameters
    ----------
    form : str
        The word.

    Examples
    --------
    >>> fold("-LRB-"), fold("``"), fold("CAN"), fold("1\\/2")
    ('(', '"', 'can', '1/2')
    """
    if form.isascii() and form.isalnum():
        return form.lower()
    folded = _ESCAPED_BRACKET.sub(lambda match: _BRACKETS[match.group(1).lower()], _ESCAPED.sub(r"\1", form))
    folded = _DASHES.sub("-", _DOUBLE_QUOTE.sub('"', folded).translate(_SINGLE_QUOTES))
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", folded).casefold())
    return "".join(folded.split()) or form or " "
