"""Constituency trees, alone or two of them aligned, as lines of text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from evaltools.corpus import Kind, Tree
from evaltools.drawing.measure import cells, visible
from evaltools.drawing.palette import LEGEND, MARKS
from evaltools.drawing.scene import Row, Segment, Table
from evaltools.drawing.tree_grid import FOLD_ABOVE, folded_roots, identical_subtrees
from evaltools.frameworks.constituency.aligned_trees import (
    Alignment,
    drawn_mapping,
    mapping_counts,
    one_to_one,
    word_columns,
)
from evaltools.marks import Status
from evaltools.text import join_words

_WIDTH = 100  # of a page; trees that are wider together stand under one another
_MAX_GUIDES = 300

Cells = tuple[Segment, ...]


def _marked_segment(text: str, status: Status | None) -> Segment:
    return (f"{MARKS[status]} {text}", status) if status and MARKS[status] else (text, "")


class _TextLine:
    """One line of a tree: guides, labels with their statuses, and the column of its last word."""

    def __init__(self, guides: str, parts: list[tuple[Status | None, str]], key: int | None = None) -> None:
        self.guides, self.parts, self.key = guides, parts, key

    def cell(self) -> Cells:
        """Return its segments."""
        segments = [(self.guides, "")]
        for index, (status, text) in enumerate(self.parts):
            segments += [("  ", "")] if index else []
            segments.append(_marked_segment(text, status))
        return tuple(segments)

    def width(self) -> int:
        """Return its width on a terminal."""
        return sum(cells(text) for text, _ in self.cell())

    def before(self) -> _TextLine:
        """Return an empty line that carries the guides on to this one."""
        return _TextLine(self.guides[:-3] + "│" if self.guides else "", [])


def _tree_lines(
    tree: Tree, statuses: Sequence[Status | None], folded: Collection[int], keys: Mapping[int, int]
) -> list[_TextLine]:
    lines: list[_TextLine] = []
    waiting = [(root, "", "") for root in reversed(tree.roots)]
    while waiting:
        node, guides, deeper = waiting.pop()
        line = _TextLine(guides, [(statuses[node], _named(tree, node))])
        children = tree.children(node)
        if node in folded:
            words = [visible(word) for word in tree.words_below(node)]
            line.parts[0] = (statuses[node], f"{visible(tree.labels[node])} △ {join_words(words, 32)}")
            line.key = keys.get(tree.starts[node])
            children = ()
        elif tree.kinds[node] is Kind.PRETERMINAL:
            (word,) = children
            line.parts.append((statuses[word], _named(tree, word)))
            line.key = keys.get(tree.starts[node])
            children = ()
        elif tree.kinds[node] is Kind.WORD:
            line.key = keys.get(tree.starts[node])
        lines.append(line)
        if len(deeper) > _MAX_GUIDES:  # or else the text of a deep tree grows with the square of its depth
            deeper = "⋯  " + deeper[6:]
        for index in range(len(children) - 1, -1, -1):
            last = index == len(children) - 1
            waiting.append((children[index], deeper + ("└─ " if last else "├─ "), deeper + ("   " if last else "│  ")))
    return lines


def _named(tree: Tree, node: int) -> str:
    """Return the label of a node; a word of a discontinuous tree with its position, from 0."""
    name = visible(tree.labels[node])
    numbered = tree.kinds[node] is Kind.WORD and not tree.is_continuous
    return f"{tree.first(node)}={name}" if numbered else name


def _side_by_side(gold: list[_TextLine], test: list[_TextLine]) -> list[Row]:
    """Return rows in which lines that end in the same word are beside one another."""
    shared = {line.key for line in gold if line.key is not None} & {line.key for line in test if line.key is not None}
    rows: list[Row] = []
    at = {"gold": 0, "test": 0}

    def block(lines: list[_TextLine], side: str) -> list[_TextLine]:
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
        sides = [[*(line.cell() for line in part), *([()] * (height - len(part)))] for part in (left, right)]
        rows += [Row(pair) for pair in zip(*sides, strict=True)]
    return rows


def alignment_text(
    alignment: Alignment,
    mapping: str = "t",
    *,
    fold: bool | None = None,
    gold_name: str = "gold",
    parse_name: str = "parse",
) -> list[Table | str]:
    """Return two aligned trees as lines for a terminal, with the edit script under them."""
    chosen = drawn_mapping(alignment, mapping)
    gold, test = alignment.gold, alignment.test
    columns = word_columns(alignment)
    folded: dict[int, int] = {}
    if max(len(gold.words), len(test.words)) > FOLD_ABOVE if fold is None else fold:
        identical = identical_subtrees(gold, test, chosen, one_to_one(columns))
        folded = {node: identical[node] for node in folded_roots(gold, identical, ())}
    # words of a discontinuous tree are in another order: they have positions, and other words stand beside them
    keys = _keys(columns if gold.is_continuous and test.is_continuous else ())
    left = _tree_lines(gold, chosen.gold_status, folded.keys(), keys[0])
    right = _tree_lines(test, chosen.test_status, set(folded.values()), keys[1])
    page: list[Table | str] = [f"{mapping.upper()}-mapping  {_numbers(alignment, mapping)}", ""]
    widths = [
        max([cells(name), *(line.width() for line in lines)])
        for name, lines in ((gold_name, left), (parse_name, right))
    ]
    if sum(widths) + 3 <= _WIDTH:
        heading = Row((((gold_name, ""),), ((parse_name, ""),)))
        page.append(Table((heading, *_side_by_side(left, right)), gap="   "))
    else:
        page += [gold_name, Table(tuple(Row((line.cell(),)) for line in left)), ""]
        page += [parse_name, Table(tuple(Row((line.cell(),)) for line in right))]
    if not len(test):
        page.append(f"({parse_name}: no parse)")
    page.append("")
    if chosen.steps:
        page.append(Table(tuple(Row(((_marked_segment(visible(item.text), item.status),),)) for item in chosen.steps)))
    else:
        page.append("no difference")
    statuses = {*chosen.gold_status, *chosen.test_status}
    if None in statuses:
        page.append("brackets over one word do not count and are not marked")
    seen = {status for status in statuses if MARKS[status]}
    if seen:
        names = {Status.MISSING: f"only in {gold_name}", Status.SPURIOUS: f"only in {parse_name}"}
        marks = (f"{MARKS[s]} {names.get(s, LEGEND[s])}" for s in LEGEND if s in seen)
        page += ["", "   ".join(marks) + ("   △ identical, folded" if folded else "")]
    return page


def tree_text(tree: Tree) -> list[Table | str]:
    """Return one tree as lines for a terminal."""
    lines = _tree_lines(tree, (Status.RIGHT,) * len(tree), (), {})
    return [Table(tuple(Row((line.cell(),)) for line in lines))]


def _keys(columns: Sequence[tuple[int, int]]) -> tuple[dict[int, int], dict[int, int]]:
    """Return the keys of gold words and of test words; words that can be beside one another have the same key."""
    keys: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for number, (gold, test) in enumerate(columns):
        if gold not in keys[0] and test not in keys[1]:
            keys[0][gold] = keys[1][test] = number
    return keys


def _numbers(alignment: Alignment, kind: str) -> str:
    scope, counts = mapping_counts(alignment, kind)
    numbers = "  ".join(f"{_LETTERS[status]} {number}" for status, number in counts.items())
    moves = len(drawn_mapping(alignment, kind).moves)
    return f"{scope}: {numbers}" + (f"  moved subtrees {moves}" if moves else "")


_LETTERS = {
    Status.MISSING: "D",
    Status.SPURIOUS: "I",
    Status.RELABELED: "S",
    Status.RIGHT: "M",
}
