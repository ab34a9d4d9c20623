"""Pairs n-best lists with gold sentences, and writes their analyses in a format that can be scored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from evaltools.corpus import Dependencies, DependencyTree, Treebank
from evaltools.errors import ParameterError, Problem
from evaltools.formats import FORMATS
from evaltools.formats.detection import is_between
from evaltools.formats.nbest_lists import NBestItem, NBestList, NBestParse
from evaltools.formats.source import ProblemLog, n_more
from evaltools.text import excerpt

__all__ = [
    "LIST_FORMATS",
    "OWN_FORMATS",
    "first_problems",
    "gold_texts",
    "listed_problems",
    "pair_lists",
    "ranked_texts",
]


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
        item = items.get(index)
        gold_tree = gold.tree(index) if item is not None and lists.holds is Dependencies else None
        for rank, parse in enumerate(item.parses if item is not None else ()):
            text: str | None = parse.text
            if isinstance(gold_tree, DependencyTree):
                text, fault = _as_conllu(parse, gold_tree)
                if fault:
                    expected = "HEAD:DEPREL of each word, a tree"
                    problems.append(Problem("nbest", lists.name, parse.line, None, fault, expected, number, parser))
            elif is_between(parse.text.encode(), 0):  # it would be skipped, and its place taken by the next sentence
                found, text = excerpt(parse.text), None
                problems.append(
                    Problem("nbest", lists.name, parse.line, None, found, "a bracketed tree", number, parser)
                )
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
