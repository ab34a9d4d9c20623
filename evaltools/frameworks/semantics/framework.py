"""Semantic graphs with spans (EDS, DMRS, MRS), of words (SDP) and without spans (AMR)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltools.formats import SemanticBank
from evaltools.frameworks.framework import (
    Figures,
    Framework,
    Nouns,
    OwnFiles,
    Plan,
    Questions,
    Request,
    Sample,
    SampleRun,
)
from evaltools.frameworks.passes import counts_of
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
from evaltools.frameworks.semantics.edm import ERRORS
from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS, EdmRules, load_edm_rules
from evaltools.frameworks.semantics.inputs import content_of, item_problems, reread_bank
from evaltools.frameworks.semantics.options import SemanticOptions
from evaltools.frameworks.semantics.passes import PASSES
from evaltools.frameworks.semantics.smatch import UNMATCHED
from evaltools.frameworks.semantics.stored import BILEXICAL_RUNS, MAPPED_RUNS, RUNS, align

if TYPE_CHECKING:
    from evaltools.frameworks.conventions import Dimension
    from evaltools.frameworks.views import Sentence, SentenceView, Viewing


_SUFFIXES = (".eds", ".mrp")


def _counts(family: str) -> tuple[str, ...]:
    """Return the counts of a family of metrics."""
    return tuple(name for name in counts_of(PASSES) if name.startswith(f"{family}_"))


def _view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    from evaltools.frameworks.semantics.views import sentence_view

    return sentence_view(sentence, viewing)


def _questions(framework: str) -> Questions:
    from evaltools.frameworks.semantics.questions import QUESTIONS_OF

    return QUESTIONS_OF[framework]


def _conventions(framework: str) -> Sequence[Dimension]:
    from evaltools.frameworks.semantics.conventions import CONVENTIONS

    return CONVENTIONS[framework]


def _plan(gold: Any, parsers: Mapping[str, Any], request: Request, options: Any) -> Plan:
    from evaltools.frameworks.semantics.chunks import plan_graphs  # with the solver of Smatch

    return plan_graphs(gold, parsers, request, options)


def _plan_again(meta: Mapping[str, Any]) -> Plan:
    from evaltools.frameworks.semantics.chunks import plan_graphs

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
        return _plan(gold, parsers, Request(), SemanticOptions())

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
        conventions=partial(_conventions, "mrs"),
    ),
    runs=RUNS,
    align=align,
    aligned=GraphAlignment,
    view=_view,
    plan_again=_plan_again,
    options=SemanticOptions,
    own_files=OwnFiles(
        presets=EDM_PRESETS,
        describe_preset=lambda name: load_edm_rules(name).describe(),
        reads=SemanticBank,
        content=content_of,
        joint_problems=item_problems,
        plan=_plan,
    ),
    questions=partial(_questions, "mrs"),
    sample=SampleRun("sample of semantic graphs", _sample),
)
"""Graphs with spans: EDS, DMRS and MRS."""

SDP = replace(
    MRS,
    id="sdp",
    title="bilexical semantic graphs",
    figures=replace(
        MRS.figures,
        main="sdp",
        second="sdp_unlabeled",
        counts=_counts("sdp"),
        conventions=partial(_conventions, "sdp"),
    ),
    runs=BILEXICAL_RUNS,
    questions=partial(_questions, "sdp"),
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
        conventions=partial(_conventions, "amr"),
    ),
    runs=MAPPED_RUNS,
    questions=partial(_questions, "amr"),
    own_files=None,
    sample=None,
)
"""Graphs whose nodes are not known by spans: Smatch maps them to each other."""
