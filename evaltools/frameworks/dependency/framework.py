"""Dependency trees: each word is attached to a head by a relation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from evaltools.corpus import Dependencies
from evaltools.frameworks.common.tables import ERRORS
from evaltools.frameworks.dependency.options import DependencyOptions
from evaltools.frameworks.dependency.passes import ERRORS as ERROR_COUNT
from evaltools.frameworks.dependency.passes import PASSES
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.options import options_of
from evaltools.frameworks.stored import Table

if TYPE_CHECKING:
    from evaltools.drawing.blocks import Drawing
    from evaltools.formats import Source
    from evaltools.frameworks.common.tree_inputs import TreeInputs
    from evaltools.frameworks.framework import Compared
    from evaltools.frameworks.presets import Preset
    from evaltools.frameworks.questions import Question
    from evaltools.frameworks.scoring import Plan, Sample
    from evaltools.frameworks.stored import StoredRuns
    from evaltools.frameworks.views import Sentence, SentenceView, Viewing


class Dependency(Framework):
    """Dependency trees."""

    id = "dependency"
    title = "dependency trees"
    options = DependencyOptions
    passes_by_family = PASSES
    label = "relation"
    reads = Dependencies
    main_metric = "las"
    second_metric = "la"
    first_metrics = ("uas", "las", "clas", "mlas", "blex", "elas")
    error_count = ERROR_COUNT
    ranking = ("uas", "las", "label", "la_exact", "la")
    tables: ClassVar[Mapping[str, Table]] = {
        "words": Table(
            texts=(
                *("parser", "form", "tag", "test_tag", "xtag", "feats", "deps"),
                *("head_tag", "relation", "test_relation"),
            ),
            numbers=(
                *("sentence", "word", "position", "head", "test_word", "test_head"),
                *("la_exact", "la"),
            ),
            flags=("head_right", "relation_right"),
        ),
        "errors": ERRORS.with_columns(Table(texts=("type", "tag", "head_tag", "test_head_tag"))),
    }
    sample_name = "sample of dependency trees"
    file_ending = "conllu"
    compares_both = True

    @cached_property
    def stored(self) -> StoredRuns:
        """The reader of its runs."""
        from evaltools.frameworks.dependency.stored import DependencyRuns

        return DependencyRuns()

    @cached_property
    def reported_counts(self) -> tuple[str, ...]:
        """The counts of words that reports of sentences show beside the scores; sums over lineages are none."""
        return tuple(name for name in super().reported_counts if not name.startswith("la_"))

    @property
    def questions(self) -> Mapping[str, Question]:
        """The questions that *Hotspots* can ask."""
        from evaltools.frameworks.dependency.questions import QUESTIONS

        return QUESTIONS

    @property
    def excerpts(self) -> Sequence[str]:
        """The tables of groups in reports."""
        from evaltools.frameworks.dependency.questions import EXCERPTS

        return EXCERPTS

    def facts(self, meta: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the options."""
        options = options_of(self.options, meta)
        return [("punctuation", options.punctuation), ("subtypes", "keep" if options.subtypes else "drop")]

    def sentence_view(self, sentence: Sentence, viewing: Viewing) -> SentenceView:
        """Return the view of a sentence."""
        from evaltools.frameworks.dependency.views import sentence_view

        return sentence_view(sentence, viewing)

    def drawings(self, subject: object, gold_name: str = "gold", parse_name: str = "parse") -> tuple[Drawing, ...]:
        """Return the marked sentence, the arcs, and the enhanced dependencies if there are any."""
        from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
        from evaltools.frameworks.dependency.marked import marked_arcs
        from evaltools.frameworks.dependency.views import arcs_drawing, enhanced_drawing
        from evaltools.frameworks.views import marks_drawings

        if not isinstance(subject, DependencyAlignment):
            return ()
        names = {"gold_name": gold_name, "parse_name": parse_name}
        whole = arcs_drawing(subject, **names), *enhanced_drawing(subject, **names)
        return (*marks_drawings(marked_arcs(subject), parse_name), *whole)

    @property
    def inputs(self) -> type[TreeInputs]:
        """The class that reads streams of dependency trees."""
        from evaltools.frameworks.dependency.chunks import DependencyInputs

        return DependencyInputs

    def compare_files(
        self, gold: tuple[Source, str], test: tuple[Source, str], preset: Preset, *, align: bool
    ) -> Compared:
        """Pair the sentences of a parser's file with the gold sentences, and compare their words."""
        from evaltools.frameworks.dependency.chunks import compare_dependencies

        return compare_dependencies(gold, test)

    def plan_again(self, meta: Mapping[str, Any]) -> Plan:
        """Return how to score the sources of a run once more."""
        from evaltools.frameworks.common.tree_inputs import plan_trees_again

        return plan_trees_again(meta, self)

    def sample_files(self, folder: Path) -> Sample:
        """Return the sample's lexical dependencies and the parsers' outputs."""
        from evaltools.frameworks.common.tree_inputs import sampled

        inside = folder / "dependencies"
        return sampled(self, inside / "lexical.conllu", inside.glob("*-lexical.conllu"), "-lexical.conllu")


DEPENDENCY = Dependency()
