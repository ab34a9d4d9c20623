"""The two trees of the lab: how links hold them, how they are typed and edited, and the widgets to choose them."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from evaltools.app.components.live_text import live_text
from evaltools.app.session import state
from evaltools.classroom.examples import LabPair, lab_pairs
from evaltools.classroom.material import FunctionTrees, GraphPair, Material, TreePair, Vote
from evaltools.corpus import Kind, Tree, Treebank
from evaltools.corpus.bracket_text import written_notation
from evaltools.corpus.editing import Edit, edits_as_text, read_edits
from evaltools.errors import EvaltoolsError, ParameterError, Problem
from evaltools.formats import Source, read_treebank
from evaltools.formats.brackets import SPREAD
from evaltools.frameworks.constituency.alignment import align
from evaltools.frameworks.constituency.framework import CONSTITUENCY
from evaltools.frameworks.constituency.tree_distance import edit_cost
from evaltools.frameworks.constituency.views import typed_text
from evaltools.runs.store import Run


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One edit."""

    edit: Edit
    text: str  # The edit in words
    tree: Tree  # The tree after it
    cost: int  # Tree distance from the tree before it to the one after it


@dataclass(frozen=True, slots=True)
class EditedTree:
    """A tree and the edits done to it."""

    start: Tree  # The tree before all edits
    steps: tuple[HistoryStep, ...]  # The edits up to the first that is impossible
    refused: str = ""  # Why the next edit is impossible; empty if there is none

    @property
    def tree(self) -> Tree:
        """The tree after all edits."""
        return self.steps[-1].tree if self.steps else self.start

    @property
    def cost(self) -> int:
        """Tree distance from the first tree to the last; at most the sum over the steps."""
        return tree_cost(self.start, self.tree) if self.steps else 0


def edit_history(start: Tree, edits: Sequence[Edit], notation: str = "ptb") -> EditedTree:
    """Apply edits in order, up to the first that is impossible.

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")
    >>> edited = edit_history(tree, [Edit("relabel", 5, label="NP"), Edit("delete", 2), Edit("delete", 0)])
    >>> [(step.text, step.cost) for step in edited.steps], edited.cost, edited.refused != ""
    ([('relabeled VP over “bark” as NP', 1), ('deleted NP over “dogs”', 1)], 2, True)
    """
    tree = start
    steps: list[HistoryStep] = []
    for edit in edits:
        try:
            after = edit.apply(tree, notation)
        except ParameterError as error:
            return EditedTree(start, tuple(steps), str(error))
        steps.append(HistoryStep(edit, edit.describe(tree), after, tree_cost(tree, after)))
        tree = after
    return EditedTree(start, tuple(steps))


def tree_cost(before: Tree, after: Tree) -> int:
    """Return the tree distance of two trees: nodes to delete, to insert and to relabel."""
    return edit_cost(align(before, after))


MAX_CHARACTERS = 20_000
"""Maximum length of a tree in the lab."""

_MAX_PLAIN = 160
_MESSAGE = "lab_message"
_PACKED = "~"


def pack(text: str) -> str:
    """Return the form of a text in a link.

    Examples
    --------
    >>> pack("(S (N dogs))"), len(pack("(S (N dogs)) " * 1000)) < 100
    ('(S (N dogs))', True)
    """
    if len(text) <= _MAX_PLAIN and not text.startswith(_PACKED):
        return text
    squeezed = zlib.compress(text.encode("utf-8", "surrogatepass"), 9)
    return _PACKED + base64.urlsafe_b64encode(squeezed).decode("ascii").rstrip("=")


def unpack(packed: str) -> str:
    """Return the text from its form in a link; empty if damaged.

    Examples
    --------
    >>> unpack(pack("(S (N dogs)) " * 99)) == "(S (N dogs)) " * 99, unpack("~damaged")
    (True, '')
    """
    if not packed.startswith(_PACKED):
        return packed[:MAX_CHARACTERS]
    try:
        squeezed = base64.urlsafe_b64decode(packed[1:] + "=" * (-len(packed[1:]) % 4))
        return (
            zlib.decompressobj()
            .decompress(squeezed, 4 * MAX_CHARACTERS)
            .decode("utf-8", "surrogatepass")[:MAX_CHARACTERS]
        )
    except (binascii.Error, zlib.error, ValueError):
        return ""


