"""Trees of several frameworks and theories, compared as function trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltools.frameworks.crossframework.stored import RUNS, SentenceTrees, conversion_of, sentence_trees
from evaltools.frameworks.crossframework.tedeval import ERRORS, PASSES
from evaltools.frameworks.framework import Figures, Framework, Nouns, Sample, SampleRun

if TYPE_CHECKING:
    from evaltools.frameworks.framework import Plan
    from evaltools.frameworks.views import Sentence, SentenceView, Viewing
    from evaltools.runs.store import Run


def _align(run: Run, parser: str, other: str | None, sentences: Sequence[int]) -> dict[int, SentenceTrees]:
    """Return the parse and the gold trees of all theories, which are compared step by step."""
    return {number: sentence_trees(run, number, parser) for number in sentences}


def _view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    from evaltools.frameworks.crossframework.views import sentence_view

    return sentence_view(sentence, viewing)


def _plan_again(meta: Mapping[str, Any]) -> Plan:
    from evaltools.formats.source import open_bytes
    from evaltools.frameworks.crossframework.inputs import plan_theories

    encoding = meta["options"].get("encoding")
    return plan_theories(
        {gold["theory"]: open_bytes(gold["path"], gold["file"], encoding) for gold in meta["golds"]},
        {
            entry["name"]: (entry["theory"], open_bytes(entry["path"], entry["file"], encoding))
            for entry in meta["parsers"]
        },
        conversion_of(meta),
    )


def _sample(folder: Path) -> Sample:
    """Return the sample's phrases and dependencies of two theories, and the outputs of all parsers."""
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


CROSSFRAMEWORK = Framework(
    id="crossframework",
    title="trees of several frameworks",
    nouns=Nouns(label="function", file="ptb"),
    passes=PASSES,
    figures=Figures(
        "tedeval_multiple_unlabeled",
        second="tedeval_single_unlabeled",
        first=("tedeval_multiple_unlabeled", "tedeval_multiple_labeled"),
        ranking=(
            *("tedeval_single_unlabeled", "tedeval_multiple_unlabeled", "tedeval2011_unlabeled"),
            *("tedeval2011_labeled", "tedeval_multiple_labeled", "tedeval_single_labeled"),
        ),
        errors=ERRORS,
    ),
    runs=RUNS,
    align=_align,
    aligned=SentenceTrees,
    view=_view,
    plan_again=_plan_again,
    sample=SampleRun("sample across frameworks", _sample),
)
"""Trees of several frameworks."""
