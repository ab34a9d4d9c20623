"""The errors of a parser by type: every step of every repair, and sums of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from evaltools.analysis.error_types import OTHER, RuleSet, TypedStep, bundled_rules
from evaltools.analysis.repair import PairColumns
from evaltools.normalize import Pair, Status
from evaltools.treebank import Kind, Treebank

__all__ = ["error_table", "error_totals"]


def error_table(
    pair: Pair,
    rules: RuleSet | None = None,
    tell: Callable[[int, int], None] | None = None,
    most: int | None = None,
) -> pd.DataFrame:
    """Repair the test trees of a parser, and list the steps.

    Parameters
    ----------
    pair : Pair
        The trees, normalised.
    rules : RuleSet, optional
        The types; those of the Penn Treebank if not given.
    tell : callable, optional
        Is told how many sentences are done, and of how many.
    most : int, optional
        Only so many sentences, from the first.

    Returns
    -------
    DataFrame
        ``sentence`` (from 1), ``step`` (from 1), ``type`` (its title), ``repaired`` (brackets), ``start``, ``end`` (the
        words that move, or those of the bracket), ``story`` (what the step does). Only sentences whose words are equal
        are repaired.
    """
    rules = rules or bundled_rules()
    rows = []
    sentences = np.flatnonzero(pair.status[:most] == Status.OK).tolist()
    first = 1 + pair.gold.treebank.first_sentence
    columns = PairColumns.of(pair)
    forms = _words(pair.gold.treebank)
    before = np.concatenate(([0], np.cumsum(pair.gold.treebank.n_words))).tolist()
    for done, sentence in enumerate(sentences):
        if tell is not None and done % 50 == 0:
            tell(done, len(sentences))
        words = forms[before[sentence] : before[sentence + 1]]
        for number, step in enumerate(columns.steps(sentence), start=1):
            one = TypedStep(step, rules.classify(step))
            start, end = (step.moved[0].span.start, step.moved[-1].span.end) if step.moved else step.bracket.span
            rows.append((sentence + first, number, one.type.title, step.repaired, start, end, one.describe(words)))
    return pd.DataFrame(rows, columns=["sentence", "step", "type", "repaired", "start", "end", "story"])


def _words(treebank: Treebank) -> tuple[str, ...]:
    strings = treebank.vocabulary.words.strings()
    return tuple(strings[label] for label in treebank.label[treebank.kind == Kind.WORD].tolist())


def error_totals(table: pd.DataFrame) -> pd.DataFrame:
    """Sum the errors by type.

    Parameters
    ----------
    table : DataFrame
        From :func:`error_table`.

    Returns
    -------
    DataFrame
        ``type``, ``occurrences`` (steps), ``sentences``, ``repaired`` (brackets), ``share`` (of all brackets repaired);
        the type with most brackets first,
        and what is of no type last.
    """
    groups = table.groupby("type", sort=False)
    totals = pd.DataFrame(
        {
            "occurrences": groups.size(),
            "sentences": groups["sentence"].nunique(),
            "repaired": groups["repaired"].sum(),
        }
    ).reset_index()
    total = totals["repaired"].sum()
    totals["share"] = totals["repaired"] / total if total else 0.0
    totals = totals.assign(rest=totals["type"] == OTHER.title)
    order = ["rest", "repaired", "type"]
    return totals.sort_values(order, ascending=[True, False, True], ignore_index=True).drop(columns="rest")
