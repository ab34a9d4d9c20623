"""TedEval step by step: the function trees, what gold trees have in common, the steps that count, δ and the score."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from evaltools.errors import ParameterError
from evaltools.metrics.tedeval_protocol import TedEvalProtocol, tedeval_protocol
from evaltools.treebank import (
    FunctionTree,
    Kind,
    Tree,
    constituency_function_tree,
    labelled_function_tree,
    multi_function_tree,
)
from evaltools.treebank.constituent_functions import functions_of
from evaltools.ui.components.live_text import live_text
from evaltools.ui.components.plain import formulas, note, plain, steps
from evaltools.ui.lab.link import LONGEST, pack, unpack
from evaltools.ui.lab.typed import read_typed
from evaltools.ui.sentence.protocol import bars_block, protocol_block, protocol_formulas, protocol_step
from evaltools.ui.session import state
from evaltools.ui.widgets.saving import Origin
from evaltools.ui.wording.trees import three

__all__ = ["function_score", "show_functions"]

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
    said = state.get("lab_functions")
    return said if said in _WHAT else "functions" if _has_functions(gold, test) else "labels"


def _third() -> Tree | None:
    """Return the gold tree of the parser's own theory, if there is one."""
    text = unpack(state.get("lab_third"))
    return read_typed(text, "own gold").tree if text.strip() else None


def _protocol(gold: Tree, test: Tree, third: Tree | None, what: str) -> TedEvalProtocol:
    made = [multi_function_tree(_TREES[what](tree)) for tree in (test, gold, *([third] if third else []))]
    return tedeval_protocol(made[0], made[1:], own=len(made) - 2)


def function_score(gold: Tree, test: Tree) -> str:
    """Return the score of TedEval as it is shown; “–” where it is undefined.

    Parameters
    ----------
    gold, test : Tree
        The trees as they are.
    """
    try:
        return three(_protocol(gold, test, _third(), _what(gold, test)).score)
    except ParameterError:
        return three(None)


def show_functions(gold: Tree, test: Tree, origin: Origin) -> None:
    """Show the function trees, what they have in common, and how TedEval comes by its score.

    Parameters
    ----------
    gold, test : Tree
        The trees as they are.
    origin : Origin
        Where they come from.
    """
    default = "functions" if _has_functions(gold, test) else "labels"
    what = str(
        st.segmented_control(
            "What stands for functions",
            list(_WHAT),
            format_func=lambda one: _WHAT[one],
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
            on_text=lambda said: state.put(lab_third=pack(said)),
            rows=3,
            longest=LONGEST,
            placeholder="empty: the gold tree above is the only one",
            hint="If the parser follows another theory than the gold tree, its own gold tree stands here. Then the "
            "parse is compared with what the two gold trees have in common.",
        )
    third = _third()
    try:
        made = _protocol(gold, test, third, what)
    except ParameterError as error:
        plain(note(f"There is no score: {error}."), key="lab_functions_says")
        return
    names = ["Function tree of the gold tree", "Function tree of the own gold"]
    pictures = [bars_block(tree, name, origin) for tree, name in zip(made.golds, names, strict=False)]
    common = "Generalization: what both gold trees have in common" if third else ""
    says = "A function tree keeps of a tree which words have which function together: a bar stands over a node’s words."
    if what == "labels" and not _has_functions(gold, test):
        says += " These trees have no functions, so their labels stand for them."
    plain(
        note(says),
        *pictures,
        *([bars_block(made.generalization, common, origin)] if third else []),
        bars_block(made.parse, "Function tree of the test tree", origin),
        key="lab_function_trees",
        origin=origin,
    )
    goal = "what the gold trees have in common" if third else "the gold tree"
    rows = [protocol_step(one, made) for one in made.operations]
    discarded = "; struck through: the own gold needs the same step, so it is no error" if third else ""
    plain(
        protocol_block(made, f"From the test tree to {goal}", origin),
        note(f"< has to go, > is missing{discarded}."),
        *([steps(rows, "Edit operations")] if rows else [note("No operation is needed.")]),
        formulas(protocol_formulas(made), "δ and the score"),
        key="lab_function_steps",
        origin=origin,
    )
