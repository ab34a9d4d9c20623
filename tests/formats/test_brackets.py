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
from tests.slow.trees import Nested, forests, nested_of, random_forest, randoms, text_of

MALFORMED = Path(__file__).resolve().parents[2] / "sample_data" / "malformed"


def read(text: str, format_name: str | None = None) -> Treebank:
    return read_treebank(io.BytesIO(text.encode()), format_name)


def trees(treebank: Treebank) -> list[str]:
    return [str(treebank.tree(i)) for i in range(len(treebank))]


A, B, C = "(S (NP (N a)))", "(S (NP (N b)))", "(S (NP (N c)))"


def test_blank_lines_and_empty_brackets_are_missing_parses():
    treebank = read(f"{A}\n\n{B}\n(())\n()\n( )\n{C}\n")
    assert trees(treebank) == [A, "", B, "", "", "", C]
    assert [problem for problem in treebank.problems if problem.kind != "empty_bracket"] == []


def test_trees_over_several_lines():
    text = "\n( (S\n    (NP (N a))\n  ) )\n\n\n(S\n  (NP\n    (N b)))\n(S (NP (N c)))\n"
    treebank = read(text)
    assert trees(treebank) == [f"( {A})", B, C]
    assert treebank.line.tolist() == [2, 7, 10]
    assert treebank.source(0) == "( (S (NP (N a)) ) )"
    assert treebank.problems == []


@pytest.mark.parametrize("top", ["", "TOP", "ROOT", "S1", "VROOT"])
def test_top_brackets_are_brackets(top: str):
    assert trees(read(f"({top} {A})\n")) == [f"({top} {A})"]


def test_a_forest_on_a_line_is_one_sentence():
    treebank = read("(A a) (B b)\n(C c)\n")
    assert trees(treebank) == ["(A a) (B b)", "(C c)"]
    assert treebank.tree(0).roots == (1, 3)


MARKUP = [
    "# 1",
    "# sent_id = 1",
    "% comment",
    ";; comment",
    "<S ID=1>",
    "</S>",
    "<DOCNO> wsj_0001 </DOCNO>",
    "<!-- a list -->",
    "```",
    "```text",
    "---",
    "## Parse",
    "**Parse 1**",
    "Here is the parse:",
    "*x*x*x*",
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


def test_a_line_of_prose_is_a_missing_parse():
    treebank = read(f"# 1\n{A}\n# 2\nI cannot parse this.\n# 3\n\n# 4\n(())\n# 5\n{B}\n\n{C}\n")
    assert trees(treebank) == [A, "", "", B, "", C]
    assert [(problem.kind, problem.line, problem.sentence) for problem in treebank.problems] == [
        ("text", 4, 2),
        ("comments", 1, None),
    ]


@pytest.mark.parametrize("escaped", ["\\(", "\\)"])
@pytest.mark.parametrize("layout", ["(S (NP (N a) {})\n  (VP (V b)))", "(S (NP (N a))\n  (NP {}))", "(S (N a) {})"])
def test_parentheses_with_a_backslash_are_words(escaped: str, layout: str):
    name = {"\\(": "-LRB-", "\\)": "-RRB-"}[escaped]
    treebank = read("".join(f"{layout}\n".format(f"({name} {word})") for word in (escaped, name, f"x{escaped}")))
    assert treebank.problems == []
    found = [[word for word in treebank.tree(i).words if word not in "ab"] for i in range(len(treebank))]
    assert found == [[name], [name], [f"x{name}"]]
    assert [Tree.from_string(treebank.source(i)) for i in range(3)] == [treebank.tree(i) for i in range(3)]


def test_a_word_may_be_a_backslash():
    text = "(S (SYM \\) (N a))\n(S (N a) (SYM \\))\n(S (N a) (NP (SYM C:\\)))\n"
    treebank = read(text)
    assert [treebank.tree(i).words for i in range(3)] == [("\\", "a"), ("a", "\\"), ("a", "C:\\")]


def test_parentheses_in_words_have_one_message_a_file():
    raw = ["(S (( () (N a) () )))", "(S (-LRB- () (N a))", "(S (N a) (-RRB- )))", "(S (NN f(x)))"]
    treebank = read("\n".join([A, *raw, B]))
    assert len(treebank) == 6
    assert (trees(treebank)[0], trees(treebank)[-1]) == (A, B)
    (problem,) = treebank.problems
    assert (problem.kind, problem.line) == ("parentheses", 2)
    assert "parentheses in words (sentences: 4)" in problem.found
    assert problem.expected == "no parentheses in words; write -LRB- and -RRB-"


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
    assert listed == {"unbalanced": 101, "text": 101, "unlabelled": 101, "empty_bracket": 101}
    found = {problem.kind: problem.found for problem in treebank.problems[-4:]}
    assert found == {
        "unbalanced": "50 more problems of this kind",
        "text": "50 more problems of this kind",
        "unlabelled": "50 more problems of this kind",
        "empty_bracket": "200 more problems of this kind",
    }


def test_a_file_without_a_tree_in_its_first_ten_thousand_sentences_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "_MIN_ITEMS", 50)
    assert len(read("no tree\n" * 49, "ptb")) == 49
    assert len(read("\n" * 60 + A, "ptb")) == 61
    with pytest.raises(InputError, match="no tree among the first 50 sentences"):
        read("no tree\n" * 50, "ptb")


