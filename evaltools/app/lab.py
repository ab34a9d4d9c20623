"""The trees of the metric lab and of exercises: how links hold them, how they are typed and edited."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from evaltools.app.session import state
from evaltools.classroom.examples import LabPair, lab_pairs
from evaltools.classroom.material import Material, TreePair, Vote
from evaltools.corpus import Kind, Tree, Treebank
from evaltools.corpus.bracket_text import written_notation
from evaltools.corpus.editing import Edit, edits_as_text, read_edits
from evaltools.errors import EvaltoolsError, ParameterError, Problem
from evaltools.formats import Source, read_treebank
from evaltools.formats.brackets import SPREAD

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
        text = zlib.decompressobj().decompress(squeezed, 4 * MAX_CHARACTERS)
        return text.decode("utf-8", "surrogatepass")[:MAX_CHARACTERS]
    except (binascii.Error, zlib.error, ValueError):
        return ""


def lab_query(gold: str, test: str, **choices: str) -> dict[str, str]:
    """Return the query of a link to the lab."""
    return {"lab_gold": pack(gold), "lab_test": pack(test)} | {f"lab_{name}": text for name, text in choices.items()}


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
    """Return the title of every link from a lesson's step, and the query that the lab reads.

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
        return [("Open these trees in the Metric lab", lab_query(_line(material.gold), _line(material.test), **more))]
    if isinstance(material, Vote):
        parses = ("A", material.a), ("B", material.b)
        return [(f"{name} in the Metric lab", lab_query(_line(material.gold), _line(tree))) for name, tree in parses]
    return []


def _line(tree: str) -> str:
    return " ".join(tree.split())


def put_trees(**values: str | None) -> None:
    """Write to the link where trees come from, and remove the edits of the previous trees."""
    names = dict.fromkeys(("pair", "gold", "test", "edits", "done", "word", "step"))
    state.put(**{f"lab_{name}": value for name, value in (names | values).items()})
    put_message("")


def put_edits(edits: Sequence[Edit], done: int) -> None:
    """Write the edits to the link."""
    number = None if done >= len(edits) else done
    state.put(lab_edits=edits_as_text(edits), lab_done=number, lab_check=None, lab_word=None, lab_step=None)
    put_message("")


def put_message(text: str) -> None:
    """Store why an edit is impossible, until the trees change."""
    st.session_state[_MESSAGE] = text


@dataclass(frozen=True, slots=True)
class EditedTree:
    """A tree and the edits done to it."""

    tree: Tree  # The tree after the edits that are in force
    edits: tuple[Edit, ...]  # Undone ones at the end
    done: int  # How many of them are in force
    notation: str
    before: Tree | None = None  # The tree before the last edit in force; None without edits
    outcome: str = ""  # What that edit did, or why an edit of the link is impossible

    @property
    def message(self) -> str:
        """What to tell the reader: why an edit is impossible, else what the last one did."""
        return str(st.session_state.get(_MESSAGE, "")) or self.outcome

    def apply(self, text: str) -> None:
        """Do what the editor sends, an edit or a step in the history, or store why it is impossible."""
        moves = {"undo": self.done - 1, "redo": self.done + 1, "reset": 0}
        if text in moves:
            put_edits(self.edits, min(max(moves[text], 0), len(self.edits)))
            return
        try:
            edit = Edit.from_text(text)
            edit.apply(self.tree, self.notation)
        except ParameterError as error:
            put_message(f"Not done: {error}.")
            return
        edits = (*self.edits[: self.done], edit)
        put_edits(edits, len(edits))


def edited(start: Tree, edits: Sequence[Edit], done: int, notation: str = "ptb") -> EditedTree:
    """Apply some of the edits in order, up to the first that is impossible.

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (N dogs)) (VP (V bark)))")
    >>> after = edited(tree, [Edit("relabel", 5, label="NP"), Edit("delete", 0)], 1)
    >>> str(after.tree), after.outcome
    ('(S (NP (N dogs)) (NP (V bark)))', 'Done: relabeled VP over “bark” as NP.')
    """
    tree, before, outcome = start, None, ""
    for index, edit in enumerate(edits[:done]):
        try:
            after = edit.apply(tree, notation)
        except ParameterError as error:
            outcome = f"The link holds an edit that cannot be done: {error}"
            return EditedTree(tree, tuple(edits[:index]), index, notation, before, outcome)
        outcome = f"Done: {edit.describe(tree)}."
        tree, before = after, tree
    return EditedTree(tree, tuple(edits), done, notation, before, outcome)


def edited_by_link(start: Tree, notation: str) -> EditedTree:
    """Return a tree with the edits in the link."""
    try:
        edits = read_edits(state.get("lab_edits"))
    except ParameterError:  # a damaged link
        edits = ()
    return edited(start, edits, state.get_number("lab_done", len(edits), 0, len(edits)), notation)


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


def _in_characters(problem: Problem, text: str) -> Problem:
    """Count the column in characters and not in bytes."""
    lines = text.encode("utf-8", "replace").split(b"\n")
    if problem.line is None or problem.column is None or problem.line > len(lines):
        return problem
    before = lines[problem.line - 1][: problem.column - 1].decode("utf-8", "replace")
    return replace(problem, column=len(before) + 1, sentence=None)


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


@dataclass(frozen=True, slots=True)
class LabTrees:
    """The trees of the lab."""

    pair: LabPair | None  # The example that the trees come from; None for the reader's own trees
    gold: Typed  # The trees as typed, the parse before any edit
    test: Typed
    edited: EditedTree | None  # The edited parse; None if it cannot be read

    @property
    def test_text(self) -> str:
        """The parse after the edits, as it can be typed."""
        if self.edited is None or not self.edited.done:
            return self.test.text
        return self.edited.tree.to_string(self.test.notation)


def current_trees() -> LabTrees:
    """Return the trees in the URL; by default those of the first example."""
    pairs = lab_pairs()
    gold, test = unpack(state.get("lab_gold")), unpack(state.get("lab_test"))
    pair = pairs.get(state.get("lab_pair", "" if gold and test else next(iter(pairs))))
    if pair is not None:
        gold, test = gold or pair.gold, test or pair.test
    typed = read_typed(test, "parse")
    after = None if typed.tree is None else edited_by_link(typed.tree, typed.notation)
    return LabTrees(pair, read_typed(gold, "gold"), typed, after)
