"""The hotspots of the report are the figures that the app shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import evaltools
from evaltools.frameworks.dependency.word_errors import dependency_features, dependency_scores, gold_dependencies
from evaltools.frameworks.groups import Part
from evaltools.frameworks.semantics.lost_triples import lost_triples
from evaltools.outputs.sections import hotspot_tables
from tests.pages.dependency_corpus import HOSTILE_PARSER as OTHER_HOSTILE
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

if TYPE_CHECKING:
    from pathlib import Path


def titled(run: evaltools.Run, parser: str) -> dict[str, list[list[str]]]:
    tables = hotspot_tables(run.framework.questions().excerpts, Part(run, run.n_sentences), parser, min_count=1)
    assert all(0 < len(table.rows) <= 8 and table.note for table in tables)
    return {table.title: table.cells for table in tables}


def test_of_trees(tmp_path: Path):
    run = score_tiny(tmp_path)
    tables = titled(run, HOSTILE_PARSER)
    words = tables["Low-scoring words"]
    assert all(int(row[1]) >= 1 for row in words)
    assert all(float(row[2]) < 100 and not row[3].startswith("+") for row in words)
    found = run.framework.questions().groups["labels"].rows(Part(run, 7), HOSTILE_PARSER, {})
    wrong = {(row.gold, row.test): row.errors for row in found.itertuples(index=False)}
    for gold, test, count, _ in tables["Confused labels"]:
        assert wrong[gold, test] == int(count)
    assert "Confused labels" not in titled(run, "better")


def test_of_dependency_trees(tmp_path: Path):
    run = score_dependencies(tmp_path)
    tables = titled(run, OTHER_HOSTILE)
    gold = gold_dependencies(run, run.n_sentences)
    features = dependency_features(gold, subtypes=bool(run.meta["options"]["subtypes"]))
    words = features.merge(dependency_scores(run, OTHER_HOSTILE, gold), on=["sentence", "word"])
    same_head = words[words["uas"] == 1].astype({"relation": object})
    wrong = same_head[same_head["las"] == 0].groupby(["relation", "test_relation"]).size()
    listed = tables["Confused relations"]
    assert [int(count) for *_, count, _ in listed] == sorted(wrong, reverse=True)[:8]
    assert all(wrong[gold, test] == int(count) for gold, test, count, _ in listed)
    assert tables["Confused heads"]
    by_relation = {row[0]: row for row in tables["Wrongly attached words, by relation"]}
    groups = words.groupby("relation", observed=True)["las"].agg(["size", "mean"])
    for relation, row in by_relation.items():
        assert (int(row[1]), row[2]) == (groups["size"][relation], f"{100 * groups['mean'][relation]:.2f}")


def test_of_semantic_graphs(tmp_path: Path):
    run = score_graphs(tmp_path)
    parser = run.parsers[-1] if run.parsers[-1] != "better" else run.parsers[0]
    tables = titled(run, parser)
    lost = lost_triples(run.query, parser, "predicate")
    lost = lost[lost["lost"] > 0].head(8)
    assert [row[0] for row in tables["Losses by predicate"]] == lost["group"].tolist()
    assert [row[4] for row in tables["Losses by predicate"]] == [f"{one:,.0f}" for one in lost["lost"]]


def test_a_run_of_part_of_the_metrics_has_what_it_can(tmp_path: Path):
    (tmp_path / "g").write_text("(S (A a) (B b))\n")
    run = evaltools.score(tmp_path / "g", {"same": tmp_path / "g"}, metrics=["f1"], out=tmp_path / "r")
    assert titled(run, "same") == {}
