"""E step by step: the brackets of both trees as sets, what they share, the formulas, and what crosses."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from evaltools.alignments.trees import Alignment
from evaltools.corpus import Kind, Tree
from evaltools.drawing import Bars, FunctionBar
from evaltools.drawing.blocks import Drawing, drawn, formulas, note, triples
from evaltools.drawing.word_columns import SCOPES
from evaltools.frameworks.constituency.errors.bracket_errors import crossing_pairs
from evaltools.frameworks.constituency.views import tree_panels
from evaltools.frameworks.constituency.wording import BRACKETING, formula_rows
from evaltools.marks import Status
from evaltools.ui.components.alignment_viewer import show_panels
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lab.titles import titled_panels
from evaltools.ui.lab.what_if import Choices, lab_origin
from evaltools.ui.session import state

__all__ = ["show_brackets", "show_crossing"]

Row = tuple[int, str, str, str, str]


def _brackets(tree: Tree, part: str) -> Iterator[int]:
    """Yield the nodes whose brackets count, outer before inner, left before right."""
    kinds = {Kind.PHRASE} if part == "roof" else {Kind.PHRASE, Kind.PRETERMINAL}
    nodes = [node for node in range(len(tree)) if tree.kinds[node] in kinds]
    yield from sorted(nodes, key=lambda node: (tree.starts[node], -tree.ends[node], -node))


def _row(tree: Tree, node: int, number: int, status: str) -> Row:
    start, end = tree.span(node)
    return number, status, " ".join(tree.words[start:end]) or "∅", f"{start}–{end}", tree.labels[node] or "∅"


def show_brackets(alignment: Alignment, choices: Choices) -> None:
    """Show the sets of brackets, the E-mapping, and the formulas with the numbers put in."""
    e, part = alignment.e, choices.part
    sides = (alignment.gold, e.gold_status, "missing"), (alignment.test, e.test_status, "spurious")
    both = [node for node in _brackets(alignment.gold, part) if e.gold_status[node] is Status.RIGHT]
    rows = [[_row(alignment.gold, node, node, "right") for node in both]]
    for (tree, statuses, mark), first in zip(sides, (0, len(alignment.gold)), strict=True):
        alone = [node for node in _brackets(tree, part) if statuses[node] is not Status.RIGHT]
        rows.append([_row(tree, node, first + node, mark) for node in alone])
    counts = [f"{letter} = {_many(len(item), part)}" for letter, item in zip("MDI", rows, strict=True)]
    titles = "In both trees", "Only in the gold tree", "Only in the test tree"
    columns = list(zip(titles, counts, rows, strict=True))
    chosen = _chosen()
    kinds = "Each phrase is a bracket" if part == "roof" else "Each phrase and each tag is a bracket"
    gold, test = (f"{len(rows[0])} + {len(item)} = {len(rows[0]) + len(item)}" for item in rows[1:])
    show_blocks(
        note(
            f"{kinds}: a label and a span of words; positions are counted between words from 0. Repeated brackets are "
            f"matched one by one. Gold has {gold} brackets, test {test}."
        ),
        triples(columns, chosen=chosen, title="Brackets"),
        key="lab_brackets",
        origin=lab_origin(choices),
        on_step=lambda number: state.put(lab_step=f"e{number}"),
    )
    highlight = None
    if chosen is not None and chosen < len(alignment.gold) + len(alignment.test):
        in_gold = chosen < len(alignment.gold)
        highlight = (chosen, None) if in_gold else (None, chosen - len(alignment.gold))
    origin = lab_origin(choices)
    row = titled_panels(tree_panels(alignment, mappings=("e",), part=part, fold=False, highlight=highlight))
    show_panels(row, key="lab_e_viewer", origin=origin)
    wanted = [row for row in formula_rows(alignment) if row[0] != "Cost" and row[0] != "with moves"]
    begin = next(index for index, row in enumerate(wanted) if row[0] == BRACKETING[part])
    show_blocks(
        formulas(wanted[begin : begin + 5], "The formulas with these numbers"), key="lab_e_formulas", origin=origin
    )


def _many(number: int, part: str) -> str:
    """Return a number of brackets with what is counted."""
    return f"{number} bracket" if (number, part) == (1, "roof") else f"{number} {SCOPES[part]}"


def _chosen() -> int | None:
    value = state.get("lab_step")
    return int(value[1:]) if value[:1] == "e" and value[1:].isdecimal() and len(value) < 7 else None


def show_crossing(alignment: Alignment, choices: Choices) -> None:
    """Show which brackets of the test tree cross brackets of the gold tree."""
    if alignment.status != "ok":
        show_blocks(note("Tokens differ, so crossing brackets are not shown."), key="lab_crossing")
        return
    pairs = crossing_pairs(alignment.gold, alignment.test)
    if not pairs:
        show_blocks(
            note("No bracket of the test tree crosses a bracket of the gold tree."),
            key="lab_crossing",
        )
        return
    test = list(dict.fromkeys(item for _, item in pairs))
    text = "1 bracket of the test tree crosses" if len(test) == 1 else f"{len(test)} brackets of the test tree cross"
    blocks = [note(f"{text} brackets of the gold tree: they overlap, and neither lies inside the other.")]
    for index, node in enumerate(test):
        against = [gold for gold, item in pairs if item == node]
        nodes = [_bar(alignment.test, node, Status.SPURIOUS)]
        nodes += [_bar(alignment.gold, gold, Status.MISSING) for gold in against]
        bars = Bars(alignment.gold.words, nodes, label="crossing brackets")
        words = " ".join(alignment.test.words[slice(*alignment.test.span(node))])
        title = f"{index + 1}. {alignment.test.labels[node]} over “{words}”"
        blocks.append(drawn(Drawing(bars, title, f"crossing-{index + 1}")))
    with st.container():
        says = note("<: bracket of the gold tree; >: bracket of the test tree.")
        show_blocks(*blocks, says, key="lab_crossing", origin=lab_origin(choices))


def _bar(tree: Tree, node: int, status: Status) -> FunctionBar:
    return FunctionBar(frozenset(range(*tree.span(node))), ((tree.labels[node] or "∅", status, False),), status)
