"""Features of the words of dependency trees, their scores and confusions, against the slow way word by word."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest
from hypothesis import given

import evaltools
from evaltools.corpus import DependencyTree
from evaltools.frameworks.dependency.errors import ROOT
from evaltools.frameworks.dependency.questions import FEATURES, QUESTIONS, gold_words
from evaltools.frameworks.hotspots import Hotspots
from evaltools.frameworks.questions import Scope
from evaltools.outputs.hotspots import ask
from tests.conftest import few_examples
from tests.frameworks.compared import compared_groups
from tests.pages.dependency_corpus import GOLD, HOSTILE_PARSER, WORSE, score_dependencies
from tests.runs.dependency_files import data
from tests.slow.dependencies import RELATIONS, random_dependencies, random_heads
from tests.slow.trees import randoms


def words_of(run: evaltools.Run, parser: str) -> pd.DataFrame:
    return gold_words(run, parser, Scope(run.n_sentences, "true"), {})


def asked(run: evaltools.Run, parser: str, view: str, **options: Any) -> Hotspots:
    return ask(run, QUESTIONS[view], parser, options=options)


def rows_of(run: evaltools.Run, parser: str, view: str, **options: Any) -> list[dict[str, Any]]:
    return asked(run, parser, view, **options).rows.to_dict("records")


def slow(golds: Any, tests: Any, *, subtypes: bool = False) -> list[dict[str, Any]]:
    """Describe every gold word of the sentences whose words are equal."""
    rows = []

    def name(relation: str) -> str:
        return relation if subtypes else relation.split(":")[0] or relation

    for number, (gold, test) in enumerate(zip(golds, tests, strict=True), start=1):
        if test is None or gold.forms != test.forms:
            continue
        n = len(gold.forms)
        tags = gold.tags or ("_",) * n
        for at in range(n):
            head, chosen = gold.heads[at], test.heads[at]
            away = abs(head - at)
            near = "1" if away == 1 else "2" if away == 2 else "3–6" if away <= 6 else "7–"
            same = name(gold.relations[at]) == name(test.relations[at])
            rows.append(
                {
                    "sentence": number,
                    "start": at,
                    "form": gold.forms[at],
                    "tag": tags[at],
                    "relation": name(gold.relations[at]),
                    "head_tag": ROOT if head < 0 else tags[head],
                    "distance": "root" if head < 0 else near,
                    "direction": "root" if head < 0 else "left" if head < at else "right",
                    "position": "alone" if n == 1 else "first" if at == 0 else "last" if at == n - 1 else "inside",
                    "uas": float(head == chosen),
                    "las": float(head == chosen and same),
                    "cost": int(not (head == chosen and same)),
                    "test_relation": name(test.relations[at]),
                }
            )
    return rows


def assert_as_the_slow_way(found: pd.DataFrame, expected: list[dict[str, Any]]) -> None:
    assert len(found) == len(expected)
    for name in set(expected[0]) - {"test_relation"} if expected else ():
        assert found[name].astype(object).tolist() == [row[name] for row in expected], name


def test_words_are_described_as_the_slow_way_does(tmp_path: Path):
    run = score_dependencies(tmp_path)
    found = words_of(run, HOSTILE_PARSER)
    # a root that is not marked as one counts as such, and the mark alone too
    assert_as_the_slow_way(found, slow(GOLD, WORSE))
    assert set(FEATURES) <= set(found.columns)


@few_examples
@given(randoms)
def test_any_two_trees_of_the_same_words(random: Random):
    made = random_dependencies(random, plain=True)
    gold = DependencyTree(made.forms, made.heads, made.relations, tags=made.tags)
    n = len(gold.forms)
    relations = tuple(random.choice(RELATIONS) for _ in range(n))
    test = DependencyTree(gold.forms, tuple(random_heads(random, n)), relations, tags=gold.tags)
    for subtypes in (False, True):
        run = evaltools.score(data(gold, gold), {"p": data(test, gold)}, format="conllu", subtypes=subtypes)
        assert_as_the_slow_way(words_of(run, "p"), slow((gold, gold), (test, gold), subtypes=subtypes))


@pytest.mark.parametrize("parser", ["better", HOSTILE_PARSER])
def test_the_means_are_the_figures_of_the_run(tmp_path: Path, parser: str):
    run = score_dependencies(tmp_path)
    words = words_of(run, parser)
    counts = run.counts(parser)
    counts = counts[counts["status"] == "ok"]
    assert words["uas"].sum() == counts["uas_right"].sum()
    assert words["las"].sum() == counts["las_right"].sum()
    assert words["la"].sum() == pytest.approx(counts["la_sum"].sum())
    assert len(words) == counts["dep_gold"].sum()


@pytest.mark.parametrize("by", FEATURES)
@pytest.mark.slow
def test_groups_have_all_means_beside_the_comparison(tmp_path: Path, by: str):
    run = score_dependencies(tmp_path)
    words = words_of(run, HOSTILE_PARSER)
    for score in ("uas", "las"):
        table = asked(run, HOSTILE_PARSER, "words", by=by, scheme=score, least=1).rows
        plain = compared_groups(words, by, score)
        assert set(table["group"]) == set(plain.loc[plain["loss"] > 0, by].astype(str)) | set(
            words.loc[words["cost"] > 0, by].astype(str)
        )
        assert table[score].tolist() == pytest.approx(table["mean"].tolist())
        for row in table.to_dict("records"):
            group = words[words[by].astype(str) == row["group"]]
            assert row["uas"] == pytest.approx(group["uas"].mean())
            assert row["la"] == pytest.approx(group["la"].mean())
            assert (row["cost"], row["count"]) == (group["cost"].sum(), len(group))


@pytest.mark.parametrize("by", ["tag", "relation", "direction"])
def test_the_errors_of_words_are_those_of_the_run(tmp_path: Path, by: str):
    run = score_dependencies(tmp_path)
    for parser in run.parsers:
        table = asked(run, parser, "words", by=by, least=1)
        for row in table.rows.to_dict("records"):
            errors = table.errors(row)
            assert len(errors) == row["cost"]
            assert errors["sentence"].nunique() == row["sentences"]
            assert sum(table.costs(row, errors).values()) == row["cost"]


def test_words_that_do_not_count_have_no_errors():
    gold = "1\ta\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\t.\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n"
    wrong = gold.replace("1\tpunct", "1\tdep")
    for punctuation, n_errors in (("keep", 1), ("upos", 0)):
        run = evaltools.score([gold], {"p": [wrong]}, punctuation=punctuation)
        assert run.query("select count(*) as n from errors where kind = 'arc'")["n"].tolist() == [n_errors]


def test_differences_of_two_parsers_vary_as_their_costs_by_sentence(tmp_path: Path):
    run = score_dependencies(tmp_path)
    first, second = run.parsers[:2]
    table = ask(run, QUESTIONS["heads"], first, second)
    assert table.rows["low"].notna().any()
    for row in table.rows.to_dict("records"):
        signed = [
            sign * table.errors(row, name).groupby("sentence")["cost"].sum()
            for name, sign in ((first, 1), (second, -1))
        ]
        costs = pd.concat(signed).groupby(level=0).sum().tolist()
        costs += [0.0] * (table.scope.size - len(costs))
        assert row["more"] == sum(costs)
        error = (pd.Series(costs).var() * len(costs)) ** 0.5
        assert row["high"] - row["low"] == pytest.approx(2 * 1.959963984540054 * error)


def test_relations_are_confused_where_the_head_is_right(tmp_path: Path):
    found = rows_of(score_dependencies(tmp_path), HOSTILE_PARSER, "relations")
    rows = slow(GOLD, WORSE)
    expected = Counter((row["relation"], row["test_relation"]) for row in rows if row["uas"] and not row["las"])
    assert {(row["gold"], row["test"]): row["errors"] for row in found} == expected
    for row in found:
        attached = [one for one in rows if one["uas"] and one["relation"] == row["gold"]]
        assert row["right"] == sum(one["las"] for one in attached)
        assert row["of_label"] == pytest.approx(row["errors"] / len(attached))


def test_relations_of_all_words_are_confused_whatever_the_head(tmp_path: Path):
    found = rows_of(score_dependencies(tmp_path), HOSTILE_PARSER, "relations", heads="all")
    rows = slow(GOLD, WORSE)
    wrong = Counter((row["relation"], row["test_relation"]) for row in rows if row["relation"] != row["test_relation"])
    assert {(row["gold"], row["test"]): row["errors"] for row in found} == wrong
    for row in found:
        own = [one for one in rows if one["relation"] == row["gold"]]
        assert row["right"] == sum(one["relation"] == one["test_relation"] for one in own)
        assert row["of_label"] == pytest.approx(row["errors"] / len(own))


def test_wrong_heads_are_counted_by_the_tags_of_three_words(tmp_path: Path):
    gold = DependencyTree(
        ("I", "saw", "men", "with", "hats"),
        (1, -1, 1, 4, 2),
        ("nsubj", "root", "obj", "case", "nmod"),
        tags=("PRON", "VERB", "NOUN", "ADP", "NOUN"),
    )
    test = DependencyTree(gold.forms, (1, -1, 1, 4, 1), ("nsubj", "root", "obj", "case", "obl"), tags=gold.tags)
    run = evaltools.score(data(gold), {"p": data(test)}, format="conllu")
    tags = {"tag": "NOUN", "head_tag": "NOUN", "test_head_tag": "VERB"}
    assert rows_of(run, "p", "heads") == [tags | {"cost": 1, "sentences": 1, "errors": 1, "share": 1.0}]
    rows = slow(GOLD, WORSE)
    every = rows_of(score_dependencies(tmp_path), HOSTILE_PARSER, "heads")
    assert sum(row["errors"] for row in every) == sum(not row["uas"] for row in rows)
    n_wrong = sum(not row["las"] for row in rows)
    assert sum(row["share"] for row in every) == pytest.approx(sum(row["errors"] for row in every) / n_wrong)


def test_a_parser_without_errors_confuses_nothing(tmp_path: Path):
    run = score_dependencies(tmp_path)
    assert rows_of(run, "better", "relations") == rows_of(run, "better", "heads") == []
