"""How files of semantic graphs are scored: the inputs, and chunks of their items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evaltools.corpus.folding import folded, unescaped
from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.corpus.sentence_ids import SENTENCE_ID
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import SemanticBank, SemanticItem
from evaltools.frameworks.common.columns import Rows, SentenceStatus, concatenated, plain
from evaltools.frameworks.common.tables import count_statuses
from evaltools.frameworks.framework import Chunk, Description, Inputs, Plan, ReadChunk, Request, Scored
from evaltools.frameworks.passes import Pass, Passes, families_of, select_metrics
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.frameworks.semantics.aligned_graphs import AMR_GRAPHS, SDP_GRAPHS, GraphAlignment, GraphKind, kind_of
from evaltools.frameworks.semantics.alignment import compare_graphs
from evaltools.frameworks.semantics.edm import ElementaryDependencies, GraphComparison, edm_triples
from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS, SMATCH_RULES, EdmRules, load_edm_rules
from evaltools.frameworks.semantics.errors import GraphError, graph_error_rows, graph_errors
from evaltools.frameworks.semantics.inputs import (
    bank_entry,
    first_graph,
    framework_problem,
    gold_graph,
    gold_problems,
    pair_items,
    read_bank,
)
from evaltools.frameworks.semantics.options import SemanticOptions
from evaltools.frameworks.semantics.passes import PASSES, families_for
from evaltools.frameworks.semantics.sdp import SemanticDependencies
from evaltools.frameworks.semantics.smatch import SECONDS, Smatch
from evaltools.frameworks.semantics.smatch_matching import Matching
from evaltools.frameworks.semantics.tables import (
    GoldItems,
    item_rows,
    predicates_of,
    ranks_table,
    trees_table,
    triples_table,
)
from evaltools.progress import Progress

SMATCH_DESCRIPTION = "\n".join(
    (
        "smatch: nodes are mapped one to one so that as many triples as possible are equal; integer linear programming "
        "proves the mapping optimal",
        "triples that count: concepts, relations, attributes and the top",
        "an inverse role, such as ARG1-of, counts as the role in the other direction, and mod as the inverse of domain",
        "capitals, quotes, and underscores at the end of a name make no difference",
        "a triple that occurs twice counts twice",
    )
)
"""The rules in words, one a line."""


def plan_graphs(
    gold: Any, parsers: Mapping[str, Any], request: Request, options: SemanticOptions, rules: EdmRules | None = None
) -> Plan:
    """Return how to score files of semantic graphs, by default with the rules of the request and the options."""
    if request.dask is not None:
        raise ParameterError("dask: an option for trees, not for semantic graphs")
    if rules is None:
        rules = _requested_rules(request.preset, options)
    select_metrics(request.metrics, PASSES.values())

    def open_inputs(progress: Progress) -> Inputs:
        progress.update("reading")
        gold_bank = read_bank(gold, request.format)
        if not any(first_graph(item) is not None for item in gold_bank.items):
            found = str(gold_bank.problems[0]) if gold_bank.problems else "no graph"
            raise InputError(Problem("empty", gold_bank.name, None, None, found, "a gold file with at least one graph"))
        banks = {}
        for name, source in parsers.items():
            progress.update("reading")
            banks[name] = read_bank(source, request.format, name, like=gold_bank.format)
            if (problem := framework_problem(gold_bank, banks[name], name)) is not None:
                raise InputError(problem)
        kinds: Iterable[type[Pass[Any]]] = PASSES.values()
        if request.metrics is None:
            kinds = [PASSES[family] for family in families_for(map(first_graph, gold_bank.items))]
        if _kind_of(gold_bank) is SDP_GRAPHS:  # whose own figures come first
            kinds = sorted(kinds, key=lambda kind: kind is not SemanticDependencies)
        metrics = select_metrics(request.metrics, kinds)
        return GraphInputs(gold_bank, banks, _rules_for(gold_bank, rules), request.format, metrics)

    return open_inputs


def _kind_of(gold: SemanticBank) -> GraphKind:
    """Return the kind of graphs of a gold file."""
    return AMR_GRAPHS if gold.is_unanchored else kind_of(*map(first_graph, gold.items))


def _rules_for(gold: SemanticBank, rules: EdmRules) -> EdmRules:
    """Return the rules of a run: those of Smatch if the nodes of its graphs are not known by spans."""
    if not gold.is_unanchored:
        return rules
    if rules not in (load_edm_rules(), SMATCH_RULES):
        raise ParameterError(f"{rules.name}: rules of EDM, which is undefined for graphs without spans ({gold.name})")
    return SMATCH_RULES


@dataclass(frozen=True)
class _Items:
    """A parser's items paired with some gold items."""

    name: str  # Of the file
    items: tuple[SemanticItem | None, ...]
    max_results: int  # Of all items of the file

    def graphs(self, rank: int) -> list[SemanticGraph | None]:
        """Return the graph of a rank, from 1, of every item; None if there is none."""
        return [
            item.results[rank - 1] if item is not None and len(item.results) >= rank else None for item in self.items
        ]


