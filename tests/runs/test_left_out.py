"""Which sentences a figure is over: a gold item that cannot be used counts nowhere, and all numbers agree on it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import evaltools
from evaltools import analysis
from evaltools.analysis.comparison import compare_in_run
from evaltools.outputs.comparison import comparison_report
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from evaltools.runs.scoring import crossframework
from evaltools.runs.subset import subset
from tests.commands import call

PAIRS = (("Owls", "hunt"), ("Bees", "hum"), ("Cats", "nap"), ("Dogs", "bark"))


def bracketed(subject: str, verb: str, number: int) -> str:
    return f"(S (NP-SBJ (N {subject})) (VP-PRD (V {verb})))\n"


def conllu(subject: str, verb: str, number: int) -> str:
    rows = (f"1\t{subject}\t_\tN\t_\t_\t2\tsbj\t_\t_", f"2\t{verb}\t_\tV\t_\t_\t0\troot\t_\t_")
    return "\n".join((f"# sent_id = {number}", *rows)) + "\n\n"


def amr(subject: str, verb: str, number: int) -> str:
    return f"# ::id {number}\n(v / {verb}-01 :ARG0 (s / {subject.lower()}))\n\n"


def eds(subject: str, verb: str, number: int) -> str:
    return f"{{e: e:_{verb}_v_1<5:9>[ARG1 x] x:_{subject.lower()}_n_1<0:4>[]}}\n"


def mrs(subject: str, verb: str, number: int) -> str:
    nodes = f"[ _{subject.lower()}_n_1<0:4> LBL: h4 ARG0: x3 ] [ _{verb}_v_1<5:9> LBL: h1 ARG0: e2 ARG1: x3 ]"
    return f"[ TOP: h0 INDEX: e2 RELS: < {nodes} > HCONS: < h0 qeq h1 > ]\n"


def sdp(subject: str, verb: str, number: int) -> str:
    head = "#SDP 2015\n" if number == 1 else ""
    rows = (f"1\t{subject}\t_\tN\t-\t-\t_\tARG1", f"2\t{verb}\t_\tV\t+\t+\tv:e\t_")
    return f"{head}#2200{number}\n" + "\n".join(rows) + "\n\n"


def export(subject: str, verb: str, number: int) -> str:
    rows = (f"{subject}\tN\t--\tSB\t500", f"{verb}\tV\t--\tHD\t500", "#500\tS\t--\t--\t0")
    return f"#BOS {number}\n" + "\n".join(rows) + f"\n#EOS {number}\n"


@dataclass(frozen=True)
class Case:
    write: Callable[[str, str, int], str]
    break_: tuple[str, str]  # What is replaced in the second gold item, and by what
    no_parse: str  # In place of the third item of the parser
    suffix: str
    with_functions: bool = False

    def files(self, folder: Path) -> tuple[Path, dict[str, Path]]:
        items = [self.write(*words, number) for number, words in enumerate(PAIRS, start=1)]
        gold = [items[0], items[1].replace(*self.break_), *items[2:]]
        assert gold != items
        texts = {"gold": gold, "p": [*items[:2], self.no_parse, items[3]], "q": items}
        for name, text in texts.items():
            (folder / f"{name}{self.suffix}").write_text("".join(text))
        gold_file, *files = (folder / f"{name}{self.suffix}" for name in texts)
        return gold_file, dict(zip("pq", files, strict=True))


CASES = {
    "brackets": Case(bracketed, ("hum)))", "hum))"), "()\n", ".ptb"),
    "no gold tree": Case(bracketed, (bracketed(*PAIRS[1], 2), "()\n"), "()\n", ".ptb"),
    "dependencies": Case(conllu, ("\t0\troot", "\t7\troot"), "", ".conllu"),
    "AMR": Case(amr, ("bees))", "bees)"), "", ".amr"),
    "EDS": Case(eds, ("]}", "]"), "\n", ".eds"),
    "MRS": Case(mrs, ("> ]", ">"), "\n", ".simplemrs"),
    "SDP": Case(sdp, ("\t_\tARG1", "\tARG1"), "", ".sdp"),
    "export": Case(export, ("SB\t500", "SB\t501"), "#BOS 3\n#EOS 3\n", ".export"),
    "functions of brackets": Case(bracketed, ("hum)))", "hum))"), "()\n", ".ptb", with_functions=True),
    "functions of dependencies": Case(conllu, ("\t0\troot", "\t7\troot"), "", ".conllu", with_functions=True),
}

N, PARSED, NO_PARSE = 3, 2, 1  # of the parser p: the second of four gold items cannot be used, the third has no parse


def scored(case: Case, folder: Path) -> evaltools.Run:
    gold, parsers = case.files(folder)
    if case.with_functions:
        return crossframework({"a": gold}, {name: ("a", file) for name, file in parsers.items()}, out=folder / "run")
    return evaltools.score(gold, parsers, out=folder / "run")


def in_text(text: str) -> set[tuple[int, int, int]]:
    head, table, *_ = text.split("\n\n")  # another table has the columns that have no room
    heads, *rows = table.splitlines()
    n = int(head.split("over all ")[1].split()[0])
    (row,) = (row for row in rows if row.startswith("p "))
    no_parse = int(row[: heads.index("no parse") + len("no parse")].split()[-1])
    return {(n, n - no_parse, no_parse)}


def entry_numbers(entry: dict[str, Any]) -> tuple[int, int, int]:
    assert entry["words_differ"] == 0
    return entry["scored"] + entry["missing"], entry["scored"], entry["missing"]


@pytest.mark.parametrize("name", CASES)
def test_all_numbers_agree(name: str, tmp_path: Path):
    case = CASES[name]
    run = scored(case, tmp_path)
    expected = (N, PARSED, NO_PARSE)
    main = [run.main_metric]

    assert entry_numbers(run.meta["parsers"][0]) == expected
    assert entry_numbers(run.meta["parsers"][1]) == (3, 3, 0)
    assert run.counts("p")["sentences"].tolist() == run.counts("q")["sentences"].tolist() == [1, 0, 1, 1]
    summary = run.summary().set_index(["parser", "metric"])
    assert tuple(summary.loc["p"][["n_pooled_all", "n_pooled"]].max()) == (N, PARSED)
    assert tuple(summary.loc[("p", main[0]), ["n_pooled_all", "n_pooled"]]) == (N, PARSED)
    board = analysis.leaderboard(run_sums(run), ["p"], main).iloc[0]
    assert (board["n_pooled_all"], board["n_pooled"], board["scored"]) == (N, PARSED, PARSED)

    text = REPORTS["text"](run, Selection())
    assert in_text(text) == {expected}
    assert "Gold sentences left out, because they cannot be used or nothing of them counts: 1 of 4." in text
    content = json.loads(REPORTS["json"](run, Selection("all")))["parsers"]["p"]
    assert (content["sentences"], content["scored"], content["missing"], content["words_differ"]) == (*expected, 0)
    figures = content["metrics"][main[0]]
    assert (figures["n_pooled_all"], figures["n_pooled"]) == (N, PARSED)
    rows = csv.DictReader(io.StringIO(REPORTS["csv"](run, Selection("all"))))
    row = next(row for row in rows if (row["parser"], row["metric"]) == ("p", main[0]))
    assert (row["n_pooled_all"], row["n_pooled"]) == (str(N), str(PARSED))

    found = compare_in_run(run, main[0], "p", "q", iterations=9)
    numbers = json.loads(comparison_report(run, found, 1, "json"))
    assert (numbers["n"], numbers["n_a"], numbers["n_b"]) == (N, N, N)
    part = subset(run, [1, 2, 3], tmp_path / "part")
    assert entry_numbers(part.meta["parsers"][0]) == (2, 1, 1)
    assert part.n_counted == 2

    problems = run.problems()
    of_gold = problems[problems["parser"].isna()]
    assert of_gold["sentence"].tolist() == [2]
    assert not problems["kind"].isin(["words_differ", "surplus"]).any()


def run_sums(run: evaltools.Run) -> Any:
    from evaltools.runs.sums import sum_sentences

    return sum_sentences(run, [run.main_metric])


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.with_functions])
def test_the_terminal_and_evaluate_state_the_same(name: str, tmp_path: Path):
    gold, parsers = CASES[name].files(tmp_path)
    folder = tmp_path / "run"
    assert call("score", gold, f"p={parsers['p']}", "-o", folder).returncode == 0
    assert in_text(call("report", folder).stdout) == {(N, PARSED, NO_PARSE)}
    figures = evaltools.evaluate(gold, parsers["p"])
    assert (figures["scored"], figures["missing"], figures["words_differ"]) == (PARSED, NO_PARSE, 0)
    main = evaltools.Run(folder).main_metric
    assert f"n_{main}" not in evaltools.evaluate(gold, parsers["p"], metrics=main)


GOLD = "(TOP (S (NP (A a)) (VP (B b))))\n" * 3 + "(TOP (C c))\n"
FEWER = GOLD  # of the last there is nothing to score
MORE = "(TOP (S (NP (A a)) (X (B b))))\n" * 3 + "(TOP (X (C c)))\n"
NONE = "(TOP (S (NP (A a)) (VP (B b))))\n(())\n" + "(TOP (A a) (B b))\n" + "(TOP (C c))\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    folder = tmp_path_factory.mktemp("coverage")
    texts = {"gold": GOLD, "fewer": FEWER, "more": MORE, "none": NONE}
    for name, text in texts.items():
        (folder / f"{name}.ptb").write_text(text)
    parsers = {name: folder / f"{name}.ptb" for name in ("fewer", "more", "none")}
    return evaltools.score(folder / "gold.ptb", parsers, out=folder / "run")


def figure(run: evaltools.Run, parser: str, metric: str, name: str) -> float:
    return float(run.summary().set_index(["parser", "metric"]).loc[(parser, metric), name])


def test_compare_says_how_many_sentences_each_parser_has(run: evaltools.Run):
    found = compare_in_run(run, "f1", "fewer", "none", over="scored", iterations=99)
    text = " ".join(comparison_report(run, found, 1, "text").split())
    assert "fewer has 4 sentences." in text
    assert "99 iterations; interval of the difference by 99 paired resamples" in text
    assert "The difference is not significant" in text
    content = json.loads(comparison_report(run, found, 1, "json"))
    assert (content["n"], content["n_a"], content["n_b"]) == (3, 4, 3)
    assert (content["iterations"], content["resamples"], content["significant"]) == (99, 99, False)


def test_over_all_sentences_precision_of_no_parse_and_of_a_parse_without_brackets_is_0(run: evaltools.Run):
    # right, no parse, no bracket; the last sentence has none in the gold tree either
    assert figure(run, "none", "precision", "mean") == 1
    assert figure(run, "none", "precision", "mean_all") == pytest.approx(1 / 3)
    assert figure(run, "none", "precision", "n_mean_all") == 3


def test_a_missing_parse_is_not_counted_as_one_without_crossing_brackets(run: evaltools.Run):
    assert figure(run, "none", "crossing", "n_mean_all") == 3
