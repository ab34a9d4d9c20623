"""TedEval of every parser against every gold treebank, against what every two have in common, and what all have.

References
----------
R. Tsarfaty, J. Nivre and E. Andersson (2011). Evaluating dependency parsing: robust and heuristics-free
cross-annotation evaluation. EMNLP 2011. Tables 1 and 2.
R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012. Tables
1 to 4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pyarrow as pa

from evaltools.formats import Source
from evaltools.frameworks.crossframework import tedeval2011
from evaltools.frameworks.crossframework.inputs import TheoryChunk, open_theories
from evaltools.frameworks.crossframework.sentence_trees import conversion_of
from evaltools.frameworks.crossframework.tedeval import LABELS, metric_of
from evaltools.frameworks.experiments import Figure, Sources
from evaltools.frameworks.figures import parser_figures
from evaltools.frameworks.stored import StoredRun, file_text, trees_of
from evaltools.progress import Progress

__all__ = ["settings", "stored_sources", "tedeval_figures"]

_SENTENCES_PER_CHUNK = 4096
_COLUMNS = {
    **{
        f"tedeval_{labels}": tuple(metric_of(golds, labelled=labels == "labelled") for golds in ("single", "multiple"))
        for labels in LABELS
    },
    **{f"tedeval2011_{labels}": (metric, metric) for labels, metric in zip(LABELS, tedeval2011.METRICS, strict=True)},
}
"""For each column of the table its metric against one gold treebank, and against several."""


_REFUSED = "TedEval 2011 takes projective trees with one function over the same words; no sentence has only such trees"


def settings(theories: Sequence[str], parsers: Mapping[str, str]) -> list[tuple[tuple[str, ...], list[str]]]:
    """Return what parsers are compared with, and which parsers: each gold treebank, every two, and all.

    With what several treebanks have in common only the parsers of their theories are compared.

    Examples
    --------
    >>> settings(["a", "b"], {"p": "a", "q": "b"})
    [(('a',), ['p', 'q']), (('b',), ['p', 'q']), (('a', 'b'), ['p', 'q'])]
    """
    groups = [(theory,) for theory in theories] + list(combinations(theories, 2)) + [tuple(theories)]
    return [
        (group, [name for name, theory in parsers.items() if len(group) == 1 or theory in group])
        for group in dict.fromkeys(groups)
    ]


def stored_sources(run: StoredRun) -> Sources:
    """Return the trees of a run as files, in which sentence i is the same in all."""
    sentences = range(1, run.meta["sentences"] + 1)

    def source(name: str, trees: Mapping[int, str | None], notation: str) -> Source:
        text = file_text(trees, notation, sentences)
        return Source(name, text.encode("utf-8", "backslashreplace"), "", format=notation)

    golds = {}
    for theory in run.theories:
        rows = run.columns("select sentence, tree, notation from golds where theory = ?", [theory])
        trees = dict(zip(rows["sentence"].tolist(), rows["tree"].tolist(), strict=True))
        golds[theory] = source(theory, trees, str(rows["notation"][0]))
    parsers = {
        entry["name"]: (entry["theory"], source(entry["name"], *trees_of(run, entry["name"], sentences)))
        for entry in run.meta["parsers"]
    }
    return golds, parsers


def tedeval_figures(run: StoredRun, sources: Sources, progress: Progress) -> Iterator[Figure]:
    """Compute all figures of TedEval; those against all gold treebanks are the run's."""
    theories = {entry["name"]: entry["theory"] for entry in run.meta["parsers"]}
    labelled = {entry["name"]: entry["labelled"] for entry in run.meta["parsers"]}
    compared = settings(run.theories, theories)
    rows: dict[tuple[tuple[str, ...], str], list[pa.Table]] = defaultdict(list)
    has_functions: set[str] = set()
    inputs = open_theories(*sources, conversion_of(run.meta), uses_ids=False)
    while (read := inputs.read_trees(_SENTENCES_PER_CHUNK)).n:
        has_functions.update(theory for theory, trees in read.golds.items() if trees.functions.has_labels)
        for golds, parsers in compared:
            for parser in [] if golds == (*run.theories,) else parsers:
                own = theories[parser] if theories[parser] in golds else golds[0]
                rules = replace(read.rules, theories={parser: own}, labelled=labelled)
                chunk = TheoryChunk({theory: read.golds[theory] for theory in golds}, read.tests, rules)
                rows[golds, parser].append(chunk.score(parser, progress, details=False).tables["sentences"])
    for golds, parsers in compared:
        columns = {
            name: _columns(pa.concat_tables(rows[golds, name])) if rows[golds, name] else _stored_columns(run, name)
            for name in parsers
        }
        for column, pair in _COLUMNS.items():
            metric = pair[len(golds) > 1]
            figures = {name: parser_figures(of_parser, name, [metric])[0] for name, of_parser in columns.items()}
            for name, row in figures.items():
                reason = ""
                if column.endswith("_labelled") and not labelled[name]:
                    reason = f"the trees of {name} have no functions"
                elif column.endswith("_labelled") and len(golds) == 1 and golds[0] not in has_functions:
                    reason = f"the gold trees of {golds[0]} have no functions"
                yield Figure.of(golds, row, column, reason, _REFUSED if metric.family == "tedeval2011" else "")


def _stored_columns(run: StoredRun, parser: str) -> dict[str, Any]:
    """Return the counts of a run."""
    return dict(run.columns("select * from sentences where parser = ? order by sentence", [parser]))


def _columns(table: pa.Table) -> dict[str, Any]:
    return {
        name: table[name].cast(pa.string()).to_numpy(zero_copy_only=False)
        if pa.types.is_dictionary(table[name].type)
        else table[name].to_numpy(zero_copy_only=False)
        for name in table.column_names
    }
