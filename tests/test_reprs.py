"""What a console shows of every public object: one line, or a small table."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

import evaltools
from evaltools.corpus import SemanticEdge, SemanticGraph, SemanticNode
from tests.conftest import ROOT
from tests.pages.tiny import score_tiny

MAX_COLUMNS, MAX_LINES = 120, 20
WORDS = [f"word{number}" for number in range(80)]
TREE = evaltools.Tree.from_string(f"(S {' '.join(f'(NP (N {word}))' for word in WORDS)})")
ROWS = "\n".join(
    f"{number}\t{word}\t_\tNOUN\t_\t_\t{number - 1}\tdep\t_\t_" for number, word in enumerate(WORDS, start=1)
)
ARCS = evaltools.DependencyTree.from_string(ROWS)
NODE = SemanticNode("e2", "_rain_v_1", ((3, 8),), tuple(("TENSE", "past") for _ in range(20)), None, "e")
GRAPH = SemanticGraph((NODE,) * 20, (SemanticEdge(0, "ARG1", 1),), (0,), " ".join(WORDS), "eds")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    return score_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def objects(run: evaltools.Run) -> dict[str, Any]:
    """Give a large object of every public class."""
    sample = ROOT / "sample_data"
    alignment = evaltools.align(TREE, TREE)
    function_tree = evaltools.constituency_function_tree(TREE)
    functions = evaltools.multi_function_tree(function_tree)
    bank = evaltools.read_semantics(sample / "semantics" / "gold.eds")
    return {
        "Alignment": alignment,
        "CostTable": evaltools.CostTable({(word, "NP"): 0.5 for word in WORDS}),
        "Dependencies": evaltools.read_treebank(sample / "dependencies" / "functional.conllu"),
        "DependencyAlignment": evaltools.align_dependencies(ARCS, ARCS),
        "DependencyTree": ARCS,
        "EdmRules": evaltools.load_edm_rules("pydelphin"),
        "FunctionTree": function_tree,
        "GraphAlignment": evaltools.align_graphs(
            bank.items[0].graph, bank.items[1].graph, evaltools.load_edm_rules("pydelphin")
        ),
        "Mapping": alignment.t,
        "MultiFunctionTree": functions,
        "Status": evaltools.Status.MOVED,
        "Preset": evaltools.load_preset("collins"),
        "Problem": evaltools.Problem("kind", str(Path(*WORDS[:30])), 1, 2, "\n".join(WORDS), "x" * 900),
        "Run": run,
        "SemanticBank": bank,
        "SemanticEdge": GRAPH.edges[0],
        "SemanticGraph": GRAPH,
        "SemanticItem": bank.items[0],
        "SemanticNode": NODE,
        "TedEvalProtocol": evaltools.tedeval_protocol(functions, [functions]),
        "Tree": TREE,
        "Treebank": evaltools.read_treebank(sample / "gold.ptb"),
        "Verification": evaltools.verify(run),
    }


def fits(text: str) -> bool:
    lines = text.splitlines()
    return len(lines) <= MAX_LINES and all(len(line) <= MAX_COLUMNS and line.isprintable() for line in lines)


def test_every_public_object_fits_a_line_or_a_small_table(objects: dict[str, Any]):
    for name in evaltools.__all__:
        value = getattr(evaltools, name)
        if inspect.isclass(value):
            if not issubclass(value, Exception):
                assert type(objects[name]) is value
                assert fits(repr(objects[name])), repr(objects[name])
        elif not inspect.isfunction(value):
            assert fits(repr(value)), repr(value)


def test_every_object_with_a_picture_is_shown_in_both_themes(objects: dict[str, Any]):
    shown = {name: value for name, value in objects.items() if hasattr(value, "_repr_html_")}
    assert {"Alignment", "Run", "Tree", "DependencyTree", "SemanticGraph"} <= shown.keys()
    for name, value in shown.items():
        html = value._repr_html_()
        assert "<svg" in html or "<table" in html, name
        assert "<svg" not in html or "prefers-color-scheme" in html, name


def test_a_run_that_is_damaged_says_so_in_one_line(tmp_path: Path):
    run = score_tiny(tmp_path)
    (Path(run.path) / "sentences.parquet").write_bytes(b"")
    text = repr(run)
    assert text.startswith("<Run of ")
    assert "damaged" in text
    assert len(text.splitlines()) == 1
