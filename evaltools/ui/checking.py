"""Looking through files before anything is scored: format, number of trees, what is wrong and where."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import NamedTuple

import numpy as np
import streamlit as st

from evaltools.errors import InputError, Problem
from evaltools.formats import FORMATS, Source, read_treebank, require_constituency
from evaltools.formats.byte_stream import ExpansionLimit
from evaltools.formats.semantics import SEMANTIC_FORMATS, SemanticBank, guess_semantic, read_semantics
from evaltools.formats.treebank_stream import CorpusStream, TreebankStream
from evaltools.normalize import Preset, Status, load_preset, normalize_pair
from evaltools.normalize.dependency_pair import DependencyRules, pair_dependencies
from evaltools.runs.checks import compared_words
from evaltools.runs.dependency_chunks import word_problems as differing_words
from evaltools.runs.paired_stream import GoldIds, PairedStream
from evaltools.runs.pairing_lines import describe_pairing
from evaltools.runs.passes import Progress
from evaltools.runs.semantic_pairs import framework_problem, gold_problems, pair_items
from evaltools.runs.sentence_alignment import align_sentences, read_sentences
from evaltools.runs.sentence_shifts import shift_problems
from evaltools.treebank import Dependencies, Treebank, Vocabulary
from evaltools.treebank.choosing import taken

__all__ = ["Checked", "Compared", "check", "compare", "item_problems", "upload_limit"]


_TABLES = ("item", "parse", "relations", "result")
_NO_FOLDER = "a file; folders cannot be uploaded: evaltools score scores a profile into a run to open here"


@dataclass(frozen=True)
class Checked:
    """An input that was looked through.

    Parameters
    ----------
    source : Source or None
        Its content; None if it cannot be read at all.
    format : str
        As guessed.
    sentences, trees : int
        Sentences, and those of them that have a tree.
    problems : tuple of Problem
        What is wrong with it.
    bank : SemanticBank or None
        Its content if it holds semantic graphs.
    """

    source: Source | None
    format: str
    sentences: int
    trees: int
    problems: tuple[Problem, ...]
    bank: SemanticBank | None = None

    @property
    def fatal(self) -> bool:
        """Whether it cannot be scored."""
        return self.source is None

    @property
    def kind(self) -> str:
        """What it holds: ``constituency`` or ``dependency`` trees, or ``semantics``; empty if it cannot be read."""
        if self.bank is not None:
            return "semantics"
        return "" if self.fatal else str(FORMATS[self.format].HOLDS)

    def describe(self) -> str:
        """Say in one line what it is."""
        if self.fatal:
            return "cannot be read"
        problems = f", {len(self.problems):,} problem{'s' if len(self.problems) != 1 else ''}" if self.problems else ""
        if self.bank is not None:
            title = SEMANTIC_FORMATS[self.format].TITLE
            most = max((len(item.results) for item in self.bank.items), default=0)
            several = f", up to {most:,} results each" if most > 1 else ""
            names = "" if self.bank.has_ids else ", without ids: paired by their places"
            return f"{title}, {self.trees:,} graphs in {self.sentences:,} items{several}{names}{problems}"
        return f"{FORMATS[self.format].TITLE}, {self.trees:,} trees in {self.sentences:,} sentences{problems}"


def upload_limit() -> ExpansionLimit:
    """Return how much may come out of a compressed upload: no more than may be uploaded without compression."""
    return ExpansionLimit(int(st.get_option("server.maxUploadSize")) << 20)


def check(name: str, stored: bytes) -> Checked:
    """Read an input and list what is wrong with it.

    Parameters
    ----------
    name : str
        What it is called.
    stored : bytes
        Its content as uploaded, perhaps compressed.
    """
    return _checked(name, hashlib.sha256(stored).hexdigest(), stored)


@st.cache_resource(max_entries=24, show_spinner=False)
def _checked(name: str, digest: str, _stored: bytes) -> Checked:
    try:
        source = Source.from_bytes(_stored, name, upload_limit())
        if guess_semantic(source) is not None:
            bank = read_semantics(source, results="all")
            graphs = sum(item.graph is not None for item in bank.items)
            return Checked(source, bank.format, len(bank.items), graphs, tuple(bank.problems), bank)
        treebank = read_treebank(source)
        if isinstance(treebank, Treebank):
            require_constituency(treebank.format, name)
            treebank.require_continuous()
    except InputError as error:
        problem = error.problem
        if problem.kind == "format" and PurePath(name).name.split(".")[0] in _TABLES:
            problem = replace(problem, found="a table of a profile, which is a folder", expected=_NO_FOLDER)
        return Checked(None, "", 0, 0, (problem,))
    trees = int((treebank.n_words > 0).sum())
    return Checked(source, treebank.format, treebank.n_filled, trees, tuple(treebank.problems))


def item_problems(gold: Checked, outputs: Sequence[Checked]) -> list[list[Problem]]:
    """List items that have no partner or no gold graph, or are of other sentences, beside what `problems` lists.

    Parameters
    ----------
    gold : Checked
        The gold file.
    outputs : sequence of Checked
        The parsers' files.

    Returns
    -------
    list of list of Problem
        Those of the gold file, then those of each parser's; empty for what does not hold semantic graphs.
    """
    if gold.bank is None:
        return [[] for _ in range(len(outputs) + 1)]
    paired = [None if one.bank is None else pair_items(gold.bank, one.bank, "") for one in outputs]
    known = [one.items for one in paired if one is not None]
    found = [gold_problems(gold.bank, known)[len(gold.problems) :]]
    for one, output in zip(paired, outputs, strict=True):
        found.append([] if one is None else list(one.problems[len(output.problems) :]))
        if output.bank is not None and (problem := framework_problem(gold.bank, output.bank, None)) is not None:
            found[-1].append(problem)
    return found


class Compared(NamedTuple):
    """What comparing the sentences of a parser's file with those of the gold file came to.

    Parameters
    ----------
    problems : tuple of Problem
        Sentences whose words differ, and what pairing or aligning the sentences came to.
    gold_problems : tuple of Problem
        What is odd about the ids in the gold file.
    pairing : str
        How the sentences are paired, in one line; empty for files that can have no ids.
    """

    problems: tuple[Problem, ...] = ()
    gold_problems: tuple[Problem, ...] = ()
    pairing: str = ""


def compare(gold: Checked, output: Checked, preset: str | Preset, *, align: bool = False) -> Compared:
    """Pair the sentences of a parser's file with the gold sentences, and compare their words.

    Parameters
    ----------
    gold, output : Checked
        The two files.
    preset : str or Preset
        Says which words count.
    align : bool
        Whether sentences are aligned by their words.
    """
    if gold.source is None or output.source is None or "semantics" in (gold.kind, output.kind):
        return Compared()
    rules = load_preset(preset)
    digests = gold.source.digest, output.source.digest
    return _compared(*digests, rules.describe(), align, gold, output, rules)


@st.cache_resource(max_entries=24, show_spinner=False)
def _compared(
    gold_digest: str, digest: str, rules: str, align: bool, _gold: Checked, _output: Checked, _preset: Preset
) -> Compared:
    if _gold.source is None or _output.source is None:
        return Compared()
    if _gold.kind == _output.kind == "dependency":
        return _compared_dependencies(*(CorpusStream(one.source, one.format) for one in (_gold, _output) if one.source))
    vocabulary = Vocabulary()
    gold = read_treebank(_gold.source, _gold.format, vocabulary)
    gold = gold.resized(gold.n_filled)
    test = read_treebank(_output.source, _output.format, vocabulary)
    if not (isinstance(gold, Treebank) and isinstance(test, Treebank)):  # they cannot be scored together
        return Compared()
    found: list[Problem] = []
    if align:
        sides = [
            read_sentences(TreebankStream(one.source, one.format), _preset, Progress(), drop_blank_end=True)
            for one in (_gold, _output)
            if one.source is not None
        ]
        partner = align_sentences(*sides)
        found += shift_problems(partner, sides[0].lines.line, sides[1].lines, "", gold.name, test.name)
        test = taken(test, partner)
    else:
        test = test.resized(len(gold))
    pair = normalize_pair(gold, test, _preset)
    for sentence in np.flatnonzero(pair.status == Status.WORDS_DIFFER).tolist():
        expected, words, place = compared_words(pair, sentence)
        line = int(test.line[sentence]) or None
        says, wanted = _word_at(words, place), _word_at(expected, place)
        found.append(Problem("words_differ", test.name, line, None, says, wanted, sentence + 1))
    return Compared(tuple(found))


def _compared_dependencies(gold_stream: CorpusStream, stream: CorpusStream) -> Compared:
    vocabulary, ids = Vocabulary(), GoldIds(gold_stream)
    reader = PairedStream(stream, gold_stream, ids)
    gold = gold_stream.read(sys.maxsize, vocabulary, drop_blank_end=True)
    ids.note(gold_stream, gold)
    test = reader.read(len(gold), vocabulary)
    assert isinstance(gold, Dependencies)
    assert isinstance(test, Dependencies)
    found = differing_words(pair_dependencies(gold, test, DependencyRules()))
    found += reader.finish(None)
    return Compared(tuple(found), tuple(ids.problems()) if reader.has_ids else (), describe_pairing(reader.entry))


def _word_at(words: list[str], place: int) -> str:
    """Say what stands at a place, and how many words there are.

    Examples
    --------
    >>> _word_at(["dogs", "bark"], 1)
    '“bark”, word 2 of 2'
    """
    return f"“{words[place]}”, word {place + 1} of {len(words)}" if place < len(words) else f"{len(words)} words"
