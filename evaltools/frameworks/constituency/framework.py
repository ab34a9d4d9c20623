"""Constituency trees: phrases over the words of a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltools.corpus import Treebank
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.bracketing import ERRORS as ERROR_COUNT
from evaltools.frameworks.constituency.errors import ERROR_TYPES
from evaltools.frameworks.constituency.options import ConstituencyOptions
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.frameworks.constituency.stored import RUNS, align
from evaltools.frameworks.framework import Figures, Framework, Nouns, Questions, Sample, SampleRun, Streams

if TYPE_CHECKING:
    from evaltools.formats import Source
    from evaltools.frameworks.common.tree_inputs import TreeInputs
    from evaltools.frameworks.conventions import Dimension
    from evaltools.frameworks.framework import Compared, Plan
    from evaltools.frameworks.presets import Preset
    from evaltools.frameworks.views import Sentence, SentenceView, Viewing

# ----------------------------------------------------------------------------------------------------------- pictures


def _view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    from evaltools.frameworks.constituency.views import sentence_view

    return sentence_view(sentence, viewing)


def _conventions() -> Sequence[Dimension]:
    from evaltools.frameworks.constituency.conventions import CONVENTIONS

    return CONVENTIONS


def _questions() -> Questions:
    from evaltools.frameworks.constituency.questions import EXCERPTS, QUESTIONS

    return Questions(QUESTIONS, EXCERPTS)


# -------------------------------------------------------------------------------------------------------------- files


def _open(*arguments: Any) -> TreeInputs:
    from evaltools.frameworks.constituency.chunks import ConstituencyInputs

    return ConstituencyInputs(*arguments)


def _compare(gold: tuple[Source, str], test: tuple[Source, str], preset: Preset, align: bool) -> Compared:
    from evaltools.frameworks.constituency.chunks import compare_treebanks

    return compare_treebanks(gold, test, preset, align=align)


def _plan_again(meta: Mapping[str, Any]) -> Plan:
    from evaltools.frameworks.common.tree_inputs import plan_trees_again

    return plan_trees_again(meta, CONSTITUENCY)


def _sample(folder: Path) -> Sample:
    """Return the sample treebank and the parsers' outputs."""
    from evaltools.frameworks.common.tree_inputs import sampled

    return sampled(CONSTITUENCY, folder / "gold.ptb", (folder / "parsers").glob("*.ptb"), ".ptb")


CONSTITUENCY = Framework(
    id="constituency",
    title="constituency trees",
    nouns=Nouns(file="ptb"),
    passes=PASSES,
    figures=Figures(
        "f1",
        second="ted",
        first=("f1", "f1_discontinuous", "exact", "ted", "la", "errors"),
        ranking=(
            *("f1", "jaccard", "jaccard_pos", "f1_pos"),
            *("ted", "ted_jaccard", "la_exact", "la"),
        ),
        errors=ERROR_COUNT,
        error_types=ERROR_TYPES,
        pairs={
            "E and T, whole": ("f1_pos", "ted"),
            "E and T, roof": ("f1", "ted"),
            "GEIG and LA": ("f1_unlabeled", "la"),
            "F1 and LA": ("f1", "la"),
        },
        tags_alone=("exact", "tagging"),
        counts=(
            *("e_gold_roof", "e_test_roof", "e_matched_roof", "e_gold_whole", "e_test_whole", "e_matched_whole"),
            *("t_gold", "t_test", "t_deleted", "t_inserted", "t_swapped", "t_matched"),
            *("r_steps", "r_brackets", "r_moves", "r_relabels", "r_adds", "r_removes"),
        ),
        conventions=_conventions,
    ),
    runs=RUNS,
    align=align,
    aligned=Alignment,
    view=_view,
    plan_again=_plan_again,
    options=ConstituencyOptions,
    reads=Treebank,
    streams=Streams(_open, _compare, by_position=True),
    questions=_questions,
    sample=SampleRun("sample", _sample),
)
"""Constituency trees."""
