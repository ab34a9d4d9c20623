"""``ranks``, ``disagree --matrix`` and ``hotspots``: what the pages show, from the same functions."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

import evaltools
from evaltools.cli.options import row_limit
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.hotspots import ask
from evaltools.outputs.ranks import ranks_of
from tests.commands import call, check_refused, json_of, rows_of

GOLD = (
    "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses))))))",
    "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))",
    "(S (NP (PRP she)) (VP (VBD saw) (NP (PRP him))))",
    "(S (VP (VB go) (ADVP (RB home))))",
)
ATTACHED = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses)))))"
# by summed brackets `many` is worse, by the mean over sentences `few` is
MANY = (ATTACHED.replace("VP", "X").replace("PP", "Y"), *GOLD[1:])
FEW = (GOLD[0], GOLD[1], "(S (NP (PRP she)) (VP (VBD saw)) (NP (PRP him)))", "(X (Y (VB go) (RB home)))")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exploring")
    files = {"gold": GOLD, "many": MANY, "few": FEW}
    for name, trees in files.items():
        (folder / f"{name}.ptb").write_text("".join(f"{tree}\n" for tree in trees))
    (folder / "meta.tsv").write_text("sentence\tgenre\n1\tnews\n2\tnews\n3\tblog\n4\tblog\n")
    parsers = {name: folder / f"{name}.ptb" for name in ("many", "few")}
    evaltools.score(folder / "gold.ptb", parsers, metadata=folder / "meta.tsv", out=folder / "run")
    return folder / "run"


@pytest.mark.slow
def test_two_metrics_are_compared_for_every_parser(run: Path):
    rows = rows_of("disagree", run, "f1", "ted", "--every-parser")
    assert len(rows) > 1
    for row in rows:
        single = json_of("disagree", run, "f1", "ted", "--parser", row["parser"])
        assert (int(row["n"]), row["reason"] or None) == (single["n"], single["reason"])
        assert (row["kendall_distance"], row["tau_b"]) == tuple(
            "" if single[name] is None else repr(single[name]) for name in ("kendall_distance", "tau_b")
        )
    printed = call("disagree", run, "exact", "f1", "--every-parser").stdout
    assert "–: most pairs of sentences have equal scores by Exact match" in printed


def test_the_matrix_has_the_distance_of_every_two_metrics_of_every_parser(run: Path):
    rows = json_of("disagree", run, "--matrix")["distances"]
    assert {row["parser"] for row in rows} == {"many", "few"}
    pair = next(row for row in rows if (row["parser"], row["a"], row["b"]) == ("few", "f1", "ted"))
    alone = json_of("disagree", run, "f1", "ted", "--parser", "few")
    assert pair["kendall_distance"] == alone["kendall_distance"]
    printed = call("disagree", run, "--matrix", "--parser", "few").stdout
    assert "few, over" in printed
    assert "many" not in printed.split("evaltools:")[0]


@pytest.mark.slow
@pytest.mark.parametrize("other", ["", "few"])
def test_every_view_of_hotspots_is_printed_as_the_page_has_it(run: Path, other: str):
    opened = evaltools.Run(run)
    for name, question in opened.framework.questions().hotspots.items():
        options = ("--compare-with", other) if other else ()
        found = json_of("hotspots", run, "many", "--view", name, *options)
        asked = ask(opened, question, "many", other)
        rows = asked.rows
        assert found["headline"] == asked.headline
        assert len(found["rows"]) == len(rows)
        assert [row.get(asked.keys[0]) for row in found["rows"]] == rows[asked.keys[0]].tolist()
        printed = call("hotspots", run, "many", "--view", name, *options)
        assert printed.returncode == 0, printed.stderr
        assert question.title in printed.stdout
        assert len(rows_of("hotspots", run, "many", "--view", name, *options)) == len(rows)


def test_hotspots_compare_two_parsers_over_the_sentences_that_both_have(tmp_path: Path):
    files = {"gold": GOLD, "many": (*MANY[:3], "(())"), "few": ("(())", *FEW[1:]), "none": ("(())",) * 4}
    for name, trees in files.items():  # nothing of the fifth sentence counts
        (tmp_path / name).write_text("".join(f"{tree}\n" for tree in (*trees, "(S (. .))")))
    run = evaltools.score(tmp_path / "gold", {name: tmp_path / name for name in list(files)[1:]}, out=tmp_path / "run")
    options = ("--view", "errors", "--compare-with", "few")
    found = json_of("hotspots", run.path, "many", *options)
    over = "2 of 4 sentences: those in which both parsers have a parse of gold’s tokens"
    assert (found["n"], found["over"]) == (2, over)
    # the wrong attachment of the first sentence and the wrong labels of the last do not count: one parser lacks them
    assert [(row["cost"], row["other"] > 0) for row in found["rows"]] == [(0, True)]
    assert f"many and few, over {over}" in call("hotspots", run.path, "many", *options).stdout
    alone = json_of("hotspots", run.path, "many", "--view", "errors")
    assert (alone["n"], alone["over"]) == (4, "4 sentences")
    nothing = "there is no sentence in which both parsers have a parse of gold’s tokens"
    check_refused(nothing, "hotspots", run.path, "many", "--compare-with", "none")


@pytest.mark.slow
def test_hotspots_of_a_group_count_its_sentences_only(run: Path):
    def brackets(*options: str) -> tuple[float, int]:
        found = json_of("hotspots", run, "few", "--view", "errors", *options)
        return float(np.sum([row["cost"] for row in found["rows"]])), found["n"]

    everything, news, blog = brackets(), brackets("--where", "genre=news"), brackets("--where", "genre=blog")
    assert (everything[1], news, blog[1]) == (4, (0.0, 2), 2)
    assert everything[0] == blog[0] > 0
    printed = call("hotspots", run, "few", "--view", "errors", "--where", "genre=blog").stdout
    assert "over 2 sentences with genre: blog" in printed


@pytest.mark.slow
def test_intervals_of_hotspots_are_over_documents(run: Path):
    opened = evaltools.Run(run)
    options = ("hotspots", run, "few", "--view", "rules", "--compare-with", "many")
    plain, over = (json_of(*options, *more) for more in ((), ("--cluster", "genre")))
    assert (plain["intervals_over"], over["intervals_over"]) == ("sentences", "2 genres")
    rows = ask(opened, opened.framework.questions().hotspots["rules"], "few", "many", cluster="genre").rows
    assert [row["interval"] for row in over["rows"]] == rows["interval"].tolist()
    assert [row["interval"] for row in plain["rows"]] != rows["interval"].tolist()
    assert "over 2 genres" in call(*options, "--cluster", "genre").stdout


@pytest.mark.parametrize(
    ("command", "in_full"),
    [
        ("hotspots", ("hotspots", "many", "--view", "constructions")),
        ("disagree", ("disagree", "f1", "ted", "--parser", "many")),
    ],
)
def test_the_first_parser_and_the_main_choices_are_the_defaults(run: Path, command: str, in_full: tuple[str, ...]):
    name, *given = in_full
    for kind in ("text", "json", "csv"):
        assert call(command, run, "--format", kind).stdout == call(name, run, *given, "--format", kind).stdout


@pytest.mark.parametrize(("command", "name"), [("hotspots", "rows"), ("disagree", "extremes"), ("ranks", "ranks")])
def test_rows_are_limited_in_every_format(run: Path, command: str, name: str):
    n = 2 if command == "ranks" else 1  # a variant has a row for each parser
    full = json_of(command, run)[name]
    assert json_of(command, run, "--limit", 1)[name] == full[:n]
    assert rows_of(command, run, "--limit", 1) == rows_of(command, run)[:n]
    assert len(call(command, run, "--limit", 1).stdout) < len(call(command, run).stdout)


def test_texts_have_15_rows_by_default():
    assert [row_limit(None, kind) for kind in ("text", "json", "csv")] == [15, None, None]
    assert [row_limit(40, kind) for kind in ("text", "json")] == [40, 40]


def test_a_limited_table_says_of_how_many_rows(run: Path):
    n = len(ranks_of(evaltools.Run(run), every=True).variants)
    assert f"The first 2 of {n} variants." in call("ranks", run, "--limit", 2).stdout.replace("\n", " ")
    assert "The first 1 of " in call("hotspots", run, "--limit", 1).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("hotspots nobody", "unknown parser 'nobody'"),
        ("hotspots few --compare-with nobody", "unknown parser 'nobody'"),
        ("hotspots few --view moods", "unknown view 'moods'"),
        ("hotspots few --option least", "an option is given as NAME=VALUE"),
        ("hotspots few --view words --option least=x", "least is a number from 1 to"),
        ("hotspots few --view words --option most=3", "unknown option of words 'most'"),
        ("hotspots few --view errors --option rules=x", "unknown rules 'x'"),
        ("hotspots few --where genre=verse", "unknown genre 'verse'"),
        ("hotspots few --cluster genre", "--cluster goes with --compare-with"),
        ("hotspots few --compare-with many --cluster town", "'town'"),
        ("ranks --format html", "unknown format 'html'"),
        ("disagree f1", "two metrics are needed, or --matrix; the run has "),
        ("disagree las uas", "unknown metric 'las'"),
        ("disagree f1 ted --matrix", "--matrix is of all headline metrics"),
        ("disagree --matrix --every-parser", "--every-parser cannot be combined with --matrix or --parser"),
        ("disagree --matrix --parser nobody", "unknown parser 'nobody'"),
        ("disagree -o scatter.gif", "unknown end of a file's name '.gif'; valid: .svg, .png, .pdf, .vl.json"),
        ("ranks --scores f1", "--scores is for a chart: give its file with -o FILE"),
        ("ranks --scores f1,errors -o figures.svg", "metrics of one unit are drawn together, not % and per sentence"),
    ],
)
def test_wrong_names_are_one_line(run: Path, arguments: str, message: str):
    command, *options = shlex.split(arguments)
    check_refused(message, command, run, *options)


def test_scatter_and_figures_of_parsers_are_files(run: Path, tmp_path: Path):
    for command in ("disagree", "ranks", "ranks --scores f1_pos,ted"):
        out = tmp_path / f"{command.replace(' ', '')}.vl.json"
        done = call(*shlex.split(command), run, "-o", out)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        check_refused("an existing file; expected --force to replace it", *shlex.split(command), run, "-o", out)
    scatter, figures = (
        json.loads((tmp_path / f"{name}.vl.json").read_text("utf-8"))
        for name in ("disagree", "ranks--scoresf1_pos,ted")
    )
    assert "Bracketing F1 and Tree-edit similarity (Dice) of many, " in " ".join(scatter["title"]["text"])
    opened = evaltools.Run(run)
    expected = {
        (f"{short}, {average}", row["parser"]): METRICS[name].text(row[f"{figure}_all"])
        for name, short in (("f1_pos", "F1 + POS"), ("ted", "Tree edit"))
        for average, figure in (("micro", "pooled"), ("macro", "mean"))
        for row in opened.figures()
        if row["metric"] == name
    }
    (rows,) = (rows for rows in figures["datasets"].values() if "label" not in rows[0])
    assert {(row["line"], row["parser"]): row["text"] for row in rows} == expected
    begin = call("ranks", run, "-o", tmp_path / "ranks.svg")
    assert begin.returncode == 0
    assert (tmp_path / "ranks.svg").read_text("utf-8").startswith("<svg")
