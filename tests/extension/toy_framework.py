"""Tagged words: a framework that compares the tags of two analyses, and its format, ``dogs/N bark/V`` in each line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.blocks import Column
from evaltools.corpus import Vocabulary
from evaltools.drawing import Drawing
from evaltools.drawing.bars import Bars, FunctionBar
from evaltools.errors import Problem
from evaltools.formats import Format
from evaltools.formats.source import Source
from evaltools.frameworks.common.columns import Rows, SentenceStatus, constant, nothing, text_column
from evaltools.frameworks.common.tables import errors_table, sentences_table, stored_trees
from evaltools.frameworks.common.tree_inputs import TreeInputs, plan_trees_again
from evaltools.frameworks.framework import Chunk, Figures, Framework, Nouns, Questions, Scored, Streams
from evaltools.frameworks.metric import Family, Metric, Place, ratio
from evaltools.frameworks.passes import Pass, Passes
from evaltools.frameworks.questions import (
    MIN_COUNT,
    Kind,
    Members,
    Options,
    Question,
    Scope,
    feature_control,
    group_name,
)
from evaltools.frameworks.stored import Runs, tree_pairs
from evaltools.frameworks.views import Panel, PanelRow, Sentence, SentenceView, Viewing, subject_of
from evaltools.marks import Status
from evaltools.progress import Progress
from evaltools.runs.store import Run

Tagged = tuple[tuple[str, str], ...]  # Words with their tags

# --------------------------------------------------------------------------------------------------- corpus and format


@dataclass(frozen=True)
class TaggedWords:
    """Sentences of tagged words; those that are missing are empty."""

    sentences: tuple[Tagged, ...]
    name: str = ""
    first_sentence: int = 0
    problems: list[Problem] = field(default_factory=list)
    format: str = "tags"

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def n_words(self) -> NDArray[np.int32]:
        """Number of words of each sentence."""
        return np.array([len(sentence) for sentence in self.sentences], dtype=np.int32)

    @property
    def n_filled(self) -> int:
        """Number of sentences, without those at the end that are missing."""
        return max((number for number, sentence in enumerate(self.sentences, start=1) if sentence), default=0)

    @property
    def line(self) -> NDArray[np.int32]:
        """Line of each sentence."""
        return np.arange(1, len(self) + 1, dtype=np.int32) + np.int32(self.first_sentence)

    def resized(self, count: int) -> TaggedWords:
        """Return so many sentences."""
        return replace(self, sentences=(self.sentences + ((),) * count)[:count])


def looks_like(data: bytes) -> bool:
    """Tell whether the first word has a tag, and there are no brackets or columns."""
    first = data.split(b"\n", 1)[0]
    return b"/" in first and not any(mark in first for mark in b"([{\t#")


def layout(data: bytes) -> str:
    """Return how sentences are told apart."""
    return "lines"


def cut(data: bytes, layout: str, most: int, *, last: bool) -> tuple[int, int]:
    """Find where the first sentences end."""
    lines = data.splitlines(keepends=True)[:most]
    whole = lines if last else [line for line in lines if line.endswith(b"\n")]
    return len(whole), sum(map(len, whole))


def read(source: Source, vocabulary: Vocabulary) -> TaggedWords:
    """Read a file."""
    lines = source.data.decode().splitlines()
    return TaggedWords(tuple(map(_sentence, lines)), source.name, source.first_sentence)


def _sentence(text: str) -> Tagged:
    return tuple((word, tag) for word, _, tag in (item.rpartition("/") for item in text.split()))


def write(sentences: Iterable[Tagged | None]) -> str:
    """Write a sentence a line."""
    return "".join(" ".join(map("/".join, sentence or ())) + "\n" for sentence in sentences)


TAGS = Format(
    name="tags",
    title="tagged words",
    holds=TaggedWords,
    looks_like=looks_like,
    layout=layout,
    cut=cut,
    read=read,
    write=write,
)


# ------------------------------------------------------------------------------------------------------------- scoring


FAMILY = Family("tags", "Tags")


class Tagging(Pass[tuple[TaggedWords, TaggedWords]]):
    """Counts of right tags."""

    family = FAMILY
    columns = ("tags_gold", "tags_right")
    metrics = (
        Metric(
            id="tag_accuracy",
            title="Right tags",
            family=FAMILY,
            columns=("tags_right", "tags_gold"),
            score=lambda counts: ratio(counts["tags_right"], counts["tags_gold"]),
            help="Share of the words that have the right tag, in %.",
            place=Place(overview=True, reports=True, lists=True),
        ),
    )

    def __init__(self, comparison: tuple[TaggedWords, TaggedWords]) -> None:
        gold, test = comparison
        pairs = zip(gold.sentences, test.sentences, strict=True)
        right = [sum(one == two for one, two in zip(*pair, strict=False)) for pair in pairs]
        self._counts = np.column_stack((gold.n_words, right))
        self.status = np.where(test.n_words == 0, SentenceStatus.MISSING, SentenceStatus.OK)

    @property
    def counts(self) -> NDArray[Any]:
        """Words, and those with the right tag."""
        return self._counts


@dataclass(frozen=True)
class TagChunk(Chunk):
    """Some sentences of every file."""

    def score(self, parser: str, progress: Progress, *, details: bool = True) -> Scored:
        """Score one parser."""
        gold, test, (_, options, families) = self.gold, self.parses[parser], self.rules
        passes = Passes(TAGGED_WORDS.passes, (gold, test), options, families)
        progress.update("scoring", passes.run(0, len(gold)))
        status, n_words = passes[Tagging].status, gold.n_words
        sentences = sentences_table(
            parser,
            passes,
            first=gold.first_sentence,
            line=test.line,
            words=n_words,
            words_scored=n_words,
            status=status,
            counted=n_words > 0,
            words_aligned=nothing(len(gold)),
        )
        statuses = np.bincount(status, minlength=len(SentenceStatus)).tolist()
        tables = {"sentences": sentences, "errors": _errors(parser, gold, test), "trees": _trees(parser, test)}
        return Scored(tables, statuses, [], [])


class TagInputs(TreeInputs):
    """Files of tagged words, read side by side."""

    framework = "tags"
    passes: ClassVar = {Tagging.family.id: Tagging}
    chunk = TagChunk

    def gold_table(self, gold: Any) -> tuple[Rows, NDArray[np.int32]]:
        """Return the table of gold sentences, and their numbers of words."""
        return _trees(None, gold), gold.n_words


def _trees(parser: str | None, corpus: TaggedWords) -> Rows:
    trees = write(corpus.sentences).splitlines()
    texts = [" ".join(word for word, _ in sentence) for sentence in corpus.sentences]
    return stored_trees(parser, corpus.first_sentence, corpus.line, TAGS.name, [tree or None for tree in trees], texts)


# ----------------------------------------------------------------------------------------------- one sentence, hotspots


@dataclass(frozen=True)
class TagAlignment:
    """The tags of a sentence in two analyses."""

    gold: Tagged
    test: Tagged


def _align(run: Run, parser: str, other: str | None, sentences: Sequence[int]) -> dict[int, TagAlignment]:
    """Put two analyses beside one another."""
    pairs = tree_pairs(run, parser, other, sentences)
    return {number: TagAlignment(gold or (), test or ()) for number, (gold, test) in pairs.items()}


WRONG_TAGS = Kind("tag", unit="wrong tags", whole="wrong tags")

CONFUSED = Question(
    "confused",
    "Confused tags",
    "Words with a wrong tag.",
    WRONG_TAGS,
    (Column("gold", "Gold tag", "text"), Column("test", "Parser’s tag", "text")),
    "{gold} as {test}".format_map,
)


def _words(run: Run, parser: str, scope: Scope, options: Options) -> pd.DataFrame:
    """Return the gold words with their tags, and whether the parser's is right."""
    trees = run.query(f"select sentence, tree from trees where parser is null and {scope.condition} order by sentence")
    rows = [
        (number, at, *word)
        for number, tree in zip(trees["sentence"], trees["tree"], strict=True)
        for at, word in enumerate(_sentence(tree or ""))
    ]
    words = pd.DataFrame(rows, columns=["sentence", "start", "form", "tag"])
    sql = f"select sentence, start, 1 as cost from errors where parser = ? and {scope.condition}"
    words = words.merge(run.query(sql, [parser]), how="left").fillna({"cost": 0})
    return words.assign(right=1 - words["cost"])


