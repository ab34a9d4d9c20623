"""Brackets on which all parsers agree against the gold tree, as sets; typical words of brackets."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from random import Random

import pandas as pd
from hypothesis import given

import evaltools
from evaltools.formats import Source
from evaltools.frameworks.constituency.members import typical_words
from evaltools.frameworks.constituency.questions import SUSPECTS
from evaltools.outputs.hotspots import ask
from tests.conftest import few_examples
from tests.slow.trees import perturbed, random_forest, randoms, text_of

NONE = "(none)"


def scored(gold: list[str], *parsers: list[str]) -> evaltools.Run:
    names = [f"p{number}" for number in range(len(parsers))]
    files = {
        name: Source.from_bytes("".join(f"{tree}\n" for tree in trees).encode(), name)
        for name, trees in zip(names, parsers, strict=True)
    }
    return evaltools.score(
        Source.from_bytes("".join(f"{tree}\n" for tree in gold).encode(), "gold"), files, preset="none"
    )


def test_a_phrase_that_two_steps_move_is_no_typical_example_of_the_first():
    words = "(NP (D the) (N stakes))", "(P for) {} (NP (A free) (N speech)) {}", "(PP (P in) (NP (N courts)))"
    gold = f"(S (NP {words[0]} (PP {words[1].format('', '')})) {words[2]} (VP (V rise)))"
    parse = f"(S (NP {words[0]} (PP {words[1].format('(NP', words[2] + ')')})) (VP (V rise)))"
    steps = scored([gold], [parse]).query(
        "select construction, typical from errors where kind = 'repair' order by number"
    )
    assert steps["construction"].tolist() == ["PP attached to the wrong NP", "PP attached to the NP instead of the S"]
    assert steps["typical"].tolist() == [False, False]


def wrong(run: evaltools.Run, parser: str, status: str) -> Counter[tuple[int, int, int, str]]:
    """Return a parser's missing or spurious phrases: those that are paired with no phrase."""
    rows = run.brackets(parser)
    own, other = ("gold_kind", "test_kind") if status == "missing" else ("test_kind", "gold_kind")
    rows = rows[(rows[own] == "phrase") & (rows[other] != "phrase")]
    return Counter(zip(rows["sentence"], rows["start"], rows["end"], rows["label"], strict=True))


@few_examples
@given(randoms)
def test_they_are_those_of_sets_of_brackets(random: Random):
    forests = [random_forest(random, list("abcde"[:n]), forest=False, bare=False) for n in (3, 4, 5)]
    gold = [text_of(forest) for forest in forests]
    parsers = [[text_of(perturbed(random, forest, 3)) for forest in forests] for _ in range(2)]
    run = scored(gold, *parsers)
    table = ask(run, SUSPECTS, "p0")
    rows = pd.concat(
        [pd.DataFrame({"sentence": [], "start": [], "end": [], "gold": [], "test": []})]
        + [table.errors(row) for row in table.rows.to_dict("records")]
    )
    for side, status in (("gold", "missing"), ("test", "spurious")):
        some = rows[rows[side] != NONE]
        found = Counter(zip(some["sentence"], some["start"], some["end"], some[side], strict=True))
        assert found == reduce(lambda a, b: a & b, [wrong(run, parser, status) for parser in run.parsers])


def test_a_missing_and_a_spurious_bracket_over_the_same_words_are_a_pair():
    gold = ["(S (NP (D a) (N b)) (VP (V c)))"]
    run = scored(gold, ["(S (X (D a) (N b)) (VP (V c)))"], ["(S (X (D a) (N b)) (V c))"])
    table = ask(run, SUSPECTS, "p0")
    figures = table.rows[["gold", "test", "errors", "sentences", "share"]].to_numpy().tolist()
    assert figures == [["NP", "X", 1, 1, 1.0]]
    errors = table.errors(table.rows.iloc[0].to_dict())
    assert errors[["sentence", "start", "end"]].to_numpy().tolist() == [[1, 0, 2]]
    (line,) = table.lines([1], errors)
    assert (line.marked, line.remark) == ({0, 1}, "gold NP, all parsers X")


def test_one_parser_agrees_with_nobody():
    table = ask(scored(["(S (NP (D a)) (V b))"], ["(S (D a) (V b))"]), SUSPECTS, "p0")
    assert table.rows.empty


def test_a_headline_prefers_what_all_parsers_have():
    trees = "(S (NP (D a) (N b)) (VP (V c)))", "(S (D a) (N b) (V c))", "(S (NP (D a) (N b)) (X (VP (V c))))"
    gold, *parses = ([trees[0], trees[0], trees[0]], *[[trees[1], trees[1], trees[2]]] * 2)
    table = ask(scored(gold, *parses), SUSPECTS, "p0")
    assert table.headline == (
        "All 2 parsers differ alike from gold in most brackets at X that gold lacks: 1 bracket, 20.0 % of all brackets "
        "on which they agree against gold, in 1 sentence. The first row, gold NP, which no parser has, is "
        "uninformative: parsers may lack a bracket for different reasons."
    )


def test_the_typical_bracket_begins_as_most_do_and_is_not_too_short():
    run = scored([f"(S {' '.join(f'(X {word})' for word in text)})" for text in ("abcde", "abxy", "aq")], ["(S (X a))"])
    members = pd.DataFrame(
        {
            "sentence": [1, 1, 2, 3],
            "start": [0, 1, 0, 0],
            "end": [5, 4, 4, 2],
            "first_end": [1, 2, 1, 1],
            "is_plain": [True] * 4,
        }
    )
    assert typical_words(run, members) == "a b x y"
    assert typical_words(run, members.head(0)) == ""
