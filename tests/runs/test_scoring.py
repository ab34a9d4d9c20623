"""Scoring from files to figures, on corpora small enough to count by hand."""

from __future__ import annotations

import hashlib
import io
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools import METRICS, CostTable, InputError, ParameterError, Preset, Run, RunError, Tree, align, score
from evaltools.analysis.explain import explain
from evaltools.errors import Cancelled
from evaltools.frameworks.common.tables import label_figures
from evaltools.kernels import tree_distance
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from evaltools.progress import Progress
from evaltools.runs.sums import sum_sentences
from tests.conftest import few_examples
from tests.slow.trees import LABELS, perturbed, random_forest, randoms, text_of

GOLD = "(S (NP (N a)) (VP (V b) (NP (N c))))"
NEAR = "(S (NP (N a)) (VP (V b)) (NP (N c)))"
OTHER = "(S (NP (N a)) (VP (V x) (NP (N c))))"
DOT = "(S (. .))"


def data(*lines: str) -> io.BytesIO:
    return io.BytesIO(("\n".join(lines) + "\n").encode())


NUMBERS = [
    *("crossing", "errors", "errors_per_100_words"),
    *("recall_discontinuous", "precision_discontinuous", "f1_discontinuous"),
]
"""Metrics that count errors, and those that are undefined for continuous trees."""


def figures(run: Run, parser: str = "p") -> pd.DataFrame:
    summary = run.summary()
    return summary[summary["parser"] == parser].set_index("metric")


@pytest.fixture(scope="module")
def run() -> Run:
    """Give a run of six sentences: equal, near, missing, other words, punctuation only, gold and test blank."""
    gold = data(GOLD, GOLD, GOLD, GOLD, DOT, "", GOLD)
    return score(gold, {"p": data(GOLD, NEAR, "(())", OTHER, DOT, "", GOLD), "same": data(*[GOLD] * 4, DOT, "", GOLD)})


def test_the_sentences_table(run: Run):
    rows = run.sentences()
    first = ["parser", "sentence", "words", "status", *run.metrics]
    assert rows.columns[: len(first)].tolist() == first
    assert rows["parser"].tolist() == ["p"] * 7 + ["same"] * 7
    assert rows["sentence"].tolist() == [*range(1, 8)] * 2
    assert rows["words"].tolist() == [3, 3, 3, 3, 1, 0, 3] * 2
    assert rows["status"].tolist()[:7] == ["ok", "ok", "missing", "words_differ", "missing", "missing", "ok"]
    counts = {f"e_{what}_{part}" for what in ("gold", "test", "matched") for part in ("roof", "whole")}
    counts |= {f"t_{what}" for what in ("gold", "test", "deleted", "inserted", "swapped", "matched")}
    assert counts <= set(rows.columns)
    assert all(rows[metric].dtype == np.float64 for metric in run.metrics)


def test_scores_of_single_sentences(run: Run):
    rows = run.sentences("p").set_index("sentence")
    assert rows.loc[1, ["f1", "ted", "la_exact", "exact"]].tolist() == [1, 1, 1, 1]
    # near: S and NP, NP match; VP does not. T moves the second NP: it keeps all nodes but cannot keep VP's daughter
    assert rows.loc[2, ["e_gold_roof", "e_test_roof", "e_matched_roof"]].tolist() == [4, 4, 3]
    assert rows.loc[2, "f1"] == 0.75
    assert rows.loc[3, run.metrics].isna().all()
    # other words: a and c are aligned, b and x are not; all phrases cover the same of a and c, the tags V cover nothing
    assert rows.loc[4, ["words_aligned", "e_gold_roof", "e_test_roof", "e_matched_roof"]].tolist() == [2, 4, 4, 4]
    assert rows.loc[4, ["e_gold_whole", "e_matched_whole", "e_tags", "e_tags_correct"]].tolist() == [7, 6, 3, 2]
    assert rows.loc[4, ["la_words", "la_exact_sum", "la_exact"]].tolist() == [2, 2, 1]
    assert rows.loc[[1, 2, 3, 5, 6, 7], "words_aligned"].isna().all()
    assert rows.loc[4, ["t_swapped", "t_deleted", "t_inserted"]].tolist() == [1, 0, 0]
    assert rows.loc[4, "ted"] == 1 - 1 / 16
    assert rows.loc[5:6, run.metrics].isna().all(axis=None)


