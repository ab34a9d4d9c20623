"""Other weights of a run of semantic graphs: the figures from its triples are those of its graphs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.errors import ParameterError, RunError
from evaltools.frameworks.semantics import edm
from evaltools.frameworks.semantics.edm import TripleCounter
from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS, ClassWeights
from evaltools.frameworks.semantics.reweighting import reweighted, reweighted_sentences
from evaltools.runs.locations import sample_folder
from tests.conftest import few_examples
from tests.runs.semantic_files import data

WEIGHTS = st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0])
PATTERNS = st.sampled_from(["*", "ARG*", "ARG1", "BV", "*_q", "_the_q", "*_v_*", "SF", "[NT]*", "CARG", "named", "x"])
TABLE = st.lists(st.tuples(PATTERNS, WEIGHTS), max_size=3).map(tuple)


@pytest.fixture(scope="module", params=list(EDM_PRESETS))
def run(request: pytest.FixtureRequest) -> evaltools.Run:
    folder = sample_folder() / "semantics"
    return evaltools.score(folder / "gold.eds", {"p": folder / "graph-parser.eds"}, preset=request.param)


@pytest.fixture(scope="module")
def graphs(run: evaltools.Run) -> tuple[list[SemanticGraph | None], ...]:
    texts = (
        run.query("select tree from trees where parser is not distinct from ? order by sentence", [parser])["tree"]
        for parser in (None, "p")
    )
    return tuple([SemanticGraph.from_json(one) if isinstance(one, str) else None for one in side] for side in texts)


@given(st.builds(ClassWeights, *[WEIGHTS] * 5), TABLE, TABLE, TABLE)
@few_examples
@pytest.mark.slow
def test_counts_are_those_of_the_graphs(
    run: evaltools.Run,
    graphs: tuple[list[SemanticGraph | None], ...],
    classes: ClassWeights,
    roles: tuple[tuple[str, float], ...],
    properties: tuple[tuple[str, float], ...],
    predicates: tuple[tuple[str, float], ...],
):
    rules = replace(run.edm_rules, classes=classes, roles=roles, properties=properties, predicates=predicates)
    found = reweighted_sentences(run, rules)[list(edm.COLUMNS)].to_numpy(dtype=np.float64)
    expected = [TripleCounter(rules).counts(*pair) for pair in zip(*graphs, strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_the_weights_of_the_run_change_nothing(run: evaltools.Run):
    assert reweighted(run, run.edm_rules).round(12).equals(run.summary().round(12))
    without = replace(run.edm_rules, classes=ClassWeights(0, 0, 0, 0, 0))
    figures = reweighted(run, without).set_index("metric")["pooled"]
    assert figures.drop("edm_exact").isna().all()
    assert figures["edm_exact"] == 1


def test_what_has_no_weights_is_refused(run: evaltools.Run):
    rules = run.edm_rules
    others = {"spans": "trimmed" if rules.spans == "exact" else "exact", "quantifier_role": "ARG9"}
    flags = ("multiset", "constant_is_property", "fold_case", "turn_inverted", "count_empty_gold")
    for name, value in (others | {name: not getattr(rules, name) for name in flags}).items():
        with pytest.raises(ParameterError, match=f"{name} of the run is {getattr(rules, name)!r}, not {value!r}"):
            reweighted(run, replace(rules, **{name: value}))
    trees = evaltools.score(data("(S (N a))\n"), {"p": data("(S (N a))\n")})
    with pytest.raises(RunError, match="only semantic graphs have triples"):
        reweighted(trees, rules)
