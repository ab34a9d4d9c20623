"""The summary: which parser is better, by how much, is it sure, how many sentences have no parse."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from html import escape
from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len

from evaltools import Run, score
from evaltools.analysis.summary import metrics_in_disagreement, summarize_run
from evaltools.frameworks.registry import METRICS, metric_id
from evaltools.outputs.counts import count_rows, count_table
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.first_answer import as_json, as_text, first_answer
from evaltools.outputs.hotspots import hotspot_table
from evaltools.outputs.html_report import html_report, write_section
from evaltools.outputs.page import Page
from evaltools.outputs.sections import Report, classes, leaderboard
from evaltools.outputs.selection import Selection
from evaltools.outputs.summary import summary_for_paper, summary_latex
from tests.commands import call

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORKS = {
    "constituency": "score gold.ptb shift=parsers/shift-reduce.ptb pcfg=parsers/pcfg-parent.ptb",
    "as evalb": "score gold.ptb shift=parsers/shift-reduce.ptb pcfg=parsers/pcfg-parent.ptb --preset collins",
    "discontinuous": "score formats/discontinuous.export same=formats/discontinuous.discbracket",
    "dependency": "score dependencies/lexical.conllu a=dependencies/transition-lexical.conllu"
    " b=dependencies/spanning-tree-lexical.conllu",
    "eds": "score semantics/gold.eds grammar=semantics/grammar.mrp small=semantics/grammar-small.eds",
    "amr": "score amr/gold.amr parser=amr/parser.amr",
    "functions": "crossframework --gold lexical=dependencies/lexical.conllu"
    " --gold functional=dependencies/functional.conllu"
    " --parser a:lexical=dependencies/transition-lexical.conllu"
    " --parser b:functional=dependencies/transition-functional.conllu",
}
EXPECTED = {
    "constituency": """\
Bracketing F1, micro over all 295 sentences; preset standard; * surely best

          F1   Exact   Tree edit   Leaf-anc.   Errors/sent.   no parse  F1 ahead of next (95 %)
shift  85.38*  55.59*      92.40*      91.80*          1.95*         0  3.28 (1.00 to 5.54)  sure
pcfg   82.10   47.12       87.84       86.87           3.57         11

No parse counts as 0 (all wrong). Sure: p < 0.05 (paired permutation test), interval without 0
Wrong brackets of shift: 14 % VP attachment, 13 % coordination, 15 % unclassified, 58 % other
Next: evaltools app my.run, evaltools compare my.run shift pcfg, evaltools report my.run
      evaltools hotspots my.run shift, evaltools why my.run shift
""",
    "as evalb": """\
Bracketing F1, micro over parsed sentences only (of 295); preset collins; * surely best

          F1  Exact   Tree edit   Leaf-anc.  no parse  words differ  F1 ahead of next (95 %)
shift  86.61  55.78*      92.69*      93.22         0             1  1.97 (0.02 to 3.97)  not sure
pcfg   86.19  49.29       92.36       93.31        11             2
Sure: p < 0.05 (paired permutation test), interval without 0
No room for Errors/sent.: evaltools report my.run
Words differ from gold in 3 sentences, which are not scored
Ahead: over the sentences that both parsers have
Check: the root label counts as a bracket in shift and pcfg: 295 of 3,917
Next: evaltools app my.run, evaltools compare my.run shift pcfg, evaltools report my.run
      evaltools hotspots my.run shift, evaltools why my.run shift
""",
    "discontinuous": """\
Bracketing F1, micro over all 5 sentences; preset standard

          F1  F1, disc.   Exact  Tree edit  Leaf-anc.  Errors/sent.  no parse  95 % interval of F1
same  100.00     100.00  100.00     100.00     100.00          0.00         0  100.00 to 100.00

Next: evaltools app my.run
      evaltools report my.run
      evaltools hotspots my.run same
      evaltools why my.run same
""",
    "dependency": """\
LAS, micro over all 296 sentences; punctuation keep; subtypes drop; * surely best

     UAS    LAS   CLAS  Label accuracy  Leaf-anc.   no parse  LAS ahead of next (95 %)
a  85.39  81.83  75.91           88.64      88.86*         0  0.61 (−0.56 to 1.78)  not sure
b  84.69  81.22  76.19           88.68      87.54          0

