"""Metric lab: two trees to type or edit, and how each metric scores them, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaltools import align
from evaltools.app.components.blocks import show_blocks, show_problems
from evaltools.app.components.tree_editor import tree_editor
from evaltools.app.lab import (
    MAX_CHARACTERS,
    LabTrees,
    current_trees,
    pack,
    phrases_read_as_tags,
    put_trees,
)
from evaltools.app.sentence import show_panels
from evaltools.app.session import state
from evaltools.app.widgets.pickers import menu, switch
from evaltools.app.widgets.saving import Origin, Saving, block_files, drawing_files, made_here, save
from evaltools.blocks import Block, answer, drawn, formulas, note, scores, steps, triples
from evaltools.classroom.examples import lab_pairs
from evaltools.corpus import Kind, Tree
from evaltools.drawing import Drawing
from evaltools.frameworks.common.lineages import GRADED, WordComparison, lineage_table
from evaltools.frameworks.constituency import tree_distance
from evaltools.frameworks.constituency.aligned_trees import SCOPES, Alignment, link_of
from evaltools.frameworks.constituency.alternatives import MAX_PAIRS, Alternative, alternative_mapping
from evaltools.frameworks.constituency.bracketing import metric_id
from evaltools.frameworks.constituency.framework import CONSTITUENCY
from evaltools.frameworks.constituency.views import (
    BRACKETING,
    edits_phrase,
    formula_rows,
    lone_word_note,
    mapping_drawing,
    script_note,
    status_note,
    tree_panels,
)
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.frameworks.views import word_strip
from evaltools.marks import Status
from evaltools.runs.store import Run
from evaltools.text import count_of, decimals, percent, percentage, significant

_MAX_WORDS_BESIDE = 13  # the picture of a longer sentence gets the whole width
_METRICS = {metric.id: metric for metric in CONSTITUENCY.metrics}
_TREE_EDIT = tree_distance.METRICS[0].id

PARTS = {"roof": "phrases only", "whole": "incl. POS tags"}
"""Which brackets E counts."""

_PRESETS = {
    "none": "none: the trees as they are",
    "standard": "standard: without punctuation, functions cut",
    "collins": "COLLINS.prm, as evalb applies it",
    "new": "new.prm, as evalb applies it",
}


@dataclass(frozen=True)
class Choices:
    """The reader's rules."""

    preset: str = "none"  # Name of the preset
    part: str = "roof"  # Which brackets E counts

    @cached_property
    def rules(self) -> Preset:
        """The preset."""
        return load_preset(self.preset)

    @property
    def board(self) -> list[Metric]:
        """The metrics that are shown."""
        brackets = [metric_id(name, self.part) for name in ("f1", "recall", "precision")]
        return [_METRICS[name] for name in (*brackets, _TREE_EDIT, GRADED, "errors")]

    @property
    def origin(self) -> Origin:
        """Where pictures and tables of the lab come from, for files."""
        return made_here("lab", "two trees of the metric lab", self.preset)


def current_choices() -> Choices:
    """Return the choices in the URL."""
    preset, part = state.get("lab_preset"), state.get("lab_part")
    return Choices(preset if preset in _PRESETS else "none", part if part in PARTS else "roof")


def render(run: Run | None) -> None:
    """Draw the page."""
    st.header("Metric lab", anchor=False)
    top = st.container()
    trees, choices = current_trees(), current_choices()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _choose_trees(trees)
    _type_trees(trees)
    gold, edited = trees.gold.tree, trees.edited
    if gold is None or edited is None:
        with top:
            show_blocks(answer("Enter two trees: correct what is marked below."), key="lab_answer")
        return
    plain, alignment = align(gold, edited.tree), align(gold, edited.tree, choices.rules)
    before = None if edited.before is None else align(gold, edited.before, choices.rules)
    scored = board(alignment, before, choices)
    with top:
        show_blocks(answer(lab_line(alignment, choices)), *_notes(trees, plain, alignment, choices), key="lab_answer")
    picture, beside, below = _columns(len(gold.words) > _MAX_WORDS_BESIDE)
    with picture:
        tree_editor(plain, edited, key="lab_editor")
    with beside:
        show_blocks(scored, key="lab_board")
    with below:
        menu("Preset", _PRESETS, name="lab_preset")
        switch("Brackets counted (E)", PARTS, name="lab_part")
    drawings = (
        replace(mapping_drawing(plain, "t", fold=False), suffix="both"),
        Drawing(plain.gold, "Gold tree", "gold"),
        Drawing(plain.test, "Parse", "parse"),
    )
    saved = [*_as_files(drawings, choices), *block_files((scored,), choices.origin), *_sections(alignment, choices)]
    save("lab", *saved)


