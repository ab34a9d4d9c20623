"""Relational-realizational trees: ``(S ({sbj,prd} (sbj (NP ({hd} (hd (NN John))))) (prd (V sleeps))))``.

Three kinds of nodes alternate from the root down: a phrase; a projection, the set of grammatical functions in it, in
braces; the functions, each of which is realized by a phrase or a part-of-speech tag. In a tree without any set phrases
and functions alternate, too; such a file is known as one by its name alone, or by an option. A missing parse is a blank
line or ``(())``.

References
----------
Reut Tsarfaty and Khalil Sima'an (2008). Relational-realizational parsing. COLING.

Reut Tsarfaty, Joakim Nivre and Evelina Andersson (2012). Cross-framework evaluation for statistical parsing. EACL.
Figure 1 (c).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from evaltools.corpus import Treebank, Vocabulary, realizational_function_tree
from evaltools.formats.brackets import begins_tree, bracket_format, first_labels, read_bracketed
from evaltools.formats.source import Source


def looks_like(data: bytes) -> bool:
    """Return whether some of the first brackets are sets and some are not; ``{}`` does not count."""
    labels = [label for label in first_labels(data) if label != b"{}"]
    sets = [label.startswith(b"{") for label in labels]
    return any(sets) and not all(sets)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    treebank = read_bracketed(source, vocabulary, brackets="()", format_name="rr", preterminals=True)
    return replace(treebank, notation="ptb")


RR = bracket_format(
    "rr",
    "relational-realizational trees",
    looks_like,
    named=partial(begins_tree, brackets="()"),
    read=read,
    notation="ptb",
    functions=realizational_function_tree,
)