def test_unbalanced_lines_do_not_move_the_sentences_after_them():
    treebank = read(f"{A}\n(S (NP (N x))\n{B}\n(S (N y)))\n{C}\n")
    assert trees(treebank) == [A, "", B, "", C]
    assert [(p.kind, p.line, p.column, p.sentence) for p in treebank.problems] == [
        ("unbalanced", 2, 1, 2),
        ("unbalanced", 4, 10, 4),
    ]
    assert "never closed" in treebank.problems[0].found
    assert str(treebank.problems[1]).startswith("<upload>:4:10: ")


def test_a_tree_over_several_lines_that_is_never_closed_loses_only_itself():
    treebank = read("(S\n  (NP (N a))\n(S\n  (NP (N b)))\n(S\n  (NP (N c)))\n")
    assert trees(treebank) == ["", B, C]
    (problem,) = treebank.problems
    assert (problem.line, problem.column, problem.sentence) == (1, 1, 1)


def test_columns_count_bytes():
    (problem,) = read(f"{A}\n{B}\n(S (N é)))\n").problems
    assert (problem.line, problem.column) == (3, 11)


def test_sampsons_brackets():
    text = "[S [N1 two [N1 tax revision ] bills ] were passed ]\n\n[S yes]\n[[]]\n"
    treebank = read(text)
    assert treebank.format == treebank.notation == "sampson"
    tree = treebank.tree(0)
    assert tree == Tree.from_string(text.split("\n")[0], notation="sampson")
    assert set(tree.kinds) == {0, 2}
    assert treebank.tree(2).kinds == (2, 0)
    assert [len(treebank.tree(i)) for i in range(4)] == [9, 0, 2, 0]


TAGGED = "[S [NP [NNS Owls]] [VP [VBP hunt]]]"


@pytest.mark.parametrize("layout", ["{}\n", "{}\n[S [NP Owls ] [VBP hunt]]\n\n[S [NP\n", "# 1\n{}\n"])
def test_a_square_bracket_around_one_word_is_a_tag_in_a_file_with_tags(layout: str):
    treebank = read(layout.format(TAGGED))
    assert (treebank.format, treebank.notation) == ("sampson", "ptb")
    assert str(treebank.tree(0)) == treebank.source(0) == "(S (NP (NNS Owls)) (VP (VBP hunt)))"
    assert treebank.tree(0) == Tree.from_string(treebank.source(0))


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


@pytest.mark.parametrize("text", ['["TOP", [["IP", [["NR", ["x"]]]]]]', '[["TOP", []]]', '["a"]'])
def test_trees_in_json_are_refused_with_a_hint(text: str):
    with pytest.raises(
        InputError, match=r"lists in JSON, as of HanLP's trees; expected trees in brackets, which HanLP"
    ):
        read(text)


def test_round_brackets_are_ordinary_characters_among_square_ones():
    assert read("[S (dog) [NP -LRB- ] ]\n").tree(0).words == ("(dog)", "-LRB-")
    assert read("(S (X [dog]))\n").tree(0).words == ("[dog]",)


def test_the_format_can_be_named_and_is_known_by_name():
    assert set(FORMATS) >= {"ptb", "sampson"}
    assert len(read(f"\n\n{A}\n", "ptb")) == 3
    with pytest.raises(ParameterError, match=r"'ptbb'.*sampson.*ptb"):
        read(A, "ptbb")


@pytest.mark.parametrize("text", ["parser,score\nx,1\n", "\n\n1\tdog\t_\n", "{a b}", "<xml/>", "\x00\x01"])
def test_a_file_that_is_no_treebank(text: str):
    with pytest.raises(InputError) as error:
        read(text)
    assert error.value.problem.kind == "format"
    assert error.value.problem.line == text.count("\n", 0, len(text) - len(text.lstrip())) + 1
    assert "Penn Treebank" in error.value.problem.expected


@pytest.mark.parametrize("text", ["", "\n", "  \r\n\t\n"])
def test_an_empty_file(text: str):
    with pytest.raises(InputError) as error:
        read(text)
    assert error.value.problem.kind == "empty"


