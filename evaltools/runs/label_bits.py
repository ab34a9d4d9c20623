"""Which sentences hold which labels, a bit for each label: a million sentences take eight bytes each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaltools.runs.store import Run

__all__ = ["MOST_LABELS", "label_bits"]

MOST_LABELS = 60
"""Labels that have a bit, the most frequent ones."""

_SOURCES = {
    "constituency": ("brackets", "label", "gold_kind = 'phrase'"),
    "dependency": ("words", "relation", "relation is not null"),
}


def label_bits(run: Run, parsers: tuple[str, str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Tell which sentences have a phrase of a label, or a word of a relation, in the gold tree.

    Parameters
    ----------
    run : Run
        The run.
    parsers : (str, str)
        Whose tables are read: where both have no parse, the gold tree is in neither.

    Returns
    -------
    labels : tuple of str
        The labels, the most frequent ones first; none for kinds of runs without labels.
    bits : ndarray of int64, shape (sentences,)
        Bit i is set where the sentence has label i.
    """
    bits = np.zeros(run.n_sentences, dtype=np.int64)
    if run.kind not in _SOURCES:
        return (), bits
    table, column, condition = _SOURCES[run.kind]
    frequent = run.query(
        f"select {column} as label, count(*) as n from {table} where parser in (?, ?) and {condition} "
        f"group by label order by n desc, label limit {MOST_LABELS}",
        list(parsers),
    )
    labels = tuple(frequent["label"].tolist())
    if not labels:
        return (), bits
    cases = " ".join(f"when ? then {1 << place}::bigint" for place in range(len(labels)))
    for parser in dict.fromkeys(parsers):
        rows = run.query(
            f"select sentence, bit_or(case {column} {cases} else 0::bigint end) as bits from {table} "
            f"where parser = ? and {condition} group by sentence",
            [*labels, parser],
        )
        sentences = rows["sentence"].to_numpy()
        inside = (sentences >= 1) & (sentences <= run.n_sentences)
        bits[sentences[inside] - 1] |= rows["bits"].to_numpy(dtype=np.int64)[inside]
    return labels, bits