def test_scored_sentences_only(run: Run):
    table = figures(run)
    figures_of = ["pooled", "mean", "n", "n_words_differ"]
    assert table.loc["f1", figures_of].tolist() == [2 * 15 / 32, (1 + 0.75 + 1 + 1) / 4, 4, 1]
    assert table.loc["exact", "pooled"] == 3 / 4
    assert table.loc["ted", ["n", "n_words_differ"]].tolist() == [4, 1]
    la = align(GOLD, NEAR).scores["la_exact"]
    assert table.loc["la_exact", "pooled"] == pytest.approx((3 + 3 * la + 2 + 3) / 11)
    assert table.loc["la_exact", "mean"] == pytest.approx((1 + la + 1 + 1) / 4)


def test_recall_and_precision_of_a_label_are_shares_of_its_gold_and_its_test_brackets():
    rows = pd.DataFrame({"parser": "p", "label": ["NP"], "gold": [8], "test": [4], "matched": [2]})
    (row,) = label_figures(rows, ["p"]).to_dict("records")
    assert (row["recall"], row["precision"], row["f1"]) == (0.25, 0.5, 1 / 3)


def test_sentences_with_other_words_and_no_score_are_not_counted_as_aligned():
    run = score(data(GOLD, GOLD, GOLD), {"p": data(GOLD, OTHER, OTHER)}, preset="collins")
    table = figures(run)
    assert run.sentences("p")["status"].tolist() == ["ok", "words_differ", "words_differ"]
    assert table.loc["f1", ["n", "n_words_differ"]].tolist() == [1, 0]
    assert table.loc["ted", ["n", "n_words_differ"]].tolist() == [3, 2]


def test_every_sentence_an_unscored_one_as_nothing_matched(run: Run):
    table = figures(run)
    # gold 5 × 4 roof brackets, test 4 × 4, matched 4 + 3 + 0 + 4 + 4
    assert table.loc["recall", "pooled_all"] == 15 / 20
    assert table.loc["precision", "pooled_all"] == 15 / 16
    assert table.loc["f1", "pooled_all"] == 30 / 36
    assert table.loc["f1", "mean_all"] == pytest.approx((1 + 0.75 + 0 + 1 + 1) / 5)
    assert table.loc["exact", "pooled_all"] == table.loc["exact", "mean_all"] == 3 / 5
    assert table.loc["tagging", "pooled_all"] == 11 / 15
    near = align(GOLD, NEAR).counts
    la = align(GOLD, NEAR).scores["la_exact"]
    # LA: the word of the fourth sentence that is not aligned counts 0 here
    assert table.loc["la_exact", "mean_all"] == pytest.approx((1 + la + 0 + 2 / 3 + 1) / 5)
    assert table.loc["la_exact", "pooled_all"] == pytest.approx((3 + 3 * la + 2 + 3) / 15)
    # T: the missing tree is deleted whole, its 10 nodes with their words
    cost = sum(near[f"t_{name}"] for name in ("deleted", "inserted", "swapped"))
    assert table.loc["ted", "pooled"] == pytest.approx(1 - (cost + 1) / (3 * 14 + 16))
    assert table.loc["ted", "pooled_all"] == pytest.approx(1 - (cost + 1 + 10) / (3 * 14 + 16 + 10))
    assert table.loc["ted", "mean_all"] == pytest.approx((2 + (1 - cost / 14) + (1 - 1 / 16) + 0) / 5)
    rows = run.sentences("p").set_index("sentence")
    assert rows.loc[3, ["t_gold", "t_test", "t_deleted", "t_inserted"]].tolist() == [10, 0, 10, 0]