@st.composite
def corpora(draw: st.DrawFn) -> list[Tree | None]:
    random = draw(randoms)
    made: list[Tree | None] = []
    for _ in range(random.randint(1, 6)):
        words = [random.choice(("dog", "日本", "-LRB-", "a-b", "$")) for _ in range(random.randint(1, 6))]
        forest = random_forest(random, words, empties=True)
        made.append(Tree.from_string(text_of(forest)) if random.random() < 0.8 else None)
    return made


@given(corpora())
def test_what_is_written_in_ptb_is_read_again(corpus: list[Tree | None]):
    treebank = read(FORMATS["ptb"].write(corpus), "ptb")
    assert [treebank.tree(i) if len(treebank.tree(i)) else None for i in range(len(treebank))] == corpus


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
        if tree is not None:
            assert Tree.from_string(treebank.source(i)) == treebank.tree(i) == tree


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
        ("label-missing.ptb", "unlabelled", 1),
        ("empty-phrase.ptb", "empty_bracket", 1),
    ],
)
def test_malformed_files_name_the_line(name: str, kind: str, line: int):
    assert [(problem.kind, problem.line) for problem in problems(name)] == [(kind, line)]
    gold, found = sample("gold.ptb"), sample(name)
    assert len(found) == len(gold) == 5
    others = [i for i in range(5) if i + 1 != line]
    assert [str(found.tree(i)) for i in others] == [str(gold.tree(i)) for i in others]


@pytest.mark.parametrize("name", ["blank-lines.ptb", "missing-parses.ptb"])
def test_missing_parses_of_the_sample_are_legal(name: str):
    treebank = sample(name)
    assert treebank.problems == []
    assert [int(n > 0) for n in treebank.n_words] == [1, 0, 1, 0, 1]


def test_a_table_is_no_treebank():
    with pytest.raises(InputError, match="not-a-treebank"):
        sample("not-a-treebank.csv")


def test_hostile_labels_and_words_are_text():
    treebank = sample("hostile-gold.ptb")
    assert treebank.problems == []
    again = read(FORMATS["ptb"].write([treebank.tree(i) for i in range(len(treebank))]))
    assert trees(again) == trees(treebank)
    assert nested_of(again.tree(0)) == nested_of(treebank.tree(0))


def test_a_label_on_the_line_after_its_bracket():
    treebank = read_treebank(io.BytesIO(b"(S\n  (\n   NP (N a))\n  (VP (V b)))\n(S (X y)\n  (\n"))
    assert str(treebank.tree(0)) == "(S (NP (N a)) (VP (V b)))" == str(Tree.from_string(treebank.source(0)))
    assert [(p.line, p.column) for p in treebank.problems] == [(6, 3)]


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
    found: dict[str, set[tuple[int, int]]] = {"unlabelled": set(), "empty_bracket": set()}
    lines = text.split("\n")
    for problem in treebank.problems:
        if problem.kind in found:
            assert problem.column is not None
            found[problem.kind].add((problem.line, problem.column))
            assert lines[problem.line - 1][problem.column - 1] == "("
    places = [place for place, sign in enumerate(text) if sign == "("]
    where = {at: (text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)) for at in places}
    assert found["unlabelled"] == {where[at] for at in places if re.match(r"\(\s*[()]", text[at:])}
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


@pytest.mark.parametrize(
    "text",
    [
        "# Trees\n\nThree parsers (all of them trained here).\n(A) is the first.\nThe others are not.\n",
        "name,trees\na,(S (N x))\nb,(S (N y))\n",
        "sent_id\ttree\n1\t(S (N x))\n2\t(S (N y))\n",
        "[Parsers](https://example.org)\n\nThree parsers and their outputs (all trained here).\n",
        "Prose with a bracket that (is never closed\n\ngoes on for long enough\nover several lines\n",
    ],
)
def test_a_file_that_is_mostly_text_is_refused(text: str):
    with pytest.raises(InputError) as refused:
        read(text)
    problem = refused.value.problem
    assert (problem.kind, problem.line) == ("format", 1)
    assert "text in an unknown format" in problem.found
    assert "Penn Treebank brackets" in problem.expected
    assert read(text, "ptb").format == "ptb"  # a format that is named is not questioned


@pytest.mark.parametrize(
    ("text", "n_trees"),
    [
        (f"failed\n{A}\nfailed\n{B}\nfailed\n", 2),
        (f"log of the parser\n{A}\n{B}\n{C}\n", 3),
        ("(S\n  (NP (N\n  a))\n  (VP (V\n  b)))\n(S (N c))\n", 2),
        (f"(S (N a)\n{A}\n", 1),
        (f"{A})\n{B}\n", 1),
    ],
)
def test_some_text_between_trees_is_not_refused(text: str, n_trees: int):
    treebank = read(text)
    assert sum(tree != "None" for tree in trees(treebank)) >= n_trees
    assert treebank.format == "ptb"
