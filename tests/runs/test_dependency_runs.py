"""Runs of dependency trees: from CoNLL files to figures, on corpora small enough to count by hand."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from evaltools import InputError, Run, score
from evaltools.corpus import DependencyTree
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.alignment import align_dependencies
from evaltools.frameworks.dependency.stored import DIRECTIONS, DISTANCES
from evaltools.frameworks.registry import METRICS
from evaltools.runs import scoring
from tests.conftest import few_examples
from tests.runs.dependency_files import NEAR, OTHER, PASSIVE, TREE, conllu, data
from tests.slow import attachment as slow
from tests.slow.dependency_pairs import dependency_pairs

IDS = ["uas", "las", "label", "la_exact", "la"]


def figures(run: Run, parser: str = "p") -> pd.DataFrame:
    summary = run.summary()
    return summary[summary["parser"] == parser].set_index("metric")


@pytest.fixture(scope="module")
def run() -> Run:
    """Give a run of five sentences: equal, near, missing, other words, equal but for subtypes."""
    gold = data(TREE, TREE, TREE, TREE, PASSIVE)
    bare = DependencyTree(PASSIVE.forms, PASSIVE.heads, ("nsubj", "aux", "root"))
    return score(gold, {"p": data(TREE, NEAR, None, OTHER, bare), "same": data(TREE, TREE, TREE, TREE, PASSIVE)})


def test_the_kind_is_that_of_the_gold_file(run: Run):
    assert run.kind == "dependency"
    assert run.meta["kind"] == "dependency"
    assert run.metrics[:5] == IDS
    assert all(METRICS[name].family.id == "ud" for name in run.metrics[5:])
    assert "punctuation:keep|subtypes:drop" in run.signature
    assert score(io.BytesIO(b"(S (N a))"), {"p": io.BytesIO(b"(S (N a))")}).kind == "constituency"


def test_statuses_and_sentences(run: Run):
    rows = run.sentences("p")
    assert list(rows.columns[:9]) == ["parser", "sentence", "words", "status", *IDS]
    assert rows["status"].tolist() == ["ok", "ok", "missing", "words_differ", "ok"]
    assert rows["words"].tolist() == [5, 5, 5, 5, 3]
    assert rows["las"].tolist()[:2] == [1.0, pytest.approx(3 / 5)]
    assert rows["las"].isna().tolist()[2]
    assert rows["dep_aligned"].tolist() == [5, 5, 0, 4, 3]
    assert [entry["scored"] for entry in run.meta["parsers"]] == [4, 5]
    assert [entry["words_aligned"] for entry in run.meta["parsers"]] == [1, 0]


def test_figures_by_hand(run: Run):
    # heads 5 + 4 + 3, heads and relations 5 + 3 + 3, relations 5 + 4 + 3 of 13 words in the sentences of equal words
    rows = run.counts("p")
    rows = rows[rows["status"] == "ok"]
    assert [rows[name].sum() for name in ("dep_gold", "uas_right", "las_right", "label_right")] == [13, 12, 11, 12]
    # over all sentences: the missing one has nothing right; where “see” stands for “saw”, only “the” and its head agree
    every = figures(run)["pooled_all"]
    gold, test = 13 + 5 + 5, 13 + 5
    assert every["uas"] == pytest.approx(2 * (12 + 1) / (gold + test))
    assert (figures(run, "same").loc[IDS, ["pooled", "mean", "pooled_all"]] == 1).all(axis=None)


def test_subtypes_count_on_request():
    bare = DependencyTree(PASSIVE.forms, PASSIVE.heads, ("nsubj", "aux", "root"))
    kept = score(data(PASSIVE), {"p": data(bare)}, subtypes=True)
    assert figures(kept)["pooled"]["las"] == pytest.approx(1 / 3)
    assert figures(kept)["pooled"]["uas"] == 1
    assert "subtypes:keep" in kept.signature
    assert kept.labels("p")["label"].tolist() == ["root", "aux:pass", "nsubj:pass", "aux", "nsubj"]


@pytest.mark.parametrize("way", ["upos", "unicode"])
def test_punctuation_is_left_out_on_request(way: str):
    run = score(data(TREE), {"p": data(NEAR)}, punctuation=way)
    assert run.sentences("p").loc[0, "words"] == 5
    assert run.sentences("p").loc[0, "words_scored"] == 4
    assert run.words("p")["form"].tolist() == ["I", "saw", "the", "stars"]
    assert figures(run)["pooled"]["uas"] == 1
    assert figures(run)["pooled"]["las"] == pytest.approx(3 / 4)
    assert f"punctuation {way}" in run.meta["preset_rules"]


def test_the_words_table(run: Run):
    rows = run.words("p", 2)
    assert rows["word"].tolist() == [1, 2, 3, 4, 5]
    assert rows["head"].tolist() == [2, 0, 4, 2, 2]
    assert rows["test_head"].tolist() == [2, 0, 4, 2, 4]
    assert rows["relation"].tolist() == list(TREE.relations)
    assert rows["test_relation"].tolist() == list(NEAR.relations)
    assert rows["head_right"].tolist() == [True, True, True, True, False]
    assert rows["relation_right"].tolist() == [True, True, True, False, True]
    assert rows["test_tag"].tolist() == ["PRON", "VERB", "DET", "NOUN", "X"]
    assert rows["la_exact"].tolist()[:2] == [1, 1]
    other = run.words("p", 4)
    assert other["test_word"].isna().tolist() == [False, True, False, False, False]


def test_trees_texts_and_alignments(run: Run):
    assert run.text(1) == list(TREE.forms)
    assert run.texts()["text"].tolist()[0] == "I saw the stars ."
    tree = run.tree(2, "p")
    assert isinstance(tree, DependencyTree)
    assert tree == NEAR
    assert run.tree(3, "p") is None
    a = run.alignment(2, "p")
    assert isinstance(a, DependencyAlignment)
    assert a.scores == align_dependencies(TREE, NEAR).scores
    assert run.alignment(3, "p").status == "missing"
    assert run.alignment(2, "p", "same").scores["las"] == pytest.approx(3 / 5)


def test_relations_have_recall_and_precision(run: Run):
    rows = run.labels("p").set_index("label")
    # three scored sentences: nsubj three times, det twice, obj taken for obl once
    assert rows.loc["nsubj", ["gold", "test", "matched"]].tolist() == [3, 3, 3]
    assert rows.loc["obj", ["gold", "test", "matched", "labeled"]].tolist() == [2, 1, 1, 1]
    assert rows.loc["punct", ["gold", "test", "matched", "labeled"]].tolist() == [2, 2, 1, 2]
    assert np.isnan(rows.loc["obl", "recall"])
    assert rows.loc["obj", ["recall", "precision", "f1"]].tolist() == pytest.approx([1 / 2, 1, 2 / 3])
    assert list(run.labels()["parser"].unique()) == ["p", "same"]


def test_attachment_by_distance_and_direction(run: Run):
    rows = run.attachments("p").set_index(["by", "bin"])
    assert rows.loc[("distance", "root"), ["gold", "test"]].tolist() == [3, 3]
    # the full stop hangs from “saw”, three words away; once in the test tree from “stars”, next to it
    assert rows.loc[("distance", "3–6"), ["gold", "test"]].tolist() == [2, 1]
    assert rows.loc[("distance", "3–6"), "uas_recall"] == pytest.approx(1 / 2)
    assert rows.loc[("distance", "3–6"), "uas_precision"] == 1
    assert rows.loc[("direction", "left"), "gold"] == 4
    assert rows["gold"].groupby(level="by").sum().tolist() == [13, 13]
    assert run.attachments()["by"].unique().tolist() == ["distance", "direction"]


def test_problems_name_line_found_and_expected(run: Run):
    rows = run.problems()
    assert sorted(rows["kind"]) == ["texts_differ", "words_differ"]
    rows = rows[rows["kind"] == "words_differ"].reset_index(drop=True)
    assert rows.loc[0, ["parser", "sentence", "found"]].tolist() == ["p", 4, "word 2 'see'"]
    assert rows.loc[0, "expected"].startswith("word 2 'saw', as in ")
    assert rows.loc[0, "line"] > 1
    broken = conllu(TREE, TREE).replace("\t2\tobj", "\t9\tobj", 1).replace("\t0\troot", "\t4\troot", 2)
    made = score(data(TREE, TREE), {"p": io.BytesIO(broken.encode())})
    assert set(made.problems()["kind"]) >= {"head_range", "no_root"}
    assert made.sentences("p")["status"].tolist() == ["missing", "missing"]


# ----------------------------------------------------------------------------------------------------- what is wrong


def test_files_of_different_kinds():
    with pytest.raises(InputError, match=r"constituency trees .*; expected dependency trees.*crossframework"):
        score(data(TREE), {"p": io.BytesIO(b"(S (N a))\n")})
    with pytest.raises(InputError, match=r"dependency trees .*; expected constituency trees.*crossframework"):
        score(io.BytesIO(b"(S (N a))\n"), {"p": data(TREE)})


# ------------------------------------------------------------------------------------- verified, in chunks


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    trees = {"gold": [TREE, PASSIVE] * 7, "p": [NEAR, None] * 7}
    paths = {name: tmp_path / f"{name}.conllu" for name in trees}
    for name, path in paths.items():
        path.write_text(conllu(*trees[name]), "utf-8")
    return paths


def test_a_worker_elsewhere_has_the_same_results(files: dict[str, Path], tmp_path: Path):
    from evaltools.runs import cluster

    class Remote(scoring.Threads):
        """Pack every chunk as for a cluster, and score what is unpacked."""

        def submit(self, chunk):
            sent = pickle.loads(pickle.dumps(cluster._needed(chunk)))  # as Dask does
            return [self._pool.submit(cluster._score, cluster._version(), sent)]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scoring, "Threads", Remote)
        run = score(files["gold"], {"p": files["p"]}, out=tmp_path / "run")
    assert run.summary().equals(score(files["gold"], {"p": files["p"]}).summary())


@given(st.lists(dependency_pairs(), min_size=1, max_size=4), st.booleans())
@few_examples
def test_a_run_says_what_its_alignments_say(pairs: list[tuple[DependencyTree, DependencyTree]], subtypes: bool):
    gold, test = ([pair[side] for pair in pairs] for side in (0, 1))
    run = score(data(*gold), {"p": data(*test)}, format="conllu", subtypes=subtypes)
    rows = run.sentences("p")
    for number, pair in enumerate(pairs):
        a = align_dependencies(*pair, subtypes=subtypes)
        for name in IDS:
            assert rows.loc[number, name] == pytest.approx(a.scores[name])
        assert run.alignment(number + 1, "p").scores == a.scores


@given(st.lists(dependency_pairs(most_words=14), min_size=1, max_size=4), st.booleans())
@few_examples
def test_groups_are_those_of_the_definition(pairs: list[tuple[DependencyTree, DependencyTree]], subtypes: bool):
    gold, test = ([pair[side] for pair in pairs] for side in (0, 1))
    run = score(data(*gold), {"p": data(*test)}, format="conllu", subtypes=subtypes)
    rows = run.attachments("p")
    for by, names in (("distance", DISTANCES), ("direction", DIRECTIONS)):
        expected = slow.attachment_groups(pairs, by, subtypes=subtypes)
        of_kind = rows[rows["by"] == by].set_index("bin")
        assert of_kind.index.tolist() == [name for name in names if name in expected]
        assert of_kind["gold"].tolist() == [expected[name]["gold"] for name in of_kind.index]
        for metric in ("uas", "las"):
            for share, total in (("recall", "gold"), ("precision", "test")):
                shares = [
                    expected[name][metric] / expected[name][total] if expected[name][total] else float("nan")
                    for name in of_kind.index
                ]
                assert of_kind[f"{metric}_{share}"].tolist() == pytest.approx(shares, nan_ok=True)
    relations = run.labels("p").set_index("label")
    expected = slow.attachment_groups(pairs, "relation", subtypes=subtypes)
    assert set(relations.index) == set(expected)
    for name, counts in expected.items():
        assert relations.loc[name, ["gold", "test", "matched"]].tolist() == [
            counts["gold"],
            counts["test"],
            counts["las"],
        ]
