"""Runs of semantic graphs as they are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np

from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.errors import ParameterError, RunError
from evaltools.formats import SemanticItem, write_mrp, write_penman
from evaltools.frameworks.common.tables import label_figures
from evaltools.frameworks.passes import families_of
from evaltools.frameworks.semantics.aligned_graphs import kind_of
from evaltools.frameworks.semantics.alignment import align_graphs, compare_graphs, with_figures
from evaltools.frameworks.semantics.edm_rules import KINDS_OF_TRIPLES, EdmRules
from evaltools.frameworks.semantics.passes import PASSES
from evaltools.frameworks.semantics.reweighting import NAME_OF_TRIPLE
from evaltools.frameworks.semantics.smatch import Smatch
from evaltools.frameworks.semantics.smatch_matching import Matching
from evaltools.frameworks.semantics.tables import predicates_of
from evaltools.frameworks.stored import Count, Labels, NoteTable, Runs, mismatch, tree_pairs
from evaltools.text import printable

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
    from evaltools.runs.store import Run


_TRIPLES = f"""
select triples.parser, kind, {NAME_OF_TRIPLE} as label,
       count(*) filter (triples.status <> 'spurious') as gold, count(*) filter (triples.status <> 'missing') as test,
       count(*) filter (triples.status = 'right') as matched
from triples join sentences using (parser, sentence)
where sentences.status = 'ok' and (edm_exact_match is not null or construction is not null) and triples.weight > 0
      and (? is null or triples.parser = ?)
