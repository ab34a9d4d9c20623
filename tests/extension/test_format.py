"""A new format of brackets is one new file and one entry in the table of formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.corpus import Tree
from evaltools.formats import FORMATS, Source, guess_format, open_source, read_treebank, write_treebank
from evaltools.frameworks.stored import file_of
from tests.extension.toy_format import BRACES
from tests.extension.toy_json import JSONTREES

Open = Callable[..., AppTest]
GOLD = "{S {NP {N ~(dogs~)}} {VP {V bark} {( (}}}\n{S {NP {N it}} {VP {V rains}}}\n{S {NP {N cats}} {VP {V sleep}}}\n"
WORSE = "{S {N ~(dogs~)} {VP {V bark} {( (}}}\n{{}}\n{S {NP {N cats} {V sleep}}}\n"


@pytest.fixture
def files(enter: Callable[..., None], tmp_path: Path) -> dict[str, Path]:
    """Enter the format into the table, and give files of it."""
    enter(FORMATS, BRACES.name, BRACES)
    for name, text in {"gold": GOLD, "worse": WORSE}.items():
        (tmp_path / f"{name}.braces").write_text(text, encoding="utf-8")
    return {name: tmp_path / f"{name}.braces" for name in ("gold", "worse")}


@pytest.fixture
def tiny_run(files: dict[str, Path], tmp_path: Path) -> evaltools.Run:
    return evaltools.score(files["gold"], {"worse": files["worse"]}, preset="none", out=tmp_path / "braces.run")


def test_it_is_guessed_read_and_written(files: dict[str, Path], tmp_path: Path):
    assert guess_format(open_source(files["gold"])) == "braces"
    treebank = read_treebank(files["worse"])
    assert treebank.problems == []
    trees = [treebank.tree(number) for number in range(3)]
    assert trees[0].words == ("~(dogs~)", "bark", "(")
    write_treebank([tree if tree.words else None for tree in trees], tmp_path / "again.braces.gz", "braces")
    assert [read_treebank(tmp_path / "again.braces.gz").tree(number) for number in range(3)] == trees
    with pytest.raises(evaltools.ParameterError, match="braces cannot hold dependencies"):
        write_treebank([evaltools.DependencyTree(("it",), (-1,), ("root",))], tmp_path / "wrong", "braces")


def test_brackets_in_words_are_escaped(files: dict[str, Path], tmp_path: Path, call: Callable[..., str]):
    (tmp_path / "odd.ptb").write_text("(S ({ {) (N }dogs))\n", encoding="utf-8")
    call("convert", tmp_path / "odd.ptb", tmp_path / "odd.braces")
    assert (tmp_path / "odd.braces").read_text(encoding="utf-8") == "{S {~( ~(} {N ~)dogs}}\n"
    ptb = call("convert", files["gold"], "-", "--to", "ptb")
    assert ptb.splitlines()[0] == "(S (NP (N ~-LRB-dogs~-RRB-)) (VP (V bark) (-LRB- -LRB-)))"


def test_it_is_scored(tiny_run: evaltools.Run):
    assert tiny_run.query("select distinct notation from trees")["notation"].tolist() == ["braces"]
    assert tiny_run.tree(3, "worse") == evaltools.Tree.from_string("(S (NP (N cats) (V sleep)))")
    alignment = tiny_run.alignment(1, "worse")
    row = tiny_run.sentences("worse").iloc[0]
    assert alignment.scores["f1"] == row["f1"]
    assert evaltools.verify(tiny_run).equal


def test_a_run_has_the_figures_of_the_same_trees_in_other_brackets(
    tiny_run: evaltools.Run, files: dict[str, Path], tmp_path: Path, call: Callable[..., str]
):
    for name, path in files.items():
        call("convert", path, tmp_path / f"{name}.ptb")
    same = evaltools.score(tmp_path / "gold.ptb", {"worse": tmp_path / "worse.ptb"}, preset="none")
    assert tiny_run.summary().equals(same.summary())


@pytest.mark.parametrize("page", ["sentence", "hotspots", "worst_parses"])
def test_pages_show_it(open_app: Open, page: str):
    app = open_app(page, sentence="1", open="texts")
    assert not app.exception
    assert not app.error
    if page == "sentence":
        assert "(S (NP (N ~" in json.dumps([code.value for code in app.code])


def test_files_of_some_sentences_are_written_in_it(tiny_run: evaltools.Run):
    text, notation = file_of(tiny_run, "worse", [2, 1])
    assert (text, notation) == ("{{}}\n" + WORSE.splitlines()[0] + "\n", "braces")


@pytest.mark.parametrize("framework", ["constituency", "functions"])
def test_a_format_without_brackets_is_scored_in_each_framework(
    enter: Callable[..., None], tmp_path: Path, framework: str
):
    enter(FORMATS, JSONTREES.name, JSONTREES)
    ptb = {
        "gold": "(S (NP-SBJ (N it)) (VP (V rains)))\n(S (NP-SBJ (N cats)) (VP (V sleep) (ADV well)))\n(S (V go))\n",
        "test": "(S (NP-SBJ (N it)) (VP (V rains)))\n(S (N cats) (VP-SBJ (V sleep) (ADV well)))\n(())\n",
    }
    runs = []
    for suffix in ("ptb", "jsontrees"):
        for name, text in ptb.items():
            (tmp_path / f"{name}.ptb").write_text(text, encoding="utf-8")
            trees = [tree if tree.words else None for tree in map(Tree.from_string, text.splitlines())]
            write_treebank(trees, tmp_path / f"{name}.{suffix}", suffix)
        gold, test = tmp_path / f"gold.{suffix}", tmp_path / f"test.{suffix}"
        if framework == "functions":
            runs.append(evaltools.crossframework({"a": gold}, {"p": ("a", test)}, out=tmp_path / f"{suffix}.run"))
        else:
            runs.append(evaltools.score(gold, {"p": test}, preset="none", out=tmp_path / f"{suffix}.run"))
    of_ptb, of_json = runs
    assert of_json.summary().equals(of_ptb.summary())
    assert [of_json.tree(number, "p") for number in (1, 2)] == [of_ptb.tree(number, "p") for number in (1, 2)]
    assert evaltools.verify(of_json).equal
    text, notation = file_of(of_json, "p", [1, 2, 3])
    assert len(read_treebank(Source("some", text.encode(), ""), notation)) == 3


@pytest.mark.parametrize("side", ["gold", "parse"])
def test_a_tree_that_cannot_be_stored_is_left_out_alone(enter: Callable[..., None], tmp_path: Path, side: str):
    enter(FORMATS, JSONTREES.name, JSONTREES)
    good = '["S", ["NP-SBJ", "cats"], ["VP", "sleep"]]\n'
    odd = '["S", ["NP-SBJ"], ["NP-SBJ", "cats"], ["VP", "sleep"]]\n'
    for name in ("gold", "parse"):
        text = good + (odd if name == side else good) + good
        (tmp_path / f"{name}.jsontrees").write_text(text, encoding="utf-8")
    gold, parse = (tmp_path / f"{name}.jsontrees" for name in ("gold", "parse"))
    run = evaltools.crossframework({"a": gold}, {"p": ("a", parse)}, out=tmp_path / "odd.run")
    (problem,) = run.problems().itertuples()
    assert (problem.kind, problem.sentence) == ("odd_tree", 2)
    assert "cannot hold a bracket without words" in problem.found
    assert run.sentences("p")["status"].tolist() == ["ok", "missing", "ok"]
    assert run.sentences("p")["tedeval_single_labeled"].tolist()[::2] == [1.0, 1.0]
    assert evaltools.verify(run).equal
