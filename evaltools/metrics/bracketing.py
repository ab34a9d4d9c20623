"""Bracketing scores: PARSEVAL and GEIG, as scores of the E-mapping.

The E-mapping pairs nodes with the same label and the same span; labels repeated on one span are matched one to one,
the outermost first. With M matched of G gold and T test brackets: recall M/G, precision M/T, Dice (F1) 2M/(G+T),
Jaccard M/(G+T-M). *Roof* brackets are phrases; the *whole* tree adds the preterminals.

Where the words of the two trees differ, they are aligned, and a bracket's span is the interval of aligned character
positions that it covers: of those characters that have a partner and whose words are left after deletion. Characters
without a partner do not matter. A bracket that covers no aligned position counts, and matches nothing. If the words are
equal, this is the E-mapping as above.

References
----------
E. Black et al. (1991). A procedure for quantitatively comparing the syntactic coverage of English grammars. HLT 1991.
M. Emms (2008). Tree-distance and some other variants of evalb. LREC 2008.

Notes
-----
Differences from the paper: Emms calls the mean of sentence scores "micro" and the pooled figure "macro"; here they are
``mean`` and ``pooled``. The paper leaves out sentences whose words differ.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from evaltools.metrics.base import Counts, Metric, Symbols, columns_of, ratio
from evaltools.normalize import Pair, Preset
from evaltools.normalize.word_alignment import word_offsets

__all__ = ["COLUMNS", "METRICS", "Bracketing"]

COLUMNS = (
    "e_gold_roof",
    "e_test_roof",
    "e_matched_roof",
    "e_matched_roof_unlabelled",
    "e_gold_whole",
    "e_test_whole",
    "e_matched_whole",
    "e_matched_whole_unlabelled",
    "e_crossing_brackets",
    "e_exact_match",
    "e_tags",
    "e_tags_correct",
)
"""Count columns, in the kernel's order."""

_WHERE_WORDS_DIFFER = "spans are intervals of the characters that are aligned in both trees"

_FORMULAS: dict[str, tuple[str, str, Callable[..., NDArray[np.float64]]]] = {
    "recall": ("recall", "M / G", lambda m, g, t: ratio(m, g)),
    "precision": ("precision", "M / T", lambda m, g, t: ratio(m, t)),
    "dice": ("Dice (F1)", "2M / (G + T)", lambda m, g, t: ratio(2 * m, g + t)),
    "jaccard": ("Jaccard", "M / (G + T − M)", lambda m, g, t: ratio(m, g + t - m)),
}


def _bracket_metric(name: str, part: str, suffix: str) -> Metric:
    title, formula, function = _FORMULAS[name]
    matched, gold, test = f"e_matched_{part}{suffix}", f"e_gold_{part}", f"e_test_{part}"

    def score(counts: Counts) -> NDArray[np.float64]:
        return function(counts[matched], counts[gold], counts[test])

    return Metric(
        id=f"e_{name}_{part}{suffix}",
        title=f"E {title}, {part}{', unlabelled' if suffix else ''}",
        family="e",
        formula=formula,
        columns=(matched, gold, test),
        score=score,
        where_words_differ=_WHERE_WORDS_DIFFER,
        gold=(gold,) if name == "precision" else (),
    )


METRICS: tuple[Metric, ...] = (
    *(
        _bracket_metric(name, part, suffix)
        for suffix in ("", "_unlabelled")
        for part in ("roof", "whole")
        for name in _FORMULAS
    ),
    Metric(
        id="e_crossing",
        title="crossing brackets",
        family="e",
        formula="test brackets that cross a gold bracket / sentences",
        columns=("e_crossing_brackets", "sentences"),
        score=lambda counts: ratio(counts["e_crossing_brackets"], counts["sentences"]),
        higher_is_better=False,
        is_share=False,
        where_words_differ=_WHERE_WORDS_DIFFER,
    ),
    Metric(
        id="e_exact",
        title="exact match",
        family="e",
        formula="sentences with all roof brackets right / sentences",
        columns=("e_exact_match", "sentences"),
        score=lambda counts: ratio(counts["e_exact_match"], counts["sentences"]),
        where_words_differ=_WHERE_WORDS_DIFFER,
    ),
    Metric(
        id="e_tagging",
        title="tagging accuracy",
        family="e",
        formula="words with the right tag / words with a gold tag",
        columns=("e_tags_correct", "e_tags"),
        score=lambda counts: ratio(counts["e_tags_correct"], counts["e_tags"]),
        where_words_differ="a tag is right only if its word is aligned with one word, and that with no other",
    ),
)


class Bracketing:
    """The E pass over a pair of treebanks: counts for each sentence, the mapping for each node.

    Parameters
    ----------
    pair : Pair
        The normalised treebanks.
    preset : Preset
        Where ``LABELED 0`` may be said.
    symbols : Symbols
        Labels that count as equal.

    Attributes
    ----------
    counts : ndarray of int32, shape (sentences, 12)
        As :data:`COLUMNS` names them. Nothing is matched where the parse is missing, nor where the words differ and are
        not aligned, as under an evalb preset.
    partner_gold, partner_test : ndarray of int32, shape (nodes,)
        Partner of each node by position in its sentence, or -1.
    crossing : ndarray of uint8, shape (test nodes,)
        1 for test brackets that cross a gold one.
    """

    def __init__(self, pair: Pair, preset: Preset, symbols: Symbols) -> None:
        gold, test = pair.gold.treebank, pair.test.treebank
        words = pair.alignment
        if words is None:
            self._gold, self._test = columns_of(gold), columns_of(test)
            self._word_partner = np.zeros(0, dtype=np.int32)
        else:
            self._gold = columns_of(gold, spans=(words.gold_start, words.gold_end))
            self._test = columns_of(test, spans=(words.test_start, words.test_end))
            self._word_partner = np.where(words.single, words.partner, np.int32(-1))
        self._word_offsets = word_offsets(gold)
        self._scored = pair.scored
        self._labelled = preset.labelled
        self._equal = symbols.equal
        self.counts = np.zeros((len(gold), len(COLUMNS)), dtype=np.int32)
        self.partner_gold = np.full(len(gold.label), -1, dtype=np.int32)
        self.partner_test = np.full(len(test.label), -1, dtype=np.int32)
        self.crossing = np.zeros(len(test.label), dtype=np.uint8)

    def run(self, first: int, last: int) -> None:
        """Score the sentences ``first:last``; ranges may run in parallel threads."""
        from evaltools.kernels.brackets import match_brackets

        match_brackets(
            *self._gold,
            *self._test,
            self._scored,
            self._word_partner,
            self._word_offsets,
            self._labelled,
            self._equal,
            self.counts,
            self.partner_gold,
            self.partner_test,
            self.crossing,
            first,
            last,
        )
