"""Members of nodes where words differ: aligned words inside multiword tokens, characters elsewhere."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools import MultiFunctionTree, dependency_function_tree, multi_function_tree, tedeval_protocol
from evaltools.corpus import DependencyTree, Span
from evaltools.corpus.dependency_tree import MultiwordToken
from evaltools.frameworks.crossframework import tedeval
from evaltools.frameworks.crossframework.function_columns import FunctionVocabulary
from evaltools.frameworks.crossframework.memberships import Segmentation, Segmented, sentence_members
from evaltools.frameworks.crossframework.protocol import sentence_protocol
from evaltools.frameworks.crossframework.tedeval import COLUMNS, TedEval, statuses
from tests.slow import functions
from tests.slow.conll_alignment import aligned, words_of
from tests.slow.functions import random_heads
from tests.slow.trees import randoms

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
LABELS = ("unlabeled", "labeled")


def tree(rows: str, *tokens: tuple[int, int, str]) -> DependencyTree:
    """Build a tree from ``form:head:relation`` with heads from 1, and tokens by first word, end and form."""
    cells = [row.split(":") for row in rows.split()]
    multiwords = tuple(MultiwordToken(Span(first, end), form) for first, end, form in tokens)
    forms, heads, relations = (tuple(column) for column in zip(*cells, strict=True))
    return DependencyTree(forms, tuple(int(head) - 1 for head in heads), relations, multiwords=multiwords)


def scores(parse: DependencyTree, *golds: DependencyTree, own: int = 0, count_root: bool = True) -> dict[str, float]:
    """Return the four scores of one sentence, and see that the protocol has the same."""
    vocabulary = FunctionVocabulary()
    corpora = [functions.columns([one], vocabulary) for one in (parse, *golds)]
    passed = TedEval(corpora[0], corpora[1:], own, count_root=count_root)
    counts = {name: np.array([float(value)]) for name, value in zip(COLUMNS, passed.counts[0], strict=True)}
    made = {metric.id.removeprefix("tedeval_"): float(metric.score(counts)[0]) for metric in tedeval.METRICS}
    for labels in LABELS:
        for which, theirs, at in (("single", [corpora[1 + own]], 0), ("multiple", corpora[1:], own)):
            protocol = sentence_protocol(corpora[0], theirs, 0, at, labeled=labels == "labeled", count_root=count_root)
            assert protocol.delta == counts[f"tedeval_{which}_error_{labels}"][0]
            assert protocol.n_parse == counts[f"tedeval_parse_{labels}"][0]
            assert protocol.score == pytest.approx(made[f"{which}_{labels}"], nan_ok=True)
    return made


# Hebrew "bbit", in the house: b in, h the, bit house
BBIT = tree("b:3:case h:3:det bit:0:root", (0, 3, "bbit"))


@pytest.mark.parametrize(
    ("parse", "expected"),
    [
        # gold nodes: root {b, h, bit}, case {b}, det {h}, hd {bit}
        pytest.param(tree("bbit:0:root"), 0.0, id="unsegmented"),  # root {bbit}: 1 − (1 + 4) / (1 + 4)
        # root {b, bit}, case {b}, hd {bit}: one to delete, root and det to add
        pytest.param(tree("b:2:case bit:0:root", (0, 2, "bbit")), 1 - 3 / 7, id="half right"),
        pytest.param(tree("b:2:case bit:0:root"), 1 - 3 / 7, id="half right, as two tokens"),
        # root {b, hbit}, case {b}, hd {hbit}
        pytest.param(tree("b:2:case hbit:0:root", (0, 2, "bbit")), 1 - 5 / 7, id="half right, another half"),
        pytest.param(tree("B:3:case H:3:det Bit:0:root", (0, 3, "bbit")), 1.0, id="forms in lower case"),
        pytest.param(tree("bit:0:root b:1:case", (0, 2, "bbit")), 1 - 5 / 7, id="another order"),
    ],
)
def test_an_unsegmented_or_half_segmented_token_is_not_right(parse: DependencyTree, expected: float):
    made = scores(parse, BBIT)
    assert made == dict.fromkeys(made, pytest.approx(expected))


def test_words_around_a_token_are_not_touched_by_it():
    # tova bbit: root {tova, b, h, bit}, hd {tova}, obl {b, h, bit}, case {b}, det {h}, hd {bit}
    gold = tree("tova:0:root b:4:case h:4:det bit:1:obl", (1, 4, "bbit"))
    whole = tree("tova:0:root bbit:1:obl")  # root {tova, bbit}, hd {tova}, obl {bbit}: only hd {tova} is right
    made = scores(whole, gold)
    assert made == dict.fromkeys(made, pytest.approx(1 - (2 + 5) / (3 + 6)))
    # without the root on either side: obl to delete; obl, case, det and hd to add
    assert scores(whole, gold, count_root=False)["single_labeled"] == pytest.approx(1 - (1 + 4) / (2 + 5))


def test_a_concatenative_token_that_is_divided_alike_is_right_wherever_the_rest_is_divided():
    # the words of don't are aligned by form; those outside tokens by their characters, as before
    gold = tree("I:4:nsubj do:4:aux n't:4:advmod know:0:root", (1, 3, "don't"))
    assert set(scores(tree("I:4:nsubj do:4:aux n't:4:advmod know:0:root"), gold).values()) == {1.0}
    # "know" is two words: root and all but {know} are right; δ: xx {kn}, hd {ow} to delete, hd {know} is there
    divided = tree("I:5:nsubj do:5:aux n't:5:advmod kn:5:xx ow:0:root", (1, 3, "don't"))
    # 6 nodes against 5: root, nsubj, aux, advmod match; delete xx and hd, add hd
    assert scores(divided, gold)["single_labeled"] == pytest.approx(1 - 3 / (6 + 5))
    # undivided, "don't" is a word that the gold lacks, as are do and n't for the parse
    whole = tree("I:3:nsubj don't:3:aux know:0:root")
    assert scores(whole, gold)["single_labeled"] == pytest.approx(1 - (2 + 3) / (4 + 5))


def test_what_golds_have_in_common_does_not_depend_on_the_parse():
    golds = [tree("a:3:x b:3:y c:0:root"), tree("a:3:z b:3:y c:0:root"), tree("ab:2:y c:0:root")]
    parses = [tree("a:2:x bc:0:root", (0, 2, "abc")), tree("A:3:x B:3:y C:0:root", (0, 2, "ab")), tree("abc:0:root")]
    vocabulary = FunctionVocabulary()
    corpora = [functions.columns([one], vocabulary) for one in golds]
    sizes = set()
    for parse in parses:
        for own in range(3):
            passed = TedEval(functions.columns([parse], vocabulary), corpora, own)
            counts = dict(zip(COLUMNS, passed.counts[0].tolist(), strict=True))
            sizes.add((counts["tedeval_generalized_unlabeled"], counts["tedeval_generalized_labeled"]))
    assert sizes == {(2, 2)}  # root {a, b, c} and hd {c}


def test_golds_of_different_words_have_the_same_in_common_where_there_is_no_parse():
    vocabulary = FunctionVocabulary()
    golds = [functions.columns([one], vocabulary) for one in (BBIT, tree("b:2:case bit:0:root", (0, 2, "bbit")))]
    sizes = []
    for parse in (tree("b:2:case bit:0:root"), DependencyTree((), (), ()), tree("xyz:0:root")):
        passed = TedEval(functions.columns([parse], vocabulary), golds)
        sizes.append(dict(zip(COLUMNS, passed.counts[0].tolist(), strict=True))["tedeval_generalized_labeled"])
    assert sizes == [2, 2, 2]  # case {b} and hd {bit}
    assert functions.overlap(*golds) == {"unlabeled": pytest.approx(1 - 3 / 7), "labeled": pytest.approx(1 - 3 / 7)}


# --------------------------------------------------------------------------------------------- the fast and the obvious


def segmented(random: Random, text: str) -> Segmented:
    """Draw words and multiword tokens over a text; the words of a token are letters of it, in any number."""
    words: list[str] = []
    tokens: list[tuple[int, int, str]] = []
    cuts = sorted(random.sample(range(1, len(text)), random.randint(0, len(text) - 1)))
    for start, end in pairwise([0, *cuts, len(text)]):
        form = text[start:end]
        if random.random() < 0.4:
            inside = [random.choice((form, *form, "b", "B")) for _ in range(random.randint(1, 4))]
            tokens.append((len(words), len(words) + len(inside), form))
            words += inside
        else:
            words.append(form)
    return Segmented(tuple(words), tuple(tokens))


@st.composite
def sides(draw: st.DrawFn, count: int = 2) -> list[Segmented]:
    random = draw(randoms)
    text = "".join(random.choice("abc") for _ in range(random.randint(1, 9)))
    return [segmented(random, text) for _ in range(count)]


@given(sides())
def test_words_are_aligned_as_in_the_evaluation_of_conll_2018(drawn: list[Segmented]):
    gold, parse = drawn
    made = sentence_members([gold], parse)
    ours, theirs = made.words
    expected = aligned(words_of(gold.words, gold.tokens), words_of(parse.words, parse.tokens))
    equal = {(i, j) for i, one in enumerate(ours) for j, other in enumerate(theirs) if one == other}
    assert equal == expected
    as_gold = sentence_members([gold, parse]).words
    assert {(i, j) for i, one in enumerate(as_gold[0]) for j, other in enumerate(as_gold[1]) if one == other} == equal


@given(sides(3), st.integers(0, 1))
def test_each_member_is_one_words_on_a_side(drawn: list[Segmented], own: int):
    parse, *golds = drawn
    made = sentence_members(golds, parse, own)
    for words, side in zip(made.words, (*golds, parse), strict=True):
        assert len(words) == len(side.words)
        flat = [member for word in words for member in word]
        assert len(flat) == len(set(flat))
        assert all(words)
        assert all(word == tuple(sorted(word)) for word in words)
    assert {one for words in made.words for word in words for one in word} == set(range(len(made.names)))


@given(sides(1), st.integers(1, 3))
def test_equal_words_have_equal_members(drawn: list[Segmented], count: int):
    made = sentence_members(drawn * count, drawn[0], count - 1)
    assert all(words == made.words[0] for words in made.words)


def drawn_tree(random: Random, side: Segmented) -> DependencyTree:
    tokens = tuple(MultiwordToken(Span(first, end), form) for first, end, form in side.tokens)
    n = len(side.words)
    relations = tuple(random.choice(("x", "y")) for _ in range(n))
    return DependencyTree(tuple(side.words), random_heads(random, n), relations, multiwords=tokens)


@given(sides(3), st.integers(0, 1), st.booleans(), randoms)
def test_counts_are_those_of_the_definition(drawn: list[Segmented], own: int, count_root: bool, random: Any):
    """The definition over trees whose nodes are sets of members, which stand for words of their own."""
    trees = [drawn_tree(random, side) for side in drawn]
    vocabulary = FunctionVocabulary()
    corpora = [functions.columns([one], vocabulary) for one in trees]
    passed = TedEval(corpora[0], corpora[1:], own, count_root=count_root)
    counts = dict(zip(COLUMNS, passed.counts[0].tolist(), strict=True))
    if statuses(corpora[0], corpora[1:])[0] == Segmentation.WORDS:
        made_words = tuple([(word,) for word in range(len(drawn[0].words))] for _ in drawn)
    else:
        made_words = sentence_members(drawn[1:], drawn[0], own).words
    held = (made_words[-1], *made_words[:-1])
    nodes = []
    for one, words in zip(trees, held, strict=True):
        plain = multi_function_tree(dependency_function_tree(one.forms, one.heads, one.relations))
        whole = frozenset(range(len(plain.words)))
        nodes.append(
            {
                labeled: {
                    (label, frozenset(member for word in node for member in words[word]))
                    for node, labels in plain.labels.items()
                    if count_root or node != whole
                    for label in (labels if labeled else {None})
                }
                for labeled in (False, True)
            }
        )
    for labeled, labels in ((False, "unlabeled"), (True, "labeled")):
        parse, *golds = (one[labeled] for one in nodes)
        gen = set.intersection(*golds)
        steps = functions.script(parse, gen)
        assert counts[f"tedeval_parse_{labels}"] == len(parse)
        assert counts[f"tedeval_generalized_{labels}"] == len(gen)
        delta = len(steps) - len(steps & functions.script(golds[own], gen))
        assert counts[f"tedeval_multiple_error_{labels}"] == delta
        protocol = sentence_protocol(*(corpora[0], corpora[1:], 0, own), labeled=labeled, count_root=count_root)
        assert (protocol.n_parse, protocol.n_generalized, protocol.delta) == (len(parse), len(gen), delta)


# --------------------------------------------------------------------------------------------------------------- files


def test_the_sample_with_a_multiword_token(tmp_path: Path):
    gold = (SAMPLE / "formats" / "multiword.conllu").read_text(encoding="utf-8")
    whole = gold.replace("2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdo\tdo", "2\tdon't\tdon't")
    lines = [line for line in whole.split("\n") if not line.startswith("3\tn't")]
    first, second = "\n".join(lines).split("\n\n", 1)
    moved = first.replace("\n4\tknow", "\n3\tknow").replace("\n5\t.", "\n4\t.").replace("\t4\t", "\t3\t")
    files = {"gold": gold, "whole": f"{moved}\n\n{second}"}
    for name, text in files.items():
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    golds = {"UD": tmp_path / "gold.conllu"}
    run = evaltools.crossframework(golds, {name: ("UD", tmp_path / f"{name}.conllu") for name in files})
    assert run.sentences("gold")["tedeval_single_labeled"].tolist() == [1.0, 1.0]
    # I don't know .: root, nsubj {I}, hd {know} and punct {.} of 6 gold nodes and 5 of the parse; root differs
    expected = 1 - (2 + 3) / (5 + 6)
    assert run.sentences("whole")["tedeval_single_labeled"].tolist() == [pytest.approx(expected), 1.0]
    protocol = run.protocol(1, "whole")
    assert protocol.words_aligned
    assert not protocol.in_characters
    assert protocol.parse.words == ("I", "don't", "do", "n't", "know", ".")
    assert isinstance(protocol.parse, MultiFunctionTree)


@pytest.mark.slow
def test_members_of_real_contractions(shared_data: Path):
    """Portuguese Bosque has 688 multiword tokens; a gold file that leaves its contractions whole must lose by it."""
    folder = shared_data / "data" / "ud" / "portuguese"
    golds = {"UD": folder / "gold.conllu"}
    parsers = {name: ("UD", folder / f"{name}.conllu") for name in ("gold", "udpipe-gold-sentences")}
    run = evaltools.crossframework(golds, parsers)
    assert run.sentences("gold")["tedeval_single_labeled"].eq(1).all()
    rows = run.sentences("udpipe-gold-sentences")
    differing = rows[(rows["status"] == "words_differ") & rows["words_aligned"].notna()]["sentence"]
    assert len(differing) > 10
    for sentence in differing.tolist():
        for labeled in (False, True):
            protocol = run.protocol(sentence, "udpipe-gold-sentences", labeled=labeled)
            row = rows.set_index("sentence").loc[sentence]
            assert protocol.score == pytest.approx(row[f"tedeval_single_{'' if labeled else 'un'}labeled"])


def test_tricky_tokens(shared_data: Path):
    folder = shared_data / "data" / "ud" / "tricky"
    for gold in sorted(folder.glob("0[2345]-*.gold.conllu")):
        system = gold.with_name(gold.name.replace(".gold.", ".system."))
        run = evaltools.crossframework({"UD": gold}, {"gold": ("UD", gold), "system": ("UD", system)})
        assert run.sentences("gold")["tedeval_single_labeled"].dropna().eq(1).all()
        assert run.summary().set_index(["parser", "metric"]).loc[("system", "tedeval_single_labeled"), "pooled_all"] < 1


def test_trees_given_without_tokens_are_compared_over_characters():
    one = multi_function_tree(dependency_function_tree(("ab", "c"), (1, -1), ("x", "root")))
    other = multi_function_tree(dependency_function_tree(("a", "bc"), (1, -1), ("x", "root")))
    made = tedeval_protocol(one, [other])
    assert made.in_characters
    assert not made.words_aligned