def _columns(is_long: bool) -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    """Return the containers of picture, scores and rules: side by side, or below the picture of a long sentence."""
    if is_long:
        return st.container(), *st.columns(2, gap="medium")
    left, right = st.columns([5, 3], gap="medium")
    return left, right.container(), right.container()


def _as_files(drawings: tuple[Drawing, ...], choices: Choices) -> Iterator[Saving]:
    for drawing in drawings:
        yield drawing_files(drawing.titled(drawing.title), choices.origin)


def _choose_trees(trees: LabTrees) -> None:
    """Let the reader choose an example, and type trees."""
    pairs = lab_pairs()
    chosen = "" if trees.pair is None else trees.pair.id
    with st.container(width=420):
        st.selectbox(
            "Start from",
            [*pairs] if chosen else ["", *pairs],
            format_func=lambda name: pairs[name].title if name else "Your own trees",
            **state.bind("lab_pair", chosen, None, change=lambda pair: put_trees(pair=pair)),
        )
    st.toggle("Trees as text", **state.bind("lab_text", state.get("lab_text") == "1", False, write=int))


def _type_trees(trees: LabTrees) -> None:
    """Show the trees as editable text with their problems, on request or if there are problems."""
    if state.get("lab_text") != "1" and not (trees.gold.problems or trees.test.problems):
        return
    texts = {"gold": trees.gold.text, "test": trees.test_text}

    def writer(side: str) -> Callable[[str], None]:
        return lambda text: put_trees(**{name: pack(text or " ") for name, text in (texts | {side: text}).items()})

    sides = ("gold", "Gold tree", trees.gold), ("test", "Parse", trees.test)
    for column, (side, title, typed) in zip(st.columns(2, gap="medium"), sides, strict=True):
        with column:
            st.text_area(
                title,
                max_chars=MAX_CHARACTERS,
                placeholder="(S (NP (N dogs)) (VP (V bark)))",
                help="Round brackets (S (NP (N dogs)) …) or square ones [S dogs bark ], on one line or on several.",
                **state.bind(f"lab_{side}", texts[side], None, change=writer(side)),
            )
            if typed.problems:
                show_problems(typed.problems, key=f"lab_problems_{side}")


def board(alignment: Alignment, before: Alignment | None, choices: Choices) -> Block:
    """Return the scores, and how much the last edit has changed them."""
    rows = []
    for metric in choices.board:
        value = alignment.scores.get(metric.id)
        old = None if before is None else before.scores.get(metric.id)
        change = ""
        if value is not None and old is not None and abs(value - old) > 5e-4:
            change = f"{'+' if value > old else '−'}{metric.text(abs(value - old), whole=True)}"
        rows.append((metric.title, value if metric.is_share else None, metric.text(value, whole=True), change))
    return scores(rows)


def lab_line(alignment: Alignment, choices: Choices) -> str:
    """Say in one line how alike the trees are, and which metric is the mildest and which the most severe."""
    words = count_of(len(alignment.gold_words), "word")
    if alignment.status == "missing" or not len(alignment.gold):
        return f"{words}: this preset leaves nothing to score."
    if not alignment.t.steps and not alignment.e.steps and alignment.status == "ok":
        return f"{words}: the two trees are equal by every metric."
    figures = [
        (value, metric.short)
        for metric in choices.board
        if metric.is_share and (value := alignment.scores.get(metric.id)) is not None
    ]
    line = f"{words}: {', '.join(f'{title} {percent(value)}' for value, title in figures)}{edits_phrase(alignment)}."
    (lowest, severe), (highest, mild) = min(figures), max(figures)
    return f"{line} Of these, {severe} is the most severe, {mild} the mildest." if highest - lowest > 5e-4 else line


