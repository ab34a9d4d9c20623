"""Dependency trees: each word is attached to a head by a relation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltools.corpus import Dependencies
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.options import DependencyOptions
from evaltools.frameworks.dependency.passes import ERRORS, PASSES
from evaltools.frameworks.dependency.stored import RUNS, align
from evaltools.frameworks.framework import Figures, Framework, Nouns, Questions, Sample, SampleRun, Streams
from evaltools.frameworks.passes import counts_of

if TYPE_CHECKING:
    from evaltools.formats import Source
    from evaltools.frameworks.common.tree_inputs import TreeInputs
    from evaltools.frameworks.conventions import Dimension
    from evaltools.frameworks.framework import Compared, Plan
    from evaltools.frameworks.presets import Preset
    from evaltools.frameworks.views import Sentence, SentenceView, Viewing


def _view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    from evaltools.frameworks.dependency.views import sentence_view

    return sentence_view(sentence, viewing)


def _conventions() -> Sequence[Dimension]:
    from evaltools.frameworks.dependency.conventions import CONVENTIONS

    return CONVENTIONS


def _questions() -> Questions:
    from evaltools.frameworks.dependency.questions import EXCERPTS, QUESTIONS, WORD_GROUPS

    return Questions(QUESTIONS, EXCERPTS, costliest=(WORD_GROUPS.id,))


def _open(*arguments: Any) -> TreeInputs:
    from evaltools.frameworks.dependency.chunks import DependencyInputs

    return DependencyInputs(*arguments)


def _compare(gold: tuple[Source, str], test: tuple[Source, str], preset: Preset, align: bool) -> Compared:
    from evaltools.frameworks.dependency.chunks import compare_dependencies

    return compare_dependencies(gold, test)


def _plan_again(meta: Mapping[str, Any]) -> Plan:
    from evaltools.frameworks.common.tree_inputs import plan_trees_again

    return plan_trees_again(meta, DEPENDENCY)


def _sample(folder: Path) -> Sample:
    """Return the sample's lexical dependencies and the parsers' outputs."""
    from evaltools.frameworks.common.tree_inputs import sampled

    inside = folder / "dependencies"
    return sampled(DEPENDENCY, inside / "lexical.conllu", inside.glob("*-lexical.conllu"), "-lexical.conllu")


DEPENDENCY = Framework(
    id="dependency",
    title="dependency trees",
    nouns=Nouns(label="relation", file="conllu"),
    passes=PASSES,
    figures=Figures(
        "las",
        second="la",
        first=("uas", "las", "clas", "mlas", "blex", "elas"),
        ranking=("uas", "las", "label", "la_exact", "la"),
        errors=ERRORS,
        counts=tuple(name for name in counts_of(PASSES) if not name.startswith("la_")),  # not sums over lineages
        conventions=_conventions,
    ),
    runs=RUNS,
    align=align,
    aligned=DependencyAlignment,
    view=_view,
    plan_again=_plan_again,
    options=DependencyOptions,
    reads=Dependencies,
    streams=Streams(_open, _compare),
    questions=_questions,
    sample=SampleRun("sample of dependency trees", _sample),
)
"""Dependency trees."""
