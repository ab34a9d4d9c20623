"""One chunk of a treebank: sentences of the gold file and of every parser, scored for each parser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Treebank
from evaltools.errors import ParameterError
from evaltools.frameworks.common.columns import Rows
from evaltools.frameworks.common.tables import count_statuses
from evaltools.frameworks.common.tree_inputs import TreeInputs
from evaltools.frameworks.constituency import tables
from evaltools.frameworks.constituency.checks import pair_problems
from evaltools.frameworks.constituency.comparison import TreeComparison
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.frameworks.constituency.rules import Normalized, normalize_gold, normalize_pair
from evaltools.frameworks.constituency.rules.evalb_lines import with_empty_words, with_evalb_rows
from evaltools.frameworks.constituency.rules.realizational import WITHOUT_FUNCTIONS
from evaltools.frameworks.constituency.rules.word_alignment import word_offsets
from evaltools.frameworks.options import Options
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.presets.empty_elements import count_left_out, tagged_words, without_empty_elements
from evaltools.frameworks.scoring import Chunk, Description, Scored
from evaltools.progress import Progress, ranges

__all__ = ["ConstituencyInputs", "TreeChunk"]


@dataclass(frozen=True)
class TreeChunk(Chunk):
    """Some sentences of a gold treebank and of every parser; all share the gold trees' vocabulary."""

    gold: Treebank
    tests: dict[str, Treebank]
    rules: tuple[Preset, Options]
    normalized: Normalized = field(init=False)
    lengths: tuple[NDArray[np.int32], NDArray[np.int32]] = field(init=False)

    def __post_init__(self) -> None:
        preset, _ = self.rules
        if preset.evalb is not None:
            object.__setattr__(self, "gold", with_empty_words(self.gold))
            object.__setattr__(self, "tests", {name: with_empty_words(test) for name, test in self.tests.items()})
        object.__setattr__(self, "normalized", normalize_gold(self.gold, preset))
        read = self.normalized.read
        object.__setattr__(self, "lengths", (read.n_words, _evalb_lengths(read, preset)))

    def score(self, parser: str, progress: Progress, *, details: bool = True) -> Scored:
        """Score one parser."""
        gold, test = self.gold, self.tests[parser]
        preset, options = self.rules
        pair = normalize_pair(gold, test, preset, self.normalized)
        passes = Passes(PASSES, TreeComparison.of(pair, preset, options), options)
        for first, last in ranges(len(gold)):
            progress.update("scoring", passes.run(first, last))
        if details:
            rows = tables.parser_tables(parser, test, passes, *self.lengths)
        else:
            rows = {"sentences": tables.sentence_counts(parser, test, passes, *self.lengths)}
        if preset.evalb is not None:
            rows["sentences"] = with_evalb_rows(rows["sentences"], gold, test, preset)
        problems = [replace(problem, parser=parser) for problem in test.problems]
        problems += pair_problems(parser, passes)
        statuses = count_statuses(rows["sentences"])
        n_words_aligned = 0 if pair.alignment is None else int(np.count_nonzero(pair.alignment.aligned))
        labels = tables.labels_in(rows["sentences"]["labels"]) if details else []
        left_out, gold_left_out = (
            count_left_out(side, preset.empty_tags, cuts_features=preset.cut == "functions") for side in (test, gold)
        )
        sums = {"equated": pair.count_equated() | left_out, "gold_equated": gold_left_out}
        return Scored(rows, statuses, labels, problems, n_words_aligned, sums)


def _evalb_lengths(gold: Treebank, preset: Preset) -> NDArray[np.int32]:
    """Return the length of the gold sentences as evalb prints it: without words of ``DELETE_LABEL_FOR_LENGTH``."""
    if preset.evalb is None or not preset.evalb.delete_for_length:
        return gold.n_words
    is_counted = ~tagged_words(gold, preset.evalb.delete_for_length)
    cumulative = np.concatenate(([0], np.cumsum(is_counted, dtype=np.int32)))
    lengths: NDArray[np.int32] = np.diff(cumulative[word_offsets(gold)]).astype(np.int32)
    return lengths


class ConstituencyInputs(TreeInputs):
    """Treebanks, read side by side."""

    framework = "constituency"
    passes = PASSES
    chunk = TreeChunk

    def options_for(self, options: Options) -> Options:
        """Refuse options for dependency trees."""
        if options.punctuation is not None or options.subtypes is not None:
            raise ParameterError(
                "punctuation and subtypes are options for dependency trees; presets set what counts for these trees"
            )
        if options.strict_conllu:
            raise ParameterError("strict_conllu is an option for dependency trees")
        return options

    def rules(self) -> str:
        """Return the rules in words."""
        return "\n".join([super().rules(), *([WITHOUT_FUNCTIONS] if self._realizational else [])])

    def describe(self, sums: Mapping[str, Sequence[Mapping[str, Any]]]) -> Description:
        """Read all files to their end and describe the run."""
        description = super().describe(sums)
        if self._realizational:
            description.signature.append("rr:no_functions")
        return description

    @property
    def _realizational(self) -> bool:
        """Whether the trees of a file are relational-realizational."""
        return "rr" in {self._gold.format, *(reader.stream.format for reader in self._readers.values())}

    def gold_table(self, gold: Any) -> tuple[Rows, NDArray[np.int32]]:
        """Return the table of gold trees, and how many words each has that are compared."""
        compared = without_empty_elements(gold, self.preset.empty_tags)
        return tables.trees_table(None, gold, compared), compared.n_words
