"""Trees of several frameworks and theories, compared as function trees."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from evaltools.frameworks.crossframework.function_columns import describe_projectivized
from evaltools.frameworks.crossframework.tedeval import ERRORS, PASSES
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.stored import Table

if TYPE_CHECKING:
    from evaltools.drawing.blocks import Drawing
    from evaltools.frameworks.scoring import Plan, Sample
    from evaltools.frameworks.stored import StoredRuns
    from evaltools.frameworks.views import Sentence, SentenceView, Viewing
    from evaltools.runs.store import Run


class CrossFramework(Framework):
    """Trees of several frameworks."""

    id = "crossframework"
    title = "trees of several frameworks"
    passes_by_family = PASSES
    label = "function"
    main_metric = "tedeval_multiple_unlabeled"
    second_metric = "tedeval_single_unlabeled"
    first_metrics = ("tedeval_multiple_unlabeled", "tedeval_multiple_labeled")
    error_count = ERRORS
    ranking = (
        *("tedeval_single_unlabeled", "tedeval_multiple_unlabeled", "tedeval2011_unlabeled"),
        *("tedeval2011_labeled", "tedeval_multiple_labeled", "tedeval_single_labeled"),
    )
    tables: ClassVar[Mapping[str, Table]] = {
        "trees": Table(),
        "golds": Table(texts=("theory", "notation", "tree"), numbers=("sentence", "line")),
    }
    sample_name = "sample across frameworks"
    file_ending = "ptb"

    @cached_property
    def stored(self) -> StoredRuns:
        """The reader of its runs."""
        from evaltools.frameworks.crossframework.stored import CrossFrameworkRuns

        return CrossFrameworkRuns()

    def facts(self, meta: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return nothing: there are no rules to choose."""
        return []

    def notes(self, meta: Mapping[str, Any]) -> list[str]:
        """Return how many trees were made projective."""
        return [text] if (text := describe_projectivized(meta)) else []

    def sentence(self, run: Run, number: int, parser: str, other: str = "") -> Sentence:
        """Return a sentence of a run: the parse and the gold trees of all theories."""
        from evaltools.frameworks.crossframework.stored import sentence_trees
        from evaltools.frameworks.views import Sentence

        trees = sentence_trees(run, number, parser)
        upper = "all golds" if len(trees.golds) > 1 else "the gold tree"
        golds = tuple((f"{name}, gold", tree) for name, tree in trees.native_golds.items())
        sources = (*golds, (parser, trees.native_parse))
        return Sentence(trees, number, upper, parser, sources)

    def sentence_view(self, sentence: Sentence, viewing: Viewing) -> SentenceView:
        """Return the view of a sentence."""
        from evaltools.frameworks.crossframework.views import sentence_view

        return sentence_view(sentence, viewing)

    def drawings(self, subject: object, gold_name: str = "gold", parse_name: str = "parse") -> tuple[Drawing, ...]:
        """Return the picture of the steps of TedEval."""
        from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
        from evaltools.frameworks.crossframework.stored import SentenceTrees
        from evaltools.frameworks.crossframework.views import protocol_drawing

        if isinstance(subject, SentenceTrees):
            return (protocol_drawing(subject.protocol()),)
        return (protocol_drawing(subject),) if isinstance(subject, TedEvalProtocol) else ()

    def plan_again(self, meta: Mapping[str, Any]) -> Plan:
        """Return how to score the sources of a run once more."""
        from evaltools.formats.source import open_bytes
        from evaltools.frameworks.crossframework.inputs import plan_theories
        from evaltools.frameworks.crossframework.stored import conversion_of

        encoding = meta["options"].get("encoding")
        return plan_theories(
            {gold["theory"]: open_bytes(gold["path"], gold["file"], encoding) for gold in meta["golds"]},
            {
                entry["name"]: (entry["theory"], open_bytes(entry["path"], entry["file"], encoding))
                for entry in meta["parsers"]
            },
            conversion_of(meta),
        )

    def sample_files(self, folder: Path) -> Sample:
        """Return the sample's phrases and dependencies of two theories, and the outputs of all parsers."""
        from evaltools.frameworks.scoring import Sample

        inside = folder / "dependencies"
        golds = {"phrases": folder / "gold-functions.ptb"}
        golds |= {theory: inside / f"{theory}.conllu" for theory in ("lexical", "functional")}
        parsers = {path.stem: ("phrases", path) for path in sorted((folder / "parsers").glob("*.ptb"))}
        parsers |= {path.stem: (path.stem.rpartition("-")[2], path) for path in sorted(inside.glob("*-*.conllu"))}

        def plan() -> Plan:
            from evaltools.formats.small_tables import read_label_map
            from evaltools.frameworks.crossframework.inputs import Conversion, plan_theories

            return plan_theories(golds, parsers, Conversion(read_label_map(inside / "labels.tsv")))

        return Sample(golds, parsers, plan)


CROSSFRAMEWORK = CrossFramework()
