"""The errors of a parser by type: every step of every repair, and sums of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from evaltools.corpus import Span, Treebank, Vocabulary
from evaltools.corpus.stretches import gap_text
from evaltools.formats import FORMATS, Source
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.constituency.error_types import (
    OTHER,
    RULES,
    RuleSet,
    bundled_rules,
    load_rules,
)
from evaltools.frameworks.constituency.marked import in_sentence
from evaltools.frameworks.constituency.normalization import (
    Normalized,
    Pair,
    normalize_gold,
    normalize_pair,
    word_offsets,
)
from evaltools.frameworks.constituency.repair import PairColumns
from evaltools.frameworks.framework import ErrorTypes
from evaltools.frameworks.groups import Part
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.stored import StoredRun, no_such_thing, trees_of

if TYPE_CHECKING:
    from evaltools.frameworks.stored import StoredRun


def cached_pair(part: Part, parser: str) -> Pair:
    """Return the gold trees and a parser's trees of a part of a run; they are read once."""
    return part.cached(_pair, parser)


def _pair(part: Part, parser: str) -> Pair:
    return tree_pair(part.run, parser, range(1, part.size + 1))


def error_table(pair: Pair, rules: RuleSet, preset: Preset) -> tuple[pd.DataFrame, list[int]]:
    """Repair the test trees of a parser, normalized by a preset; list the steps and the sentences that were given up.

    There are none where no order of the words makes both trees continuous.
    """
    rows = []
    given_up = []
    gold = pair.gold.treebank
    columns = PairColumns.of(pair, preset)
    strings = gold.vocabulary.words.strings()
    forms = tuple(strings[label] for label in gold.label[gold.word_nodes].tolist())
    offsets = word_offsets(gold)
    for sentence in np.flatnonzero((pair.status == SentenceStatus.OK) & ~columns.ordered.refused).tolist():
        words = forms[offsets[sentence] : offsets[sentence + 1]]
        steps = columns.steps(sentence)
        if steps is None:
            given_up.append(sentence + 1 + gold.first_sentence)
            continue
        for number, step in enumerate(steps, start=1):
            typed = rules.typed(step)
            nodes = typed.attached
            span = Span(nodes[0].span.start, nodes[-1].span.end) if nodes else step.bracket.span
            (start, end), gaps = in_sentence(span, step.order)
            sentence_number = sentence + 1 + gold.first_sentence
            story = typed.fault(words)
            kind = typed.type.title
            flags = bool(nodes), typed.is_typical
            rows.append(
                (sentence_number, number, kind, step.repaired, start, end, gap_text(gaps), story, typed.labels, *flags)
            )
    names = ["sentence", "step", "type", "repaired", "start", "end", "gaps", "story", "part", "attached", "typical"]
    return pd.DataFrame(rows, columns=names).astype({"attached": bool, "typical": bool}), given_up


def _steps(part: Part, parser: str, rules: str | RuleSet) -> tuple[pd.DataFrame, list[int]]:
    rule_set = bundled_rules(rules) if isinstance(rules, str) else rules
    return error_table(cached_pair(part, parser), rule_set, part.run.rules)


class RepairTypes(ErrorTypes):
    """Types of the steps that turn a parse into its gold tree."""

    rules = RULES
    residual = OTHER.title
    citation = "Kummerfeld et al. 2012"
    reference = "Kummerfeld, Hall, Curran and Klein 2012"

    def load(self, name: str) -> RuleSet:
        """Return bundled rules by their name, or those of a file."""
        return load_rules(name)

    def titles(self, rules: str) -> Mapping[str, str]:
        """Return the titles of the types by their ids."""
        return {kind.id: kind.title for kind in bundled_rules(rules)}

    def steps(self, part: Part, parser: str, rules: str | RuleSet) -> pd.DataFrame:
        """Return a row a step of the repairs."""
        return part.cached(_steps, parser, rules)[0]

    def given_up(self, part: Part, parser: str, rules: str | RuleSet) -> list[int]:
        """Return the sentences whose repair takes too long."""
        return part.cached(_steps, parser, rules)[1]

    def steps_of(self, run: StoredRun, parser: str, sentences: Sequence[int], rules: str) -> pd.DataFrame:
        """Return the steps of some sentences, wherever they are in the run."""
        numbers = np.unique(np.asarray(sentences, dtype=np.int64))
        table, _ = error_table(tree_pair(run, parser, numbers.tolist()), bundled_rules(rules), run.rules)
        return table.assign(sentence=numbers[table["sentence"].to_numpy(dtype=np.int64) - 1])

    def totals(self, steps: pd.DataFrame) -> pd.DataFrame:
        """Return the steps summed by type."""
        groups = steps.groupby("type", sort=False)
        totals = groups.agg(
            occurrences=("sentence", "size"), sentences=("sentence", "nunique"), repaired=("repaired", "sum")
        ).reset_index()
        total = totals["repaired"].sum()
        totals = totals.assign(share=totals["repaired"] / total if total else 0.0)
        return totals.sort_values(["repaired", "type"], ascending=[False, True], ignore_index=True)


ERROR_TYPES = RepairTypes()
"""The error types of constituency trees."""


def gold_trees(run: StoredRun, size: int) -> Normalized:
    """Read the gold trees of the first sentences of a run."""
    return normalize_gold(_trees(run, None, range(1, size + 1), Vocabulary()), run.rules)


def tree_pair(run: StoredRun, parser: str, sentences: Sequence[int]) -> Pair:
    """Read the gold trees and a parser's trees of some sentences of a run."""
    vocabulary = Vocabulary()
    gold, test = (_trees(run, name, sentences, vocabulary) for name in (None, parser))
    return normalize_pair(gold, test, run.rules)


def _trees(run: StoredRun, parser: str | None, sentences: Sequence[int], vocabulary: Vocabulary) -> Treebank:
    """Read trees, one a line; a missing one is a blank line."""
    if run.framework.reads is not Treebank:
        raise no_such_thing(run, "errors of constituency trees have types")
    trees, notation = trees_of(run, parser, sentences)
    data = "".join(f"{trees.get(number) or ''}\n" for number in sentences).encode("utf-8", "backslashreplace")
    treebank: Treebank = FORMATS[notation].read(Source(parser or "gold", data, "", layout="lines"), vocabulary)
    return treebank
