"""Words and labels as they are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.vocabulary import StringTable, used_numbers

MARKUP = frozenset({"CODE", "ID"})
"""Tags of Penn-Helsinki treebanks over what is no word: the number of a sentence, and notes of the edition."""

TRACES = frozenset({"-NONE-"})
"""Tags of traces and other empty elements of the Penn Treebank."""

NO_WORDS = TRACES | MARKUP
"""Tags over what is no word."""

_FEATURES = re.compile("(?<=.)##.*?(?:##|$)", re.DOTALL)

_BRACKETS = {"lrb": "(", "rrb": ")", "lsb": "[", "rsb": "]", "lcb": "{", "rcb": "}"}
_ESCAPED_BRACKET = re.compile("-([lr][rsc]b)-", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([/*])")
_DOUBLE_QUOTE = re.compile("``|''|[\u201c-\u201f\u00ab\u00bb]")
_DASHES = re.compile("[\u2010-\u2015\u2212]|-{2,}")
_SINGLE_QUOTES = str.maketrans(dict.fromkeys("`\u00b4\u2018\u2019\u201a\u201b", "'"))


@lru_cache(maxsize=1 << 16)
def unescaped(word: str) -> str:
    r"""Return a word in one of several ways to write it, with its upper and lower case.

    ``-LRB-`` and ``(`` are the same (and the other brackets), ``\/`` and ``/``, ``\*`` and ``*``, all double quotes,
    all single quotes, all dashes, the forms of Unicode (NFC and NFD), and what Unicode calls compatible (``…`` and
    ``...``). White space is left out.

    Parameters
    ----------
    word : str
        A word.

    Examples
    --------
    >>> [unescaped(word) for word in ("The", "-LRB-", "``", "1\\/2", "Governor-LRB-s-RRB-")]
    ['The', '(', '"', '1/2', 'Governor(s)']
    """
    if word.isascii() and word.isalnum():
        return word
    result = _ESCAPED_BRACKET.sub(lambda match: _BRACKETS[match[1].lower()], _ESCAPED.sub(r"\1", word))
    result = _DASHES.sub("-", _DOUBLE_QUOTE.sub('"', result).translate(_SINGLE_QUOTES))
    return "".join(unicodedata.normalize("NFKC", result).split())


@lru_cache(maxsize=1 << 16)
def folded(word: str) -> str:
    """Return the form by which a word is compared where the words of two sides differ: unescaped, without case.

    Parameters
    ----------
    word : str
        A word.

    Examples
    --------
    >>> [folded(word) for word in ("The", "-lrb-", "STRASSE", "Straße")]
    ['the', '(', 'strasse', 'strasse']
    """
    return unicodedata.normalize("NFKC", unescaped(word).casefold())


def is_punctuation(form: str) -> bool:
    """Return whether all characters of a word are punctuation.

    Examples
    --------
    >>> is_punctuation("..."), is_punctuation("«"), is_punctuation("$"), is_punctuation("")
    (True, True, False, False)
    """
    return bool(form) and all(unicodedata.category(character).startswith("P") for character in form)


def are_punctuation(table: StringTable, words: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which words, given by their numbers, are punctuation.

    Examples
    --------
    >>> are_punctuation(StringTable(["Yes", "!"]), np.array([1, 0, 1], np.int32)).tolist()
    [True, False, True]
    """
    used, index = used_numbers(words)
    marks = np.array([is_punctuation(table[number]) for number in used.tolist()], dtype=np.bool_)
    result: NDArray[np.bool_] = marks[index]
    return result


def compared_label(label: str) -> str:
    """Return a tag, relation or function as it is compared: in the composed form of Unicode, ROOT as root.

    Parameters
    ----------
    label : str
        A label.

    Examples
    --------
    >>> compared_label("ROOT"), len(compared_label("e\u0301"))
    ('root', 1)
    """
    return "root" if label == "ROOT" else unicodedata.normalize("NFC", label)


def replacement(label: str, replacements: Mapping[str, str]) -> str | None:
    """Return what replaces a label, whichever form of Unicode it and the replacements are in; None if nothing does.

    Parameters
    ----------
    label : str
        A label.
    replacements : mapping of str to str
        Labels and what replaces them.

    Examples
    --------
    >>> replacement("e\u0301", {"\u00e9": "x"}), replacement("\u00e9", {"e\u0301": "x"}), replacement("e", {})
    ('x', 'x', None)
    """
    if label.isascii():  # it has one form
        return replacements.get(label)
    forms = (label, unicodedata.normalize("NFC", label), unicodedata.normalize("NFD", label))
    return next((replacements[form] for form in forms if form in replacements), None)


def replaced(label: str, replacements: Mapping[str, str]) -> str:
    """Return what replaces a label; the label itself if nothing does.

    Parameters
    ----------
    label : str
        A label.
    replacements : mapping of str to str
        Labels and what replaces them.

    Examples
    --------
    >>> replaced("e\u0301", {"\u00e9": "x"}), replaced("e", {})
    ('x', 'e')
    """
    result = replacement(label, replacements)
    return label if result is None else result


def without_features(label: str) -> str:
    """Return a label without the features that treebanks of the SPMRL shared task have after it.

    Parameters
    ----------
    label : str
        A label.

    Examples
    --------
    >>> without_features("NC##lem=chat|g=m##"), without_features("##")
    ('NC', '##')
    """
    return _FEATURES.sub("", label) if "##" in label else label


def are_same_words(table: StringTable, first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which pairs of words are the same, or the same when folded.

    Parameters
    ----------
    table : StringTable
        The words.
    first, second : ndarray of int32, shape (pairs,)
        Their numbers.

    Examples
    --------
    >>> words = StringTable(["Yes", "yes", "no"])
    >>> are_same_words(words, np.array([0, 0, 1], np.int32), np.array([0, 1, 2], np.int32)).tolist()
    [True, True, False]
    """
    same: NDArray[np.bool_] = first == second
    differ = np.flatnonzero(~same)
    pairs, index = np.unique(first[differ] * np.int64(len(table)) + second[differ], return_inverse=True)
    of_pairs = [folded(table[pair // len(table)]) == folded(table[pair % len(table)]) for pair in pairs.tolist()]
    same[differ] = np.array(of_pairs, dtype=np.bool_)[index]
    return same
