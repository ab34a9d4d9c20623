"""Semantic graphs: predicates, anchored to the text, and their arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from evaltools.frameworks.common.tables import ERRORS
from evaltools.frameworks.framework import Framework, OwnFiles
from evaltools.frameworks.scoring import Plan, Sample
from evaltools.frameworks.semantics.edm import ERRORS as ERROR_COUNT
from evaltools.frameworks.semantics.options import SemanticOptions
from evaltools.frameworks.semantics.passes import PASSES
from evaltools.frameworks.semantics.smatch import UNMATCHED
from evaltools.frameworks.stored import Table

if TYPE_CHECKING:
    from evaltools.drawing.blocks import Drawing
    from evaltools.formats import SemanticItem
    from evaltools.frameworks.questions import Question
    from evaltools.frameworks.stored import StoredRuns
    from evaltools.frameworks.views import Sentence, SentenceView, Viewing
    from evaltools.runs.store import Run


_SUFFIXES = (".eds", ".mrp")


class Semantics(Framework):
    """Semantic graphs."""

    id = "semantics"
    title = "semantic graphs"
    options = SemanticOptions
    passes_by_family = PASSES
    tree = "graph"
    label = "predicate"
    main_metric = "edm"
    second_metric = "edm_a"
    error_count = ERROR_COUNT
    ranking = (
        *("sdp", "sdp_unlabeled"),
        *("edm_n", "edm_na", "edm_a", "edm", "edm_p"),
        *("smatch_unlabeled", "smatch", "smatch_no_senses"),
    )
    weighted = True
    compares_both = True
    tables: ClassVar[Mapping[str, Table]] = {
        "sentences": Table(texts=("item",)),
        "trees": Table(texts=("mapping",)),
        "triples": Table(
            texts=("parser", "kind", "label", "value", "status", "gold_predicate", "test_predicate", "construction"),
            numbers=("sentence", "start", "end", "target_start", "target_end", "weight", "node", "target", "error"),
        ),
        "errors": ERRORS.with_columns(Table(texts=("type",), flags=("scored",))),
        "ranks": Table(texts=("parser",), numbers=("sentence", "rank"), counts=True),
    }
    parser_figures: ClassVar[tuple[str, ...]] = ("n_best", "spans_change")
    sample_name = "sample of semantic graphs"
    file_ending = "mrp"

    @property
    def reported_counts(self) -> tuple[str, ...]:
        """The counts of the main metric's family."""
        (family,) = {metric.family.id for metric in self.metrics if metric.id == self.main_metric}
        return tuple(name for name in super().reported_counts if name.startswith(f"{family}_"))

    def of_run(self, meta: Mapping[str, Any]) -> Framework:
        """Return the framework for AMRs if the nodes of a run have no spans, and that for SDP if they are words."""
        return self._mapped if meta.get("unanchored") else self._bilexical if meta.get("bilexical") else self

    @cached_property
    def _mapped(self) -> Framework:
        return MappedSemantics()

    @cached_property
    def _bilexical(self) -> Framework:
        return BilexicalSemantics()

    @cached_property
    def stored(self) -> StoredRuns:
        """How its runs are read."""
        from evaltools.frameworks.semantics.stored import SemanticRuns

        return SemanticRuns()

    @property
    def questions(self) -> Mapping[str, Question]:
        """The questions that *Hotspots* can ask."""
        from evaltools.frameworks.semantics.questions import QUESTIONS

        return QUESTIONS

    @property
    def excerpts(self) -> Sequence[str]:
        """The questions whose first rows reports show."""
        from evaltools.frameworks.semantics.questions import EXCERPTS

        return EXCERPTS

    def facts(self, meta: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the preset, and how spans are compared."""
        return [*super().facts(meta), ("spans", meta["edm_rules"]["spans"])]

    def file_of(
        self, run: Run, trees: Mapping[int, str | None], notation: str, sentences: Sequence[int]
    ) -> tuple[str, str]:
        """Return the first graphs of some sentences as MRP; the id of a sentence without a name is its number."""
        from evaltools.corpus import SemanticGraph
        from evaltools.formats import SemanticItem

        rows = run.query(
            "select t.sentence, coalesce(t.text, '') as text, coalesce(i.item, t.sentence::varchar) as item "
            "from trees t left join (select distinct sentence, item from sentences where item is not null) i "
            "using (sentence) where t.parser is null and t.sentence in (select unnest(?::integer[]))",
            [list(sentences)],
        )
        names = {number: (text, item) for number, text, item in rows.itertuples(index=False)}
        items = []
        for number in sentences:
            text, item = names.get(number, ("", str(number)))
            graph = trees.get(number)
            results = () if graph is None else (SemanticGraph.from_json(graph),)
            items.append(SemanticItem(str(item), 0, text, results))
        return self._written(items)

    def _written(self, items: Sequence[SemanticItem]) -> tuple[str, str]:
        """Return items as a file, and its notation."""
        from evaltools.formats import write_mrp

        return write_mrp(items), "mrp"

    def sentence_view(self, sentence: Sentence, viewing: Viewing) -> SentenceView:
        """Return the view of a sentence."""
        from evaltools.frameworks.semantics.views import sentence_view

        return sentence_view(sentence, viewing)

    def _aligned(self, run: Run, number: int, parser: str, other: str) -> Any:
        return run.graphs(number, other or parser, parser if other else None)

    def drawings(self, subject: object, gold_name: str = "gold", parse_name: str = "parse") -> tuple[Drawing, ...]:
        """Return the marked sentence and the picture of an alignment, or the picture of one graph."""
        from evaltools.corpus import SemanticGraph
        from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
        from evaltools.frameworks.semantics.alignment import compare_graphs
        from evaltools.frameworks.semantics.edm_rules import load_edm_rules
        from evaltools.frameworks.semantics.marked import marked_graph
        from evaltools.frameworks.semantics.smatch_matching import Matching
        from evaltools.frameworks.semantics.views import graph_drawing
        from evaltools.frameworks.views import marks_drawings

        if isinstance(subject, SemanticGraph):
            itself = Matching(tuple(range(len(subject.nodes))), 0, 0)
            alignment = compare_graphs(subject, subject, load_edm_rules("pydelphin"), itself)
            return (graph_drawing(alignment, fold=False, properties="all", legend=False),)
        if not isinstance(subject, GraphAlignment):
            return ()
        whole = graph_drawing(subject, gold_name=gold_name, parse_name=parse_name)
        return (*marks_drawings(marked_graph(subject), parse_name), whole)

    @property
    def own_files(self) -> OwnFiles | None:
        """How files of semantic graphs are read."""
        from evaltools.frameworks.semantics.files import GRAPH_FILES

        return GRAPH_FILES

    def plan_again(self, meta: Mapping[str, Any]) -> Plan:
        """Return how to score the sources of a run again."""
        from evaltools.frameworks.scoring import Request
        from evaltools.frameworks.semantics.chunks import plan_graphs
        from evaltools.frameworks.semantics.edm_rules import EdmRules
        from evaltools.frameworks.semantics.inputs import reread_bank

        name, encoding = meta["options"]["format"], meta["options"].get("encoding")
        gold = reread_bank(meta["gold"]["path"], meta["gold"]["file"], name, encoding=encoding)
        parsers = {
            item["name"]: reread_bank(
                item["path"], item["file"], name, item["name"], like=gold.format, encoding=encoding
            )
            for item in meta["parsers"]
        }
        request = Request(format=name, metrics=meta["metrics"])
        return plan_graphs(gold, parsers, request, self.options(), EdmRules.from_dict(meta["edm_rules"]))

    def sample_files(self, folder: Path) -> Sample:
        """Return the sample's graphs."""
        files = {path.stem: path for path in (folder / "semantics").glob("*") if path.suffix in _SUFFIXES}
        gold = files.pop("gold", folder / "semantics" / "gold.eds")
        parsers = {name: files[name] for name in sorted(files)}

        def plan() -> Plan:
            from evaltools.frameworks.scoring import Request
            from evaltools.frameworks.semantics.chunks import plan_graphs

            return plan_graphs(gold, parsers, Request(), self.options())

        return Sample({"": gold}, {name: ("", path) for name, path in parsers.items()}, plan)


class BilexicalSemantics(Semantics):
    """Semantic graphs whose nodes are words, as in the SDP tasks: their figure is LF, errors are triples of EDM."""

    title = "bilexical semantic graphs"
    main_metric = "sdp"
    second_metric = "sdp_unlabeled"

    @cached_property
    def stored(self) -> StoredRuns:
        """How its runs are read."""
        from evaltools.frameworks.semantics.stored import BilexicalRuns

        return BilexicalRuns()

    @property
    def questions(self) -> Mapping[str, Question]:
        """The questions that *Hotspots* can ask, that for roles first."""
        from evaltools.frameworks.semantics.questions import BILEXICAL_QUESTIONS

        return BILEXICAL_QUESTIONS

    @property
    def excerpts(self) -> Sequence[str]:
        """The questions whose first rows reports show."""
        from evaltools.frameworks.semantics.questions import BILEXICAL_EXCERPTS

        return BILEXICAL_EXCERPTS

    def facts(self, meta: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the preset of EDM, and how it compares spans."""
        return [(f"{title} of EDM", value) for title, value in super().facts(meta)]


class MappedSemantics(Semantics):
    """Semantic graphs whose nodes are not known by spans, such as AMRs: Smatch maps them to each other."""

    title = "semantic graphs without spans"
    label = "concept"
    main_metric = "smatch"
    second_metric = "smatch_concepts"
    error_count = UNMATCHED
    weighted = False
    parser_figures = ()
    file_ending = "amr"

    @cached_property
    def stored(self) -> StoredRuns:
        """How its runs are read."""
        from evaltools.frameworks.semantics.stored import MappedRuns

        return MappedRuns()

    @property
    def questions(self) -> Mapping[str, Question]:
        """The questions that *Hotspots* can ask."""
        from evaltools.frameworks.semantics.questions import MAPPED_QUESTIONS

        return MAPPED_QUESTIONS

    @property
    def excerpts(self) -> Sequence[str]:
        """The questions whose first rows reports show."""
        from evaltools.frameworks.semantics.questions import MAPPED_EXCERPTS

        return MAPPED_EXCERPTS

    def facts(self, meta: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the name of the rules."""
        return [("rules", str(meta["preset"]))]

    def _written(self, items: Sequence[SemanticItem]) -> tuple[str, str]:
        """Return items in PENMAN notation, or as MRP if it cannot hold them."""
        from evaltools.errors import ParameterError
        from evaltools.formats import write_penman

        try:
            return write_penman(items), "penman"
        except ParameterError:
            return super()._written(items)


SEMANTICS = Semantics()
