"""Function trees, relational-realizational trees, function tags in labels."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltools import FORMATS, InputError, Tree, Treebank, read_treebank, score
from evaltools.formats import Source, guess_format
from evaltools.formats.rr import function_tree
from evaltools.treebank import Kind
from evaltools.treebank.labels import split_label
from tests.slow.trees import Nested, forests, text_of

LOVES = "(root (sbj John) (hd loves) (obj Mary))"
MULTI = "({root} ({sbj} John) ({} ({hd} loves) ({obj} Mary)))"
FIGURE = "(S ({sbj,prd,obj} (sbj (NP ({hd} (hd (NN John))))) (prd (V loves)) (obj (NP ({hd} (hd (NN Mary)))))))"


def read(text: str, format_name: str | None = None) -> Treebank:
    treebank = read_treebank(io.BytesIO(text.encode()), format_name)
    assert isinstance(treebank, Treebank)
    return treebank


def test_function_trees():
    treebank = read(f"{LOVES}\n\n{LOVES.replace('hd', '{}')}\n(())\n")
    assert (treebank.format, treebank.notation) == ("functions", "functions")
    assert [str(treebank.tree(i)) for i in range(4)] == [LOVES, "", LOVES.replace("hd", "{}"), ""]
    assert set(treebank.tree(0).kinds) == {Kind.PHRASE, Kind.WORD}
    assert treebank.tree(0) == Tree.from_string(LOVES, "functions")
    assert treebank.problems == []


@given(st.lists(forests(), min_size=1, max_size=4), st.sampled_from(["functions", "rr"]))
def test_what_is_written_is_read_again(corpus: list[list[Nested]], name: str):
    notation = "functions" if name == "functions" else "ptb"
    made = [Tree.from_string(text_of(forest), notation) for forest in corpus]
    treebank = read(FORMATS[name].write([*made, None]), name)
    assert [treebank.tree(i) for i in range(len(made))] == made
    assert len(treebank.tree(len(made))) == 0
    assert [Tree.from_string(treebank.source(i), treebank.notation) for i in range(len(made))] == made


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (LOVES, "functions"),
        (MULTI, "functions"),
        ("(nsubj (det the) (* dog))", "functions"),
        ("(root dogs)", "functions"),
        ("({} (SBJ it) (PRD ({} rains)))", "functions"),
        (FIGURE, "rr"),
        ("(ROOT (NP (N dogs)))", "ptb"),
        ("(S (NP-root (N dogs)))", "ptb"),
        ("(())\n(S (NP (N hd)))", "ptb"),
        ("(S (NP (N root)))", "ptb"),
        ("(S (NP (N a)))\n(S (* b) (hd c))", "ptb"),
        ("(())\n(S\n  ({hd}\n    (hd (N a))))", "rr"),
    ],
)
def test_the_format_is_guessed_from_the_content(text: str, name: str):
    assert guess_format(Source.from_bytes(text.encode(), "x")) == name


def test_the_figure_of_the_paper():
    treebank = read(FIGURE)
    assert (treebank.format, treebank.notation) == ("rr", "ptb")
    tree = function_tree(treebank.tree(0))
    assert tree.to_string("functions") == "(root (sbj (hd John)) (prd loves) (obj (hd Mary)))"
    assert Tree.from_string(tree.to_string("functions"), "functions") == tree


def test_what_is_no_function_is_left_out():
    forest = Tree.from_string("(S ({hd} (hd (V go)) (NP-x (ADV home))) (. .)) (S (N x))")
    assert str(function_tree(forest)) == "(root (hd go) (NP-x home) .) (root x)"
    assert len(function_tree(Tree((), (), (), (), ()))) == 0


def test_depth_is_no_limit():
    deep = Tree.from_string("(S ({x} (x " * 3000 + "(N a)" + ")))" * 3000)
    assert len(function_tree(deep)) == 3002


def test_a_constituency_run_refuses_function_trees(tmp_path: Path):
    (tmp_path / "gold").write_text(LOVES + "\n")
    with pytest.raises(InputError, match=r"gold: function trees \(function trees\); expected constituency trees"):
        score(tmp_path / "gold", {"same": tmp_path / "gold"})


@pytest.mark.parametrize(
    ("label", "category", "functions"),
    [
        ("NP-SBJ", "NP", ["SBJ"]),
        ("PP-LOC-CLR-2", "PP", ["LOC", "CLR"]),
        ("S-NOM-SBJ", "S", ["NOM", "SBJ"]),
        ("NP=2", "NP", []),
        ("NP-SBJ=2", "NP", ["SBJ"]),
        ("NP-1", "NP", []),
        ("NN-hd", "NN", ["hd"]),
        ("S-root", "S", ["root"]),
        ("-NONE-", "-NONE-", []),
        ("-LRB-", "-LRB-", []),
        ("-NONE--SBJ", "-NONE-", ["SBJ"]),
        ("ADVP|PRT-DIR", "ADVP|PRT", ["DIR"]),
        ("NP-nsubj:pass", "NP", ["nsubj:pass"]),
        ("NP-²", "NP", ["²"]),
        ("", "", []),
        ("-", "", []),
        (":", ":", []),
        ("--", "--", []),
    ],
)
def test_labels_with_function_tags(label: str, category: str, functions: list[str]):
    assert split_label(label) == (category, tuple(functions))


@given(st.text())
def test_every_label_can_be_split(label: str):
    category, functions = split_label(label)
    assert all(functions)
    assert label.startswith(category)


def test_real_function_tags(shared_data: Path):
    path = shared_data / "data" / "gum" / "gold-functions.ptb"
    if not path.is_file():
        pytest.skip(f"no file {path.name}")
    treebank = read_treebank(path, "ptb")
    plain = read_treebank(path.with_name("gold.ptb"), "ptb")
    assert treebank.problems == []
    for i in range(len(plain)):
        stripped = [
            label if kind is not Kind.PHRASE else split_label(label)[0]
            for label, kind in zip(treebank.tree(i).labels, treebank.tree(i).kinds, strict=True)
        ]
        assert tuple(stripped) == plain.tree(i).labels
