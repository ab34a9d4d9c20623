"""Runs across frameworks as they are stored.

TedEval of every parser against every gold treebank, against what every two have in common, and what all have.

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
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from evaltools.corpus import Dependencies, DependencyTree, Tree, Treebank, Vocabulary
from evaltools.errors import ParameterError
from evaltools.formats import FORMATS, Source
from evaltools.frameworks.common.columns import Rows, concatenated, plain
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.crossframework.function_columns import (
    FunctionColumns,
    FunctionVocabulary,
    corpus_functions,
    describe_projectivized,
    projectivize,
)
from evaltools.frameworks.crossframework.inputs import Conversion, TheoryChunk, enriched, function_trees, open_theories
from evaltools.frameworks.crossframework.protocol import sentence_protocol, sentence_steps_2011
from evaltools.frameworks.crossframework.tedeval import LABELS, METRICS_2011, Overlaps, metric_of
from evaltools.frameworks.figures import parser_figures
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.stored import (
    Count,
    Figure,
    NoteTable,
    Runs,
    Sources,
    file_text,
    mismatch,
    trees_of,
)
from evaltools.progress import Progress

if TYPE_CHECKING:
    from evaltools.corpus import DependencyTree, Tree
    from evaltools.runs.store import Run


def read_corpus(tree: object, notation: object) -> Treebank | Dependencies:
    """Return the corpus of one tree, given its text as tables have it; a missing tree has no text."""
    text = tree if isinstance(tree, str) else ""
    data = (text + "\n\n").encode("utf-8", "backslashreplace")
    trees: Treebank | Dependencies = FORMATS[str(notation)].read(Source("tree", data, ""), Vocabulary())
    return trees.resized(1)


def conversion_of(meta: Mapping[str, Any]) -> Conversion:
    """Return how the trees of a run became function trees."""
    options = meta["options"]
    unify, free = (tuple((first, second) for first, second in options[name]) for name in ("tl_unify", "free_labels"))
    return Conversion(dict(options["label_map"]), unify, options["count_root"], free, options["projectivize"])


@dataclass(frozen=True, slots=True)
class SentenceTrees:
    """The trees of one sentence of a run: as read, and as multi-function trees."""

    meta: Mapping[str, Any]  # The content of the run's ``meta.json``
    parser: str
    # Gold trees by theory, as corpora of one multi-function tree each, with the labels of other theories if unified
    golds: dict[str, FunctionColumns]
    parse: FunctionColumns  # The parser's tree, likewise
    # The same for the figures of 2011: heads under the wildcard, and projective if requested
    star_golds: dict[str, FunctionColumns]
    star_parse: FunctionColumns
    native_golds: dict[str, Tree | DependencyTree]  # The gold trees as read
    native_parse: Tree | DependencyTree  # The parser's tree as read

    @property
    def gold_name(self) -> str:
        """What the parse is compared with."""
        return "all golds" if len(self.golds) > 1 else "the gold tree"

    @property
    def sources(self) -> tuple[tuple[str, Any], ...]:
        """The trees as they were read, with their names."""
        golds = ((f"{theory}, gold", tree) for theory, tree in self.native_golds.items())
        return (*golds, (self.parser, self.native_parse))

    @property
    def entry(self) -> Mapping[str, Any]:
        """The parser's entry in ``meta.json``."""
        entry: Mapping[str, Any] = next(entry for entry in self.meta["parsers"] if entry["name"] == self.parser)
        return entry

    @property
    def is_labeled(self) -> bool:
        """Whether the parser's trees have functions."""
        return bool(self.entry["labeled"])

    def _golds(self, golds: Mapping[str, FunctionColumns], *, multiple: bool) -> tuple[list[FunctionColumns], int]:
        """Return the gold trees to compare with, and which of them is of the parser's theory."""
        theory = self.entry["theory"]
        chosen = golds if multiple else {theory: golds[theory]}
        missing = [name for name, gold in chosen.items() if not gold.n_words[0]]
        if missing or not self.parse.n_words[0]:
            raise ParameterError(f"no tree of {missing[0]}" if missing else "no parse of this sentence")
        return list(chosen.values()), list(chosen).index(theory)

    def protocol(self, *, multiple: bool = True, labeled: bool | None = None, measure: str = "2012") -> TedEvalProtocol:
        """Return every step by the measure of a year; functions count by default where the parser has them."""
        golds, own = self._golds(self.star_golds if measure == "2011" else self.golds, multiple=multiple)
        labeled = self.is_labeled if labeled is None else labeled
        conversion = conversion_of(self.meta)
        if measure == "2011":
            return sentence_steps_2011(self.star_parse, golds, own, labeled=labeled, free=conversion.free_labels)
        return sentence_protocol(self.parse, golds, 0, own, labeled=labeled, count_root=conversion.count_root)


