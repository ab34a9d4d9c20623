"""Editing of a tree: move, relabel, delete or insert nodes; the words and their order do not change.

Functions take a tree and return another one, which can be written in its notation and read again. They raise
:class:`~evaltools.errors.ParameterError` if the edit is impossible.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaltools.corpus.bracket_text import BLANKS, NOTATIONS, Kind
from evaltools.corpus.tree import Tree
from evaltools.errors import ParameterError
from evaltools.text import some_words

_EDIT_PATTERNS = {
    "attach": re.compile(r"a([0-9]{1,6}),([0-9]{1,6})"),
    "relabel": re.compile(r"r([0-9]{1,6}),(\S+)"),
    "delete": re.compile(r"d([0-9]{1,6})"),
    "insert": re.compile(r"i([0-9]{1,6}),([0-9]{1,6}),(\S+)"),
}


def move_node(tree: Tree, node: int, parent: int, notation: str = "ptb") -> Tree:
    """Attach a node, with its descendants, to another parent; a bracket left over its own label alone is removed.

    Examples
    --------
    >>> tree = Tree.from_string("(VP (V saw) (NP (NP (N men)) (PP (P with) (N hats))))")
    >>> print(move_node(tree, 9, 11))
    (VP (V saw) (NP (N men)) (PP (P with) (N hats)))
    """
    # The words keep their order, which fixes the position among the children of the new parent. Phrases that lose all
    # words are removed; a word moves with its tag.
    _check(tree, node, parent)
    node = movable_node(tree, node)
    if tree.parents[node] < 0:
        raise ParameterError("the root of the tree cannot be moved")
    if tree.kinds[parent] is not Kind.PHRASE:
        raise ParameterError(f"{node_text(tree, parent)} is not a phrase: nothing can attach to it")
    if node == parent or node in tree.ancestors(parent):
        raise ParameterError(f"{node_text(tree, node)} cannot attach to its own descendant")
    if tree.parents[node] == parent:
        raise ParameterError(f"{node_text(tree, node)} is attached there already")
    if parent not in move_targets(tree, node):
        raise ParameterError(
            f"{node_text(tree, node)} cannot attach to {node_text(tree, parent)}: "
            "words between them would change their order"
        )
    parents = list(tree.parents)
    parents[node] = parent
    removed = _emptied_ancestors(tree, node, parent)
    doubled = _doubled_ancestor(tree, node, parent)
    if doubled is not None:
        parents = [tree.parents[doubled] if above == doubled else above for above in parents]
        removed.add(doubled)
    kept = [index for index in range(len(tree)) if index not in removed]
    return _build_tree(tree, kept, tree.labels, parents, notation)


def relabel_node(tree: Tree, node: int, label: str, notation: str = "ptb") -> Tree:
    """Give a node another label.

    Examples
    --------
    >>> print(relabel_node(Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"), 5, "NP"))
    (S (NP (N dogs)) (NP (V bark)))
    """
    _check(tree, node)
    if tree.kinds[node] is Kind.WORD:
        raise ParameterError("words cannot be changed")
    if tree.labels[node] == _label(label, notation):
        raise ParameterError(f"{node_text(tree, node)} has that label already")
    labels = list(tree.labels)
    labels[node] = label
    return _build_tree(tree, range(len(tree)), labels, tree.parents, notation)


def delete_node(tree: Tree, node: int, notation: str = "ptb") -> Tree:
    """Delete a node; its children move up to its parent.

    Examples
    --------
    >>> print(delete_node(Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"), 5))
    (S (NP (N dogs)) (V bark))
    """
    _check(tree, node)
    if tree.kinds[node] is Kind.WORD:
        raise ParameterError("words cannot be deleted: the editor changes brackets only")
    children = tree.children(node)
    above = tree.parents[node]
    if above < 0 and (len(tree.roots) > 1 or len(children) != 1 or tree.kinds[children[0]] is Kind.WORD):
        raise ParameterError(f"{node_text(tree, node)} cannot be deleted: it holds the tree together")
    parents = [above if parent == node else parent for parent in tree.parents]
    return _build_tree(tree, [index for index in range(len(tree)) if index != node], tree.labels, parents, notation)


def insert_node(tree: Tree, first: int, last: int, label: str, notation: str = "ptb") -> Tree:
    """Put a new node over neighboring children of one node.

    Examples
    --------
    >>> print(insert_node(Tree.from_string("(NP (D a) (A red) (N hat))"), 3, 5, "NX"))
    (NP (D a) (NX (A red) (N hat)))
    """
    _check(tree, first, last)
    _label(label, notation)
    parent = tree.parents[first]
    siblings = tree.children(parent) if parent >= 0 else tree.roots
    if tree.parents[last] != parent or last < first:
        raise ParameterError(
            f"{node_text(tree, first)} and {node_text(tree, last)} are not children of one node in this order"
        )
    covered = siblings[siblings.index(first) : siblings.index(last) + 1]
    new = len(tree)
    parents = [new if index in covered else above for index, above in enumerate(tree.parents)]
    return _build_tree(tree, range(new + 1), [*tree.labels, label], [*parents, parent], notation)


def move_targets(tree: Tree, node: int) -> tuple[int, ...]:
    """Return the phrases to which a node can attach.

    Examples
    --------
    >>> tree = Tree.from_string("(VP (V saw) (NP (NP (N men)) (PP (P with) (N hats))))")
    >>> [tree.labels[node] for node in move_targets(tree, 9)]
    ['NP', 'VP']
    """
    node = movable_node(tree, node)
    if tree.parents[node] < 0:
        return ()
    start, end = tree.span(node)
    above = list(tree.ancestors(node))
    ancestors = set(above)
    targets = []
    for parent in range(len(tree)):
        if tree.kinds[parent] is not Kind.PHRASE or tree.leftmost[node] <= parent <= node or parent == above[0]:
            continue
        if parent not in ancestors and tree.ends[parent] != start and tree.starts[parent] != end:
            continue
        path = [parent, *tree.ancestors(parent)]
        left = [index for index in above if index not in path]
        gained = [index for index in path if index not in ancestors]
        at_edge = all(tree.starts[index] == start or tree.ends[index] == end for index in left)
        if at_edge and all(tree.ends[index] == start or tree.starts[index] == end for index in gained):
            targets.append(parent)
    return tuple(targets)


def movable_node(tree: Tree, node: int) -> int:
    """Return the node that moves with a node: the tag of a word, else the node."""
    above = tree.parents[node]
    if tree.kinds[node] is Kind.WORD and above >= 0 and tree.kinds[above] is Kind.PRETERMINAL:
        return above
    return node


def node_text(tree: Tree, node: int) -> str:
    """Describe a node by its label and its words."""
    words = tree.words[tree.starts[node] : tree.ends[node]] if tree.is_continuous else ()
    text = some_words(words, 3, 1)
    if tree.kinds[node] is Kind.WORD:
        return f"“{tree.labels[node]}”"
    return f"{tree.labels[node] or '∅'} over “{text}”" if text else tree.labels[node] or "∅"


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a tree.

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")
    >>> edit = Edit.from_text("r5,NP")
    >>> edit.describe(tree), str(edit.apply(tree)), str(edit)
    ('relabeled VP over “bark” as NP', '(S (NP (N dogs)) (NP (V bark)))', 'r5,NP')
    """

    kind: str  # ``attach``, ``relabel``, ``delete`` or ``insert``
    node: int  # The node to change; for a new node, the first of its children
    second_node: int | None = None  # The new parent of a node that moves; for a new node, the last of its children
    label: str = ""  # The new label

    def __str__(self) -> str:
        """Return the edit as :meth:`from_text` reads it."""
        parts = (
            self.node,
            *(() if self.second_node is None else (self.second_node,)),
            *((self.label,) if self.label else ()),
        )
        return self.kind[0] + ",".join(map(str, parts))

    @classmethod
    def from_text(cls, text: str) -> Edit:
        """Read an edit: ``a5,3`` attaches node 5 to 3, ``r5,NP`` relabels, ``d5`` deletes, ``i2,4,NP`` inserts."""
        for kind, pattern in _EDIT_PATTERNS.items():
            match = pattern.fullmatch(text)
            if match is None:
                continue
            parts = match.groups()
            label = parts[-1] if kind in ("relabel", "insert") else ""
            second_node = None if kind in ("relabel", "delete") else int(parts[1])
            return cls(kind, int(parts[0]), second_node, label)
        raise ParameterError(f"{text!r} is not an edit; expected an edit such as a5,3 or r5,NP or d5 or i2,4,NP")

    def apply(self, tree: Tree, notation: str = "ptb") -> Tree:
        """Return the edited tree."""
        if self.kind == "attach":
            return move_node(tree, self.node, -1 if self.second_node is None else self.second_node, notation)
        if self.kind == "relabel":
            return relabel_node(tree, self.node, self.label, notation)
        if self.kind == "delete":
            return delete_node(tree, self.node, notation)
        return insert_node(
            tree, self.node, self.node if self.second_node is None else self.second_node, self.label, notation
        )

    def describe(self, tree: Tree) -> str:
        """Describe the edit as done."""
        node = self.node
        if self.kind == "attach" and self.second_node is not None:
            return self._describe_move(tree, movable_node(tree, node), self.second_node)
        if self.kind == "relabel":
            return f"relabeled {node_text(tree, node)} as {self.label}"
        if self.kind == "delete":
            return f"deleted {node_text(tree, node)}"
        last = node if self.second_node is None else self.second_node
        words = " ".join(tree.words[tree.starts[node] : tree.ends[last]])
        return f"inserted {self.label} over “{words}”"

    def _describe_move(self, tree: Tree, node: int, target: int) -> str:
        source = tree.parents[node]
        text = f"moved {node_text(tree, node)} from {node_text(tree, source)} to {node_text(tree, target)}"
        emptied = [tree.labels[above] or "∅" for above in sorted(_emptied_ancestors(tree, node, target))]
        if emptied:
            text += f"; {' and '.join(emptied)}, left empty, {'was' if len(emptied) == 1 else 'were'} removed"
        doubled = _doubled_ancestor(tree, node, target)
        if doubled is not None:
            label = tree.labels[doubled] or "∅"
            text += f"; {label} over {label} alone was made one {label}"
        return text


def edits_as_text(edits: Sequence[Edit]) -> str:
    """Write edits on one line."""
    return " ".join(map(str, edits))


def read_edits(text: str) -> tuple[Edit, ...]:
    """Read what :func:`edits_as_text` wrote."""
    return tuple(Edit.from_text(part) for part in text.split())


def _check(tree: Tree, *nodes: int) -> None:
    if not tree.is_continuous:
        raise ParameterError("trees with discontinuous phrases cannot be edited")
    for node in nodes:
        if not 0 <= node < len(tree):
            raise ParameterError(f"there is no node {node}; expected 0 to {len(tree) - 1}")


def _label(label: str, notation: str) -> str:
    if notation not in ("ptb", "sampson"):
        raise ParameterError.unknown("notation", notation, ("ptb", "sampson"))
    brackets = NOTATIONS[notation].opening, NOTATIONS[notation].closing
    if not label or any(char in label for char in (*BLANKS, *brackets, "\xa0")):
        raise ParameterError("a label is one word without brackets")
    return label


def _emptied_ancestors(tree: Tree, node: int, parent: int) -> set[int]:
    """Return the ancestors that have no children left when a node moves."""
    emptied: set[int] = set()
    kept = {parent, *tree.ancestors(parent)}
    for above in tree.ancestors(node):
        if above in kept or any(child != node and child not in emptied for child in tree.children(above)):
            break
        emptied.add(above)
    return emptied


def _doubled_ancestor(tree: Tree, node: int, parent: int) -> int | None:
    """Return the ancestor that has one child left when a node moves, a phrase with the same label."""
    emptied = _emptied_ancestors(tree, node, parent)
    above = next((index for index in tree.ancestors(node) if index not in emptied), None)
    if above is None or above == parent:
        return None
    left = [child for child in tree.children(above) if child != node and child not in emptied]
    is_double = len(left) == 1 and tree.kinds[left[0]] is Kind.PHRASE and tree.labels[left[0]] == tree.labels[above]
    return above if is_double else None


def _build_tree(tree: Tree, nodes: Sequence[int], labels: Sequence[str], parents: Sequence[int], notation: str) -> Tree:
    """Build a tree of some nodes, whose words keep their order."""
    number = {index: at for at, index in enumerate(nodes)}
    kinds = [*tree.kinds, Kind.PHRASE]
    positions = [*tree.starts, 0]
    result = Tree.from_nodes(
        [labels[index] for index in nodes],
        [positions[index] for index in nodes],
        [number.get(parents[index], -1) for index in nodes],
        [kinds[index] for index in nodes],
    )
    reread = Tree.from_string(result.to_string(notation), notation)  # the notation decides which nodes are tags
    if reread.labels != result.labels or reread.parents != result.parents:
        raise ParameterError("a bracket needs a label; its first word would be read as one")
    return reread
