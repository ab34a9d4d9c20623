"""Metadata on the pages: filters, figures by group, hotspots of a group, colors; without a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.analysis.comparison import compare_in_run
from evaltools.analysis.leaderboard import leaderboard
from evaltools.analysis.standing import standings
from evaltools.frameworks.hotspots import common_sentences
from evaltools.outputs.hotspots import ask
from evaltools.runs.metadata import Group
from evaltools.runs.subset import subset
from evaltools.runs.sums import sum_sentences
from tests.pages.semantic_corpus import write_graphs
from tests.pages.shown import blocks, said
from tests.pages.tiny import HOSTILE_PARSER, score_tiny, write_files

Open = Callable[..., AppTest]

KEY, VALUE = "*genre* :red[x]", "$news$ <b>"


def score_with_metadata(folder: Path) -> evaltools.Run:
    """Score the corpus with two genres and three documents; the names of key and value are hostile."""
    files = write_files(folder)
    genres = [VALUE, VALUE, "blog", "blog", "blog", VALUE, VALUE]
    rows = "".join(f"{number}\t{genre}\td{number // 3}\n" for number, genre in enumerate(genres, start=1))
    (folder / "meta.tsv").write_text(f"sentence\t{KEY}\tdocument\n{rows}", "utf-8")
    parsers = {"better": files["better"], HOSTILE_PARSER: files["worse"]}
    metadata = folder / "meta.tsv"
    return evaltools.score(files["gold"], parsers, metadata=metadata, out=folder / "meta.run", format="ptb", force=True)


@pytest.fixture
def tiny_run(scored: Callable[..., evaltools.Run], tmp_path: Path) -> evaltools.Run:
    return scored(score_with_metadata)


def numbers(app: AppTest) -> set[int]:
    return set(app.main.dataframe[-1].value["sentence"].tolist())


def test_worst_parses_are_filtered_and_have_the_column(open_app: Open):
    app = open_app("worst_parses", parser=HOSTILE_PARSER, key=KEY)
    values = app.main.dataframe[-1].value.set_index("sentence")["metadata"]
    assert (values[1], values[3]) == (VALUE, "blog")
    app = open_app("worst_parses", parser=HOSTILE_PARSER, key=KEY, value="blog")
    assert numbers(app) == {3, 4, 5}
    assert any("3 of 7 sentences: " in text and f"{KEY}: blog" in text for text in said(app, "note"))
    app.button(key="reset_filters").click().run()
    assert not {"key", "value"} & set(app.query_params)
    assert numbers(app) == set(range(1, 8))


def test_another_key_removes_the_value(open_app: Open):
    app = open_app("worst_parses", parser=HOSTILE_PARSER, key=KEY, value="blog")
    app.selectbox(key="url_key").set_value("document").run()
    assert "value" not in app.query_params
    assert app.selectbox(key="url_value_1").options == ["all", "d0", "d1", "d2"]


def test_hotspots_of_a_group_are_those_of_its_sentences_with_their_numbers(open_app: Open, tiny_run: evaltools.Run):
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="errors", key=KEY, value=VALUE)
    sentences = Group(KEY, VALUE).sentences(tiny_run)
    part = subset(tiny_run, sentences)
    rows = ask(part, part.framework.questions().hotspots["errors"], HOSTILE_PARSER).rows
    shown: Any = app.main.dataframe[0].value
    assert shown["cost"].tolist() == rows["cost"].tolist()
    assert any(f"Over the 4 sentences with {KEY}: {VALUE}." in text for text in said(app, "note"))
    (listed,) = blocks(app, "sentences")
    found = listed["keys"]
    assert found
    assert set(found) <= set(sentences.tolist())
    assert max(found) > 4  # not the numbers in the part
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="errors", key=KEY, value=VALUE, sentence=str(max(found)))
    assert [found[at] for at in blocks(app, "sentences")[0]["marked"]] == [max(found)]


def test_a_value_filters_the_points_of_disagreement(open_app: Open):
    app = open_app("disagreement", key=KEY, value=VALUE, metric="f1", metric2="ted", parser=HOSTILE_PARSER)
    assert numbers(app) == {1, 2, 6, 7}


def test_overview_has_figures_by_group_with_numbers_of_documents(open_app: Open):
    app = open_app("overview", open="groups", key=KEY, units="documents")
    table = next(one.value for one in app.main.dataframe if "group" in one.value)
    assert table["group"].tolist() == [VALUE, "blog", "all"]
    assert (table["sentences"].tolist(), table["units"].tolist()) == ([4, 3, 7], [2, 1, 3])
    assert "100.00" in table["parser_0"].iloc[0]
    assert "[" in table["parser_1"].iloc[-1]
    assert any("fewer than 10 documents is a rough guide" in text for text in said(app, "note"))
    app = open_app("overview", open="groups", key=KEY)
    table = next(one.value for one in app.main.dataframe if "group" in one.value)
    assert "units" not in table


def test_documents_are_the_unit_of_all_intervals_and_tests(open_app: Open, tiny_run: evaltools.Run):
    app = open_app("overview", units="documents", open="pair,distribution,explanation")
    found = compare_in_run(tiny_run, "f1", "better", HOSTILE_PARSER, cluster="document")
    shown = next(one.value for one in app.main.dataframe if "holm" in one.value)
    (row,) = shown.to_dict("records")
    assert (row["p"], row["difference"]) == (found.comparison.p, pytest.approx(100 * found.comparison.difference))
    notes = said(app, "note")
    assert any("permutation test over 3 documents, " in text for text in notes)
    assert any("paired permutation test over 3 documents, p" in text for text in notes)  # of the main table
    assert any("with its 95 % interval over 3 documents." in text and "rough guide" in text for text in notes)
    assert any("Bands are 95 % intervals over 3 documents" in text for text in notes)
    (facts,) = [block for block in blocks(app, "facts") if block["heading"].startswith("All figures")]
    assert facts["heading"].endswith("95 % intervals over 3 documents")
    sums = sum_sentences(tiny_run, tiny_run.metrics, cluster="document")
    board = leaderboard(sums, tiny_run.parsers, ["f1"])
    low, high = board.set_index("parser").loc["better", ["pooled_low", "pooled_high"]]
    assert f"{100 * low:.2f}" in facts["rows"][0][2]
    assert f"{100 * high:.2f}" in facts["rows"][0][2]
    app.segmented_control(key="url_units").set_value("sentences").run()
    assert "units" not in app.query_params
    assert not any("documents" in text for text in said(app, "note"))


def test_differences_of_hotspots_are_over_documents(open_app: Open, tiny_run: evaltools.Run):
    app = open_app("hotspots", parser=HOSTILE_PARSER, other="better", view="errors", units="documents")
    parsers = (HOSTILE_PARSER, "better")
    both = tiny_run.query(
        f"select distinct sentence from sentences where {common_sentences(parsers)} order by sentence"
    )["sentence"].tolist()
    part = subset(tiny_run, both)
    question = tiny_run.framework.questions().hotspots["errors"]
    rows = ask(part, question, *parsers, cluster="document").rows
    n_documents = len(set(part.metadata()["document"]))
    assert 1 < n_documents <= 3
    over = f"Intervals and significance over {n_documents} documents."
    assert any(over in text for text in said(app, "note"))
    shown: Any = app.main.dataframe[0].value
    assert shown["interval"].tolist() == rows["interval"].tolist()
    plain = ask(tiny_run, question, *parsers).rows
    assert plain["interval"].tolist() != rows["interval"].tolist()
    assert plain["more"].tolist() == rows["more"].tolist()
    app = open_app("hotspots", parser=HOSTILE_PARSER, view="errors", units="documents")
    assert not [one for one in app.segmented_control if one.key == "url_units"]  # no difference, no interval of it


def documents_of(folder: Path, n: int) -> Path:
    """Write which document each sentence belongs to: two sentences in each."""
    path = folder / "documents.tsv"
    path.write_text("sentence\tdocument\n" + "".join(f"{at}\td{(at + 1) // 2}\n" for at in range(1, n + 1)))
    return path


def same_p(app: AppTest, run: evaltools.Run, metric: str, figure: str) -> None:
    """Check that p-values of the page are those over documents, and differ from those over sentences."""
    tables = [one.value for one in app.main.dataframe if {"holm", "p"} <= set(one.value)]
    documents, sentences = (sum_sentences(run, run.metrics, cluster=cluster) for cluster in ("document", ""))
    found = [standings(sums, run.parsers, [metric], figure)[metric].comparisons for sums in (documents, sentences)]
    assert sorted(tables[0]["p"]) == sorted(pair.p for pair in found[0])
    assert sorted(tables[0]["p"]) != sorted(pair.p for pair in found[1])


def test_documents_are_the_unit_on_the_page_of_theories(open_on: Callable[..., Open], tmp_path: Path):
    right = "(S (NP-SBJ (NN Kim)) (VP (V saw) (NP-OBJ (NN Sandy)) (NP-TMP (NN today))))\n"
    wrong = "(S (NP-SBJ (NN Kim)) (VP (V saw) (NP-OBJ (NN Sandy) (NP-TMP (NN today)))))\n"
    for name, text in {"gold": right * 8, "a": right * 8, "b": wrong * 6 + right * 2}.items():
        (tmp_path / name).write_text(text)
    golds, parsers = {"t": tmp_path / "gold"}, {name: ("t", tmp_path / name) for name in "ab"}
    path = tmp_path / "t.run"
    run = evaltools.crossframework(golds, parsers, metadata=documents_of(tmp_path, 8), out=path)
    app = open_on(run)("crossframework", units="documents")
    same_p(app, run, run.main_metric, "pooled_all")
    assert any("paired permutation test over 4 documents" in text for text in said(app, "note"))
    assert any("rough guide" in text for text in said(app, "note"))
    app.segmented_control(key="url_units").set_value("sentences").run()
    assert not any("documents" in text for text in said(app, "note"))


@pytest.mark.slow
def test_documents_are_the_unit_of_figures_with_edited_weights(open_on: Callable[..., Open], tmp_path: Path):
    files = write_graphs(tmp_path)
    parsers = {"a": files["better"], "b": files["worse"]}
    run = evaltools.score(files["gold"], parsers, metadata=documents_of(tmp_path, 6), out=tmp_path / "graphs.run")
    for weights in ({"classes": "1~1~0.5~0~0"}, {}):
        app = open_on(run)("semantics", units="documents", parser="a", other="b", **weights)
        assert any("aired permutation test over 3 documents" in text for text in said(app, "note"))
        app.segmented_control(key="url_units").set_value("sentences").run()
        assert not any("documents" in text for text in said(app, "note"))


@pytest.mark.parametrize("page", ["overview", "hotspots"])
def test_runs_without_documents_offer_no_other_unit(open_on: Callable[..., Open], page: str):
    app = open_on(score_tiny)(page, parser="better", other=HOSTILE_PARSER, units="documents")
    assert not [one for one in app.segmented_control if one.key == "url_units"]
    assert not any("documents" in text for text in said(app, "note"))
