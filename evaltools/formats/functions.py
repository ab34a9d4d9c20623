"""Function trees in round brackets: ``(root (sbj John) (hd loves) (obj Mary))``.

Every bracket is a grammatical function, also one around a single word; there are no part-of-speech tags. The head's own
bracket is ``hd``, or ``*``, which agrees with any function. A multi-function tree has a set in every bracket,
``({root} ({sbj} John) ({} ({hd} loves) ({obj} Mary)))``; ``{}`` is a bracket without a function, in function trees,
too. Where a function's words are not adjacent, all words of the tree have their positions before them,
``(root (vg (obj 0=who) (sbj 2=you) (hd 3=see)) (hd 1=did))``, as in discbracket. A missing parse is a blank line or
``(())``.

References
----------
Reut Tsarfaty, Joakim Nivre and Evelina Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
cross-annotation evaluation. EMNLP.

Reut Tsarfaty, Joakim Nivre and Evelina Andersson (2012). Cross-framework evaluation for statistical parsing. EACL.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from evaltools.corpus import FunctionTree, Tree, Treebank, Vocabulary, labeled_function_tree
from evaltools.corpus.function_trees import Yield, brackets_of
from evaltools.errors import ParameterError
from evaltools.formats.brackets import bracket_format, first_labels, first_tree, read_bracketed, with_positions
from evaltools.formats.source import Source
from evaltools.text import excerpt

_NUMBERED = re.compile(rb"[ \t\n\r\v\f][0-9]+=[^() \t\n\r\v\f]")
_HEAD = re.compile(rb"\((?:hd|\*)[ \t\n\r\v\f]+[^() \t\n\r\v\f]+\)")


def looks_like(data: bytes) -> bool:
    """Return whether the first tree has only sets, or ``{}`` or a head of one word in it, or else is one of functions.

    A tree of functions begins with ``root``; in ``(root (S …))`` the other labels are phrases, in upper case.
    """
    labels = first_labels(data)
    if not labels:
        return False
    if all(label.startswith(b"{") for label in labels) or b"{}" in labels:
        return True
    if _HEAD.search(first_tree(data)) is not None:
        return True
    return labels[0] == b"root" and all(label == label.lower() for label in labels)


def read(source: Source, vocabulary: Vocabulary) -> Treebank:
    """Read a file; see :func:`evaltools.formats.read_treebank`."""
    if not _NUMBERED.search(source.data):
        return read_bracketed(source, vocabulary, brackets="()", format_name="functions", preterminals=False)
    raw = read_bracketed(source, Vocabulary(), brackets="()", format_name="functions", preterminals=False)
    return with_positions(raw, vocabulary, always=False, unescape=False)


FUNCTIONS = bracket_format(
    "functions",
    "function trees",
    looks_like,
    holds=FunctionTree,
    read=read,
    discontinuous=True,
    functions=labeled_function_tree,
)


def function_brackets(tree: FunctionTree) -> Tree:
    """Return a function tree as a tree whose labels are functions, ``{}`` for none.

    Examples
    --------
    >>> from evaltools.corpus import dependency_function_tree
    >>> tree = dependency_function_tree(["who", "did", "you", "see"], [3, -1, 3, 1], ["obj", "root", "sbj", "vg"])
    >>> print(function_brackets(tree).to_string("functions"))
    (root (vg (obj 0=who) (sbj 2=you) (hd 3=see)) (hd 1=did))
    """
    labels = []
    for node in tree.nodes:
        if node.label is not None and (not node.label or node.label.startswith("{")):
            raise ParameterError(f"a function cannot be called {excerpt(node.label)!r} in a file of function trees")
        labels.append("{}" if node.label is None else node.label)
    return brackets_of(tree.words, labels, [(node.words, node.parent) for node in tree.nodes])


def multi_function_brackets(tree: FunctionTree, labels: Mapping[Yield, frozenset[str]]) -> Tree:
    """Return a multi-function tree as a tree whose labels are sets of functions in braces.

    Examples
    --------
    >>> from evaltools.corpus import constituency_function_tree, multi_function_tree
    >>> tree = constituency_function_tree(Tree.from_string("(S-root (NP-sbj-nom it) (VP rains))"))
    >>> print(multi_function_brackets(tree, multi_function_tree(tree).labels).to_string("functions"))
    ({root} ({nom,sbj} it) ({} rains))
    """
    names: list[str] = []
    yields: list[Yield] = []
    parents: list[int] = []
    index: list[int] = []  # of each node of the function tree among those that are left
    for node in tree.nodes:
        above = index[node.parent] if node.parent >= 0 else -1
        if above >= 0 and yields[above] == node.words:
            index.append(above)
            continue
        index.append(len(names))
        functions = sorted(labels.get(node.words, ()))
        for function in functions:
            if not function or set(function) & set("{},"):
                raise ParameterError(f"a set of functions cannot hold {excerpt(function)!r}")
        names.append("{" + ",".join(functions) + "}")
        yields.append(node.words)
        parents.append(above)
    return brackets_of(tree.words, names, [*zip(yields, parents, strict=True)])