Sure: p < 0.05 (paired permutation test), interval without 0
Wrong words of a by relation: 15 % punct, 9 % nsubj, 9 % obl, 66 % other
Left out: MLAS and BLEX; FEATS and LEMMA empty in gold or all parses
Next: evaltools app my.run, evaltools compare my.run a b, evaltools report my.run
      evaltools hotspots my.run a, evaltools why my.run a
""",
    "eds": """\
EDM (F1), micro over all 57 sentences; preset dridan-oepen-2011; spans exact; * surely best

           EDM   EDM_NA   EDM_N   EDM_A  EDM_P   Exact   no parse  EDM ahead of next (95 %)
grammar  98.18*   95.65*  95.42*  95.90  99.94*  47.37*         0  6.93 (1.16 to 16.96)  sure
small    91.25    87.52   83.90   91.42  93.84   21.05          2

No parse counts as 0 (all wrong). Sure: p < 0.05 (paired permutation test), interval without 0
Lost triples of grammar: 36 % ARG1, 8 % ARG2, 2 % _at_p, 54 % other
Next: evaltools app my.run, evaltools compare my.run grammar small, evaltools report my.run
      evaltools hotspots my.run grammar, evaltools why my.run grammar
""",
    "amr": """\
Smatch (F1), micro over all 8 sentences; rules smatch

        Smatch  Unlabeled  No senses  Concepts  Named ent.  no parse  95 % interval of Smatch
parser   73.94      81.21      76.36     84.06      100.00         1  54.08 to 85.88

No parse counts as 0 (all wrong)
Lost triples of parser: 30 % concept, 21 % re-entrancy, 19 % core role, 30 % other
Next: evaltools app my.run
      evaltools report my.run
      evaltools hotspots my.run parser
      evaltools why my.run parser
""",
    "functions": """\
TedEval, all golds, unlabeled, micro over all 296 sentences

   all golds, unlab.  all golds, lab.  own gold, unlab.  no parse  ahead of next (95 %)
b              95.66            89.67             94.73         0  0.18 (−0.32 to 0.69)  not sure
a              95.48            90.02             94.84         0

Sure: p < 0.05 (paired permutation test), interval without 0
Next: evaltools app my.run
      evaltools compare my.run b a
      evaltools report my.run
