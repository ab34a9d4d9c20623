"""Semantic graphs with spans (EDS, DMRS, MRS), of words (SDP) and without spans (AMR)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltools.frameworks.framework import Figures, Framework, Nouns, Questions
from evaltools.frameworks.passes import counts_of
from evaltools.frameworks.scoring import Plan, Sample, SampleRun
from evaltools.frameworks.semantics.edm import ERRORS
from evaltools.frameworks.semantics.files import GRAPH_FILES
from evaltools.frameworks.semantics.options import SemanticOptions
from evaltools.frameworks.semantics.passes import PASSES
from evaltools.frameworks.semantics.smatch import UNMATCHED
from evaltools.frameworks.semantics.stored import BILEXICAL_RUNS, MAPPED_RUNS, RUNS, align

if TYPE_CHECKING:
    from evaltools.drawing import Drawing
    from evaltools.frameworks.views import Sentence, SentenceView, Viewing


_SUFFIXES = (".eds", ".mrp")


def _counts(family: str) -> tuple[str, ...]:
    """Return the counts of a family of metrics."""
    return tuple(name for name in counts_of(PASSES) if name.startswith(f"{family}_"))


def _view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    from evaltools.frameworks.semantics.views import sentence_view

    return sentence_view(sentence, viewing)


def _drawings(subject: object, gold_name: str = "gold", parse_name: str = "parse") -> tuple[Drawing, ...]:
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


def _questions() -> Questions:
    from evaltools.frameworks.semantics.questions import EXCERPTS, QUESTIONS

    return Questions(QUESTIONS, EXCERPTS)


def _bilexical_questions() -> Questions:
    """Return the questions, that for roles first."""
    from evaltools.frameworks.semantics.questions import BILEXICAL_EXCERPTS, BILEXICAL_QUESTIONS

    return Questions(BILEXICAL_QUESTIONS, BILEXICAL_EXCERPTS)


def _mapped_questions() -> Questions:
    from evaltools.frameworks.semantics.questions import MAPPED_EXCERPTS, MAPPED_QUESTIONS

    return Questions(MAPPED_QUESTIONS, MAPPED_EXCERPTS)


def _plan_again(meta: Mapping[str, Any]) -> Plan:
    from evaltools.frameworks.scoring import Request
    from evaltools.frameworks.semantics.chunks import plan_graphs
    from evaltools.frameworks.semantics.edm_rules import EdmRules
    from evaltools.frameworks.semantics.inputs import reread_bank

    name, encoding = meta["options"]["format"], meta["options"].get("encoding")
    gold = reread_bank(meta["gold"]["path"], meta["gold"]["file"], name, encoding=encoding)
    parsers = {
        item["name"]: reread_bank(item["path"], item["file"], name, item["name"], like=gold.format, encoding=encoding)
        for item in meta["parsers"]
    }
    request = Request(format=name, metrics=meta["metrics"])
    return plan_graphs(gold, parsers, request, SemanticOptions(), EdmRules.from_dict(meta["edm_rules"]))


def _sample(folder: Path) -> Sample:
    """Return the sample's graphs."""
    files = {path.stem: path for path in (folder / "semantics").glob("*") if path.suffix in _SUFFIXES}
    gold = files.pop("gold", folder / "semantics" / "gold.eds")
    parsers = {name: files[name] for name in sorted(files)}

    def plan() -> Plan:
        from evaltools.frameworks.scoring import Request
        from evaltools.frameworks.semantics.chunks import plan_graphs

        return plan_graphs(gold, parsers, Request(), SemanticOptions())

    return Sample({"": gold}, {name: ("", path) for name, path in parsers.items()}, plan)


MRS = Framework(
    id="mrs",
    title="semantic graphs",
    nouns=Nouns("graph", "predicate", "mrp"),
    passes=PASSES,
    figures=Figures(
        "edm",
        second="edm_a",
        ranking=(
            *("sdp", "sdp_unlabeled"),
            *("edm_n", "edm_na", "edm_a", "edm", "edm_p"),
            *("smatch_unlabeled", "smatch", "smatch_no_senses"),
        ),
        errors=ERRORS,
        counts=_counts("edm"),
        weighted=True,
    ),
    runs=RUNS,
    align=align,
    drawings=_drawings,
    plan_again=_plan_again,
    options=SemanticOptions,
    own_files=GRAPH_FILES,
    view=_view,
    questions=_questions,
    sample=SampleRun("sample of semantic graphs", _sample),
)
"""Graphs with spans: EDS, DMRS and MRS."""

SDP = replace(
    MRS,
    id="sdp",
    title="bilexical semantic graphs",
    figures=replace(MRS.figures, main="sdp", second="sdp_unlabeled", counts=_counts("sdp")),
    runs=BILEXICAL_RUNS,
    questions=_bilexical_questions,
    own_files=None,  # which framework a file of graphs belongs to depends on the graphs
    sample=None,
)
"""Graphs whose nodes are words, as in the SDP tasks: their figure is LF, errors are triples of EDM."""

AMR = replace(
    MRS,
    id="amr",
    title="semantic graphs without spans",
    nouns=Nouns("graph", "concept", "amr"),
    figures=replace(
        MRS.figures,
        main="smatch",
        second="smatch_unlabeled",
        errors=UNMATCHED,
        counts=_counts("smatch"),
        weighted=False,
    ),
    runs=MAPPED_RUNS,
    questions=_mapped_questions,
    own_files=None,
    sample=None,
)
"""Graphs whose nodes are not known by spans: Smatch maps them to each other."""
