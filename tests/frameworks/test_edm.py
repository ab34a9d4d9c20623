"""Elementary dependency match against its definition, and against PyDelphin."""

from __future__ import annotations

import numpy as np
import pytest
from delphin import edm as pydelphin
from hypothesis import assume, given
from hypothesis import strategies as st

from evaltools import ParameterError
from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.semantics import edm
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm import TripleColumns, TripleVocabulary, match
from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS, SPANS, EdmRules, load_edm_rules, parse_weights
from tests.slow import edm as slow

Pair = tuple[SemanticGraph | None, SemanticGraph | None]

any_rules = st.one_of(
    st.builds(load_edm_rules, st.sampled_from(sorted(EDM_PRESETS)), spans=st.sampled_from(sorted(SPANS))), slow.rules
)
corpora = st.lists(slow.graph_pairs(), max_size=5)


def matched(corpus: list[Pair], rules: EdmRules) -> np.ndarray:
    vocabulary = TripleVocabulary()
    gold, test = (TripleColumns.of([pair[side] for pair in corpus], rules, vocabulary) for side in (0, 1))
    return match(gold, test)


# ------------------------------------------------------------------------------------------------------------- counts


@given(corpora, any_rules)
def test_the_counts_are_those_of_the_definition(corpus: list[Pair], rules: EdmRules):
    expected = [[slow.counts(*pair, rules)[name] for name in edm.COLUMNS] for pair in corpus]
    np.testing.assert_array_equal(matched(corpus, rules), np.reshape(expected, (-1, len(edm.COLUMNS))))


@given(corpora, any_rules)
def test_numbers_that_would_be_too_large_are_given_anew(corpus: list[Pair], rules: EdmRules):
    expected = matched(corpus, rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edm, "LIMIT", 1)
        np.testing.assert_array_equal(matched(corpus, rules), expected)


@given(slow.graph_pairs(), any_rules)
def test_an_alignment_has_the_same_counts(pair: Pair, rules: EdmRules):
    a = align_graphs(*pair, rules, ("edm",))
    assert dict(a.counts) == pytest.approx(slow.counts(*pair, rules), abs=0, rel=0, nan_ok=True)
    columns = dict(zip(edm.COLUMNS, matched([pair], rules).T, strict=True))
    for name, score in a.scores.items():
        assert (np.nan if score is None else score) == pytest.approx(METRICS[name].score(columns)[0], nan_ok=True)


@given(corpora, slow.rules)
def test_swapping_the_sides_swaps_recall_and_precision(corpus: list[Pair], rules: EdmRules):
    one, other = matched(corpus, rules), matched([pair[::-1] for pair in corpus], rules)
    columns = [dict(zip(edm.COLUMNS, counts.T, strict=True)) for counts in (one, other)]
    for name in edm.PARTS:
        for pair in ((name, name), (f"{name}_recall", f"{name}_precision")):
            scores = [METRICS[metric].score(side) for metric, side in zip(pair, columns, strict=True)]
            np.testing.assert_array_equal(*scores)


@given(slow.graphs(), any_rules)
def test_equal_graphs_score_1(graph: SemanticGraph, rules: EdmRules):
    a = align_graphs(graph, graph, rules, ("edm",))
    assert set(a.scores.values()) <= {1.0, None}
    assert a.scores["edm_exact"] == (None if slow.is_bare(graph) else 1.0)
    if slow.is_bare(graph):
        assert set(a.scores.values()) == {None}
        return
    assert {row.status for row in (*a.nodes, *a.edges, *a.triples)} <= {"right"}
    assert all(pair.gold == pair.test for pair in a.nodes if graph.nodes.count(graph.nodes[pair.gold]) == 1)


def test_what_cannot_be_compared():
    rules, vocabulary = load_edm_rules(), TripleVocabulary()
    one = TripleColumns.of([None], rules, vocabulary)
    for other in (
        TripleColumns.of([None], rules, TripleVocabulary()),
        TripleColumns.of([None, None], rules, vocabulary),
        TripleColumns.of([None], load_edm_rules("mtool"), vocabulary),
    ):
        with pytest.raises(ParameterError, match="same rules"):
            match(one, other)
    assert match(one, one).tolist() == [[0.0] * len(edm.COLUMNS)]


# --------------------------------------------------------------------------------------------------------- PyDelphin


@pytest.mark.parametrize("convert", [slow.to_eds, slow.to_dmrs])
@given(
    corpus=corpora,
    weights=st.tuples(*[st.sampled_from(slow.WEIGHTS)] * 5),
    ignore=st.tuples(st.booleans(), st.booleans()),
)
@pytest.mark.slow
def test_pydelphin_says_the_same(convert, corpus: list[Pair], weights: tuple[float, ...], ignore: tuple[bool, bool]):
    """Weights are whole numbers of quarters, so that sums do not depend on the order.

    Graphs without spans are left out: PyDelphin gives all their nodes the span (-1, -1), and here they are undefined.
    """
    assume(not any(slow.is_bare(graph) for pair in corpus for graph in pair))
    pairs = [tuple(None if one is None else slow.one_range(one) for one in pair) for pair in corpus]
    theirs = pydelphin.compute(
        *([None if pair[side] is None else convert(pair[side]) for pair in pairs] for side in (0, 1)),
        *weights,
        ignore_missing_gold=ignore[0],
        ignore_missing_test=ignore[1],
    )
    names = ("names", "arguments", "properties", "constants", "top")
    said = "[classes]\n" + "\n".join(f"{name} = {weight}" for name, weight in zip(names, weights, strict=True))
    rules = parse_weights(said, "weights.toml", load_edm_rules("pydelphin"))
    counts = matched(pairs, rules)
    kept = [not any(one is None and out for one, out in zip(pair, ignore, strict=True)) for pair in pairs]
    columns = dict(zip(edm.COLUMNS, counts[np.array(kept, dtype=bool)].sum(axis=0), strict=True))
    found = [
        METRICS[name].score({key: np.array([value]) for key, value in columns.items()})[0]
        for name in ("edm_precision", "edm_recall", "edm")
    ]
    ours = [0.0 if np.isnan(score) else float(score) for score in found]
    if columns["edm_n_matched"] or any(columns[f"edm_{letter}_matched"] for letter in "apct"):
        assert ours[:2] == list(theirs[:2])
        assert f"{ours[2]:.12f}" == f"{theirs[2]:.12f}"
    else:
        assert ours == list(theirs) == [0.0, 0.0, 0.0]
