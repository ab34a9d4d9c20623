"""Bracketing scores: PARSEVAL and GEIG, as scores of the E-mapping.

The E-mapping pairs nodes with the same label and the same span; labels repeated on one span are matched one to one,
the outermost first. With M matched of G gold and T test brackets: recall M/G, precision M/T, Dice (F1) 2M/(G+T),
Jaccard M/(G+T-M). *Roof* brackets are phrases; the *whole* tree adds the preterminals. With the option for GEIG, where
only phrases of two words or more are brackets, the others are neither counted nor paired.

Where the words of the two trees differ, they are aligned, and a bracket's span is the interval of aligned character
positions that it covers: of those characters that have a partner and whose words are left after deletion. Characters
without a partner do not matter. A bracket that covers no aligned position counts, and matches nothing. If the words are
equal, this is the E-mapping as above.

The words of a discontinuous constituent are not neighbors: its bracket is a label and a set of words. Two brackets
cross if they share words and neither contains the other. Recall, precision and F1 are also given over such brackets.

References
----------
E. Black et al. (1991). A procedure for quantitatively comparing the syntactic coverage of English grammars. HLT 1991.
M. Emms (2008). Tree-distance and some other variants of evalb. LREC 2008.
A. van Cranenburgh, R. Scha and R. Bod (2016). Data-Oriented Parsing with discontinuous constituents and function tags.
Journal of Language Modelling 4(1), 57-111.

Notes
-----
Differences from the paper: Emms calls the mean of sentence scores "micro" and the pooled figure "macro"; here they are
``mean`` and ``pooled``. The paper leaves out sentences whose words differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Kind
from evaltools.frameworks.common.columns import columns_of, node_positions
from evaltools.frameworks.constituency.normalization import (
    Pair,
    TreeComparison,
    has_gaps,
    partners_in_trees,
    word_offsets,
)
from evaltools.frameworks.metric import Count, Counts, ErrorCount, Family, Metric, Place, ratio
from evaltools.frameworks.passes import Pass

if TYPE_CHECKING:
    from evaltools.frameworks.presets import Preset

COLUMNS = (
    "e_gold_roof",
    "e_test_roof",
    "e_matched_roof",
    "e_matched_roof_unlabeled",
    "e_gold_whole",
    "e_test_whole",
    "e_matched_whole",
    "e_matched_whole_unlabeled",
    "e_crossing_brackets",
    "e_exact_match",
    "e_tags",
    "e_tags_correct",
    "e_gold_discontinuous",
    "e_test_discontinuous",
    "e_matched_discontinuous",
)
"""Count columns, in the kernel's order."""

_PARTS = {"roof": "", "whole": " incl. POS tags"}
_GAPS = "discontinuous"

COUNTS: dict[str, Count] = {
    **{
        f"e_{side}_{part}{end}": Count(f"{side} brackets{including}{regardless}", symbol, gold=side == "gold")
        for part, including in _PARTS.items()
        for side, symbol, end, regardless in (
            ("gold", "G", "", ""),
            ("test", "T", "", ""),
            ("matched", "M", "", ""),
            ("matched", "M", "_unlabeled", ", labels ignored"),
        )
    },
    "e_crossing_brackets": Count("test brackets that cross a gold bracket"),
    "e_exact_match": Count("sentences with all brackets right"),
    "e_tags": Count("words with a gold tag", gold=True),
    "e_tags_correct": Count("words with the right tag"),
    **{
        f"e_{side}_{_GAPS}": Count(
            f"{side} brackets over words that are not neighbors", symbol, group=_GAPS, gold=side == "gold"
        )
        for side, symbol in (("gold", "G"), ("test", "T"), ("matched", "M"))
    },
}
"""What the columns count."""

FAMILY = Family(
    "e",
    "E-mapping: matching brackets",
    "e",
    COUNTS,
    words_differ="spans are intervals of the characters that are aligned in both trees; a tag is right only if its "
    "word is aligned with one word, and that with no other",
    papers=("black-1991",),
)

_FORMULAS: dict[str, Callable[..., NDArray[np.float64]]] = {
    "recall": lambda m, g, t: ratio(m, g),
    "precision": lambda m, g, t: ratio(m, t),
    "f1": lambda m, g, t: ratio(2 * m, g + t),
    "jaccard": lambda m, g, t: ratio(m, g + t - m),
}

_NAMES = {
    "": {
        "recall": ("Labeled recall", "Recall"),
        "precision": ("Labeled precision", "Precision"),
        "f1": ("Bracketing F1", "F1"),
        "jaccard": ("Bracketing Jaccard", "Jaccard"),
    },
    "_unlabeled": {
        "recall": ("Unlabeled recall", "Recall, unlab."),
        "precision": ("Unlabeled precision", "Precision, unlab."),
        "f1": ("Unlabeled bracketing F1", "F1, unlabeled"),
        "jaccard": ("Unlabeled bracketing Jaccard", "Jaccard, unlab."),
    },
}
"""Long and short names."""