def test_a_gold_sentence_without_a_tree_is_not_scored_in_any_figure():
    run = score(data(GOLD, "", DOT), {"p": data(GOLD, NEAR, "(S (NP (N a) (N b)))")})
    assert run.sentences("p")["status"].tolist() == ["ok", "words_differ", "words_differ"]
    table = figures(run).drop(NUMBERS)
    assert (table[["pooled", "mean", "pooled_all", "mean_all"]] == 1).all(axis=None)
    assert len(run.problems()) == 2


def test_a_parser_without_any_tree():
    run = score(data(GOLD, GOLD), {"p": data("(())", ""), "q": data(GOLD, GOLD)})
    assert run.sentences("p")["status"].tolist() == ["missing"] * 2
    table = figures(run)
    assert table.loc["f1", ["pooled", "mean"]].isna().all()
    assert table.loc["f1", ["n", "pooled_all", "mean_all"]].tolist() == [0, 0, 0]
    assert run.brackets("p")["e_status"].unique().tolist() == ["missing"]
    assert run.alignment(1, "p").status == "missing"
    assert run.tree(1, "p") is None


def test_too_few_and_too_many_trees_are_listed():
    run = score(
        data(GOLD, GOLD), {"few": data(GOLD), "many": data(GOLD, GOLD, GOLD, GOLD), "even": data(GOLD, GOLD, "")}
    )
    problems = run.problems().set_index("parser")
    assert problems.index.tolist() == ["few", "many"]
    assert problems.loc["few", "kind"] == "too_few"
    assert problems.loc["few", "found"].startswith("1 sentence")
    assert (problems.loc["many", "kind"], problems.loc["many", "line"]) == ("surplus", 3)
    assert problems.loc["many", "found"].startswith("4 sentences")
    assert problems["expected"].str.startswith("2 sentences").all()
    assert [len(run.sentences(name)) for name in ("few", "many", "even")] == [2, 2, 2]
    assert run.sentences("few")["status"].tolist() == ["ok", "missing"]
    assert [entry["sentences"] for entry in run.meta["parsers"]][:2] == [1, 4]


def test_problems_of_every_file_are_kept_with_sentence_and_parser(tmp_path: Path):
    gold, test = tmp_path / "gold.ptb", tmp_path / "test.ptb"
    gold.write_bytes(data(GOLD, GOLD, GOLD, GOLD).getvalue())
    test.write_bytes(f"{GOLD}\n(S (N a)\n{OTHER}\n".encode() + b"(S (N \xe9))\n")
    problems = score(gold, {"p": test}).problems()
    assert set(problems["parser"]) == {"p"}
    assert set(problems["file"]) == {str(test)}
    lines = sorted(zip(problems["line"], problems["kind"], strict=True))
    assert lines == [(2, "unbalanced"), (3, "words_differ"), (4, "encoding")]
    of_sentence = problems.dropna(subset="sentence").set_index("sentence")
    assert of_sentence["line"].tolist() == of_sentence.index.tolist()
    assert of_sentence.loc[3, ["found", "expected"]].tolist() == ["word 2 'x'", f"word 2 'b', as in {gold}"]


def test_the_first_word_that_differs_is_named_under_equations_of_words(tmp_path: Path):
    rules = tmp_path / "eq.prm"
    rules.write_text("EQ_WORD a A\n")
    run = score(data("(S (N a) (N b))"), {"p": data("(S (N A) (N c))")}, preset=f"evalb:{rules}")
    (problem,) = run.problems().itertuples()
    assert problem.found == "word 2 'c'"
    assert problem.expected.startswith("word 2 'b'")


# -------------------------------------------------------------------------------------------------- words and brackets


