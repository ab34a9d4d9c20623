"""Figures of Universal Dependencies from raw text: tokens, sentences, words, tags, features, lemmas, trees and graphs.

Each is the F1 of the units of a parser that are right. Words are aligned by the characters of the text; a word is right
if it is aligned and its column, or columns, are those of the gold word. Counts are kept by gold sentence, so that they
add up to those of the official evaluation: a parser's word belongs to the gold sentence of the word it is aligned with,
or in which it begins.

References
----------
D. Zeman et al. (2018). CoNLL 2018 shared task: multilingual parsing from raw text to universal dependencies.
Proceedings of the CoNLL 2018 shared task, 1-21.
G. Bouma, D. Seddah and D. Zeman (2021). From raw text to enhanced Universal Dependencies: the parsing shared task at
IWPT 2021. IWPT, 146-157.
O. Goldman et al. (2025). UniDive 2025 shared task on multilingual morpho-syntactic parsing.

Notes
-----
Differences from the official evaluation: where it stops with an error (other characters, cycles, several roots), what
can be aligned is scored; empty nodes are collapsed here instead of before. Words to which the gold file gives no head,
as that of UniDive to function words, count in no figure over heads, whatever the parser gives them. In MSLAS words are
aligned as for all other figures, where the UniDive evaluation aligns content words by their order; nodes without a form
have no part in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.enhanced import numbered_edges, without_subtypes
from evaltools.corpus.resegmented import BEGINS, ELSEWHERE, SENTENCE_RIGHT, TOKEN_RIGHT, Resegmented
from evaltools.corpus.vocabulary import StringTable, used_numbers
from evaltools.errors import Problem
from evaltools.frameworks.metric import Count, Counts, Family, Metric, OfficialFigure, Place, ratio
from evaltools.frameworks.passes import Pass
from evaltools.text import listing

if TYPE_CHECKING:
    from evaltools.frameworks.dependency.pair import DependencyComparison
    from evaltools.runs.store import Run

_CONTENT = frozenset(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod "
    "conj fixed flat compound list parataxis orphan goeswith reparandum root dep".split()
)
_FUNCTION = frozenset("aux cop mark det clf case cc".split())
_UNIVERSAL = frozenset(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect "
    "Voice Evident Polarity Person Polite".split()
)


_ABOUT = {
    "Tokens": "Tokens that are the same characters",
    "Sentences": "Sentences that are the same characters",
    "Words": "Words that are aligned",
    "UPOS": "Words with the right universal tag (UPOS)",
    "XPOS": "Words with the right tag of the treebank (XPOS)",
    "UFeats": "Words with the right universal features",
    "AllTags": "Words with the right UPOS, XPOS and universal features",
    "Lemmas": "Words with the right lemma; any is right where the gold lemma is _",
    "UAS": "Words with the right head",
    "LAS": "Words with the right head and relation, without its subtype",
    "CLAS": "Content words with the right head and relation",
    "MLAS": (
        "Content words with the right head, relation, UPOS and universal features, all of it right for their function "
        "words, too"
    ),
    "BLEX": "Content words with the right head, relation and lemma",
    "ELAS": "Enhanced dependencies with the right head and relation, with its subtype and case",
    "EULAS": "Enhanced dependencies with the right head and relation, without its subtype",
    "MSLAS": "Mean F1 of the universal features of words that have FEATS, 0 where head or relation is wrong",
}
"""The figures by their names in the official program, in its order, with what is counted; MSLAS is UniDive's."""

_REPORTED = ("Words", "UPOS", "UFeats", "Lemmas", "MLAS", "BLEX", "ELAS", "EULAS")
"""The figures in the tables of text reports; all are in JSON, CSV and the layout of the official program."""
_OWN_NAMES = ("Tokens", "Sentences", "Words", "UAS", "LAS")
"""The figures whose names would be those of counts, or of metrics over the words that files have."""
_ENHANCED = ("ELAS", "EULAS")
"""The figures that text reports leave out if there are no enhanced dependencies."""

_UNIT = {
    **{"Tokens": "tokens", "Sentences": "sentences"},
    **dict.fromkeys(("UAS", "LAS"), "heads"),
    **dict.fromkeys(("CLAS", "MLAS", "BLEX"), "content"),
    **dict.fromkeys(_ENHANCED, "edges"),
    "MSLAS": "marked",
}
_WITHOUT_ACCURACY = ("Tokens", "Sentences", "Words", *_ENHANCED)


