"""A sentence of semantic graphs: text with spans, a picture of both graphs, lists of triples, formulas, wording."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from evaltools.blocks import Block, Choice, anchored, formulas, note, triples
from evaltools.corpus import SemanticGraph
from evaltools.drawing import Drawing, arc_legends
from evaltools.drawing.graph_content import GraphContent, content_of, segment_range, segments_of
from evaltools.drawing.graphs import node_text
from evaltools.drawing.measure import visible
from evaltools.errors import ParameterError
from evaltools.formats import SemanticItem, write_eds, write_penman
from evaltools.frameworks.metric import formula, formula_with
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment, TripleRow
from evaltools.frameworks.semantics.marked import compared_graphs, marked_graph
from evaltools.frameworks.semantics.passes import PASSES
from evaltools.frameworks.views import (
    GOLD,
    SHORT,
    Highlighted,
    MarkedView,
    Panel,
    PanelCount,
    PanelRow,
    Section,
    Selection,
    Sentence,
    SentenceView,
    SourceText,
    Viewing,
    fold_choice,
    marked_view,
    right_marks,
    subject_of,
    whole_picture,
)
from evaltools.marks import Status
from evaltools.text import count_of, noun_of, number, percent, percentage

_PROPERTIES = Choice(
    "properties", "Properties in the picture", {"differing": "that differ", "all": "all", "none": "none"}, "differing"
)

_ERRORS = (Status.MISSING, Status.SPURIOUS)
_COLUMNS = (("name",), ("argument",), ("property", "constant", "top"))
_METRICS = {metric.id: metric for kind in PASSES.values() for metric in kind.metrics}


def sentence_view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    """Return the view of a sentence."""
    alignment: GraphAlignment = sentence.alignment
    summary = graph_summary(alignment, sentence.number, sentence.gold_name, sentence.parse_name)
    remark = graph_status(alignment, sentence.gold_name, sentence.parse_name)
    texts = tuple(SourceText(name, _text(graph)) for name, graph in sentence.sources)
    if viewing.is_brief:
        texts = ()
    words = [] if alignment.kind.is_mapped else spans_of_text(alignment)
    text = (Section("text", (anchored(words),), place="above"),) if words else ()
    if alignment.gold is None and alignment.test is None:
        return SentenceView(summary, remark, sections=text, texts=texts, texts_heading="Graphs as text")
    fold = fold_choice(len(words), "equal nodes without a difference beside them are left out")
    folded = viewing.chosen(fold) == "1"
    properties = replace(_PROPERTIES, default=alignment.kind.properties)
    chosen = viewing.index("step", "r", len(alignment.triples))
    sections = (
        *text,
        _triples(alignment, chosen, only_differing=folded),
        Section("formulas", (formulas(graph_formulas(alignment)),), "Scores of this sentence"),
    )
    marked = _marked_view(sentence, viewing)
    is_drawn = marked is None or chosen is not None or viewing.chosen(_GRAPHS) == "1"
    return SentenceView(
        summary,
        remark,
        choices=(
            *(() if marked is None else (_RIGHT, SHORT, _GRAPHS)),
            fold,
            properties,
        ),
        marked=marked,
        rows=(_graphs(sentence, viewing, chosen, fold=folded, properties=viewing.chosen(properties)),)
        if is_drawn
        else (),
        sections=sections,
        texts=texts,
        texts_heading="Graphs as text",
    )


_RIGHT = right_marks("roles")
_GRAPHS = whole_picture("Graphs", "both graphs")
_KEYS = {"a": _RIGHT, "s": SHORT, "v": _GRAPHS}


def _marked_view(sentence: Sentence, viewing: Viewing) -> MarkedView | None:
    """Return the marked sentence of a parse, or of two parsers; None if a graph is missing or has no spans."""
    alignment: GraphAlignment = sentence.alignment
    if alignment.gold is None or alignment.test is None:
        return None
    subject = subject_of(alignment.gold.to_json(), alignment.test.to_json())
    if sentence.gold_name == GOLD:
        marks, parse_name = marked_graph(alignment), sentence.parse_name
    else:
        names = sentence.gold_name, sentence.parse_name
        marks = compared_graphs(*sentence.with_gold, names) if len(sentence.with_gold) == 2 else None
        parse_name = "parsers"
    return None if marks is None else marked_view(marks, viewing, subject, _KEYS, {"parse_name": parse_name})


def _text(graph: SemanticGraph | None) -> str:
    """Write a graph as EDS or in PENMAN notation, or as JSON if these cannot hold it."""
    if graph is None:
        return "no graph"
    write = write_penman if graph.is_unanchored else write_eds
    try:
        return write([SemanticItem(None, 0, graph.text, (graph,))]) or "no graph"
    except ParameterError:
        return graph.to_json()


def _triples(alignment: GraphAlignment, chosen: int | None, *, only_differing: bool) -> Section:
    columns = triple_columns(alignment, only_differing=only_differing)
    remark = "Click a triple to see it in the picture."
    if only_differing:
        remark = "Only triples that differ are listed. " + (remark if any(rows for _, _, rows in columns) else "")
    blocks: tuple[Block, ...] = (note(remark), *triples(columns, chosen))
    selection = Selection("step", tuple(f"r{index}" for index in range(len(alignment.triples))))
    return Section("triples", blocks, "Triples", steps=selection)


def _graphs(sentence: Sentence, viewing: Viewing, chosen: int | None, *, fold: bool, properties: str) -> PanelRow:
    """Return the picture of both graphs."""
    alignment: GraphAlignment = sentence.alignment
    gold_name, parse_name = sentence.gold_name, sentence.parse_name
    subject = subject_of(*(graph.to_json() if graph is not None else "" for graph in (alignment.gold, alignment.test)))
    unfolded = viewing.unfolded(subject)
    names = {"gold_name": gold_name, "parse_name": parse_name}
    rows = [row for row in alignment.triples if row.weight]
    counted = (
        (Status.RIGHT, "triples that are in both"),
        (Status.MISSING, f"triples that only {gold_name} has"),
        (Status.SPURIOUS, f"triples that only {parse_name} has"),
    )
    content = content_of(alignment, fold, unfolded, properties)
    hidden = len(content.nodes) - len(content.drawn)
    notes = []
    if all(row.status is Status.RIGHT for row in rows):
        notes.append("All triples that count are in both graphs.")
    if hidden:
        verb = "is" if hidden == 1 else "are"
        notes.append(f"{count_of(hidden, 'node')} that {verb} equal in both graphs {verb} left out.")
    counts = tuple(
        PanelCount(status, status, sum(row.status is status for row in rows), tip) for status, tip in counted
    )
    drawing = Drawing(
        alignment,
        f"Both graphs: {gold_name} and {parse_name}",
        "graphs",
        {"fold": fold, "unfolded": unfolded, "properties": properties, **names},
    )
    panel = Panel(drawing, (("triples", counts),), " ".join(notes))
    legend = arc_legends(alignment.kind.legend, gold_name, parse_name, has_boxes=True)
    marks = _marks(alignment, chosen, content)
    return PanelRow((panel,), subject, unfolded, legend, marks, hover="roles and words", folded="words")


def _marks(alignment: GraphAlignment, chosen: int | None, content: GraphContent) -> Highlighted | None:
    """Return the elements of a triple in the picture: its node, or its role and the nodes at both ends."""
    if chosen is None:
        return None
    row = alignment.triples[chosen]
    sides = ["gold", "test"] if row.status is Status.RIGHT else [row.side]
    source, target = (
        {
            node.number
            for node in content.nodes
            for side in sides
            if (index := getattr(row, f"{side}_{end}")) is not None and index == getattr(node, side)
        }
        for end in ("node", "target")
    )
    roles = {role.number for role in content.roles if role.source in source and role.target in target}
    status = "in both graphs" if row.status is Status.RIGHT else row.status
    label = " ".join(part for part in (row.label, row.value) if part)
    return Highlighted((*sorted(roles), *sorted(source | target)), (), (), f"{label} · {status}")


def graph_status(alignment: GraphAlignment, gold_name: str, parse_name: str) -> str:
    """Return why a sentence is not scored as usual; empty if it is."""
    if alignment.gold is None and alignment.test is None:
        return f"Neither {gold_name} nor {parse_name} has a graph for this sentence."
    if alignment.gold is None:
        return f"{gold_name} has no graph for this sentence. There is nothing to compare."
    if alignment.test is None:
        return (
            f"{parse_name} has no graph for this sentence. In figures over all sentences it counts as 0; other figures "
            "leave it out."
        )
    if alignment.undefined:
        reason = f"{alignment.undefined}, and nodes are compared by their spans"
        return f"{alignment.kind.needs_spans} undefined for this sentence: {reason}."
    return ""


def graph_summary(alignment: GraphAlignment, sentence: int, gold_name: str, parse_name: str) -> str:
    """Return the summary of a sentence in one line."""
    title = f"Sentence {sentence}, {parse_name} compared with {gold_name}"
    if alignment.gold is None or alignment.test is None:
        return f"{title}: there is nothing to compare."
    if alignment.undefined:
        return f"{title}: {next(iter(alignment.kind.summary.values()))} –; {alignment.undefined}."
    rows = [row for row in alignment.triples if row.weight]
    if all(row.status is Status.RIGHT for row in rows):
        return f"{title}: all triples that count are in both graphs."
    missing, spurious = (sum(row.status is status for row in rows) for status in _ERRORS)
    scores = ", ".join(
        f"{name} {percent(alignment.scores[metric])}"
        for metric, name in alignment.kind.summary.items()
        if metric in alignment.scores
    )
    gap = f" {_gap(alignment)}" if alignment.gap else ""
    return f"{title}: {scores} (%); {count_of(missing, 'triple')} missing, {spurious} spurious.{gap}"


def _gap(alignment: GraphAlignment) -> str:
    """Return that the mapping may not be the best."""
    n = alignment.gap
    return f"The mapping is not proven to be the best: another might match up to {count_of(n, 'more triple')}."


def graph_formulas(alignment: GraphAlignment) -> list[tuple[str, str, str, str]]:
    """Return title, formula, formula with the numbers of the sentence, and value of every configuration."""
    kind, scores = alignment.kind, alignment.scores
    rows = [("Triples that two graphs share", kind.shared, "", _gap(alignment) if alignment.gap else "")]
    if alignment.undefined:
        return [*rows, ("EDM", "undefined", alignment.undefined, percentage(None, 2))]
    for metric in map(_METRICS.__getitem__, kind.formulas):
        score = scores.get(metric.id)
        if score is not None or not metric.place.if_defined:
            numbers = formula_with(metric, alignment.counts)
            rows.append((metric.title, formula(metric), numbers, percentage(score, 2)))
    return rows


def triple_columns(
    alignment: GraphAlignment, *, only_differing: bool
) -> list[tuple[str, str, list[tuple[int, str, str, str, str]]]]:
    """Return the triples in three lists: names, arguments, and properties with the other classes."""
    titles = alignment.kind.titles
    columns = []
    for kinds in _COLUMNS:
        listed = [(index, row) for index, row in enumerate(alignment.triples) if row.kind in kinds and row.weight]
        if not alignment.kind.is_mapped:  # a missing triple comes before the spurious one of the same span
            listed.sort(
                key=lambda pair: (
                    pair[1].span,
                    kinds.index(pair[1].kind),
                    pair[1].label,
                    pair[1].status is Status.SPURIOUS,
                )
            )
        counted = [kind for kind in kinds if any(row.kind == kind for _, row in listed)]
        title = ", ".join(titles[kind] for kind in counted or kinds[:1])
        rows = [
            _row(index, row, alignment) for index, row in listed if not only_differing or row.status is not Status.RIGHT
        ]
        columns.append((title[0] + title[1:].lower(), _counted([row for _, row in listed]), rows))
    return columns


def _counted(rows: list[TripleRow]) -> str:
    if not rows:
        return "none"
    counts = Counter(row.status for row in rows)
    parts = [f"{counts[Status.RIGHT]} in both"]
    parts += [f"{counts[status]} {status}" for status in _ERRORS if counts[status]]
    weights = {row.weight for row in rows}
    if weights != {1.0}:
        parts.append(f"{noun_of(len(weights), 'weight')} {', '.join(map(number, sorted(weights)))}")
    return ", ".join(parts)


def _row(index: int, row: TripleRow, alignment: GraphAlignment) -> tuple[int, str, str, str, str]:
    label = "" if row.kind == "name" else visible(row.label)
    value = visible(row.value) if row.value else ""
    if row.target is not None:
        value = visible(node_text(row, alignment, is_target=True))
    place = visible(node_text(row, alignment))
    if row.kind == "name" and alignment.kind.is_mapped:
        place = place.partition(" / ")[0]  # its concept is the value
    return index, row.status, place, label, value


def spans_of_text(alignment: GraphAlignment) -> list[tuple[str, str, Status, str]]:
    """Return the words of the text with their characters, a status, and the errors on them."""
    graphs = [graph for graph in (alignment.gold, alignment.test) if graph is not None]
    segments = segments_of(alignment.text, [node.anchors for graph in graphs for node in graph.nodes])
    counts: dict[int, Counter[Status]] = defaultdict(Counter)
    for row in alignment.triples:
        ends = segment_range(row.span, segments) if row.weight and row.status is not Status.RIGHT else None
        if ends is not None and ends[0] == ends[1]:
            counts[ends[0]][row.status] += 1
    words = []
    for index, segment in enumerate(segments):
        errors = counts[index]
        status = Status.RELABELED if len(errors) > 1 else next(iter(errors), Status.RIGHT)
        texts = [f"{count_of(errors[own], 'triple')} {own}" for own in _ERRORS if errors[own]]
        words.append((segment.full, f"{segment.start}:{segment.end}", status, ", ".join(texts)))
    return words