def lab_query(gold: str, test: str, edits: Sequence[Edit] = (), **choices: str) -> dict[str, str]:
    """Return the query of a link to the lab."""
    query = {"lab_gold": pack(gold), "lab_test": pack(test)} | {f"lab_{name}": value for name, value in choices.items()}
    return query | ({"lab_edits": edits_as_text(edits)} if edits else {})


def put_trees(**texts: str | None) -> None:
    """Write trees to the link, and remove the edits of the previous trees."""
    values = {f"lab_{name}": None if text is None else pack(text) for name, text in texts.items()}
    if set(texts) != {"gold"}:
        values |= {"lab_edits": None, "lab_done": None}
    state.put(**values, lab_word=None, lab_step=None)
    put_message("")


def put_edits(edits: Sequence[Edit], done: int) -> None:
    """Write the edits to the link."""
    index = None if done >= len(edits) else done
    state.put(lab_edits=edits_as_text(edits), lab_done=index, lab_check=None, lab_word=None, lab_step=None)
    put_message("")


def put_message(text: str) -> None:
    """Store a message to the reader, such as why an edit is impossible, until the trees change."""
    st.session_state[_MESSAGE] = text


def message() -> str:
    """Return the stored message to the reader."""
    return str(st.session_state.get(_MESSAGE, ""))


_MAX_NODES = 400
_PHRASES = frozenset(
    "ADJP ADVP CONJP FRAG NAC NP NX PP PRN PRT QP RRC S SBAR SBARQ SINV SQ UCP VP WHADJP WHNP WHPP".split()
)
"""Labels of phrases in the Penn Treebank that are no tags in other schemes."""

