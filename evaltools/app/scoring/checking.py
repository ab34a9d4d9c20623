"""Looking through files before anything is scored: format, number of trees, what is wrong and where.

What was found in the uploads of a session is kept; it goes with the session, or when the files are scored.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath

import streamlit as st

from evaltools.corpus import Treebank, Vocabulary
from evaltools.errors import InputError, Problem
from evaltools.formats import FORMATS, Source, format_of, require_constituency
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.formats.source import n_more, named_encoding
from evaltools.frameworks.framework import Compared, Content, Framework
from evaltools.frameworks.presets import Preset, load_preset
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.text import count_of

_TABLES = ("item", "parse", "relations", "result")
_MAX_KEPT = 32
"""Of files of one scoring; each is read again for some choices."""
_NO_FOLDER = "a file; folders cannot be uploaded: evaltools score scores a profile into a run to open here"


@dataclass(frozen=True)
class Checked:
    """An input that was looked through."""

    source: Source | None  # Its bytes; None if it cannot be read at all
    content: Content | None  # What it holds; None if it cannot be read at all
    problems: tuple[Problem, ...]  # What is wrong with it

    @property
    def fatal(self) -> bool:
        """Whether it cannot be scored."""
        return self.content is None

    @property
    def is_empty(self) -> bool:
        """Whether it has no text."""
        return self.source is not None and not self.source.data.strip()

    @property
    def encoding(self) -> str | None:
        """The encoding that would read it, if it is not UTF-8."""
        return next(filter(None, map(named_encoding, self.problems)), None)

    @property
    def framework(self) -> Framework | None:
        """Whose trees it holds; None if it cannot be read."""
        return None if self.content is None else self.content.framework

    @property
    def sentences(self) -> int:
        """How many sentences it has."""
        return 0 if self.content is None else self.content.sentences

    @property
    def trees(self) -> int:
        """How many of its sentences have a tree."""
        return 0 if self.content is None else self.content.trees

    def describe(self) -> str:
        """Return in one line what it is."""
        if self.content is None:
            return "cannot be read; the reason is listed below"
        n = sum(n_more(problem.found) or 1 for problem in self.problems)
        problems = f", {count_of(n, 'problem')}" if n else ""
        return f"{self.content.description}{problems}"


UNCHECKED = Checked(None, None, ())
"""What is known of an input before it was looked through."""


def upload_limit() -> int:
    """Return how many bytes may come out of a compressed upload: as many as may be uploaded without compression."""
    return int(st.get_option("server.maxUploadSize")) << 20


def check(
    name: str, stored: bytes, like: str | None = None, encoding: str | None = None, *, as_evalb: bool = False
) -> Checked:
    """Read an input and list what is wrong with it; `like` is the gold format, for a parser's file."""
    try:
        source = Source.from_bytes(stored, name, upload_limit(), encoding)
        content = content_of(source, FRAMEWORKS.values(), like, as_evalb=as_evalb)
    except InputError as error:
        problem = error.problem
        if problem.kind == "format" and PurePath(name).name.split(".")[0] in _TABLES:
            problem = replace(problem, found="a table of a profile, which is a folder", expected=_NO_FOLDER)
        return Checked(None, None, (problem,))
    return Checked(source, content, content.problems)


def content_of(
    source: Source, frameworks: Collection[Framework], like: str | None = None, *, as_evalb: bool = False
) -> Content:
    """Read a file of one of some frameworks, and return its content; `like` is the gold format, for a parser's file."""
    format_name = format_of(source, like=like)
    for framework in frameworks:
        if (files := framework.own_files) is not None and files.reads is FORMATS[format_name].holds:
            return files.content(source, framework, like)
    stream = CorpusStream(source, format_name, as_evalb=as_evalb)
    corpus = stream.read(sys.maxsize, Vocabulary())
    if isinstance(corpus, Treebank):
        require_constituency(corpus.format, source.name)
    module = FORMATS[corpus.format]
    reader = next(framework for framework in frameworks if framework.reads is module.holds)
    trees = int((corpus.n_words > 0).sum())
    description = f"{module.title}, {trees:,} trees in {corpus.n_filled:,} sentences"
    return Content(
        reader, corpus.format, corpus.n_filled, trees, (*corpus.problems, *stream.problems_of_file()), description
    )


def joint_problems(gold: Checked, outputs: Sequence[Checked]) -> list[list[Problem]]:
    """List problems of files that show beside the others only: of the gold file, then of each parser's."""
    files = None if gold.content is None else gold.content.framework.own_files
    if gold.content is None or files is None:
        return [[] for _ in range(len(outputs) + 1)]
    return files.joint_problems(gold.content, [output.content for output in outputs])


def compare(gold: Checked, output: Checked, preset: str | Preset, *, align: bool = False) -> Compared:
    """Pair the sentences of a parser's file with the gold sentences, and compare their words."""
    if gold.source is None or gold.content is None or output.source is None or output.content is None:
        return Compared()
    if gold.framework is not output.framework:
        return Compared()  # they cannot be scored together
    files = (gold.source, gold.content.format), (output.source, output.content.format)
    streams = gold.content.framework.streams
    return Compared() if streams is None else streams.compare(*files, load_preset(preset), align)


def _text(item: Checked) -> int:
    """Return a number that is the same for inputs of the same text; the text also depends on the encoding."""
    return 0 if item.source is None else hash(item.source.data)


_kept = partial(st.cache_resource, scope="session", max_entries=_MAX_KEPT, show_spinner=False)
check_once = _kept(check)
"""As `check`, kept for the session."""
compare_once = _kept(compare, hash_funcs={Checked: _text, Preset: Preset.describe})
"""As `compare`, kept for the session."""


def let_go() -> None:
    """Forget what the session has uploaded."""
    check_once.clear()
    compare_once.clear()
