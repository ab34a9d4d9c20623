"""The errors of a parser's dependency trees, made when it is scored.

They are wrong heads and relations, wrong values of other columns, and words and sentences that are merged or split.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, DependencyTree
from evaltools.corpus.dependency_tree import without_subtype
from evaltools.corpus.resegmented import BEGINS, ELSEWHERE, Resegmented, segmented_tree
from evaltools.frameworks.common.columns import Rows, SentenceStatus, coded, constant, text_column
from evaltools.frameworks.common.labels import relabeled_tree
from evaltools.frameworks.common.tables import errors_table, numbered_errors
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.alignment import align_by_options
from evaltools.frameworks.dependency.column_errors import column_errors
from evaltools.frameworks.dependency.pair import DependencyComparison
from evaltools.frameworks.dependency.passes import Attachment
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.questions import NONE
from evaltools.marks import Status

ARC = "arc"
"""The kind of the errors: words with a wrong head, or with the right head and a wrong relation."""

SEGMENTATION = "segmentation"
"""The kind of the errors in the division into words and sentences; what they cost is lost words."""

COLUMN = "column"
"""The kind of the errors in the columns of aligned words; ``type`` is the column."""

_TAGS = ("tag", "head_tag", "test_head_tag")
"""The columns with the tags of a word, its gold head and the parser's."""

ROOT = "(root)"
"""Stands for the head of a root."""


def dependency_errors(
    parser: str,
    passes: Passes[DependencyComparison],
    gold: Dependencies,
    test: Dependencies,
    label_map: Mapping[str, str],
) -> Rows:
    """Build one row an error; the corpora are those that were read."""
    return numbered_errors(
        _arc_errors(parser, passes),
        _column_errors(parser, passes.comparison),
        _segmentation_errors(parser, passes.comparison, (gold, test), label_map),
    )


def _arc_errors(parser: str, passes: Passes[DependencyComparison]) -> Rows:
    """Build one row a gold word with a wrong head or relation, of the sentences with the same words.

    The heads are named by their tags: the gold tags of both, as the words are the same.
    """
    comparison, attachment = passes.comparison, passes[Attachment]
    gold, test = comparison.pair.gold, comparison.pair.test
    sentences = np.repeat(np.arange(len(gold)), gold.n_words)
    compared = comparison.pair.counted & (comparison.pair.status == SentenceStatus.OK)[sentences]
    words = np.flatnonzero(compared & ~(attachment.head_right & attachment.relation_right))
    sentence = sentences[words]
    first = gold.offsets[sentence]
    partner = test.offsets[sentence] + comparison.pair.partner[words]
    head = gold.head[words].astype(np.int64)
    test_head = np.minimum(test.head[partner], gold.n_words[sentence] - 1).astype(np.int64)
    has_head = attachment.head_right[words]

    labels = gold.vocabulary.labels.strings()
    relations = labels if comparison.options.subtypes else [without_subtype(label) for label in labels]
    relation, test_relation = coded(gold.relation[words], relations), coded(test.relation[partner], relations)
    head_tag, test_head_tag = (head_tags(gold, first, at) for at in (head, test_head))
    forms = coded(gold.form, gold.vocabulary.words.strings())

    def quoted(at: int, begin: int) -> str:
        return "the root" if at < 0 else f"“{forms[begin + at]}”"

    texts = []
    for word, begin, right, chosen, is_attached, own, given in zip(
        *(column.tolist() for column in (words, first, head, test_head, has_head, relation, test_relation)), strict=True
    ):
        if is_attached:
            texts.append(f"“{forms[word]}”: {given} instead of {own}")
        elif chosen < -1:
            texts.append(f"“{forms[word]}” without a head instead of attached to {quoted(right, begin)}")
        else:
            texts.append(f"“{forms[word]}” attached to {quoted(chosen, begin)} instead of {quoted(right, begin)}")
    start = words - first
    return errors_table(
        parser,
        ARC,
        (sentence + 1 + gold.first_sentence).astype(np.int32),
        coded(has_head.astype(np.int64), [str(Status.MOVED), str(Status.RELABELED)]),
        np.ones(len(words), dtype=np.int32),
        (start, start + 1, [""] * len(words)),
        [f"{at}-{at + 1}" for at in start.tolist()],
        (relation, test_relation),
        texts,
        more={
            "type": constant(None, len(words)),
            **dict(zip(_TAGS, (coded(gold.tag[words], labels), head_tag, test_head_tag), strict=True)),
        },
    )


