"""Enhanced dependencies without empty nodes, and the tokens of words.

A path that runs through empty nodes becomes one edge, whose relation names the relations of the path from the top:
``3:conj`` to an empty node and ``nsubj`` from there become ``3:conj>nsubj``, as in the evaluation of the IWPT 2021
shared task. No path passes an empty node twice.

References
----------
G. Bouma, D. Seddah and D. Zeman (2021). From raw text to enhanced Universal Dependencies: the parsing shared task at
IWPT 2021. IWPT, 146-157.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaltools.corpus.dependency_tree import DependencyTree

_MAX_PATHS = 1000


def edges_of(deps: str) -> list[tuple[str, str]]:
    """Return head and relation of every edge of a column DEPS.

    Examples
    --------
    >>> edges_of("3:nsubj|5.1:obj:agent")
    [('3', 'nsubj'), ('5.1', 'obj:agent')]
    """
    edges = (edge.partition(":") for edge in deps.split("|") if ":" in edge)
    return [(head, relation) for head, _, relation in edges]


def numbered_edges(deps: str) -> list[tuple[int, str]]:
    """Return head and relation of the edges of a column DEPS without empty nodes.

    Examples
    --------
    >>> numbered_edges("0:root|3:nsubj|5.1:obj"), numbered_edges("_")
    ([(0, 'root'), (3, 'nsubj')], [])
    """
    return [(int(head), relation) for head, relation in edges_of(deps) if head.isdecimal()]


def without_subtypes(relation: str) -> str:
    """Return the relation of an edge without subtypes and case, as EULAS compares it.

    Examples
    --------
    >>> without_subtypes("obl:with"), without_subtypes("conj:and>nsubj:pass")
    ('obl', 'conj>nsubj')
    """
    return ">".join([step.split(":")[0] for step in relation.split(">")])


Path = tuple[tuple[str, str], ...]
"""Head and relation of the edges from a word down to another one; only empty nodes are between."""


def _paths(above: Mapping[str, list[tuple[str, str]]], node: str, seen: frozenset[str]) -> Iterator[Path]:
    """Yield the paths that end in an empty node."""
    for head, relation in above.get(node, ()):
        if "." not in head:
            yield ((head, relation),)
        elif head not in seen:
            for path in _paths(above, head, seen | {head}):
                yield *path, (head, relation)


def paths(deps: Sequence[str], empty: Mapping[str, str]) -> list[list[Path]]:
    """Return for the column DEPS of each word the paths that end in it; the empty nodes are given with their DEPS.

    Examples
    --------
    >>> paths(["0:root", "1.1:nsubj"], {"1.1": "1:conj"})
    [[(('0', 'root'),)], [(('1', 'conj'), ('1.1', 'nsubj'))]]
    """
    above = {node: edges_of(column) for node, column in empty.items()}
    found = []
    for column in deps:
        of_word: list[Path] = []
        for head, relation in edges_of(column):
            if "." not in head:
                of_word.append(((head, relation),))
            else:
                upper = islice(_paths(above, head, frozenset([head])), _MAX_PATHS)
                of_word += [(*path, (head, relation)) for path in upper]
        found.append(of_word)
    return found


def collapsed(path: Path) -> str:
    """Return the edge that replaces a path.

    Examples
    --------
    >>> collapsed((("1", "conj"), ("1.1", "nsubj")))
    '1:conj>nsubj'
    """
    return f"{path[0][0]}:{'>'.join(relation for _, relation in path)}"


def collapse(deps: Sequence[str], empty: Mapping[str, str]) -> list[str]:
    """Return the column DEPS of words without the empty nodes of their sentence, which are given with their DEPS.

    As the tool of the shared task does, an edge that occurs twice is left once in all words of such a sentence.

    Examples
    --------
    >>> collapse(["0:root", "1.1:nsubj", "1:obj|1.1:obl"], {"1.1": "1:conj"})
    ['0:root', '1:conj>nsubj', '1:obj|1:conj>obl']
    """
    return ["|".join(dict.fromkeys(map(collapsed, of_word))) or "_" for of_word in paths(deps, empty)]


def deps_of_empty_nodes(tree: DependencyTree) -> dict[str, str]:
    """Return the column DEPS of the empty nodes of a sentence, by their numbers such as ``5.1``."""
    return {f"{node.after}.{node.index}": node.deps for node in tree.empty_nodes}


def collapsed_deps(tree: DependencyTree) -> list[str]:
    """Return the column DEPS of the words of a sentence without its empty nodes."""
    if not tree.empty_nodes:
        return list(tree.deps)
    return collapse(tree.deps, deps_of_empty_nodes(tree))


def parts_of(forms: Sequence[str], tokens: Sequence[tuple[int, int, str]]) -> list[tuple[str, int]]:
    """Return for each word the form of its token, and 0 if it is the token, 1 if it is the first word of it, else 2.

    Examples
    --------
    >>> parts_of(["va", "a", "le", "parc"], [(1, 3, "au")])
    [('va', 0), ('au', 1), ('au', 2), ('parc', 0)]
    """
    parts = [(form, 0) for form in forms]
    for first, end, form in tokens:
        parts[first:end] = [(form, 1), *[(form, 2)] * (end - first - 1)]
    return parts


def token_parts(tree: DependencyTree) -> list[tuple[str, int]]:
    """Return the tokens of the words of a sentence, as :func:`parts_of`."""
    return parts_of(tree.forms, [(token.span.start, token.span.end, token.form) for token in tree.multiwords])
