"""Links from lessons into the metric lab say what the lab reads."""

from __future__ import annotations

from evaltools.app.lab.trees import lab_links, unpack
from evaltools.classroom.lessons import bundled_lessons, parse_lesson
from evaltools.classroom.material import DependencyPair, FunctionTrees, GraphPair, TreePair, Vote
from evaltools.corpus import Tree
from evaltools.formats import Source, read_semantics

MATERIALS = [step.material for lesson in bundled_lessons().values() for step in lesson.steps]


def test_trees_and_graphs_come_out_of_the_link_as_they_were():
    for material in MATERIALS:
        links = [query for _, query in lab_links(material)]
        if isinstance(material, TreePair | Vote):
            tests = [material.test] if isinstance(material, TreePair) else [material.a, material.b]
            if tests == [None]:  # one tree alone
                assert links == []
                continue
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
    assert lab_links(steps[1].material)[0][1]["lab_word"] == "1"
    assert lab_links(steps[2].material)[0][1]["lab_show"] == "la"


FUNCTIONS = """
title = "Functions"
about = "Two theories."
[[step]]
title = "One"
[step.functions]
theory = "flat"
parse = "(S-ROOT (NP-SBJ (N Kim)) (V met) (NP-TMP (N friends)))"
[step.functions.golds]
deep = "(S-ROOT (NP-SBJ (N Kim)) (VP-PRD (V met) (NP-OBJ (N friends))))"
flat = """
FLAT = '"(S-ROOT (NP-SBJ (N Kim)) (V met) (NP-OBJ (N friends)))"'
ARCS = '"""\nKim 2 SBJ\nmet 0 ROOT\nfriends 2 OBJ\n"""'


def test_function_trees_in_brackets_are_explained_in_the_lab():
    (step,) = parse_lesson(f"{FUNCTIONS}{FLAT}\n", "functions.toml").steps
    ((_, query),) = lab_links(step.material)
    assert query["lab_gold"].startswith("(S-ROOT (NP-SBJ (N Kim)) (VP-PRD")
    assert query["lab_test"].endswith("(NP-TMP (N friends)))")
    assert unpack(query["lab_third"]) == FLAT.strip('"')
    assert (query["lab_show"], query["lab_functions"]) == ("tedeval", "functions")
    assert isinstance(step.material, FunctionTrees)
    assert "tedeval" in query["lab_show"]


def test_function_trees_of_dependencies_have_no_place_in_the_lab():
    (step,) = parse_lesson(f"{FUNCTIONS}{ARCS}\n", "functions.toml").steps
    assert isinstance(step.material, FunctionTrees)
    assert lab_links(step.material) == []
    (unlabelled,) = parse_lesson(
        f"{FUNCTIONS}{FLAT}\n".replace('theory = "flat"', 'theory = "flat"\nlabelled = false'), "functions.toml"
    ).steps
    assert lab_links(unlabelled.material) == []
