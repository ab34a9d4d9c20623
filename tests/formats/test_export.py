"""NEGRA export and discbracket: discontinuous constituents in files."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from evaltools import FORMATS, InputError, ParameterError, Problem, Tree, Treebank, read_treebank, score
from evaltools.formats import Source, guess_format
from tests.slow.discontinuous import random_discontinuous
from tests.slow.trees import Nested, forests, randoms, text_of

SENTENCE = """\
#BOS 1 0 985275570 1 %% a comment
is	VB	--	HD	500
John	NP	--	SB	501
rich	JJ	3.Sg	PD	500	SB	501	%% another
?	?	--	--	0
#500	VP	--	OC	501
#501	S	--	--	0
#EOS 1
"""
FOUR = """\
%% made by hand
#FORMAT 4
#BOT ORIGIN
0	x	y
#EOT ORIGIN
#BOS 7
is	be	VB	--	HD	500
rich	rich	JJ	3.Sg	PD	500
#500	--	VP	--	--	0
#EOS 7
"""
TREE = Tree.from_string("(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John)) (? 3=?)", "discbracket")


def read(text: str, format_name: str | None = None) -> Treebank:
    treebank = read_treebank(io.BytesIO(text.encode()), format_name)
    assert isinstance(treebank, Treebank)
    return treebank


def trees(treebank: Treebank) -> list[Tree]:
    return [treebank.tree(i) for i in range(len(treebank))]


def test_version_3():
    treebank = read(SENTENCE)
    (tree,) = trees(treebank)
    assert str(tree) == str(TREE)
    assert treebank.format == "export"
    functions = {tree.labels[node]: name for node, name in enumerate(tree.functions or ()) if tree.kinds[node] < 2}
    assert functions == {"VB": "HD", "NP": "SB", "JJ": "PD", "VP": "OC", "S": "", "?": ""}
    assert [treebank.source(0), treebank.notation] == [str(TREE), "discbracket"]
    assert Tree.from_string(treebank.source(0), treebank.notation) == Tree.from_string(str(TREE), "discbracket")
    expected = "one parent; the edge is left out"
    assert treebank.problems == [
        Problem("secondary_edge", "<upload>", 4, None, "a secondary edge SB to 501", expected, 1)
    ]


def test_version_4_and_tables():
    treebank = read(FOUR)
    assert [str(tree) for tree in trees(treebank)] == ["(VP (VB is) (JJ rich))"]
    assert treebank.tree(0).functions == ("", "HD", "", "PD", "")
    assert treebank.problems == []
    assert treebank.line.tolist() == [6]
    assert treebank.text[treebank.text_start[0] : treebank.text_end[0]].startswith(b"#BOS 7\nis")


def test_the_version_is_seen_where_the_file_does_not_say_it():
    without = FOUR.replace("#FORMAT 4\n", "")
    assert [str(tree) for tree in trees(read(without))] == ["(VP (VB is) (JJ rich))"]


def test_words_without_a_tag_and_phrases_without_a_label():
    (tree,) = trees(read("#BOS 1\na\t--\t--\tX\t500\nb\t--\t--\t--\t500\n#500\t--\t--\t--\t0\n#EOS 1\n"))
    assert str(tree) == "( a b)"
    assert tree.functions == ("X", "", "")


def test_a_missing_parse():
    treebank = read("#BOS 1\n#EOS 1\n" + SENTENCE.replace("S 1", "S 2") + "#BOS 3\n\n#EOS 3\n")
    assert [len(tree.words) for tree in trees(treebank)] == [0, 4, 0]
    assert [problem.kind for problem in treebank.problems] == ["secondary_edge"]
    assert treebank.n_filled == 3


ROW = "a\tN\t--\t--\t500\n#500\tS\t--\t--\t0\n"


@pytest.mark.parametrize(
    ("rows", "kind", "line", "found"),
    [
        ("a\tN\t--\t500\n", "columns", 1, "4 columns"),
        ("a\n", "columns", 1, "1 column"),
        ("a\tN\t--\t--\tx\n", "parent", 1, "parent 'x'"),
        ("a\tN\t--\t--\t-1\n", "parent", 1, "parent '-1'"),
        ("a\tN\t--\t--\t501\n#500\tS\t--\t--\t0\n", "unknown_node", 1, "parent 501"),
        (f"{ROW}#500\tS\t--\t--\t0\n", "duplicate_id", 3, "phrase #500 a second time"),
        (
            "a\tN\t--\t--\t500\n#500\tS\t--\t--\t501\n#501\tS\t--\t--\t500\n",
            "cycle",
            2,
            "phrases that are above each other: #500 → #501",
        ),
        ("a\tN\t--\t--\t500\n#500\tS\t--\t--\t500\n", "cycle", 2, "phrases that are above each other: #500"),
    ],
)
def test_a_sentence_that_cannot_be_used_is_missing(rows: str, kind: str, line: int, found: str):
    treebank = read(f"#FORMAT 3\n#BOS 1\n{ROW}#EOS 1\n#BOS 2\n{rows}#EOS 2\n#BOS 3\n{ROW}#EOS 3\n")
    assert [tree.words for tree in trees(treebank)] == [("a",), (), ("a",)]
    problem = treebank.problems[0]
    assert (problem.kind, problem.line, problem.found, problem.sentence) == (kind, line + 6, found, 2)


@pytest.mark.parametrize(
    ("text", "kind", "line", "sentence"),
    [
        (f"#BOS 1\n{ROW}#BOS 2\n{ROW}#EOS 2\n", "unbalanced", 1, 1),
        (f"#BOS 1\n{ROW}#EOS 1\n#BOS 2\n{ROW}", "unbalanced", 5, 2),
        (f"#BOS 1\n{ROW}#EOS 1\nstray\nmore\n#BOS 2\n{ROW}#EOS 2\n", "text", 5, None),
        (f"#BOS 1\n{ROW}#EOS 2\n", "ids", 4, 1),
        (f"#BOS 1\n{ROW}#EOS 1\n#EOS 1\n", "text", 5, None),
        (f"#BOS 1\n{ROW}#501\tNP\t--\t--\t500\n#EOS 1\n", "empty_bracket", 4, 1),
        (f"#BOS 1\na\tN\t--\t--\t500\tX\n{ROW[ROW.index('#') :]}#EOS 1\n", "columns", 2, 1),
    ],
)
def test_what_else_is_listed(text: str, kind: str, line: int, sentence: int | None):
    treebank = read(text, "export")
    (problem,) = treebank.problems
    assert (problem.kind, problem.line, problem.sentence) == (kind, line, sentence)
    assert len(treebank) == text.count("#BOS")


# ---------------------------------------------------------------------------------------------------------- round trips


@given(st.lists(st.none() | randoms, min_size=1, max_size=4))
def test_what_is_written_is_read_again(sources: list[Random | None]):
    corpus = [random and random_discontinuous(random, functions=True)[0] for random in sources]
    nothing = Tree((), (), (), (), ())
    again = read(FORMATS["export"].write(corpus), "export")
    assert trees(again) == [tree or nothing for tree in corpus]
    assert again.problems == []
    treebank = read(FORMATS["discbracket"].write(corpus), "discbracket")
    assert [tree.to_string("discbracket") for tree in trees(treebank)] == [
        tree.to_string("discbracket") if tree else "" for tree in corpus
    ]
    assert [tree.words for tree in trees(treebank)] == [tree.words if tree else () for tree in corpus]
    for i, tree in enumerate(corpus):
        if tree is not None:
            assert Tree.from_string(treebank.source(i), treebank.notation) == treebank.tree(i)
            assert Tree.from_string(again.source(i), again.notation) == treebank.tree(i)


@given(st.lists(forests(), min_size=1, max_size=4))
def test_continuous_trees_go_through_both(corpus: list[list[Nested]]):
    made = [Tree.from_string(text_of(forest)) for forest in corpus]
    for name in ("export", "discbracket"):
        treebank = read(FORMATS[name].write(made), name)
        assert trees(treebank) == made
        assert treebank.position is None


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ("(S (NP) (N a))", "sentence 2: NEGRA export cannot hold a bracket without words"),
        ("(S (N #500))", "cannot hold the word '#500', which means something else in it"),
        ("(S (N %%))", "cannot hold the word '%%'"),
        ("(S (N #EOS))", "cannot hold the word '#EOS'"),
        ("(S (-- a))", "cannot hold the tag '--'"),
        ("(-- (N a))", "cannot hold the label '--'"),
        ("(S (N a\x0bb))", None),
    ],
)
def test_what_cannot_be_written(tree: str, message: str | None):
    made = Tree.from_string(tree)
    if message is None:
        assert FORMATS["export"].write([made])
        return
    with pytest.raises(ParameterError, match=message):
        FORMATS["export"].write([None, made])


def test_discbracket_cannot_hold_empty_brackets():
    with pytest.raises(ParameterError, match="sentence 1: discbracket cannot hold a bracket without words"):
        FORMATS["discbracket"].write([Tree.from_string("(S (NP) (N a))")])


# ---------------------------------------------------------------------------------------------------------- discbracket


def test_positions_that_are_wrong_are_listed():
    treebank = read(f"{TREE}\n(S (A 0=a) (B 0=b))\n(S (A a) (B 1=b))\n(())\n(S (A 0=a)\n")
    assert [len(tree.words) for tree in trees(treebank)] == [4, 0, 0, 0, 0]
    assert [(one.kind, one.line, one.sentence) for one in treebank.problems] == [
        ("unbalanced", 5, 5),
        ("index", 2, 2),
        ("index", 3, 3),
    ]
    assert treebank.format == treebank.notation == "discbracket"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (str(TREE), "discbracket"),
        ("(())\n(S (N 0=a))", "discbracket"),
        ("(S (N 0=a) (N b))", "ptb"),
        (SENTENCE, "export"),
        (FOUR, "export"),
        ("\n#BOT ORIGIN\n", "export"),
    ],
)
def test_the_format_is_guessed_from_the_content(text: str, name: str):
    assert guess_format(Source.from_bytes(text.encode(), "x")) == name


# ----------------------------------------------------------------------------------------------------------------- runs


@pytest.mark.parametrize("name", ["export", "tigerxml", "discbracket"])
def test_runs_hold_trees_of_any_format_and_those_that_follow_evalb_continuous_ones_alone(tmp_path: Path, name: str):
    plain = Tree.from_string("(S (NP (N a)) (VP (V b)))")
    (tmp_path / "plain").write_text(FORMATS[name].write([plain, plain]))
    (tmp_path / "odd").write_text(FORMATS[name].write([plain, TREE]))
    run = score(tmp_path / "plain", {"same": tmp_path / "plain"}, preset="collins")
    assert run.sentences("same")["f1"].tolist() == [1, 1]
    assert run.tree(1) == plain
    run = score(tmp_path / "odd", {"same": tmp_path / "odd"}, preset="none")
    assert run.sentences("same")["f1"].tolist() == [1, 1]
    assert run.tree(2).words == TREE.words
    assert not run.tree(2).is_continuous
    for gold, test in (("odd", "plain"), ("plain", "odd")):
        with pytest.raises(InputError, match=r"odd:\d+: discontinuous constituents; expected continuous ones: evalb"):
            score(tmp_path / gold, {"it": tmp_path / test}, preset="collins")