def _figure(name: str) -> OfficialFigure:
    unit = _UNIT.get(name, "words")
    return OfficialFigure(
        name,
        f"ud_{name.lower()}" if name in _OWN_NAMES else name.lower(),
        "ud_aligned_words" if name == "Words" else f"ud_right_{name.lower()}",
        f"ud_gold_{unit}",
        f"ud_test_{unit}",
        "" if name in _WITHOUT_ACCURACY else f"ud_aligned_{unit}",
    )


FIGURES = tuple(map(_figure, _ABOUT))
"""The figures, in the order in which the official program prints them; MSLAS last."""

COLUMNS = tuple(dict.fromkeys(column for figure in FIGURES for column in figure.columns))
"""Count columns: gold units, a parser's units, those that are right, and aligned words."""

_UNITS = {
    "tokens": "tokens",
    "sentences": "sentences",
    "words": "words",
    "heads": "words with a head",
    "content": "content words",
    "edges": "enhanced dependencies",
    "marked": "words with FEATS",
}


def _count(column: str) -> Count:
    side, unit = column.removeprefix("ud_").split("_")
    if side in ("gold", "test"):
        return Count(f"{side} {_UNITS[unit]}", "G" if side == "gold" else "T")
    if side == "aligned":
        return Count(f"aligned {_UNITS[unit]}", "A")
    names = {figure.right: figure.name for figure in FIGURES}
    return Count(f"right by {names[column]}", "M")


FAMILY = Family(
    "ud",
    "Universal Dependencies from raw text",
    "universal",
    {column: _count(column) for column in COLUMNS},
    words_differ="words are aligned over the characters of the text",
    papers=("zeman-2018",),
)


def _metric(figure: OfficialFigure) -> Metric:
    def score(counts: Counts) -> NDArray[np.float64]:
        return ratio(2 * counts[figure.right], counts[figure.gold] + counts[figure.test])

    return Metric(
        id=figure.metric,
        title=f"{figure.name} (F1)",
        family=FAMILY,
        columns=(figure.right, figure.gold, figure.test),
        score=score,
        help=f"{_ABOUT[figure.name]}, F1 in %.",
        short=figure.name,
        place=Place(
            overview=figure.name in ("CLAS", "MLAS", "BLEX", "ELAS"),
            reports=figure.name in _REPORTED,
            if_defined=figure.name in _ENHANCED,
        ),
    )


METRICS: tuple[Metric, ...] = tuple(map(_metric, FIGURES))


def _by_distinct(numbers: NDArray[np.int32], value: Callable[[int], int]) -> NDArray[np.int64]:
    """Apply a function to the distinct numbers of a column."""
    used, inverse = used_numbers(numbers)
    return np.array([value(number) for number in used.tolist()], dtype=np.int64)[inverse]