def test_the_words_table(run: Run):
    rows = run.words("p")
    assert rows.groupby("sentence")["form"].apply(list).to_dict() == {n: ["a", "b", "c"] for n in (1, 2, 3, 4, 7)}
    assert set(rows["tag"]) == {"N", "V"}
    assert rows[rows["sentence"] == 3][["la_exact", "test_tag"]].isna().all(axis=None)
    aligned = rows[rows["sentence"] == 4][["test_word", "test_form", "match", "test_tag", "la_exact"]]
    assert aligned.iloc[[0, 2]].to_numpy().tolist() == [[1, "a", "exact", "N", 1], [3, "c", "exact", "N", 1]]
    assert aligned.iloc[1].isna().all()
    assert rows[rows["sentence"] != 4][["test_word", "test_form", "match"]].isna().all(axis=None)
    scored = rows[rows["sentence"].isin([1, 2, 7])]
    assert (scored["tag"] == scored["test_tag"]).all()
    means = scored.groupby("sentence")[["la_exact", "la"]].mean()
    sentences = run.sentences("p").set_index("sentence").loc[[1, 2, 7]]
    assert np.allclose(means, sentences[["la_exact", "la"]])
    assert run.words("p", 2)["position"].tolist() == [0, 1, 2]


def test_deleted_words_keep_the_places_of_the_others():
    run = score(data("(S (, ,) (N a) (. .) (N b))"), {"p": data("(S (, ,) (N a) (. .) (N b))")})
    rows = run.words("p")
    assert rows[["word", "position", "form"]].to_numpy().tolist() == [[2, 0, "a"], [4, 1, "b"]]


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    random = draw(randoms)
    sides: tuple[list[str], list[str]] = ([GOLD], [GOLD])
    for _ in range(random.randint(1, 5)):
        words = [random.choice("abcd") for _ in range(random.randint(1, 8))]
        gold = random_forest(random, words, labels=(*LABELS, ",", "NP-SBJ", "TOP"))
        test = perturbed(random, gold, random.randint(0, 4))
        if random.random() < 0.2:
            test = random_forest(random, words[1:] or ["x"])
        sides[0].append(text_of(gold))
        sides[1].append(text_of(test) if random.random() < 0.9 else "")
    return sides


@few_examples
@given(corpora(), st.sampled_from(["standard", "none", "collins"]))
@pytest.mark.slow
def test_tables_agree_with_the_counts_and_with_align(sides: tuple[list[str], list[str]], preset: str):
    run = score(data(*sides[0]), {"p": data(*sides[1])}, preset=preset)
    rows, words, brackets = run.sentences("p"), run.words("p"), run.brackets("p")
    for row in rows.to_dict("records"):
        number = row["sentence"]
        own = brackets[brackets["sentence"] == number]
        gold_phrase, test_phrase = own["gold_kind"] == "phrase", own["test_kind"] == "phrase"
        assert gold_phrase.sum() == row["e_gold_roof"]
        assert test_phrase.sum() == row["e_test_roof"]
        assert (gold_phrase & test_phrase).sum() == row["e_matched_roof"]
        assert (own["e_status"] != "spurious").sum() <= row["e_gold_whole"]
        assert (own["e_status"] == "missing").sum() == row["e_gold_whole"] - row["e_matched_whole"]
        assert (own["e_status"] == "spurious").sum() == row["e_test_whole"] - row["e_matched_whole"]
        assert (own["crossing"]).sum() == row["e_crossing_brackets"]
        similarities = words[words["sentence"] == number]["la_exact"]
        assert len(similarities) == row["words_scored"]
        if row["status"] == "ok":
            assert similarities.mean() == pytest.approx(row["la_exact"], nan_ok=True)
        a = run.alignment(number, "p")
        assert a.status == row["status"]
        for metric in run.metrics:
            expected = a.scores[metric]
            assert row[metric] == pytest.approx(math.nan if expected is None else expected, nan_ok=True)
        known = [name for name in a.counts if name in row and not pd.isna(row[name])]
        assert {name: row[name] for name in known} == pytest.approx(
            {name: a.counts[name] for name in known if name != "sentences"}
            | ({"sentences": row["sentences"]} if "sentences" in row else {})
        )


