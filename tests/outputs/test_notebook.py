"""What a notebook shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import evaltools
from evaltools.display import NotebookObject, notebook_repr
from evaltools.drawing.measure import visible
from evaltools.frameworks.common.lineages import lineage_table
from tests.drawing import arc_examples, graph_examples
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

GOLD, TEST = "(S (NP (N <b>dogs)) (VP (V bark)))", "(S (NP (N <b>dogs) (V bark)))"


def shown(thing: object) -> str:
    return thing._repr_html_()


def pictures(text: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(one) for one in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]


def test_alignments_are_drawn_as_a_marked_sentence_and_by_both_mappings():
    differ = evaltools.align("(S (A (B (N <b>) (N two))))", "(S (B (A (N <b>) (N two))))")
    mappings = ["E-mapping: matching brackets", "T-mapping: tree-edit alignment"]
    for alignment, panels in ((evaltools.align(GOLD, TEST), ["E- and T-mapping"]), (differ, mappings)):
        assert len(pictures(shown(alignment))) == 1 + len(panels)
        assert re.findall("<strong>(.*?)</strong>", shown(alignment)) == ["Marked sentence", *panels]
        assert "<b>" not in shown(alignment)


def test_trees_and_lineages_are_drawn():
    alignment = evaltools.align(GOLD, TEST)
    for one in (alignment.gold, alignment.words[0]):
        assert len(pictures(shown(one))) == 1


def test_single_trees_and_graphs_of_every_kind_are_drawn():
    arcs, crossing = arc_examples.STARS[0], arc_examples.CROSSING[0]
    for one in (arcs, crossing, arc_examples.NO_PARSE[1], arc_examples.HOSTILE[0]):
        (drawn,) = pictures(shown(one))
        texts = list(drawn.itertext())
        assert "<b>" not in shown(one)
        for relation in set(one.relations):
            assert texts.count(visible(relation)) >= one.relations.count(relation)
        assert drawn.attrib["class"].startswith("evaltools auto")
        assert not [part for part in drawn.iter() if part.attrib.get("data-side") == "test"]
    heights = [
        float(pictures(shown(one))[-1].attrib["height"]) for one in (arcs, evaltools.align_dependencies(arcs, arcs))
    ]
    assert heights[0] < heights[1]
    tree = evaltools.multi_function_tree(evaltools.bare_function_tree(evaltools.Tree.from_string(GOLD)))
    graph = graph_examples.GOLD
    table = lineage_table(("N", "NP"), ("NP",), "la_exact")
    for one, part in ((tree, "bark"), (graph, "_leave_v_1"), (table, "NP")):
        (drawn,) = pictures(shown(one))
        assert part in " ".join(drawn.itertext())


def test_arcs_and_the_steps_of_tedeval_are_drawn():
    text = "1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
    assert len(pictures(shown(evaltools.align_dependencies(text, text.replace("nsubj", "obj"))))) == 2
    tree = evaltools.multi_function_tree(evaltools.bare_function_tree(evaltools.Tree.from_string(GOLD)))
    assert len(pictures(shown(evaltools.tedeval_protocol(tree, [tree])))) == 1


def test_a_run_is_a_table_with_its_signature(tmp_path: Path):
    run = score_tiny(tmp_path)
    text = shown(run)
    assert "<table>" in text
    assert run.signature.replace("<", "&lt;").split("|")[0] in text
    assert HOSTILE_PARSER not in text
    assert "&lt;b&gt;x&lt;/b&gt;" in text
    summary = run.summary().set_index(["parser", "metric"])
    for metric in ("f1", "ted", "la"):
        assert evaltools.METRICS[metric].title in text
        assert f"{100 * summary.loc[('better', metric), 'pooled']:.2f}" in text
        assert f"{100 * summary.loc[('better', metric), 'pooled']:.2f}" in repr(run)
    (line,) = [line for line in repr(run).splitlines() if line.startswith("better")]
    assert line.split()[-1] == str(summary.loc[("better", "f1"), "n_pooled"])
    assert max(map(len, repr(run).splitlines())) <= 120


def test_other_things_have_no_picture():
    with pytest.raises(TypeError, match="int"):
        notebook_repr(1)


def test_an_object_is_shown_by_a_function_registered_for_its_class():
    class Note(NotebookObject):
        pass

    with pytest.raises(TypeError, match="Note"):
        shown(Note())
    notebook_repr.register(Note, lambda note: "<p>note</p>")
    assert shown(Note()) == "<p>note</p>"


def test_writers_are_imported_when_an_object_is_shown():
    program = (
        "import sys, evaltools\n"
        "tree = evaltools.Tree.from_string('(S (N dogs))')\n"
        "before = 'evaltools.outputs.notebook' in sys.modules\n"
        "print(before, tree._repr_html_()[:4])\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["False", "<div"]
