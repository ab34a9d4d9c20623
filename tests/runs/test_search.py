"""Looking for sentences in a run, and single columns of it, against going through the whole tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import evaltools
from evaltools.errors import ParameterError
from evaltools.frameworks.stored import trees_of
from evaltools.runs.locations import sample_folder
from evaltools.runs.sentences import columns, rows_of, with_label, with_text, with_word
from tests.resealing import change_table, reseal

if TYPE_CHECKING:
    from pathlib import Path

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


@pytest.mark.parametrize("word", ["the", "THE", "th", ".", "not a word"])
def test_words_are_whole(run: evaltools.Run, word: str):
    expected = [f" {word.lower()} " in f" {one.lower()} " for one in run.texts()["text"]]
    assert with_word(run, word).tolist() == expected


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


def test_rows_and_trees_come_in_the_order_asked_for(run: evaltools.Run):
    wanted = [7, 250, 3, 111, 112]
    found = rows_of(run, PARSER, wanted, ["ted", "la"])
    whole = run.sentences(PARSER).merge(run.texts(), on="sentence").set_index("sentence").loc[wanted].reset_index()
    assert found["sentence"].tolist() == wanted
    for column in found.columns:
        assert found[column].tolist() == pytest.approx(whole[column].tolist(), nan_ok=True), column
    assert len(rows_of(run, PARSER, [], ["ted"])) == 0
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