""",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    folder = tmp_path_factory.mktemp("summaries")
    made = {}
    for name, command in FRAMEWORKS.items():
        out = folder / name.replace(" ", "-")
        done = call(*shlex.split(command), "-o", out, cwd=ROOT / "sample_data")
        assert done.returncode == 0, done.stderr
        made[name] = Run(out)
    return made


@pytest.mark.parametrize("name", EXPECTED)
def test_first_answer_of_each_framework(runs: dict[str, Run], name: str):
    assert as_text(first_answer(runs[name]), "my.run") == EXPECTED[name]


def test_two_metrics_that_disagree_say_which_parser_is_better_by_which():
    files = {"a": "shift-reduce-running-text", "b": "sequence-labels"}
    parsers = {name: ROOT / f"sample_data/parsers/{file}.ptb" for name, file in files.items()}
    run = score(ROOT / "sample_data/gold.ptb", parsers)
    told = (
        "F1 and Errors disagree: a is better by F1 (83.94 against 79.13), b by Errors (2.74 against 7.14), both sure."
    )
    assert metrics_in_disagreement(summarize_run(run)) == told
    assert metrics_in_disagreement(summarize_run(run, ["f1", "ted"])) == ""


def test_parsers_with_the_same_trees_are_equal():
    gold = ["(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N cats)) (VP (V sleep)))"]
    test = ["(S (NP (N dogs)) (VP (V bark)))", None]
    run = score(gold, {"p": test, "q": test}, metrics="f1")
    assert [
        line.split() for line in as_text(first_answer(run), "my.run").splitlines() if line.startswith(("p ", "q "))
    ] == [
        ["p", "66.67", "1", "0.00", "equal"],
        ["q", "66.67", "1"],
    ]
    assert "dagger" not in REPORTS["latex"](run, Selection())


@pytest.mark.parametrize("width", [100, 80, 60, 50])
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_no_line_of_figures_is_too_wide(runs: dict[str, Run], name: str, width: int):
    lines = as_text(first_answer(runs[name]), "my.run", width).splitlines()
    assert len(lines) <= 12
    assert max(len(line) for line in lines if "evaltools" not in line) <= width
    assert "no parse" in lines[2] + lines[1]
    heads = lines[2] + lines[1] + "".join(line for line in lines if "No room for" in line)
    for metric in map(METRICS.__getitem__, runs[name].framework.figures.first):
        if metric.id in runs[name].headline_metrics and width >= 80:
            assert f" {metric.short.removesuffix('.')}" in heads


@pytest.mark.parametrize(("name", "view"), [("dependency", "words"), ("amr", "construction"), ("eds", "role")])
def test_costliest_errors_are_rows_of_hotspots(runs: dict[str, Run], name: str, view: str):
    run = runs[name]
    rows = {str(row["group"]): row["share"] for row in rows_of(run, view)}
    costliest = json.loads(as_json(first_answer(run)))["costliest_errors"]["types"]
    assert costliest[0] == {"type": next(iter(rows)), "share": pytest.approx(next(iter(rows.values())))}
    shares = [item["share"] for item in costliest]
    assert shares == sorted(shares, reverse=True)
    assert len(shares) == 3


def rows_of(run: Run, view: str) -> list[dict[str, object]]:
    parser = summarize_run(run).rows[0].parser
    return list(hotspot_table(run, parser, view, given=["least=1"]).rows.to_dict("records"))


def test_many_parsers_with_long_names_have_twelve_lines_of_a_hundred_columns(tmp_path: Path):
    gold = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n(S (NP (PRP she)) (VP (VBD saw) (NP (PRP him))))\n"
    (tmp_path / "gold.ptb").write_text(gold)
    wide = "\N{CJK UNIFIED IDEOGRAPH-6A39}" * 30
    files = [f"parser-{number}-{wide}=gold.ptb" for number in range(14)]
    done = call("gold.ptb", *files, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 12
    assert any(re.fullmatch(r"… and \d more", line) for line in lines)
    assert max(map(cell_len, (line for line in lines if "evaltools" not in line))) <= 100


def test_the_last_parser_comes_before_the_columns_that_have_no_room():
    gold = ["(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N cats)) (VP (V sleep)))"]
    for n_parsers, is_said in ((6, True), (7, False)):
        run = score(gold, {f"a-parser-with-a-long-name-{at}": [gold[0], None] for at in range(n_parsers)})
        lines = as_text(first_answer(run), "my.run", 80).splitlines()
        assert len(lines) <= 12
        assert sum(line.startswith("a-parser") for line in lines) == n_parsers
        assert any("No room for" in line for line in lines) == is_said


def test_without_a_command_files_are_scored_and_nothing_is_kept(tmp_path: Path):
    sample = ROOT / "sample_data"
    for command in ((), ("score",)):
        done = call(*command, sample / "gold.ptb", f"pcfg={sample / 'parsers/pcfg-parent.ptb'}", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("Bracketing F1, micro over all 295 sentences; preset standard\n")
        assert "\nNot kept; with -o my.run: evaltools app my.run\n" in done.stdout
    assert not list(tmp_path.iterdir())


def test_json_has_the_figures_of_the_summary_and_quiet_prints_nothing(runs: dict[str, Run], tmp_path: Path):
    command = [*shlex.split(FRAMEWORKS["constituency"]), "-o", tmp_path / "kept.run"]
    found = json.loads(call(*command, "--json", cwd=ROOT / "sample_data").stdout)
    summary = summarize_run(runs["constituency"])
    assert (found["metric"], found["figure"], found["sentences"]) == ("f1", "pooled_all", 295)
    for row, given in zip(summary.rows, found["parsers"], strict=True):
        assert (given["parser"], given["no_parse"]) == (row.parser, row.no_parse)
        assert {name: given["figures"][name]["value"] for name in summary.metrics} == {
            name: figure.value for name, figure in row.figures.items()
        }
    assert found["parsers"][0]["ahead"]["next"] == "pcfg"
    assert found["parsers"][0]["ahead"]["is_sure"]
    quiet = call(*command, "-q", "--force", cwd=ROOT / "sample_data")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_json_has_the_check_and_the_costliest_errors_of_the_text(runs: dict[str, Run], name: str):
    found, text = json.loads(as_json(first_answer(runs[name]))), EXPECTED[name]
    assert [f"Check: {item['text']}" for item in found["checks"][:1]] == re.findall("Check: .*", text)
    assert all(0 < item["n"] <= item["total"] and item["kind"] and item["parsers"] for item in found["checks"])
    costliest = found["costliest_errors"]
    for line in re.findall("(?m)^(Wrong|Lost) .*", text):
        by = " by relation" if name == "dependency" else ""
        start = f"{costliest['unit'].capitalize()} of {costliest['parser']}{by}: "
        first = costliest["types"][0]
        assert f"{start}{100 * first['share']:.0f} % {first['type']}" in text, line


def test_commands_of_the_summary_run(runs: dict[str, Run], tmp_path: Path):
    folder = tmp_path / "a run"
    done = call(*shlex.split(FRAMEWORKS["constituency"]), "-o", folder, cwd=ROOT / "sample_data")
    text = done.stdout[done.stdout.index("Next: ") + len("Next: ") :].replace("\n", ",")
    commands = [shlex.split(part)[1:] for part in text.split(",") if part.strip()]
    assert [command[0] for command in commands] == ["app", "compare", "report", "hotspots", "why"]
    for command in commands[1:]:
        assert call(*command).returncode == 0


def check_that_one_figure_is_shown_everywhere(run: Run) -> None:
    """Check every two neighbors of the table: first answer, report, compare, CSV and HTML with its first sentence."""
    summary = summarize_run(run)
    metric = METRICS[summary.metric]
    page = html_report(run, worst=0)
    assert f">{metric.text(summary.rows[0].figures[metric.id].value, sign=True)} {metric.title}: " in page
    figures = page.split(">Figures</h2>")[1].split("</table>")[0]
    printed = [as_text(first_answer(run), "my.run", width).splitlines() for width in (100, 80)]
    report = REPORTS["text"](run, Selection()).splitlines()
    assert max(map(len, report[: report.index("", 2)])) <= 100
    heads = " ".join(line for line in report if line.startswith("  "))
    assert all(METRICS[name].short in heads for name in summary.metrics)
    lines = summary_latex(run, summary_for_paper(run)).splitlines()
    latex = {line.split(" & ")[0]: re.sub(r"\\textbf{([^}]*)}", r"\1", line) for line in lines}
    rows = {row["parser"]: row for row in csv.DictReader(io.StringIO(REPORTS["csv"](run, Selection())))}
    for index, (row, following) in enumerate(pairwise(summary.rows)):
        assert row.lead is not None
        value, ahead = metric.text(row.figures[metric.id].value), metric.text(row.lead.difference)
        interval = f"{metric.text(row.lead.low)} to {metric.text(row.lead.high)}"
        for lines in (*printed, report):
            head = next(at for at, line in enumerate(lines) if "no parse" in line)
            line = lines[head + 1 + index]
            assert line.startswith(row.parser[:20])
            assert re.search(rf" {value}[* ].* {re.escape(f'{ahead} ({interval})')} ", line)
            assert line.endswith("not sure") != row.lead.is_sure
        assert metric.text(float(rows[row.parser][metric.id])) == value
        assert metric.text(float(rows[row.parser]["ahead_difference"])) == ahead
        assert all(f">{text}</td>" in figures for text in (row.parser, value, ahead, interval))
        mark = r"$^\dagger$" if row.lead.is_sure else ""
        assert f" & {value}{mark}" in latex[row.parser]
        said = call("compare", run.path, row.parser, following.parser).stdout.replace("\n", " ")
        if not summary.standing.over:  # else it compares the sentences that both have
            figure = metric.text(following.figures[metric.id].value)
            assert f"({value} and {figure})" in said
        assert f" {ahead} " in said
        assert f"95 % interval {interval}, " in said


@pytest.mark.parametrize("name", [name for name, command in FRAMEWORKS.items() if "export" not in command])
def test_headline_table_compare_and_html_show_one_figure(runs: dict[str, Run], name: str):
    check_that_one_figure_is_shown_everywhere(runs[name])


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_counts_are_those_of_the_figures_in_every_format(runs: dict[str, Run], name: str):
    run = runs[name]
    selection = Selection("counts")
    rows = json.loads(REPORTS["json"](run, selection))["counts"]
    assert rows
    table, _ = count_table(run, rows)
    figures = {(row["parser"], row["metric"]): row[run.default_figure] for row in run.figures()}
    for row in rows:
        if row["metric"] in ("f1", "edm", "smatch"):
            figure = figures[row["parser"], metric_id(row["metric"], run.metrics)]
            assert 2 * row["M"] / (row["G"] + row["T"]) == pytest.approx(figure)
    from_csv = list(csv.DictReader(io.StringIO(REPORTS["csv"](run, selection))))
    assert from_csv == [{key: "" if n is None else str(n) for key, n in row.items()} for row in rows]
    text, latex = (REPORTS[form](run, selection) for form in ("text", "latex"))
    page = Page("figures")
    write_section(page, "Figures", leaderboard(Report.of(run)))
    html = str(page).partition("Counts and costs")[2]
    assert re.split(r"  +", text.splitlines()[2].strip()) == table.heads
    lines = iter(text.splitlines()[4:])
    for row in table.cells:
        assert next(lines).split() == " ".join(cell for cell in row if cell).split()
        assert all(f">{escape(cell)}</td>" in html for cell in row)
    assert latex.count("\\\\\n") == len(rows) + 1


@pytest.mark.parametrize("name", ["eds", "amr"])
def test_classes_have_the_same_rows_and_names_in_every_format(runs: dict[str, Run], name: str):
    run, selection = runs[name], Selection("classes")
    rows = json.loads(REPORTS["json"](run, selection))["classes"]
    figures = {(row["parser"], row["metric"]): row[run.default_figure] for row in run.figures()}
    for row in rows:
        own = (figures[row["parser"], row["metric"] + end] for end in ("_precision", "_recall", ""))
        assert [row["precision"], row["recall"], row["f1"]] == list(own)
    assert [row["parser"] for row in rows[: len(run.parsers)]] == [row.parser for row in summarize_run(run).rows]
    from_csv = list(csv.DictReader(io.StringIO(REPORTS["csv"](run, selection))))
    assert from_csv == [{key: str(value) for key, value in row.items()} for row in rows]
    text, latex = (REPORTS[form](run, selection) for form in ("text", "latex"))
    page = Page("classes")
    write_section(page, "Classes", classes(Report.of(run)))
    cells = [line.split("  ") for line in text.splitlines()[4:] if "  " in line]
    printed = [[cell.strip() for cell in line if cell.strip()] for line in cells]
    heads = re.split(r"  +", text.splitlines()[2].strip())
    assert [head.lower() for head in heads] == list(rows[0])
    assert len(printed) == len(rows)
    for line in (heads, *printed):
        assert " & ".join(line) + " \\\\\n" in latex
        assert re.search(r"<t[hd][^>]*>".join(["", *(f"{re.escape(cell)}</t[hd]>" for cell in line)]), str(page))


def test_costs_are_those_of_the_mappings(runs: dict[str, Run]):
    rows = {name: count_rows(run, run.parsers) for name, run in runs.items()}
    for row in rows["constituency"]:
        if row["metric"] == "ted":
            assert row["cost_nodes"] == row["D"] + row["I"] + row["S"]
    run = runs["constituency"]
    errors = {row["parser"]: row["cost_repairs"] for row in rows["constituency"] if row["metric"] == "errors"}
    for row in summarize_run(run).rows:
        assert errors[row.parser] / 295 == pytest.approx(row.figures["errors"].value)
    for row in rows["functions"]:
        gen = row["|gen|"] if row["|gen|"] is not None else row["|gold|"]
        share = 1 - row["cost_operations"] / (row["|parse|"] + gen)
        figure = summarize_run(runs["functions"], [metric_id(row["metric"], runs["functions"].metrics)])
        (own,) = (item for item in figure.rows if item.parser == row["parser"])
        assert share == pytest.approx(next(iter(own.figures.values())).value)
    assert not any(key.startswith("cost") for name in ("dependency", "eds", "amr") for key in rows[name][0])