def _notes(trees: LabTrees, plain: Alignment, alignment: Alignment, choices: Choices) -> Iterator[Block]:
    """Yield what to know of these trees: the point of the example, how they were read, how they are compared."""
    if trees.pair is not None:
        yield note(f"{'Before your edits: ' if plain.test != trees.test.tree else ''}{trees.pair.note}")
    if phrases := phrases_read_as_tags(plain.gold, plain.test):
        yield note(phrases)
    if plain.gold.words != plain.test.words:
        here = status_note(alignment, "the gold tree", "the parse")
        if alignment.status == "ok":
            here = "With this preset the words that are compared are the same, so that all metrics are defined."
        yield note(here)


def _sections(alignment: Alignment, choices: Choices) -> Iterator[Saving]:
    """Draw how each figure comes about, below headings that open and close; yield the files of what is open."""
    sections: dict[str, tuple[str, Callable[[Alignment, Choices], Iterator[Saving]]]] = {
        "e": (metric_id("f1", choices.part), show_brackets),
        "la": (GRADED, show_lineages),
        "t": (_TREE_EDIT, show_distance),
    }
    shown = [name for name in sections if name in state.get("lab_show").split()]
    for name, (metric_name, show) in sections.items():
        metric = _METRICS[metric_name]
        value = metric.text(alignment.scores.get(metric.id), whole=True)
        after = " ".join(item for item in sections if (item in shown) != (item == name))
        with st.container(border=True, key=f"lab_section_{name}"):
            st.button(
                f"{metric.family.title} ({metric.short} {value})",
                icon=":material/expand_more:" if name in shown else ":material/chevron_right:",
                type="tertiary",
                key=f"lab_open_{name}",
                on_click=state.put,
                kwargs={"lab_show": after or None},
            )
            if name in shown:
                yield from show(alignment, choices)


def _chosen(section: str, number: int) -> int | None:
    """Return which of so many brackets or steps of a section the link names."""
    value = state.get("lab_step")
    is_step = value[:1] == section and value[1:].isdecimal() and len(value) < 7
    return int(value[1:]) if is_step and int(value[1:]) < number else None


def _formulas(alignment: Alignment, heading: str) -> Block:
    """Return the formulas below a heading with their numbers."""
    rows = formula_rows(alignment)
    begin = next(index for index, row in enumerate(rows) if row[0] == heading)
    end = next((index for index in range(begin + 1, len(rows)) if not rows[index][3]), len(rows))
    return formulas(
        [row for row in rows[begin:end] if row[0] != "Jaccard"], f"{heading.partition('-')[0]} with these numbers"
    )


def _row(tree: Tree, node: int, number: int, status: Status) -> tuple[int, str, str, str, str]:
    start, end = tree.span(node)
    return number, status, " ".join(tree.words[start:end]) or "∅", f"{start}–{end}", tree.labels[node] or "∅"


