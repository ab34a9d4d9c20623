"""Penn Treebank brackets and Sampson's square ones: what is a sentence, what is a problem."""

from __future__ import annotations

import io
import itertools
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from evaltools import FORMATS, InputError, ParameterError, Problem, Tree, Treebank, evaluate, read_treebank, score
from evaltools.formats import source
from tests.slow.trees import Nested, forests, random_forest, randoms, text_of

MALFORMED = Path(__file__).resolve().parents[2] / "sample_data" / "malformed"


def read(text: str, format_name: str | None = None) -> Treebank:
    return read_treebank(io.BytesIO(text.encode()), format_name)


def trees(treebank: Treebank) -> list[str]:
    return [str(treebank.tree(i)) for i in range(len(treebank))]


A, B, C = "(S (NP (N a)))", "(S (NP (N b)))", "(S (NP (N c)))"


MARKUP = [
    *(
        "# 1",
        "# sent_id = 1",
        "% comment",
        ";; comment",
        "<S ID=1>",
        "</S>",
        "<DOCNO> wsj_0001 </DOCNO>",
        "<!-- a list -->",
    ),
    *("```", "```text", "---", "## Parse", "**Parse 1**", "Here is the parse:", "*x*x*x*"),
]


@pytest.mark.parametrize("markup", MARKUP)
@pytest.mark.parametrize("tree", ["(S (NP (N {})))", "(S\n  (NP (N {})))", "( (S\n(NP (N {}))))"])
@pytest.mark.parametrize("blanks", ["", "\n"])
def test_comments_and_markup_between_trees_are_skipped_and_counted_in_one_note(markup: str, tree: str, blanks: str):
    text = "".join(f"{markup}\n{blanks}{tree.format(word)}\n{blanks}" for word in "abc") + f"{markup}\n"
    treebank = read(text)
    assert [treebank.tree(i).words for i in range(len(treebank))] == [("a",), ("b",), ("c",)]
    assert treebank.line[0] == 2 + len(blanks)
    (problem,) = treebank.problems
    assert (problem.kind, problem.line) == ("comments", 1)
    assert "(lines: 4)" in problem.found
    assert repr(markup) in problem.found


@pytest.mark.parametrize(("raw", "escaped"), [("(NN f(x))", "(NN f-LRB-x-RRB-)"), ("[NN f[x]]", "[NN f-LSB-x-RSB-]")])
@pytest.mark.parametrize("swapped", [False, True])
def test_words_with_parentheses_are_listed_with_the_message_of_their_file_alone(
    raw: str, escaped: str, *, swapped: bool
):
    opening, closing = raw[0], raw[-1]

    def text(word: str, last: str) -> io.BytesIO:
        tree = f"{opening}S {opening}NP {opening}N a{closing}{closing} {{}}{closing}\n"
        return io.BytesIO((tree.format(word) * 3 + tree.format(f"{opening}N {last}{closing}")).encode())

    sides = [text(raw, "x"), text(escaped, "y")]
    gold, test = sides[::-1] if swapped else sides
    problems = score(gold, {"p": test}).problems()
    assert sorted(problems["kind"]) == ["parentheses", "words_differ"]
    assert problems[problems["kind"] == "words_differ"]["sentence"].tolist() == [4]


def test_of_one_kind_the_first_hundred_problems_are_listed_and_the_others_counted():
    bad = ["(S (N x)", "no tree", "(S (N a) (NP ) ())"]
    treebank = read("\n".join([A] * 500 + bad * 150))
    assert len(treebank) == 950
    listed = Counter(problem.kind for problem in treebank.problems)
    assert listed == {"unbalanced": 101, "text": 101, "unlabeled": 101, "empty_bracket": 101}
    found = {problem.kind: problem.found for problem in treebank.problems[-4:]}
    assert found == {
        "unbalanced": "50 more problems of this kind",
        "text": "50 more problems of this kind",
        "unlabeled": "50 more problems of this kind",
        "empty_bracket": "200 more problems of this kind",
    }


def test_a_file_without_a_tree_in_its_first_ten_thousand_sentences_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "_MIN_ITEMS", 50)
    assert len(read("no tree\n" * 49, "ptb")) == 49
    assert len(read("\n" * 60 + A, "ptb")) == 61
    with pytest.raises(InputError, match="no tree among the first 50 sentences"):
        read("no tree\n" * 50, "ptb")


@pytest.mark.parametrize("preset", ["standard", "collins", "none"])
def test_square_brackets_score_as_round_ones(preset: str):
    gold = "(S (NP (-LRB- -LRB-) (NNS Owls)) (VP (VBP hunt)))"
    figures = evaluate([gold], ["[S [NP [-LRB- (] [NNS Owls]] [VP [VBP hunt]]]"], preset=preset)
    assert figures["f1"] == 1


