"""Runs of n-best lists: the first analysis of each list, and the best one, the *oracle*.

The best analysis of a sentence is the one with the highest score by a metric; of several, the first. A pooled figure
weighs sentences by their size, so that another choice may reach a slightly higher one. Only sentences with a list are
compared; the run has their numbers in the gold file.

All analyses of a rank are one file, which is scored by the metric; then a file of the first analyses and one of the
best ones are scored by all metrics.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, DependencyTree, Treebank, Vocabulary
from evaltools.corpus.sentence_ids import CommentReader, SentenceIds
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import FORMATS, HELD, guess_format
from evaltools.formats.brackets import LINES
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.formats.edges import is_between
from evaltools.formats.nbest_lists import NBestItem, NBestList, NBestParse, read_nbest
from evaltools.formats.source import FileSource, ProblemLog, Source, n_more, open_source
from evaltools.frameworks.common.columns import Rows, number_column, text_column
from evaltools.frameworks.common.tables import problems_table
from evaltools.frameworks.figures import Sentences, parser_figures
from evaltools.frameworks.pairing.id_pairing import repeated_ids
from evaltools.frameworks.passes import select_metrics
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.frameworks.registry import METRICS, framework_reading, metric_id
from evaltools.progress import Progress
from evaltools.runs.meta import METADATA, RANK, derived_meta, tables_of
from evaltools.runs.metadata import MetadataJoin
from evaltools.runs.scoring import score
from evaltools.runs.store import Run
from evaltools.runs.writer import STORED, RunWriter
from evaltools.text import excerpt

if TYPE_CHECKING:
    import pandas as pd

_NOTATIONS: dict[type, str] = {Treebank: "ptb", Dependencies: "conllu"}
"""The format in which trees are written for scoring, by the class of corpus of the gold file."""
_OWN_NOTATIONS = ("sampson",)
"""Formats of gold files that are also the format for scoring."""
_ONCE_A_FILE = ("parentheses", "spaces")
"""Kinds of problems without a sentence that are listed for a rank; others concern the file made of the analyses."""
_BLANKS = re.compile(r"[ \t\n\r\v\f]+")  # a word may hold a no-break space

Gold = Treebank | Dependencies
Texts = list[str | None]
"""A tree for each sentence; None where there is none."""


def oracle(
    gold: FileSource,
    lists: Mapping[str, FileSource],
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
    punctuation : {"keep", "upos", "ptb", "unicode"}, optional
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
    holds: type = FORMATS[gold_format].holds
    framework = framework_reading(holds)
    if framework is None or holds not in _NOTATIONS:
        found = f"{FORMATS[gold_format].title}"
        raise InputError(Problem("kind", source.name, None, None, found, "constituency or dependency trees"))
    metric = metric_id(metric or framework.figures.main, select_metrics(None, framework.passes.values()))
    stream = CorpusStream(source, gold_format, as_evalb=load_preset(preset).evalb is not None)
    trees = stream.read(sys.maxsize, Vocabulary())
    paired = _paired_lists(trees, {name: open_source(file, encoding=encoding) for name, file in lists.items()}, holds)
    chosen = sorted({index for item in paired for index in item.items})
    if not chosen:
        raise ParameterError("no list belongs to a sentence of the gold file")

    notation = gold_format if gold_format in _OWN_NOTATIONS else _NOTATIONS[holds]
    scored_as = partial(
        score,
        _file(_gold_texts(trees, chosen, notation), notation, source.name),
        format=notation,
        preset=preset,
        punctuation=punctuation,
        subtypes=subtypes,
        jobs=jobs,
        # how the files made of the lists are paired is not worth a note
        progress=None if progress is None else replace(progress, note=None),
    )
    problems = [*trees.problems, *stream.problems_of_file()]
    if isinstance(trees, Dependencies):
        ids = SentenceIds()
        ids.add(trees.sent_ids(), trees.line)
        problems += repeated_ids(ids, source.name)
    outputs: dict[str, Source] = {}
    figures: list[dict[str, Any]] = []
    ranks: dict[str, NDArray[np.int64]] = {}
    for item in paired:
        texts, of_texts = _texts_by_rank(trees, chosen, item)
        files = {str(rank): _file(own, notation, f"rank {rank}") for rank, own in enumerate(texts, start=1)}
        of_ranks = scored_as(files, metrics=[metric])
        curve, best = _curve(of_ranks, metric)
        of_scoring = _problems_of_ranks(of_ranks.problems(), chosen, item)
        problems += _first_problems([*item.lists.problems, *item.problems, *of_texts, *of_scoring], item)
        outputs[item.parser] = _file(texts[0], notation, item.lists.name)
        best_texts = [texts[rank - 1][sentence] for sentence, rank in enumerate(best.tolist())]
        outputs[item.oracle] = _file(best_texts, notation, item.lists.name)
        of_best = np.where([index in item.items for index in chosen], best, 0)
        ranks |= {item.parser: of_best, item.oracle: of_best}
        figures.append(item.entry | {"curve": curve})
    run = scored_as(outputs)

    numbers = np.array(chosen) + 1
    meta = _meta(run, _source_entry(source, gold_format, len(trees)), paired) | {"problems": len(problems)}
    meta |= {"nbest": {"metric": metric, "format": gold_format, "lists": figures}}
    meta["signature"] = _signature(run, metric, source, paired)
    if encoding is not None:
        meta["options"]["encoding"] = encoding
    tables: dict[str, Rows] = {"problems": problems_table(problems)}
    if isinstance(trees, Dependencies):  # of all sentences: documents go on in those without a list
        join, comments = MetadataJoin(), CommentReader().read(trees.text, trees.text_start, trees.text_end)
        metadata = join.add(len(chosen), [comments[index] for index in chosen], [None] * len(chosen))
        meta |= join.entry()
        tables |= {} if metadata is None else {METADATA: metadata}
    with RunWriter(out, force=force) as writer:
        for table in tables_of(meta):
            if table in tables:
                writer.write(table, tables[table])
            elif table == "sentences":
                columns = f"{STORED}, ranked.original, ranked.{RANK}"
                joined = "join ranked on stored.parser = ranked.parser and stored.sentence = ranked.sentence"
                writer.select(table, run.folder, columns, joined, ranked=_ranked(numbers, ranks))
            else:
                writer.select(table, run.folder)
        return Run(writer.path, writer.temporary, meta=writer.finish(meta, Progress()))


# -------------------------------------------------------------------------------------------------- lists and sentences


@dataclass(frozen=True, slots=True)
class PairedLists:
    """The lists of a parser beside the gold sentences."""

    parser: str
    lists: NBestList
    items: dict[int, NBestItem]  # By the index of the gold sentence
    paired_by: str  # ``id``, ``number`` or ``position``
    problems: list[Problem]  # Lists that belong to no sentence

    @property
    def oracle(self) -> str:
        """The parser of the best analyses."""
        return f"best of {self.lists.max_length}: {self.parser}"

    @property
    def entry(self) -> dict[str, Any]:
        """What ``meta.json`` says of the lists."""
        return {
            "parser": self.parser,
            "oracle": self.oracle,
            "most": self.lists.max_length,
            "lists": len(self.items),
            "paired": self.paired_by,
        }


def _paired_lists(gold: Gold, files: Mapping[str, Source], holds: type) -> list[PairedLists]:
    """Read the lists of all parsers and pair them with the gold sentences."""
    read = {parser: read_nbest(file) for parser, file in files.items()}
    for lists in read.values():
        if lists.holds is not holds:
            expected = f"{HELD[holds]}, as the gold file"
            raise InputError(Problem("kind", lists.name, None, None, HELD[lists.holds], expected))
    paired = [_paired(gold, parser, lists) for parser, lists in read.items()]
    if ambiguous := {item.oracle for item in paired} & set(files):
        raise ParameterError(f"{min(ambiguous)!r} is the name of another list's best analyses; choose another name")
    return paired


def _paired(gold: Gold, parser: str, lists: NBestList) -> PairedLists:
    """Pair lists by id if the gold file has some of their ids; else by number, or in their order."""
    ids: list[str | None] = gold.sent_ids() if isinstance(gold, Dependencies) else []
    indices: dict[str, int] = {}
    for index, id_ in enumerate(ids):
        if id_ is not None:
            indices.setdefault(id_, index)
    names = [item.id or "" for item in lists.items]
    if lists.has_ids and any(name in indices for name in names):
        paired_by, sentences = "id", [indices.get(name, -1) for name in names]
    elif lists.has_ids and all(name.isdecimal() and len(name) < 10 for name in names):
        paired_by, sentences = "number", [int(name) - 1 for name in names]
    else:
        paired_by, sentences = "position", list(range(len(names)))
    items: dict[int, NBestItem] = {}
    problems = []
    for item, sentence in zip(lists.items, sentences, strict=True):
        if 0 <= sentence < len(gold) and sentence not in items:
            items[sentence] = item
            continue
        found = f"the list of {excerpt(item.id)}" if item.id else "a list"
        problems.append(Problem("nbest", lists.name, item.line, None, found, "a list of a sentence of the gold file"))
    return PairedLists(parser, lists, items, paired_by, problems)


# ------------------------------------------------------------------------------------------------------ trees as files


def _gold_texts(gold: Gold, chosen: list[int], notation: str) -> Texts:
    """Return some gold trees in a format; unchanged if it is the format of the gold file."""
    filled = gold.offsets[1:] > gold.offsets[:-1]
    if gold.notation == notation:
        return [gold.source(index) if filled[index] else None for index in chosen]
    write = FORMATS[notation].write
    return [write([gold.tree(index)]).strip() if filled[index] else None for index in chosen]


def _texts_by_rank(gold: Gold, chosen: list[int], paired: PairedLists) -> tuple[list[Texts], list[Problem]]:
    """Return the trees of the sentences for each rank, and the analyses that are no trees."""
    texts: list[Texts] = [[None] * len(chosen) for _ in range(paired.lists.max_length)]
    problems = []
    for number, index in enumerate(chosen, start=1):
        if index not in paired.items:
            continue
        gold_tree = gold.tree(index)
        for rank, parse in enumerate(paired.items[index].parses):
            text: str | None = parse.text
            fault, expected = "", "a bracketed tree"
            if isinstance(gold_tree, DependencyTree):
                text, fault = _as_conllu(parse, gold_tree)
                expected = "HEAD:DEPREL of each word, a tree"
            elif is_between(parse.text.encode(), 0):  # it would be skipped, and its place taken by the next sentence
                text, fault = None, excerpt(parse.text)
            if fault:
                file = paired.lists.name
                problems.append(Problem("nbest", file, parse.line, None, fault, expected, number, paired.parser))
            texts[rank][number - 1] = text
    return texts, problems


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


def _file(texts: Texts, notation: str, name: str) -> Source:
    """Return trees as a file."""
    missing = str(FORMATS[notation].write([None])).strip()
    if FORMATS[notation].holds is Dependencies:
        data, layout = "".join(f"{missing if text is None else text}\n\n" for text in texts), None
    else:
        data, layout = "".join(f"{missing if text is None else _BLANKS.sub(' ', text)}\n" for text in texts), LINES
    return Source(name, data.encode("utf-8", "backslashreplace"), "0" * 64, layout=layout)


# ------------------------------------------------------------------------------------------------------------- problems


def _problems_of_ranks(problems: pd.DataFrame, chosen: list[int], paired: PairedLists) -> list[Problem]:
    """Return the problems of scoring the ranks, with their lines in the file of lists; last, those once a rank."""
    listed, of_ranks = [], []
    of_parser = problems[problems["parser"].notna()]
    for row, has_sentence in zip(of_parser.to_dict("records"), of_parser["sentence"].notna(), strict=True):
        rank = int(row["parser"])
        problem = Problem(
            row["kind"], paired.lists.name, None, None, row["found"], row["expected"], None, paired.parser
        )
        if has_sentence:
            number = int(row["sentence"])
            item = paired.items.get(chosen[number - 1])
            if item is not None and rank <= len(item.parses):
                listed.append(replace(problem, line=item.parses[rank - 1].line, sentence=number))
        elif n_more(problem.found):
            of_ranks.append(problem)
        elif problem.kind in _ONCE_A_FILE:
            of_ranks.append(replace(problem, found=f"rank {rank}: {problem.found}"))
    return [*sorted(listed, key=lambda problem: problem.line or 0), *of_ranks]


def _first_problems(problems: Iterable[Problem], paired: PairedLists) -> list[Problem]:
    """Return the first problems of each kind in a file of lists, and the numbers of the others."""
    log = ProblemLog()
    first = []
    for problem in problems:
        if more := n_more(problem.found):
            log.more[problem.kind] += more
        else:
            first += log.first([problem])
    return [*first, *(replace(problem, parser=paired.parser) for problem in log.rest(paired.lists.name))]


# -------------------------------------------------------------------------------------------- the best ones, meta.json


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


def _curve(run: Run, metric: str) -> tuple[list[dict[str, Any]], NDArray[np.int64]]:
    """Return the figures of each rank, and of the best among the first 1, 2, … analyses; and the rank of the best.

    The parsers of the run are the ranks.
    """
    item, n, counts = METRICS[metric], run.n_sentences, run.counts()
    sides = [counts.iloc[first : first + n] for first in range(0, len(counts), n)]
    scores = np.stack([Sentences(side).scores(item) for side in sides], axis=1)
    ranks = best_ranks(scores, higher_is_better=item.higher_is_better)
    rows = []
    for index, side in enumerate(sides):
        chosen = counts.iloc[(ranks[:, index] - 1) * n + np.arange(n)]
        own, best = (parser_figures(part, "", [item])[0] for part in (side, chosen))
        rows.append(
            {
                "rank": index + 1,
                "parses": int((side["status"] != "missing").sum()),
                "own_pooled": own["pooled"],
                "own_mean": own["mean"],
                "pooled": best["pooled"],
                "mean": best["mean"],
                "n": best["n"],
                "best": int((ranks[:, -1] == index + 1).sum()),
            }
        )
    return rows, ranks[:, -1]


def _ranked(numbers: NDArray[np.int64], ranks: Mapping[str, NDArray[np.int64]]) -> Rows:
    """Return the number of each sentence in the gold file and the rank of its best analysis, for each parser."""
    n = len(numbers)
    best = np.concatenate(list(ranks.values())).astype(np.int32)
    return {
        "parser": np.repeat(text_column(list(ranks)), n),
        "sentence": np.tile(np.arange(1, n + 1, dtype=np.int32), len(ranks)),
        "original": np.tile(numbers.astype(np.int32), len(ranks)),
        RANK: number_column(best, best == 0),
    }


def _meta(run: Run, gold: Mapping[str, Any], paired: list[PairedLists]) -> dict[str, Any]:
    """Return the content of ``meta.json``, whose sources are the gold file and the lists."""
    lists_of = {name: item.lists for item in paired for name in (item.parser, item.oracle)}
    parsers = []
    for entry in run.meta["parsers"]:
        kept = {name: value for name, value in entry.items() if name not in ("paired", "pairing")}
        lists = lists_of[entry["name"]]
        parsers.append(kept | _source_entry(lists, "nbest", len(lists.items)))
    complete = {
        "of": gold["path"] or gold["file"],
        "signature": f"gold:{gold['sha256'][:12]}",
        "sentences": gold["sentences"],
    }
    meta = derived_meta(run.meta, gold=gold, parsers=parsers, subset=complete)
    return {name: value for name, value in meta.items() if name != METADATA}


def _signature(run: Run, metric: str, gold: Source, paired: list[PairedLists]) -> str:
    digests = "|".join(f"{item.parser}:{item.lists.digest[:12]}" for item in paired)
    return f"{run.signature.split('|gold:')[0]}|oracle:{metric}|gold:{gold.digest[:12]}|{digests}"


def _source_entry(source: Source | NBestList, format_name: str, n_sentences: int) -> dict[str, Any]:
    return {
        "file": source.name,
        "path": source.path,
        "format": format_name,
        "sentences": n_sentences,
        "sha256": source.digest,
    }