def show_brackets(alignment: Alignment, choices: Choices) -> Iterator[Saving]:
    """Show the sets of brackets, the E-mapping, and the formulas with the numbers put in."""
    gold, test, e, part = alignment.gold, alignment.test, alignment.e, choices.part
    kinds = {Kind.PHRASE} if part == "roof" else {Kind.PHRASE, Kind.PRETERMINAL}

    def rows(
        tree: Tree, statuses: tuple[Status | None, ...], first: int, status: Status
    ) -> list[tuple[int, str, str, str, str]]:
        """Return the brackets of a tree that are right, or those that are not; outer before inner."""
        nodes = [
            node
            for node in range(len(tree))
            if tree.kinds[node] in kinds and (statuses[node] is Status.RIGHT) == (status is Status.RIGHT)
        ]
        nodes.sort(key=lambda node: (tree.starts[node], -tree.ends[node], -node))
        return [_row(tree, node, first + node, status) for node in nodes]

    sets = {
        "In both trees": rows(gold, e.gold_status, 0, Status.RIGHT),
        "Only in the gold tree": rows(gold, e.gold_status, 0, Status.MISSING),
        "Only in the parse": rows(test, e.test_status, len(gold), Status.SPURIOUS),
    }
    both, missing, spurious = map(len, sets.values())
    noun = SCOPES[part]
    columns = [
        (title, f"{letter} = {'1 bracket' if (len(listed), part) == (1, 'roof') else f'{len(listed)} {noun}'}", listed)
        for letter, (title, listed) in zip("MDI", sets.items(), strict=True)
    ]
    chosen = _chosen("e", len(gold) + len(test))
    blocks: tuple[Block, ...] = (
        note(
            f"{'Each phrase' if part == 'roof' else 'Each phrase and each tag'} is a bracket: a label and a span of "
            "words; positions are counted between words from 0. Repeated brackets are matched one by one. "
            f"Gold has {both} + {missing} = {both + missing} brackets, the parse "
            f"{both} + {spurious} = {both + spurious}."
        ),
        *triples(columns, chosen),
    )
    show_blocks(*blocks, key="lab_brackets", on_step=lambda number: state.put(lab_step=f"e{number}"))
    highlight = None
    if chosen is not None:
        highlight = (chosen, None) if chosen < len(gold) else (None, chosen - len(gold))
    yield from _panel(alignment, choices, "e", highlight)
    figures = _formulas(alignment, BRACKETING[part])
    show_blocks(figures, key="lab_e_formulas")
    yield from block_files((*blocks, figures), choices.origin)


def _panel(
    alignment: Alignment, choices: Choices, mapping: str, highlight: tuple[int | None, int | None] | None
) -> Iterator[Saving]:
    row = tree_panels(alignment, mappings=(mapping,), part=choices.part, fold=False, highlight=highlight)
    show_panels(row, key=f"lab_{mapping}_viewer")
    yield from _as_files(tuple(panel.drawing for panel in row.panels), choices)


def show_distance(alignment: Alignment, choices: Choices) -> Iterator[Saving]:
    """Show the T-mapping, what it costs, and the formulas with the numbers put in."""
    script = alignment.t.steps
    chosen = _chosen("t", len(script))
    says = note(
        "A mapping pairs nodes of the two trees and keeps their order and ancestry. A gold node that is not mapped is "
        "missing (deleted), a node of the parse that is not mapped is spurious (inserted), a node mapped to another "
        "label is relabeled: each costs 1. The cheapest mapping counts."
    )
    show_blocks(says, key="lab_t_says")
    yield from _panel(alignment, choices, "t", None if chosen is None else (script[chosen].gold, script[chosen].test))
    blocks = (
        note(f"{script_note('t', len(script))} The total cost is {significant(tree_distance.edit_cost(alignment))}."),
        steps([(step.status.value, step.text) for step in script], chosen=chosen, file_title="Edit script"),
        _formulas(alignment, "T-mapping: tree-edit alignment"),
    )
    show_blocks(*blocks, key="lab_t_steps", on_step=lambda index: state.put(lab_step=f"t{index}"))
    others = _another(alignment, choices.rules)
    show_blocks(*others, key="lab_t_other")
    yield from block_files((*blocks, *others), choices.origin)


_REASONS = {
    "matches": "The canonical one matches more nodes: {canonical_matched} instead of {matched}.",
    "kinds": (
        "Both match {matched} nodes. The canonical one pairs more tags with tags and phrases with phrases: "
        "{canonical_kinds} instead of {kinds}."
    ),
    "spans": (
        "Both match {matched} nodes. The canonical one pairs more nodes over the same words: {canonical_spans} instead "
        "of {spans}."
    ),
    "order": (
        "Both match {matched} nodes and pair {spans} nodes over the same words, so all scores are equal. A fixed rule "
        "selects the canonical one: from the root downwards, mapping is preferred to deletion, and deletion to "
        "insertion."
    ),
}


