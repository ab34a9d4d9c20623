"""Signs that files or rules are not what was meant: each is found with its size, none without a sign."""

from __future__ import annotations

from typing import Any

import pytest

import evaltools
from evaltools.analysis.suspicions import suspicions
from evaltools.runs.sample import sample_run

TREE = "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))"
OTHER_TAG = TREE.replace("VBZ", "NNS")
FUNCTIONS = TREE.replace("NP", "NP-SBJ")
TRACES = TREE.replace("(VP", "(NP (-NONE- *T*)) (VP")
N = 30


def found(gold: str, parse: str, **options: Any) -> list[str]:
    run = evaltools.score([gold] * N, {"p": [parse] * N}, **options)
    return [item.text for item in suspicions(run.meta["parsers"])]


@pytest.mark.parametrize(
    ("gold", "parse", "preset", "expected"),
    [
        (TREE, OTHER_TAG, "standard", []),
        (TREE, TREE, "standard", []),  # 90 words are too few to say
        (
            TREE,
            TREE,
            "none",
            [
                "tags of p are those of gold in all 120 words: gold tags given?",
                "the root label counts as a bracket in p: 30 of 120",
            ],
        ),
        (TREE, OTHER_TAG.replace("dog", "DOG"), "standard", ["30 of 90 words of p equal gold but for case"]),
        (TREE, OTHER_TAG, "collins", ["the root label counts as a bracket in p: 30 of 120"]),
        (
            FUNCTIONS,
            OTHER_TAG,
            "none",
            [
                "function tags count, with none in p: gold has 30 in 120 brackets",
                "the root label counts as a bracket in p: 30 of 120",
            ],
        ),
        (
            TRACES,
            OTHER_TAG,
            "none",
            [
                "empty elements count, with none in p: gold has 30 in 150 words",
                "the root label counts as a bracket in p: 30 of 150",
            ],
        ),
        (
            TRACES,
            TRACES.replace("VBZ", "NNS"),
            "none",
            [
                "empty elements count as words in p: 30 of 150",
                "the root label counts as a bracket in p: 30 of 150",
            ],
        ),
        (TRACES, OTHER_TAG, "standard", []),
        (
            TREE.replace("(. .)", "(PUNCT .)"),
            OTHER_TAG.replace("(. .)", "(PUNCT .)"),
            "standard",
            ["punctuation counts in p: 30 of 120 words; other tags?"],
        ),
    ],
)
def test_what_is_probably_wrong_in_trees(gold: str, parse: str, preset: str, expected: list[str]):
    assert found(gold, parse, preset=preset) == expected


def test_what_several_parsers_have_is_said_once_with_the_largest_size():
    words = [OTHER_TAG.replace("dog", "DOG")] * N, [OTHER_TAG] * (N - 1) + [OTHER_TAG.replace("dog", "DOG")]
    run = evaltools.score([TREE] * N, {"few": words[1], "all": words[0]})
    (item,) = suspicions(run.meta["parsers"])
    assert item.text == "30 of 90 words of all and few equal gold but for case"


def test_punctuation_of_dependencies_that_has_other_tags():
    row = "1\tHi\t_\tINTJ\t_\t_\t0\troot\t_\t_\n2\t!\t_\tSYM\t_\t_\t1\tpunct\t_\t_\n\n"
    parse = row.replace("INTJ", "X")
    empty = "XPOS, LEMMA, FEATS and DEPS: no value in any of the 60 words of gold, nor in p"
    assert found(row, parse, punctuation="upos") == [
        "punctuation counts in p: 30 of 60 words; other tags?",
        empty,
    ]
    assert found(row, parse, punctuation="unicode") == found(row, parse) == [empty]


GRAPH = '(w / want-01 :ARG0 (b / Boy :name "x") :polarity -)'


@pytest.mark.parametrize(
    ("gold", "parse", "expected"),
    [
        (GRAPH, GRAPH, []),
        (GRAPH, GRAPH.replace("Boy", "boy"), ["30 of 60 labels of p equal gold but for case"]),
        (
            GRAPH,
            "(w / want-01 :ARG0 (b / Boy))",
            ["properties count, with none in p: gold has 60 in 30 graphs"],
        ),
    ],
)
def test_what_is_probably_wrong_in_graphs(gold: str, parse: str, expected: list[str]):
    assert found(gold, parse) == expected


def test_the_sample_has_only_words_that_are_written_otherwise():
    (item,) = suspicions(sample_run().meta["parsers"])
    assert item.text == "40 of 3,893 words of shift-reduce-running-text equal gold but for escapes or Unicode form"
    (item,) = suspicions(sample_run(kind="dependency").meta["parsers"])
    assert item.text.startswith("LEMMA, FEATS and DEPS: no value in any of the 4,435 words of gold")
