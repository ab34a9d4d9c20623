"""Constituency trees: phrases over the words of a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from evaltools.corpus import Treebank
from evaltools.errors import InputError, Problem
from evaltools.frameworks.constituency.bracketing import ERRORS
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.frameworks.constituency.rules.evalb_lines import EVALB_ROW
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.stored import Table

if TYPE_CHECKING:
    from evaltools.drawing.blocks import Drawing
    from evaltools.formats import Source
    from evaltools.frameworks.common.tree_inputs import TreeInputs
    from evaltools.frameworks.error_types import ErrorTypes
    from evaltools.frameworks.framework import Compared
    from evaltools.frameworks.groups import Excerpt, GroupBy
    from evaltools.frameworks.options import Request
    from evaltools.frameworks.presets import Preset
    from evaltools.frameworks.scoring import Plan, Sample
    from evaltools.frameworks.stored import StoredRun, StoredRuns
    from evaltools.frameworks.views import Sentence, SentenceView, Viewing

__all__ = ["Constituency"]

_MAX_UNFOLDED = 25
"""Sentences with more words are folded in reports."""


class Constituency(Framework):
    """Constituency trees."""

    id = "constituency"
    title = "constituency trees"
    passes_by_family = PASSES
    reads = Treebank
    paired_by_position = True
    main_metric = "e_dice_roof"
    second_metric = "t_dice"
    first_metrics = ("e_dice_roof", "e_dice_discontinuous", "e_exact", "t_dice", "la_partial", "r_errors")
    error_count = ERRORS
    ranking = (
        *("e_dice_roof", "e_jaccard_roof", "e_jaccard_whole", "e_dice_whole"),
        *("t_dice", "t_jaccard", "la_strict", "la_partial"),
    )
    material = "trees"
    tables: ClassVar[Mapping[str, Table]] = {
        "sentences": Table(texts=("labels",), numbers=("evalb_length",), integers=EVALB_ROW),
        "words": Table(
            texts=("parser", "form", "tag", "test_tag", "test_form", "match"),
            numbers=("sentence", "word", "position", "test_word", "la_strict", "la_partial"),
        ),
        "brackets": Table(
            texts=(
                *("parser", "label", "gold_kind", "test_kind", "e_status"),
                *("t_gold_status", "t_test_status", "t_label", "gaps"),
            ),
            numbers=("sentence", "start", "end"),
        ),
    }
    sample_name = "sample"
    compares_both = True
    file_ending = "ptb"

    @cached_property
    def stored(self) -> StoredRuns:
        """Access to its runs."""
        from evaltools.frameworks.constituency.stored import ConstituencyRuns

        return ConstituencyRuns()

    @cached_property
    def reported_counts(self) -> tuple[str, ...]:
        """The counts of brackets and of the T-mapping that reports of sentences show beside the scores."""
        return (
            *("e_gold_roof", "e_test_roof", "e_matched_roof", "e_gold_whole", "e_test_whole", "e_matched_whole"),
            *("t_gold", "t_test", "t_deleted", "t_inserted", "t_swapped", "t_matched"),
            *("r_steps", "r_brackets", "r_moves", "r_relabels", "r_adds", "r_removes"),
        )

    def notes(self, meta: Mapping[str, Any]) -> list[str]:
        """Return whose trees have function nodes that are not compared."""
        from evaltools.frameworks.constituency.rules.realizational import WITHOUT_FUNCTIONS

        entries = ({"name": "gold", **meta["gold"]}, *meta["parsers"])
        names = [entry["name"] for entry in entries if entry.get("format") == "rr"]
        return [f"{', '.join(names)}: {WITHOUT_FUNCTIONS}"] if names else []

    @property
    def groups(self) -> Mapping[str, GroupBy]:
        """The questions that *Hotspots* can ask."""
        from evaltools.frameworks.constituency.groups import GROUPS

        return GROUPS

    @property
    def excerpts(self) -> Sequence[Excerpt]:
        """What reports show of them."""
        from evaltools.frameworks.constituency.groups import EXCERPTS

        return EXCERPTS

    @property
    def error_types(self) -> ErrorTypes | None:
        """The types of its errors."""
        from evaltools.frameworks.constituency.errors.error_table import ERROR_TYPES

        return ERROR_TYPES

    def sentence_view(self, sentence: Sentence, viewing: Viewing) -> SentenceView:
        """Return the view of a sentence."""
        from evaltools.frameworks.constituency.views import sentence_view

        return sentence_view(sentence, viewing)

    def drawings(self, subject: object, gold_name: str = "gold", test_name: str = "test") -> tuple[Drawing, ...]:
        """Return the pictures of both mappings of an alignment."""
        from evaltools.frameworks.constituency.aligned_trees import Alignment
        from evaltools.frameworks.constituency.views import mapping_drawing

        if not isinstance(subject, Alignment):
            return ()
        return tuple(mapping_drawing(subject, name, gold_name=gold_name, test_name=test_name) for name in ("e", "t"))

    def marked_drawings(self, subject: object, test_name: str = "test") -> tuple[Drawing, ...]:
        """Return the marked sentence, and its repairs one by one if there are several."""
        from evaltools.frameworks.constituency.aligned_trees import Alignment
        from evaltools.frameworks.constituency.views import marked_drawings

        return marked_drawings(subject, test_name) if isinstance(subject, Alignment) else ()

    def report_drawings(self, run: StoredRun, number: int, parser: str) -> tuple[Drawing, ...]:
        """Return the marked sentence, its repairs, and the mappings, one if both mark the same nodes, with a legend."""
        from dataclasses import replace

        from evaltools.frameworks.constituency.views import SAME_NODES, marks_agree

        alignment: Any = self.sentence(run, number, parser).alignment
        drawings = self.drawings(alignment, test_name=parser)
        options: dict[str, object] = {"fold": alignment.sentence_length > _MAX_UNFOLDED}  # long sentences are folded
        if marks_agree(alignment):
            drawings, options = drawings[-1:], {**options, "title": SAME_NODES}
        trees = (
            replace(drawing, options={**drawing.options, **options, "legend": drawing is drawings[-1]})
            for drawing in drawings
        )
        return (*self.marked_drawings(alignment, parser), *trees)

    def align_texts(self, gold: str, test: str, rules: str) -> tuple[Any, str] | None:
        """Align two trees in brackets; `rules` is a preset."""
        from evaltools.formats.sampson import trees_of_texts
        from evaltools.frameworks.constituency.alignment import align

        if "\t" in gold or "\t" in test:
            return None
        upper, lower = trees_of_texts((gold, test))
        if not (upper.words and lower.words):
            found, expected = "a tree without words", "at least one word"
            raise InputError(Problem("empty_bracket", "<tree>", None, None, found, expected))
        return align(upper, lower, rules), f"preset:{rules}"

    @property
    def inputs(self) -> type[TreeInputs]:
        """The class that reads streams of treebanks."""
        from evaltools.frameworks.constituency.chunks import ConstituencyInputs

        return ConstituencyInputs

    def compare_files(
        self, gold: tuple[Source, str], test: tuple[Source, str], preset: Preset, *, align: bool
    ) -> Compared:
        """Pair the sentences of a parser's file with the gold sentences, and compare their words."""
        from evaltools.frameworks.constituency.checks import compare_treebanks

        return compare_treebanks(gold, test, preset, align=align)

    def experiment(self, label_map: Mapping[str, str]) -> Request | None:
        """Return how to compute PARSEVAL; the labels that are mapped are functions, which do not count."""
        from evaltools.frameworks.options import Request

        return Request(metrics=["e_dice_roof"])

    def plan_again(self, meta: Mapping[str, Any]) -> Plan:
        """Return how to score the sources of a run once more."""
        from evaltools.frameworks.common.tree_inputs import plan_trees_again

        return plan_trees_again(meta, self)

    def sample_files(self, folder: Path) -> Sample:
        """Return the sample treebank and the parsers' outputs."""
        from evaltools.frameworks.common.tree_inputs import sampled

        return sampled(self, folder / "gold.ptb", (folder / "parsers").glob("*.ptb"), ".ptb")
