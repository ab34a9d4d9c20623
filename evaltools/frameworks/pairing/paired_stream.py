"""A file read in step with the gold file, and how its sentences were paired with the gold sentences, in words.

Sentences are paired by their ids (``# sent_id``, ``#BOS``, ``<s id>``) if every sentence of both files has one and the
files share any; else by position. Where more sentences have the text of the gold sentence in their place than of that
with their id, the order wins. Of several gold files, each gives the ids for its own kind unless it is paired by those
of another one.
As long as both files have the same ids in the same order, only the ids are kept. From the first sentence where they
differ, the rest of both files is read ahead, and that of this file is read in the order of the gold file from
its text (:class:`~evaltools.formats.corpus_stream.CorpusIndex`).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Treebank, Vocabulary
from evaltools.corpus.columns import Corpus, concatenate
from evaltools.corpus.sentence_ids import ID_NAMES, SentenceIds, number_in
from evaltools.errors import Problem
from evaltools.formats import FORMATS
from evaltools.formats.corpus_stream import CorpusIndex, CorpusStream
from evaltools.frameworks.common.labels import equated_lines
from evaltools.frameworks.pairing.id_pairing import gold_id_problems, pair_ids, problems_by_id, problems_by_position
from evaltools.frameworks.pairing.universal_alignment import joined
from evaltools.text import count_of


def pairing_counts(partner: NDArray[np.int64], n_sentences: int) -> dict[str, int]:
    """Return how many gold sentences have a partner at another position, or none, and how many others are left out."""
    paired = np.flatnonzero(partner >= 0)
    return {
        "shifted": int(np.count_nonzero(partner[paired] != paired)),
        "without_partner": len(partner) - len(paired),
        "left_out": n_sentences - len(paired),
    }


def describe_counts(counts: Mapping[str, int]) -> str:
    """Return the counts of an alignment in one line.

    Examples
    --------
    >>> describe_counts({"shifted": 12, "left_out": 3, "without_partner": 0})
    'sentences aligned by their words: 12 shifted, 3 left out, 0 gold sentences without partner'
    """
    gold = f"{count_of(counts['without_partner'], 'gold sentence')} without partner"
    return f"sentences aligned by their words: {counts['shifted']} shifted, {counts['left_out']} left out, {gold}"


def describe_pairing(entry: Mapping[str, Any]) -> str:
    """Return in one line how a file's sentences were paired with the gold sentences.

    Examples
    --------
    >>> describe_pairing({"paired": "position", "pairing": {"reason": "gold.conllu has no sent_id"}})
    'sentences paired by position: gold.conllu has no sent_id'
    >>> describe_pairing({"paired": "id", "pairing": {"shifted": 2, "left_out": 1, "without_partner": 0}})
    'sentences paired by sent_id: 2 at another position, 1 left out, 0 gold sentences without partner'
    """
    pairing = entry["pairing"]
    if entry["paired"] == "position":
        return f"sentences paired by position: {pairing['reason']}"
    if entry["paired"] == "text":
        return (
            f"sentences paired by the characters of the text: {pairing['divided']:,} gold sentences lie in several of "
            f"the parser's, {pairing['without_partner']:,} in none, {pairing['left_out']:,} left out"
        )
    name = ID_NAMES[entry.get("format", "conllu")]
    if not any(pairing.values()):
        return f"sentences paired by {name}"
    n_missing = pairing["without_partner"]
    gold = f"{count_of(n_missing, 'gold sentence')} without partner"
    return (
        f"sentences paired by {name}: {pairing['shifted']:,} at another position, {pairing['left_out']:,} left out, "
        f"{gold}"
    )


def pairing_lines(meta: Mapping[str, Any], parsers: Iterable[str] | None = None) -> list[str]:
    """Return how the sentences of a run's files were paired or aligned, and what counts as the same in them."""
    chosen = None if parsers is None else set(parsers)
    names = [(f"gold {entry['theory']}", entry) for entry in meta.get("golds", ())] or [("gold", meta["gold"])]
    names += [(entry["name"], entry) for entry in meta["parsers"] if chosen is None or entry["name"] in chosen]
    lines = [f"{name}: {describe_counts(entry['aligned'])}" for name, entry in names if "aligned" in entry]
    by_text: dict[str, list[str]] = {}
    for name, entry in names:
        if "pairing" in entry:
            by_text.setdefault(describe_pairing(entry), []).append(name)
    lines += [f"{', '.join(group)}: {text}" for text, group in by_text.items()]
    return lines + equated_lines(names)


