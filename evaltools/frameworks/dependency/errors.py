"""The errors of a parser's dependency trees: a row each word with a wrong head or relation, made when it is scored."""

from __future__ import annotations

import numpy as np

from evaltools.corpus.dependency_tree import without_subtype
from evaltools.frameworks.common.columns import Rows, SentenceStatus, coded
from evaltools.frameworks.common.tables import errors_table
from evaltools.frameworks.dependency.pair import DependencyComparison
from evaltools.frameworks.dependency.passes import Attachment
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.questions import NONE
from evaltools.marks import Status

ARC = "arc"
"""The kind of the errors: words with a wrong head, or with the right head and a wrong relation."""

ROOT = "(root)"
"""Stands for the head of a root."""


def dependency_errors(parser: str, passes: Passes[DependencyComparison]) -> Rows:
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
    relations = labels if comparison.rules.subtypes else [without_subtype(label) for label in labels]
    relation, test_relation = coded(gold.relation[words], relations), coded(test.relation[partner], relations)
    head_tag, test_head_tag = (
        # a root and a word without a head have the numbers -1 and -2
        coded(np.where(at < 0, len(labels) - 1 - at, gold.tag[first + np.maximum(at, 0)]), [*labels, ROOT, NONE])
        for at in (head, test_head)
    )
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
        more={"tag": coded(gold.tag[words], labels), "head_tag": head_tag, "test_head_tag": test_head_tag},
    )
