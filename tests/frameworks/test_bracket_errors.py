"""Confusions, changes, rules and attachments, against counting by hand in the trees of the sample."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

import evaltools
from evaltools import align
from evaltools.corpus import Kind, Tree
from evaltools.frameworks.constituency.bracket_errors import (
    NO_BRACKET,
    attachments,
    bracket_features,
    confused_brackets,
    crossing_pairs,
    label_changes,
    label_confusions,
    phrase_sides,
    rule_differences,
    rule_places,
    wrong_brackets,
)
from evaltools.frameworks.constituency.error_table import gold_trees, tree_pair
from evaltools.marks import Status
from evaltools.runs.locations import sample_folder
from tests.slow.trees import pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaltools.frameworks.constituency.aligned_trees import Alignment

PARSER = "pcfg-plain"


@pytest.fixture(scope="module")
def run() -> evaltools.Run:
    folder = sample_folder()
    return evaltools.score(folder / "gold.ptb", {PARSER: folder / "parsers" / f"{PARSER}.ptb"})


@pytest.fixture(scope="module")
def aligned(run: evaltools.Run) -> dict[int, Alignment]:
    every = {number: run.alignment(number, PARSER) for number in range(1, run.n_sentences + 1)}
    return {number: alignment for number, alignment in every.items() if alignment.status == "ok"}


def phrases(tree: Tree) -> Iterator[int]:
    return (node for node, kind in enumerate(tree.kinds) if kind is Kind.PHRASE)


def brackets(tree: Tree) -> Counter[tuple[str, int, int]]:
    return Counter((tree.labels[node], *tree.span(node)) for node in phrases(tree))


def rule(tree: Tree, node: int) -> str:
    children = ["word" if tree.kinds[child] is Kind.WORD else tree.labels[child] for child in tree.children(node)]
    return f"{tree.labels[node]} → {' '.join(children)}"


@pytest.mark.slow
def test_the_trees_read_back_are_those_that_were_scored(run, aligned):
    pair = tree_pair(run, PARSER, range(1, run.n_sentences + 1))
    for number, alignment in aligned.items():
        assert pair.gold.treebank.tree(number - 1) == alignment.gold
        assert pair.test.treebank.tree(number - 1) == alignment.test
    normalized = gold_trees(run, 10)
    assert len(normalized.read) == 10 == len(normalized.treebank)


@pytest.mark.slow
def test_confusions_are_the_brackets_over_the_same_words(run, aligned):
    rows = label_confusions(run, PARSER, run.n_sentences)
    wrong = rows[rows["gold"] != rows["test"]]
    right = rows[rows["gold"] == rows["test"]]
    expected = Counter(), Counter(), Counter()
    for alignment in aligned.values():
        gold, test = brackets(alignment.gold), brackets(alignment.test)
        for side, more in zip(expected, (gold & test, gold - test, test - gold), strict=True):
            for (label, *_), count in more.items():
                side[label] += count
    assert dict(zip(right["gold"], right["count"], strict=True)) == expected[0]
    for side, missing in (("gold", expected[1]), ("test", expected[2])):
        counted = wrong[wrong[side] != NO_BRACKET].groupby(side)["count"].sum()
        assert counted.to_dict() == missing


@pytest.mark.slow
def test_a_label_is_confused_only_where_both_trees_have_a_bracket(run, aligned):
    rows = label_confusions(run, PARSER, run.n_sentences)
    pairs = rows[(rows["gold"] != rows["test"]) & ~rows[["gold", "test"]].eq(NO_BRACKET).any(axis=1)]
    assert len(pairs)
    for row in pairs.head(8).to_dict("records"):
        pairs_of_run = confused_brackets(run, PARSER, run.n_sentences)
        errors = pairs_of_run[(pairs_of_run["gold"] == row["gold"]) & (pairs_of_run["test"] == row["test"])]
        assert len(errors) == row["count"]
        for sentence, start, end in errors[["sentence", "start", "end"]].to_numpy().tolist():
            gold, test = brackets(aligned[sentence].gold), brackets(aligned[sentence].test)
            assert (row["gold"], start, end) in gold - test
            assert (row["test"], start, end) in test - gold


@pytest.mark.slow
def test_changes_are_those_of_the_t_mapping(run, aligned):
    rows = label_changes(run, PARSER, run.n_sentences)
    counted = rows.groupby(["label", "change"])["count"].sum().to_dict()
    expected: Counter[tuple[str, str]] = Counter()
    for alignment in aligned.values():
        for node in range(len(alignment.gold)):
            status = alignment.t.gold_status[node]
            if alignment.gold.kinds[node] is not Kind.WORD and status is not Status.RIGHT:
                expected[alignment.gold.labels[node], status.value] += 1
        for node in range(len(alignment.test)):
            if alignment.test.kinds[node] is not Kind.WORD and alignment.t.test_status[node] is Status.SPURIOUS:
                expected[alignment.test.labels[node], "spurious"] += 1
    assert counted == expected


@pytest.mark.slow
def test_rules_are_matched_over_the_same_words(run, aligned):
    pair = tree_pair(run, PARSER, range(1, run.n_sentences + 1))
    rows = rule_differences(phrase_sides(pair, run.rules)).set_index("rule")
    gold: Counter[str] = Counter()
    test: Counter[str] = Counter()
    matched: Counter[str] = Counter()
    for alignment in aligned.values():
        sides = [
            Counter((rule(tree, node), *tree.span(node)) for node in phrases(tree))
            for tree in (alignment.gold, alignment.test)
        ]
        for total, part in zip((gold, test, matched), (sides[0], sides[1], sides[0] & sides[1]), strict=True):
            for (name, *_), count in part.items():
                total[name] += count
    for name, counts in (("gold", gold), ("test", test), ("matched", matched)):
        assert {key: count for key, count in rows[name].to_dict().items() if count} == counts
    assert (rows["under"] == rows["gold"] - rows["matched"]).all()
    wrong: Counter[str] = Counter()
    for alignment in aligned.values():
        sides = [brackets(tree) for tree in (alignment.gold, alignment.test)]
        wrong["brackets"] += (sides[0] - sides[1]).total() + (sides[1] - sides[0]).total()
    assert rows["brackets"].sum() == wrong["brackets"]
    assert rows["brackets"].is_monotonic_decreasing


def test_the_places_of_a_rule_are_as_many_as_its_errors(run):
    sides = phrase_sides(tree_pair(run, PARSER, range(1, run.n_sentences + 1)), run.rules)
    for row in rule_differences(sides).head(6).to_dict("records"):
        assert len(rule_places(sides, row["rule"], spurious=True)) == row["over"]
        assert len(rule_places(sides, row["rule"], spurious=False)) == row["under"]


def test_attachments_are_common_brackets_with_other_parents(run, aligned):
    rows = attachments(phrase_sides(tree_pair(run, PARSER, range(1, run.n_sentences + 1)), run.rules))
    listed = {tuple(row) for row in rows[["sentence", "child", "start", "end"]].to_numpy().tolist()}
    assert len(listed)
    for number, alignment in aligned.items():
        gold, test = ({}, {})
        for tree, parents in ((alignment.gold, gold), (alignment.test, test)):
            for node in phrases(tree):
                above = tree.parents[node]
                key = (tree.labels[above], *tree.span(above)) if above >= 0 else None
                parents.setdefault((tree.labels[node], *tree.span(node)), []).append(key)
        for key in gold.keys() & test.keys():
            if len(gold[key]) == 1 == len(test[key]):  # the others pair up in some order
                assert ((number, *key) in listed) == (gold[key] != test[key])


PARAMETERS = "LABELED 1\nEQ_LABEL A B\nEQ_LABEL B C\n"
PARSERS = ("one", "two")


def tree(source: random.Random, words: list[str]) -> str:
    """Return a tree over words with few labels, of which some are also tags, and with unary chains."""
    label = source.choice(["A", "B", "C", "ADVP", "PRT"])
    if len(words) == 1:
        inner = f"({source.choice(['A', 'N'])} {words[0]})"
        return f"({label} {inner})" if source.random() < 0.6 else inner
    at = source.randrange(1, len(words))
    inner = f"{tree(source, words[:at])} {tree(source, words[at:])}"
    return f"({label} ({source.choice(['A', 'B', 'PRT'])} {inner}))" if source.random() < 0.4 else f"({label} {inner})"


def sums(run: evaltools.Run, parser: str) -> dict[str, tuple[int, int]]:
    """Return the numbers of missing and spurious brackets that each table lists."""
    size = run.n_sentences
    pair, listed = tree_pair(run, parser, range(1, size + 1)), wrong_brackets(run, parser, size)["status"]
    confused = confused_brackets(run, parser, size)
    sides, features = phrase_sides(pair, run.rules), bracket_features(pair, run.rules)["status"]
    return {
        "words": ((listed == "missing").sum(), (listed == "spurious").sum()),
        "labels": ((confused["gold"] != NO_BRACKET).sum(), (confused["test"] != NO_BRACKET).sum()),
        "rules": (sides.gold["wrong"].sum(), sides.test["wrong"].sum()),
        "brackets": ((features == "missing").sum(), (features == "spurious").sum()),
    }


@pytest.mark.parametrize("multiword_only", [False, True])
@pytest.mark.parametrize("preset", ["none", "collins", "chain"])
def test_sums_are_those_of_the_counts(tmp_path: Path, preset: str, multiword_only: bool):
    source = random.Random(7)
    sentences = [["a", "b", "c", "d", "e"][: source.randint(1, 5)] for _ in range(80)]
    for name in ("gold", *PARSERS):
        (tmp_path / f"{name}.ptb").write_text("".join(f"(S {tree(source, words)})\n" for words in sentences))
    (tmp_path / "chain.prm").write_text(PARAMETERS)
    rules = f"evalb:{tmp_path / 'chain.prm'}" if preset == "chain" else preset
    parses = {name: tmp_path / f"{name}.ptb" for name in PARSERS}
    run = evaltools.score(tmp_path / "gold.ptb", parses, preset=rules, multiword_only=multiword_only)
    for parser in PARSERS:
        counts = run.counts(parser)[["e_gold_roof", "e_test_roof", "e_matched_roof"]].sum()
        gold, test, matched = counts.tolist()
        expected = gold - matched, test - matched
        assert matched
        assert min(expected) > 0
        assert sums(run, parser) == dict.fromkeys(("words", "labels", "rules", "brackets"), expected)


def test_equated_labels_are_one_bracket_and_one_parent(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (ADVP (NP (N a)) (N b)) (N c))\n")
    (tmp_path / "test.ptb").write_text("(S (PRT (NP (N a)) (N b)) (N c))\n")
    run = evaltools.score(tmp_path / "gold.ptb", {"p": tmp_path / "test.ptb"}, preset="collins")
    assert set(sums(run, "p").values()) == {(0, 0)}
    assert attachments(phrase_sides(tree_pair(run, "p", [1]), run.rules)).empty


@given(pairs())
def test_as_many_test_brackets_cross_as_the_metric_counts(pair: tuple[Tree, Tree]):
    assert len({test for _, test in crossing_pairs(*pair)}) == align(*pair).counts["e_crossing_brackets"]
    assert {(j, i) for i, j in crossing_pairs(*pair)} == set(crossing_pairs(*pair[::-1]))
