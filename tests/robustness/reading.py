"""Reading of bytes whole and in parts, and what has to hold of whatever was read."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import numpy as np

from evaltools import Dependencies, DependencyTree, InputError, Problem, Treebank, read_treebank
from evaltools.corpus import Vocabulary
from evaltools.formats.corpus_stream import CorpusStream

Corpus = Treebank | Dependencies
BRACKETS = ("ptb", "sampson")
_BRACKETS = b"()[] \t\n\r\v\f"


def read(data: bytes, format_name: str | None = None) -> Corpus | InputError:
    try:
        return read_treebank(io.BytesIO(data), format_name)
    except InputError as error:
        return error


def read_in_parts(data: bytes, size: int, format_name: str | None = None) -> list[Corpus] | InputError:
    vocabulary = Vocabulary()
    parts: list[Corpus] = []
    try:
        stream = CorpusStream(io.BytesIO(data), format_name)
        while not parts or len(parts[-1]):
            parts.append(stream.read(size, vocabulary))
        parts[-1].problems.extend(stream.problems_of_file())
    except InputError as error:
        return error
    return parts


def check_problem(problem: Problem, lines: list[bytes]) -> None:
    """Check that a problem points into the file."""
    assert problem.found
    assert problem.expected
    if problem.found.endswith(" more problems of this kind"):  # a number for the whole file
        return
    assert problem.line is not None
    assert 1 <= problem.line <= len(lines), problem
    if problem.kind in ("unbalanced", "text", "encoding", "nul"):
        assert problem.column is not None, problem
        assert problem.column >= 1, problem
        # columns of bytes are those of the file, before spaces at edges are removed
        assert problem.kind in ("encoding", "nul") or problem.column <= len(lines[problem.line - 1]) + 1, problem
    assert re.search(r"[\x00-\x1f\x7f-\x9f]", str(problem)) is None


def bare(text: bytes) -> bytes:
    """Return a text without blanks and other spaces at its edges."""
    return (
        text.decode("utf-8", "surrogateescape")
        .strip(" \t\n\r\v\f\u00a0\u200b\u3000\ufeff")
        .encode(errors="surrogateescape")
    )


def check_brackets(treebank: Treebank) -> None:
    """Check that each sentence is a tree, a listed problem or blank, and that no byte belongs to none."""
    lines = treebank.text.split(b"\n")
    for problem in treebank.problems:
        check_problem(problem, lines)
    ends = np.concatenate(([0], np.cumsum([len(line) + 1 for line in lines])))
    unreadable = [one for one in treebank.problems if one.kind in ("unbalanced", "text", "empty_bracket")]
    places = [int(ends[one.line - 1]) + one.column - 1 for one in unreadable if one.line and one.column]
    before = 0
    once = ("parentheses", "comments")
    if any(one.kind in once or one.line is None for one in treebank.problems):  # listed once a file
        return
    for sentence in range(len(treebank)):
        first, last = int(treebank.text_start[sentence]), int(treebank.text_end[sentence])
        assert before <= first <= last <= len(treebank.text)
        assert not bare(treebank.text[before:first]) or any(before <= place < first for place in places)
        before = last
        text = b"".join(treebank.text[first:last].split())
        size = int(treebank.offsets[sentence + 1] - treebank.offsets[sentence])
        assert size or not text.translate(None, _BRACKETS) or any(first <= place < last for place in places), (
            sentence,
            text,
        )
    assert not bare(treebank.text[before:]) or any(before <= place for place in places)
    sizes = np.diff(treebank.offsets)
    assert (treebank.parent < np.repeat(sizes, sizes)).all()
    assert (treebank.start <= treebank.end).all()


def check_others(corpus: Corpus) -> None:
    """Check that a sentence without words was a missing parse or is listed, and that no line belongs to none."""
    lines = corpus.text.split(b"\n")
    for problem in corpus.problems:
        check_problem(problem, lines)
    listed = {problem.sentence for problem in corpus.problems}
    places = {problem.line for problem in corpus.problems}
    before = 0
    if any(one.kind == "parentheses" or one.line is None for one in corpus.problems):  # listed once a file
        return
    for sentence in range(len(corpus)):
        start, end = int(corpus.text_start[sentence]), int(corpus.text_end[sentence])
        assert before <= start <= end <= len(corpus.text)
        gap = corpus.text[before:start]
        outside = {"export": (b"#FORMAT", b"#BOT", b"%%"), "tigerxml": (b"<",)}.get(corpus.format, ())
        if gap.strip() and not any(mark in gap for mark in outside):
            first = corpus.text.count(b"\n", 0, before) + 1
            assert any(place in places for place in range(first, first + gap.count(b"\n") + 1)), gap
        before = end
        tree = corpus.tree(sentence)
        said = corpus.text[start:end].translate(None, b"()[] \t\n\r\v\f")
        if corpus.format == "tigerxml" and b"<t " not in said:
            said = b""
        if len(tree) == 0 and said and not said.startswith((b"#", b"%%")):
            assert corpus.first_sentence + sentence + 1 in listed, (sentence, said)
        if isinstance(tree, DependencyTree) and len(tree):
            assert DependencyTree.from_string(corpus.source(sentence), corpus.notation) == tree


def listed(corpora: Sequence[Corpus]) -> list[str]:
    """Return the problems in any order."""
    return sorted(str(problem) for corpus in corpora for problem in corpus.problems)


def described(parts: list[Corpus]) -> tuple[list[tuple[object, ...]], list[str]]:
    sentences = [
        (part.tree(i), part.source(i), int(part.line[i]), part.first_sentence + i)
        for part in parts
        for i in range(len(part))
    ]
    return sentences, listed(parts)


def check_reading(data: bytes, size: int, format_name: str | None = None) -> Corpus | InputError:
    """Read bytes whole and in parts; check both, and that they are the same."""
    whole, parts = read(data, format_name), read_in_parts(data, size, format_name)
    if isinstance(whole, InputError):
        assert isinstance(parts, InputError)
        assert str(parts) == str(whole)
        assert whole.problem.found
        assert whole.problem.expected
        return whole
    assert not isinstance(parts, InputError), str(parts)
    (check_brackets if isinstance(whole, Treebank) and whole.format in BRACKETS else check_others)(whole)  # type: ignore[arg-type]
    assert described(parts) == described([whole])
    return whole
