"""Runs of semantic graphs: files of several formats in, figures, triples and ranks out."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pandas as pd
import pytest

import evaltools
from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.errors import InputError
from evaltools.frameworks.semantics import edm
from evaltools.frameworks.semantics.edm_rules import load_edm_rules
from evaltools.progress import Progress
from evaltools.runs import scoring
from evaltools.runs.sentences import with_label, with_text
from tests.formats.semantic_texts import ITEM, PARSE, RESULT, profile
from tests.resealing import write_meta
from tests.runs.semantic_files import KIM, SANDY, data, eds, mrp, saw, sleeps

GOLD = eds(sleeps(), saw())
NEAR = eds(sleeps("_sleep_v_2", tense="past"), saw(swapped=True))


def pooled(run: evaltools.Run, figure: str = "pooled") -> dict[tuple[str, str], float]:
    return {(row["parser"], row["metric"]): row[figure] for row in run.summary().to_dict("records")}


def test_figures_of_two_small_graphs():
    run = evaltools.score(data(GOLD), {"same": data(GOLD), "near": data(NEAR)})
    figures = pooled(run)
    assert run.kind == "mrs"
    assert run.preset == "dridan-oepen-2011"
    assert all(figures["same", name] == 1 for name in run.metrics)
    # of 3 + 5 names one is wrong, of 2 + 4 arguments two, of 2 + 4 properties one
    assert figures["near", "edm_n"] == 7 / 8
    assert figures["near", "edm_a"] == 4 / 6
    assert figures["near", "edm_p"] == 5 / 6
    assert figures["near", "edm_na"] == 11 / 14
    assert figures["near", "edm"] == 16 / 20
    assert figures["near", "edm_exact"] == 0


def test_presets_count_other_triples():
    wrong = eds(sleeps(name="Pat"), saw())
    for preset, total, lost in (("dridan-oepen-2011", 20, 0), ("pydelphin", 25, 1), ("mtool", 25, 1)):
        run = evaltools.score(data(GOLD), {"p": data(wrong)}, preset=preset)
        rows = run.counts("p")
        matched = sum(rows[f"edm_{letter}_matched"].sum() for letter in edm.LETTERS)
        gold = sum(rows[f"edm_{letter}_gold"].sum() for letter in edm.LETTERS)
        assert (gold, gold - matched) == (total, lost), preset
        assert run.edm_rules == load_edm_rules(preset)
        assert run.signature.split("|")[1:3] == [f"edm:{preset}", f"spans:{load_edm_rules(preset).spans}"]


def test_missing_graphs_and_missing_gold():
    run = evaltools.score(data(eds(sleeps(), saw(), None, None)), {"p": data(eds(None, saw(), saw(), None))})
    assert run.counts("p")["status"].tolist() == ["missing", "ok", "missing", "missing"]
    assert run.counts("p")["sentences"].tolist() == [1, 1, 0, 0]
    assert pooled(run)["p", "edm"] == 1
    # 13 of the triples of "saw" are matched, and 7 of gold have no partner; without a gold graph nothing counts
    assert pooled(run, "pooled_all")["p", "edm"] == 26 / (13 + 7 + 13)
    assert pooled(run, "mean_all")["p", "edm"] == pytest.approx(1 / 2)
    assert pooled(run, "pooled_all")["p", "edm_exact"] == pytest.approx(1 / 2)
    (entry,) = run.meta["parsers"]
    assert (entry["scored"], entry["missing"]) == (1, 1)
    only = evaltools.score(data(eds(sleeps(), saw())), {"p": data(eds(None, saw()))})
    figures = ["metric", "pooled", "mean", "n", "pooled_all", "mean_all"]
    assert run.summary()[figures].equals(only.summary()[figures])
    assert run.problems()["found"].tolist() == [
        "1 of 4 items without a graph in any file",
        "no graph",
    ]
    assert run.problems()["sentence"].tolist()[1] == 3


def test_items_are_paired_by_place_or_by_id():
    notes: list[str] = []
    by_place = evaltools.score(data(GOLD), {"p": data(GOLD)}, progress=Progress(note=notes.append))
    assert by_place.meta["parsers"][0]["paired"] == "position"
    assert by_place.signature.endswith(":by_position")
    gold, other = mrp(("a", sleeps()), ("b", saw())), mrp(("b", saw()), ("a", sleeps()))
    by_id = evaltools.score(data(gold), {"p": data(other)}, progress=Progress(note=notes.append))
    assert by_id.meta["parsers"][0]["paired"] == "id"
    assert pooled(by_id)["p", "edm"] == 1
    assert by_id.counts("p")["item"].tolist() == ["a", "b"]
    assert by_id.counts("p")["line"].tolist() == [2, 1]
    assert by_id.problems().empty
    assert notes == [
        "p: items are paired by position, because not both files have ids",
        "p: items are paired by their ids",
    ]


def test_items_without_a_partner_are_listed():
    gold = mrp(("a", sleeps()), ("b", saw()))
    run = evaltools.score(data(gold), {"p": data(mrp(("c", saw()), ("a", sleeps())))})
    assert run.counts("p")["status"].tolist() == ["ok", "missing"]
    rows = run.problems().sort_values("kind")
    assert rows["kind"].tolist() == ["surplus", "too_few"]
    assert rows["found"].tolist() == [
        "item 'c', which is not scored",
        "no sentence with item 'b'; it counts as missing",
    ]
    none = evaltools.score(data(gold), {"p": data(mrp(("1", sleeps()), ("2", saw())))})
    assert none.problems()["kind"].tolist() == ["other_ids"]
    assert none.counts("p")["status"].tolist() == ["missing", "missing"]


def test_another_sentence_is_listed_and_scored():
    run = evaltools.score(data(mrp(("a", sleeps()))), {"p": data(mrp(("a", saw())))})
    (problem,) = run.problems().to_dict("records")
    assert problem["kind"] == "text_differs"
    assert problem["sentence"] == 1
    assert run.counts("p")["status"].tolist() == ["ok"]


def test_several_results_are_ranked():
    lines = mrp(("a", sleeps("_doze_v_1")), ("b", saw()), ("a", sleeps()), ("a", None))
    run = evaltools.score(data(mrp(("a", sleeps()), ("b", saw()))), {"one": data(lines), "two": data(mrp(("a", None)))})
    assert run.meta["n_best"] == {"one": 3, "two": 1}
    ranks = run.ranks("one")
    assert ranks[["sentence", "rank"]].values.tolist() == [[1, 1], [1, 2], [1, 3], [2, 1]]
    assert ranks["edm_exact_match"].tolist() == [0, 1, 0, 1]
    assert ranks["edm_n_matched"].tolist() == [2, 3, 0, 5]
    first = ranks[ranks["rank"] == 1].set_index("sentence")
    scored = run.counts("one").set_index("sentence")
    for column in edm.COLUMNS[1:]:
        assert first[column].tolist() == scored[column].tolist()
    assert run.ranks("two").empty


def test_triples_add_up_to_the_counts():
    run = evaltools.score(data(GOLD), {"p": data(NEAR)}, preset="pydelphin")
    triples, counts = run.triples("p"), run.counts("p").set_index("sentence")
    for letter, kind in edm.LETTERS.items():
        of_kind = triples[triples["kind"] == kind]
        for what, alone in (("gold", "missing"), ("test", "spurious"), ("matched", "right")):
            there = of_kind[of_kind["status"].isin((alone, "right"))]
            sums = there.groupby("sentence")["weight"].sum().reindex(counts.index, fill_value=0)
            assert sums.tolist() == counts[f"edm_{letter}_{what}"].tolist(), (kind, what)
    (name,) = triples[(triples["kind"] == "name") & (triples["status"] == "missing")].to_dict("records")
    assert (name["value"], name["start"], name["end"]) == ("_sleep_v_1", 4, 10)
    argument = triples[(triples["kind"] == "argument") & (triples["sentence"] == 2)].to_dict("records")
    assert {(row["label"], row["status"], row["target_start"]) for row in argument if row["start"] == 6} == {
        *(("ARG1", "missing", 0), ("ARG1", "spurious", 10), ("ARG2", "missing", 10), ("ARG2", "spurious", 0)),
    }
    assert {row["gold_predicate"] for row in argument if row["start"] == 6} == {"_see_v_1"}
    errors = run.query("select * from errors order by sentence, number").to_dict("records")
    assert sum(row["cost"] for row in errors) == triples.query("status != 'right'")["weight"].sum()
    (confused,) = (row for row in errors if row["type"] == "name")
    assert (confused["status"], confused["gold"], confused["test"]) == ("relabeled", "_sleep_v_1", "_sleep_v_2")
    assert confused["text"] == "_sleep_v_2 instead of _sleep_v_1"
    assert "_see_v_1 → named: ARG1 instead of ARG2" in [row["text"] for row in errors]


def test_spans_without_the_punctuation_at_their_ends():
    wide = eds(sleeps(end=11), saw())
    gold = "SENT: Kim sleeps.\n" + eds(sleeps()) + "SENT: Sandy saw Kim.\n" + eds(saw())
    test = "SENT: Kim sleeps.\n" + eds(sleeps(end=11)) + "SENT: Sandy saw Kim.\n" + eds(saw())
    exact = evaltools.score(data(gold), {"p": data(test)})
    trimmed = evaltools.score(data(gold), {"p": data(test)}, spans="trimmed")
    assert pooled(exact)["p", "edm"] == 17 / 20
    assert pooled(trimmed)["p", "edm"] == 1
    # without the sentences nothing is known of the characters
    assert pooled(evaltools.score(data(GOLD), {"p": data(wide)}, spans="trimmed"))["p", "edm"] == 17 / 20


def test_graphs_and_their_alignment_come_out_again():
    run = evaltools.score(data(GOLD), {"p": data(NEAR), "q": data(eds(sleeps(), None))})
    gold = run.tree(1)
    assert isinstance(gold, SemanticGraph)
    assert [node.predicate for node in gold.nodes] == ["_sleep_v_1", "named", "proper_q"]
    assert run.tree(2, "q") is None
    alignment = run.graphs(1, "p")
    statuses = [pair.status for pair in alignment.nodes]
    assert sorted(statuses) == ["relabeled", "right", "right"]
    assert run.graphs(2, "p", "q").test is None


def test_a_file_of_weights_may_name_a_preset(tmp_path: Path):
    file = tmp_path / "weights.toml"
    file.write_text('preset = "pydelphin"\nspans = "trimmed"\n[classes]\ntop = 3\n', "utf-8")
    run = evaltools.score(data(GOLD), {"p": data(NEAR)}, weights=file)
    assert (run.edm_rules.classes.top, run.edm_rules.quantifier_role, run.edm_rules.spans) == (3, None, "trimmed")
    run = evaltools.score(data(GOLD), {"p": data(NEAR)}, weights=file, preset="dridan-oepen-2011", spans="exact")
    assert (run.edm_rules.classes.top, run.edm_rules.quantifier_role, run.edm_rules.spans) == (3, "ARG0", "exact")


def test_a_sentence_is_found_by_its_words_and_predicates():
    items = [mrp(("a", sleeps()), ("b", saw())), mrp(("a", sleeps("_doze_v_1")), ("b", None))]
    run = evaltools.score(data(items[0]), {"p": data(items[1])})
    assert run.texts()["text"].tolist() == [KIM, SANDY]
    assert run.text(2) == SANDY.split()
    assert run.counts("p")["words"].tolist() == [2, 3]
    assert with_text(run, "sandy").tolist() == [False, True]
    assert with_label(run, "p", "_doze_v_1").tolist() == [True, False]
    assert with_label(run, "p", "named").tolist() == [True, True]
    assert "_doze_v_1" in run.meta["labels"]


def test_figures_by_predicate_role_and_property():
    run = evaltools.score(data(GOLD), {"p": data(NEAR)})
    rows = run.labels("p").set_index(["kind", "label"])
    assert rows.loc[("argument", "ARG1"), ["gold", "test", "matched"]].tolist() == [2, 2, 1]
    assert rows.loc[("name", "_sleep_v_1"), "recall"] == 0
    assert math.isnan(rows.loc[("name", "_sleep_v_2"), "recall"])
    assert "constant" not in set(rows.index.get_level_values("kind"))


def test_other_files_are_refused(tmp_path: Path):
    with pytest.raises(InputError, match="no semantic graphs; expected semantic graphs, as in the gold file"):
        evaltools.score(data(GOLD), {"p": data("(S (N a))\n")})
    with pytest.raises(InputError, match="semantic graphs; expected trees"):
        evaltools.score(data("(S (N a))\n"), {"p": data(GOLD)})
    with pytest.raises(InputError, match="a gold file with at least one graph"):
        evaltools.score(data(eds(None, None)), {"p": data(GOLD)})
    with pytest.raises(InputError, match="a folder"):
        evaltools.score(tmp_path, {"p": data(GOLD)})
    assert not list(tmp_path.iterdir())


def test_verification_and_copies(tmp_path: Path):
    for name, text in (("gold.eds", GOLD), ("near.eds", NEAR)):
        (tmp_path / name).write_text(text, "utf-8")
    run = evaltools.score(
        tmp_path / "gold.eds", {"p": tmp_path / "near.eds"}, out=tmp_path / "run", preset="pydelphin", spans="trimmed"
    )
    found = evaltools.verify(run)
    assert found.equal, str(found)
    copy = run.save(tmp_path / "copy")
    assert evaltools.verify(copy).equal
    meta = json.loads((tmp_path / "copy" / "meta.json").read_text("utf-8"))
    meta["n_best"]["p"] = 5
    write_meta(tmp_path / "copy", meta)
    (difference,) = evaltools.verify(evaltools.Run(tmp_path / "copy")).differences
    assert difference.column == "n_best"
    (tmp_path / "near.eds").write_text(GOLD, "utf-8")
    assert evaltools.verify(run).exit_status == 1
    (tmp_path / "near.eds").unlink()
    assert evaltools.verify(run).exit_status == 2


def test_many_items_are_written_in_parts(monkeypatch: pytest.MonkeyPatch):
    gold = mrp(*((f"i{number}", saw() if number % 3 else sleeps()) for number in range(11)))
    test = mrp(*((f"i{number}", saw(swapped=number % 2 > 0)) for number in (*range(9, 0, -1), 9, 4)))
    whole = evaltools.score(data(gold), {"p": data(test), "q": data(gold)}, preset="mtool")
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", 4)
    parts = evaltools.score(data(gold), {"p": data(test), "q": data(gold)}, preset="mtool")
    for table in ("sentences", "trees", "triples", "errors", "ranks", "problems"):
        sides = [run.query(f"select * from {table} order by all") for run in (whole, parts)]
        pd.testing.assert_frame_equal(*sides, obj=table)
    differing = ("created", "tables")
    kept = {name: value for name, value in whole.meta.items() if name not in differing}
    assert kept == {name: value for name, value in parts.meta.items() if name not in differing}


def test_profiles_are_scored_and_verified(tmp_path: Path):
    gold = profile(tmp_path / "gold", item=ITEM, parse=PARSE, result=RESULT)
    test = profile(tmp_path / "test", item=ITEM, parse=PARSE, result=RESULT)
    run = evaltools.score(gold, {"p": test}, out=tmp_path / "run")
    assert run.meta["n_best"] == {"p": 2}
    assert run.counts("p")["status"].tolist() == ["ok", "ok", "missing"]
    assert pooled(run)["p", "edm"] == 1
    assert [row["rank"] for row in run.ranks("p").to_dict("records")] == [1, 2, 1]
    assert evaltools.verify(run).equal
    stored = (test / "item").read_text("utf-8")
    (test / "item").write_text(stored.replace("It rains", "It rained"), "utf-8")
    (difference,) = evaltools.verify(run).differences
    assert difference.column is not None
    assert difference.column.startswith("SHA-256 of ")
    (test / "relations").unlink()
    assert evaltools.verify(run).n_differences == 1
    shutil.rmtree(test)
    assert evaltools.verify(run).obstacles == (f"{test}: no such file",)
