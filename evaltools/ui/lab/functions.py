"""TedEval step by step: function trees, what the gold trees have in common, edit operations, δ and the score."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from evaltools import tedeval_protocol
from evaltools.alignments.tedeval import TedEvalProtocol
from evaltools.corpus import (
    FunctionTree,
    Kind,
    Tree,
    constituency_function_tree,
    labelled_function_tree,
    multi_function_tree,
)
from evaltools.corpus.functions.constituents import functions_of
from evaltools.drawing.blocks import drawn, formulas, note, steps
from evaltools.errors import ParameterError
from evaltools.frameworks.crossframework.views import bars_drawing, protocol_drawing
from evaltools.frameworks.crossframework.wording import compared_over, protocol_formulas, protocol_step
from evaltools.text import share_text
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.components.live_text import live_text
from evaltools.ui.lab.link import MAX_CHARACTERS, pack, unpack
from evaltools.ui.lab.typed import read_typed
from evaltools.ui.session import state
from evaltools.ui.widgets.saving import Origin

__all__ = ["function_note", "function_score", "show_functions"]

_WHAT: dict[str, str] = {"functions": "functions after the dash", "labels": "whole labels"}
_TREES: dict[str, Callable[[Tree], FunctionTree]] = {
    "functions": constituency_function_tree,
    "labels": labelled_function_tree,
}


def _has_functions(*trees: Tree) -> bool:
    return any(
        kind is not Kind.WORD and functions_of(label)
        for tree in trees
        for label, kind in zip(tree.labels, tree.kinds, strict=True)
    )


def _what(gold: Tree, test: Tree) -> str:
    value = state.get("lab_functions")
    return value if value in _WHAT else "functions" if _has_functions(gold, test) else "labels"


def _third() -> Tree | None:
    """Return the gold tree of the parser's own theory, if there is one."""
    text = unpack(state.get("lab_third"))
    return read_typed(text, "own gold").tree if text.strip() else None


def _protocol(gold: Tree, test: Tree, third: Tree | None, what: str) -> TedEvalProtocol:
    parse, *golds = (multi_function_tree(_TREES[what](tree)) for tree in (test, gold, *([third] if third else [])))
    return tedeval_protocol(parse, golds, own=len(golds) - 1)


def function_score(gold: Tree, test: Tree) -> str:
    """Return the TedEval score as text; “–” if it is undefined."""
    try:
        return share_text(_protocol(gold, test, _third(), _what(gold, test)).score)
    except ParameterError:
        return share_text(None)


def function_note(gold: Tree, test: Tree) -> str:
    """Return how TedEval compares two trees whose words differ."""
    try:
        protocol = _protocol(gold, test, _third(), _what(gold, test))
    except ParameterError as error:
        return f"TedEval has no score: {error}."
    over = "the characters, which are the same in both trees" if protocol.in_characters else "the words"
    return f"TedEval is computed over {over}."


def show_functions(gold: Tree, test: Tree, origin: Origin) -> None:
    """Show the function trees, what they have in common, and how TedEval computes its score."""
    default = "functions" if _has_functions(gold, test) else "labels"
    what = str(
        st.segmented_control(
            "Functions",
            list(_WHAT),
            format_func=_WHAT.__getitem__,
            required=True,
            **state.bind("lab_functions", _what(gold, test), default),
        )
        or default
    )
    text = unpack(state.get("lab_third"))
    with st.expander("Gold tree of the parser’s own theory", expanded=bool(text.strip())):
        live_text(
            "Own gold",
            text,
            read_typed(text, "own gold").problems if text.strip() else (),
            key="lab_text_third",
            on_text=lambda text: state.put(lab_third=pack(text)),
            rows=3,
            max_length=MAX_CHARACTERS,
            placeholder="empty: the gold tree above is the only one",
            hint="If the parser follows another theory than the gold tree, enter its own gold tree here. The parse "
            "is then compared with what the two gold trees have in common.",
        )
    third = _third()
    try:
        protocol = _protocol(gold, test, third, what)
    except ParameterError as error:
        show_blocks(note(f"There is no score: {error}."), key="lab_functions_says")
        return
    names = ["Function tree of the gold tree", "Function tree of the own gold tree"]
    pictures = [drawn(bars_drawing(tree, name)) for tree, name in zip(protocol.golds, names, strict=False)]
    common = "Generalization: what both gold trees have in common" if third else ""
    text = "A function tree records which groups of words have which function: each node is a bar over its words."
    if what == "labels" and not _has_functions(gold, test):
        text += " These trees have no functions; their labels are used instead."
    show_blocks(
        note(text),
        *pictures,
        *([drawn(bars_drawing(protocol.generalization, common))] if third else []),
        drawn(bars_drawing(protocol.parse, "Function tree of the test tree")),
        key="lab_function_trees",
        origin=origin,
    )
    goal = "what the gold trees have in common" if third else "the gold tree"
    rows = [protocol_step(operation, protocol) for operation in protocol.operations]
    discarded = "; struck through: the own gold tree needs the same step, so it is not an error" if third else ""
    heading = f"TedEval: from the test tree to {goal}"
    show_blocks(
        drawn(protocol_drawing(protocol, heading), heading),
        note(f"< missing: only in {goal}; > spurious: only in the test tree{discarded}.{compared_over(protocol)}"),
        *([steps(rows, "Edit operations")] if rows else [note("No operations: the trees are equal.")]),
        formulas(protocol_formulas(protocol), "δ and the score"),
        key="lab_function_steps",
        origin=origin,
    )