group by all
"""
"""Numbers of triples that count, over scored sentences; the parser, or null, is passed twice."""


_SCORED = """
select sentences.*, mapping from sentences join trees using (parser, sentence) where parser = ? and sentence = ?
"""
"""The counts of a parser and sentence, which are passed, and the mapping of nodes behind them."""


def _matching_in(
    row: Mapping[str, Any], gold: SemanticGraph | None, test: SemanticGraph | None, where: str
) -> Matching | None:
    """Return the mapping in a row of :data:`_SCORED`; None if there is none."""
    if row.get("mapping") is None or not np.isfinite(row["smatch_matched"] + row["smatch_gap"]):
        return None
    n_gold, n_test = (0 if graph is None else len(graph.nodes) for graph in (gold, test))
    try:
        mapping = msgspec.json.decode(row["mapping"], type=tuple[int | None, ...])
    except msgspec.DecodeError as error:
        raise RunError(f"{where} has a mapping of nodes that cannot be read: {printable(str(error))}") from None
    partners = sorted(node for node in mapping if node is not None)
    if len(mapping) != n_gold or partners != sorted({*partners} & {*range(n_test)}):
        raise RunError(f"{where} has a mapping of nodes that does not fit its graphs")
    matched, gap = int(row["smatch_matched"]), int(row["smatch_gap"])
    return Matching(mapping, matched, matched + gap)


class _Parser(msgspec.Struct):
    paired: Literal["id", "position"]


class _Meta(msgspec.Struct):
    edm_rules: EdmRules
    n_best: dict[str, Count]
    parsers: list[_Parser]


def _meta_problem(meta: dict[str, Any]) -> str:
    """Return the first problem of the rules and of the figures of each parser."""
    if problem := mismatch(meta, _Meta):
        return problem
    missing = [entry["name"] for entry in meta["parsers"] if entry["name"] not in meta["n_best"]]
    return f"'n_best' has no {missing[0]!r}" if missing else ""


def _read_tree(text: str, notation: str) -> SemanticGraph:
    """Return a graph from its text."""
    return SemanticGraph.from_json(text)


def _label_figures(run: Run, parser: str | None) -> pd.DataFrame:
    """Return figures of triples by predicate, role or property."""
    return label_figures(run.query(_TRIPLES, [parser, parser]), run.parsers, KINDS_OF_TRIPLES)


def _with_predicate(parser: str, label: str) -> tuple[str, list[Any]] | None:
    """Return SQL of the sentences with a predicate."""
    return "select sentence from triples where parser = ? and kind = 'name' and value = ?", [parser, label]


def _part_figures(run: Run, sentences: Sequence[int]) -> dict[str, Any]:
    """Return predicates, and the longest n-best lists."""
    sql = "select tree from trees where tree is not null and sentence in (select unnest(?::integer[]))"
    graphs = map(SemanticGraph.from_json, run.columns(sql, [list(sentences)])["tree"])
    ranks = run.query(
        "select parser, max(rank) as last from ranks where sentence in (select unnest(?::integer[])) group by parser",
        [list(sentences)],
    )
    longest = {parser: min(length, 1) for parser, length in run.meta["n_best"].items()}
    longest |= {parser: int(last) for parser, last in ranks.itertuples(index=False)}
    return {"labels": sorted(predicates_of(graphs)), "n_best": longest}


def _pairing_tables(run: Run, parsers: Sequence[str]) -> list[NoteTable]:
    """Return how many results items have, and how items were paired."""
    rows = [(name, str(run.meta["n_best"][name]), _paired(run, name)) for name in parsers]
    return [NoteTable("Graphs of a sentence", ("parser", "max.\nresults", "paired\nby"), rows)]


def _mapping_tables(run: Run, parsers: Sequence[str]) -> list[NoteTable]:
    """Return how items were paired, and how many mappings are not proven to be the best."""
    sql = (
        "select count(*) filter (smatch_gap = 0) as proven, count(*) filter (smatch_gap > 0) as unproven, "
        "coalesce(sum(smatch_gap), 0)::bigint as gap from sentences where parser = ? and status = 'ok'"
    )
    counts = {name: run.query(sql, [name]).iloc[0].tolist() for name in parsers}
    rows = [(name, *(str(int(count)) for count in counts[name]), _paired(run, name)) for name in parsers]
    headings = ("parser", "proven\nmappings", "not\nproven", "triples a better\nmapping might add", "paired\nby")
    return [NoteTable("Mappings of nodes that are proven to be the best", headings, rows)]


def _paired(run: Run, parser: str) -> str:
    """Return how the items of a parser were paired."""
    return next(str(entry["paired"]) for entry in run.meta["parsers"] if entry["name"] == parser)


def align(run: Run, parser: str, other: str | None, sentences: Sequence[int]) -> dict[int, GraphAlignment]:
    """Align graphs by the rules of a run; those that Smatch has compared under the mapping it found."""
    pairs = tree_pairs(run, parser, other, sentences)
    return {number: _aligned(run, parser, other, number, *pairs[number]) for number in sentences}


def _aligned(
    run: Run, parser: str, other: str | None, sentence: int, gold: SemanticGraph | None, test: SemanticGraph | None
) -> GraphAlignment:
    rules, families = run.edm_rules, families_of(run.metrics, PASSES.values())
    is_mapped = kind_of(gold, test).is_mapped
    row = {}
    if other is None and (is_mapped or Smatch.family.id in families):
        row = {name: values[0] for name, values in run.columns(_SCORED, [parser, sentence]).items() if len(values)}
    matching = _matching_in(row, gold, test, f"{run.folder} is damaged: sentence {sentence} of {parser}")
    if not row or (matching is None and is_mapped):
        return align_graphs(gold, test, rules, families)
    kinds = [kind for kind in PASSES.values() if kind.required or kind.family.id in families]
    counts = {name: float(row[name]) for kind in kinds for name in ("sentences", *kind.columns)}
    return with_figures(compare_graphs(gold, test, rules, matching), counts, families)


def _items(run: Run, trees: Mapping[int, str | None], sentences: Sequence[int]) -> list[SemanticItem]:
    """Return the first graphs of some sentences; the id of a sentence without a name is its number."""
    rows = run.query(
        "select t.sentence, coalesce(t.text, '') as text, coalesce(i.item, t.sentence::varchar) as item "
        "from trees t left join (select distinct sentence, item from sentences where item is not null) i "
        "using (sentence) where t.parser is null and t.sentence in (select unnest(?::integer[]))",
        [list(sentences)],
    )
    names = {number: (text, item) for number, text, item in rows.itertuples(index=False)}
    items = []
    for number in sentences:
        text, item = names.get(number, ("", str(number)))
        graph = trees.get(number)
        results = () if graph is None else (SemanticGraph.from_json(graph),)
        items.append(SemanticItem(str(item), 0, text, results))
    return items


def _write_mrp(run: Run, trees: Mapping[int, str | None], sentences: Sequence[int]) -> tuple[str, str]:
    """Return graphs as MRP."""
    return write_mrp(_items(run, trees, sentences)), "mrp"


def _write_penman(run: Run, trees: Mapping[int, str | None], sentences: Sequence[int]) -> tuple[str, str]:
    """Return graphs in PENMAN notation, or as MRP if it cannot hold them."""
    try:
        return write_penman(_items(run, trees, sentences)), "penman"
    except ParameterError:
        return _write_mrp(run, trees, sentences)


def _facts(meta: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the preset, and how spans are compared."""
    return [("preset", str(meta["preset"])), ("spans", meta["edm_rules"]["spans"])]


RUNS = Runs(
    read_tree=_read_tree,
    tables=("triples", "errors", "ranks"),
    meta_problem=_meta_problem,
    facts=_facts,
    note_tables=_pairing_tables,
    labels=Labels(_label_figures, _with_predicate, names={"triples": "kind", "label": "label"}),
    part_figures=_part_figures,
    write=_write_mrp,
)
"""Runs of graphs with spans."""

BILEXICAL_RUNS = replace(RUNS, facts=lambda meta: [(f"{title} of EDM", value) for title, value in _facts(meta)])
"""Runs of graphs whose nodes are words."""

MAPPED_RUNS = replace(
    RUNS,
    facts=lambda meta: [("rules", str(meta["preset"]))],
    note_tables=_mapping_tables,
    write=_write_penman,
)
"""Runs of graphs whose nodes are mapped to each other by Smatch."""