@dataclass(frozen=True)
class ItemChunk(Chunk):
    """Some gold items, with their triples, and the items of every parser."""

    gold: GoldItems
    parses: dict[str, _Items]
    rules: tuple[EdmRules, SemanticOptions, tuple[str, ...]]

    def score(self, parser: str, progress: Progress, *, details: bool = True) -> Scored:
        """Score one parser."""
        gold = self.gold
        rules = self.rules[0]
        items = self.parses[parser].items
        tests = [first_graph(item) for item in items]
        passes = self._passes(tests)
        tables = {"sentences": item_rows(parser, gold, items, passes)}
        if details:
            smatch = passes.get(Smatch)
            matchings = {} if smatch is None else smatch.matchings
            aligned = dict(self._aligned(tests, matchings, progress))
            errors, scored = self._errors(aligned, tables["sentences"])
            of_errors = {number: [error.rows for error in own] for number, own in errors.items()}
            texts = dict(zip(gold.numbers.tolist(), gold.texts, strict=True))
            tables |= {
                "trees": trees_table(parser, gold, items, matchings),
                "triples": triples_table(parser, aligned, of_errors, mapped=rules.is_mapped),
                "errors": graph_error_rows(parser, aligned, errors, texts, scored),
                "ranks": self._ranks(parser, passes, progress),
            }
        labels = sorted(predicates_of(gold.graphs) | predicates_of(tests))
        signs = self.signs(parser) if details else {}
        return Scored(tables, count_statuses(tables["sentences"]), labels, self._unproven(parser, passes), signs=signs)

    def signs(self, parser: str) -> dict[str, int]:
        """Count signs that what counts is missing on one side, or that labels are written in another way."""
        rules = self.rules[0]
        pairs = [
            (gold, test)
            for gold, test in zip(self.gold.graphs, map(first_graph, self.parses[parser].items), strict=True)
            if gold is not None and test is not None
        ]
        tops_count = rules.classes.top > 0 or SemanticDependencies.suits([gold for gold, _ in pairs])
        signs = Counter[str]()
        for gold, test in pairs:
            for prefix, graph in (("gold_", gold), ("", test)):
                signs[f"{prefix}graphs"] += 1
                for triple in edm_triples(graph, [()] * len(graph.nodes), rules):
                    if triple.weight(rules) or (triple.kind == "top" and tops_count):
                        signs[f"{prefix}{triple.kind}"] += 1
            labels = [Counter(node.predicate for node in graph.nodes) for graph in (gold, test)]
            for kind, form in (("writing", unescaped), ("case", folded)):
                left, test_left = labels[0] - labels[1], labels[1] - labels[0]
                labels = [Counter(map(form, side.elements())) for side in (left, test_left)]
                signs[kind] += (labels[0] & labels[1]).total()
        return dict(signs)

    def _errors(
        self, aligned: Mapping[int, GraphAlignment], sentences: Rows
    ) -> tuple[dict[int, list[GraphError]], dict[int, bool]]:
        """Return the errors of the sentences that count, and which sentences have a score."""
        gold = self.gold
        rows = plain(sentences)
        is_mapped = self.rules[0].is_mapped
        counted = (rows["sentences"] > 0) & (is_mapped | ~np.isnan(rows["edm_n_gold"]))
        scored = (rows["status"] == SentenceStatus.OK.label) & (is_mapped | ~np.isnan(rows["edm_exact_match"]))
        errors = {
            number: graph_errors(aligned[number]) for number in gold.numbers[counted].tolist() if number in aligned
        }
        return errors, dict(zip(gold.numbers.tolist(), scored.tolist(), strict=True))

    def _unproven(self, parser: str, passes: Passes[GraphComparison]) -> list[Problem]:
        """List the items for which no mapping of nodes was proven to be the best."""
        smatch = passes.get(Smatch)
        gold = self.gold
        test = self.parses[parser]
        problems = []
        for index, matched in [] if smatch is None else smatch.gaps():
            item = test.items[index]
            found = f"a mapping of nodes that may not be the best: the best one matches {matched} triples"
            expected = f"a proof within {SECONDS} seconds for all figures of a pair; the smaller number is reported"
            line = None if item is None else item.line or None
            number = int(gold.numbers[index])
            problems.append(Problem("not_proven", test.name, line, None, found, expected, number, parser))
        return problems

    def _aligned(
        self, tests: Sequence[SemanticGraph | None], matchings: Mapping[int, Matching], progress: Progress
    ) -> Iterator[tuple[int, GraphAlignment]]:
        gold = self.gold
        for index, (number, graph, test) in enumerate(zip(gold.numbers.tolist(), gold.graphs, tests, strict=True)):
            if graph is not None or test is not None:
                yield number, compare_graphs(graph, test, self.rules[0], matchings.get(index))
            progress.update("scoring", 1)

    def _passes(self, tests: Sequence[SemanticGraph | None]) -> Passes[GraphComparison]:
        rules, _, families = self.rules
        passes = Passes(PASSES, GraphComparison(self.gold.graphs, tests, rules), families=families)
        passes.run(0, len(tests))
        return passes

    def _ranks(self, parser: str, passes: Passes[GraphComparison], progress: Progress) -> Rows:
        """Score every result of a parser that gives several; `passes` are those of its first results."""
        gold = self.gold
        test = self.parses[parser]
        if test.max_results < 2:
            return ranks_table(parser, gold.numbers, 1, passes, np.zeros(len(gold.graphs), np.bool_))
        parts = []
        for rank in range(1, test.max_results + 1):
            progress.update("scoring")
            has_rank = np.array(
                [
                    graph is not None and item is not None and len(item.results) >= rank
                    for graph, item in zip(gold.graphs, test.items, strict=True)
                ],
                dtype=np.bool_,
            )
            parts.append(ranks_table(parser, gold.numbers, rank, self._passes(test.graphs(rank)), has_rank))
        return concatenated(parts)