@few_examples
@given(corpora())
def test_pooled_is_the_formula_of_the_sums_and_mean_the_mean(sides: tuple[list[str], list[str]]):
    run = score(data(*sides[0]), {"p": data(*sides[1])}, preset="none")
    rows, table = run.sentences("p"), figures(run)
    for name in run.metrics:
        metric = METRICS[name]
        scored = rows[rows["status"].eq("ok") | (rows["words_aligned"].notna() & (metric.family.words != "equal"))]
        sums = {column: np.array([scored[column].sum()]) for column in metric.columns}
        assert table.loc[name, "pooled"] == pytest.approx(float(metric.score(sums)[0]), nan_ok=True)
        assert table.loc[name, "mean"] == pytest.approx(rows[name].mean(), nan_ok=True)
        assert table.loc[name, "n"] == rows[name].notna().sum()


# ------------------------------------------------------------------------------------------------------------- options


def test_options_change_the_scores_and_the_signature():
    gold, test = "(S (NP (DT a) (NN b)))", "(S (NP (DT a) (VB b)))"
    table = CostTable({("NP", "VP"): 0.5})

    def scored(**options: Any) -> Run:
        return score(data(gold), {"p": data(test)}, **options)

    plain, tags = scored(), scored(la_preterminals=True)
    assert figures(plain).loc["la_exact", "pooled"] == 1
    assert figures(tags).loc["la_exact", "pooled"] < 1
    assert "la_costs" not in plain.metrics
    assert "la_costs" in scored(la_table=table).metrics
    runs = [plain, tags, scored(la_table=table), scored(engine="apted"), scored(preset="none"), scored(format="ptb")]
    assert len({run.signature for run in runs}) == len(runs)
    for run in runs:
        assert run.alignment(1, "p").scores["la_exact"] == figures(run).loc["la_exact", "pooled"]


def test_some_of_the_metrics(tmp_path: Path):
    run = score(data(GOLD), {"p": data(NEAR)}, metrics=["la", "ted"], out=tmp_path / "run")
    assert run.metrics == ["ted", "la_exact", "la"]
    assert run.summary()["metric"].tolist() == run.metrics
    assert set(run.metrics) <= set(run.sentences().columns)
    assert run.sentences()["e_gold_roof"].isna().all()
    assert len(run.brackets()) == 0
    only_e = score(data(GOLD), {"p": data(NEAR)}, metrics=["f1"])
    assert only_e.metrics == ["f1"]
    assert len(only_e.brackets()) == 5
    assert only_e.words()["la_exact"].isna().all()


def test_a_preset_of_ones_own(tmp_path: Path):
    mine = Preset("mine", "no verbs", delete_labels=frozenset({"VP"}))
    other = Preset("mine", "no nouns", delete_labels=frozenset({"NP"}))
    run = score(data(GOLD), {"p": data(NEAR)}, preset=mine, out=tmp_path / "run")
    assert run.sentences()["f1"].tolist() == [1.0]
    assert Run(tmp_path / "run").alignment(1, "p").scores["f1"] == 1.0
    assert score(data(GOLD), {"p": data(NEAR)}, preset=other).signature != run.signature


@pytest.mark.parametrize("parsers", [["(S (X a))"], [["(S (X a))"]]])
def test_outputs_without_names_are_answered_with_how_to_name_them(parsers: Any):
    with pytest.raises(ParameterError, match=r"by name, such as .*evaluate takes one output without a name"):
        score(["(S (X a))"], parsers)


