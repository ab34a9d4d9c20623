"""Runs of n-best lists: the first analysis of each list, and the best one, the *oracle*.

The best analysis of a sentence is the one with the highest score by a metric; of several, the first. A pooled figure
weighs sentences by their size, so that another choice may reach a slightly higher one. Only sentences with a list are
compared; the run has their numbers in the gold file.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, DependencyTree, Treebank, Vocabulary
from evaltools.corpus.comments import CommentReader
from evaltools.corpus.sentence_ids import SentenceIds
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import FORMATS, HELD, guess_format
from evaltools.formats.brackets import LINES
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.formats.edges import is_between
from evaltools.formats.nbest_lists import NBestItem, NBestList, NBestParse, read_nbest
from evaltools.formats.source import ProblemLog, Source, n_more, open_source
from evaltools.frameworks.common.columns import Rows, number_column, text_column
from evaltools.frameworks.common.tables import problems_table
from evaltools.frameworks.figures import sentence_scores, summarize
from evaltools.frameworks.pairing.id_pairing import repeated_ids
from evaltools.frameworks.passes import select_metrics
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.frameworks.registry import METRICS, framework_reading, metric_id
from evaltools.progress import Progress
from evaltools.runs.meta import METADATA, derived_meta, tables_of
from evaltools.runs.metadata import MetadataJoin
from evaltools.runs.scoring import score
from evaltools.runs.store import Run
from evaltools.runs.writer import STORED, RunWriter
from evaltools.text import excerpt


def pair_lists(gold: Treebank | Dependencies, lists: NBestList) -> tuple[dict[int, NBestItem], str, list[Problem]]:
    """Return the lists by gold sentence, how they were paired, and problems."""
    ids: list[str | None] = gold.sent_ids() if isinstance(gold, Dependencies) else []
    indices: dict[str, int] = {}
    for index, id_ in enumerate(ids):
        if id_ is not None:
            indices.setdefault(id_, index)
    if lists.has_ids and any(item.id in indices for item in lists.items):
        paired_by, sentences = "id", [indices.get(item.id or "") for item in lists.items]
    elif lists.has_ids and all((item.id or "").isdecimal() and len(item.id or "") < 10 for item in lists.items):
        paired_by, sentences = "number", [int(item.id or 0) - 1 for item in lists.items]
    else:
        paired_by, sentences = "position", list(range(len(lists.items)))
    paired: dict[int, NBestItem] = {}
    problems = []
    for item, sentence in zip(lists.items, sentences, strict=True):
        if sentence is not None and 0 <= sentence < len(gold) and sentence not in paired:
            paired[sentence] = item
            continue
        name = f"the list of {excerpt(item.id)}" if item.id else "a list"
        problems.append(Problem("nbest", lists.name, item.line, None, name, "a list of a sentence of the gold file"))
    return paired, paired_by, problems


LIST_FORMATS: dict[type, str] = {Treebank: "ptb", Dependencies: "conllu"}
"""The format in which trees are written for scoring, by the class of corpus of the gold file."""

OWN_FORMATS = ("sampson",)
"""Formats of gold files that are also the format for scoring."""


def gold_texts(gold: Treebank | Dependencies, indices: list[int], format_name: str) -> list[str | None]:
    """Return some gold trees in a format; unchanged if it is the format of the gold file."""
    filled = gold.offsets[1:] > gold.offsets[:-1]
    if gold.notation == format_name:
        return [gold.source(index) if filled[index] else None for index in indices]
    write = FORMATS[format_name].write
    return [write([gold.tree(index)]).strip() if filled[index] else None for index in indices]


def ranked_texts(
    gold: Treebank | Dependencies, indices: list[int], items: dict[int, NBestItem], lists: NBestList, parser: str
) -> tuple[list[list[str | None]], list[Problem]]:
    """Return for each rank the trees of the sentences, None if there is none; and the analyses that are no trees."""
    texts: list[list[str | None]] = [[None] * len(indices) for _ in range(lists.max_length)]
    problems = []
    for number, index in enumerate(indices, start=1):
        parses = items[index].parses if index in items else []
        gold_tree = gold.tree(index) if parses else None
        for rank, parse in enumerate(parses):
            text: str | None = parse.text
            fault, expected = "", "a bracketed tree"
            if isinstance(gold_tree, DependencyTree):
                text, fault = _as_conllu(parse, gold_tree)
                expected = "HEAD:DEPREL of each word, a tree"
            elif is_between(parse.text.encode(), 0):  # it would be skipped, and its place taken by the next sentence
                text, fault = None, excerpt(parse.text)
            if fault:
                problems.append(Problem("nbest", lists.name, parse.line, None, fault, expected, number, parser))
            texts[rank][number - 1] = text
    return texts, problems


_ONCE_A_FILE = ("parentheses", "spaces")
"""Kinds of problems without a sentence that are listed for a rank; others concern the file made of the analyses."""


def listed_problems(
    problems: pd.DataFrame, indices: list[int], items: dict[int, NBestItem], lists: NBestList, parser: str
) -> list[Problem]:
    """Return the problems of scoring the ranks, with their lines in the file of lists; last, those once a rank."""
    listed, of_ranks = [], []
    for row in problems[problems["parser"].notna()].to_dict("records"):
        kind, found, expected = row["kind"], row["found"], row["expected"]
        rank = int(row["parser"])
        if pd.isna(row["sentence"]):
            if n_more(found):
                of_ranks.append(Problem(kind, lists.name, None, None, found, expected, None, parser))
            elif kind in _ONCE_A_FILE:
                of_ranks.append(Problem(kind, lists.name, None, None, f"rank {rank}: {found}", expected, None, parser))
            continue
        number = int(row["sentence"])
        item = items.get(indices[number - 1])
        if item is not None and rank <= len(item.parses):
            line = item.parses[rank - 1].line
            listed.append(Problem(kind, lists.name, line, None, found, expected, number, parser))
    return [*sorted(listed, key=lambda problem: problem.line or 0), *of_ranks]


def first_problems(problems: Iterable[Problem], lists: NBestList, parser: str) -> list[Problem]:
    """Return the first problems of each kind in a file of lists, and the numbers of the others."""
    log = ProblemLog()
    first = []
    for problem in problems:
        if more := n_more(problem.found):
            log.more[problem.kind] += more
        else:
            first += log.first([problem])
    return [*first, *(replace(problem, parser=parser) for problem in log.rest(lists.name))]


def _as_conllu(parse: NBestParse, gold: DependencyTree) -> tuple[str | None, str]:
    """Return an analysis as CoNLL-U over the gold words, None if it is no tree; and what is wrong."""
    pairs = [item.partition(":") for item in parse.text.split()]
    if len(pairs) != len(gold.forms):
        return None, f"{len(pairs)} heads for {len(gold.forms)} words"
    invalid = next((head for head, _, _ in pairs if not head.isdecimal() or len(head) > 6), None)
    if invalid is not None:
        return None, f"the head {excerpt(invalid, 20)!r}"
    try:
        tree = DependencyTree(
            gold.forms,
            tuple(int(head) - 1 for head, _, _ in pairs),
            tuple(relation or "_" for _, _, relation in pairs),
            tags=gold.tags,
            multiwords=gold.multiwords,
        )
    except ParameterError as error:
        return None, str(error)
    return str(FORMATS["conllu"].write([tree])).strip(), ""


_BLANKS = re.compile(r"[ \t\n\r\v\f]+")  # a word may hold a no-break space
RANK = "rank_of_best"
"""Column of the table ``sentences`` with the rank of the best analysis; null if there is no list."""

AnySource = str | os.PathLike[str] | Source | IO[bytes]


def oracle(
    gold: AnySource,
    lists: Mapping[str, AnySource],
    *,
    metric: str | None = None,
    preset: str | Preset = "standard",
    format: str | None = None,  # noqa: A002 - the word users know
    punctuation: str | None = None,
    subtypes: bool | None = None,
    encoding: str | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Run:
    """Score the first analysis of n-best lists, and the best one.

    Parameters
    ----------
    gold : path or binary file
        The gold treebank.
    lists : mapping of str to path or binary file
        Each parser's lists by name, in the form that :mod:`evaltools.formats.nbest_lists` reads. They are paired with
        gold sentences by id (``# sent_id``) if the gold file has ids; otherwise by number, or by position.
    metric : str, optional
        Metric that selects the best analysis; by default Bracketing F1, or LAS for dependency trees.
    preset : str or Preset
        What to delete and equate before scoring; see :data:`evaltools.PRESETS`.
    format : str, optional
        Format of the gold file; by default detected from its content.
    punctuation : {"keep", "upos", "unicode"}, optional
        For dependency trees: whether punctuation is excluded, and how it is recognized; by default it is kept.
    subtypes : bool, optional
        For dependency trees: whether ``nsubj:pass`` differs from ``nsubj``; by default it does not.
    encoding : str, optional
        Encoding of all files, such as ``latin-1``; by default UTF-8, or what the file declares.
    out : path, optional
        Folder of the run; by default a temporary one, deleted with the returned object.
    force : bool
        Whether to replace an older run there.
    jobs : int, optional
        Number of threads; by default one per processor.
    progress : Progress, optional
        Reports progress, and can cancel the work.

    Returns
    -------
    Run
        A run of the sentences with a list, with two parsers for each file: ``name`` and ``best of n: name``.

    Raises
    ------
    InputError
        If a file cannot be read, or has trees of another kind than the gold file.
    ParameterError
        If the metric is unknown or does not apply to the trees, or if there is no list.
    """
    if not lists:
        raise ParameterError("no list given; at least one is needed")
    source = open_source(gold, encoding=encoding)
    gold_format = format or guess_format(source)
    if gold_format not in FORMATS:
        raise ParameterError.unknown("format", gold_format, FORMATS)
    corpus_class: type = FORMATS[gold_format].holds
    framework = framework_reading(corpus_class)
    if framework is None or corpus_class not in LIST_FORMATS:
        found = f"{FORMATS[gold_format].title}"
        raise InputError(Problem("kind", source.name, None, None, found, "constituency or dependency trees"))
    metric = metric_id(metric or framework.figures.main, select_metrics(None, framework.passes.values()))
    stream = CorpusStream(source, gold_format, as_evalb=load_preset(preset).evalb is not None)
    trees = stream.read(sys.maxsize, Vocabulary())
    lists_by_parser = {parser: read_nbest(open_source(file, encoding=encoding)) for parser, file in lists.items()}
    for nbest in lists_by_parser.values():
        if nbest.holds is not corpus_class:
            expected = f"{HELD[corpus_class]}, as the gold file"
            raise InputError(Problem("kind", nbest.name, None, None, HELD[nbest.holds], expected))
    ambiguous = {_oracle_of(parser, nbest) for parser, nbest in lists_by_parser.items()} & set(lists_by_parser)
    if ambiguous:
        raise ParameterError(f"{min(ambiguous)!r} is the name of another list's best analyses; choose another name")
    pairings = {parser: pair_lists(trees, nbest) for parser, nbest in lists_by_parser.items()}
    indices = sorted({index for items, _, _ in pairings.values() for index in items})
    if not indices:
        raise ParameterError("no list belongs to a sentence of the gold file")
    notation = gold_format if gold_format in OWN_FORMATS else LIST_FORMATS[corpus_class]
    # how the files made of the lists are paired is not worth a note
    quiet = None if progress is None else replace(progress, note=None)

    def scored_as_listed(outputs: Mapping[str, Source], metrics: list[str] | None = None) -> Run:
        return score(
            gold_source,
            outputs,
            format=notation,
            metrics=metrics,
            preset=preset,
            punctuation=punctuation,
            subtypes=subtypes,
            jobs=jobs,
            progress=quiet,
        )

    gold_source = _source(gold_texts(trees, indices, notation), notation, source.name)
    outputs: dict[str, Source] = {}
    figures: list[dict[str, Any]] = []
    ranks: dict[str, NDArray[np.int64]] = {}
    problems = [*trees.problems, *stream.problems_of_file()]
    if isinstance(trees, Dependencies):
        ids = SentenceIds()
        ids.add(trees.sent_ids(), trees.line)
        problems += repeated_ids(ids, source.name)
    for parser, nbest in lists_by_parser.items():
        items, paired_by, unpaired = pairings[parser]
        texts, list_problems = ranked_texts(trees, indices, items, nbest, parser)
        of_ranks = {str(rank): _source(own, notation, f"rank {rank}") for rank, own in enumerate(texts, start=1)}
        run_of_ranks = scored_as_listed(of_ranks, [metric])
        table, best = curve(run_of_ranks.counts(), run_of_ranks.parsers, metric)
        list_problems += listed_problems(run_of_ranks.problems(), indices, items, nbest, parser)
        problems += first_problems([*nbest.problems, *unpaired, *list_problems], nbest, parser)
        has_list = np.array([index in items for index in indices])
        best_parser = _oracle_of(parser, nbest)
        outputs[parser] = _source(texts[0], notation, nbest.name)
        best_texts = [texts[rank - 1][sentence] for sentence, rank in enumerate(best.tolist())]
        outputs[best_parser] = _source(best_texts, notation, nbest.name)
        ranks |= {name: np.where(has_list, best, 0) for name in (parser, best_parser)}
        figures.append(
            {
                "parser": parser,
                "oracle": best_parser,
                "most": nbest.max_length,
                "lists": len(items),
                "paired": paired_by,
                "curve": table.to_dict("records"),
            }
        )
    scored = scored_as_listed(outputs)
    meta = _meta(scored, source, len(trees), lists_by_parser, metric, figures, len(problems), gold_format)
    meta.pop(METADATA, None)
    if encoding is not None:
        meta["options"]["encoding"] = encoding
    join = MetadataJoin()
    metadata = None
    if isinstance(trees, Dependencies):  # of all sentences: documents go on in those without a list
        rows = CommentReader().read(trees.text, trees.text_start, trees.text_end)
        metadata = join.add(len(indices), [rows[index] for index in indices], [None] * len(indices))
    return _write(scored, meta | join.entry(), problems, np.array(indices) + 1, ranks, metadata, out, force)


def _oracle_of(parser: str, lists: NBestList) -> str:
    return f"best of {lists.max_length}: {parser}"


def _source(texts: list[str | None], format_name: str, name: str) -> Source:
    """Return trees as a file."""
    missing = str(FORMATS[format_name].write([None])).strip()
    if FORMATS[format_name].holds is Dependencies:
        data, layout = "".join(f"{missing if text is None else text}\n\n" for text in texts), None
    else:
        data, layout = "".join(f"{missing if text is None else _BLANKS.sub(' ', text)}\n" for text in texts), LINES
    return Source(name, data.encode("utf-8", "backslashreplace"), "0" * 64, layout=layout)


def _meta(
    scored: Run,
    gold: Source,
    n_gold: int,
    lists: Mapping[str, NBestList],
    metric: str,
    figures: list[dict[str, Any]],
    n_problems: int,
    gold_format: str,
) -> dict[str, Any]:
    """Return the content of ``meta.json``, whose sources are the gold file and the lists."""
    nbest_of = {name: lists[item["parser"]] for item in figures for name in (item["parser"], item["oracle"])}
    parsers = []
    for entry in scored.meta["parsers"]:
        kept = {name: value for name, value in entry.items() if name not in ("paired", "pairing")}
        nbest = nbest_of[entry["name"]]
        parsers.append(kept | _source_entry(nbest, "nbest", len(nbest.items)))
    digests = "|".join(f"{parser}:{nbest.digest[:12]}" for parser, nbest in lists.items())
    gold_digest = f"gold:{gold.digest[:12]}"
    return derived_meta(
        scored.meta,
        signature=f"{scored.signature.split('|gold:')[0]}|oracle:{metric}|{gold_digest}|{digests}",
        gold=_source_entry(gold, gold_format, n_gold),
        parsers=parsers,
        problems=n_problems,
        subset={"of": gold.path or gold.name, "signature": gold_digest, "sentences": n_gold},
        nbest={"metric": metric, "format": gold_format, "lists": figures},
    )


def _source_entry(source: Source | NBestList, format_name: str, n_sentences: int) -> dict[str, Any]:
    return {
        "file": source.name,
        "path": source.path,
        "format": format_name,
        "sentences": n_sentences,
        "sha256": source.digest,
    }


def _write(
    scored: Run,
    meta: dict[str, Any],
    problems: list[Problem],
    originals: NDArray[np.int64],
    ranks: Mapping[str, NDArray[np.int64]],
    metadata: Rows | None,
    out: str | os.PathLike[str] | None,
    force: bool,
) -> Run:
    """Copy a run, with the numbers of the sentences in the gold file and the ranks of their best analyses."""
    temporary = tempfile.TemporaryDirectory(prefix="evaltools-") if out is None else None
    path = Path(temporary.name) / "run" if temporary is not None else Path(os.fspath(out or ""))
    writer = RunWriter(path, force=force)
    try:
        for table in tables_of(meta):
            if table == METADATA and metadata is not None:
                writer.write(table, metadata)
            elif table == "problems":
                writer.write(table, problems_table(problems))
            elif table == "sentences":
                columns = f"{STORED}, ranked.original, ranked.{RANK}"
                joined = "join ranked on stored.parser = ranked.parser and stored.sentence = ranked.sentence"
                writer.select(table, scored.folder, columns, joined, ranked=_ranked(originals, ranks))
            else:
                writer.select(table, scored.folder)
        written = writer.finish(meta, Progress())
    except BaseException:
        writer.abandon()
        raise
    return Run(path, temporary, meta=written)


def _ranked(originals: NDArray[np.int64], ranks: Mapping[str, NDArray[np.int64]]) -> Rows:
    """Return the number of each sentence in the gold file and the rank of its best analysis, for each parser."""
    n = len(originals)
    best = np.concatenate(list(ranks.values())).astype(np.int32)
    return {
        "parser": np.repeat(text_column(list(ranks)), n),
        "sentence": np.tile(np.arange(1, n + 1, dtype=np.int32), len(ranks)),
        "original": np.tile(originals.astype(np.int32), len(ranks)),
        RANK: number_column(best, best == 0),
    }


def best_ranks(scores: NDArray[np.float64], *, higher_is_better: bool = True) -> NDArray[np.int64]:
    """Return the rank of the best analysis among the first 1, 2, … analyses.

    Examples
    --------
    >>> best_ranks(np.array([[0.5, 0.7, 0.7, np.nan]])).tolist()
    [[1, 2, 2, 2]]
    """
    values = np.where(np.isnan(scores), -np.inf, scores if higher_is_better else -scores)
    best = np.maximum.accumulate(values, axis=1)
    new = np.empty(values.shape, dtype=np.bool_)
    new[:, :1] = True
    new[:, 1:] = best[:, 1:] > best[:, :-1]
    ranks: NDArray[np.int64] = np.maximum.accumulate(np.where(new, np.arange(1, values.shape[1] + 1), 0), axis=1)
    return ranks


def curve(counts: pd.DataFrame, ranked: list[str], metric: str) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Return the figures of each rank, and of the best among the first 1, 2, … analyses; and the rank of the best."""
    item = METRICS[metric]
    sides = [counts[counts["parser"] == name].sort_values("sentence", ignore_index=True) for name in ranked]
    scores = np.stack([sentence_scores(side, [item])[metric].to_numpy() for side in sides], axis=1)
    ranks = best_ranks(scores, higher_is_better=item.higher_is_better)
    every, n = pd.concat(sides, ignore_index=True), len(scores)
    rows = []
    for index, side in enumerate(sides):
        chosen = every.iloc[(ranks[:, index] - 1) * n + np.arange(n)]
        own, best = (summarize(part.assign(parser="best"), ["best"], [item]).iloc[0] for part in (side, chosen))
        rows.append(
            {
                "rank": index + 1,
                "parses": int((side["status"] != "missing").sum()),
                "own_pooled": float(own["pooled"]),
                "own_mean": float(own["mean"]),
                "pooled": float(best["pooled"]),
                "mean": float(best["mean"]),
                "n": int(best["n"]),
                "best": int((ranks[:, -1] == index + 1).sum()),
            }
        )
    return pd.DataFrame(rows), ranks[:, -1]