class GraphInputs(Inputs):
    """Files of semantic graphs, read as a whole."""

    parallel = False  # the search for a mapping of nodes has a limit of time

    def __init__(
        self,
        gold: SemanticBank,
        banks: Mapping[str, SemanticBank],
        rules: EdmRules,
        format_name: str | None,
        metrics: list[str],
    ) -> None:
        self.parsers, self.metrics = list(banks), metrics
        self._gold, self._banks, self._rules, self._format = gold, banks, rules, format_name
        self._kind = _kind_of(gold)
        self.framework = self._kind.id
        families = dict.fromkeys((*families_for(map(first_graph, gold.items)), *families_of(metrics, PASSES.values())))
        self._chunk_rules = (rules, SemanticOptions(), tuple(families))
        self._paired = {name: pair_items(gold, bank, name) for name, bank in banks.items()}
        self._n_read = 0

    @property
    def total(self) -> int:
        """Pairs of items to score."""
        return len(self._gold.items) * len(self.parsers)

    def notes(self) -> list[str]:
        """Return how the items are paired."""
        keys = {"id": "their ids", "position": "position, because not both files have ids"}
        return [f"{name}: items are paired by {keys[paired.by]}" for name, paired in self._paired.items()]

    def read(self, max_sentences: int) -> ReadChunk:
        """Return the next items."""
        first, last = self._n_read, min(self._n_read + max_sentences, len(self._gold.items))
        self._n_read = last
        items = self._gold.items[first:last]
        gold = GoldItems(items, first, self._texts(first, last), tuple(gold_graph(item, self._rules) for item in items))
        parses = {
            name: _Items(self._banks[name].name, paired.items[first:last], paired.max_results)
            for name, paired in self._paired.items()
        }
        tables = {"trees": trees_table(None, gold, items)}
        metadata = [({SENTENCE_ID: item.id} if item.id else {}) | dict(item.metadata) for item in items]
        return ReadChunk(last - first, ItemChunk, gold, parses, self._chunk_rules, tables, [], metadata=metadata)

    def _texts(self, first: int, last: int) -> tuple[str, ...]:
        """Return the sentences, from the gold file, or else from the first parser's file that has them."""
        texts = []
        for index in range(first, last):
            items = [self._gold.items[index], *(paired.items[index] for paired in self._paired.values())]
            candidates = (item.text or getattr(item.graph, "text", "") for item in items if item is not None)
            texts.append(next(filter(None, candidates), ""))
        return tuple(texts)

    def describe(self, sums: Mapping[str, Sequence[Mapping[str, Any]]]) -> Description:
        """Describe the run."""
        problems = gold_problems(self._gold, [paired.items for paired in self._paired.values()])
        problems += [problem for paired in self._paired.values() for problem in paired.problems]
        if self._kind.is_mapped and ElementaryDependencies.family.id in families_of(self.metrics, PASSES.values()):
            found = f"{self._gold.framework} graphs, whose nodes have no spans"
            expected = "spans, by which EDM compares; it is undefined"
            problems.append(Problem("no_spans", self._gold.name, None, None, found, expected))
        rules = self._rules
        return Description(
            rules={
                "preset": rules.name,
                "preset_rules": SMATCH_DESCRIPTION if self._kind.is_mapped else rules.describe(),
                "preset_source": None,
                "preset_fields": None,
                "options": {"format": self._format},
            },
            signature=[*rules.signature(), *([f"format:{self._format}"] if self._format else [])],
            n=len(self._gold.items),
            golds=[bank_entry(self._gold)],
            parsers=[
                bank_entry(bank) | {"name": name, "paired": self._paired[name].by} for name, bank in self._banks.items()
            ],
            problems=problems,
            more={
                "edm_rules": rules.to_dict(),
                "n_best": {name: paired.max_results for name, paired in self._paired.items()},
            },
            sources=[
                ["gold", self._gold.digest[:12]],
                *([name, bank.digest[:12], f"by_{self._paired[name].by}"] for name, bank in self._banks.items()),
            ],
        )


def _requested_rules(preset: str | Preset | EdmRules, options: SemanticOptions) -> EdmRules:
    file, spans = None if options.weights is None else Path(options.weights), options.spans
    if preset == "standard" or preset == load_preset("standard"):
        return load_edm_rules(None, file, spans)
    if isinstance(preset, Preset):
        raise ParameterError(f"preset {preset.name}: it applies to trees; semantic graphs have no brackets")
    if isinstance(preset, str) and preset not in EDM_PRESETS:
        raise ParameterError.unknown("preset of semantic graphs", preset, EDM_PRESETS)
    return load_edm_rules(preset, file, spans)
