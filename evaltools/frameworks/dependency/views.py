"""A sentence of dependency trees: its arcs, its words, the wrong arcs, the scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evaltools.blocks import Block, Choice, Column, Table, drawn, formulas, legend, note
from evaltools.corpus import DependencyTree
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.corpus.dependency_tree import head_column
from evaltools.corpus.enhanced import collapsed_deps, deps_of_empty_nodes, edges_of, paths, without_subtypes
from evaltools.drawing import ARC_LEGEND, ENHANCED_LEGEND, Drawing, arc_legends
from evaltools.drawing.arc_content import side_by_side
from evaltools.drawing.tree_grid import FOLD_ABOVE
from evaltools.frameworks.dependency.aligned_arcs import (
    DependencyAlignment,
    EnhancedAlignment,
    EnhancedEdge,
    EnhancedNode,
)
from evaltools.frameworks.dependency.marked import marked_arcs
from evaltools.frameworks.dependency.passes import PASSES
from evaltools.frameworks.passes import more_formulas
from evaltools.frameworks.views import (
    GOLD,
    SCHEME,
    SHADE,
    SHORT,
    Highlight,
    Highlighted,
    MarkedView,
    Panel,
    PanelCount,
    PanelRow,
    Section,
    Sentence,
    SentenceView,
    Viewing,
    lineages_section,
    marked_view,
    right_marks,
    source_texts,
    subject_of,
    whole_picture,
    words_section,
    words_selection,
)
from evaltools.marks import Status, compared
from evaltools.text import count_of, noun_of, percent

# -------------------------------------------------------------------------------------------------- words and formulas


def arcs_status(alignment: DependencyAlignment, gold_name: str, parse_name: str) -> str:
    """Return why a sentence is not scored as usual; empty if it is."""
    if not len(alignment.gold) and not len(alignment.test):
        return f"Neither {gold_name} nor {parse_name} has a tree for this sentence."
    if not len(alignment.gold):
        return f"{gold_name} has no tree for this sentence. There is nothing to compare."
    if alignment.status == "missing":
        no_tree = f"{parse_name} has no tree for this sentence."
        return f"{no_tree} It has no scores; in figures over all sentences it counts as 0."
    if alignment.status == "words_differ":
        return (
            "The tokens of the two trees differ. Words are aligned by the characters they cover; words without an "
            "aligned word count as wrong."
        )
    if set(alignment.gold_status) <= {None}:
        return "All words are excluded, as punctuation or without a head: the sentence has no scores."
    return ""


def arcs_summary(alignment: DependencyAlignment, sentence: int, gold_name: str, parse_name: str) -> str:
    """Return the scores and the numbers of wrong arcs in one line."""
    length = len(alignment.gold) or len(alignment.test)
    counted = f"Sentence {sentence}, {count_of(length, 'word')}"
    if alignment.status == "missing" or not len(alignment.gold):
        return f"{counted}: {parse_name} has nothing to score."
    compared = f"{counted}, {parse_name} compared with {gold_name}"
    if {*alignment.gold_status, *alignment.test_status} <= {Status.RIGHT, None}:
        return f"{compared}: all arcs are right."
    scores = [
        f"{title} {percent(alignment.scores.get(metric))}"
        for metric, title in (("uas", "UAS"), ("las", "LAS"), ("la", "Leaf-anc."))
    ]
    wrong = {
        "head": alignment.number(Status.MISSING, relabeled=False),
        "relation": alignment.number(Status.RELABELED),
        "head with its relation": alignment.number(Status.MISSING, relabeled=True),
    }
    named = [
        f"{number} wrong {noun_of(number, name, 'heads with their relations' if ' ' in name else '')}"
        for name, number in wrong.items()
        if number
    ]
    if n_unaligned := alignment.n_unaligned:
        named.append(f"{n_unaligned} {noun_of(n_unaligned, 'word')} of {gold_name} without an aligned word")
    return f"{compared}: {', '.join(scores)} (%)" + (f"; {', '.join(named)}." if named else ".")


# ----------------------------------------------------------------------------------------------- enhanced dependencies

_Edge = tuple[str, str, str]  # Numbers of the head and the dependent, and the relation


def align_enhanced(alignment: DependencyAlignment) -> EnhancedAlignment | None:
    """Return the enhanced dependencies of two aligned trees; None if neither has any.

    Examples
    --------
    >>> from evaltools.frameworks.dependency.alignment import align_dependencies
    >>> gold = DependencyTree(("we", "see"), (1, -1), ("nsubj", "root"), deps=("2:nsubj", "0:root"))
    >>> test = DependencyTree(("we", "see"), (1, -1), ("nsubj", "root"), deps=("2:obj", "0:root"))
    >>> aligned = align_enhanced(align_dependencies(gold, test))
    >>> [(edge.side, edge.relation, str(edge.status)) for edge in aligned.edges]
    [('gold', 'nsubj', 'relabeled'), ('gold', 'root', 'right'), ('test', 'obj', 'relabeled'), ('test', 'root', 'right')]
    """
    if not has_enhanced(alignment):
        return None
    trees = {"gold": alignment.gold, "test": alignment.test}
    nodes = _nodes(alignment)
    columns = {side: {number: at for at, node in enumerate(nodes) if (number := _number(node, side))} for side in trees}
    edges = {side: _edges(tree) for side, tree in trees.items()}
    compared = {side: _by_words(tree, columns[side], nodes) for side, tree in trees.items()}
    right = compared["gold"].keys() & compared["test"].keys()
    placed = []
    for side, own_edges in edges.items():
        through: dict[_Edge, bool] = {}
        alone = Status.MISSING if side == "gold" else Status.SPURIOUS
        for key, used in compared[side].items():
            for edge in used:
                through[edge] = through.get(edge, False) or key in right
        for edge in own_edges:
            head, dependent, relation = edge
            status = None
            if edge in through:
                status = Status.RIGHT if through[edge] else alone
            at = None if head == "0" else columns[side].get(head)
            placed.append(EnhancedEdge(side, columns[side][dependent], at, relation, status))
    return EnhancedAlignment(tuple(nodes), tuple(_with_wrong_labels(placed)))


def has_enhanced(alignment: DependencyAlignment) -> bool:
    """Return whether one of two trees has enhanced dependencies."""
    return any(":" in column for tree in (alignment.gold, alignment.test) for column in tree.deps)


def _number(node: EnhancedNode, side: str) -> str | None:
    return node.gold if side == "gold" else node.test


def _nodes(alignment: DependencyAlignment) -> list[EnhancedNode]:
    """Return words and empty nodes in order; empty nodes of both trees at the same place are one, in their order."""
    gold, test = alignment.gold, alignment.test
    empty = {"gold": _empty_nodes(gold), "test": _empty_nodes(test)}
    nodes = _empty_columns(empty["gold"].get(0, []), empty["test"].get(0, []))
    for word, aligned in side_by_side(alignment):
        nodes.append(
            EnhancedNode(
                None if word is None else str(word + 1),
                None if aligned is None else str(aligned + 1),
                ("" if word is None else gold.forms[word], "" if aligned is None else test.forms[aligned]),
                ("" if word is None else gold.tags[word], "" if aligned is None else test.tags[aligned]),
                is_empty=False,
            )
        )
        of_gold = [] if word is None else empty["gold"].get(word + 1, [])
        of_test = [] if aligned is None else empty["test"].get(aligned + 1, [])
        nodes += _empty_columns(of_gold, of_test)
    return nodes


def _empty_nodes(tree: DependencyTree) -> dict[int, list[tuple[str, str]]]:
    """Return number and form of the empty nodes by the number of words before them."""
    nodes: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for node in tree.empty_nodes:
        nodes[node.after].append((f"{node.after}.{node.index}", node.columns[0]))
    return nodes


def _empty_columns(gold: list[tuple[str, str]], test: list[tuple[str, str]]) -> list[EnhancedNode]:
    nodes = []
    for index in range(max(len(gold), len(test))):
        numbers = [own[index] if index < len(own) else (None, "") for own in (gold, test)]
        forms = (numbers[0][1], numbers[1][1])
        nodes.append(EnhancedNode(numbers[0][0], numbers[1][0], forms, ("", ""), is_empty=True))
    return nodes


def _edges(tree: DependencyTree) -> list[_Edge]:
    """Return the edges of words and of empty nodes whose heads exist."""
    columns = {str(word + 1): column for word, column in enumerate(tree.deps)} | deps_of_empty_nodes(tree)
    known = {"0", *columns}
    edges = [(head, number, relation) for number, text in columns.items() for head, relation in edges_of(text)]
    return [edge for edge in edges if edge[0] in known]


def _by_words(
    tree: DependencyTree, columns: dict[str, int], nodes: list[EnhancedNode]
) -> dict[tuple[str, int, str], list[_Edge]]:
    """Return the edges that each edge without empty nodes consists of; head and dependent are as in gold."""

    def common_name(number: str) -> str:
        """Return what words of both trees have in common; what is in one tree only is like nothing in the other."""
        if number == "0":
            return "0"
        node = nodes[columns[number]] if number in columns else None
        return f"{node.gold}={node.test}" if node is not None else f"? {number}"

    by_words: dict[tuple[str, int, str], list[_Edge]] = defaultdict(list)
    for word, of_word in enumerate(paths(tree.deps, deps_of_empty_nodes(tree))):
        number = str(word + 1)
        for path in of_word:
            relations = ">".join(relation for _, relation in path)
            ends = [head for head, _ in path[1:]] + [number]
            used = [(head, end, relation) for (head, relation), end in zip(path, ends, strict=True)]
            by_words[common_name(path[0][0]), columns[number], relations] += used
    return by_words


def _with_wrong_labels(edges: list[EnhancedEdge]) -> list[EnhancedEdge]:
    """Mark wrong edges between the same two words as wrong relations: in the order of the columns."""
    waiting: dict[tuple[int | None, int], list[int]] = defaultdict(list)
    for at, edge in enumerate(edges):
        if edge.status is Status.MISSING:
            waiting[edge.head, edge.dependent].append(at)
    for at, edge in enumerate(edges):
        if edge.status is Status.SPURIOUS and waiting[edge.head, edge.dependent]:
            for each in (at, waiting[edge.head, edge.dependent].pop(0)):
                edges[each] = replace(edges[each], status=Status.RELABELED)
    return edges


# ---------------------------------------------------------------------------------------------------- columns of words

_Part = tuple[str, str]  # ``"missing"`` (only in gold), ``"spurious"`` (only in the parse), or empty; and a text

_COLUMNS = ("Form", "Lemma", "UPOS", "XPOS", "Features", "Head", "Relation", "Enhanced")
_UNIVERSAL = "Enhanced without subtypes"  # Compared, but no column of the table
_IDS = dict(zip(_COLUMNS, ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps"), strict=True))
_NOTHING = ("", "_")
_ANY_IS_RIGHT = {"Lemma": _NOTHING, "Head": ("_",), "Relation": ("",)}
"""What a gold word has whose lemma, or whose head and relation, are not compared."""


@dataclass(frozen=True, slots=True)
class ComparedWord:
    """A word and the word aligned with it."""

    position: int | None  # Of the gold word; None for a word that only the parse has
    test_position: int | None  # Of the aligned word; None if there is none
    cells: Mapping[str, tuple[_Part, ...]]  # What each column has
    gold: Mapping[str, str]  # The columns as gold has them, by name; empty if the word is not there
    test: Mapping[str, str]

    def differs(self, column: str) -> bool:
        """Return whether a column differs."""
        return any(status for status, _ in self.cells[column])

    @property
    def different(self) -> tuple[str, ...]:
        """The names of the columns that differ."""
        return tuple(name for column, name in _IDS.items() if self.differs(column))

    @property
    def number(self) -> str:
        """Its number in the sentence, or both if they differ."""
        numbers = [str(at + 1) for at in (self.position, self.test_position) if at is not None]
        return numbers[0] if len(set(numbers)) == 1 else " / ".join(numbers)


def compare_words(alignment: DependencyAlignment) -> list[ComparedWord]:
    """Compare all columns of all words; a word that only the parse has follows the one before it.

    Examples
    --------
    >>> gold = DependencyTree(("we", "saw"), (1, -1), ("nsubj", "root"), feats=("Case=Nom|Number=Plur", "_"))
    >>> test = DependencyTree(("we", "saw"), (1, -1), ("obj", "root"), feats=("Case=Acc|Number=Plur", "_"))
    >>> from evaltools.frameworks.dependency.alignment import align_dependencies
    >>> word, _ = compare_words(align_dependencies(gold, test))
    >>> word.cells["Relation"], word.cells["Head"]
    ((('missing', 'nsubj'), ('spurious', 'obj')), (('', '2 saw'),))
    >>> word.gold["deprel"], word.test["deprel"], word.different
    ('nsubj', 'obj', ('feats', 'deprel'))
    >>> word.cells["Features"]
    (('missing', 'Case=Nom'), ('spurious', 'Case=Acc'), ('', 'Number=Plur'))
    """
    gold, test, partner = alignment.gold, alignment.test, alignment.partner
    gold_of = alignment.test_partner
    own = [_values(gold, {}), _values(test, {index: at for index, at in enumerate(gold_of) if at is not None})]
    written, test_written = _written(gold), _written(test)
    compared = []
    following: dict[int, list[ComparedWord]] = {}
    before = -1
    for index, at in enumerate(gold_of):
        if at is None and alignment.test_status[index] is None:
            continue  # of another sentence, or punctuation
        if at is None:
            cells = {name: _only(values[index], "spurious") for name, values in own[1].items()}
            following.setdefault(before, []).append(ComparedWord(None, index, cells, {}, test_written[index]))
        else:
            before = at
    compared += following.get(-1, [])
    for word, aligned in enumerate(partner):
        if aligned is None:
            cells = {name: _only(values[word], "missing") for name, values in own[0].items()}
        else:
            cells = {name: _difference(name, values[word], own[1][name][aligned]) for name, values in own[0].items()}
        columns = {} if aligned is None else test_written[aligned]
        compared.append(ComparedWord(word, aligned, cells, written[word], columns))
        compared += following.get(word, [])
    return compared


def _values(tree: DependencyTree, gold_of: Mapping[int, int]) -> dict[str, list[list[tuple[str, str]]]]:
    """Return what each column of each word has: what is compared, and how it is written."""

    def number(head: str) -> str:
        """Return a head as it is compared: the number of its gold word, or its own in brackets if it has none."""
        if not head.isdecimal() or head == "0" or not gold_of:
            return head
        at = gold_of.get(int(head) - 1)
        return f"[{head}]" if at is None else str(at + 1)

    def parts(text: str) -> list[str]:
        return [] if text in _NOTHING else text.split("|")

    def edges(text: str, *, subtypes: bool) -> list[tuple[str, str]]:
        divided = [part.partition(":") for part in parts(text)]
        named = [(head, relation if subtypes else without_subtypes(relation)) for head, _, relation in divided]
        return [(f"{number(head)}:{relation}", f"{head}:{relation}") for head, relation in named]

    deps = collapsed_deps(tree)
    heads = []
    for head in tree.heads:
        column = head_column(head)
        named = tree.forms[head] if head >= 0 else "root" if head == -1 else ""
        heads.append([(number(column), f"{column} {named}".rstrip())])
    single = {"Form": tree.forms, "Lemma": tree.lemmas, "UPOS": tree.tags, "XPOS": tree.xtags}
    return {
        **{name: [[(value, value)] for value in column] for name, column in single.items()},
        "Features": [[(part, part) for part in parts(text)] for text in tree.feats],
        "Head": heads,
        "Relation": [
            [("" if head == NO_HEAD else value, value)] for head, value in zip(tree.heads, tree.relations, strict=True)
        ],
        "Enhanced": [edges(text, subtypes=True) for text in deps],
        _UNIVERSAL: [edges(text, subtypes=False) for text in deps],
    }


def _only(values: Sequence[tuple[str, str]], status: str) -> tuple[_Part, ...]:
    return tuple((status, written) for value, written in values if value not in _NOTHING)


def _difference(column: str, gold: Sequence[tuple[str, str]], test: Sequence[tuple[str, str]]) -> tuple[_Part, ...]:
    """Return what both have and what one has, the values of a feature beside one another."""
    if gold and gold[0][0] in _ANY_IS_RIGHT.get(column, ()):
        return tuple(("", written) for value, written in test if value not in _NOTHING)
    keys, test_keys = {value for value, _ in gold}, {value for value, _ in test}
    parts = [("" if value in test_keys else "missing", value, written) for value, written in gold]
    parts += [("spurious", value, written) for value, written in test if value not in keys]
    if column == "Features":
        parts.sort(key=lambda part: part[1].partition("=")[0].lower())
    return tuple((status, written) for status, value, written in parts if value not in _NOTHING or status)


def _written(tree: DependencyTree) -> list[dict[str, str]]:
    """Return the columns FORM to DEPS of each word, the last without empty nodes."""
    heads = [head_column(head) for head in tree.heads]
    own = (tree.forms, tree.lemmas, tree.tags, tree.xtags, tree.feats, heads, tree.relations, collapsed_deps(tree))
    return [dict(zip(_IDS.values(), columns, strict=True)) for columns in zip(*own, strict=True)]


_CHOICE = "words"


def word_table(alignment: DependencyAlignment, viewing: Viewing, names: tuple[str, str], chosen: int | None) -> Section:
    """Return the table of the words of two trees, or of those that differ."""
    heading = "Columns, word by word"
    n_words = alignment.sentence_length
    choice = Choice(
        _CHOICE,
        "Only words that differ",
        {"0": "", "1": ""},
        "1" if n_words > FOLD_ABOVE else "0",
        f"the default above {FOLD_ABOVE} words",
        is_toggle=True,
    )
    if not len(alignment.test) or not n_words:
        return Section("columns", (note("There is nothing to compare."),), heading, "below")
    words = compare_words(alignment)
    columns = [name for name in _COLUMNS if any(word.cells[name] for word in words)]
    counts = {name: sum(word.differs(name) for word in words if word.position is not None) for name in columns}
    listed = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
    if counts.get("Enhanced"):
        n_universal = sum(word.differs(_UNIVERSAL) for word in words if word.position is not None)
        listed += f" ({n_universal} without subtypes, as in EULAS)"
    n_more = sum(word.position is None for word in words)
    remark = f"{n_words:,} words of {names[0]}; "
    remark += f"number of words that differ: {listed}." if listed else "all columns are equal."
    if n_more:
        remark += f" {count_of(n_more, 'word')} only in {names[1]}."
    remark += (
        " Heads have the numbers of their own tree; subtypes count in ELAS, and in LAS where the run compares them."
    )
    compared = [word for word in words if viewing.chosen(choice) == "0" or any(word.differs(name) for name in columns)]
    blocks: tuple[Block, ...] = (note(remark),)
    if compared:
        entries = [("missing", f"only in {names[0]}"), ("spurious", f"only in {names[1]}")]
        columns_of_words = Table(
            [Column(name, name, "pieces") for name in ("#", *columns)],
            [_cells(word, columns) for word in compared],
            form="differences",
            marked={at for at, word in enumerate(compared) if word.position is not None and word.position == chosen},
            keys=[word.position for word in compared],
            sends="word",
            file_title=heading,
        )
        blocks = (note(remark), legend(entries), columns_of_words)
    return Section("columns", blocks, heading, "below", choice, words=words_selection(alignment))


def _cells(word: ComparedWord, columns: Sequence[str]) -> list[tuple[_Part, ...]]:
    return [(("", word.number),), *(word.cells[name] for name in columns)]


# --------------------------------------------------------------------------------------------------------------- views

_COUNTED = (
    (Status.RIGHT, None, "right", "right head and relation"),
    (Status.RELABELED, None, "wrong relation", "right head, wrong relation"),
    (Status.MISSING, False, "wrong head", "wrong head, right relation"),
    (Status.MISSING, True, "both wrong", "wrong head and relation"),
)


def sentence_view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    """Return the view of a sentence; below a list of sentences, only its arcs."""
    alignment: DependencyAlignment = sentence.alignment
    remark = arcs_status(alignment, sentence.gold_name, sentence.parse_name)
    marked = _marked_view(sentence, viewing)
    if marked is None and alignment.status == "words_differ":
        remark += " There is no marked sentence; the arcs of both trees are below."
    if viewing.is_brief:
        words = viewing.words
        marks = Highlighted(words, words, words, "the words of the row") if words else None
        rows = (_arcs(sentence, viewing, marks), *_enhanced(sentence, viewing))
        return SentenceView("", remark, marked=marked, rows=rows)
    summary = arcs_summary(alignment, sentence.number, sentence.gold_name, sentence.parse_name)
    texts = source_texts(sentence)
    if not len(alignment.gold) and not len(alignment.test):
        return SentenceView(summary, remark, texts=texts, texts_heading="Trees as text")
    step = viewing.index("step", "a", len(alignment.gold))
    row = _arcs(sentence, viewing, None if step is None else (step, None))
    sections = (
        words_section(alignment, viewing, row.word, _lineages(sentence, viewing, row.word)),
        Section("formulas", (formulas(more_formulas(alignment, PASSES.values())),), "Scores of this sentence", "right"),
        *lineages_section(sentence, "A lineage has the relations from the word to the root."),
        word_table(alignment, viewing, (sentence.gold_name, sentence.parse_name), row.word),
    )
    shade = (SHADE,) if sentence.gold_name == GOLD else ()
    own = () if marked is None else (_RIGHT, SHORT, *shade, _ARCS)
    choices = (*own, *((_ENHANCED,) if has_enhanced(alignment) else ()))
    return SentenceView(
        summary,
        remark,
        choices=choices,
        marked=marked,
        rows=(
            *((row,) if marked is None or step is not None or viewing.chosen(_ARCS) == "1" else ()),
            *_enhanced(sentence, viewing),
        ),
        sections=sections,
        texts=texts,
        texts_heading="Trees as text",
    )


_RIGHT = right_marks("arcs")
_ARCS = whole_picture("Arcs", "all arcs of the two trees")
_ENHANCED = Choice(
    "enhanced", "Enhanced dependencies", {"0": "", "1": ""}, "0", "edges of the column DEPS", is_toggle=True
)
_EDGES = (
    (Status.RIGHT, "right", "gold", "same head and relation"),
    (Status.RELABELED, "wrong relation", "gold", "same head, different relation"),
    (Status.MISSING, "missing", "gold", "edges only in {gold_name}"),
    (Status.SPURIOUS, "spurious", "test", "edges only in {parse_name}"),
)
_EMPTY_NODES = (
    "Words in boxes are empty nodes. ELAS compares paths through them; an edge of such a path is right if a path is."
)
_KEYS = {"a": _RIGHT, "s": SHORT, "v": _ARCS}


def _marked_view(sentence: Sentence, viewing: Viewing) -> MarkedView | None:
    """Return the marked sentence of a parse, or of two parsers; None if their words differ from those of gold."""
    alignment: DependencyAlignment = sentence.alignment
    if not len(alignment.gold):
        return None
    subject = subject_of(alignment.gold.to_string(), alignment.test.to_string())
    if sentence.gold_name == GOLD:
        marks = marked_arcs(alignment)
        options: dict[str, object] = {"parse_name": sentence.parse_name, "shade": viewing.chosen(SHADE) == "1"}
    else:
        a, b = (marked_arcs(own) for own in sentence.with_gold) if len(sentence.with_gold) == 2 else (None, None)
        is_one_gold = len({own.gold for own in sentence.with_gold}) == 1
        names = sentence.gold_name, sentence.parse_name
        marks = None if a is None or b is None or not is_one_gold else compared(a, b, names)
        options = {"parse_name": "parsers"}
    return None if marks is None else marked_view(marks, viewing, subject, _KEYS, options)


def _enhanced(sentence: Sentence, viewing: Viewing) -> tuple[PanelRow, ...]:
    """Return the panel of the enhanced dependencies; nothing if there are none, or they are not asked for."""
    alignment: DependencyAlignment = sentence.alignment
    aligned = None if viewing.chosen(_ENHANCED) == "0" else align_enhanced(alignment)
    if aligned is None:
        return ()
    names = {"gold_name": sentence.gold_name, "parse_name": sentence.parse_name}
    title = f"Enhanced dependencies: {sentence.gold_name} above, {sentence.parse_name} below"
    drawing = Drawing(aligned, title, "enhanced", names)
    counts = tuple(
        PanelCount(status, name, aligned.number(side, status), hint.format_map(names))
        for status, name, side, hint in _EDGES
    )
    has_empty = any(node.is_empty for node in aligned.nodes)
    panel = Panel(drawing, (("edges", counts),), _EMPTY_NODES if has_empty else "")
    legend = arc_legends(ENHANCED_LEGEND, sentence.gold_name, sentence.parse_name)
    subject = subject_of("enhanced", alignment.gold.to_string(), alignment.test.to_string())
    return (PanelRow((panel,), subject, legend=legend),)


def _arcs(sentence: Sentence, viewing: Viewing, marks: Highlight | None) -> PanelRow:
    alignment: DependencyAlignment = sentence.alignment
    subject = subject_of(alignment.gold.to_string(), alignment.test.to_string())
    remark = ""
    if not len(alignment.test):
        remark = f"{sentence.parse_name}: no parse"
    elif alignment.status == "words_differ":
        remark = "Tokens differ; words are aligned by the characters they cover."
    elif {*alignment.gold_status, *alignment.test_status} <= {Status.RIGHT, None}:
        remark = "All arcs are right."
    counts = tuple(
        PanelCount(status, name, alignment.number(status, relabeled=relabeled), hint)
        for status, relabeled, name, hint in _COUNTED
    )
    names = {"gold_name": sentence.gold_name, "parse_name": sentence.parse_name}
    title = f"Arcs: {sentence.gold_name} above, {sentence.parse_name} below"
    drawing = Drawing(alignment, title, "arcs", names)
    return PanelRow(
        (Panel(drawing, ((f"words of {sentence.gold_name}", counts),), remark),),
        subject,
        legend=arc_legends(ARC_LEGEND, sentence.gold_name, sentence.parse_name),
        highlight=marks,
        word=viewing.index("at", "", len(alignment.gold)),
        words=None if viewing.is_brief else words_selection(alignment),
    )


def _lineages(sentence: Sentence, viewing: Viewing, chosen: int | None) -> list[Block]:
    """Return the relations from a word up to the root in both trees."""
    word = next((word for word in sentence.alignment.words if word.position == chosen), None)
    if word is None:
        return [note("This word is not counted.")]
    if word.test is None:
        return [
            note(f"This word has no aligned word in {sentence.parse_name}, so there is nothing to compare it with.")
        ]
    names = {"gold_name": sentence.gold_name, "parse_name": sentence.parse_name}
    options = {"metric": viewing.chosen(SCHEME), **names}
    return [drawn(Drawing(word, "Its relations, from the word to the root", "relations", options=options))]