def sentence_trees(run: Run, sentence: int, parser: str) -> SentenceTrees:
    """Return all trees of a sentence of a run across frameworks."""
    conversion, vocabulary = conversion_of(run.meta), FunctionVocabulary()
    unified = conversion.unified(run.theories, parsers=True)
    query = "select parser, tree, notation from trees where sentence = ? and parser in (select unnest(?::varchar[]))"
    parses = run.query(query, [sentence, [parser, *(name for pair in unified for name in pair)]])
    rows = run.query("select theory, tree, notation from golds where sentence = ?", [sentence])
    if parser not in parses["parser"].tolist() or rows.empty:
        raise ParameterError(f"no sentence {sentence}; there are {run.meta['sentences']}, counted from 1")
    corpora = {theory: read_corpus(tree, notation) for theory, tree, notation in rows.itertuples(index=False)}
    golds = {theory: corpora[theory] for theory in run.theories}
    parsed = {name: read_corpus(tree, notation) for name, tree, notation in parses.itertuples(index=False)}
    columns = {theory: function_trees(trees, vocabulary, conversion) for theory, trees in golds.items()}
    parse_columns = {name: function_trees(trees, vocabulary, conversion) for name, trees in parsed.items()}
    of_golds, of_parses = conversion.unified(run.theories), unified
    (of_2012, of_2011), (parse_2012, parse_2011) = (
        [enriched({name: sides[at] for name, (*sides, _) in made.items()}, pairs) for at in range(2)]
        for made, pairs in ((columns, of_golds), (parse_columns, of_parses))
    )
    return SentenceTrees(
        run.meta,
        parser,
        of_2012,
        parse_2012[parser],
        of_2011,
        parse_2011[parser],
        {theory: trees.tree(0) for theory, trees in golds.items()},
        parsed[parser].tree(0),
    )


# --------------------------------------------------------------------------------- TedEval against every gold treebank

_SENTENCES_PER_CHUNK = 4096
_COLUMNS = {
    **{
        f"tedeval_{labels}": tuple(metric_of(golds, labeled=labels == "labeled") for golds in ("single", "multiple"))
        for labels in LABELS
    },
    **{f"tedeval2011_{labels}": (metric, metric) for labels, metric in zip(LABELS, METRICS_2011, strict=True)},
}
"""For each column of the table its metric against one gold treebank, and against several."""


METRICS_OF_KIND = {"dependency": ("uas", "las"), "constituency": ("f1",)}
"""The metrics of other frameworks that parsers are compared by beside TedEval."""

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


def stored_sources(run: Run) -> Sources:
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


class TedEvalBlock(NamedTuple):
    """TedEval against one gold treebank, or against what several have in common."""

    golds: tuple[str, ...]
    rows: dict[str, Rows]  # The counts of every sentence, by parser
    metrics: dict[str, Metric]  # By column of the table
    figures: list[Figure]


def tedeval_blocks(run: Run, sources: Sources, progress: Progress) -> Iterator[TedEvalBlock]:
    """Compute all figures of TedEval; those against all gold treebanks are the run's."""
    theories = {entry["name"]: entry["theory"] for entry in run.meta["parsers"]}
    labeled = {entry["name"]: entry["labeled"] for entry in run.meta["parsers"]}
    compared = settings(run.theories, theories)
    rows: dict[tuple[tuple[str, ...], str], list[Rows]] = defaultdict(list)
    has_functions: set[str] = set()
    inputs = open_theories(*sources, conversion_of(run.meta), uses_ids=False)
    while (read := inputs.read_trees(_SENTENCES_PER_CHUNK)).n:
        has_functions.update(theory for theory, trees in read.golds.items() if trees.functions.has_labels)
        for golds, parsers in compared:
            for parser in [] if golds == (*run.theories,) else parsers:
                own = theories[parser] if theories[parser] in golds else golds[0]
                rules = replace(read.rules, theories={parser: own}, labeled=labeled)
                chunk = TheoryChunk({theory: read.golds[theory] for theory in golds}, read.parses, rules)
                rows[golds, parser].append(chunk.score(parser, progress, details=False).tables["sentences"])
    for golds, parsers in compared:
        columns = {
            name: plain(concatenated(rows[golds, name])) if rows[golds, name] else _stored_columns(run, name)
            for name in parsers
        }
        metrics = {column: pair[len(golds) > 1] for column, pair in _COLUMNS.items()}
        figures = []
        for column, metric in metrics.items():
            for name, of_parser in columns.items():
                reason = ""
                if column.endswith("_labeled") and not labeled[name]:
                    reason = f"the trees of {name} have no functions"
                elif column.endswith("_labeled") and len(golds) == 1 and golds[0] not in has_functions:
                    reason = f"the gold trees of {golds[0]} have no functions"
                if_none = _REFUSED if metric.family.id == "tedeval2011" else ""
                row = parser_figures(of_parser, name, [metric])[0]
                figures.append(Figure.of(golds, row, column, reason, if_none))
        yield TedEvalBlock(golds, columns, metrics, figures)


