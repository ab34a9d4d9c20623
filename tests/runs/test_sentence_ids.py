"""Pairing by ``sent_id``: the order of a parser's file does not matter, and what has no partner is listed."""

from __future__ import annotations

import gzip
import io
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import evaltools
from evaltools import Run
from evaltools.analysis.experiments import experiments
from evaltools.corpus import DependencyTree
from evaltools.errors import ParameterError
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.frameworks.pairing.id_pairing import pair_ids
from evaltools.outputs.figures import all_as_json, text_report
from evaltools.outputs.html_report import html_report
from evaltools.outputs.selection import Selection
from evaltools.progress import Progress
from evaltools.runs import scoring
from tests.conftest import few_examples
from tests.runs.dependency_files import NEAR, PASSIVE, TREE, conllu
from tests.slow.dependency_pairs import dependency_pairs

Named = tuple[str | None, DependencyTree | None]
NAMES = "abcdefghijkl"


def text(*sentences: Named, before: str = "# text = x\n") -> str:
    """Write sentences with their ids; None for none."""
    blocks = []
    for name, tree in sentences:
        head = "" if name is None else f"{before}# sent_id = {name}\n"
        blocks.append(head + conllu(tree))
    return "".join(blocks)


def scored(gold: Sequence[Named], test: Sequence[Named], **options: object) -> Run:
    return evaltools.score(stored(gold), {"p": stored(test)}, format="conllu", **options)