def head_tags(gold: Dependencies, first: NDArray[np.int64], head: NDArray[np.int64]) -> NDArray[Any]:
    """Return the tags of some heads, `ROOT` and `NONE` where there is none; `first` begins the sentence of each."""
    labels = gold.vocabulary.labels.strings()
    # a root and a word without a head have the numbers -1 and -2
    codes = np.where(head < 0, len(labels) - 1 - head, gold.tag[np.where(head < 0, 0, first + head)])
    return coded(codes.astype(np.int64), [*labels, ROOT, NONE])


def _column_errors(parser: str, comparison: DependencyComparison) -> Rows:
    """Build one row a wrong value of an aligned word that counts."""
    gold = comparison.pair.gold
    errors = column_errors(comparison.pair)
    words = np.array([error[0] for error in errors], dtype=np.int64)
    sentence = np.searchsorted(gold.offsets, words, side="right") - 1
    forms = coded(gold.form[words].astype(np.int64), gold.vocabulary.words.strings())
    start = words - gold.offsets[sentence]
    n = len(errors)
    return errors_table(
        parser,
        COLUMN,
        (sentence + 1 + gold.first_sentence).astype(np.int32),
        constant(str(Status.RELABELED), n),
        np.ones(n, dtype=np.int32),
        (start, start + 1, [""] * n),
        [f"{at}-{at + 1}" for at in start.tolist()],
        (text_column([own for _, _, own, _ in errors]), text_column([given for *_, given in errors])),
        [f"“{form}”: {given} instead of {own}" for form, (_, _, own, given) in zip(forms, errors, strict=True)],
        more={
            "type": text_column([column for _, column, _, _ in errors]),
            **{name: constant(None, n) for name in _TAGS},
        },
    )


def _segmentation_errors(
    parser: str,
    comparison: DependencyComparison,
    sides: tuple[Dependencies, Dependencies],
    label_map: Mapping[str, str],
) -> Rows:
    """Build one row a stretch of words, or a sentence, that the parser merged or split."""
    gold, test = sides
    # a sentence that is divided elsewhere has a comment that says how
    is_divided = comparison.pair.status == SentenceStatus.WORDS_DIFFER
    if isinstance(test, Resegmented):
        is_divided |= np.array(["# aligned = " in test.source(at) for at in range(len(test))], dtype=np.bool_)
    is_divided &= (gold.n_words > 0) & (test.n_words > 0)
    rows = []
    for at in np.flatnonzero(is_divided).tolist():
        gold_tree, test_tree = (
            relabeled_tree(DependencyTree.from_string(side.source(at), side.notation), label_map) for side in sides
        )
        rows += [
            (at, *error) for error in segmentation_errors(align_by_options(gold_tree, test_tree, comparison.options))
        ]
    columns = dict(zip(("sentence", *_Error._fields), zip(*rows, strict=True) if rows else [()] * 7, strict=True))
    numbers = {name: np.array(columns[name], dtype=np.int32) for name in ("sentence", "start", "end", "cost")}
    kind, given, right = (columns[name] for name in ("kind", "test", "gold"))
    return errors_table(
        parser,
        SEGMENTATION,
        numbers["sentence"] + np.int32(1 + gold.first_sentence),
        constant(None, len(rows)),
        numbers["cost"],
        (numbers["start"], numbers["end"], [""] * len(rows)),
        [f"{start}-{end}" for start, end in zip(columns["start"], columns["end"], strict=True)],
        (text_column(right), text_column(given)),
        [f"{what}: {own} → {other}" for what, own, other in zip(kind, right, given, strict=True)],
        more={"type": text_column(kind), **{name: constant(None, len(rows)) for name in _TAGS}},
    )


# ------------------------------------------------------------------------------------------------ tokens and sentences

MERGED, SPLIT, ELSEWHERE_DIVIDED, OTHER_WORDS = "words merged", "word split", "divided elsewhere", "other words"
SENTENCE_SPLIT, SENTENCES_MERGED = "sentence split", "sentences merged"


class _Error(NamedTuple):
    kind: str
    gold: str
    test: str
    start: int  # The gold words that are marked
    end: int
    cost: int  # Gold words that cannot be right in LAS because of it