_HELP = {
    "recall": "share of the gold brackets that the parse also has",
    "precision": "share of the parser’s brackets that the gold tree also has",
    "f1": "brackets that gold tree and parse share, as the harmonic mean of recall and precision",
    "jaccard": "brackets that gold tree and parse share, as a share of those that either has",
}
_EMMS = {
    "roof": "phrases only, the *roof* of the tree",
    "whole": "phrases and tags, the *whole* tree",
    _GAPS: "only phrases whose words are not neighbors",
}
_SUFFIXES = {"roof": ("", ""), "whole": (_PARTS["whole"], " + POS"), _GAPS: (", discontinuous phrases", ", disc.")}
"""What long and short names have after them."""
_ENDINGS = {"roof": "", "whole": "_pos", _GAPS: "_discontinuous"}
"""What ids have after them."""
_HEADLINE = {("recall", "roof", ""), ("precision", "roof", ""), ("f1", "roof", ""), ("f1", _GAPS, "")}
_REPORTED = {("f1", "roof", ""), ("f1", "whole", ""), ("jaccard", "roof", ""), ("f1", _GAPS, "")}


def metric_id(name: str, part: str, suffix: str = "") -> str:
    """Return the id of recall, precision, F1 or Jaccard over a part of the tree."""
    return f"{name}{_ENDINGS[part]}{suffix}"


def _bracket_metric(name: str, part: str, suffix: str) -> Metric:
    title, short = (f"{text}{after}" for text, after in zip(_NAMES[suffix][name], _SUFFIXES[part], strict=True))
    columns = matched, gold, test = f"e_matched_{part}{suffix}", f"e_gold_{part}", f"e_test_{part}"
    key, is_f1 = (name, part, suffix), name == "f1"
    is_ranked = not suffix and name in ("f1", "jaccard") and part != _GAPS
    labels = "labels ignored" if suffix else "equal label and span"

    def score(counts: Counts) -> NDArray[np.float64]:
        return _FORMULAS[name](counts[matched], counts[gold], counts[test])

    return Metric(
        id=metric_id(name, part, suffix),
        title=title,
        family=FAMILY,
        columns=columns,
        score=score,
        help=f"E-mapping, {'Dice' if is_f1 else name}: {_HELP[name]} ({labels}; {_EMMS[part]}), in %.",
        short=short,
        place=Place(
            overview=key in _HEADLINE,
            reports=key in _REPORTED,
            lists=key == ("f1", "roof", ""),
            if_defined=part == _GAPS,
            part="" if part == _GAPS else part,
            variant_of=metric_id(name, part) if suffix else "",
            mapping="Bracketing" if is_ranked else "",
            norm="Dice" if is_f1 else "Jaccard",
            ranks_as=metric_id("f1", part) if is_ranked and not is_f1 else "",
        ),
    )


METRICS: tuple[Metric, ...] = (
    *(
        _bracket_metric(name, part, suffix)
        for suffix in ("", "_unlabeled")
        for part in ("roof", "whole")
        for name in _FORMULAS
    ),
    *(_bracket_metric(name, _GAPS, "") for name in ("recall", "precision", "f1")),
    Metric(
        id="crossing",
        title="Crossing brackets",
        family=FAMILY,
        columns=("e_crossing_brackets", "sentences"),
        score=lambda counts: ratio(counts["e_crossing_brackets"], counts["sentences"]),
        help="Brackets of the parse that overlap a gold bracket without one containing the other, per sentence.",
        short="Crossing",
        unit="per sentence",
        higher_is_better=False,
        place=Place(overview=True),
    ),
    Metric(
        id="exact",
        title="Exact match",
        family=FAMILY,
        columns=("e_exact_match", "sentences"),
        score=lambda counts: ratio(counts["e_exact_match"], counts["sentences"]),
        help="Share of the sentences in which all brackets are right, tags aside, in %.",
        short="Exact",
        place=Place(overview=True, reports=True),
    ),
    Metric(
        id="tagging",
        title="Tagging accuracy",
        family=FAMILY,
        columns=("e_tags_correct", "e_tags"),
        score=lambda counts: ratio(counts["e_tags_correct"], counts["e_tags"]),
        help="Share of the words with a gold tag that have the right tag, in %.",
        short="Tagging",
        place=Place(overview=True, reports=True),
    ),
)

ERRORS = ErrorCount(
    Metric(
        id="e_errors",
        title="Wrong brackets",
        family=FAMILY,
        columns=("e_gold_roof", "e_test_roof", "e_matched_roof"),
        score=lambda counts: counts["e_gold_roof"] + counts["e_test_roof"] - 2 * counts["e_matched_roof"],
        help="Missing brackets (only in gold) and spurious brackets (only in the parse) of the sentence, tags aside.",
        unit="per sentence",
        higher_is_better=False,
    ),
    "wrong bracket",
    "wrong brackets",
)
"""The number of wrong brackets of a parse."""


