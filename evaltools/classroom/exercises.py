"""Exercises: sentences whose trees students draw or correct, the marks of their answers, and what a class gets wrong.

An answer is the list of edits that turn the start tree of a sentence into the student's tree. It is compared with the
gold tree as a parse is: by brackets (E), by tree distance (T), and by the repairs that are left.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec

from evaltools import align
from evaltools.corpus import Kind, Tree, Treebank
from evaltools.corpus.bracket_text import written_notation
from evaltools.corpus.editing import Edit, delete_node, edits_as_text, move_targets, node_text, read_edits
from evaltools.errors import EvaltoolsError, InputError, ParameterError, Problem
from evaltools.formats import Source, guess_format, read_treebank, require_constituency
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.constituency.views import typed_text
from evaltools.marks import Marks, Repair, Status
from evaltools.text import count_of

if TYPE_CHECKING:
    from evaltools.runs.store import Run


MAX_ITEMS = 40
"""Maximum number of sentences of an exercise."""

MAX_WORDS = 60
"""Maximum number of words of a sentence."""

MAX_EDITS = 200
"""Maximum number of edits of an answer."""

MAX_LABEL = 24
"""Maximum number of characters of a label that a student writes."""

_MAX_NODES = 400
_MAX_NAME = 60
_MAX_TEXT = 1_000_000

FEEDBACK: dict[str, str] = {
    "words": "what is wrong, in words and in the tree",
    "places": "which brackets are wrong",
    "points": "points only",
}
"""What a student sees after handing in, until the sentence is closed."""


class Item(msgspec.Struct, frozen=True):
    """A sentence of an exercise.

    Examples
    --------
    >>> item = item_of("1", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"))
    >>> item.start, item.is_drawn
    ('(S (N dogs) (V bark))', True)
    """

    id: str  # Its number in the exercise
    gold: str  # The trees in brackets
    start: str
    is_drawn: bool = True  # Whether the start tree has no brackets below the root; else it is a parse to correct
    task: str = ""  # What to do, and what to look at in the solution; may be empty
    note: str = ""

    @property
    def what_to_do(self) -> str:
        """What to do, in a sentence."""
        return self.task or ("Draw the tree." if self.is_drawn else "Correct the tree.")

    @property
    def notation(self) -> str:
        """The notation of the trees."""
        return written_notation(self.gold)

    @property
    def gold_tree(self) -> Tree:
        """The gold tree."""
        return _tree(self.gold)

    @property
    def start_tree(self) -> Tree:
        """The tree that students begin with."""
        return _tree(self.start)


class Exercise(msgspec.Struct, frozen=True):
    """Sentences whose trees students draw or correct."""

    title: str
    items: tuple[Item, ...]
    feedback: str = "words"  # What students see after handing in, of FEEDBACK
    ask_names: bool = False  # Whether students may give their names
    show_solution: bool = False  # Whether the gold tree is shown to a student who has handed in

    def to_json(self) -> bytes:
        """Return the exercise as :func:`read_exercise` reads it."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1)


class Answer(msgspec.Struct, frozen=True):
    """What a student hands in for a sentence."""

    edits: str  # As edits_as_text writes them
    name: str = ""


_EXERCISE, _ANSWER = msgspec.json.Decoder(Exercise), msgspec.json.Decoder(Answer)


@dataclass(frozen=True, slots=True)
class Marking:
    """A student's tree compared with the gold tree."""

    tree: Tree
    alignment: Alignment
    sentence: Marks  # The repairs that are left, and the brackets that differ
    is_right: bool  # Whether the trees are equal, tags included
    repairs: int  # Number of repairs that are left
    repaired: int  # Brackets and tags that were wrong in the start tree and are not any more, and those that are wrong
    left: int
    texts: tuple[str, ...]  # Where the tree is not right, in words
    statuses: tuple[Status, ...]  # Status of each node of the tree; gold brackets that are missing are not in it
    gold_statuses: tuple[Status, ...]  # Status of each node of the gold tree: missing, relabeled or matched
    wrong: frozenset[object]  # What is wrong: nodes of the gold tree, and brackets that are only in the student's tree

    @property
    def points(self) -> float:
        """The points of 100: the share of errors repaired among these and those that are left."""
        return 100.0 if self.is_right else 100 * self.repaired / (self.repaired + max(self.left, 1))


@dataclass(frozen=True, slots=True)
class Mistake:
    """A repair that answers of a class need."""

    text: str  # What is wrong, in words
    answers: tuple[str, ...]  # The answers that need it, by their keys
    sentence: Marks  # The marked sentence of the first of them, and the repair's number in it
    number: int | None  # None for a wrong tag


# ------------------------------------------------------------------------------------------------------------- making


def item_of(name: str, gold: Tree, start: Tree | None = None) -> Item:
    """Return a sentence to draw from its words and tags, or to correct from a start tree.

    Parameters
    ----------
    name : str
        The id of the item.
    gold : Tree
        The gold tree.
    start : Tree, optional
        The tree to correct; by default, the tagged words below a root with the label of the gold root.

    Raises
    ------
    ParameterError
        If the sentence is no exercise, with the reason.
    """
    given = gold if start is None else start
    for tree, what in ((gold, "the gold tree"), (given, "the start tree")):
        if not tree.is_continuous:
            raise ParameterError(f"{what} has discontinuous phrases, which the editor cannot draw")
        if not tree.words or len(tree) > _MAX_NODES or len(tree.words) > MAX_WORDS:
            raise ParameterError(
                f"{what} has {len(tree.words):,} words and {len(tree):,} nodes; expected 1 to {MAX_WORDS} words and at "
                f"most {_MAX_NODES} nodes"
            )
    alignment = align(gold, given)
    if alignment.status != "ok":
        raise ParameterError("the words of the start tree are not those of the gold tree")
    gold = _with_label(alignment.gold)
    start = flat_tree(gold) if start is None else _with_label(alignment.test)
    if len(gold.roots) != 1 or len(start.roots) != 1:
        raise ParameterError("the sentence has several trees; expected one root")
    if gold == start:
        raise ParameterError("the start tree is the gold tree: there is nothing to correct")
    like = typed_text(gold)
    return Item(name, _written(gold, like), _written(start, like), is_drawn=start == flat_tree(gold))


def _with_label(tree: Tree) -> Tree:
    """Return a tree without outer brackets that have no label."""
    while len(tree.roots) == 1 and not tree.labels[-1] and len(tree.children(len(tree) - 1)) == 1:
        if tree.kinds[len(tree) - 2] is not Kind.PHRASE:
            break
        tree = delete_node(tree, len(tree) - 1, written_notation(typed_text(tree)))
    return tree


def _written(tree: Tree, like: str) -> str:
    notation = written_notation(like)
    text = tree.to_string(notation)
    if _tree(text) != tree:
        raise ParameterError("the tree cannot be written in brackets so that it is read again as it is")
    return text


def flat_tree(tree: Tree) -> Tree:
    """Return the tagged words of a tree below one root.

    Examples
    --------
    >>> print(flat_tree(Tree.from_string("(S (NP (D the) (N dogs)) (VP (V bark)))")))
    (S (D the) (N dogs) (V bark))
    """
    labels, positions, parents, kinds = [tree.labels[tree.roots[0]]], [0], [-1], [Kind.PHRASE]
    for position, word in enumerate(tree.words):
        tag = tree.tag(position)
        if tag is not None:
            labels, positions, parents = [*labels, tag], [*positions, 0], [*parents, 0]
            kinds.append(Kind.PRETERMINAL)
        labels, positions = [*labels, word], [*positions, position]
        parents.append(len(parents) - 1 if tag is not None else 0)
        kinds.append(Kind.WORD)
    return Tree.from_nodes(labels, positions, parents, kinds)


def items_of_text(text: str, starts: str = "") -> tuple[tuple[Item, ...], tuple[Problem, ...]]:
    """Return the items of pasted trees, and what is wrong with the text.

    Parameters
    ----------
    text : str
        Gold trees in a format of constituency trees, which is detected.
    starts : str
        The trees to correct, in the same order; by default students draw the trees. With one line for each gold tree,
        students draw the trees of empty lines.

    Returns
    -------
    items : tuple of Item
        The items without problems.
    problems : tuple of Problem
        What is wrong, with lines.
    """
    name, second = "Gold trees", "Trees to correct"
    golds, problems = _read(text, name)
    given: list[tuple[int, Tree | None]] = [(0, None)] * len(golds)
    if starts.strip():
        read, wrong = _read(starts, second)
        by_line = dict(read)
        given, problems = list(read), [*problems, *wrong]
        lines = starts.split("\n")
        if len(read) < len(golds) == len(lines) and len(by_line) == sum(bool(line.strip()) for line in lines):
            given = [(line, by_line.get(line)) for line in range(1, len(lines) + 1)]
        if len(given) != len(golds) and not wrong:
            found = f"{count_of(len(given), 'tree')}"
            expected = f"{len(golds):,}, one for each gold tree, or an empty line where students draw it"
            problems.append(Problem("count", second, None, None, found, expected))
    items: list[Item] = []
    for number, ((line, gold), (_, start)) in enumerate(zip(golds, given, strict=False), start=1):
        if len(items) == MAX_ITEMS:
            found = f"{len(golds):,} trees"
            problems.append(Problem("size", name, line, None, found, f"at most {MAX_ITEMS}", number))
            break
        try:
            items.append(item_of(str(len(items) + 1), gold, start))
        except EvaltoolsError as error:
            problems.append(Problem("tree", name, line, None, str(error), "a sentence for an exercise", number))
    return tuple(items), tuple(problems)


def _read(text: str, name: str) -> tuple[list[tuple[int, Tree]], list[Problem]]:
    """Return the trees of a text, each with its line, and problems."""
    if not text.strip():
        return [], [Problem("empty", name, None, None, "nothing", "trees, such as (S (NP (N dogs)) (VP (V bark)))")]
    if len(text) > _MAX_TEXT:
        found = f"{len(text):,} characters"
        return [], [Problem("size", name, None, None, found, f"at most {_MAX_TEXT:,}")]
    try:
        source = Source.from_bytes(text.encode("utf-8", "replace"), name)
        format_name = guess_format(source)
        require_constituency(format_name, name, "exercises")
        treebank = read_treebank(source, format_name)
    except InputError as error:
        return [], [error.problem]
    assert isinstance(treebank, Treebank)
    trees = [
        (int(treebank.line[number]), treebank.tree(number))
        for number in range(len(treebank))
        if treebank.n_words[number]
    ]
    problems = list(treebank.problems)
    if not trees and not problems:
        problems.append(Problem("empty", name, 1, None, "no tree", "at least one tree with words"))
    return trees, problems


def items_of_run(run: Run, sentences: Sequence[int], parser: str = "") -> tuple[tuple[Item, ...], tuple[Problem, ...]]:
    """Return the items of sentences of a run, and why others cannot be one.

    Parameters
    ----------
    run : Run
        A run of constituency trees.
    sentences : sequence of int
        Numbers of sentences, from 1.
    parser : str
        The parser whose trees are corrected; if empty, students draw the trees.
    """
    items: list[Item] = []
    problems: list[Problem] = []
    for number in dict.fromkeys(sentences):
        if len(items) == MAX_ITEMS:
            found = f"{len(sentences):,} sentences"
            problems.append(Problem("size", run.path.name, None, None, found, f"at most {MAX_ITEMS}", number))
            break
        try:
            if not 1 <= number <= run.n_sentences:
                raise ParameterError(f"there is no sentence {number}; expected 1 to {run.n_sentences:,}")
            gold, start = _tree_of(run, number, ""), _tree_of(run, number, parser) if parser else None
            items.append(item_of(str(len(items) + 1), gold, start))
        except EvaltoolsError as error:
            expected = "a sentence for an exercise"
            problems.append(Problem("tree", run.path.name, None, None, str(error), expected, number))
    return tuple(items), tuple(problems)


def _tree_of(run: Run, number: int, parser: str) -> Tree:
    tree = run.tree(number, parser or None)
    if not isinstance(tree, Tree) or not len(tree):
        raise ParameterError(f"it has no tree in {parser or 'the gold file'}")
    return tree


def read_exercise(data: bytes) -> Exercise:
    """Read an exercise that was saved; raise InputError if the bytes are none."""
    try:
        exercise = _EXERCISE.decode(data)
        for item in exercise.items:
            if item.gold_tree.words != item.start_tree.words:
                raise ParameterError(f"item {item.id}: the words of its trees differ")
    except (msgspec.DecodeError, EvaltoolsError, UnicodeError) as error:
        raise InputError(Problem("exercise", "exercise", None, None, str(error), "a saved exercise")) from None
    return exercise


# ------------------------------------------------------------------------------------------------------------ answers


def read_answer(item: Item, text: str) -> Answer:
    """Return an answer from JSON; raise ParameterError if it is none or its edits are impossible.

    Examples
    --------
    >>> item = item_of("1", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"))
    >>> read_answer(item, '{"edits": "i1,1,NP", "name": " Ada "}')
    Answer(edits='i1,1,NP', name='Ada')
    """
    try:
        answer = _ANSWER.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise ParameterError(f"this is no answer: {error}") from None
    edits = check_edits(answer.edits)
    tree_after(item, edits)
    return Answer(edits_as_text(edits), " ".join(answer.name.split())[:_MAX_NAME])


def check_edits(text: str) -> tuple[Edit, ...]:
    """Read the edits of an answer; raise ParameterError if they are too many or their labels too long."""
    parts = text.split()
    if len(parts) > MAX_EDITS:
        raise ParameterError(f"{len(parts):,} edits; expected at most {MAX_EDITS}")
    edits = read_edits(text)
    for edit in edits:
        if len(edit.label) > MAX_LABEL:
            raise ParameterError(f"a label of {len(edit.label):,} characters; expected at most {MAX_LABEL}")
    return edits


def tree_after(item: Item, edits: Sequence[Edit]) -> Tree:
    """Return the student's tree; raise ParameterError if an edit is impossible."""
    return _edited(item.start, tuple(map(str, edits)))


@lru_cache(maxsize=4096)
def _edited(start: str, edits: tuple[str, ...]) -> Tree:
    if not edits:
        return _tree(start)
    tree = Edit.from_text(edits[-1]).apply(_edited(start, edits[:-1]), written_notation(start))
    if len(tree) > 2 * _MAX_NODES:
        raise ParameterError(f"the tree has {len(tree):,} nodes; expected at most {2 * _MAX_NODES}")
    return tree


@lru_cache(maxsize=512)
def _tree(text: str) -> Tree:
    return Tree.from_string(text, written_notation(text))


# -------------------------------------------------------------------------------------------------------------- marks


def mark(item: Item, edits: Sequence[Edit]) -> Marking:
    """Compare a student's tree with the gold tree.

    Examples
    --------
    >>> item = item_of("1", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"))
    >>> half = mark(item, read_edits("i1,1,NP"))
    >>> half.is_right, half.points, half.repairs, half.texts
    (False, 50.0, 1, ('VP “bark” is missing',))
    >>> mark(item, read_edits("i1,1,NP i4,4,VP")).is_right
    True
    """
    return _mark(item.gold, item.start, tuple(map(str, edits)))


@lru_cache(maxsize=2048)
def _mark(gold_text: str, start: str, edits: tuple[str, ...]) -> Marking:
    gold, tree = _tree(gold_text), _edited(start, edits)
    alignment = align(gold, tree)
    sentence = marked_sentence(alignment)
    is_right = gold == tree
    repairs = _bracket_repairs(sentence)
    texts = (*(f"{repair.phrase} {repair.verdict}" for repair in repairs), *_tag_texts(sentence))
    if not texts and not is_right:  # brackets over the same words in another order
        texts = tuple(step.text for step in alignment.t.steps)
    statuses = _statuses(sentence, tree, "test", Status.SPURIOUS)
    gold_statuses = _statuses(sentence, gold, "gold", Status.MISSING)
    wrong = _wrong(tree, statuses, gold_statuses)
    repaired = len(_mark(gold_text, start, ()).wrong - wrong) if edits else 0
    return Marking(
        tree, alignment, sentence, is_right, len(repairs), repaired, len(wrong), texts, statuses, gold_statuses, wrong
    )


def _wrong(tree: Tree, statuses: Sequence[Status], gold_statuses: Sequence[Status]) -> frozenset[object]:
    """Return the nodes of the gold tree that are missing or relabeled, and the spurious brackets of the tree."""
    spurious = {
        (tree.labels[node], tree.starts[node], tree.ends[node])
        for node, status in enumerate(statuses)
        if status is Status.SPURIOUS
    }
    return frozenset(spurious | {node for node, status in enumerate(gold_statuses) if status is not Status.RIGHT})


def _bracket_repairs(sentence: Marks) -> tuple[Repair, ...]:
    """Return the repairs of brackets; wrong tags are listed after them."""
    return sentence.repairs if sentence.unit == "brackets" else ()


def _tags(sentence: Marks) -> list[tuple[int, str, str]]:
    """Return word, gold tag and tag of the parse where they differ."""
    gold, test = ([mark for mark in sentence.marks if mark.kind == "tag" and mark.side == side]
                  for side in ("gold", "test"))  # fmt: skip
    return [(right.start, right.text, wrong.text) for right, wrong in zip(gold, test, strict=True)]


def _tag_texts(sentence: Marks) -> list[str]:
    return [
        f"“{sentence.words[word].form}” has the tag {test or '∅'}, should have {gold or '∅'}"
        for word, gold, test in _tags(sentence)
    ]


def _statuses(sentence: Marks, tree: Tree, side: str, alone: Status) -> tuple[Status, ...]:
    """Return the status of each node of the tree of a side: only in it, relabeled or matched."""
    statuses = [Status.RIGHT] * len(tree)
    for mark in sentence.marks:
        if mark.side != side or mark.status is Status.RIGHT:
            continue
        if mark.kind == "bracket":
            statuses[mark.node] = Status.RELABELED if mark.status is Status.RELABELED else alone
        elif tree.kinds[parent := tree.parents[mark.node]] is Kind.PRETERMINAL:
            statuses[parent] = Status.RELABELED
    return tuple(statuses)


def mistakes(marks: Mapping[str, Marking]) -> list[Mistake]:
    """Group the repairs that the answers to one item need, the most frequent first.

    Parameters
    ----------
    marks : mapping of str to Marking
        The mark of each answer.

    Returns
    -------
    list of Mistake
        Repairs of the same brackets are one mistake; its text is the most frequent one.

    Examples
    --------
    >>> item = item_of("1", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"))
    >>> marks = {"a": mark(item, read_edits("i1,1,NP")), "b": mark(item, ())}
    >>> [(mistake.text, mistake.answers) for mistake in mistakes(marks)]
    [('VP “bark” is missing', ('a', 'b')), ('NP “dogs” is missing', ('b',))]
    """
    members: dict[object, dict[str, tuple[Marks, int | None]]] = defaultdict(dict)
    texts: dict[object, Counter[str]] = defaultdict(Counter)
    for name, each in marks.items():
        for key, text, number in _errors(each):
            members[key].setdefault(name, (each.sentence, number))
            texts[key][text] += 1
    found = [
        Mistake(texts[key].most_common(1)[0][0], tuple(answers), *next(iter(answers.values())))
        for key, answers in members.items()
    ]
    return sorted(found, key=lambda mistake: (-len(mistake.answers), mistake.text))


def _errors(each: Marking) -> Iterable[tuple[object, str, int | None]]:
    """Yield what each error of an answer is known by, its text, and the number of its repair."""
    sentence = each.sentence
    for repair in _bracket_repairs(sentence):
        yield _key(repair, sentence), f"{repair.phrase} {repair.verdict}", repair.number
    for (word, _, test), text in zip(_tags(sentence), _tag_texts(sentence), strict=True):
        yield (word, test), text, None
    if not sentence.repairs:
        for text in each.texts:
            yield text, text, None


def _key(repair: Repair, sentence: Marks) -> object:
    """Return the brackets that a repair is about, without words."""
    brackets = [mark for mark in sentence.marks if mark.kind == "bracket"]
    if repair.has_parents:
        parents = {("gold", repair.gold_parent), ("test", repair.test_parent)}
        labels = tuple(sorted((mark.side, mark.text) for mark in brackets if (mark.side, mark.node) in parents))
        return repair.status, repair.moved, labels
    own = [mark for mark in brackets if repair.number in mark.repairs]
    return repair.status, tuple(sorted((mark.side, mark.text, mark.stretches) for mark in own)) or repair.short


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    task: str
    gold: str
    note: str
    start: str = ""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    sentence: list[_Entry]


@cache
def practice() -> Exercise:
    """Return the exercise that comes with the program, the easy sentences first.

    Examples
    --------
    >>> first = practice().items[0]
    >>> first.is_drawn, first.task
    (True, 'Draw the tree. Every noun with its determiner is an NP, the verb with its object a VP.')
    """
    text = resources.files(__package__).joinpath("data/practice.toml").read_bytes()
    file = msgspec.toml.decode(text, type=_File)
    items = []
    for number, entry in enumerate(file.sentence, start=1):
        start = Tree.from_string(entry.start) if entry.start else None
        item = item_of(str(number), Tree.from_string(entry.gold), start)
        items.append(msgspec.structs.replace(item, task=entry.task, note=entry.note))
    return Exercise(file.title, tuple(items))


def editor_data(
    tree: Tree, svg: str, *, message: str, hint: str, can_undo: bool, can_redo: bool, legend: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the data of a tree for the script.

    Parameters
    ----------
    tree : Tree
        The tree to edit.
    svg : str
        Its drawing, whose nodes are on the side ``test``; what else it has cannot be edited.
    message, hint : str
        What to say about the last edit; how to begin where there is nothing to say.
    can_undo, can_redo : bool
        Whether edits can be undone and done again.
    legend : sequence of str
        Drawings of the marks.

    Examples
    --------
    >>> tree = Tree.from_string("(S (N dogs) (VP (V bark)))")
    >>> data = editor_data(tree, "<svg/>", message="", hint="", can_undo=False, can_redo=False)
    >>> [(node["label"], node["targets"]) for node in data["nodes"]][:2]
    [('dogs', [4]), ('N', [4])]
    """
    return {
        "subject": blake2b(tree.to_string().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
        "svg": svg,
        "nodes": [_node(tree, node) for node in range(len(tree))],
        "undo": can_undo,
        "redo": can_redo,
        "message": message,
        "hint": hint,
        "legend": list(legend),
    }


def _node(tree: Tree, node: int) -> dict[str, Any]:
    parent = tree.parents[node]
    return {
        "parent": parent,
        "kind": tree.kinds[node].name.lower(),
        "label": tree.labels[node],
        "name": node_text(tree, node),
        "siblings": list(tree.children(parent) if parent >= 0 else tree.roots),
        "targets": list(move_targets(tree, node)),
    }
