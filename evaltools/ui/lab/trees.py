"""The two trees of the lab: reading them from the URL, and the widgets to choose and edit them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from evaltools.classroom.lab_pairs import LabPair, lab_pairs
from evaltools.corpus import Tree
from evaltools.corpus.editing import Edit, read_edits
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.errors.edit_history import EditedTree, edit_history
from evaltools.frameworks.constituency.wording import typed_text
from evaltools.frameworks.registry import framework_of_material
from evaltools.runs.store import Run
from evaltools.ui.components.live_text import live_text
from evaltools.ui.lab.link import MAX_CHARACTERS, put_message, put_trees, unpack
from evaltools.ui.lab.typed import Typed, read_typed
from evaltools.ui.session import state

__all__ = ["LabTrees", "choose_trees", "current_trees", "type_trees"]

_OWN = ""
_TITLES = {"gold": "Gold tree", "test": "Test tree"}


@dataclass(frozen=True, slots=True)
class LabTrees:
    """The trees of the lab and their edits."""

    pair: LabPair | None  # The example that the trees come from; None for the reader's own trees
    gold: Typed  # The trees as typed, the test tree before any edit
    test: Typed
    edits: tuple[Edit, ...]  # Edits of the test tree; undone ones at the end
    done: int  # How many of them are in force
    history: EditedTree | None  # The edited test tree; None if it cannot be read

    @property
    def is_changed(self) -> bool:
        """Whether the trees differ from those of the example."""
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
    """Return the trees in the URL; by default those of the first example."""
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


def choose_trees(trees: LabTrees, run: Run | None) -> None:
    """Let the reader choose an example, or trees of the open run."""
    pairs = lab_pairs()
    options = ([_OWN] if trees.pair is None else []) + list(pairs)
    chosen = _OWN if trees.pair is None else trees.pair.id

    def title(name: str) -> str:
        if not name:
            return "Your own trees"
        return pairs[name].title + (" – changed" if name == chosen and trees.is_changed else "")

    with st.container(width=420):
        st.selectbox(
            "Start from",
            options,
            format_func=title,
            **state.bind("lab_pair", chosen, None, also=lambda: put_trees(gold=None, test=None)),
        )
    if trees.is_changed:
        st.button("Reset trees", icon=":material/restart_alt:", on_click=lambda: put_trees(gold=None, test=None))
    if run is not None and run.framework is framework_of_material("trees"):
        with st.popover("From the open run", icon=":material/database:"):
            _from_run(run)
    value = state.get("lab_text") == "1"
    st.toggle("Trees as text", **state.bind("lab_text", value, False, write=int))


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
    value = state.get("parser")
    index = run.parsers.index(value) if value in run.parsers else 0
    st.selectbox("Parser", run.parsers, index=index, key="lab_parser")

    def take() -> None:
        sentence, parser = int(st.session_state["lab_sentence"]), str(st.session_state["lab_parser"])
        trees = [run.tree(sentence, side) for side in (None, parser)]
        try:
            texts = [typed_text(tree) if isinstance(tree, Tree) and len(tree) else "" for tree in trees]
        except ParameterError as error:  # phrases that are discontinuous
            put_message(str(error))
            return
        if not all(texts):
            side = parser if texts[0] else "the gold file"
            put_message(f"Sentence {sentence} has no tree in {side}.")
        elif max(map(len, texts)) > MAX_CHARACTERS:
            put_message(f"The trees of sentence {sentence} are too long for the lab.")
        else:
            put_trees(pair=None, gold=texts[0], test=texts[1])

    st.button("Use these trees", type="primary", on_click=take)


def type_trees(trees: LabTrees) -> None:
    """Show the trees as editable text with their problems, on request or if there are problems."""
    if state.get("lab_text") != "1" and not (trees.gold.problems or trees.test.problems):
        return
    sides = (("gold", trees.gold, trees.gold.text), ("test", trees.test, trees.test_text))
    for column, (side, typed, text) in zip(st.columns(2, gap="medium"), sides, strict=True):
        with column:
            live_text(
                _TITLES[side],
                text,
                typed.problems,
                key=f"lab_text_{side}",
                on_text=_writer(side),
                max_length=MAX_CHARACTERS,
                placeholder="(S (NP (N dogs)) (VP (V bark)))",
                hint="Round brackets (S (NP (N dogs)) …) or square ones [S dogs bark ], on one line or on several.",
            )


def _writer(side: str) -> Callable[[str], None]:
    """Return a function that writes a typed tree to the URL."""
    return lambda text: put_trees(**{side: text or " "})
