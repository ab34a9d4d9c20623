"""Runs of n-best lists: the best analysis by a metric, what it reaches, where it stands, and how lists are paired."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

import evaltools
from evaltools.analysis.nbest import best_ranks_of, tree_lists
from evaltools.errors import InputError, ParameterError
from evaltools.runs.oracle import best_ranks
from evaltools.runs.subset import original_numbers
from tests.runs.dependency_files import TREE, conllu

A = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"
FLAT = "(S (DT the) (NN dog) (VBZ barks))"
HALF = "(S (NP (DT the) (NN dog)) (VBZ barks))"
B = "(S (NP (PRP she)) (VP (VBZ sings)))"
B_FLAT = "(S (PRP she) (VBZ sings))"
GOLD = f"{A}\n{B}\n{A}\n{B}\n"
ROWS = [
    ("s3", [FLAT, HALF, A]),
    ("s1", [A, FLAT]),
    ("s2", [B_FLAT, B_FLAT]),
]
LISTS = "sent_id\trank\tlogprob\ttree\n" + "".join(
    f"{name}\t{rank}\t-{rank}\t{tree}\n" for name, trees in sorted(ROWS) for rank, tree in enumerate(trees, start=1)
)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    made = {"gold.ptb": GOLD, "list.tsv": LISTS}
    for name, text in made.items():
        (tmp_path / name).write_text(text, "utf-8")
    return {name: tmp_path / name for name in made}


def oracle(folder: Path, gold: str, lists: str, **options: Any) -> evaltools.Run:
    """Write a gold file and a file of lists, and score the lists."""
    suffix = "conllu" if "\t" in gold else "ptb"
    (folder / f"gold.{suffix}").write_text(gold, "utf-8")
    (folder / "list.tsv").write_text(lists, "utf-8")
    return evaltools.oracle(
        folder / f"gold.{suffix}", {"p": folder / "list.tsv"}, out=folder / "run", force=True, **options
    )


def of_trees(*rows: tuple[int, int, str]) -> str:
    """Write lists of trees: sentence, rank and tree."""
    lines = [f"{sentence}\t{rank}\t-{rank}\t{tree}\n" for sentence, rank, tree in rows]
    return "".join(["sent_id\trank\tlogprob\ttree\n", *lines])


def of_heads(*rows: tuple[str, int, str]) -> str:
    """Write lists of heads and relations."""
    lines = [f"{sentence}\t{rank}\t{heads}\n" for sentence, rank, heads in rows]
    return "".join(["sent_id\trank\theads_deprels\n", *lines])


HEADS = "2:nsubj 0:root 4:det 2:obj 2:punct"


@given(
    arrays(
        np.float64,
        st.tuples(st.integers(0, 6), st.integers(1, 6)),
        elements=st.sampled_from([0.0, 0.25, 0.5, 1.0, float("nan")]),
    ),
    st.booleans(),
)
def test_the_best_so_far_is_the_one_that_a_slow_search_finds(scores, higher: bool):
    found = best_ranks(scores, higher_is_better=higher)
    for row, ranks in zip(scores.tolist(), found.tolist(), strict=True):
        for most in range(1, len(row) + 1):
            known = [
                (value if higher else -value, -place) for place, value in enumerate(row[:most], 1) if value == value
            ]
            assert ranks[most - 1] == (-max(known)[1] if known else 1)


def test_first_and_best_analyses_stand_beside_one_another(files: dict[str, Path]):
    run = evaltools.oracle(files["gold.ptb"], {"p": files["list.tsv"]}, out=files["gold.ptb"].parent / "run")
    assert run.parsers == ["p", "best of 3: p"]
    assert run.n_sentences == 3
    scores = {name: run.sentences(name)["f1"].tolist() for name in run.parsers}
    assert scores["p"] == pytest.approx([1, 0.5, 0.5])
    assert scores["best of 3: p"] == pytest.approx([1, 0.5, 1])
    (lists,) = tree_lists(run)
    assert (lists.longest, lists.lists, lists.paired, lists.metric) == (3, 3, "position", "f1")
    assert best_ranks_of(run, "p").to_dict() == best_ranks_of(run, "best of 3: p").to_dict() == {1: 1, 2: 1, 3: 3}
    assert lists.curve["best"].tolist() == [2, 0, 1]
    assert lists.curve["parses"].tolist() == [3, 3, 1]
    assert "67 % have their best analysis first" in lists.description
    numbers = original_numbers(run)
    assert numbers is not None
    assert numbers.tolist() == [1, 2, 3]
    assert evaltools.verify(run).equal


def test_the_curve_is_what_choosing_and_scoring_by_hand_comes_to(files: dict[str, Path], tmp_path: Path):
    run = evaltools.oracle(files["gold.ptb"], {"p": files["list.tsv"]})
    (lists,) = tree_lists(run)
    (tmp_path / "few.ptb").write_text(f"{A}\n{B}\n{A}\n")
    for most, chosen in enumerate([(A, B_FLAT, FLAT), (A, B_FLAT, HALF), (A, B_FLAT, A)], start=1):
        (tmp_path / "chosen.ptb").write_text("".join(f"{tree}\n" for tree in chosen))
        summary = evaltools.score(tmp_path / "few.ptb", {"c": tmp_path / "chosen.ptb"}).summary().set_index("metric")
        row = lists.curve.iloc[most - 1]
        assert row["pooled"] == pytest.approx(summary.loc["f1", "pooled"])
        assert row["mean"] == pytest.approx(summary.loc["f1", "mean"])
    best = run.summary().set_index(["parser", "metric"])
    assert best.loc[("best of 3: p", "f1"), "pooled"] == pytest.approx(lists.curve["pooled"].iloc[-1])
    assert best.loc[("p", "f1"), "mean"] == pytest.approx(lists.curve["own_mean"].iloc[0])


def test_another_metric_may_choose_otherwise(files: dict[str, Path]):
    by_crossing = evaltools.oracle(files["gold.ptb"], {"p": files["list.tsv"]}, metric="exact")
    assert tree_lists(by_crossing)[0].metric == "exact"
    assert "|oracle:exact|" in by_crossing.signature
    with pytest.raises(ParameterError, match="unknown metric"):
        evaltools.oracle(files["gold.ptb"], {"p": files["list.tsv"]}, metric="las")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "how", "numbers"),
    [(("s4", "s2"), "id", [2, 4]), (("3", "1"), "number", [1, 3]), (("x", "y"), "position", [1, 2])],
)
def test_lists_are_paired_by_name_by_number_or_in_order(
    names: tuple[str, str], how: str, numbers: list[int], tmp_path: Path
):
    gold = "".join(f"# sent_id = s{number}\n{conllu(TREE)}" for number in range(1, 5))
    run = oracle(tmp_path, gold, of_heads(*((name, 1, HEADS) for name in names)))
    found = original_numbers(run)
    assert found is not None
    assert found.tolist() == numbers
    assert tree_lists(run)[0].paired == how
    assert run.summary().set_index(["parser", "metric"]).loc[("p", "las"), "pooled"] == 1
    assert evaltools.verify(run).equal


def test_of_gold_sentences_with_the_same_id_the_first_has_the_list(tmp_path: Path):
    gold = "".join(f"# sent_id = {name}\n{conllu(TREE)}" for name in ("a", "b", "a"))
    run = oracle(
        tmp_path, gold.replace("# sent_id", "#sent_id", 1), of_heads(*((name, 1, HEADS) for name in ("b", "a")))
    )
    found = original_numbers(run)
    assert found is not None
    assert found.tolist() == [1, 2]
    assert run.problems()["found"].tolist() == ["sent_id 'a' again, first in line 1"]
    assert run.problems()["line"].tolist() == [15]
    assert all("pairing" not in entry for entry in run.meta["parsers"])


@pytest.mark.parametrize(
    ("heads", "says"),
    [
        ("2:a 0:b", "2 heads for 5 words"),
        ("2:a 0:b x:c 2:d 2:e", "the head 'x'"),
        ("2:a 1:b 4:c 2:d 2:e", "the heads of 2 words form a cycle"),
        ("2:a 0:b 9:c 2:d 2:e", "heads are positions"),
    ],
)
def test_analyses_that_are_no_tree_are_listed_and_count_as_missing(tmp_path: Path, heads: str, says: str):
    run = oracle(tmp_path, conllu(TREE), of_heads(("1", 1, heads), ("1", 2, HEADS)))
    (problem,) = run.problems().to_dict("records")
    assert says in problem["found"]
    assert (problem["line"], problem["sentence"], problem["parser"]) == (2, 1, "p")
    assert run.sentences("p")["status"].tolist() == ["missing"]
    assert best_ranks_of(run, "p").tolist() == [2]


def test_lists_that_belong_to_no_sentence_are_listed(tmp_path: Path):
    (problem,) = oracle(tmp_path, f"{A}\n", f"{A}\n{FLAT}\n\n{B}\n").problems().to_dict("records")
    assert problem["line"] == 4
    with pytest.raises(ParameterError, match="no list belongs"):
        oracle(tmp_path, f"{A}\n", of_trees((7, 1, A)))


def test_two_parsers_of_which_one_has_fewer_lists(files: dict[str, Path], tmp_path: Path):
    (tmp_path / "short.txt").write_text(f"{FLAT}\n{A}\n")
    run = evaltools.oracle(files["gold.ptb"], {"p": files["list.tsv"], "q": tmp_path / "short.txt"}, out=tmp_path / "r")
    assert run.parsers == ["p", "best of 3: p", "q", "best of 2: q"]
    assert run.sentences("q")["status"].tolist() == ["ok", "missing", "missing"]
    assert best_ranks_of(run, "q").to_dict() == {1: 2}
    assert [one.lists for one in tree_lists(run)] == [3, 1]
    assert evaltools.verify(run).equal


def test_a_part_of_it_has_no_curve_and_can_be_verified(files: dict[str, Path], tmp_path: Path):
    run = evaltools.oracle(files["gold.ptb"], {"p": files["list.tsv"]}, out=tmp_path / "run")
    part = evaltools.subset(evaltools.subset(run, [2, 3]), [2], tmp_path / "part")
    assert tree_lists(part) == []
    numbers = original_numbers(part)
    assert numbers is not None
    assert numbers.tolist() == [3]
    assert best_ranks_of(part, "p").tolist() == [3]
    assert evaltools.verify(part).equal


def test_other_files_are_refused(files: dict[str, Path], tmp_path: Path):
    (tmp_path / "heads.tsv").write_text("sent_id\trank\theads_deprels\n1\t1\t0:root\n")
    with pytest.raises(InputError, match="dependency trees; expected constituency trees"):
        evaltools.oracle(files["gold.ptb"], {"p": tmp_path / "heads.tsv"})
    with pytest.raises(InputError):
        evaltools.oracle(files["gold.ptb"], {"p": tmp_path / "nowhere"})
    with pytest.raises(ParameterError, match="choose another name"):
        evaltools.oracle(files["gold.ptb"], {"p": files["list.tsv"], "best of 3: p": files["list.tsv"]})
    with pytest.raises(ParameterError, match="no list given"):
        evaltools.oracle(files["gold.ptb"], {})


def test_a_tree_that_cannot_be_read_is_listed_and_moves_no_other(tmp_path: Path):
    pairs = zip([A[:-1], B[:-2], "(S )", B], [A, B, A, A], strict=True)
    rows = [(at, rank, tree) for at, pair in enumerate(pairs, 1) for rank, tree in enumerate(pair, 1)]
    run = oracle(tmp_path, GOLD, of_trees(*rows))
    told = run.problems()
    assert list(zip(told["kind"], told["line"], told["sentence"], strict=True)) == [
        ("unbalanced", 2, 1),
        ("unbalanced", 4, 2),
        ("empty_bracket", 6, 3),
        ("words_differ", 9, 4),
    ]
    assert set(told["file"]) == {str(tmp_path / "list.tsv")}
    assert run.sentences("p")["status"].tolist() == ["missing", "missing", "missing", "ok"]
    best = run.sentences("best of 2: p")
    assert best["status"].tolist() == ["ok"] * 4
    assert best["f1"].tolist() == [1.0] * 4


@pytest.mark.parametrize("text", ["# no parse", "<none>", "no parse:"])
def test_an_analysis_that_would_be_skipped_between_trees_moves_no_other(tmp_path: Path, text: str):
    run = oracle(tmp_path, GOLD, of_trees(*((at, 1, tree) for at, tree in enumerate([A, text, A, B], 1))))
    assert run.sentences("p")["status"].tolist() == ["ok", "missing", "ok", "ok"]
    told = run.problems()
    assert list(zip(told["line"], told["sentence"], told["found"], strict=True)) == [(3, 2, text)]


def test_what_is_said_once_a_file_of_gold_trees_or_analyses_is_kept(tmp_path: Path):
    run = oracle(tmp_path, f"# 1\n{A}\n{B}\n", of_trees((1, 1, A), (2, 1, B_FLAT), (2, 2, "(S (NN f(x)))")))
    assert run.problems()["found"].tolist() == [
        "comments, markup or headings between the trees (lines: 1), the first one '# 1'",
        "rank 2: parentheses in words (sentences: 1), such as ' f(x)'",
    ]


@pytest.mark.parametrize(("preset", "originals"), [("standard", [1, 2]), ("collins", [2, 4])])
def test_gold_lines_are_read_as_the_preset_reads_them(tmp_path: Path, preset: str, originals: list[int]):
    lists = of_trees(*((at, 1, tree) for at, tree in zip(originals, (A, B), strict=True)))
    run = oracle(tmp_path, f"# 1\n{A}\n# 2\n{B}\n", lists, preset=preset)
    assert run.sentences("p")["status"].tolist() == ["ok", "ok"]
    assert run.sentences("p")["original"].tolist() == originals


def test_of_problems_in_lists_the_first_hundred_of_a_kind_are_kept(tmp_path: Path):
    bad = "".join(f"1\t{rank}\t-1\t{A})\n2\t{rank}\t-1\n" for rank in range(2, 122))
    told = oracle(tmp_path, GOLD, of_trees((1, 1, A)) + bad).problems()
    assert told["kind"].value_counts().to_dict() == {"nbest": 101, "unbalanced": 101}
    assert told["found"].tolist()[-2:] == ["20 more problems of this kind"] * 2


def test_gold_trees_in_any_format_have_lists(tmp_path: Path):
    """Sampson's brackets with lists in the same brackets; other formats with lists in round ones, or of heads."""
    lists = tmp_path / "lists.tsv"
    head = "sent_id\trank\tlogprob\ttree\n"

    def best(gold: str, suffix: str, trees: list[str]) -> list[float]:
        place = tmp_path / f"gold.{suffix}"
        place.write_text(gold)
        lists.write_text(head + "".join(f"1\t{rank}\t-{rank}\t{tree}\n" for rank, tree in enumerate(trees, start=1)))
        run = evaltools.oracle(place, {"p": lists}, preset="none")
        assert not len(run.problems())
        return [float(run.sentences(who)["f1"].iloc[0]) for who in ("p", "best of 2: p")]

    good = "[S [N1 two [N1 tax revision ] bills ] were passed ]"
    assert best(f"{good}\n", "sampson", ["[S [N1 two tax revision bills ] were passed ]", good]) == [
        pytest.approx(4 / 5),
        1.0,
    ]
    words = "the DT 500", "dog NN 500", "barks VBZ 501", "#500 NP 502", "#501 VP 502", "#502 S 0"
    rows = ("\t".join([*row.split()[:2], "--", "--", row.split()[2]]) for row in words)
    export = "\n".join(["#FORMAT 3", "#BOS 1", *rows, "#EOS 1", ""])
    assert best(export, "export", [FLAT, A])[1] == 1.0
    assert best("(S (NP (DT 0=the) (NN 1=dog)) (VP (VBZ 2=barks)))\n", "discbracket", [FLAT, A])[1] == 1.0
