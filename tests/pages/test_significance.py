"""The table of every two parsers, one pair in words, and the classes that carry its difference; without a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.analysis.comparison import compare_in_run
from evaltools.runs import sums
from tests.pages.shown import said
from tests.pages.tiny import GOLD, HOSTILE_PARSER, WORSE, write_files

Open = Callable[..., AppTest]
OpenOn = Callable[..., Open]

PAIR = f"better · {HOSTILE_PARSER}"


def table(app: AppTest, column: str) -> Any:
    return next(one.value for one in app.main.dataframe if column in one.value)


def test_the_table_has_what_the_library_finds(open_app: Open, tiny_run: evaltools.Run):
    app = open_app("overview", open="significance")
    shown = table(app, "holm")
    found = compare_in_run(tiny_run, "f1", "better", HOSTILE_PARSER).comparison
    (row,) = shown.to_dict("records")
    assert (row["parser_a"], row["parser_b"]) == ("better", HOSTILE_PARSER)
    assert row["difference"] == pytest.approx(100 * found.difference)
    assert (row["p"], row["holm"]) == (found.p, found.p_adjusted)
    (words,) = [text for text in said(app, "answer") if " points more than " in text and " by Bracketing" in text]
    assert f"{100 * found.difference:.2f} points" in words
    assert f"p = {found.p:.2g}" in words
    assert f"all {found.n_sentences:,} sentences" in words


def test_the_effect_and_the_classes_are_those_of_the_command(open_app: Open, tiny_run: evaltools.Run):
    app = open_app("overview", metric="la_exact", open="pair")
    found = compare_in_run(tiny_run, "la_exact", "better", HOSTILE_PARSER)
    (size,) = [text for text in said(app, "note") if text.startswith("Effect size d_z")]
    assert f" = {found.effect.d_z:.3f}:" in size
    better = f"Of {found.effect.n} sentences, better is better on {found.effect.better} ("
    assert any(text.startswith(better) for text in said(app, "note"))
    shown = table(app, "contribution")
    expected = found.classes[found.classes["family"] == "length"]
    assert shown["contribution"].tolist() == pytest.approx((100 * expected["contribution"]).tolist())
    assert shown["contribution"].sum() == pytest.approx(100 * found.comparison.difference)
    assert shown["share"].sum() == pytest.approx(100)


@pytest.mark.parametrize("by", ["better", "label", "error", "words"])
def test_other_classes(open_app: Open, tiny_run: evaltools.Run, by: str):
    app = open_app("overview", by=by)
    shown = table(app, "contribution")
    found = compare_in_run(tiny_run, "f1", "better", HOSTILE_PARSER, errors=True)
    family = by if by in {one.id for one in found.families} else "length"
    expected = found.classes[found.classes["family"] == family]
    assert set(shown["name"]) == set(expected["name"])
    if family == "label":
        assert any("A sentence can have several" in text for text in said(app, "answer"))


def test_mean_all_sentences_and_counts_of_errors(open_app: Open, tiny_run: evaltools.Run):
    app = open_app("overview", average="mean", over="all", metric="crossing", open="significance")
    found = compare_in_run(tiny_run, "crossing", "better", HOSTILE_PARSER, figure="mean", over="all").comparison
    (row,) = table(app, "holm").to_dict("records")
    assert row["parser_a"] == "better"
    assert row["difference"] == pytest.approx(-abs(found.difference))
    assert any(f"macro over the {found.n_sentences} sentences both have" in text for text in said(app, "answer"))


def test_a_class_leads_to_its_sentences(open_app: Open, tiny_run: evaltools.Run):
    found = compare_in_run(tiny_run, "f1", "better", HOSTILE_PARSER)
    label = next(one for one in found.families if one.id == "label")
    place = label.names.index("PP")
    sentences = [number + 1 for number in label.mask(place).nonzero()[0].tolist()]
    overview = open_app("overview", pair=PAIR, by="label", carrier="label · PP")
    (link,) = [link for link in overview.get("page_link") if link.proto.label.endswith(" in Worst parses")]
    assert link.proto.label.startswith(f"These {len(sentences)} sentences" if len(sentences) > 1 else "This sentence")
    query = dict(parse_qsl(link.proto.query_string))
    assert (query["parser"], query["pair"], query["class"]) == (HOSTILE_PARSER, PAIR, "label · PP")
    app = open_app("worst_parses", **query)
    assert sorted(app.main.dataframe[0].value["sentence"]) == sentences
    assert any("Phrase label in the gold tree: PP" in text for text in said(app, "note"))
    app.button(key="reset_filters").click().run()
    assert len(app.main.dataframe[0].value) == 7
    assert "class" not in app.query_params


def test_a_pair_may_be_named_either_way(
    open_app: Open, open_on: OpenOn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    files = write_files(tmp_path)
    parsers = {"first": files["worse"], "second": files["better"], "third": files["worse"]}
    run = evaltools.score(files["gold"], parsers, out=tmp_path / "three.run")
    app = open_on(run)("overview", pair="third · second")
    assert any(text.startswith("second ") and " than third " in text for text in said(app, "answer"))
    assert app.query_params["pair"] == "second · third"
    same = open_app("overview", pair="third · first", metric="ted")
    assert any("have the same figure by Tree-edit similarity (Dice)" in text for text in said(same, "answer"))
    shown = table(same, "holm")
    assert len(shown) == 3
    assert shown["holm"].max() == 1


def test_a_long_run_is_taken_apart_when_asked(open_on: OpenOn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name, text in {"gold": GOLD, "worse": WORSE}.items():
        (tmp_path / name).write_text(text * 20, encoding="utf-8")
    run = evaltools.score(
        tmp_path / "gold", {"right": tmp_path / "gold", "worse": tmp_path / "worse"}, out=tmp_path / "long.run"
    )
    monkeypatch.setattr(sums, "MAX_SINGLE", 100)
    monkeypatch.setattr(sums, "GROUPS", 16)
    monkeypatch.setattr("evaltools.app.significance.MAX_SINGLE", 100)
    app = open_on(run)("overview", open="significance")
    assert not [one for one in app.main.dataframe if "contribution" in one.value]
    assert any("16 groups of sentences" in text for text in said(app, "note"))
    app.button(key="pair_look").click().run()
    assert app.query_params["pair"] == "right · worse"
    assert table(app, "contribution")["sentences"].sum() == 120
