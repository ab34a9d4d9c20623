"""Figures of a run of semantic graphs under other weights, from its table of triples: no graph is compared anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from evaltools.errors import ParameterError
from evaltools.metrics.edm import LETTERS, MATCHED
from evaltools.metrics.edm_rules import EdmRules
from evaltools.normalize import Status
from evaltools.runs.figures import summarize

if TYPE_CHECKING:
    from evaltools.runs.store import Run

__all__ = ["reweighted", "reweighted_sentences"]

_FIXED = (
    *("multiset", "constant_is_property", "quantifier_role", "spans", "fold_case", "turn_inverted"),
    "count_empty_gold",
)
_NAME = "case when kind = 'name' then value else label end"
_SIDES = {"gold": "('gold', 'matched')", "test": "('test', 'matched')", "matched": "('matched')"}
_SUMS = ", ".join(
    f"coalesce(sum(n * weight) filter (kind = '{kind}' and triple in {side}), 0)::double as edm_{letter}_{what}"
    for letter, kind in LETTERS.items()
    for what, side in _SIDES.items()
)
_SENTENCES = f"""
with weights as (select unnest(?::varchar[]) as kind, unnest(?::varchar[]) as name, unnest(?::double[]) as weight),
     numbers as (
         select parser, sentence, kind, {_NAME} as name, status as triple, count(*) as n from triples group by all
     ),
     sums as (
         select parser, sentence, {_SUMS},
                coalesce(sum(n * weight) filter (triple <> 'matched'), 0)::double as unmatched
         from numbers join weights using (kind, name) group by parser, sentence
     )
select * from sentences_of left join sums using (parser, sentence) order by sentence
"""
_OF = """(
    select parser, sentence, words, status, sentences, words_aligned, edm_exact_match is null as without_matches,
           edm_n_gold is null as without_counts
    from sentences
)"""


def reweighted_sentences(run: Run, rules: EdmRules) -> pd.DataFrame:
    """Return the counts of every sentence under other weights.

    Parameters
    ----------
    run : Run
        A run of semantic graphs.
    rules : EdmRules
        The run's rules with other weights of classes, roles, properties or predicates.

    Returns
    -------
    DataFrame
        ``parser``, ``sentence``, ``words``, ``status``, ``sentences``, ``words_aligned`` and the columns of
        :data:`evaltools.metrics.edm.COLUMNS`.

    Raises
    ------
    ParameterError
        If more than weights differs.
    RunError
        If it is a run of another kind.
    """
    for name in _FIXED:
        asked, known = getattr(rules, name), getattr(run.edm_rules, name)
        if asked != known:
            raise ParameterError(
                f"{name} of the run is {known!r}, not {asked!r}: only a new run shows what that changes"
            )
    keys = run.query(f"select distinct kind, {_NAME} as name from triples")
    names = [(str(kind), str(name)) for kind, name in keys.itertuples(index=False)]
    weights = [rules.weight(kind, name) for kind, name in names]
    sql = _SENTENCES.replace("sentences_of", _OF)
    frame = run.query(sql, [[kind for kind, _ in names], [name for _, name in names], weights])
    counts = [f"edm_{letter}_{what}" for letter in LETTERS for what in _SIDES]
    frame[[*counts, "unmatched"]] = frame[[*counts, "unmatched"]].fillna(0.0)
    there = (frame["status"] == Status.OK.label).to_numpy()
    frame["edm_exact_match"] = (there & (frame["unmatched"].to_numpy() == 0)).astype(np.float64)
    frame.loc[frame["without_matches"], list(MATCHED)] = np.nan
    frame.loc[frame["without_counts"], counts] = np.nan
    return frame.drop(columns=["unmatched", "without_matches", "without_counts"])


def reweighted(run: Run, rules: EdmRules) -> pd.DataFrame:
    """Return the figures of a run under other weights, the same as of scoring anew.

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
        If more than weights differs.
    RunError
        If it is a run of another kind.
    """
    return summarize(reweighted_sentences(run, rules), run.parsers, run.metrics)
