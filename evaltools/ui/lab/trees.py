"""The two trees of the lab: what the link says of them, and the widgets that choose and type them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from evaltools.analysis.edit_history import EditedTree, edit_history
from evaltools.classroom.lab_pairs import LabPair, lab_pairs
from evaltools.errors import ParameterError
from evaltools.runs.store import Run
from evaltools.treebank import Tree
from evaltools.treebank.edits import Edit, read_edits
from evaltools.ui.components.live_text import live_text
from evaltools.ui.lab.link import LONGEST, put_trees, say, unpack
from evaltools.ui.lab.typed import Typed, read_typed, tree_text
from evaltools.ui.session import state

__all__ = ["LabTrees", "choose_trees", "current_trees", "type_trees"]

_OWN = ""
_TITLES = {"gold": "Gold tree", "test": "Test tree"}


@dataclass(frozen=True, slots=True)
class LabTrees:
    """What the lab is about.

    Parameters
    ----------
    pair : LabPair or None
        The ready pair that the trees come from, or came from; None for trees of the reader's own.
    gold, test : Typed
        The trees as typed, the test tree before any edit.
    edits : tuple of Edit
        Edits of the test tree, those that were undone last.
    done : int
        How many of them are in force.
    history : EditedTree or None
        What they made of the test tree; None where it cannot be read.
    """

    pair: LabPair | None
    gold: Typed
    test: Typed
    edits: tuple[Edit, ...]
    done: int
    history: EditedTree | None

    @property
    def is_changed(self) -> bool:
        """Whether the trees are no longer those of the ready pair."""
        pair = self.pair
        return pair is not None and (self.gold.text != pair.gold or self.test.text != pair.test or self.done > 0)

    @property
    def test_tree(self) -> Tree | None:
        """The test tree after the edits."""
        return None if self.history is None else self.history.tree

    @property
    def test_text(self) -> str:
        """The test tree after the edits, as it can be typed."""
        if self.history is None or not self.history.steps:
            return self.test.text
        return self.history.tree.to_string(self.test.notation)


def current_trees() -> LabTrees:
    """Return the trees that the link says; the first ready pair where it says nothing."""
    pairs = lab_pairs()
    own = bool(state.get("lab_gold") and state.get("lab_test"))
    pair = pairs.get(state.get("lab_pair", "" if own else next(iter(pairs))))
    texts = {side: unpack(state.get(f"lab_{side}")) for side in _TITLES}
    if pair is not None:
        texts = {"gold": texts["gold"] or pair.gold, "test": texts["test"] or pair.test}
    gold, test = read_typed(texts["gold"], "gold"), read_typed(texts["test"], "test")
    try:
        edits = read_edits(state.get("lab_edits"))
    except ParameterError:  # a damaged link
        edits = ()
    history = None
    done = state.get_number("lab_done", len(edits), 0, len(edits))
    if test.tree is not None:
        history = edit_history(test.tree, edits[:done], test.notation)
        if history.refused:
            done = len(history.steps)
            edits = edits[:done]
    return LabTrees(pair, gold, test, edits, done, history)


def choose_trees(trees: LabTrees, run: Run) -> None:
    """Let the reader take a ready pair, or trees of the open run.

    Parameters
    ----------
    trees : LabTrees
        The trees that are shown.
    run : Run
        The open run.
    """
    pairs = lab_pairs()
    options = ([_OWN] if trees.pair is None else []) + list(pairs)
    chosen = _OWN if trees.pair is None else trees.pair.id

    def title(name: str) -> str:
        if not name:
            return "Your own trees"
        return pairs[name].title + (" – changed" if name == chosen and trees.is_changed else "")

    with st.container(width=430):
        st.selectbox(
            "Start from",
            options,
            format_func=title,
            **state.bind("lab_pair", chosen, None, also=lambda: put_trees(gold=None, test=None)),
        )
    if trees.is_changed:
        st.button("As it was", icon=":material/restart_alt:", on_click=lambda: put_trees(gold=None, test=None))
    if run.kind == "constituency":
        with st.popover("From the open run", icon=":material/database:"):
            _from_run(run)
    said = state.get("lab_text") == "1"
    st.toggle("Trees as text", **state.bind("lab_text", said, False, write=int))


def _from_run(run: Run) -> None:
    """Offer the trees of a sentence of the run."""
    st.number_input(
        f"Sentence, of {run.n_sentences:,}",
        min_value=1,
        max_value=run.n_sentences,
        value=state.get_number("sentence", 1, 1, run.n_sentences),
        step=1,
        key="lab_sentence",
    )
    said = state.get("parser")
    place = run.parsers.index(said) if said in run.parsers else 0
    st.selectbox("Parser", run.parsers, index=place, key="lab_parser")

    def take() -> None:
        sentence, parser = int(st.session_state["lab_sentence"]), str(st.session_state["lab_parser"])
        found = [run.tree(sentence, whose) for whose in (None, parser)]
        try:
            texts = [tree_text(tree) if isinstance(tree, Tree) and len(tree) else "" for tree in found]
        except ParameterError as error:  # phrases that are discontinuous
            say(str(error))
            return
        if not all(texts):
            whose = parser if texts[0] else "the gold file"
            say(f"Sentence {sentence} has no tree in {whose}.")
        elif max(map(len, texts)) > LONGEST:
            say(f"The trees of sentence {sentence} are too long for the lab.")
        else:
            put_trees(pair=None, gold=texts[0], test=texts[1])

    st.button("Take these trees", type="primary", on_click=take)


def type_trees(trees: LabTrees) -> None:
    """Show the trees as text to be changed, and what is wrong with them; asked for, or where something is wrong.

    Parameters
    ----------
    trees : LabTrees
        The trees that are shown.
    """
    wrong = bool(trees.gold.problems or trees.test.problems)
    if state.get("lab_text") != "1" and not wrong:
        return
    sides = (("gold", trees.gold, trees.gold.text), ("test", trees.test, trees.test_text))
    for column, (side, typed, text) in zip(st.columns(2, gap="medium"), sides, strict=True):
        with column:
            live_text(
                _TITLES[side],
                text,
                typed.problems,
                key=f"lab_text_{side}",
                on_text=_typed(side),
                longest=LONGEST,
                placeholder="(S (NP (N dogs)) (VP (V bark)))",
                hint="Round brackets (S (NP (N dogs)) …) or square ones [S dogs bark ], on one line or on several.",
            )


def _typed(side: str) -> Callable[[str], None]:
    """Return what takes a tree that is typed; edits belonged to the tree that was there."""

    def take(text: str) -> None:
        put_trees(**{side: text or " "})

    return take