def _stored_columns(run: Run, parser: str) -> dict[str, Any]:
    """Return the counts of a run."""
    return dict(run.columns("select * from sentences where parser = ? order by sentence", [parser]))


# ---------------------------------------------------------------------------------------------------------------- runs


class _Options(msgspec.Struct):
    label_map: list[tuple[str, str]]
    tl_unify: list[tuple[str, str]]
    free_labels: list[tuple[str, str]]
    count_root: bool
    projectivize: bool


class _Theory(msgspec.Struct):
    theory: str


class _Overlap(msgspec.Struct):
    unlabeled: float | None
    labeled: float | None


class _Projectivized(msgspec.Struct):
    golds: dict[str, Count]
    parsers: dict[str, Count]


class _Meta(msgspec.Struct):
    options: _Options
    golds: list[_Theory]
    parsers: list[_Theory]
    overlap: dict[str, _Overlap]
    projectivized: _Projectivized | None


def _meta_problem(meta: dict[str, Any]) -> str:
    """Return the first problem with theories, options, overlap, or the numbers of trees made projective."""
    if problem := mismatch(meta, _Meta):
        return problem
    theories = {entry["theory"] for entry in meta["golds"]}
    missing = [entry["theory"] for entry in meta["parsers"] if entry["theory"] not in theories]
    return f"it has no gold treebank of theory {missing[0]!r}" if missing else ""


def _read_tree(text: str, notation: str) -> Tree | DependencyTree:
    """Return a tree from its text."""
    return read_corpus(text, notation).tree(0)


def _part_figures(run: Run, sentences: Sequence[int]) -> dict[str, Any]:
    """Return what the gold treebanks have in common, and how many trees were made projective."""
    rows = run.query(
        "select sentence, theory, tree, notation from golds where sentence in (select unnest(?::integer[]))",
        [list(sentences)],
    )
    conversion = conversion_of(run.meta)
    overlaps = Overlaps(run.theories, count_root=conversion.count_root)
    projectivized = {"golds": dict.fromkeys(run.theories, 0), "parsers": dict.fromkeys(run.parsers, 0)}
    for _, of_sentence in rows.groupby("sentence"):
        vocabulary = FunctionVocabulary()
        golds = {}
        for _, theory, tree, notation in of_sentence.itertuples(index=False):
            trees = read_corpus(tree, notation)
            projectivized["golds"][theory] += _is_changed(trees)
            golds[theory] = corpus_functions(trees, vocabulary, conversion.label_map)
        overlaps.add(enriched(golds, conversion.unified(run.theories)))
    shares = overlaps.shares()
    if not conversion.projectivize:
        return {"overlap": shares, "projectivized": None}
    parses = run.query(
        "select parser, tree, notation from trees where parser is not null and tree is not null "
        "and notation in ('conllu', 'conllx') and sentence in (select unnest(?::integer[]))",
        [list(sentences)],
    )
    for parser, tree, notation in parses.itertuples(index=False):
        projectivized["parsers"][parser] += _is_changed(read_corpus(tree, notation))
    return {"overlap": shares, "projectivized": projectivized}


def _note_tables(run: Run, parsers: Sequence[str]) -> list[NoteTable]:
    """Return how much the theories have in common."""
    rows: list[tuple[str | float | None, ...]] = [
        (pair, shares["unlabeled"], shares["labeled"]) for pair, shares in run.meta["overlap"].items()
    ]
    headings = ("theories", "unlabeled", "labeled")
    return [NoteTable("Overlap of the theories: 1 − |A △ B| / (|A| + |B|)", headings, rows)] if rows else []


def _is_changed(trees: Treebank | Dependencies) -> bool:
    """Return whether the tree of a corpus of one sentence is made projective."""
    return isinstance(trees, Dependencies) and bool(projectivize(trees)[1].any())


def _notes(meta: Mapping[str, Any]) -> list[str]:
    """Return how many trees were made projective."""
    return [text] if (text := describe_projectivized(meta)) else []


RUNS = Runs(
    read_tree=_read_tree,
    tables=("trees", "golds"),
    meta_problem=_meta_problem,
    facts=lambda meta: [],  # there are no rules to choose
    notes=_notes,
    note_tables=_note_tables,
    part_figures=_part_figures,
)
"""Runs across frameworks."""
