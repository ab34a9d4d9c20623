"""The errors of brackets, and the questions about them, against counting by hand in the trees of the sample."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import evaltools
from evaltools.corpus import Kind, Tree
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.errors import gold_trees, tree_pair
from evaltools.frameworks.constituency.members import bracket_features
from evaltools.frameworks.constituency.questions import QUESTIONS
from evaltools.frameworks.questions import NONE
from evaltools.outputs.hotspots import ask
from evaltools.runs.locations import sample_folder
from tests.slow.edits import repair
from tests.slow.repair import phrase_brackets

PARSER = "pcfg-plain"


@pytest.fixture(scope="module")
def run() -> evaltools.Run:
    folder = sample_folder()
    return evaltools.score(folder / "gold.ptb", {PARSER: folder / "parsers" / f"{PARSER}.ptb"})


@pytest.fixture(scope="module")
def aligned(run: evaltools.Run) -> dict[int, Alignment]:
    every = {number: run.alignment(number, PARSER) for number in range(1, run.n_sentences + 1)}
    return {number: alignment for number, alignment in every.items() if alignment.status == "ok"}


def rows_of(run: evaltools.Run, question: str, parser: str = PARSER) -> pd.DataFrame:
    return ask(run, QUESTIONS[question], parser).rows


def errors_of(run: evaltools.Run, kind: str, parser: str = PARSER) -> list[dict[str, Any]]:
    rows = run.query("select * from errors where parser = ? and kind = ? order by sentence, number", [parser, kind])
    return rows.astype(object).where(rows.notna(), None).to_dict("records")


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
    normalized = gold_trees(run, range(1, 11))
    assert len(normalized.read) == 10 == len(normalized.treebank)


@pytest.mark.slow
def test_wrong_brackets_are_those_of_one_tree_and_pairs_are_over_the_same_words(run, aligned):
    listed: dict[int, tuple[Counter, Counter]] = {number: (Counter(), Counter()) for number in aligned}
    n_pairs: Counter[int] = Counter()
    for error in errors_of(run, "bracket"):
        n_pairs[error["sentence"]] += error["status"] == "relabeled"
        labels = [error[side] for side in ("gold", "test")]
        for side, label in zip(listed[error["sentence"]], labels, strict=True):
            side[label, error["start"], error["end"]] += label is not None
        assert error["cost"] == sum(label is not None for label in labels)
        assert (
            error["status"]
            == {(True, True): "relabeled", (True, False): "missing", (False, True): "spurious"}[
                labels[0] is not None, labels[1] is not None
            ]
        )
    for number, alignment in aligned.items():
        gold, test = brackets(alignment.gold), brackets(alignment.test)
        assert [+side for side in listed[number]] == [gold - test, test - gold]
        spans = [Counter(key[1:] for key in side.elements()) for side in (gold - test, test - gold)]
        assert n_pairs[number] == (spans[0] & spans[1]).total()


@pytest.mark.slow
def test_a_wrong_bracket_belongs_to_the_step_that_settles_it(run, aligned):
    listed: dict[int, list[dict[str, Any]]] = {}
    for error in errors_of(run, "bracket"):
        listed.setdefault(error["sentence"], []).append(error)
    for number, errors in listed.items():
        gold, test = aligned[number].gold, aligned[number].test
        trees = [test, *(step.tree for step in repair(gold, test))]
        counts = [phrase_brackets(tree) for tree in trees]
        for error in errors:
            key = (error["gold"] or error["test"], error["start"], error["end"])
            changes = [after[key] - before[key] for before, after in pairwise(counts)]
            step = int(error["repair"]) - 1
            if error["gold"] is not None:  # the last step that makes it
                assert changes[step] > 0
                assert max(changes[step + 1 :], default=0) <= 0
            elif counts[0][key] == 1:  # the first step that takes it away
                assert changes[step] < 0
                assert min(changes[:step], default=0) >= 0


@pytest.mark.slow
def test_confusions_are_the_brackets_over_the_same_words(run, aligned):
    rows = rows_of(run, "labels")
    expected = Counter(), Counter(), Counter()
    for alignment in aligned.values():
        gold, test = brackets(alignment.gold), brackets(alignment.test)
        for side, more in zip(expected, (gold & test, gold - test, test - gold), strict=True):
            for (label, *_), count in more.items():
                side[label] += count
    right = rows.drop_duplicates("gold").set_index("gold")["right"].to_dict()
    assert {label: count for label, count in right.items() if count} == {
        label: count for label, count in expected[0].items() if label in right
    }
    for side, missing in (("gold", expected[1]), ("test", expected[2])):
        assert rows[rows[side] != NONE].groupby(side)["errors"].sum().to_dict() == missing
    assert rows["cost"].sum() == expected[1].total() + expected[2].total()


@pytest.mark.slow
def test_rules_are_those_of_brackets_without_a_partner_or_with_other_children(run, aligned):
    rows = rows_of(run, "rules").set_index("rule")
    missed: Counter[str] = Counter()
    spurious: Counter[str] = Counter()
    cost: Counter[str] = Counter()
    for alignment in aligned.values():
        gold, test = alignment.gold, alignment.test
        pairs = {own: other for own, other in alignment.e.pairs if gold.kinds[own] is test.kinds[other] is Kind.PHRASE}
        back = {other: own for own, other in pairs.items()}
        for tree, partner, counts, others in ((gold, pairs, missed, test), (test, back, spurious, gold)):
            for node in phrases(tree):
                is_wrong = node not in partner
                if is_wrong or rule(tree, node) != rule(others, partner[node]):
                    counts[rule(tree, node)] += 1
                    cost[rule(tree, node)] += is_wrong
    for name, counts in (("errors", missed + spurious), ("cost", cost)):
        assert {key: count for key, count in rows[name].to_dict().items() if count} == +counts
    assert rows["cost"].is_monotonic_decreasing


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
    errors, rules = errors_of(run, "bracket", parser), ask(run, QUESTIONS["rules"], parser)
    pair = tree_pair(run, parser, range(1, run.n_sentences + 1))
    features = bracket_features(pair, run.rules)["status"]
    by_rule = [rules.errors(row) for row in rows_of(run, "rules", parser).to_dict("records")]
    of_rules = pd.concat(by_rule)["remark"][pd.concat(by_rule)["cost"] > 0] if by_rule else pd.Series([], dtype=object)
    return {
        "labels": (
            sum(error["gold"] is not None for error in errors),
            sum(error["test"] is not None for error in errors),
        ),
        "rules": ((of_rules == "missed").sum(), (of_rules == "spurious").sum()),
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
        assert sums(run, parser) == dict.fromkeys(("labels", "rules", "brackets"), expected)
        if preset != "chain":  # repairs take labels that equal a third one as equal
            assert all(error["repair"] is not None for error in errors_of(run, "bracket", parser))


def test_equated_labels_are_one_bracket_and_one_parent(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (ADVP (NP (N a)) (N b)) (N c))\n")
    (tmp_path / "test.ptb").write_text("(S (PRT (NP (N a)) (N b)) (N c))\n")
    run = evaltools.score(tmp_path / "gold.ptb", {"p": tmp_path / "test.ptb"}, preset="collins")
    assert set(sums(run, "p").values()) == {(0, 0)}
    assert not errors_of(run, "attachment", "p")
