"""Function trees and relational-realizational trees."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from evaltools import FORMATS, InputError, Tree, Treebank, read_treebank, score
from evaltools.corpus import realizational_function_tree
from evaltools.formats import Source, guess_format
from evaltools.frameworks.constituency.normalization import phrases_of
from evaltools.frameworks.crossframework.function_columns import FunctionVocabulary, corpus_functions
from tests.slow.trees import Nested, forests, text_of

LOVES = "(root (sbj John) (hd loves) (obj Mary))"
FIGURE = "(S ({sbj,prd,obj} (sbj (NP ({hd} (hd (NN John))))) (prd (V loves)) (obj (NP ({hd} (hd (NN Mary)))))))"


def read(text: str, format_name: str | None = None) -> Treebank:
    treebank = read_treebank(io.BytesIO(text.encode()), format_name)
    assert isinstance(treebank, Treebank)
    return treebank


@given(st.lists(forests(), min_size=1, max_size=4), st.sampled_from(["functions", "rr"]))
def test_what_is_written_is_read_again(corpus: list[list[Nested]], name: str):
    notation = "functions" if name == "functions" else "ptb"
    made = [Tree.from_string(text_of(forest), notation) for forest in corpus]
    treebank = read(FORMATS[name].write([*made, None]), name)
    assert [treebank.tree(i) for i in range(len(made))] == made
    assert len(treebank.tree(len(made))) == 0
    assert [Tree.from_string(treebank.source(i), treebank.notation) for i in range(len(made))] == made


SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
NAMED = {f".{name}": name for name in FORMATS}
NO_FORMAT = ("empty.ptb",)


def test_every_file_of_the_sample_is_what_it_is_called():
    files = [path for path in SAMPLE.rglob("*") if path.suffix in NAMED and path.name not in NO_FORMAT]
    assert {path.suffix for path in files} >= {".ptb", ".conllu", ".conllx", ".export", ".discbracket"}
    guessed = {path: guess_format(Source.from_bytes(path.read_bytes(), path.name)) for path in files}
    assert {path.name: name for path, name in guessed.items() if name != NAMED[path.suffix]} == {}


def test_a_constituency_run_refuses_function_trees(tmp_path: Path):
    (tmp_path / "gold").write_text(LOVES + "\n")
    with pytest.raises(InputError, match=r"gold: function trees \(function trees\); expected constituency trees"):
        score(tmp_path / "gold", {"same": tmp_path / "gold"})


WITHOUT_SETS = "(S (sbj (NP (hd (NN John)))) (prd (V loves)) (obj (NP (hd (NN Mary)))))"


@pytest.mark.parametrize(
    ("gold", "parse", "f1"), [("a.rr", "b.rr", 1.0), ("b.rr", "a.txt", 1.0), ("a.rr", "b.txt", 6 / 11)]
)
def test_trees_without_sets_are_known_by_their_suffix(gold: str, parse: str, f1: float, tmp_path: Path):
    figures = {"a": FIGURE, "b": WITHOUT_SETS}
    for name in (gold, parse):
        (tmp_path / name).write_text(f"{figures[name[0]]}\n", "utf-8")
    run = score(tmp_path / gold, {"p": tmp_path / parse}, out=tmp_path / "run")
    summary = run.summary().set_index("metric")
    assert summary.loc["f1", "pooled_all"] == pytest.approx(f1)


@pytest.mark.parametrize("text", [FIGURE, WITHOUT_SETS])
def test_relational_realizational_trees_lose_no_function(text: str):
    functions = "(root (sbj (hd John)) (prd loves) (obj (hd Mary)))"
    trees = read(f"{text}\n{FIGURE}\n", "rr")
    assert str(realizational_function_tree(trees.tree(0))) == functions
    assert str(phrases_of(trees.tree(0))) == "(S (NP (NN John)) (V loves) (NP (NN Mary)))"
    columns = [corpus_functions(corpus, FunctionVocabulary()) for corpus in (trees, read(f"{functions}\n" * 2))]
    assert str(columns[0].tree(0)) == str(columns[1].tree(0))