BY_WORD = Question(
    "words",
    "Words",
    "Words with a wrong tag by form or tag, compared with all others.",
    WRONG_TAGS,
    (Column("group", "Group", "text"),),
    group_name,
    controls=(feature_control({"form": "word form", "tag": "tag"}, "tag"), MIN_COUNT),
    members=Members("words", _words, ("start",), {"right": "Right"}, {"form": "word form", "tag": "tag"}),
)


def _errors(parser: str, gold: TaggedWords, test: TaggedWords) -> Rows:
    """Build one row a word with a wrong tag."""
    wrong = [
        (number, at, one[1], two[1])
        for number, pair in enumerate(zip(gold.sentences, test.sentences, strict=True), gold.first_sentence + 1)
        for at, (one, two) in enumerate(zip(*pair, strict=False))
        if one != two
    ]
    sentence, word, right, given = (list(column) for column in zip(*wrong, strict=True)) if wrong else ([],) * 4
    start = np.array(word, dtype=np.int32)
    return errors_table(
        parser,
        "tag",
        np.array(sentence, dtype=np.int32),
        constant("relabeled", len(wrong)),
        np.ones(len(wrong)),
        (start, start + 1, [""] * len(wrong)),
        [f"{at}-{at + 1}" for at in word],
        (text_column(right), text_column(given)),
        [f"{two} instead of {one}" for one, two in zip(right, given, strict=True)],
    )


# ----------------------------------------------------------------------------------------------------------- framework


def _view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    """Return a picture with the gold tags above the words, and those of the parser below."""
    alignment: TagAlignment = sentence.alignment
    same = [one == two for one, two in zip(alignment.gold, alignment.test, strict=False)]
    sides = [
        [
            FunctionBar(frozenset({i}), ((tag, Status.RIGHT if equal else status, False),))
            for i, ((_, tag), equal) in enumerate(zip(side, same, strict=False))
        ]
        for side, status in ((alignment.gold, Status.MISSING), (alignment.test, Status.SPURIOUS))
    ]
    words = [word for word, _ in alignment.gold]
    panel = Panel(Drawing(Bars(words, *sides, label="tags"), "Tags", "tags"))
    return SentenceView(f"Tags of {sentence.parse_name}.", rows=(PanelRow((panel,), subject_of(*words)),))


TAGGED_WORDS = Framework(
    id="tags",
    title="tagged words",
    nouns=Nouns("sentence", "tag"),
    passes={Tagging.family.id: Tagging},
    figures=Figures("tag_accuracy"),
    runs=Runs(read_tree=lambda text, notation: _sentence(text), tables=("errors",)),
    align=_align,
    aligned=TagAlignment,
    view=_view,
    plan_again=lambda meta: plan_trees_again(meta, TAGGED_WORDS),
    reads=TaggedWords,
    streams=Streams(TagInputs),
    questions=lambda: Questions({question.id: question for question in (CONFUSED, BY_WORD)}),
)