class _Codes:
    """Numbers of strings, and edges of columns DEPS, that both sides share."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._relations: dict[str, tuple[int, int]] = {}
        self._edges: dict[int, list[tuple[int, int, int]]] = {}

    def __call__(self, string: str) -> int:
        return self._numbers.setdefault(string, len(self._numbers))

    def edges(self, annotations: StringTable, column: int) -> list[tuple[int, int, int]]:
        """Return the edges of a column DEPS: head, and the codes of the relation with and without subtypes."""
        edges = self._edges.get(column)
        if edges is None:
            edges = self._edges[column] = [
                (min(head, _MAX_HEAD), *self._relation(relation))
                for head, relation in numbered_edges(annotations[column])
            ]
        return edges

    def _relation(self, relation: str) -> tuple[int, int]:
        codes = self._relations.get(relation)
        if codes is None:
            codes = self._relations[relation] = self(relation), self(without_subtypes(relation))
        return codes


def universal_features(feats: str) -> str:
    """Return the universal features of a column FEATS in their order.

    Examples
    --------
    >>> universal_features("Typo=Yes|Number=Sing|Case=Nom"), universal_features("_")
    ('Case=Nom|Number=Sing', '')
    """
    return "|".join(sorted(feature for feature in feats.split("|") if feature.split("=", 1)[0] in _UNIVERSAL))


def feature_values(feats: str) -> dict[str, str]:
    """Return the universal features of a column FEATS."""
    pairs = (feature.partition("=") for feature in feats.split("|"))
    return {name: value for name, _, value in pairs if name in _UNIVERSAL}


def feature_f1(gold: str, test: str) -> float:
    """Return the F1 of the universal features of two columns FEATS; 1 if neither has any.

    Examples
    --------
    >>> feature_f1("Case=Nom|Number=Sing", "Case=Nom|Number=Plur"), feature_f1("|", "|")
    (0.5, 1.0)
    """
    a, b = feature_values(gold), feature_values(test)
    if not a and not b:
        return 1.0
    common = sum(a[name] == b.get(name) for name in a)
    return 2 * common / (len(a) + len(b))


_MAX_HEAD = 1 << 40


class _Edges(NamedTuple):
    """Enhanced dependencies."""

    word: NDArray[np.int64]
    head: NDArray[np.int64]  # -1 for the root
    relation: NDArray[np.int64]  # Code of the relation with subtypes and case
    universal: NDArray[np.int64]  # Code of the relation without subtypes


class _Side:
    """The columns of one side as the official evaluation compares them, and which of its words count."""

    def __init__(self, corpus: Dependencies, codes: _Codes) -> None:
        labels, annotations = corpus.vocabulary.labels, corpus.vocabulary.annotations
        self.corpus = corpus
        self._codes = codes
        self.sentence = np.repeat(np.arange(len(corpus)), corpus.n_words)
        relations = [label.split(":")[0] for label in labels.strings()]
        kinds = np.array([(name in _CONTENT) + 2 * (name in _FUNCTION) for name in relations], dtype=np.int64)
        self.relation = _by_distinct(corpus.relation, lambda number: codes(relations[number]))
        kind = kinds[corpus.relation] if len(kinds) else np.zeros(0, np.int64)
        self.head = np.where(corpus.head < 0, corpus.head, corpus.head + corpus.offsets[self.sentence])
        self.has_head = corpus.head != NO_HEAD
        self.is_content = kind == 1
        self.is_function = (kind == 2) & (self.head >= 0)
        self.feats = _by_distinct(corpus.feats, lambda number: codes(universal_features(annotations[number])))
        self.has_feats = corpus.feats != annotations.find("_")

    @cached_property
    def edges(self) -> _Edges:
        """The enhanced dependencies."""
        corpus = self.corpus
        annotations = corpus.vocabulary.annotations
        words = np.flatnonzero(corpus.deps != annotations.find("_"))
        used, index = used_numbers(corpus.deps[words])
        columns = [self._codes.edges(annotations, number) for number in used.tolist()]
        n_edges = np.array([len(edges) for edges in columns], dtype=np.int64)
        first = np.cumsum(n_edges) - n_edges
        n_edges, first = n_edges[index], first[index]
        of_word = np.repeat(np.arange(len(words)), n_edges)
        before = np.cumsum(n_edges) - n_edges
        parsed = np.array([edge for edges in columns for edge in edges], dtype=np.int64).reshape(-1, 3)
        table = parsed[np.arange(len(of_word)) + (first - before)[of_word]]
        # heads are numbers in the sentence as read
        bounds = corpus.read_offsets
        sentence = np.searchsorted(bounds, words, side="right")[of_word] - 1
        start, numbers = bounds[sentence], table[:, 0]
        exists = numbers <= bounds[sentence + 1] - start
        heads = np.where(numbers > 0, start + numbers - 1, -1)
        return _Edges(words[of_word][exists], heads[exists], table[exists, 1], table[exists, 2])


class Universal(Pass["DependencyComparison"]):
    """The figures of Universal Dependencies of two corpora."""

    family = FAMILY
    columns = COLUMNS
    metrics = METRICS

    def __init__(self, comparison: DependencyComparison) -> None:
        pair = comparison.pair
        gold, test = pair.gold, pair.test
        codes = _Codes()
        self._pair, self._gold, self._test = pair, _Side(gold, codes), _Side(test, codes)
        gold_words = np.flatnonzero(pair.partner >= 0)
        self.words = gold_words
        self.partners = test.offsets[self._gold.sentence[gold_words]] + pair.partner[gold_words]
        self.gold_of = np.full(len(test.head), -2, dtype=np.int64)  # the gold word of each test word
        self.gold_of[self.partners] = gold_words
        # a word of the parser has no part in figures over heads if the gold word does not
        g, t, without = self._gold, self._test, ~self._gold.has_head[gold_words]
        t.has_feats[self.partners[without & g.has_feats[gold_words]]] = False
        t.has_head[self.partners] = ~without
        for side in (g, t):
            side.is_content &= side.has_head
            side.is_function &= side.has_head
        g.has_feats &= g.has_head
        self.right = self._columns_right()

    def _columns_right(self) -> dict[str, NDArray[np.bool_]]:
        """Return for each pair of aligned words which columns are right."""
        g, t, words, partners = self._gold, self._test, self.words, self.partners
        gold, test = g.corpus, t.corpus
        test_heads = t.head[partners]
        heads = np.where(test_heads < 0, test_heads, self.gold_of[np.maximum(test_heads, 0)])
        head = g.has_head[words] & (g.head[words] == heads)
        las = head & (g.relation[words] == t.relation[partners])
        upos = gold.tag[words] == test.tag[partners]
        xpos = gold.xtag[words] == test.xtag[partners]
        feats = g.feats[words] == t.feats[partners]
        no_lemma = gold.vocabulary.annotations.find("_")
        lemmas = (gold.lemma[words] == test.lemma[partners]) | (gold.lemma[words] == no_lemma)
        # function words of the gold word that are right in all respects; there must be no others
        n_gold, n_test = len(gold.head), len(test.head)
        below = np.bincount(g.head[g.is_function], minlength=n_gold)
        test_below = np.bincount(t.head[t.is_function], minlength=n_test)
        all_right = las & upos & feats & g.is_function[words]
        right_below = np.bincount(g.head[words[all_right]], minlength=n_gold)
        functions = (below[words] == test_below[partners]) & (below[words] == right_below[words])
        content = g.is_content[words]
        return {
            "upos": upos,
            "xpos": xpos,
            "ufeats": feats,
            "alltags": upos & xpos & feats,
            "lemmas": lemmas,
            "uas": head,
            "las": las,
            "clas": las & content,
            "mlas": las & upos & feats & functions & content,
            "blex": las & lemmas & content,
        }

    @cached_property
    def counts(self) -> NDArray[np.float64]:
        """The counts, shape (sentences, columns), in the order of :data:`COLUMNS`."""
        pair, g, t = self._pair, self._gold, self._test
        gold, test = pair.gold, pair.test
        n = len(gold)
        here = np.ones(len(test.head), dtype=np.bool_)
        if isinstance(test, Resegmented):
            gold_word, flags = test.segmentation.gold_word, test.segmentation.flags
            here = gold_word != ELSEWHERE
        else:
            flags = np.where(test.part != 2, TOKEN_RIGHT, 0).astype(np.uint8)
            flags[test.offsets[:-1][test.n_words > 0]] |= BEGINS | SENTENCE_RIGHT

        def of_gold(chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
            return np.bincount(g.sentence[chosen], minlength=n).astype(np.float64)

        def of_test(chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
            return np.bincount(t.sentence[chosen & here], minlength=n).astype(np.float64)

        def of_pairs(chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
            return np.bincount(g.sentence[self.words[chosen]], minlength=n).astype(np.float64)

        everywhere = np.ones(len(gold.head), dtype=np.bool_)
        marked = g.has_feats[self.words] & t.has_feats[self.partners]
        counts = {
            "ud_gold_tokens": of_gold(gold.part != 2),
            "ud_test_tokens": of_test(test.part != 2),
            "ud_right_tokens": of_test((flags & TOKEN_RIGHT) > 0),
            "ud_gold_sentences": (gold.n_words > 0).astype(np.float64),
            "ud_test_sentences": of_test((flags & BEGINS) > 0),
            "ud_right_sentences": of_test((flags & SENTENCE_RIGHT) > 0),
            "ud_gold_words": of_gold(everywhere),
            "ud_test_words": of_test(np.ones(len(test.head), dtype=np.bool_)),
            "ud_aligned_words": of_pairs(np.ones(len(self.words), dtype=np.bool_)),
            "ud_gold_heads": of_gold(g.has_head),
            "ud_test_heads": of_test(t.has_head),
            "ud_aligned_heads": of_pairs(g.has_head[self.words]),
            "ud_gold_content": of_gold(g.is_content),
            "ud_test_content": of_test(t.is_content),
            "ud_aligned_content": of_pairs(g.is_content[self.words]),
            "ud_gold_marked": of_gold(g.has_feats),
            "ud_test_marked": of_test(t.has_feats),
            "ud_aligned_marked": of_pairs(marked),
            "ud_right_mslas": self._mslas(marked),
        }
        counts |= {f"ud_right_{name}": of_pairs(right) for name, right in self.right.items()}
        counts |= self._enhanced(here)
        return np.column_stack([counts[name] for name in COLUMNS])

    def _mslas(self, marked: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Add up the F1 of the features of words with the right head and relation."""
        chosen = np.flatnonzero(self.right["las"] & marked)
        g, t = self._gold, self._test
        annotations = g.corpus.vocabulary.annotations
        size = len(annotations)
        pairs = g.corpus.feats[self.words[chosen]] * np.int64(size) + t.corpus.feats[self.partners[chosen]]
        used, inverse = np.unique(pairs, return_inverse=True)
        scores = [feature_f1(annotations[pair // size], annotations[pair % size]) for pair in used.tolist()]
        weights = np.array(scores, dtype=np.float64)[inverse.reshape(-1)]
        sums = np.bincount(g.sentence[self.words[chosen]], weights=weights, minlength=len(g.corpus))
        return sums.astype(np.float64)

    def _enhanced(self, here: NDArray[np.bool_]) -> dict[str, NDArray[np.float64]]:
        """Count enhanced dependencies: every pair of an equal gold edge and test edge, as the official evaluation."""
        g, t, n = self._gold, self._test, len(self._gold.corpus)
        gold, test = g.edges, t.edges
        counts = {
            "ud_gold_edges": np.bincount(g.sentence[gold.word], minlength=n).astype(np.float64),
            "ud_test_edges": np.bincount(t.sentence[test.word[here[test.word]]], minlength=n).astype(np.float64),
        }
        to_word = self.gold_of[test.word]
        to_head = np.where(test.head < 0, -1, self.gold_of[np.maximum(test.head, 0)])
        usable = (to_word >= 0) & (to_head >= -1)
        size = len(g.corpus.head) + 1
        for name, relation, test_relation in (
            ("elas", gold.relation, test.relation),
            ("eulas", gold.universal, test.universal),
        ):
            n_codes = int(max(relation.max(initial=0), test_relation.max(initial=0))) + 1
            keys = (gold.word * size + gold.head + 1) * n_codes + relation
            test_keys = np.sort(((to_word * size + to_head + 1) * n_codes + test_relation)[usable])
            right = np.searchsorted(test_keys, keys, side="right") - np.searchsorted(test_keys, keys, side="left")
            sums = np.bincount(g.sentence[gold.word], weights=right, minlength=n)
            counts[f"ud_right_{name}"] = sums.astype(np.float64)
        return counts


# ---------------------------------------------------------------------------------- columns that a parser leaves empty

_COLUMNS = {
    "LEMMA": ("lemma", ("Lemmas", "BLEX")),
    "UPOS": ("tag", ("UPOS", "AllTags", "MLAS")),
    "XPOS": ("xtag", ("XPOS", "AllTags")),
    "FEATS": ("feats", ("UFeats", "AllTags", "MLAS", "MSLAS")),
    "DEPS": ("deps", ("ELAS", "EULAS")),
}
"""For each column that a file may leave empty its array, and the figures that compare it."""
_OFTEN_EMPTY = ("LEMMA", "FEATS")
"""The columns that gold files leave empty most often; figures that compare them are left out then."""
EMPTY = ("", "_")


def count_values(gold: Dependencies, test: Dependencies) -> dict[str, int]:
    """Return how many words of either side have a value in each column that a file may leave empty."""
    counts = {}
    for column, (name, _) in _COLUMNS.items():
        strings = gold.vocabulary.labels if name in ("tag", "xtag") else gold.vocabulary.annotations
        empty = [strings.find(text) for text in EMPTY]
        for key, side in ((f"gold_{column}", gold), (column, test)):
            counts[key] = int(np.count_nonzero(~np.isin(getattr(side, name), empty)))
    return counts


def lacking_columns(parser: str, file: str, values: Mapping[str, int]) -> Iterator[Problem]:
    """Yield a problem if a parser's file has no value in columns that the gold file fills."""
    if lacking := [column for column in _COLUMNS if values[f"gold_{column}"] and not values[column]]:
        found = f"{listing(lacking, len(lacking))} without a value in every word"
        yield Problem("empty_column", file, None, None, found, "values as in the gold file", None, parser)


def incomplete_metrics(run: Run) -> dict[str, dict[str, list[str]]]:
    """Return the ids of the metrics that compare columns without values, each with these columns by parser."""
    ids = {figure.name: figure.metric for figure in FIGURES}
    metrics: dict[str, dict[str, list[str]]] = {}
    for entry in run.meta["parsers"] if set(ids.values()) & set(run.metrics) else ():
        signs = entry.get("signs", {})
        for column, (_, figures) in _COLUMNS.items():
            in_gold = signs.get(f"gold_{column}")
            if (in_gold and not signs[column]) or (in_gold == 0 and column in _OFTEN_EMPTY):
                for figure in figures:
                    metrics.setdefault(ids[figure], {}).setdefault(entry["name"], []).append(column)
    return metrics
