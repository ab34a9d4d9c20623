"""Links from lessons into the metric lab say what the lab reads."""

from __future__ import annotations

from evaltools.analysis.lessons import DependencyPair, FunctionTrees, GraphPair, TreePair, Vote, bundled_lessons
from evaltools.formats import Source
from evaltools.formats.semantics import read_semantics
from evaltools.treebank import Tree
from evaltools.ui.lab.link import unpack
from evaltools.ui.lesson_links import lab_links

MATERIALS = [step.material for lesson in bundled_lessons().values() for step in lesson.steps]


def test_trees_and_graphs_come_out_of_the_link_as_they_were():
    for material in MATERIALS:
        links = [query for _, query in lab_links(material)]
        if isinstance(material, TreePair | Vote):
            tests = [material.test] if isinstance(material, TreePair) else [material.a, material.b]
            assert len(links) == len(tests)
            for query, test in zip(links, tests, strict=True):
                assert test is not None
                for name, tree in (("lab_gold", material.gold), ("lab_test", test)):
                    notation = "sampson" if "[" in tree else "ptb"
                    assert Tree.from_string(unpack(query[name]), notation) == Tree.from_string(tree, notation)
        elif isinstance(material, GraphPair):
            for name, graph in (("lab_graph", material.gold), ("lab_graph2", material.test)):
                bank = read_semantics(Source.from_bytes(unpack(links[0][name]).encode(), "graph"))
                assert bank.items[0].graph == graph
        else:
            assert material is None or isinstance(material, FunctionTrees | DependencyPair)
            assert links == []


def test_what_a_step_shows_is_open_in_the_lab():
    steps = bundled_lessons()["lineages"].steps
    assert lab_links(steps[0].material)[0][1]["lab_word"] == "1"
    assert lab_links(steps[2].material)[0][1]["lab_show"] == "e la"