def stored_text(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def stored(sentences: Sequence[Named]) -> io.BytesIO:
    return io.BytesIO(text(*sentences).encode())


def tables(run: Run) -> dict[str, pd.DataFrame]:
    """Return everything that a run says of its sentences, but for the lines of the file."""
    found = {name: run.query(f"select * from {name}") for name in ("sentences", "words", "trees")}
    for name, frame in found.items():
        columns = [column for column in frame.columns if column != "line"]
        found[name] = frame[columns].sort_values(columns[:3], kind="stable", ignore_index=True)
    return found


def same(left: Run, right: Run) -> None:
    for name, frame in tables(left).items():
        pd.testing.assert_frame_equal(frame, tables(right)[name], check_categorical=False)


def problems(run: Run) -> list[tuple[str, object, str]]:
    return [(row.kind, None if pd.isna(row.line) else row.line, row.found) for row in run.problems().itertuples()]


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", 2)


# --------------------------------------------------------------------------------------------------------- the order


def test_two_sentences_in_another_order_score_as_in_order():
    gold = [("a", TREE), ("b", PASSIVE)]
    run = scored(gold, [("b", PASSIVE), ("a", TREE)])
    assert run.summary().set_index("metric").loc["uas", ["pooled", "pooled_all"]].tolist() == [1, 1]
    (entry,) = run.meta["parsers"]
    assert entry["paired"] == "id"
    assert entry["pairing"] == {"shifted": 2, "left_out": 0, "without_partner": 0}
    assert run.sentences("p")["line"].tolist() == [7, 1]
    assert run.problems().empty
    same(run, scored(gold, gold))


@pytest.mark.slow
@given(
    st.lists(dependency_pairs(), min_size=1, max_size=9),
    st.data(),
    st.integers(1, 4),
    st.booleans(),
)
@settings(few_examples, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_order_of_a_parsers_sentences_gives_the_same_tables(
    pairs: list[tuple[DependencyTree, DependencyTree]], data: st.DataObject, chunk: int, twins: bool
):
    names = [NAMES[index // 2 if twins else index] for index in range(len(pairs))]
    gold = [(name, pair[0]) for name, pair in zip(names, pairs, strict=True)]
    test = [(name, pair[1]) for name, pair in zip(names, pairs, strict=True)]
    order = data.draw(st.permutations(range(len(pairs))))
    if twins:  # sentences with the same id keep their order
        order = sorted(order, key=lambda index: (order.index(index // 2 * 2), index))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "_SENTENCES_PER_CHUNK", chunk)
        run = scored(gold, [test[index] for index in order])
        in_order = scored(gold, test)
    assert run.meta["parsers"][0]["paired"] == in_order.meta["parsers"][0]["paired"] == "id"
    same(run, in_order)
    assert run.summary().equals(in_order.summary())


@given(st.lists(st.sampled_from([*"abcd", None])), st.lists(st.sampled_from([*"abcd", None])))
def test_pairs_are_those_of_the_obvious_search(gold: list[str | None], test: list[str | None]):
    left = list(enumerate(test))
    expected = []
    for name in gold:
        found = next((index for index, other in left if name is not None and other == name), -1)
        left = [one for one in left if one[0] != found]
        expected.append(found)
    assert pair_ids(gold, test).tolist() == expected


# ------------------------------------------------------------------------------- surplus, missing, repeated, partial


def test_a_surplus_sentence_does_not_shift_those_after_it(small_chunks: None):
    gold = [("a", TREE), ("b", PASSIVE), ("c", TREE)]
    run = scored(gold, [("x", TREE), *gold, ("y", PASSIVE)])
    assert run.summary().set_index("metric")["pooled_all"]["las"] == 1
    assert problems(run) == [
        ("surplus", 1, "sent_id 'x', which is not scored"),
        ("surplus", 31, "sent_id 'y', which is not scored"),
    ]
    assert run.meta["parsers"][0]["pairing"] == {"shifted": 3, "left_out": 2, "without_partner": 0}
    assert run.meta["parsers"][0]["sentences"] == 5


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_sentence_that_is_not_there_is_a_missing_parse_and_named(missing: int, small_chunks: None):
    gold = [("a", TREE), ("b", PASSIVE), ("c", TREE)]
    run = scored(gold, gold[:missing] + gold[missing + 1 :])
    statuses = ["ok", "ok", "ok"]
    statuses[missing] = "missing"
    assert run.sentences("p")["status"].tolist() == statuses
    assert run.meta["parsers"][0]["missing"] == 1
    (problem,) = run.problems().to_dict("records")
    assert (problem["kind"], problem["sentence"], problem["parser"]) == ("too_few", missing + 1, "p")
    assert problem["found"] == f"no sentence with sent_id {NAMES[missing]!r}; it counts as missing"
    line = (1, 9, 15)[missing]
    assert problem["expected"].startswith(f"one, as sentence {missing + 1} (line {line}) of ")


def test_of_sentences_with_the_same_id_the_first_is_scored():
    gold = [("a", TREE), ("b", PASSIVE)]
    run = scored(gold, [("b", PASSIVE), ("a", TREE), ("a", NEAR)])
    assert run.summary().set_index("metric")["pooled_all"]["las"] == 1
    assert problems(run) == [("repeated_id", 15, "sent_id 'a' again, first in line 7; not scored")]
    assert run.problems()["expected"].tolist() == ["an id that no other sentence of the file has"]


def test_a_file_with_repeated_ids_against_itself_scores_1(small_chunks: None):
    gold = [("a", TREE), ("b", PASSIVE), ("a", NEAR), ("a", PASSIVE)]
    for test in (gold, [gold[1], gold[0], *gold[2:]]):
        run = scored(gold, test)
        assert run.summary().set_index("metric")["pooled_all"]["las"] == 1
        assert run.problems()["kind"].tolist() == ["repeated_id"] * 4
        assert run.problems()["parser"].isna().tolist() == [True, True, False, False]


OTHER = DependencyTree(("other", "words"), (1, -1), ("det", "root"))
REPEATED = {
    "one id for all": ["a", "a", "a"],
    "the first again": ["a", "b", "a"],
    "an id less": ["b", "c", "x"],
    "an id of another sentence": ["b", "b", "c"],
}


@pytest.mark.parametrize("name", REPEATED)
@pytest.mark.parametrize("chunk", [1, 2, 9])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_text_in_the_same_order_wins_over_ids_that_are_none(
    name: str, chunk: int, swapped: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", chunk)
    trees = [TREE, PASSIVE, OTHER]
    gold, test = list(zip("abc", trees, strict=True)), list(zip(REPEATED[name], trees, strict=True))
    run = scored(test, gold) if swapped else scored(gold, test)
    figures = run.summary().set_index("metric").loc[["las", "ud_words", "ud_sentences"], "pooled_all"]
    assert figures.tolist() == [1, 1, 1]
    assert run.sentences("p")["status"].tolist() == ["ok"] * 3


def test_the_order_of_the_text_wins_over_repeated_ids_also_if_a_sentence_is_absent(small_chunks: None):
    trees = [TREE, PASSIVE, OTHER, NEAR, PASSIVE]
    gold = list(zip("abcde", trees, strict=True))
    run = scored(gold, [("a", tree) for tree in trees[1:]])
    assert run.sentences("p")["status"].tolist() == ["missing", "ok", "ok", "ok", "ok"]
    assert run.summary().set_index("metric").loc["las", "pooled"] == 1


@pytest.mark.parametrize("chunk", [1, 2, 100])
def test_ids_of_some_sentences_only_are_listed_and_not_used(chunk: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", chunk)
    gold = [("a", TREE), ("b", PASSIVE), ("c", TREE)]
    run = scored(gold, [("a", TREE), ("c", PASSIVE), (None, TREE)])
    assert run.summary().set_index("metric")["pooled_all"]["las"] == 1
    (entry,) = run.meta["parsers"]
    assert entry["paired"] == "position"
    assert entry["pairing"]["reason"].startswith("some sentences of ")
    assert problems(run) == [
        ("no_id", 15, "no sent_id: sentences are paired by position"),
        ("other_ids", 9, "sent_id 'c'; sentences are paired by position"),
    ]
    assert run.problems()["expected"].tolist()[1].startswith("sent_id 'b', as sentence 2 of ")


def test_ids_in_one_file_only_leave_the_pairing_by_position():
    with_ids = [("a", TREE), ("b", PASSIVE)]
    without = [(None, TREE), (None, PASSIVE)]
    for gold, test in ((with_ids, without), (without, with_ids)):
        run = scored(gold, test)
        assert run.summary().set_index("metric")["pooled_all"]["las"] == 1
        assert run.meta["parsers"][0]["paired"] == "position"
        assert run.meta["parsers"][0]["pairing"]["reason"].endswith("has no sent_id")
        assert run.problems().empty


def test_ids_of_which_none_is_in_the_gold_file_leave_the_pairing_by_position_and_are_listed(small_chunks: None):
    gold = [("a", TREE), ("b", PASSIVE), ("c", TREE)]
    run = scored(gold, [("u1", TREE), ("u2", PASSIVE), ("u3", TREE), ("u4", TREE)])
    assert run.summary().set_index("metric")["pooled_all"]["las"] == 1
    assert run.meta["parsers"][0]["paired"] == "position"
    assert problems(run) == [
        ("surplus", 23, "4 sentences; those from this line on are not scored"),
        (
            "other_ids",
            1,
            "sent_id 'u1'; 3 sentences have another id than the gold sentence; sentences are paired by position",
        ),
    ]


def test_problems_of_reordered_sentences_keep_their_lines_and_sentences(small_chunks: None):
    gold = [("a", TREE), ("b", PASSIVE), ("c", TREE), ("d", PASSIVE)]
    test = (
        text(("d", PASSIVE), ("b", PASSIVE), ("c", TREE)) + "# stray\n\n" + text(("a", TREE)).replace("\t0\t", "\t4\t")
    )
    run = evaltools.score(stored(gold), {"p": io.BytesIO(test.encode() + b"\n# end\n")})
    rows = run.problems()[["kind", "line", "sentence"]].astype(object)
    found = [(kind, line, None if pd.isna(number) else number) for kind, line, number in rows.to_numpy().tolist()]
    assert sorted(found, key=lambda one: one[1]) == [("comment", 21, None), ("no_root", 25, 1), ("comment", 32, None)]
    assert run.sentences("p")["status"].tolist() == ["missing", "ok", "ok", "ok"]
    assert run.sentences("p")["line"].tolist() == [23, 7, 13, 1]


def test_missing_parses_are_paired_too():
    gold = [("a", TREE), ("b", PASSIVE), ("c", TREE)]
    run = scored(gold, [("c", TREE), ("b", None), ("a", TREE)])
    assert run.sentences("p")["status"].tolist() == ["ok", "missing", "ok"]
    assert run.problems().empty


def test_the_sentences_after_the_end_of_a_parsers_file_keep_their_numbers(small_chunks: None):
    gold, one = [(None, TREE)] * 5, [(None, TREE)]
    across = evaltools.crossframework({"t": stored(gold)}, {"p": ("t", stored(one))})
    for run in (across, scored(gold, one)):
        assert run.sentences("p")["sentence"].tolist() == [1, 2, 3, 4, 5]
        rows = run.query("select sentence from trees where parser = 'p' order by sentence")
        assert rows["sentence"].tolist() == [1, 2, 3, 4, 5]


def test_files_in_the_same_order_are_not_read_ahead(small_chunks: None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(CorpusStream, "look_ahead")
    gold = [("a", TREE), ("b", PASSIVE), ("c", TREE)]
    for test in (gold, [(None, tree) for _, tree in gold], [*gold, ("d", TREE)]):
        assert len(scored(gold, test).sentences("p")) == 3


# ---------------------------------------------------------------------------------------- every way a run can be made


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    trees = list(itertools.islice(itertools.cycle([TREE, NEAR, PASSIVE, TREE]), 11))
    gold = list(zip(NAMES, trees, strict=False))
    rng = np.random.default_rng(7)
    test = [gold[index] for index in rng.permutation(len(gold)).tolist()]
    (tmp_path / "gold.conllu").write_text(text(*gold))
    (tmp_path / "in order.conllu").write_text(text(*gold))
    (tmp_path / "p.conllu").write_text(text(*test, ("z", TREE)))
    (tmp_path / "crlf.conllu.gz").write_bytes(
        gzip.compress(text(*test, before="#  text=x\n").replace("\n", "\r\n").encode())
    )
    return {path.name.split(".")[0]: path for path in tmp_path.iterdir()}


def test_verified(files: dict[str, Path], tmp_path: Path, small_chunks: None):
    parsers = {"p": files["p"], "q": files["in order"], "r": files["crlf"]}
    run = evaltools.score(files["gold"], parsers, out=tmp_path / "r")
    assert [entry["paired"] for entry in run.meta["parsers"]] == ["id"] * 3
    assert (run.summary()["pooled_all"].dropna() == 1).all()
    assert evaltools.verify(run).equal


@pytest.mark.slow
def test_the_note_and_the_report_say_how_sentences_are_paired(files: dict[str, Path]):
    notes: list[str] = []
    parsers = {"p": files["p"], "q": files["in order"], "r": files["gold"]}
    run = evaltools.score(files["gold"], parsers, progress=Progress(note=notes.append))
    lines = [
        "p: sentences paired by sent_id: 10 at another position, 1 left out, 0 gold sentences without partner",
        "q, r: sentences paired by sent_id",
    ]
    assert notes == lines
    assert all(line in text_report(run, Selection()).split("\n") for line in lines)
    assert all(line in html_report(run) for line in lines)
    found = all_as_json(run, Selection())["parsers"]
    assert found["p"]["paired"] == "id"
    assert found["p"]["pairing"] == {"shifted": 10, "left_out": 1, "without_partner": 0}


def test_sentences_of_dependency_trees_need_not_be_aligned(files: dict[str, Path]):
    with pytest.raises(ParameterError, match="align_sentences: an option for constituency trees, not for dependency"):
        evaltools.score(files["gold"], {"p": files["p"]}, align_sentences=True)


# ------------------------------------------------------------------------------------------------- across frameworks


def test_a_sentence_that_a_gold_or_a_parser_lacks_is_named_across_frameworks(small_chunks: None):
    gold = list(zip(NAMES, [TREE, PASSIVE, NEAR, PASSIVE, TREE], strict=False))
    golds = {"one": stored(gold), "two": stored([*gold[1:], ("z", TREE)])}
    run = evaltools.crossframework(golds, {"p": ("one", stored([gold[0], *gold[2:]]))})
    assert run.sentences("p")["status"].tolist() == ["ok", "missing", "ok", "ok", "ok"]
    rows = run.problems().astype({"parser": object}).to_dict("records")
    found = [(row["kind"], "" if pd.isna(row["parser"]) else row["parser"], row["found"]) for row in rows]
    assert found == [
        ("surplus", "", "sent_id 'z', which is not scored"),
        ("too_few", "", "no sentence with sent_id 'a'; it counts as missing"),
        ("too_few", "p", "no sentence with sent_id 'b'; it counts as missing"),
    ]


# --------------------------------------------------------------------------------------------------------- real files


WORDS = ("Owl", "Bee", "Cat", "Dog")


def export(*sentences: tuple[str, str]) -> str:
    """Write sentences of two words with their numbers."""
    blocks = ["#FORMAT 3"]
    for number, word in sentences:
        rows = (f"{word}\tNN\t--\tSB\t500", "naps\tVB\t--\tHD\t500", "#500\tS\t--\t--\t0")
        blocks += [f"#BOS {number}", *rows, f"#EOS {number}"]
    return "\n".join(blocks) + "\n"


def tigerxml(*sentences: tuple[str, str]) -> str:
    blocks = ['<?xml version="1.0"?>', "<corpus><head></head>", "<body>"]
    for name, word in sentences:
        words = f'<t id="a_1" word="{word}" pos="NN"/><t id="a_2" word="naps" pos="VB"/>'
        edges = '<edge label="SB" idref="a_1"/><edge label="HD" idref="a_2"/>'
        phrases = f'<nonterminals><nt id="a_3" cat="S">{edges}</nt></nonterminals>'
        blocks.append(f'<s id="{name}"><graph root="a_3"><terminals>{words}</terminals>{phrases}</graph></s>')
    return "\n".join([*blocks, "</body></corpus>"])


@pytest.mark.parametrize("write", [export, tigerxml])
@pytest.mark.parametrize("names", ["2314", "134", "13254", "4"])
@pytest.mark.parametrize("chunk", [1, 3, 9])
def test_numbers_of_export_and_ids_of_tiger_xml_pair_sentences(
    write: Callable[..., str], names: str, chunk: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", chunk)
    gold = dict(zip("1234", WORDS, strict=True))
    test = write(*((name, gold.get(name, "Emu")) for name in names))
    run = evaltools.score(stored_text(write(*gold.items())), {"p": stored_text(test)})
    expected = ["ok" if name in names else "missing" for name in "1234"]
    assert run.sentences("p")["status"].tolist() == expected
    assert run.summary().set_index("metric").loc["f1_pos", "pooled"] == 1
    assert run.meta["parsers"][0]["paired"] == "id"
    assert sorted({row.kind for row in run.problems().itertuples()}) == [
        *(["surplus"] if "5" in names else []),
        *(["too_few"] if "missing" in expected else []),
    ]
    lines = [None if pd.isna(line) else line for line in run.sentences("p")["line"]]
    in_file = test.split("\n")
    for word, line in zip(WORDS, lines, strict=True):
        assert line is None or word in "".join(in_file[line - 1 : line + 1])


def rows(*sentences: tuple[str, str]) -> str:
    """Write the same sentences as dependencies."""
    parts = []
    for name, word in sentences:
        words = ((word, 2, "SB"), ("naps", 0, "root"))
        lines = [f"{at}\t{form}\t_\t_\t_\t_\t{head}\t{rel}\t_\t_" for at, (form, head, rel) in enumerate(words, 1)]
        parts.append("\n".join((*([f"# sent_id = {name}"] if name else []), *lines)) + "\n\n")
    return "".join(parts)


def phrases(*sentences: tuple[str, str]) -> str:
    return "".join(f"(S-root (N-SB {word}) (V-HD naps))\n" for _, word in sentences)


WRITERS = {"phrases": phrases, "export": export, "tigerxml": tigerxml, "conllu": rows}


def in_order(names: Sequence[str], order: str) -> list[tuple[str, str]]:
    """Return the sentences 1, 2, … in another order, each with its name."""
    return [(names[int(number) - 1], WORDS[int(number) - 1]) for number in order]


NUMBERS, OTHER_NUMBERS, LETTERS, WITH_S = ("1234", "2345", "wxyz", ("s1", "s2", "s3", "s4"))
ACROSS = {
    # format, ids and order of the first gold file, of the second one, and of the parser's, which follows the second
    "export and TIGER-XML": (("export", NUMBERS, "1234"), ("tigerxml", WITH_S, "3142"), ("export", NUMBERS, "4321")),
    "export and CoNLL-U": (("export", NUMBERS, "1234"), ("conllu", NUMBERS, "2143"), ("conllu", NUMBERS, "4312")),
    "TIGER-XML and CoNLL-U": (("tigerxml", WITH_S, "1234"), ("conllu", WITH_S, "3412"), ("tigerxml", WITH_S, "2341")),
    "CoNLL-U and export": (("conllu", WITH_S, "1234"), ("export", NUMBERS, "3412"), ("export", NUMBERS, "2341")),
    "other ids": (("export", NUMBERS, "1234"), ("conllu", LETTERS, "1234"), ("conllu", LETTERS, "4312")),
    "other numbers": (
        ("export", NUMBERS, "1234"),
        ("conllu", OTHER_NUMBERS, "1234"),
        ("conllu", OTHER_NUMBERS, "4312"),
    ),
    "both in CoNLL-U": (("conllu", NUMBERS, "1234"), ("conllu", LETTERS, "1234"), ("conllu", LETTERS, "4312")),
    "no ids in the first": (("phrases", NUMBERS, "1234"), ("tigerxml", WITH_S, "1234"), ("export", NUMBERS, "4312")),
    "no ids in the second": (("tigerxml", WITH_S, "1234"), ("phrases", NUMBERS, "1234"), ("export", NUMBERS, "4312")),
    "no ids": (("phrases", NUMBERS, "1234"), ("conllu", ("",) * 4, "1234"), ("conllu", LETTERS, "1234")),
    "a sentence less": (("export", NUMBERS, "1234"), ("conllu", LETTERS, "1234"), ("conllu", LETTERS, "412")),
    "a sentence less in TIGER-XML": (
        ("conllu", WITH_S, "1234"),
        ("conllu", WITH_S, "2143"),
        ("tigerxml", WITH_S, "321"),
    ),
}


@pytest.mark.parametrize("case", ACROSS)
@pytest.mark.parametrize("chunk", [1, 3, 9])
def test_ids_of_all_kinds_pair_sentences_across_frameworks(case: str, chunk: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", chunk)
    first, second, parser = (stored_text(WRITERS[kind](*in_order(*file))) for kind, *file in ACROSS[case])
    run = evaltools.crossframework({"first": first, "second": second}, {"p": ("second", parser)})
    order = ACROSS[case][2][2]
    found = run.sentences("p").set_index("sentence")
    assert found["status"].tolist() == ["ok" if number in order else "missing" for number in NUMBERS]
    for metric in ("tedeval_single_unlabeled", "tedeval_multiple_unlabeled"):
        assert found[metric].dropna().tolist() == [1] * len(order)
    assert run.problems()["kind"].tolist() == ["too_few"] * (len(order) < 4)
    assert {row.figures["tedeval_unlabeled"].value for row in experiments(run).rows} == {1}


def test_ids_that_no_other_file_has_are_not_worth_a_word_across_frameworks():
    notes: list[str] = []
    golds = {
        "first": stored_text(export(*in_order("1234", "1234"))),
        "second": stored_text(rows(*in_order(LETTERS, "1234"))),
    }
    evaltools.crossframework(
        golds, {"p": ("second", stored_text(rows(*in_order(LETTERS, "3124"))))}, progress=Progress(note=notes.append)
    )
    assert notes == [
        "gold second: sentences paired by position: "
        "<upload> does not have its sent_ids; parsers with these are paired by them",
        "p: sentences paired by sent_id: 3 at another position, 0 left out, 0 gold sentences without partner",
    ]


@pytest.mark.parametrize("kind", ["phrases", "conllu"])
def test_another_number_of_sentences_across_frameworks_names_what_pairs_them(kind: str):
    gold, test = (stored_text(WRITERS[kind](*in_order(("",) * 4, order))) for order in ("1234", "123"))
    run = evaltools.crossframework({"t": gold}, {"p": ("t", test)})
    problem = run.problems().iloc[0]
    assert (problem["kind"], problem["found"]) == ("too_few", "3 sentences; the others count as missing")
    assert problem["expected"].endswith("; sentences with ids (sent_id, #BOS, <s id>) in all files are paired by them")


def test_comments_of_a_gold_file_across_frameworks_are_those_of_a_file_in_order():
    first = export(*in_order("1234", "1234"))
    second = rows(*in_order("1234", "1234")).replace("# sent_id = 3", "# newdoc id = d\n# sent_id = 3")
    golds = {"first": stored_text(first), "second": stored_text(second)}
    run = evaltools.crossframework(golds, {"p": ("first", stored_text(first))})
    assert run.metadata()["document"].fillna("").tolist() == ["", "", "d", "d"]