_LONE_CR = re.compile(r"\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Typed:
    """A typed text and its tree."""

    text: str
    notation: str  # The notation, recognized by the first bracket
    tree: Tree | None  # The tree; None if there is none
    problems: tuple[Problem, ...]  # Columns count characters


@st.cache_resource(max_entries=256, show_spinner=False)
def read_typed(text: str, name: str) -> Typed:
    """Read one tree."""
    notation = written_notation(text)
    if not text.strip():
        example = "[S dogs bark ]" if notation == "sampson" else "(S (NP (N dogs)) (VP (V bark)))"
        return Typed(text, notation, None, (Problem("empty", name, None, None, "nothing", f"a tree: {example}"),))
    try:
        # a text field shows a lone CR as white space, but a file's reader would begin a line there; the length stays
        source = Source.from_bytes(_LONE_CR.sub(" ", text).encode("utf-8", "replace"), name)
        treebank = read_treebank(replace(source, layout=SPREAD), notation)
        assert isinstance(treebank, Treebank)
    except EvaltoolsError as error:
        return Typed(text, notation, None, (Problem("text", name, None, None, str(error), "a tree"),))
    problems = [_in_characters(problem, text) for problem in treebank.problems]
    filled = [number for number in range(len(treebank)) if treebank.n_words[number]]
    if len(filled) > 1 and not problems:
        start = int(treebank.text_start[filled[1]])
        before = text.encode("utf-8", "replace")[:start].decode("utf-8", "replace")
        index = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        problems.append(Problem("text", name, *index, "a second tree", "one tree"))
    is_complete = len(filled) == 1 and not any(
        problem.kind in ("unbalanced", "text", "too_deep") for problem in problems
    )
    tree = treebank.tree(filled[0]) if is_complete else None
    if tree is None and not problems:
        problems.append(Problem("empty", name, 1, 1, "a tree without words", "at least one word"))
    if tree is not None and len(tree) > _MAX_NODES:
        problems.append(Problem("size", name, None, None, f"{len(tree)} nodes", f"at most {_MAX_NODES}"))
        tree = None
    return Typed(text, notation, tree, tuple(problems))


def phrases_read_as_tags(*trees: Tree) -> str:
    """Return which tags are labels of phrases, and how such a phrase is written; empty if there are none.

    Examples
    --------
    >>> phrases_read_as_tags(Tree.from_string("(S (NP she) (VP (V left)))")).partition(";")[0]
    'NP is read as the tag of “she”, as in round brackets every bracket around one word'
    >>> phrases_read_as_tags(Tree.from_string("(S (NP (PRP she)) (VP (V left)))"))
    ''
    """
    nodes = [(tree, node) for tree in trees for node in range(len(tree))]
    phrases = _PHRASES | {tree.labels[node] for tree, node in nodes if tree.kinds[node] is Kind.PHRASE}
    for tree, node in nodes:
        label = tree.labels[node]
        if tree.kinds[node] is Kind.PRETERMINAL and label in phrases:
            word = tree.words_below(node)[0]
            return (
                f"{label} is read as the tag of “{word}”, as in round brackets every bracket around one word; "
                f"a phrase is written ({label} (X {word})) with any tag, or [{label} {word} ] in square brackets."
            )
    return ""


def _in_characters(problem: Problem, text: str) -> Problem:
    """Count the column in characters and not in bytes."""
    lines = text.encode("utf-8", "replace").split(b"\n")
    if problem.line is None or problem.column is None or problem.line > len(lines):
        return problem
    before = lines[problem.line - 1][: problem.column - 1].decode("utf-8", "replace")
    return replace(problem, column=len(before) + 1, sentence=None)


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
    if run is not None and run.framework is CONSTITUENCY:
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


def apply_edit(text: str, edits: Sequence[Edit], done: int, tree: Tree | None, notation: str) -> None:
    """Do what the editor sends, an edit or a step in the history, or say why it is impossible."""
    moves = {"undo": done - 1, "redo": done + 1, "reset": 0}
    if text in moves:
        put_edits(edits, min(max(moves[text], 0), len(edits)))
        return
    try:
        new_edit = Edit.from_text(text)
        if tree is not None:
            new_edit.apply(tree, notation)
    except ParameterError as error:
        put_message(f"Not done: {error}.")
        return
    edits = (*edits[:done], new_edit)
    put_edits(edits, len(edits))


def last_edit(history: EditedTree) -> str:
    """Return what the last edit did, or why an edit of the link is impossible; empty without edits."""
    if history.refused:
        return f"The link holds an edit that cannot be done: {history.refused}"
    return f"Done: {history.steps[-1].text}." if history.steps else ""


_SECTIONS = {
    "brackets": "e",
    "brackets_whole": "e",
    "e": "e",
    "t": "t",
    "words": "la",
    "lineage": "la",
    "table": "la",
}


def lab_links(material: Material | None) -> list[tuple[str, dict[str, str]]]:
    """Return the title of every link and the query that the lab reads.

    Examples
    --------
    >>> vote = Vote("(S (A a))", "(S (B a))", "(T (A a))", "none")
    >>> [(title, query["lab_test"]) for title, query in lab_links(vote)]
    [('A in the Metric lab', '(S (B a))'), ('B in the Metric lab', '(T (A a))')]
    """
    if isinstance(material, TreePair) and material.test is not None:
        show = " ".join(dict.fromkeys(_SECTIONS[item] for item in material.show if item in _SECTIONS))
        more = {
            name: value for name, value in (("show", show), ("preset", material.preset)) if value not in ("", "none")
        }
        if {"lineage", "table"} & set(material.show):
            more["word"] = str(material.word - 1)
        return [
            ("Open these trees in the Metric lab", lab_query(_line(material.gold), _line(material.test), (), **more))
        ]
    if isinstance(material, Vote):
        parses = ("A", material.a), ("B", material.b)
        return [(f"{name} in the Metric lab", lab_query(_line(material.gold), _line(tree))) for name, tree in parses]
    if isinstance(material, GraphPair):
        query = {"lab_graph": pack(material.gold_text), "lab_graph2": pack(material.test_text), "lab_show": "edm"}
        return [("Open these graphs in the Metric lab", query)]
    if isinstance(material, FunctionTrees):
        return _functions(material)
    return []


def _functions(material: FunctionTrees) -> list[tuple[str, dict[str, str]]]:
    """Lead to where the lab explains TedEval; it has room for trees in brackets, of two theories at the most."""
    bracketed = all(tree.lstrip().startswith(("(", "[")) for tree in material.written.values())
    others = [theory for theory in material.golds if theory != material.theory]
    if not (bracketed and material.labelled and len(others) < 2):
        return []
    own, parse = _line(material.written[material.theory]), _line(material.written[""])
    gold = _line(material.written[others[0]]) if others else own
    third = {"third": pack(own)} if others else {}
    query = lab_query(gold, parse, (), show="tedeval", functions="functions", **third)
    return [("Open these trees in the Metric lab", query)]


def _line(tree: str) -> str:
    return " ".join(tree.split())