@st.cache_resource(max_entries=128, show_spinner=False)
def _alternative(trees: str, preset: str, _alignment: Alignment, _preset: Preset) -> Alternative | None:
    return alternative_mapping(_alignment, _preset)


def _another(alignment: Alignment, preset: Preset) -> list[Block]:
    """Return another cheapest mapping, and why it was not taken."""
    if not alignment.t.steps or alignment.status == "missing":
        return []
    if len(alignment.gold) * len(alignment.test) > MAX_PAIRS:
        return [note("The trees are too large to search for another mapping of the same cost.")]
    trees = " ".join(f"{tree.to_string()} {tree.kinds}" for tree in (alignment.gold, alignment.test))
    found = _alternative(trees, preset.name, alignment, preset)
    if found is None:
        return [note("The canonical mapping is the only one of this cost.")]
    names = ("canonical_matched", "matched", "canonical_kinds", "kinds", "canonical_spans", "spans")
    reason = _REASONS[found.reason].format(**{name: getattr(found, name) for name in names})
    drawing = mapping_drawing(replace(alignment, t=found.mapping), "t", fold=False, legend=False)
    return [
        drawn(drawing, "Another mapping of the same cost"),
        note(f"Its cost is also {found.cost}. {reason}"),
        steps([(step.status.value, step.text) for step in found.mapping.steps], file_title="Its edit script"),
    ]


def _word(alignment: Alignment) -> WordComparison:
    """Return the word that the link names, else the one whose lineages are farthest apart."""
    value = state.get("lab_word")
    if value.isdecimal() and len(value) < 6 and int(value) < len(alignment.words):
        return alignment.words[int(value)]

    def distance(word: WordComparison) -> float:
        return (1 - word.scores.get(GRADED, 1.0)) * (len(word.gold) + len(word.test or ()))

    return max(alignment.words, key=distance)


def show_lineages(alignment: Alignment, choices: Choices) -> Iterator[Saving]:
    """Show what LA makes of every word, and step by step of one."""
    if not alignment.words:
        show_blocks(note("Leaf-ancestor (LA) is undefined for these trees."), key="lab_lineages")
        return
    word = _word(alignment)
    values = [value for item in alignment.words if (value := item.scores.get(GRADED)) is not None]
    total, count = sum(values), len(values)
    blocks = (
        note(
            "A word’s lineage is the string of labels from the word to the root, with [ before the label of the "
            "highest phrase that begins at the word and ] after that of the highest that ends there. Click a word."
        ),
        word_strip(alignment, GRADED, word.position),
        note(
            f"LA is the mean over the words: {decimals(total, 3)} / {count} = "
            f"{percentage(total / count if count else None, 2)}"
        ),
        *_steps(alignment, word),
    )
    show_blocks(*blocks, key="lab_lineages", on_word=lambda chosen: state.put(lab_word=chosen))
    yield from block_files(blocks, choices.origin)


def _steps(alignment: Alignment, word: WordComparison) -> list[Block]:
    """Return the two lineages of a word, and the table of their edit distance."""
    if word.test is None:
        return [note(lone_word_note(word, "the gold tree", "the parse"))]
    table = lineage_table(word.gold, word.test, GRADED, classes=word.label_classes)
    options = {"metric": GRADED, "link": link_of(alignment, word)}
    return [
        drawn(Drawing(word, f"“{word.form}”: its two lineages, symbol by symbol", "lineages", options=options)),
        drawn(Drawing(table, f"“{word.form}”: the table of their edit distance", "lineage-table")),
        note(
            "Each cell is the cost of turning the gold lineage up to its row into the parse’s lineage up to its "
            "column. A step down deletes a symbol (1), a step to the right inserts one (1), a diagonal step keeps an "
            "equal symbol (0) or replaces one. The path is the cheapest way to the last cell."
        ),
    ]
