"""How the numbers come about: a section for each metric, opened and closed by its heading; the link says which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pandas as pd
import streamlit as st

from evaltools import EDM_PRESETS, align_graphs, load_edm_rules, tedeval_protocol
from evaltools.app.components.blocks import show_blocks
from evaltools.app.components.live_text import live_text
from evaltools.app.lab.rules import Choices, lab_origin
from evaltools.app.lab.trees import MAX_CHARACTERS, pack, read_typed, unpack
from evaltools.app.sentence import show_panels, show_sentence
from evaltools.app.session import state
from evaltools.app.widgets.saving import Origin, made_here, save_table
from evaltools.classroom.examples import PERSUADE, PERSUADE_WRONG
from evaltools.corpus import (
    FunctionTree,
    Kind,
    SemanticGraph,
    Tree,
    constituency_function_tree,
    labelled_function_tree,
    multi_function_tree,
)
from evaltools.corpus.constituent_functions import functions_of
from evaltools.drawing import Bars, FunctionBar
from evaltools.drawing.blocks import Block, Drawing, drawn, formulas, note, picture, steps, triples
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import Source, read_semantics
from evaltools.frameworks.common.lineages import GRADED, OWN_COSTS, SCHEMES, WordComparison, lineage_table
from evaltools.frameworks.constituency.aligned_trees import SCOPES, Alignment, link_of
from evaltools.frameworks.constituency.alternatives import MAX_PAIRS, Alternative, alternative_mapping
from evaltools.frameworks.constituency.bracketing import crossing_pairs
from evaltools.frameworks.constituency.framework import CONSTITUENCY
from evaltools.frameworks.constituency.tree_distance import edit_cost
from evaltools.frameworks.constituency.views import (
    BRACKETING,
    formula_rows,
    lone_word_note,
    mapping_drawing,
    script_note,
    tree_panels,
)
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.crossframework.framework import CROSSFRAMEWORK
from evaltools.frameworks.crossframework.views import (
    bars_drawing,
    compared_over,
    protocol_drawing,
    protocol_formulas,
    protocol_step,
)
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.metric import over_part
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.semantics.framework import SEMANTICS
from evaltools.frameworks.views import PanelRow, Sentence, word_strip
from evaltools.marks import Status
from evaltools.text import decimals, percent, percentage, significant


def both_trees(drawing: Drawing) -> Drawing:
    """Return the drawing of a mapping with its full title, which saved files also show."""
    title = f"{drawing.heading or drawing.title}; gold tree above, test tree below"
    return replace(drawing, heading=title).titled(title)


def titled_panels(row: PanelRow) -> PanelRow:
    """Return panels with the full titles of their mappings, on the page and in saved files."""
    saved = tuple(both_trees(panel.drawing) for panel in row.panels)
    panels = tuple(replace(panel, heading=item.heading) for panel, item in zip(row.panels, saved, strict=True))
    return replace(row, panels=panels, saved=saved)


Row = tuple[int, str, str, str, str]


def _brackets(tree: Tree, part: str) -> Iterator[int]:
    """Yield the nodes whose brackets count, outer before inner, left before right."""
    kinds = {Kind.PHRASE} if part == "roof" else {Kind.PHRASE, Kind.PRETERMINAL}
    nodes = [node for node in range(len(tree)) if tree.kinds[node] in kinds]
    yield from sorted(nodes, key=lambda node: (tree.starts[node], -tree.ends[node], -node))


def _row(tree: Tree, node: int, number: int, status: str) -> Row:
    start, end = tree.span(node)
    return number, status, " ".join(tree.words[start:end]) or "∅", f"{start}–{end}", tree.labels[node] or "∅"


def show_brackets(alignment: Alignment, choices: Choices) -> None:
    """Show the sets of brackets, the E-mapping, and the formulas with the numbers put in."""
    e, part = alignment.e, choices.part
    sides = (alignment.gold, e.gold_status, "missing"), (alignment.test, e.test_status, "spurious")
    both = [node for node in _brackets(alignment.gold, part) if e.gold_status[node] is Status.RIGHT]
    rows = [[_row(alignment.gold, node, node, "right") for node in both]]
    for (tree, statuses, mark), first in zip(sides, (0, len(alignment.gold)), strict=True):
        alone = [node for node in _brackets(tree, part) if statuses[node] is not Status.RIGHT]
        rows.append([_row(tree, node, first + node, mark) for node in alone])
    counts = [f"{letter} = {_many(len(item), part)}" for letter, item in zip("MDI", rows, strict=True)]
    titles = "In both trees", "Only in the gold tree", "Only in the test tree"
    columns = list(zip(titles, counts, rows, strict=True))
    chosen = _chosen("e", len(alignment.gold) + len(alignment.test))
    kinds = "Each phrase is a bracket" if part == "roof" else "Each phrase and each tag is a bracket"
    gold, test = (f"{len(rows[0])} + {len(item)} = {len(rows[0]) + len(item)}" for item in rows[1:])
    show_blocks(
        note(
            f"{kinds}: a label and a span of words; positions are counted between words from 0. Repeated brackets are "
            f"matched one by one. Gold has {gold} brackets, test {test}."
        ),
        triples(columns, chosen=chosen, title="Brackets"),
        key="lab_brackets",
        origin=lab_origin(choices),
        on_step=lambda number: state.put(lab_step=f"e{number}"),
    )
    highlight = None
    if chosen is not None:
        in_gold = chosen < len(alignment.gold)
        highlight = (chosen, None) if in_gold else (None, chosen - len(alignment.gold))
    origin = lab_origin(choices)
    row = titled_panels(tree_panels(alignment, mappings=("e",), part=part, fold=False, highlight=highlight))
    show_panels(row, key="lab_e_viewer", origin=origin)
    wanted = [row for row in formula_rows(alignment) if row[0] != "Cost" and row[0] != "with moves"]
    begin = next(index for index, row in enumerate(wanted) if row[0] == BRACKETING[part])
    show_blocks(
        formulas(wanted[begin : begin + 5], "The formulas with these numbers"), key="lab_e_formulas", origin=origin
    )


def _many(number: int, part: str) -> str:
    """Return a number of brackets with what is counted."""
    return f"{number} bracket" if (number, part) == (1, "roof") else f"{number} {SCOPES[part]}"


def _chosen(section: str, number: int) -> int | None:
    """Return which of so many brackets or steps of a section the link names."""
    value = state.get("lab_step")
    is_step = value[:1] == section and value[1:].isdecimal() and len(value) < 7
    return int(value[1:]) if is_step and int(value[1:]) < number else None


def show_crossing(alignment: Alignment, choices: Choices) -> None:
    """Show which brackets of the test tree cross brackets of the gold tree."""
    if alignment.status != "ok":
        show_blocks(note("Tokens differ, so crossing brackets are not shown."), key="lab_crossing")
        return
    pairs = crossing_pairs(alignment.gold, alignment.test)
    if not pairs:
        show_blocks(
            note("No bracket of the test tree crosses a bracket of the gold tree."),
            key="lab_crossing",
        )
        return
    test = list(dict.fromkeys(item for _, item in pairs))
    text = "1 bracket of the test tree crosses" if len(test) == 1 else f"{len(test)} brackets of the test tree cross"
    blocks = [note(f"{text} brackets of the gold tree: they overlap, and neither lies inside the other.")]
    for index, node in enumerate(test):
        against = [gold for gold, item in pairs if item == node]
        nodes = [_bar(alignment.test, node, Status.SPURIOUS)]
        nodes += [_bar(alignment.gold, gold, Status.MISSING) for gold in against]
        bars = Bars(alignment.gold.words, nodes, label="crossing brackets")
        words = " ".join(alignment.test.words[slice(*alignment.test.span(node))])
        title = f"{index + 1}. {alignment.test.labels[node]} over “{words}”"
        blocks.append(drawn(Drawing(bars, title, f"crossing-{index + 1}")))
    with st.container():
        says = note("<: bracket of the gold tree; >: bracket of the test tree.")
        show_blocks(*blocks, says, key="lab_crossing", origin=lab_origin(choices))


def _bar(tree: Tree, node: int, status: Status) -> FunctionBar:
    return FunctionBar(frozenset(range(*tree.span(node))), ((tree.labels[node] or "∅", status, False),), status)


def show_distance(alignment: Alignment, choices: Choices) -> None:
    """Show the T-mapping, what it costs, and the formulas with the numbers put in."""
    origin = lab_origin(choices)
    script = alignment.t.steps
    chosen = _chosen("t", len(script))
    highlight = None if chosen is None else (script[chosen].gold, script[chosen].test)
    show_blocks(
        note(
            "A mapping pairs nodes of the two trees and keeps their order and ancestry. A gold "
            "node that is not mapped is missing (deleted), a test node that is not mapped is spurious (inserted), a "
            "node mapped to another label is relabeled: each costs 1. The cheapest mapping counts."
        ),
        key="lab_t_says",
    )
    row = titled_panels(tree_panels(alignment, mappings=("t",), fold=False, highlight=highlight))
    show_panels(row, key="lab_t_viewer", origin=origin)
    rows = formula_rows(alignment)
    begin = next(place for place, row in enumerate(rows) if row[0] == "T-mapping: tree-edit alignment")
    end = next(place for place, row in enumerate(rows) if row[0] == "Leaf-ancestor")
    cost = edit_cost(alignment)
    show_blocks(
        note(f"{script_note('t', len(script))} The total cost is {significant(cost)}."),
        steps([(step.status.value, step.text) for step in script], chosen=chosen, title="Edit script"),
        formulas(rows[begin:end], "The formulas with these numbers"),
        key="lab_t_steps",
        on_step=lambda place: state.put(lab_step=f"t{place}"),
        origin=origin,
    )
    show_blocks(*_another(alignment, choices.rules, origin), key="lab_t_other", origin=origin)


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
def _alternative(trees: tuple[str, str], preset: str, _alignment: Alignment, _preset: Preset) -> Alternative | None:
    return alternative_mapping(_alignment, _preset)


def _another(alignment: Alignment, preset: Preset, origin: Origin) -> list[Block]:
    """Show another cheapest mapping, and say why it was not taken."""
    heading = "Another mapping of the same cost"
    if not alignment.t.steps or alignment.status == "missing":
        return []
    if len(alignment.gold) * len(alignment.test) > MAX_PAIRS:
        return [note("The trees are too large to search for another mapping of the same cost.")]
    trees = tuple(f"{tree.to_string()} {tree.kinds}" for tree in (alignment.gold, alignment.test))
    found = _alternative((trees[0], trees[1]), preset.name, alignment, preset)
    if found is None:
        return [note("The canonical mapping is the only one of this cost.")]
    names = ("cost", "canonical_matched", "matched", "canonical_kinds", "kinds", "canonical_spans", "spans")
    reason = _REASONS[found.reason].format(**{name: getattr(found, name) for name in names})
    other = replace(alignment, t=found.mapping)
    drawing = replace(mapping_drawing(other, "t", fold=False), title=heading, heading=heading, suffix="other-t")
    files = both_trees(drawing)
    return [
        picture(drawing.draw(theme="auto", legend=False), files.heading, files=files),
        note(f"Its cost is also {found.cost}. {reason}"),
        steps([(step.status.value, step.text) for step in found.mapping.steps], title="Its edit script"),
    ]


def _scheme(choices: Choices) -> str:
    """Let the reader choose what replacements cost."""
    known = [scheme for scheme in SCHEMES if scheme != OWN_COSTS or choices.has_costs]
    default = OWN_COSTS if choices.has_costs else GRADED
    value = state.get("lab_la", default)
    chosen = st.segmented_control(
        "Replacements",
        known,
        format_func=lambda one: SCHEMES[one],
        required=True,
        **state.bind("lab_la", value if value in known else default, default),
    )
    return str(chosen or default)


def _word(alignment: Alignment) -> WordComparison:
    """Return the word that the link names, else the one whose lineages are farthest apart."""
    value = state.get("lab_word")
    if value.isdecimal() and len(value) < 6 and int(value) < len(alignment.words):
        return alignment.words[int(value)]

    def distance(word: WordComparison) -> float:
        return (1 - word.scores.get(GRADED, 1.0)) * (len(word.gold) + len(word.test or ()))

    return max(alignment.words, key=distance)


def show_lineages(alignment: Alignment, choices: Choices) -> None:
    """Show what LA makes of every word, and step by step of one."""
    if not alignment.words:
        show_blocks(note("Leaf-ancestor (LA) is undefined for these trees."), key="lab_lineages")
        return
    scheme = _scheme(choices)
    scores = {word.position: word.scores.get(scheme) for word in alignment.words}
    word = _word(alignment)
    origin = lab_origin(choices)
    total = sum(value for value in scores.values() if value is not None)
    count = sum(value is not None for value in scores.values())
    show_blocks(
        note(
            "A word’s lineage is the string of labels from the word to the root, with [ before the label of the "
            "highest phrase that begins at the word and ] after that of the highest that ends there. Click a word."
        ),
        word_strip(alignment, scheme, word.position),
        note(
            f"LA is the mean over the words: {decimals(total, 3)} / {count} = "
            f"{percentage(total / count if count else None, 2)}"
        ),
        *_steps(alignment, word, scheme, choices),
        key="lab_lineages",
        on_word=lambda chosen: state.put(lab_word=chosen),
        origin=origin,
    )
    with st.container(key="lab_all_lineages"):
        rows = [
            {
                "word": item.form,
                "gold lineage": " ".join(item.gold),
                "test lineage": " ".join(item.test or ()),
                SCHEMES[scheme]: percent(item.scores.get(scheme)),
            }
            for item in alignment.words
        ]
        with st.popover("The lineages of all words"):
            st.dataframe(pd.DataFrame(rows), hide_index=True, width="content", key="lab_lineage_table")
        save_table(pd.DataFrame(rows), "lab_all_lineages", origin.caption("The lineages of all words"))


def _steps(alignment: Alignment, word: WordComparison, scheme: str, choices: Choices) -> list[Block]:
    if word.test is None:
        return [note(lone_word_note(word, "the gold tree", "the test tree"))]
    costs = choices.costs(alignment.gold, alignment.test)
    table = lineage_table(word.gold, word.test, scheme, costs, word.label_classes)
    options = {"metric": scheme, "table": costs, "link": link_of(alignment, word)}
    return [
        drawn(Drawing(word, f"“{word.form}”: its two lineages, symbol by symbol", "lineages", options=options)),
        drawn(Drawing(table, f"“{word.form}”: the table of their edit distance", "lineage-table")),
        note(
            "Each cell is the cost of turning the gold lineage up to its row into the test lineage up to its column. "
            "A step down deletes a symbol (1), a step to the right inserts one (1), a diagonal step keeps an equal "
            "symbol (0) or replaces one. The path is the cheapest way to the last cell."
        ),
    ]


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
        return percent(_protocol(gold, test, _third(), _what(gold, test)).score)
    except ParameterError:
        return percent(None)


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


_SIDES = {"gold": ("lab_graph", "Gold graph", PERSUADE), "test": ("lab_graph2", "Test graph", PERSUADE_WRONG)}


@st.cache_resource(max_entries=128, show_spinner=False)
def _read(text: str, name: str) -> tuple[SemanticGraph | None, tuple[Problem, ...]]:
    """Return a typed graph, and its problems."""
    try:
        bank = read_semantics(Source.from_bytes(text.encode("utf-8", "replace"), name))
    except InputError as error:
        return None, (error.problem,)
    problems = list(bank.problems)
    if len(bank.items) > 1:
        problems.append(Problem("text", name, bank.items[1].line, None, "a second graph, which is left out", "one"))
    return bank.items[0].graph if bank.items else None, tuple(problems)


def _typed(name: str, example: str) -> Callable[[str], None]:
    return lambda text: state.put(**{name: None if text == example else pack(text or " "), "step": None})


def show_graphs() -> None:
    """Show two semantic graphs as editable text, and how elementary dependency match compares them."""
    graphs = {}
    for column, (side, (name, title, example)) in zip(st.columns(2, gap="medium"), _SIDES.items(), strict=True):
        with column:
            text = unpack(state.get(name)) or example
            graphs[side], problems = _read(text, side)
            live_text(
                title,
                text,
                problems,
                key=f"lab_text_{name}",
                on_text=_typed(name, example),
                rows=9,
                max_length=MAX_CHARACTERS,
                hint="EDS, SimpleMRS, DMRS or a line of the MRP tasks.",
            )
    value = state.get("lab_edm", "dridan-oepen-2011")
    preset = st.selectbox(
        "Preset",
        list(EDM_PRESETS),
        format_func=lambda name: f"{name}: {EDM_PRESETS[name]}",
        **state.bind("lab_edm", value if value in EDM_PRESETS else "dridan-oepen-2011", "dridan-oepen-2011"),
    )
    if graphs["gold"] is None or graphs["test"] is None:
        show_blocks(note("Enter two graphs: correct what is marked above."), key="lab_graphs_says")
        return
    show_blocks(
        note(
            "A graph is a set of triples: names of nodes, arguments between nodes, properties with their "
            "values. A node is identified by its span of characters. Triples that both graphs have are matched."
        ),
        key="lab_graphs_says",
    )
    compared = align_graphs(graphs["gold"], graphs["test"], load_edm_rules(str(preset)))
    origin = made_here("lab", "two graphs of the metric lab", str(preset))
    show_sentence(SEMANTICS, Sentence(compared), origin, key="lab_graphs", has_summary=False)


_SECTIONS = ("e", "crossing", "la", "t", "tedeval", "edm")


def show_sections(gold: Tree, test: Tree, alignment: Alignment, choices: Choices) -> None:
    """Draw the sections."""
    trees = CONSTITUENCY
    shown = {metric.family.chapter: metric for metric in over_part(trees.metrics, choices.part)}
    titles = {
        name: f"{metric.family.title} ({metric.short} {metric.text(alignment.scores.get(metric.id), whole=True)})"
        for name, metric in shown.items()
    }
    counted = next(metric for metric in trees.metrics if metric.place.lab and not metric.is_share)
    titles |= {
        "crossing": f"{counted.title}: {counted.text(alignment.scores.get(counted.id), whole=True)}",
        "tedeval": f"{_approach(CROSSFRAMEWORK)} ({function_score(gold, test)})",
        "edm": f"{_approach(SEMANTICS)}: two separate graphs",
    }
    show: dict[str, Callable[[], None]] = {
        "e": lambda: show_brackets(alignment, choices),
        "crossing": lambda: show_crossing(alignment, choices),
        "la": lambda: show_lineages(alignment, choices),
        "t": lambda: show_distance(alignment, choices),
        "tedeval": lambda: show_functions(gold, test, lab_origin(choices)),
        "edm": show_graphs,
    }
    for name in _SECTIONS:
        _section(name, titles[name], show[name])


def _approach(framework: Framework) -> str:
    return framework.metrics[0].family.title


def _section(name: str, title: str, show: Callable[[], None]) -> None:
    """Draw one section: its heading, and what is in it if it is open."""
    opened = [item for item in _SECTIONS if item in state.get("lab_show").split()]
    is_open = name in opened
    others = [item for item in opened if item != name]
    after = others if is_open else [item for item in _SECTIONS if item in {*opened, name}]
    with st.container(border=True, key=f"lab_section_{name}"):
        st.button(
            title,
            icon=":material/expand_more:" if is_open else ":material/chevron_right:",
            type="tertiary",
            key=f"lab_open_{name}",
            on_click=lambda: state.put(lab_show=" ".join(after) or None),
        )
        if is_open:
            show()
