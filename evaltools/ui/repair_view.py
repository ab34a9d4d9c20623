"""The repair of one sentence on the page *Sentence*: a little story, whose steps are marked in the drawings."""

from __future__ import annotations

import streamlit as st

from evaltools.analysis.error_types import TypedStep, bundled_rules
from evaltools.analysis.repair import Operation
from evaltools.analysis.repair_story import RepairStory, ToldStep, repair_story
from evaltools.metrics.mapping import Alignment
from evaltools.runs.store import Run
from evaltools.ui import data, state
from evaltools.ui.alignment_viewer import Marks
from evaltools.ui.error_rules import rules_name, rules_note
from evaltools.ui.plain import facts, note, plain, story
from evaltools.ui.saving import Origin

__all__ = ["SCRIPT", "marks_of", "show_repair", "story_of"]

SCRIPT = "r"
"""What begins the name of a step in the URL, such as ``r2``."""

_STATUS = {
    Operation.ADD: "inserted",
    Operation.REMOVE: "deleted",
    Operation.RELABEL: "swapped",
    Operation.MOVE: "moved",
}


@st.cache_resource(max_entries=64, show_spinner=False)
def _story(key: str, sentence: int, parser: str, other: str, rules: str, _alignment: Alignment) -> RepairStory:
    return repair_story(_alignment.gold, _alignment.test, bundled_rules(rules))


def story_of(run: Run, sentence: int, parser: str, other: str, alignment: Alignment) -> RepairStory | None:
    """Return the repair of a sentence; None where the words differ or a tree is missing.

    Parameters
    ----------
    run : Run
        The run.
    sentence : int
        The sentence, from 1.
    parser, other : str
        The parser, and the one whose tree stands for the gold tree; empty for the gold tree.
    alignment : Alignment
        The two trees.
    """
    if alignment.status != "ok":
        return None
    return _story(data.run_key(run), sentence, parser, other, rules_name(), alignment)


def marks_of(told: RepairStory | None) -> Marks | None:
    """Return what to mark for the step that the URL names."""
    place = _chosen(told)
    if told is None or place is None:
        return None
    step = told.steps[place]
    return Marks(step.gold, step.test, step.words, f"step {place + 1} of the repair: {step.text}")


def _chosen(told: RepairStory | None) -> int | None:
    said = state.get("step")
    number = said.removeprefix(SCRIPT)
    known = said.startswith(SCRIPT) and number.isdecimal() and len(number) < 6
    return int(number) if told is not None and known and int(number) < len(told.steps) else None


def show_repair(told: RepairStory | None, upper: str, lower: str, origin: Origin) -> None:
    """Tell the steps; a click on one writes it to the URL.

    Parameters
    ----------
    told : RepairStory or None
        From :func:`story_of`.
    upper, lower : str
        What the two trees are called.
    origin : Origin
        Where they come from.
    """
    st.subheader("Repair, step by step")
    if told is None:
        plain(note("Steps are sought where both trees are there and have the same words."), key="sentence_repair")
        return
    if not told.steps:
        plain(note("Nothing to repair: every bracket is right."), key="sentence_repair")
        return
    chosen = _chosen(told)
    detail = _detail(told.steps[chosen], told.words) if chosen is not None else ""
    rows = [
        (
            _STATUS[step.operation],
            step.type,
            step.text,
            f"{_brackets(step.repaired)} repaired, {step.left or 'none'} left",
        )
        for step in told.steps
    ]
    types = [
        (name, f"{steps} step{'' if steps == 1 else 's'}", f"{repaired}")
        for name, (steps, repaired) in told.by_type.items()
    ]
    total = told.extra + told.missing
    plain(
        note(_says(told, upper, lower)),
        story(rows, chosen=chosen, detail=detail, title="Repair, step by step"),
        facts([*types, ("together", _steps(len(told.steps)), f"{total}")], "Brackets repaired, by type of error"),
        key="sentence_repair",
        on_step=lambda place: state.put(step=f"{SCRIPT}{place}"),
        origin=origin,
    )


def _says(told: RepairStory, upper: str, lower: str) -> str:
    n = len(told.steps)
    turns = "1 step turns" if n == 1 else f"{n} steps turn"
    return (
        f"{turns} {lower}’s tree into {upper if upper != 'gold' else 'the gold tree'}"
        f"{'’s' if upper != 'gold' else ''}. Of its brackets {told.extra} {_are(told.extra)} wrong and {told.missing} "
        f"{_are(told.missing)} missing: {told.extra + told.missing} to repair. Click a step to see it in the "
        f"drawings.{rules_note()}"
    )


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _steps(number: int) -> str:
    return "1 step" if number == 1 else f"{number} steps"


def _brackets(number: int) -> str:
    return "1 bracket" if number == 1 else f"{number} brackets"


def _detail(step: ToldStep, words: tuple[str, ...]) -> str:
    sides = (("goes", step.gone), ("comes", step.come))
    parts = [f"{does}: {', '.join(TypedStep.named(one, words) for one in found)}" for does, found in sides if found]
    return "; ".join(parts)
