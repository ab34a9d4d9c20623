"""Lists of analyses beside gold trees: which list belongs to which sentence, and its analyses as trees of a format."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from evaltools.errors import ParameterError, Problem, excerpt
from evaltools.formats import FORMATS
from evaltools.formats.nbest_lists import NBestItem, NBestList, NBestParse
from evaltools.treebank import Dependencies, DependencyTree, Treebank

__all__ = ["LISTED_AS", "RankedTexts", "gold_texts", "listed_problems", "matched", "ranked_texts"]


@dataclass(frozen=True)
class RankedTexts:
    """The analyses of a parser, rank by rank.

    Parameters
    ----------
    texts : list of list of (str or None)
        For each rank, for each sentence, the tree as the format has it; None where there is none.
    problems : list of Problem
        Analyses that are no tree over the sentence's words.
    """

    texts: list[list[str | None]]
    problems: list[Problem]


def matched(gold: Treebank | Dependencies, lists: NBestList) -> tuple[dict[int, NBestItem], str, list[Problem]]:
    """Say which gold sentence each list belongs to.

    Parameters
    ----------
    gold : Treebank or Dependencies
        The gold trees.
    lists : NBestList
        The lists.

    Returns
    -------
    (dict of int to NBestItem, str, list of Problem)
        The lists by the sentence's place, from 0; ``"id"``, ``"number"`` or ``"position"``: how they were paired; and
        the lists that belong to none.
    """
    ids: list[str | None] = gold.sent_ids() if isinstance(gold, Dependencies) else []
    places: dict[str, int] = {}
    for index, id_ in enumerate(ids):
        if id_ is not None:
            places.setdefault(id_, index)
    if lists.has_ids and any(item.id in places for item in lists.items):
        how, where = "id", [places.get(item.id or "") for item in lists.items]
    elif lists.has_ids and all((item.id or "").isdecimal() and len(item.id or "") < 10 for item in lists.items):
        how, where = "number", [int(item.id or 0) - 1 for item in lists.items]
    else:
        how, where = "position", list(range(len(lists.items)))
    found: dict[int, NBestItem] = {}
    problems = []
    for item, place in zip(lists.items, where, strict=True):
        if place is not None and 0 <= place < len(gold) and place not in found:
            found[place] = item
            continue
        name = f"the list of {excerpt(item.id)}" if item.id else "a list"
        problems.append(Problem("nbest", lists.name, item.line, None, name, "a list of a sentence of the gold file"))
    return found, how, problems


LISTED_AS = {"sampson": "sampson", "constituency": "ptb", "dependency": "conllu"}
"""How trees are written for scoring, by the gold file's format or by what it holds."""


def gold_texts(gold: Treebank | Dependencies, places: list[int], written: str) -> list[str | None]:
    """Return some gold trees, as they were read if the gold file has that format.

    Parameters
    ----------
    gold : Treebank or Dependencies
        The gold trees.
    places : list of int
        Which, from 0.
    written : str
        Name of the format, one of :data:`LISTED_AS`.
    """
    filled = gold.offsets[1:] > gold.offsets[:-1]
    if gold.notation == written:
        return [gold.source(place) if filled[place] else None for place in places]
    write = FORMATS[written].write
    return [write([gold.tree(place)]).strip() if filled[place] else None for place in places]


def ranked_texts(
    gold: Treebank | Dependencies, places: list[int], items: dict[int, NBestItem], lists: NBestList, parser: str
) -> RankedTexts:
    """Return the analyses as trees of the gold file's format.

    Parameters
    ----------
    gold : Treebank or Dependencies
        The gold trees; dependencies take over their words.
    places : list of int
        Which sentences, from 0.
    items : dict
        The lists by place, from :func:`matched`.
    lists : NBestList
        Where they come from.
    parser : str
        Whose they are.
    """
    texts: list[list[str | None]] = [[None] * len(places) for _ in range(lists.most)]
    problems = []
    for at, place in enumerate(places):
        item = items.get(place)
        words = gold.tree(place) if item is not None and lists.holds == "dependency" else None
        for rank, parse in enumerate(item.parses if item is not None else ()):
            text: str | None = parse.text
            if isinstance(words, DependencyTree):
                text, says = _as_conllu(parse, words)
                if says:
                    expected = "HEAD:DEPREL of each word, a tree"
                    problems.append(Problem("nbest", lists.name, parse.line, None, says, expected, at + 1, parser))
            texts[rank][at] = text
    return RankedTexts(texts, problems)


def listed_problems(
    problems: pd.DataFrame, places: list[int], items: dict[int, NBestItem], lists: NBestList, parser: str
) -> list[Problem]:
    """Return what was found in the analyses when they were scored, with their lines in the file of lists.

    Parameters
    ----------
    problems : DataFrame
        Of a run whose parsers are the ranks, from 1.
    places : list of int
        Which sentences, from 0.
    items : dict
        The lists by place, from :func:`matched`.
    lists : NBestList
        Where they come from.
    parser : str
        Whose they are.
    """
    found = []
    of_ranks = problems[problems["parser"].notna() & problems["sentence"].notna()]
    for row in of_ranks.to_dict("records"):
        at, rank = int(row["sentence"]) - 1, int(row["parser"]) - 1
        item = items.get(places[at])
        if item is not None and rank < len(item.parses):
            line = item.parses[rank].line
            found.append(Problem(row["kind"], lists.name, line, None, row["found"], row["expected"], at + 1, parser))
    return sorted(found, key=lambda problem: problem.line or 0)


def _as_conllu(parse: NBestParse, gold: DependencyTree) -> tuple[str | None, str]:
    """Return an analysis as CoNLL-U over the gold words; or nothing, and what is wrong."""
    pairs = [one.partition(":") for one in parse.text.split()]
    if len(pairs) != len(gold.forms):
        return None, f"{len(pairs)} heads for {len(gold.forms)} words"
    wrong = next((head for head, _, _ in pairs if not head.isdecimal() or len(head) > 6), None)
    if wrong is not None:
        return None, f"the head {excerpt(wrong, 20)!r}"
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
