"""Alignments and trees as plain text, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaltools.drawing.folding import FOLD_ABOVE, folded_roots, identical_subtrees
from evaltools.drawing.measure import cells, join_words, visible
from evaltools.drawing.palette import ANSI, LEGEND, MARKS
from evaltools.drawing.word_columns import aligns_words, drawn_mapping, mapping_counts, one_to_one, word_columns
from evaltools.drawing.word_rows import word_rows
from evaltools.metrics.mapping import Alignment, NodeStatus
from evaltools.treebank import Kind, Tree

__all__ = ["alignment_text", "tree_text"]

_APART = "   "
_WIDEST_GUIDES = 300


@dataclass(slots=True)
class _Line:
    """One line of a tree: guides, then labels with their statuses; the word it ends in."""

    guides: str
    parts: list[tuple[NodeStatus, str]]
    key: int | None = None

    def plain(self) -> str:
        return self.guides + "  ".join(f"{MARKS[s]} {text}" if MARKS[s] else text for s, text in self.parts)

    def painted(self, colour: bool) -> str:
        if not colour:
            return self.plain()
        shown = (f"\x1b[{ANSI[s]}m{MARKS[s]} {text}\x1b[0m" if MARKS[s] else text for s, text in self.parts)
        return self.guides + "  ".join(shown)

    def before(self) -> _Line:
        """Return an empty line that carries the guides on to this one."""
        guides = self.guides
        if guides:
            guides = guides[:-3] + "│"
        return _Line(guides, [])


def _lines(tree: Tree, statuses: tuple[NodeStatus, ...], folded: set[int], keys: dict[int, int]) -> list[_Line]:
    lines: list[_Line] = []
    waiting = [(root, "", "") for root in reversed(tree.roots)]
    while waiting:
        node, guides, deeper = waiting.pop()
        line = _Line(guides, [(statuses[node], visible(tree.labels[node]))])
        children = tree.children(node)
        if node in folded:
            words = [visible(word) for word in tree.words[tree.starts[node] : tree.ends[node]]]
            line.parts[0] = (statuses[node], f"{visible(tree.labels[node])} △ {join_words(words, 32)}")
            line.key = keys.get(tree.starts[node])
            children = ()
        elif tree.kinds[node] is Kind.PRETERMINAL:
            (word,) = children
            line.parts.append((statuses[word], visible(tree.labels[word])))
            line.key = keys.get(tree.starts[node])
            children = ()
        elif tree.kinds[node] is Kind.WORD:
            line.key = keys.get(tree.starts[node])
        lines.append(line)
        if len(deeper) > _WIDEST_GUIDES:  # else the drawing of a deep tree grows with the square of its depth
            deeper = "⋯  " + deeper[6:]
        for place in range(len(children) - 1, -1, -1):
            last = place == len(children) - 1
            waiting.append((children[place], deeper + ("└─ " if last else "├─ "), deeper + ("   " if last else "│  ")))
    return lines


def _side_by_side(gold: list[_Line], test: list[_Line]) -> list[tuple[_Line | None, _Line | None]]:
    """Put lines that end in the same word beside one another."""
    shared = {line.key for line in gold if line.key is not None} & {line.key for line in test if line.key is not None}
    rows: list[tuple[_Line | None, _Line | None]] = []
    at = {"gold": 0, "test": 0}

    def block(lines: list[_Line], side: str) -> list[_Line]:
        start = at[side]
        end = next((i for i in range(start, len(lines)) if lines[i].key in shared), len(lines) - 1) + 1
        at[side] = end
        return lines[start:end]

    while at["gold"] < len(gold) or at["test"] < len(test):
        left, right = block(gold, "gold"), block(test, "test")
        for short, long in ((left, right), (right, left)):
            if short and (short[-1].key in shared):
                short[:0] = [short[0].before()] * (len(long) - len(short))
        height = max(len(left), len(right))
        rows += zip(left + [None] * (height - len(left)), right + [None] * (height - len(right)), strict=True)
    return rows


def alignment_text(
    alignment: Alignment,
    mapping: str = "t",
    *,
    width: int = 100,
    colour: bool = False,
    fold: bool | None = None,
    gold_name: str = "gold",
    test_name: str = "test",
) -> str:
    """Draw two aligned trees for a terminal, with the edit script under them.

    Parameters
    ----------
    alignment : Alignment
        The trees and their mappings.
    mapping : {"t", "e"}
        Which mapping to show.
    width : int
        Columns of the terminal; trees that do not fit side by side stand one under the other.
    colour : bool
        Use terminal colours beside the marks.
    fold : bool, optional
        Put what is identical on one line; by default in sentences of more than 25 words.
    gold_name, test_name : str
        What the two trees are called.

    Returns
    -------
    str
        Lines, the last without a line end.
    """
    chosen = drawn_mapping(alignment, mapping)
    gold, test = alignment.gold, alignment.test
    columns = word_columns(alignment)
    folded: dict[int, int] = {}
    if max(len(gold.words), len(test.words)) > FOLD_ABOVE if fold is None else fold:
        identical = identical_subtrees(gold, test, chosen, one_to_one(columns))
        folded = {node: identical[node] for node in folded_roots(gold, identical, ())}
    keys = _keys(columns)
    left = _lines(gold, chosen.gold_status, set(folded), keys[0])
    right = _lines(test, chosen.test_status, set(folded.values()), keys[1])
    head = f"{mapping.upper()}-mapping"
    written = [f"{head}  {_numbers(alignment, mapping)}", ""]
    if aligns_words(alignment):
        rows = word_rows(alignment, width=width, colour=colour, gold_name=gold_name, test_name=test_name)
        written += ["words", *rows, ""]
    room = max([cells(gold_name), *(cells(line.plain()) for line in left)])
    other = max([cells(test_name), *(cells(line.plain()) for line in right)])
    if room + len(_APART) + other <= width:
        written.append(f"{_pad(gold_name, gold_name, room)}{_APART}{test_name}")
        for one, two in _side_by_side(left, right):
            first = _pad(one.painted(colour), one.plain(), room) if one else " " * room
            written.append((first + _APART + (two.painted(colour) if two else "")).rstrip())
    else:
        written += [gold_name, *(line.painted(colour) for line in left), ""]
        written += [test_name, *(line.painted(colour) for line in right)]
    if not len(test):
        written.append(f"({test_name}: no parse)")
    written.append("")
    if chosen.steps:
        written += [_Line("", [(step.status, visible(step.text))]).painted(colour) for step in chosen.steps]
    else:
        written.append("no difference")
    seen = {*chosen.gold_status, *chosen.test_status} - {NodeStatus.MATCHED}
    if seen:
        names = {NodeStatus.DELETED: f"only in {gold_name}", NodeStatus.INSERTED: f"only in {test_name}"}
        legend = (f"{MARKS[s]} {names.get(s, LEGEND[s])}" for s in LEGEND if s in seen)
        written += ["", "   ".join(legend) + ("   △ identical, folded" if folded else "")]
    return "\n".join(written)


def tree_text(tree: Tree) -> str:
    """Draw one tree for a terminal.

    Parameters
    ----------
    tree : Tree
        The tree.

    Returns
    -------
    str
        Lines of text.

    Examples
    --------
    >>> print(tree_text(Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")))
    S
    ├─ NP
    │  └─ N  dogs
    └─ VP
       └─ V  bark
    """
    return "\n".join(line.plain() for line in _lines(tree, (NodeStatus.MATCHED,) * len(tree), set(), {}))


def _keys(columns: Sequence[tuple[int, int]]) -> tuple[dict[int, int], dict[int, int]]:
    """Give words that can stand beside one another the same key, each word one: gold words, and test words."""
    keys: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for number, (gold, test) in enumerate(columns):
        if gold not in keys[0] and test not in keys[1]:
            keys[0][gold] = keys[1][test] = number
    return keys


def _pad(shown: str, plain: str, room: int) -> str:
    return shown + " " * (room - cells(plain))


def _numbers(alignment: Alignment, kind: str) -> str:
    scope, counts = mapping_counts(alignment, kind)
    shown = "  ".join(f"{_LETTERS[status]} {number}" for status, number in counts.items())
    moves = len(drawn_mapping(alignment, kind).moves)
    return f"{scope}: {shown}" + (f"  moved subtrees {moves}" if moves else "")


_LETTERS = {
    NodeStatus.DELETED: "D",
    NodeStatus.INSERTED: "I",
    NodeStatus.SWAPPED: "S",
    NodeStatus.MATCHED: "M",
}
