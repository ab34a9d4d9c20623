"""Figures of a run of semantic graphs under other weights, computed from its table of triples, not from the graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from evaltools.errors import ParameterError
from evaltools.frameworks.common.sentence_status import SentenceStatus
from evaltools.frameworks.figures import summarize
from evaltools.frameworks.formulas import exact_sum
from evaltools.frameworks.semantics.edm import LETTERS, MATCHED, SIDES
from evaltools.frameworks.semantics.edm.rules import EdmRules
from evaltools.frameworks.stored import StoredRun

__all__ = ["NAME_OF_TRIPLE", "WEIGHTS_TABLE", "reweighted", "reweighted_sentences", "weights_of_triples"]

_FIXED = (
    "multiset",
    "constant_is_property",
    "quantifier_role",
    "spans",
    "fold_case",
    "turn_inverted",
    "count_empty_gold",
)
NAME_OF_TRIPLE = "case when kind = 'name' then value else label end"
"""SQL of the predicate, role or property of a triple, on which its weight depends."""
WEIGHTS_TABLE = "select unnest(?::varchar[]) as kind, unnest(?::varchar[]) as name, unnest(?::double[]) as weight"
"""SQL of a table of weights; its parameters are the lists that :func:`weights_of_triples` returns."""
_STATUSES = {"gold": "('missing', 'right')", "test": "('spurious', 'right')", "matched": "('right')"}


def _weight_sum(kind: str, side: str) -> str:
    return exact_sum("n * weight", f"kind = '{kind}' and triple in {_STATUSES[side]}")


_SUMS = ", ".join(
    f"coalesce({_weight_sum(kind, side)}, 0) as edm_{letter}_{side}"
    for letter, kind in LETTERS.items()
    for side in SIDES
)
_SENTENCES = f"""
with weights as ({WEIGHTS_TABLE}),
     numbers as (
         select parser, sentence, kind, {NAME_OF_TRIPLE} as name, status as triple, count(*) as n
         from triples group by all
     ),
     sums as (
         select parser, sentence, {_SUMS},
                coalesce({exact_sum("n * weight", "triple <> 'right'")}, 0) as unmatched
         from numbers join weights using (kind, name) group by parser, sentence
     ),
     scored as (
         select parser, sentence, words, status, sentences, words_aligned, edm_exact_match is null as without_matches,
                edm_n_gold is null as without_counts{{unchanged}}
         from sentences
     )
select * from scored left join sums using (parser, sentence) order by sentence
"""


def weights_of_triples(query: Callable[[str, list[Any]], pd.DataFrame], rules: EdmRules) -> list[list[Any]]:
    """Return the kinds and names of all triples of a run, and their weights under some rules."""
    table = query(f"select distinct kind, {NAME_OF_TRIPLE} as name from triples order by all", [])
    kinds, names = table["kind"].astype(str).tolist(), table["name"].astype(str).tolist()
    return [kinds, names, [rules.weight(kind, name) for kind, name in zip(kinds, names, strict=True)]]


def reweighted_sentences(run: StoredRun, rules: EdmRules) -> pd.DataFrame:
    """Return the counts of every sentence under other weights."""
    run_rules = run.framework.stored.edm_rules(run)
    for name in _FIXED:
        requested, required = getattr(rules, name), getattr(run_rules, name)
        if requested != required:
            raise ParameterError(f"{name} of the run is {required!r}, not {requested!r}: score a new run to change it")
    others = [metric for metric in run.framework.metrics if metric.id in run.metrics and metric.family != "edm"]
    unchanged = dict.fromkeys(name for metric in others for name in metric.all_columns if name != "sentences")
    frame = run.query(
        _SENTENCES.format(unchanged="".join(f", {name}" for name in unchanged)), weights_of_triples(run.query, rules)
    )
    counts = [f"edm_{letter}_{side}" for letter in LETTERS for side in SIDES]
    frame[[*counts, "unmatched"]] = frame[[*counts, "unmatched"]].fillna(0.0)
    scored = (frame["status"] == SentenceStatus.OK.label).to_numpy()
    frame["edm_exact_match"] = (scored & (frame["unmatched"].to_numpy() == 0)).astype(np.float64)
    frame.loc[frame["without_matches"], list(MATCHED)] = np.nan
    frame.loc[frame["without_counts"], counts] = np.nan
    return frame.drop(columns=["unmatched", "without_matches", "without_counts"])


def reweighted(run: StoredRun, rules: EdmRules) -> pd.DataFrame:
    """Return the figures of a run under other weights, the same as those of a new run.

    Parameters
    ----------
    run : Run
        A run of semantic graphs.
    rules : EdmRules
        The run's rules with other weights of classes, roles, properties or predicates.

    Returns
    -------
    DataFrame
        As :meth:`evaltools.Run.summary` returns it.

    Raises
    ------
    ParameterError
        If the rules differ in more than weights.
    RunError
        If it is a run of another kind.
    """
    metrics = {metric.id: metric for metric in run.framework.metrics}
    return summarize(reweighted_sentences(run, rules), run.parsers, [metrics[name] for name in run.metrics])