def test_trees_with_tags_are_written_in_square_brackets_and_read_again():
    tree = Tree.from_string("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))")
    text = FORMATS["sampson"].write([tree])
    assert text == "[S [NP [DT the] [NN dog] ] [VP [VBZ barks] ] ]\n"
    assert read(text).tree(0) == tree


def test_the_format_can_be_named_and_is_known_by_name():
    assert set(FORMATS) >= {"ptb", "sampson"}
    assert len(read(f"\n\n{A}\n", "ptb")) == 3
    with pytest.raises(ParameterError, match=r"'ptbb'.*sampson.*ptb"):
        read(A, "ptbb")


@st.composite
def corpora(draw: st.DrawFn) -> list[Tree | None]:
    random = draw(randoms)
    made: list[Tree | None] = []
    for _ in range(random.randint(1, 6)):
        words = [random.choice(("dog", "日本", "-LRB-", "a-b", "$")) for _ in range(random.randint(1, 6))]
        forest = random_forest(random, words, empties=True)
        made.append(Tree.from_string(text_of(forest)) if random.random() < 0.8 else None)
    return made


@given(st.lists(forests(forest=False), min_size=1, max_size=5))
def test_what_is_written_in_square_brackets_is_read_again(corpus: list[list[Nested]]):
    made = [Tree.from_string(text_of(forest, "[]"), notation="sampson") for forest in corpus]
    treebank = read(FORMATS["sampson"].write(made))
    assert [treebank.tree(i) for i in range(len(treebank))] == made


@given(corpora(), randoms)
def test_the_text_of_a_sentence_is_its_tree(corpus: list[Tree | None], random: Random):
    text = FORMATS["ptb"].write(corpus).replace(" ", random.choice((" ", "  ", "\t", " \r")))
    treebank = read(text, "ptb")
    for i, tree in enumerate(corpus):
        assert treebank.tree(i) == (tree or Tree.from_string(""))
        if tree is not None:
            assert Tree.from_string(treebank.source(i)) == tree


# --------------------------------------------------------------------------------------------------- the sample's files


def sample(name: str) -> Treebank:
    return read_treebank(MALFORMED / name)


def problems(name: str) -> list[Problem]:
    return sample(name).problems


@pytest.mark.parametrize(
    ("name", "kind", "line"),
    [
        ("unclosed.ptb", "unbalanced", 2),
        ("extra-close.ptb", "unbalanced", 3),
        ("stray-text.ptb", "text", 4),
        ("latin-1.ptb", "encoding", 3),
        ("nul-byte.ptb", "nul", 4),
        ("cut-off.ptb", "unbalanced", 5),
        ("label-missing.ptb", "unlabeled", 1),
        ("empty-phrase.ptb", "empty_bracket", 1),
    ],
)
def test_malformed_files_name_the_line(name: str, kind: str, line: int):
    assert [(problem.kind, problem.line) for problem in problems(name)] == [(kind, line)]
    gold, found = sample("gold.ptb"), sample(name)
    assert len(found) == len(gold) == 5
    others = [i for i in range(5) if i + 1 != line]
    assert [str(found.tree(i)) for i in others] == [str(gold.tree(i)) for i in others]


NODES = st.recursive(
    st.sampled_from(["(N a)", "()", "(X)", "( )", "w"]),
    lambda inner: st.builds(
        lambda label, gap, parts: f"({label}{gap}{gap.join(parts)})",
        st.sampled_from(["", "S", "NP"]),
        st.sampled_from([" ", "\n  "]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@given(st.lists(st.builds(lambda inner: f"(S (V v) {inner})", NODES), min_size=1, max_size=3))
def test_odd_brackets_are_listed_where_they_open(trees: list[str]):
    text = "\n".join(trees) + "\n"
    treebank = read(text, "ptb")
    found: dict[str, set[tuple[int, int]]] = {"unlabeled": set(), "empty_bracket": set()}
    lines = text.split("\n")
    for problem in treebank.problems:
        if problem.kind in found:
            assert problem.column is not None
            found[problem.kind].add((problem.line, problem.column))
            assert lines[problem.line - 1][problem.column - 1] == "("
    places = [place for place, sign in enumerate(text) if sign == "("]
    where = {at: (text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)) for at in places}
    assert found["unlabeled"] == {where[at] for at in places if re.match(r"\(\s*[()]", text[at:])}
    assert found["empty_bracket"] == {where[at] for at in places if not words_of(text, at)}


def words_of(text: str, at: int) -> list[str]:
    """Return the words in the bracket that opens at a place, in the slow obvious way."""
    depth, end = 0, at
    for end in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            break
    signs = re.findall(r"[()]|[^\s()]+", text[at : end + 1])
    return [one for before, one in itertools.pairwise(signs) if one not in "()" and before != "("]