def chosen_sentences(parts: list[Corpus], chosen: NDArray[np.int64], first: int) -> Corpus:
    """Join the sentences that were chosen from several parts of a file."""
    in_file = np.concatenate([part.first_sentence + np.arange(len(part), dtype=np.int64) for part in parts])
    present = np.flatnonzero(chosen >= 0)
    number = dict(zip(in_file[chosen[present]].tolist(), (first + present).tolist(), strict=True))

    def numbered(problem: Problem) -> Problem:
        gold = None if problem.sentence is None else number.get(problem.sentence - 1)
        return replace(problem, sentence=None if gold is None else gold + 1)

    problems = [numbered(problem) for part in parts for problem in part.problems]
    return replace(concatenate(parts).select(chosen), problems=problems, first_sentence=first)


class GoldIds:
    """The ids of the gold sentences in a gold file, in the order of the gold sentences."""

    def __init__(self, stream: CorpusStream) -> None:
        self.stream = stream
        self.ids = SentenceIds(ID_NAMES.get(stream.format, "sent_id"))
        self.chunk: list[str | None] = []
        self.trees: Treebank | Dependencies | None = None
        self._ahead = False
        self._tokens_ahead: tuple[int, list[str]] = (0, [])

    def note(self, trees: Treebank | Dependencies) -> None:
        """Add the ids of the gold sentences that were read last."""
        self.trees = trees
        if trees.format in ID_NAMES:
            n_in_file = (len(self.ids) if self._ahead else self.stream.n_read) - trees.first_sentence
            self.chunk = trees.sent_ids()[:n_in_file]
            if not self._ahead:
                self.ids.add(self.chunk, trees.line[:n_in_file])

    def note_all(self, ids: SentenceIds, first: int, tokens: list[str]) -> None:
        """Take over the ids of all gold sentences, and the tokens from the one with this index on."""
        self._ahead = True
        self.ids, self._tokens_ahead = ids, (first, tokens)

    def all(self) -> SentenceIds:
        """Return the ids of all gold sentences, those not yet read among them."""
        if not self._ahead:
            self._ahead = True
            n_read = self.stream.n_read
            ids, tokens = self.stream.look_ahead()
            self.ids.extend(ids)
            self._tokens_ahead = n_read, tokens
        return self.ids

    def tokens(self) -> list[str]:
        """Return the tokens of the gold sentences read last and of all after them, with a tab after each."""
        assert self.trees is not None
        self.all()
        first, tokens = self._tokens_ahead
        return self.trees.tokens() + tokens[self.trees.first_sentence + len(self.trees) - first :]

    def lines(self) -> NDArray[np.int32]:
        """Return the lines of the sentences whose tokens these are."""
        assert self.trees is not None
        # ids of formats without ids are not noted, so that the first lines are those of the sentences alone
        return np.concatenate((self.trees.line, self.all().lines))[-len(self.tokens()) or None :]

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.stream.name

    def problems(self) -> list[Problem]:
        """List the problems with the ids of the gold file, once it has been read to its end."""
        return gold_id_problems(self.ids, self.name)