def segmentation_errors(alignment: DependencyAlignment) -> list[_Error]:
    """Return what differs in the words and in the bounds of a sentence."""
    if not len(alignment.test):
        return []
    return [*_word_errors(alignment), *_sentence_errors(alignment)]


def _word_errors(alignment: DependencyAlignment) -> Iterator[_Error]:
    """Yield the stretches of gold words and test words without an aligned word, between two that have one."""
    gold, test, partner = alignment.gold, alignment.test, alignment.partner
    aligned = [(word, at) for word, at in enumerate(partner) if at is not None]
    anchors = [(-1, -1), *aligned, (len(gold), len(test))]
    for (word, at), (next_word, next_at) in pairwise(anchors):
        own = range(word + 1, next_word)
        others = [index for index in range(at + 1, next_at) if alignment.test_status[index] is not None]
        for words, test_words in _blocks(alignment, list(own), others):
            texts = [gold.forms[index] for index in words], [test.forms[index] for index in test_words]
            kind = OTHER_WORDS
            if "".join(texts[0]) == "".join(texts[1]):
                kind = MERGED if len(test_words) == 1 else SPLIT if len(words) == 1 else ELSEWHERE_DIVIDED
            below = sum(gold.heads[index] in words for index, _ in aligned)
            start = min(words[0] if words else next_word, len(gold) - 1)
            gold_text, test_text = (" ".join(forms) or NONE for forms in texts)
            yield _Error(kind, gold_text, test_text, start, start + max(len(words), 1), len(words) + below)


def _blocks(alignment: DependencyAlignment, own: list[int], others: list[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield stretches of words without an aligned word: those with the same characters, or all if there are others."""
    forms, test_forms = alignment.gold.forms, alignment.test.forms
    if "".join(forms[index] for index in own) != "".join(test_forms[index] for index in others):
        yield own, others
        return
    words: list[int] = []
    test_words: list[int] = []
    ahead = 0  # How many characters the gold words have more
    for _ in range(len(own) + len(others)):
        if ahead <= 0 and len(own):
            words.append(own.pop(0))
            ahead += len(forms[words[-1]])
        else:
            test_words.append(others.pop(0))
            ahead -= len(test_forms[test_words[-1]])
        if not ahead:
            yield words, test_words
            words, test_words = [], []


def _sentence_errors(alignment: DependencyAlignment) -> Iterator[_Error]:
    """Yield that the parser divides the sentence, or has words of another one in it."""
    gold, test, partner = alignment.gold, alignment.test, alignment.partner
    corpus = segmented_tree(test, Dependencies.from_trees([test]))
    if not isinstance(corpus, Resegmented):
        return
    flags, gold_word = corpus.segmentation.flags, corpus.segmentation.gold_word
    sentence = np.cumsum((flags & BEGINS) > 0).tolist()
    elsewhere = (gold_word == ELSEWHERE).tolist()
    sentences = {sentence[at] for at in range(len(test)) if not elsewhere[at]}
    pairs = [(word, at) for word, at in enumerate(partner) if at is not None]
    # words whose gold head has no aligned word are lost already
    heads = {word: partner[gold.heads[word]] if gold.heads[word] >= 0 else -1 for word, _ in pairs}
    apart = {word for word, at in pairs if (head := heads[word]) not in (None, -1) and sentence[head] != sentence[at]}
    if len(sentences) > 1:
        starts = [word for (_, before), (word, at) in pairwise(pairs) if sentence[before] != sentence[at]]
        start = starts[0] if starts else 0
        yield _Error(SENTENCE_SPLIT, "1 sentence", f"{len(sentences)} sentences", start, start + 1, len(apart))
    if any(elsewhere):
        kept = [(word, test.heads[at]) for word, at in pairs if word not in apart and heads[word] is not None]
        outside = sum(head >= 0 and elsewhere[head] for _, head in kept)
        first = elsewhere[0]
        start = 0 if first else max(len(gold) - 1, 0)
        sides = "the sentence before" if first else "the next sentence"
        if first and elsewhere[-1]:
            sides = "both neighboring sentences"
        yield _Error(SENTENCES_MERGED, "1 sentence", f"with words of {sides}", start, start + 1, outside)
