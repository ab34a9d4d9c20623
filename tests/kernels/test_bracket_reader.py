"""The bracket reader against a plain one."""

from __future__ import annotations

import io
from random import Random

from hypothesis import assume, given, strategies as st

from evaltools import Problem, Treebank, read_treebank
from evaltools.formats.edges import IN_BRACKETS, without_edges
from evaltools.formats.source import ProblemLog
from tests.slow.reading import has_words, read_line
from tests.slow.trees import Nested, forests, nested_of, random_forest, randoms, text_of

WORDS = ("dog", "é", "日本", "1\u00a0000", "-LRB-", "a/b", "[x]", "'", "\u2028", "\x1f", "\x85", "#")
LABELS = ("S", "NP-SBJ", "", "É", "$", "''", "N\u00a0P", "[")


def read(text: str | bytes, **options: object) -> Treebank:
    data = text.encode() if isinstance(text, str) else text
    return read_treebank(io.BytesIO(data), "ptb", **options)


def unreadable(treebank: Treebank) -> list[Problem]:
    return [problem for problem in treebank.problems if problem.kind in ("unbalanced", "text")]


def check_columns(treebank: Treebank) -> None:
    """Every tree's spans and leftmost leaves are those that follow from the parents."""
    for i in range(len(treebank)):
        tree = treebank.tree(i)
        first, last = treebank.offsets[i : i + 2]
        assert treebank.leftmost[first:last].tolist() == list(tree.leftmost)
        at = 0
        for node in range(len(tree)):
            children = tree.children(node)
            if tree.kinds[node] == 2:
                assert tree.span(node) == (at, at + 1)
                at += 1
            elif children:
                assert tree.span(node) == (tree.starts[children[0]], tree.ends[children[-1]])
            else:
                assert tree.span(node) == (at, at)
            only_a_word = len(children) == 1 and tree.kinds[children[0]] == 2
            assert tree.kinds[node] == 2 or (tree.kinds[node] == 1) == only_a_word


@given(st.lists(forests(words=WORDS, labels=LABELS, empties=True), min_size=1, max_size=8), st.booleans())
def test_one_tree_a_line(corpus: list[list[Nested]], newline_at_the_end: bool):
    text = "\n".join(text_of(forest) for forest in corpus)
    treebank = read(text + "\n" * newline_at_the_end)
    assert len(treebank) == len(corpus)
    for i, line in enumerate(text.split("\n")):
        assert nested_of(treebank.tree(i)) == (read_line(line) if has_words(corpus[i]) else [])
        assert nested_of(treebank.tree(i)) == (corpus[i] if has_words(corpus[i]) else [])
    assert treebank.line.tolist() == list(range(1, len(corpus) + 1))
    assert unreadable(treebank) == []
    check_columns(treebank)


@st.composite
def damaged(draw: st.DrawFn) -> list[str]:
    """Draw lines of which some are blank, unbalanced, or no trees at all."""
    random = draw(randoms)
    lines = []
    for _ in range(random.randint(1, 8)):
        line = text_of(random_forest(random, [random.choice(WORDS) for _ in range(random.randint(1, 4))]))
        for _ in range(random.choice((0, 0, 0, 1, 2))):
            at = random.randrange(len(line) + 1)
            line = line[:at] + random.choice(("(", ")", " ", "x", "\t", " x (")) + line[at:]
        if random.random() < 0.2:
            line = random.choice(("", "  ", "(())", "a comment", "()", "(TOP)", "no tree", ") (", "\r"))
        lines.append(line)
    good = "(S (N a))"
    return [*[good] * (2 * len(lines)), *lines]  # most lines balance, so each line is a sentence


def without_spaces_at_edges(line: str) -> str:
    """Return a line as it is read: a bracket put before a no-break space inside a word makes it one at an edge."""
    return b"".join(without_edges([line.encode()], IN_BRACKETS, "", ProblemLog())).decode()


@given(damaged())
def test_every_line_is_a_tree_or_blank_or_a_problem(lines: list[str]):
    text = "\n".join(lines) + "\n"
    may_run_over_lines = text.count("(") == text.count(")") and any(
        line.count("(") != line.count(")") for line in lines
    )
    assume(not may_run_over_lines)
    treebank = read(text)
    assume(all(problem.kind != "parentheses" for problem in treebank.problems))  # which are listed once a file
    assert len(treebank) == len(lines)
    problems = {problem.line for problem in unreadable(treebank)}
    for number, line in enumerate(lines, start=1):
        expected = read_line(without_spaces_at_edges(line))
        assert (expected is None) == (number in problems), line
        found = nested_of(treebank.tree(number - 1))
        assert found == (expected if expected is not None and has_words(expected) else [])
    for problem in unreadable(treebank):
        assert problem.sentence == problem.line
        assert 1 <= problem.column <= len(lines[problem.line - 1].encode())


@given(st.lists(forests(forest=False, words=WORDS, labels=LABELS[:4]), min_size=1, max_size=5), randoms)
def test_trees_spread_over_lines_read_as_on_one_line(corpus: list[list[Nested]], random: Random):
    def spread(text: str) -> str:
        blanks = ("\n  ", "\n\t", " ", "  \n ")
        return "".join(piece + (random.choice(blanks) if piece != "(" else " ") for piece in text.split(" ")).rstrip()

    texts = [text_of(forest) for forest in corpus]
    one_line = read("\n".join(texts))
    over_lines = [spread(text) for text in texts]
    assume(any("\n" in text for text in over_lines))  # else a blank line stands for a missing parse
    spread_out = read("\n\n".join(over_lines) + "\n")
    assert [nested_of(spread_out.tree(i)) for i in range(len(spread_out))] == corpus
    assert [nested_of(one_line.tree(i)) for i in range(len(one_line))] == corpus
    assert unreadable(spread_out) == []
    for i, text in enumerate(texts):
        assert spread_out.source(i) == text


def test_many_distinct_strings():
    n = 200_000
    treebank = read("\n".join(f"(S (N w{i}) (L{i} v))" for i in range(n)))
    assert len(treebank) == n
    assert len(treebank.vocabulary.words) == n + 1
    assert str(treebank.tree(n - 1)) == f"(S (N w{n - 1}) (L{n - 1} v))"
    assert str(treebank.tree(77)) == "(S (N w77) (L77 v))"


def test_depth_and_width_are_no_limit():
    depth, width = 10_000, 100_000
    deep = "(X " * depth + "(N a)" + ")" * depth
    wide = "(S " + " ".join("(N a)" for _ in range(width)) + ")"
    treebank = read(f"{deep}\n{wide}\n")
    assert len(treebank.tree(0)) == depth + 2
    assert len(treebank.tree(1).words) == width
    assert str(treebank.tree(0)).replace(" ", "") == deep.replace(" ", "")