class PairedStream:
    """A parser's file, or another gold file; returns the sentences that belong to the next gold sentences."""

    advice: ClassVar[str] = "--align-sentences pairs sentences by their words"
    """What helps where the numbers of sentences differ."""

    def __init__(self, stream: CorpusStream, gold: CorpusStream, *gold_ids: GoldIds) -> None:
        self.stream = stream
        self._gold, self._candidates = gold, gold_ids
        self.gold_ids = gold_ids[0]  # Those of the first of several gold files whose sentences have some
        self._ids = SentenceIds(ID_NAMES.get(stream.format, "sent_id"))
        self._n_gold = 0
        self._agree = True
        self._index: CorpusIndex | None = None
        self._index_start = 0
        self._partner = np.zeros(0, dtype=np.int64)
        self._by_id = False
        self._is_in_order = False  # Whether the text is that of the gold file in the same order, against the ids
        self._gives_ids = False
        # sentences that were read, then put in the index
        self._read_before: Treebank | Dependencies | None = None

    def read(self, n: int, vocabulary: Vocabulary) -> Treebank | Dependencies:
        """Read the sentences of the next `n` gold sentences."""
        first = self._n_gold
        if not first:
            self.gold_ids = max(self._candidates, key=lambda gold: (gold.ids.complete, gold.ids.any))
        self._n_gold += n
        self._read_before = None
        if self._index is not None:
            return self._chosen(first, n, vocabulary)
        trees = self.stream.read(n, vocabulary)
        self._read_before = trees
        if n and trees.format in ID_NAMES and self.gold_ids.chunk and self._differs(trees):
            self._pair(first)
            if self._by_id:
                return self._chosen(first, n, vocabulary)
        return replace(trees.resized(n), first_sentence=first)

    def give_ids(self, to: GoldIds, trees: Treebank | Dependencies) -> None:
        """Note the ids of a gold file's sentences that were read last, unless it is paired by those of another one."""
        if not trees.first_sentence:
            ids = trees.sent_ids()
            self._gives_ids = any(ids) and not self._by_id and self._keys(ids) != self._keys(self.gold_ids.chunk)
            if self._gives_ids and self._index is not None:
                to.note_all(self._ids, self._index_start, self._index.tokens)
        if self._gives_ids:
            to.note(trees)

    @property
    def is_reordered(self) -> bool:
        """Whether its sentences are read in another order than that of the file."""
        return self._by_id and self._index is not None

    def _differs(self, trees: Treebank | Dependencies) -> bool:
        """Return whether these sentences are the first that have other ids than the gold sentences."""
        ids, gold = trees.sent_ids(), self.gold_ids
        differ = self._agree and self._keys(ids) != self._keys(gold.chunk)
        if differ and (gold.ids.n_without or self._ids.n_without or None in ids):
            differ = self._agree = False  # without an id for every sentence, position decides
        if not differ:
            self._ids.add(ids, trees.line)
        return differ

    def _keys(self, ids: Iterable[str | None]) -> list[str | None]:
        """Return ids of either file as they are compared: s7 is 7 where they are of different kinds."""
        if self.gold_ids.ids.name == self._ids.name:
            return list(ids)
        return [name if name is None else number_in(name) or name for name in ids]

    def _pair(self, first: int) -> None:
        """Pair the sentences from the one with this index on, after reading both files ahead."""
        self._index, self._index_start = self.stream.index_rest(with_last=True), first
        self._ids.extend(self._index.ids)
        gold, rest = self.gold_ids.all(), list(self._index.ids)
        self._agree = False
        self._partner = np.arange(len(self._ids), dtype=np.int64)
        if gold.complete and self._ids.complete:
            partner = pair_ids(self._keys(islice(gold, first, None)), self._keys(rest))
            self._by_id = first > 0 or bool((partner >= 0).any())
            if self._by_id:
                self._is_in_order = self._pairs_in_order(partner, len(set(rest)) == len(rest))
                self._by_id = not self._is_in_order
            if self._by_id:
                partner[partner >= 0] += first
                self._partner = np.concatenate((self._partner[:first], partner))

    def _pairs_in_order(self, partner: NDArray[np.int64], is_unique: bool) -> bool:
        """Return whether more sentences have the text of the gold sentence in their place than of that with their id.

        Where not every sentence has a partner by its id, it is enough that the text is the same in the same order.
        """
        assert self._index is not None
        sides = self.gold_ids.tokens(), self._index.tokens
        gold, test = (joined(side, is_folded=False) for side in sides)
        pairs = np.flatnonzero(partner >= 0).tolist()
        n_by_id = sum(gold[index] == test[partner[index]] for index in pairs)
        n_in_place = sum(map(operator.eq, gold, test))
        is_paired = is_unique and len(pairs) == len(gold) == len(test)
        if n_in_place > n_by_id or is_paired:
            return bool(n_in_place > n_by_id)
        return any(self._are_same(*(joined(side, is_folded=folds) for side in sides)) for folds in (False, True))

    @staticmethod
    def _are_same(gold: list[str], test: list[str]) -> bool:
        """Return whether both sides have the same text in the same order."""
        return gold == test

    def _chosen(self, first: int, n: int, vocabulary: Vocabulary) -> Treebank | Dependencies:
        """Read sentences from the copy of the text."""
        assert self._index is not None
        partner = np.full(n, -1, dtype=np.int64)
        in_file = self._partner[first : first + n]
        partner[: len(in_file)] = np.where(in_file >= 0, in_file - self._index_start, -1)
        wanted = np.sort(partner[partner >= 0])
        return self._copied(wanted, np.where(partner >= 0, np.searchsorted(wanted, partner), -1), first, vocabulary)

    def _copied(
        self, wanted: NDArray[np.int64], chosen: NDArray[np.int64], first: int, vocabulary: Vocabulary
    ) -> Treebank | Dependencies:
        """Return the sentences at `chosen` among those wanted; read from the copy what was not read just before."""
        assert self._index is not None
        if self._read_before is not None and np.array_equal(wanted, np.arange(len(self._read_before))):
            return chosen_sentences([self._read_before], chosen, first)
        return chosen_sentences([self._index.read(wanted, vocabulary)], chosen, first)

    def finish(self, parser: str | None) -> list[Problem]:
        """Read the file to its end; return the problems with its number of sentences and their ids."""
        gold = self.gold_ids
        if self._agree and gold.ids.complete and self._ids.complete:
            self._index_start = len(self._ids)
            self._partner = np.arange(len(self._ids), dtype=np.int64)
            self._index = self.stream.index_rest()
            self._ids.extend(self._index.ids)
            self._by_id = self._ids.complete
        if self._by_id:
            self._partner = self._partner[: self._gold.n_read]
            return problems_by_id(gold.ids, self._ids, self._partner, gold.name, self.stream.name, parser)
        problems = self._number_problems(parser)
        if not self._gives_ids and self._holds_dependencies and gold.ids.name == self._ids.name:
            problems += problems_by_position(gold.ids, self._ids, gold.name, self.stream.name, parser)
        return problems

    def _number_problems(self, parser: str | None) -> list[Problem]:
        """List that there are more or fewer sentences than in the gold file."""
        n, stream = self._gold.n_read, self.stream
        expected = f"{n} sentences, as in {self._gold.name}"
        expected += f"; {self.advice}" if self.advice else ""
        if stream.n_read < n:
            found = f"{stream.n_read} sentences; the others count as missing"
            return [Problem("too_few", stream.name, max(stream.line - 1, 1), None, found, expected, parser=parser)]
        if self._index is None:
            total, line = stream.count_rest()
        else:
            total = len(self._ids)
            line = int(self._ids.lines[n]) if total > n else None
        if total > n:
            found = f"{total} sentences; those from this line on are not scored"
            return [Problem("surplus", stream.name, line, None, found, expected, parser=parser)]
        return []

    @property
    def has_ids(self) -> bool:
        """Whether any sentence that was read has an id."""
        return self._ids.any

    @property
    def entry(self) -> dict[str, Any]:
        """The pairing in ``meta.json``: ``paired`` and ``pairing``; nothing for formats without ids."""
        if not self._by_id:
            # trees are numbered anew so often that other numbers are not worth a word
            reason = {"paired": "position", "pairing": {"reason": self._position_reason()}}
            return reason if self._holds_dependencies else {}
        return {"paired": "id", "pairing": pairing_counts(self._partner, len(self._ids))}

    @property
    def _holds_dependencies(self) -> bool:
        return FORMATS[self.stream.format].holds is Dependencies

    def _position_reason(self) -> str:
        """Return why sentences are paired by position."""
        gold, name, ids = self.gold_ids, self.stream.name, self._ids
        if self._gives_ids:
            return f"{gold.name} does not have its {ids.name}s; parsers with these are paired by them"
        files = ((gold.ids, gold.name), (ids, name))
        for of_file, file in files:
            if not of_file.any:
                return f"{file} has no {of_file.name}"
        for of_file, file in files:
            if not of_file.complete:
                return f"some sentences of {file} have no {of_file.name}"
        if self._is_in_order:
            return f"{name} has the text of {gold.name} in the same order, which its ids do not"
        kind = ids.name if ids.name == gold.ids.name else "id"
        return f"{gold.name} and {name} have no {kind} in common"
