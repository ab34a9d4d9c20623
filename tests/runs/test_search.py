"""Looking for sentences in a run, their words, counts and scores, against going through the whole tables."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools import METRICS, Tree, Treebank
from evaltools.analysis.contributions import label_bits
from evaltools.errors import ParameterError
from evaltools.formats import Source, read_treebank
from evaltools.frameworks.constituency.tables import trees_table, words_joined
from evaltools.frameworks.figures import Sentences
from evaltools.frameworks.stored import trees_of
from evaltools.runs.locations import sample_folder
from evaltools.runs.sentences import OVER, columns, sentence_counts, texts_of, with_label, with_text
from tests.pages.tiny import HOSTILE_PARSER, score_tiny
from tests.resealing import change_table, reseal
from tests.slow.trees import forests, text_of

PARSER = "pcfg-plain"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    folder = sample_folder()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evaltools.runs.scoring._SENTENCES_PER_CHUNK", 40)
        parsers = {name: folder / "parsers" / f"{name}.ptb" for name in (PARSER, "shift-reduce")}
        return evaltools.score(folder / "gold.ptb", parsers, out=tmp_path_factory.mktemp("search") / "run")


@pytest.mark.parametrize("text", ["the", "The ", " of", "%", "_", "a.b", "'", "nowhere at all", "é", "É"])
def test_text_is_found_whatever_its_capitals(run: evaltools.Run, text: str):
    expected = [text.lower() in one.lower() for one in run.texts()["text"]]
    assert with_text(run, text).tolist() == expected


@pytest.mark.parametrize("pattern", ["^the", r"\b[a-z]{12,}\b", "(a|b) +c", r"\d", "$", "^$"])
def test_regular_expressions(run: evaltools.Run, pattern: str):
    expected = [bool(re.search(pattern, one, re.IGNORECASE)) for one in run.texts()["text"]]
    assert with_text(run, pattern, regex=True).tolist() == expected


def test_a_regular_expression_that_cannot_be_read_is_explained(run: evaltools.Run):
    with pytest.raises(ParameterError, match="missing"):
        with_text(run, "(open", regex=True)


def test_labels_are_looked_for_in_both_trees(run: evaltools.Run):
    brackets = run.brackets(PARSER)
    phrases = brackets[(brackets["gold_kind"] == "phrase") | (brackets["test_kind"] == "phrase")]
    every = run.brackets().query("gold_kind == 'phrase' or test_kind == 'phrase'")
    assert run.meta["labels"] == sorted(set(every["label"]))
    for label in ("NP", "FRAG", "SBAR", "none such", "NP S", "N", ""):
        expected = set(phrases.loc[phrases["label"] == label, "sentence"])
        assert set((np.flatnonzero(with_label(run, PARSER, label)) + 1).tolist()) == expected


def test_columns_are_those_of_the_table(run: evaltools.Run):
    rows = run.sentences(PARSER)
    known, _ = columns(run, PARSER, ())
    assert known is not None
    assert known.words.tolist() == rows["words"].tolist()
    for status in ("ok", "missing", "words_differ"):
        counts = run.counts(PARSER)["sentences"].gt(0) | rows["status"].eq("ok")
        assert known.has_status(status).tolist() == (rows["status"].eq(status) & counts).tolist()
    _, found = columns(run, PARSER, run.metrics)
    assert list(found) == run.metrics
    for metric in run.metrics:
        np.testing.assert_array_equal(found[metric], rows[metric])


def test_texts_and_trees_come_in_the_order_asked_for(run: evaltools.Run):
    wanted = [7, 250, 3, 111, 112]
    assert texts_of(run, np.array(wanted)) == run.texts().set_index("sentence").loc[wanted, "text"].tolist()
    trees, notation = trees_of(run, PARSER, wanted)
    assert notation == "ptb"
    for number in wanted:
        tree = run.tree(number, PARSER)
        assert (trees[number] is None) == (tree is None)
        if tree is not None:
            assert evaltools.Tree.from_string(trees[number]) == tree


def test_sentences_that_a_damaged_run_does_not_have_are_left_out(run: evaltools.Run, tmp_path: Path):
    damaged = run.save(tmp_path / "damaged")

    def shifted(rows: pa.Table) -> pa.Table:
        place = rows.schema.get_field_index("sentence")
        return rows.set_column(place, "sentence", pc.add(rows["sentence"], pa.scalar(10, pa.int32())))

    for table in ("sentences", "trees"):
        change_table(damaged, table, shifted)
    reseal(damaged.path)
    damaged = evaltools.Run(damaged.path)
    scores, before = (columns(one, PARSER, ["ted"])[1]["ted"] for one in (damaged, run))
    assert np.isnan(scores[:10]).all()
    np.testing.assert_array_equal(scores[10:], before[:-10])
    assert not with_text(damaged, "e")[:10].any()


# ------------------------------------------------------------------------------------------------------------- counts


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    return score_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("metric", ["f1", "ted_jaccard", "la_exact", "crossing"])
def test_they_are_those_of_the_table(tiny: evaltools.Run, metric: str, over: str):
    one = METRICS[metric]
    for parser in tiny.parsers:
        frame = tiny.counts(parser)
        found = sentence_counts(tiny, parser, metric, over)
        every = over == "all"
        mask = Sentences(frame).members(one, every=every)
        assert np.array_equal(found.mask, mask)
        for name, values in Sentences(frame).counts(one, every=every).items():
            assert np.array_equal(found.counts[name], np.where(mask, np.nan_to_num(values), 0))
        assert np.allclose(found.score, Sentences(frame).scores(one, every=every), equal_nan=True)
        assert np.array_equal(found.words, frame["words"])
        assert np.array_equal(found.missing, frame["status"] == "missing")
        assert np.array_equal(found.lost >= 0, frame["status"] == "words_differ")
        assert len(found) == tiny.n_sentences


def test_words_of_the_gold_tree_that_a_parse_does_not_have(tmp_path: Path):
    gold = "(S (A a) (B b) (C c))\n(S (A a) (B b))\n"
    (tmp_path / "gold").write_text(gold)
    (tmp_path / "test").write_text("(S (A a) (X xx) (C c))\n(S (A a) (B b))\n")
    other = evaltools.score(tmp_path / "gold", {"p": tmp_path / "test"}, out=tmp_path / "run")
    frame = other.counts("p")
    lost = int(frame["words_scored"].iloc[0] - frame["words_aligned"].iloc[0])
    assert sentence_counts(other, "p", "f1").lost.tolist() == [lost, -1]


def test_a_bit_for_each_label(tiny: evaltools.Run):
    labels, bits = label_bits(tiny, ("better", HOSTILE_PARSER))
    assert "NP" in labels
    assert "<script>" in labels
    assert "$x$" not in labels  # of a parser only
    for place, label in enumerate(labels):
        # the better parser's trees are the gold trees
        assert np.array_equal((bits >> place) & 1 == 1, with_label(tiny, "better", label))


def test_what_is_unknown_is_said(tiny: evaltools.Run):
    for arguments in (("nobody", "ted"), ("better", "las"), ("better", "ted", "some")):
        with pytest.raises(ParameterError, match="unknown"):
            sentence_counts(tiny, *arguments)


def texts(content: str, notation: str = "ptb") -> tuple[list[str | None], list[str | None]]:
    """Return the texts that the table has, and those of the trees one by one."""
    treebank = read_treebank(Source.from_bytes(content.encode("utf-8"), "gold"), notation)
    slow = [" ".join(tree.words) if len(tree := treebank.tree(i)) else None for i in range(len(treebank))]
    return trees_table(None, treebank, treebank)["text"].tolist(), slow


@given(st.lists(forests(), min_size=1, max_size=5))
def test_generated_trees(trees):
    fast, slow = texts("\n".join(map(text_of, trees)))
    assert fast == slow


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("( (S (NP (X a) b) c))", "ptb"),
        ("(())\n(S ( a b) (-LRB- -LRB-) ($ $) ([ ]))\n(())", "ptb"),
        ("(A (P this) (Q is\u00a0so))", "ptb"),
        ("(A\n(B é)\n (C \U0001f600)\n)", "ptb"),
        ("[S [N1 two [N1 tax revision ] bills ] (were) passed ]", "sampson"),
    ],
)
def test_odd_trees(text: str, notation: str):
    fast, slow = texts(text, notation)
    assert fast == slow


def test_words_of_a_discontinuous_tree_are_in_the_order_of_the_sentence():
    trees = ["(S (VP (VB 0=is) (JJ 2=rich)) (NP 1=John) (? 3=?))", "(S (NP 1=Ann) (VB 0=is))"]
    treebank = Treebank.from_trees([Tree.from_string(tree, "discbracket") for tree in trees])
    assert treebank.position is not None
    assert words_joined(treebank) == ["is John rich ?", "is Ann"]


def test_a_run_has_them_in_order_and_nothing_for_a_blank_gold_tree(tmp_path: Path):
    gold = tmp_path / "gold.ptb"
    gold.write_text("(S (A one) (B two))\n(())\n(S (A three))\n")
    run = evaltools.score(gold, {"it": gold}, out=tmp_path / "run")
    assert run.texts().to_dict("list") == {"sentence": [1, 2, 3], "text": ["one two", "", "three"]}
    assert run.query("select count(text) as n from trees where parser is not null")["n"].tolist() == [0]
