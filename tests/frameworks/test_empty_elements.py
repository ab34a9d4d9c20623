"""Empty elements: under ``standard`` trees with traces are compared exactly as they are without."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools import Run, Tree, Treebank, align, load_preset, read_treebank
from evaltools.drawing import draw
from evaltools.frameworks.constituency.errors import gold_trees, tree_pair
from evaltools.frameworks.constituency.members import bracket_features, word_features
from evaltools.frameworks.presets.filtering import without_empty_elements
from tests.conftest import few_examples
from tests.frameworks.compared import compared_groups
from tests.slow.edits import error_rows
from tests.slow.trees import Nested, perturbed, random_forest, randoms, text_of

LABELS = ("S", "NP-SBJ", "NP=2", "PRT", "VP", "PP-LOC-CLR", "TOP")
TAGS = ("NN", "VB", ",", ".", "``")
TRACES = ("*", "*-1", "*T*-2", "0", "*U*", "*ICH*-3", "a")
TABLES = ("sentences", "words", "brackets", "trees", "problems")


def is_tag(node: Nested) -> bool:
    return len(node) == 2 and isinstance(node[1], str)


def empty_element(random: Random, depth: int = 2) -> Nested:
    """Make a trace, or a phrase that holds nothing but traces."""
    if depth == 0 or random.random() < 0.4:
        return ["-NONE-", random.choice(TRACES)]
    label = random.choice(("NP-SBJ-1", "NP", "SBAR", "S-TPC=2", "TOP"))
    return [label, *(empty_element(random, depth - 1) for _ in range(random.randint(1, 2)))]


def run_a(random: Random, forest: list[Nested], chance: float = 0.3) -> list[Nested]:
    """Insert empty elements between the children of phrases."""

    def changed(node: Nested) -> Nested:
        if isinstance(node, str) or is_tag(node):
            return node
        children: list[Nested] = []
        for child in node[1:]:
            children += [empty_element(random)] if random.random() < chance else []
            children.append(changed(child))
        children += [empty_element(random)] if random.random() < chance else []
        return [node[0], *children]

    return [changed(root) for root in forest]


def tagged(random: Random, node: Nested) -> Nested:
    """Put a tag above each word; the same word mostly has the same tag."""
    if isinstance(node, str):
        return [random.choice(TAGS) if random.random() < 0.1 else TAGS[ord(node[0]) % len(TAGS)], node]
    if is_tag(node):
        return tagged(random, node[1])
    return [node[0], *(tagged(random, child) for child in node[1:])]


def corpus(random: Random) -> tuple[list[list[Nested]], list[list[Nested]]]:
    """Make gold trees and a parser's, some of them over other words, and some missing."""
    golds, tests = [], []
    for _ in range(random.randint(1, 5)):
        words = [random.choice("abcdef") for _ in range(random.randint(1, 8))]
        gold = random_forest(random, words, bare=False, labels=LABELS)
        test = perturbed(random, gold, random.randint(0, 4), LABELS)
        if random.random() < 0.4:
            others = [word * random.randint(0, 2) if random.random() < 0.3 else word for word in words]
            test = random_forest(random, [word for word in others if word] or ["x"], bare=False, labels=LABELS)
        golds.append([tagged(random, root) for root in gold])
        tests.append([] if random.random() < 0.1 else [tagged(random, root) for root in test])
    return golds, tests


def lines_of(sentences: list[list[Nested]]) -> bytes:
    return "".join(f"{text_of(sentence)}\n" for sentence in sentences).encode()


def scored(gold: bytes, test: bytes, **options: bool) -> Run:
    return evaltools.score(io.BytesIO(gold), {"p": io.BytesIO(test)}, format="ptb", jobs=1, **options)


def tables_of(run: Run) -> dict[str, pd.DataFrame]:
    made = {name: run.query(f"select * from {name}") for name in TABLES}
    made["trees"] = made["trees"].drop(columns="tree")
    return made