def test_no_parser_and_no_gold(tmp_path: Path):
    with pytest.raises(ParameterError, match="no parser"):
        score(data(GOLD), {})
    with pytest.raises(InputError, match="at least one tree"):
        score(data("(())", ""), {"p": data(GOLD)}, out=tmp_path / "run")
    with pytest.raises(InputError, match="no such file"):
        score(data(GOLD), {"p": tmp_path / "none"}, out=tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------------------------- folders and progress


def test_the_signature_says_how_the_figures_came_about(tmp_path: Path):
    gold, test = data(GOLD).getvalue(), data(NEAR).getvalue()
    run = score(io.BytesIO(gold), {"p": io.BytesIO(test)}, preset="collins")
    parts = run.signature.split("|")
    assert f"evaltools:{evaltools.__version__}" in parts
    assert any(part.startswith("preset:collins#") for part in parts)
    assert f"gold:{hashlib.sha256(gold).hexdigest()[:12]}" in parts
    assert f"p:{hashlib.sha256(test).hexdigest()[:12]}" in parts


@pytest.mark.parametrize(
    "name", ["a/b", "..", "x" * 5000, "a|b:c", "$", "two words", "é日本", "'; drop table words", "", "%s", "null"]
)
def test_parsers_may_have_any_name(name: str, tmp_path: Path):
    run = Run(score(data(GOLD), {name: data(NEAR), "q": data(GOLD)}, out=tmp_path / "run").path)
    assert run.parsers == [name, "q"]
    assert run.sentences(name)["f1"].tolist() == [0.75]
    assert len(run.words(name)) == 3
    assert len(run.brackets(name)) == 5
    assert run.alignment(1, name).scores["f1"] == 0.75
    assert run.summary()["parser"].unique().tolist() == [name, "q"]
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_an_older_run_is_replaced_only_on_request(tmp_path: Path):
    path = tmp_path / "deep" / "run"
    score(data(GOLD), {"old": data(GOLD)}, out=path)
    with pytest.raises(RunError, match="force"):
        score(data(GOLD), {"new": data(GOLD)}, out=path)
    assert Run(path).parsers == ["old"]
    score(data(GOLD), {"new": data(GOLD)}, out=path, force=True)
    assert Run(path).parsers == ["new"]
    assert [one.name for one in path.parent.iterdir()] == ["run"]


@pytest.mark.parametrize("stage", ["reading", "scoring", "writing"])
@pytest.mark.parametrize("old", [False, True])
def test_an_interrupted_run_leaves_nothing(stage: str, old: bool, tmp_path: Path):
    if old:
        score(data(GOLD), {"old": data(GOLD)}, out=tmp_path / "run")

    def interrupt(at: str, done: int, total: int) -> None:
        if at == stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score(
            data(*[GOLD] * 40),
            {"p": data(*[NEAR] * 40)},
            out=tmp_path / "run",
            force=True,
            progress=Progress(on_update=interrupt),
        )
    assert [path.name for path in tmp_path.iterdir()] == ["run"] * old
    if old:
        assert Run(tmp_path / "run").parsers == ["old"]


def test_a_run_can_be_stopped(tmp_path: Path):
    progress = Progress()

    def stop(stage: str, done: int, total: int) -> None:
        if done >= 3:
            progress.cancelled.set()

    progress.on_update = stop
    with pytest.raises(Cancelled):
        score(data(*[GOLD] * 40), {"p": data(*[NEAR] * 40)}, out=tmp_path / "run", progress=progress)
    assert list(tmp_path.iterdir()) == []


def test_reopening(tmp_path: Path):
    made = score(data(GOLD, DOT), {"p": data(NEAR, DOT)}, preset="collins", out=tmp_path / "run")
    again = Run(str(tmp_path / "run"))
    assert (again.parsers, again.preset, again.n_sentences) == (["p"], "collins", 2)
    assert (again.signature, again.meta) == (made.signature, made.meta)
    for table in ("sentences", "words", "brackets", "problems", "summary"):
        pd.testing.assert_frame_equal(getattr(made, table)(), getattr(again, table)())
    assert again.text(1) == ["a", "b", "c"]
    assert again.tree(1) == Tree.from_string(GOLD)
    assert again.tree(1, "p") == Tree.from_string(NEAR)
    assert again.alignment(1, "p").scores == made.alignment(1, "p").scores


def test_two_parsers_side_by_side(run: Run):
    a = run.alignment(2, "same", "p")
    assert (str(a.gold), str(a.test)) == (GOLD, NEAR)
    assert run.alignment(2, "p", "same").scores["f1"] == a.scores["f1"]


def test_questions_that_have_no_answer(run: Run):
    with pytest.raises(ParameterError, match=r"'none'.*p, same"):
        run.sentences("none")
    for number in (0, 8, -1):
        with pytest.raises(ParameterError, match="7"):
            run.tree(number)
    with pytest.raises(ParameterError, match="none"):
        run.alignment(1, "none")


# ---------------------------------------------------------------------------------------------- labels, tree distance


@pytest.mark.parametrize(
    ("gold", "test", "expected"),
    [
        ("(S (NP (N a)) (VP (V b)))", "(S (NP (N a)) (NP (V b)))", [("NP", 1, 2, 1), ("S", 1, 1, 1), ("VP", 1, 0, 0)]),
        # a phrase and a tag with one label are no pair of phrases
        ("(S (X (N a)) (X b))", "(S (X a) (X b))", [("S", 1, 1, 1), ("X", 1, 0, 0)]),
        # sentences without a score are left out
        ("(S (A (N a)))\n(S (B (N b)))", "(S (A (N a)))\n", [("A", 1, 1, 1), ("S", 1, 1, 1)]),
    ],
)
def test_brackets_are_counted_by_label(gold: str, test: str, expected: list[tuple[object, ...]]):
    run = score(data(gold), {"p": data(test)}, preset="none")
    rows = run.labels("p")
    assert rows["matched"].sum() == run.sentences("p")["e_matched_roof"].sum()
    assert list(rows[["label", "gold", "test", "matched"]].itertuples(index=False, name=None)) == expected


def test_the_numbers_of_an_explanation_hold_where_fewer_nodes_are_matched_than_words_are_equal():
    run = score(data("(S a (P1 (P2 (P3 (P4 b)))))"), {"p": data("(S (Q1 (Q2 (Q3 (Q4 a)))) b)")}, preset="none")
    said = explain(sum_sentences(run, ["ted_jaccard"]), "p", "ted_jaccard", "pooled")
    assert (said.value, said.numbers) == (0.0, "1 − (1 + 1 + 5) / (1 + 1 + 5 + 1 − 1)")


def test_a_pair_that_is_too_large_has_no_tree_distance_and_is_listed():
    width = int(tree_distance.MAX_CELLS**0.5)
    wide, other = (f"(S {' '.join(f'({tag} a{i})' for i in range(width))})" for tag in "XY")
    run = score(
        data(wide, "(S (X a) (Y b))"), {"p": data(other, "(S (X a) (X b))"), "same": data(wide, "(S (X a) (Y b))")}
    )
    rows = run.sentences("p")
    assert rows["ted"].isna().tolist() == rows["t_gold"].isna().tolist() == [True, False]
    assert rows["f1_pos"].notna().all()
    (problem,) = run.problems().itertuples()
    assert (problem.kind, problem.sentence) == ("too_large", 1)
    assert figures(run).loc["ted", ["n", "pooled_all"]].tolist() == [1, rows["ted"][1]]
    assert run.sentences("same")["ted"].tolist() == [1, 1]  # equal trees of any size are
    header, line, *_ = REPORTS["csv"](run, Selection("sentences", "p")).splitlines()
    cells = dict(zip(header.split(","), line.split(","), strict=True))
    assert {value for name, value in cells.items() if name.startswith("t_")} == {""}
    assert run.alignment(1, "p").scores["ted"] is None
