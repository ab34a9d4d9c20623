"""CoNLL-U and CoNLL-X: what is kept, what is a problem, what is a sentence."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import conllu as library
import pytest
from hypothesis import given, strategies as st

from evaltools import FORMATS, Dependencies, DependencyTree, InputError, ParameterError, evaluate, read_treebank, score
from evaltools.corpus import Vocabulary
from evaltools.formats import corpus_stream
from evaltools.formats.corpus_stream import CorpusStream
from tests.slow.dependencies import random_dependencies
from tests.slow.projectivization import is_projective
from tests.slow.trees import randoms

GO = "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_"
HOME = "2\thome\thome\tADV\tRB\t_\t1\tadvmod\t_\t_"
HOME_0 = HOME.replace("\t1\t", "\t0\t")
REST = "\t_" * 8
TWO = f"{GO}\n{HOME}\n"


def read(text: str, format_name: str | None = "conllu") -> Dependencies:
    corpus = read_treebank(io.BytesIO(text.encode()), format_name)
    assert isinstance(corpus, Dependencies)
    return corpus


def listed(corpus: Dependencies) -> list[tuple[str, int | None, int | None]]:
    return [(problem.kind, problem.line, problem.sentence) for problem in corpus.problems]


# --------------------------------------------------------------------------------------------------------- what is kept


@given(st.lists(st.none() | randoms, min_size=1, max_size=5))
def test_what_is_written_in_conllu_is_read_again(sources: list[Random | None]):
    trees = [random and random_dependencies(random) for random in sources]
    text = FORMATS["conllu"].write(trees)
    corpus = read(text)
    again = [corpus.tree(i) for i in range(len(corpus))]
    assert again == [tree or DependencyTree((), (), ()) for tree in trees]
    assert corpus.problems == []
    assert FORMATS["conllu"].write(again) == text
    windows = read(text.replace("\n", "\r\n"))
    assert [windows.tree(i) for i in range(len(windows))] == again
    spaced = read("\n\n" + text.replace("\n\n", "\n \t\n\n"))
    assert [spaced.tree(i) for i in range(len(spaced))] == again


@given(st.lists(randoms, min_size=1, max_size=5))
def test_what_is_written_in_conllx_is_read_again(sources: list[Random]):
    trees = [random_dependencies(random, plain=True) for random in sources]
    corpus = read(FORMATS["conllx"].write(trees), "conllx")
    assert [corpus.tree(i) for i in range(len(corpus))] == trees
    assert corpus.problems == []


@given(st.lists(randoms, min_size=1, max_size=4))
def test_words_are_those_that_the_library_reads(sources: list[Random]):
    """The library takes two blanks for a tab and leaves out comments without a value, so those are left out here."""
    trees = [random_dependencies(random) for random in sources]
    corpus = read(FORMATS["conllu"].write(trees))
    theirs = library.parse(FORMATS["conllu"].write(trees))
    assert len(theirs) == len(corpus)
    for i, sentence in enumerate(theirs):
        words = [token for token in sentence if isinstance(token["id"], int)]
        ours = corpus.tree(i)
        assert tuple(token["head"] - 1 for token in words) == ours.heads
        assert tuple(token["deprel"] for token in words) == ours.relations
        assert [token["id"] for token in sentence if "-" in map(str, _parts(token))] == [
            (one.span.start + 1, "-", one.span.end) for one in ours.multiwords
        ]
        assert [token["id"] for token in sentence if "." in map(str, _parts(token))] == [
            (one.after, ".", one.index) for one in ours.empty_nodes
        ]
        again = library.parse_token_and_metadata(ours.to_string())
        assert [token["id"] for token in again] == [token["id"] for token in sentence]


def _parts(token: library.Token) -> tuple[object, ...]:
    return token["id"] if isinstance(token["id"], tuple) else (token["id"],)


def test_real_files_are_kept_byte_for_byte(shared_data: Path):
    folder = shared_data / "data" / "gum"
    if not folder.is_dir():
        pytest.skip(f"no folder gum in {shared_data / 'data'}")
    for path in (folder / "gold.conllu", *sorted((folder / "dep").glob("*.conllu"))):
        corpus = read_treebank(path)
        assert isinstance(corpus, Dependencies)
        assert corpus.problems == []
        trees = [corpus.tree(i) for i in range(len(corpus))]
        assert (len(trees), int(corpus.n_words.sum())) == (1194, 26845)
        assert sum(len(tree.multiwords) for tree in trees) == 268
        assert FORMATS["conllu"].write(trees).encode() == path.read_bytes()
        if path.name == "gold.conllu":
            assert sum(len(tree.empty_nodes) for tree in trees) == 19
            assert sum(not is_projective(tree.heads) for tree in trees) == 59


# --------------------------------------------------------------------------------------------------------- missing ones


def test_a_missing_parse_is_written_as_a_comment():
    assert FORMATS["conllu"].write([None]) == FORMATS["conllx"].write([None]) == "# no parse\n\n"
    assert read("# no parse\n\n", None).n_words.tolist() == [0]


# ------------------------------------------------------------------------------------------------------------- problems


@pytest.mark.parametrize("size", [1, 2000])  # line by line, and by the kernel
@pytest.mark.parametrize("deps", ["x", "a:b", "9:obj", "1:obj|", "2.1:obj", "1"])
def test_an_entry_of_deps_that_cannot_be_read_is_a_problem(deps: str, size: int):
    corpus = read(f"{TWO}\n" * size + TWO.replace("advmod\t_", f"advmod\t{deps}") + "\n" + TWO)
    (problem,) = corpus.problems
    assert (problem.kind, problem.line, problem.sentence) == ("deps", 3 * size + 2, size + 1)
    assert corpus.n_words.tolist() == [2] * (size + 2)
    kept = f"{GO}\n1.1\tx{REST[:12]}\t0:root\t_\n{HOME}\n".replace("advmod\t_", "advmod\t1.1:obj|0:root")
    assert read(kept).problems == []


def test_conllx_may_have_several_roots_and_has_no_ranges():
    roots = f"{GO}\n{HOME_0}"
    assert read(roots, "conllx").problems == []
    assert listed(read(f"1-2\tx{REST}\n{TWO}", "conllx")) == [("ids", 1, 1)]
    with pytest.raises(ParameterError, match="sentence 2: CoNLL-X holds neither"):
        FORMATS["conllx"].write([None, DependencyTree.from_string(f"1-2\tx{REST}\n{TWO}")])


def test_long_cycles_and_many_roots_are_cut_short():
    n = 50
    ring = "\n".join(f"{i}\tw\t_\t_\t_\t_\t{i % n + 1}\tx\t_\t_" for i in range(1, n + 1))
    flat = "\n".join(f"{i}\tw\t_\t_\t_\t_\t0\tx\t_\t_" for i in range(1, n + 1))
    rope = ring.replace("1\tw\t_\t_\t_\t_\t2\t", "1\tw\t_\t_\t_\t_\t0\t", 1).replace("\t1\tx", "\t2\tx")
    assert read(ring).problems[0].found == "no word whose head is 0"
    assert read(rope).problems[0].found == "a cycle of heads: 2 → 3 → 4 → 5 → 6 → 7 → 8 → 9 → … → 2"
    assert read(flat).problems[0].found == "50 roots: words 1, 2, 3, 4, 5, 6, 7, 8, …"


# ------------------------------------------------------------------------------------------------------- other programs


def test_a_run_of_one_kind_of_trees_refuses_another(tmp_path: Path):
    (tmp_path / "gold.conllu").write_text(TWO)
    (tmp_path / "gold.ptb").write_text("(S (V Go) (N home))\n")
    for gold, test in (("gold.ptb", "gold.conllu"), ("gold.conllu", "gold.ptb")):
        with pytest.raises(InputError, match="evaltools crossframework compares different kinds"):
            score(tmp_path / gold, {"it": tmp_path / test})


# ------------------------------------------------------------------------------------------ tokens that are line breaks

OWLS = "1\tOwls\towl\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\thunt\thunt\tVERB\tVBP\t_\t0\troot\t_\t_\n"
BREAK = "3\t\n\t\n\tSPACE\t_SP\t_\t2\t\t_\tSpaceAfter=No\n"
TWO_BREAKS = BREAK + "4\t\n\n\t\n\n\tSPACE\t_SP\t_\t2\t\t_\t_\n5\tmice\tmouse\tNOUN\tNNS\t_\t2\tobj\t_\t_\n"


@pytest.mark.parametrize("size", [1, 2])
def test_a_token_that_is_a_line_break_at_the_end_of_a_buffer(size: int, monkeypatch: pytest.MonkeyPatch):
    data = (OWLS + TWO_BREAKS + "\n") * 3
    for first in range(1, len(data), 7):
        monkeypatch.setattr(corpus_stream, "_FIRST_BLOCK", first)
        stream = CorpusStream(io.BytesIO(data.encode()), "conllu")
        words: list[int] = []
        while len(part := stream.read(size, Vocabulary())):
            words += part.n_words.tolist()
        assert words == [5, 5, 5], first


def test_a_token_that_is_a_line_break_costs_no_other_sentence(tmp_path: Path):
    bees = OWLS.replace("Owls", "Bees")
    (tmp_path / "plain.conllu").write_text(f"{OWLS}\n{bees}\n")
    (tmp_path / "breaks.conllu").write_text(f"{OWLS}{BREAK}\n{bees}\n")
    for gold, test, uas in (("plain", "breaks", 8 / 9), ("breaks", "plain", 8 / 9), ("breaks", "breaks", 1)):
        result = evaluate(tmp_path / f"{gold}.conllu", tmp_path / f"{test}.conllu")
        assert (result["uas"], result["sentences"], result["missing"]) == (pytest.approx(uas), 2, 0)
    with pytest.raises(InputError, match="a blank line"):
        score(tmp_path / "plain.conllu", {"p": tmp_path / "breaks.conllu"}, strict_conllu=True)


def test_sentences_given_one_by_one_are_not_joined():
    third = "3\tmice\tmouse\tNOUN\tNNS\t_\t0\troot\t_\t_"
    result = evaluate([OWLS, OWLS, OWLS], [OWLS, third, OWLS], figure="pooled")
    assert (result["uas"], result["sentences"], result["missing"]) == (1, 3, 1)