def assert_same(run_a: Run, run_b: Run) -> None:
    """Compare all that is known of two runs, but for the text of the trees."""
    for name, table in tables_of(run_a).items():
        pd.testing.assert_frame_equal(table, tables_of(run_b)[name])
    for key in ("scored", "missing", "words_differ", "words_aligned"):
        assert run_a.meta["parsers"][0][key] == run_b.meta["parsers"][0][key]
    assert {key: run_a.meta[key] for key in ("problems", "labels")} == {
        key: run_b.meta[key] for key in ("problems", "labels")
    }
    n_rows = [{table: entry["rows"] for table, entry in run.meta["tables"].items()} for run in (run_a, run_b)]
    assert n_rows[0] == n_rows[1]
    tree_pairs = [tree_pair(run, "p", range(1, run.n_sentences + 1)) for run in (run_a, run_b)]
    preset = load_preset("standard")
    pd.testing.assert_frame_equal(*(error_rows(pair, preset) for pair in tree_pairs))
    features = [
        (bracket_features(pair, run.rules), words_of(run)) for pair, run in zip(tree_pairs, (run_a, run_b), strict=True)
    ]
    for first, second in zip(*features, strict=True):
        pd.testing.assert_frame_equal(first, second)
    for by in ("tag", "parent", "rule", "length"):
        first, second = (compared_groups(words, by, "la_exact", min_count=1) for _, words in features)
        pd.testing.assert_frame_equal(first, second)


def words_of(run: Run) -> pd.DataFrame:
    """Return the features of the gold words beside their scores, as *Hotspots* does."""
    scores = run.query("select sentence, word, la_exact from words where parser = 'p'")
    return word_features(gold_trees(run, range(1, run.n_sentences + 1))).merge(
        scores, on=["sentence", "word"], how="inner"
    )


@pytest.mark.slow
@few_examples
@given(randoms, st.sampled_from([(True, False), (False, True), (True, True)]), st.booleans())
def test_a_run_over_trees_with_traces_is_that_over_the_same_trees_without(
    random: Random, inserted: tuple[bool, bool], align_sentences: bool
):
    sides = corpus(random)
    traced = [
        [run_a(random, sentence) if here else sentence for sentence in side]
        for side, here in zip(sides, inserted, strict=True)
    ]
    plain = scored(*map(lines_of, sides), align_sentences=align_sentences)
    assert_same(plain, scored(*map(lines_of, traced), align_sentences=align_sentences))


@given(randoms)
def test_an_alignment_and_its_drawings_are_the_same_with_traces(random: Random):
    golds, tests = corpus(random)
    gold, test = golds[0], tests[0]
    traced = [run_a(random, side) for side in (gold, test)]
    plain, with_empty = (
        align(*(Tree.from_string(text_of(side)) for side in sides), "standard") for sides in ((gold, test), traced)
    )
    assert plain == with_empty
    assert draw(plain, "json") == draw(with_empty, "json")
    assert [draw(plain, mapping=kind) for kind in "et"] == [draw(with_empty, mapping=kind) for kind in "et"]


@given(randoms)
def test_what_is_left_without_empty_elements_is_the_tree_written_without(random: Random):
    forest, _ = corpus(random)
    written, traced = (
        [Tree.from_string(text_of(sentence)) for sentence in side]
        for side in (forest, [run_a(random, sentence) for sentence in forest])
    )
    left = without_empty_elements(Treebank.from_trees(traced), {"-NONE-"})
    assert [left.tree(number) for number in range(len(traced))] == written
    whole = Treebank.from_trees(written)
    for column in ("parent", "leftmost", "start", "end", "kind", "offsets"):
        assert np.array_equal(getattr(left, column), getattr(whole, column)), column


def test_a_trace_in_the_gold_tree_does_not_make_words_differ():
    gold = "(S (NP-SBJ-1 (NNP Kim)) (VP (VBD seemed) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB sleep))))))"
    test = "(S (NP (NNP Kim)) (VP (VBD seemed) (S (VP (TO to) (VP (VB sleep))))))"
    a = align(gold, test, "standard")
    assert (a.status, a.scores["f1"], a.scores["ted"], a.scores["la_exact"]) == ("ok", 1.0, 1.0, 1.0)
    assert [word.form for word in a.gold_words] == ["Kim", "seemed", "to", "sleep"]
    run = scored(gold.encode(), test.encode())
    assert run.meta["problems"] == 0
    assert run.sentences("p")[["words", "words_scored"]].to_numpy().tolist() == [[4, 4]]
    assert run.query("select text from trees where parser is null")["text"].tolist() == ["Kim seemed to sleep"]


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("ptb", "(S (NP (-NONE- *) dogs) (VP (V bark)))"),
        ("discbracket", "(S (NP (-NONE- 0=*) 1=dogs) (VP (V 2=bark)))"),
    ],
)
def test_a_phrase_becomes_a_tag_in_every_notation_with_tags(notation: str, text: str):
    left = without_empty_elements(read_treebank(io.BytesIO(text.encode()), notation), {"-NONE-"})
    assert left.tree(0) == Tree.from_string("(S (NP dogs) (VP (V bark)))")