class Bracketing(Pass[TreeComparison]):
    """The E pass over a pair of treebanks: counts of each sentence, the mapping of each node."""

    family = FAMILY
    columns = COLUMNS
    metrics = METRICS

    def __init__(self, comparison: TreeComparison) -> None:
        pair = comparison.pair
        gold, test = pair.gold.treebank, pair.test.treebank
        spans = pair.spans
        self._gold = columns_of(gold, spans=spans[0], kinds=pair.gold.kinds)
        self._test = columns_of(test, spans=spans[1], kinds=pair.test.kinds)
        partner = pair.partner
        if partner is None:
            self._word_partner = np.zeros(0, dtype=np.int32)
        else:
            if (words := pair.alignment) is not None:
                is_aligned = np.repeat(words.aligned, gold.n_words)
                partner = np.where(words.single | ~is_aligned, partner, np.int32(-1))
            self._word_partner = partners_in_trees(partner, gold, test)
        self._word_offsets = word_offsets(gold)
        self._scored = pair.scored if pair.sets is None else np.where(pair.sets.chosen, np.uint8(3), pair.scored)
        self._labeled = comparison.preset.labeled
        self._equal = comparison.symbols.equal
        self._gaps = has_gaps(gold), has_gaps(test)
        self._counts = np.zeros((len(gold), len(COLUMNS)), dtype=np.int32)
        self.partner_gold = np.full(len(gold.label), -1, dtype=np.int32)
        self.partner_test = np.full(len(test.label), -1, dtype=np.int32)
        self.crossing = np.zeros(len(test.label), dtype=np.uint8) if pair.sets is None else pair.sets.crossing.copy()

    @property
    def counts(self) -> NDArray[np.int32]:
        """The counts, in the order of :data:`COLUMNS`."""
        return self._counts

    def run(self, first: int, last: int) -> None:
        """Score the sentences ``first:last``; ranges may run in parallel threads."""
        from evaltools.kernels.brackets import match_brackets

        match_brackets(
            *self._gold,
            *self._test,
            self._scored,
            self._word_partner,
            self._word_offsets,
            self._labeled,
            self._equal,
            self._counts,
            self.partner_gold,
            self.partner_test,
            self.crossing,
            first,
            last,
        )
        if any(gaps is not None for gaps in self._gaps):
            self._count_gaps(first, last)

    def _count_gaps(self, first: int, last: int) -> None:
        """Count the discontinuous brackets of the sentences ``first:last``: gold, test, matched."""
        gold, test = self._gaps
        columns = [(self._gold, gold), (self._test, test)]
        if gold is not None and test is not None:
            nodes = np.flatnonzero(gold & (self.partner_gold >= 0))
            offsets = self._gold[-1]
            sentence = np.searchsorted(offsets, nodes, side="right") - 1
            matched = np.zeros(len(gold), dtype=np.bool_)
            matched[nodes] = test[self._test[-1][sentence] + self.partner_gold[nodes]]
            columns.append((self._gold, matched))
        for index, (side, gaps) in enumerate(columns):
            if gaps is not None:
                before = np.concatenate(([0], np.cumsum(gaps)))[side[-1][first : last + 1]]
                self._counts[first:last, len(COLUMNS) - 3 + index] = np.diff(before)


def partners(
    pair: Pair, preset: Preset, mapping: Bracketing | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for every node of either side the phrase that the E-mapping pairs it with; -1 where it is no phrase."""
    gold, test = pair.gold.treebank, pair.test.treebank
    if mapping is None:
        mapping = Bracketing(TreeComparison.of(pair, preset))
        mapping.run(0, len(gold))
    own = np.flatnonzero((gold.kind == Kind.PHRASE) & (mapping.partner_gold >= 0))
    others = test.offsets[node_positions(gold)[0][own]] + mapping.partner_gold[own]
    are_phrases = test.kind[others] == Kind.PHRASE
    own, others = own[are_phrases], others[are_phrases]
    of_gold, of_test = np.full(len(gold.kind), -1, dtype=np.int64), np.full(len(test.kind), -1, dtype=np.int64)
    of_gold[own], of_test[others] = others, own
    return of_gold, of_test


def n_wrong_phrases(pair: Pair, preset: Preset) -> NDArray[np.int64]:
    """Return by sentence how many phrases of either tree have no partner, also of those that do not count."""
    gold, test = (replace(side, kinds=side.treebank.kind) for side in (pair.gold, pair.test))
    number = np.zeros(len(pair.status), dtype=np.int64)
    for side, partner in zip((gold, test), partners(replace(pair, gold=gold, test=test), preset), strict=True):
        sentence_of, _ = node_positions(side.treebank)
        number += np.bincount(sentence_of[(side.kinds == Kind.PHRASE) & (partner < 0)], minlength=len(number))
    return number
