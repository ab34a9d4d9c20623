"""Classes of sentences: every sentence that counts is in one, or in those whose label it has."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evaltools
from evaltools import METRICS, ParameterError
from evaltools.analysis.comparison import carriers, compare_in_run
from evaltools.analysis.contributions import class_families, error_family
from evaltools.outputs.comparison import comparison_report
from evaltools.runs.sentences import sentence_counts

GOLD = [
    "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))",
    "(S (NP (PRP she)) (VP (VBD saw) (NP (PRP him))))",
    "(S (VP (VB go)))",
    "(S (NP (NN a) (NN b)) (VP (V c) (NP (NN d) (NN e) (NN f))))",
    "(S (NP (NN a) (NN b) (NN c)) (VP (V d)))",
]
OTHER = [
    "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))",
    "(S (NP (PRP she)) (VP (VBD saw)) (NP (PRP him)))",
    "(())",
    "(S (NP (NN x)) (VP (V c)))",
    "(S (NP (NN a) (NN b) (NN c)) (VP (V dd)))",
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    folder: Path = tmp_path_factory.mktemp("classes")
    for name, lines in {"gold": GOLD, "other": OTHER}.items():
        (folder / name).write_text("".join(line + "\n" for line in lines))
    parsers = {"right": folder / "gold", "other": folder / "other"}
    return evaltools.score(folder / "gold", parsers, out=folder / "run")


def names_of(run: evaltools.Run, over: str) -> dict[str, list[list[str]]]:
    """Return for each family the classes of every sentence."""
    metric = METRICS["f1"]
    first, second = (sentence_counts(run, parser, metric.id, over) for parser in ("right", "other"))
    families = class_families(run, metric, ("right", "other"), (first, second))
    return {
        one.id: [
            [name for place, name in enumerate(one.names) if one.mask(place)[sentence]] for sentence in range(len(GOLD))
        ]
        for one in families
    }


def test_the_classes_of_five_sentences(run: evaltools.Run):
    found = names_of(run, "all")
    assert list(found) == ["length", "better", "words", "label"]
    assert found["length"] == [["3"], ["3"], ["1"], ["6+"], ["4"]]
    assert found["better"][:3] == [["equal scores"], ["right is better"], ["right is better"]]
    assert found["words"][:3] == [["same tokens"], ["same tokens"], ["no parse"]]
    assert found["words"][3] == ["3 or more gold words lost"]
    assert found["label"] == [["NP", "S", "VP"]] * 2 + [["S", "VP"]] + [["NP", "S", "VP"]] * 2


def test_sentences_that_do_not_count_are_in_no_class(run: evaltools.Run):
    for classes in names_of(run, "scored").values():
        assert [bool(one) for one in classes] == [True, True, False, True, True]


def test_types_of_errors(run: evaltools.Run):
    found = compare_in_run(run, "f1", "right", "other", iterations=9, errors=True)
    family = found.families[-1]
    assert family.id == "error"
    assert family.overlap
    assert [bool(bits) for bits in family.bits] == [False, True, False, False, False]  # where the words are the same
    sides = tuple(sentence_counts(run, parser, "f1") for parser in ("right", "other"))
    assert error_family((sides[0], sides[1]), [pd.DataFrame({"sentence": [], "type": []})]) is None


def test_labels_that_carry_more_than_their_weight_come_first(run: evaltools.Run):
    found = compare_in_run(run, "f1", "right", "other", iterations=9)
    rows = carriers(found.classes)
    assert len(rows) == len(found.classes)
    labels = rows[rows["family"] == "label"]
    beyond = labels["contribution"] - labels["weight"] * found.comparison.difference
    assert found.comparison.difference > 0
    assert (np.diff(beyond) <= 1e-12).all()
    assert rows[rows["family"] == "length"]["place"].is_monotonic_increasing


def test_what_is_no_share_of_the_difference_is_no_percentage(run: evaltools.Run):
    found = compare_in_run(run, "f1", "right", "other", iterations=9)
    classes = found.classes.assign(share=[float("nan"), *[0.5] * (len(found.classes) - 1)])
    text = comparison_report(run, replace(found, classes=classes), 1, "text", all_tables=True)
    assert "–: the class works against it, or is more than all of it because others do" in text
    assert re.search(r" – +\d+\.\d %\n", text)
    assert "nan" not in text


def test_an_effect_of_the_other_sign_is_explained(tmp_path: Path):
    # a is better in two short sentences, b in a long one
    short, long = "(S (A (P a) (P b)) (P c))\n", "(S (A (P a) (P b)) (B (P c) (P d)) (C (P e) (P f)) (D (P g) (P h)))\n"
    (tmp_path / "gold.ptb").write_text(short * 2 + long)
    (tmp_path / "a.ptb").write_text(short * 2 + long.replace("(A", "(V").replace("(B", "(W").replace("(C", "(X"))
    (tmp_path / "b.ptb").write_text(short.replace("(A", "(V") * 2 + long)
    run = evaltools.score(tmp_path / "gold.ptb", {"a": tmp_path / "a.ptb", "b": tmp_path / "b.ptb"})
    found = compare_in_run(run, "f1", "a", "b", iterations=9)
    assert found.comparison.difference < 0 < found.effect.d_z  # 6 of 9 against 7 of 9; macro .80 against .67
    assert "d_z has the other sign than the difference: it weighs all sentences alike" in comparison_report(
        run, found, 1, "text", all_tables=True
    )
    turned = compare_in_run(run, "f1", "a", "b", figure="mean", iterations=9)
    assert "other sign" not in comparison_report(run, turned, 1, "text", all_tables=True)


def test_error_types_are_those_of_constituents(run: evaltools.Run, tmp_path: Path):
    row = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "d.conllu").write_text(row)
    other = evaltools.score(tmp_path / "d.conllu", {"a": tmp_path / "d.conllu", "b": tmp_path / "d.conllu"})
    with pytest.raises(ParameterError, match="constituency"):
        compare_in_run(other, "las", "a", "b", errors=True)
    found = compare_in_run(other, "las", "a", "b", iterations=9)
    assert [one.id for one in found.families] == ["length", "better", "relation"]
    assert found.classes["share"].isna().all()