@pytest.mark.parametrize("gold", ["(S (NN dog) (VB barks))", "(S (NP (-NONE- *)) (NN dog) (VB barks))"])
def test_a_parser_that_tags_a_word_as_an_empty_element_keeps_its_word(gold: str):
    a = align(gold, "(S (-NONE- dog) (VB barks))", "standard")
    assert (a.status, a.test.words, a.scores["tagging"]) == ("ok", ("dog", "barks"), 0.5)


def test_a_parser_that_repeats_the_traces_under_other_tags_loses_them_by_the_gold_tags():
    a = align("(S (NP (-NONE- *)) (VB go))", "(S (NP (NN *)) (VB go))", "standard")
    assert (a.status, str(a.test)) == ("ok", "(S (VB go))")


def test_a_sentence_of_empty_elements_only_has_no_parse_in_the_test_and_is_not_scored_in_the_gold():
    assert align("(S (NN a))", "(S (NP (-NONE- *)))", "standard").status == "missing"
    assert set(align("(S (NP (-NONE- *)))", "(S (NN a))", "standard").scores.values()) == {None}


@pytest.mark.parametrize("preset", ["none", "collins", "new"])
def test_other_presets_have_no_empty_elements_to_remove_first(preset: str):
    assert load_preset(preset).empty_tags == frozenset()
    words = [word.form for word in align("(S (NP (-NONE- *)) (VB go))", "(S (VB go))", preset).gold_words]
    assert words == ["*", "go"]


def test_a_preset_of_its_own_can_name_the_tags(tmp_path: Path):
    mine = replace(load_preset("none"), name="mine", empty_tags=frozenset({"XX"}))
    gold, test = tmp_path / "gold.ptb", tmp_path / "test.ptb"
    gold.write_text("(S (XX e) (N a))\n", "utf-8")
    test.write_text("(S (N a))\n", "utf-8")
    run = evaltools.score(gold, {"p": test}, preset=mine, out=tmp_path / "run")
    assert run.sentences("p")["status"].tolist() == ["ok"]
    again = evaltools.Run(tmp_path / "run")
    assert again.rules == mine
    assert again.alignment(1, "p").status == "ok"
    assert "empty elements, removed before words are compared: words tagged XX" in again.meta["preset_rules"]


WITH_TRACES = "(S (NP-SBJ-{0} (PRP He)) (VP (VBD seemed) (S ({1} (-NONE- *-{0})) (VP (TO to) (VP (VB go))))) (. .))"
WITHOUT_TRACES = "(S (NP-SBJ (PRP He)) (VP (VBD seemed) (S (VP (TO to) (VP (VB go))))) (. .))"


@pytest.mark.parametrize(
    ("test", "preset", "counts"),
    [
        (WITH_TRACES.format(7, "NP"), "keep", (7, 7, 7)),  # indices do not count
        (WITH_TRACES.format(1, "PP"), "keep", (7, 7, 6)),
        (WITH_TRACES.format(1, "PP"), "standard", (6, 6, 6)),
        (WITHOUT_TRACES, "keep", (7, 6, 6)),
        (WITHOUT_TRACES, "standard", (6, 6, 6)),
    ],
)
def test_traces_are_kept_and_scored(test: str, preset: str, counts: tuple[int, int, int]):
    alignment = align(WITH_TRACES.format(1, "NP-SBJ"), test, preset)
    assert tuple(alignment.counts[f"e_{name}_roof"] for name in ("gold", "test", "matched")) == counts
    assert ("*" in alignment.gold.words) == (preset == "keep")
    picture = draw(alignment, "text", mapping="t")
    assert ("*" in picture.split()) == (preset == "keep")
