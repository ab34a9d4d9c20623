"""Enhanced dependencies of two trees: what is drawn as right is what ELAS counts."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from evaltools.corpus import DependencyTree
from evaltools.corpus.enhanced import collapsed_deps
from evaltools.drawing import draw
from evaltools.errors import ParameterError
from evaltools.frameworks.dependency.alignment import align_dependencies
from evaltools.frameworks.dependency.views import align_enhanced
from evaltools.marks import Status
from tests.slow.universal import tokenized

GOLD = """1\tMary\t_\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\t_
2\tate\t_\tVERB\t_\t_\t0\troot\t0:root\t_
3\tapples\t_\tNOUN\t_\t_\t2\tobj\t2:obj\t_
4\tand\t_\tCCONJ\t_\t_\t6\tcc\t5.1:cc\t_
5\tSue\t_\tPROPN\t_\t_\t2\tconj\t5.1:nsubj\t_
5.1\tate\t_\tVERB\t_\t_\t_\t_\t2:conj\t_
6\tpears\t_\tNOUN\t_\t_\t5\torphan\t5.1:obj\t_
6.1\tslowly\t_\tADV\t_\t_\t_\t_\t5.1:advmod\t_

"""


def one_sentence(random: Random, text: str) -> DependencyTree:
    while True:
        written = tokenized(random, text, enhanced=True)
        if written.count("\n\n") == 1:
            return DependencyTree.from_string(written)


def test_right_edges_without_empty_nodes_are_those_that_elas_counts():
    counted = 0
    for seed in range(150):
        random = Random(seed)
        text = "".join(random.choice("abc") for _ in range(random.randint(2, 8)))
        gold, test = one_sentence(random, text), one_sentence(random, text)
        alignment = align_dependencies(gold, test)
        aligned = align_enhanced(alignment)
        if gold.empty_nodes or test.empty_nodes or aligned is None:
            continue
        counted += 1
        counts = alignment.counts
        assert aligned.number("gold", Status.RIGHT) == counts["ud_right_elas"]
        assert aligned.number("test", Status.RIGHT) == counts["ud_right_elas"]
        assert aligned.number("gold") == counts["ud_gold_edges"]
        assert aligned.number("test") == counts["ud_test_edges"]
        assert aligned.number("gold", Status.RELABELED) == aligned.number("test", Status.RELABELED)
    assert counted > 30


def test_an_edge_at_an_empty_node_is_right_if_a_path_through_it_is():
    test = GOLD.replace("5.1:obj", "5.1:iobj")
    aligned = align_enhanced(align_dependencies(GOLD, test))
    assert aligned is not None
    statuses = {(edge.side, edge.relation): edge.status for edge in aligned.edges}
    assert statuses["gold", "conj"] is Status.RIGHT  # it leads to “and” and “Sue”, too
    at_pears = next(at for at, node in enumerate(aligned.nodes) if node.forms[0] == "pears")
    wrong = [(edge.side, edge.relation, edge.status) for edge in aligned.edges if edge.dependent == at_pears]
    assert wrong == [("gold", "obj", Status.RELABELED), ("test", "iobj", Status.RELABELED)]
    assert statuses["gold", "advmod"] is None  # no word is below “slowly”
    assert [node.gold for node in aligned.nodes if node.is_empty] == ["5.1", "6.1"]


def test_what_is_equal_is_right_and_drawn_without_marks():
    aligned = align_enhanced(align_dependencies(GOLD, GOLD))
    assert aligned is not None
    assert {edge.status for edge in aligned.edges} == {Status.RIGHT, None}
    text = draw(aligned, "text")
    assert "conj ← 2 ate" in text
    assert "<" not in text
    picture = draw(aligned, "svg", theme="light")
    assert picture.count(">5.1<") == 1
    assert "missing edge" not in picture


def test_edges_of_real_files(shared_data: Path):
    """The words of edges that are right have the same edge without empty nodes in both files."""
    folder = shared_data / "data/ud/tricky"
    seen = 0
    for name in ("01-empty-nodes", "10-enhanced-cycle"):
        gold, test = ((folder / f"{name}.{side}.conllu").read_text(encoding="utf-8") for side in ("gold", "system"))
        for pair in zip(*(text.strip("\n").split("\n\n") for text in (gold, test)), strict=True):
            trees = [DependencyTree.from_string(text + "\n\n") for text in pair]
            aligned = align_enhanced(align_dependencies(*trees))
            if aligned is None or trees[0].forms != trees[1].forms:
                continue
            columns = [collapsed_deps(tree) for tree in trees]
            for edge in aligned.edges:
                head = None if edge.head is None else aligned.nodes[edge.head]
                node = aligned.nodes[edge.dependent]
                if node.is_empty or (head is not None and head.is_empty):
                    continue
                seen += 1
                number = "0" if head is None else head.gold
                there = [
                    f"{number}:{edge.relation}" in column[int(node.gold or 0) - 1].split("|") for column in columns
                ]
                assert (edge.status is Status.RIGHT) == all(there)
    assert seen > 10


def test_trees_without_enhanced_dependencies_have_no_such_picture():
    plain = "1\tMary\t_\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\tate\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    assert align_enhanced(align_dependencies(plain, plain)) is None
    with pytest.raises(ParameterError):
        draw(align_enhanced(align_dependencies(GOLD, plain)), "pdf")


def test_beside_empty_nodes_an_edge_that_is_there_twice_counts_once():
    """As after the collapsing of the shared task of IWPT; without empty nodes it counts twice, as the program does."""
    twice = GOLD.replace("2:obj", "2:obj|2:obj")
    assert align_dependencies(twice, GOLD).counts["ud_gold_edges"] == 6
    plain = "".join(line for line in twice.splitlines(keepends=True) if line[1:2] != ".").replace("5.1", "5")
    assert align_dependencies(plain, plain).counts["ud_gold_edges"] == 7
