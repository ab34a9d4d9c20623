"""The cross-experiment table against single figures: of the run, of runs of their own, and of sentences one by one."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
from itertools import combinations
from pathlib import Path

import pytest

import evaltools
from evaltools import Run, RunError, read_label_map, tedeval_protocol
from evaltools.analysis import experiments as module
from evaltools.analysis.experiments import Experiments, are_kept, experiments
from evaltools.analysis.significance import SIGNIFICANT
from evaltools.analysis.standing import standings
from evaltools.errors import ParameterError
from evaltools.frameworks.crossframework.stored import sentence_trees, settings
from evaltools.outputs.experiments import experiments_report
from evaltools.runs.subset import subset
from evaltools.runs.sums import sum_sentences
from tests.commands import call, json_of, rows_of

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
DEPENDENCIES = SAMPLE / "dependencies"
N = 40
GOLDS = {
    "phrases": SAMPLE / "gold-functions.ptb",
    "lexical": DEPENDENCIES / "lexical.conllu",
    "functional": DEPENDENCIES / "functional.conllu",
}
PARSERS = {
    "pcfg": ("phrases", SAMPLE / "parsers" / "pcfg-parent.ptb"),
    "tl": ("lexical", DEPENDENCIES / "transition-lexical.conllu"),
    "tf": ("functional", DEPENDENCIES / "transition-functional.conllu"),
}
LABELS = DEPENDENCIES / "labels.tsv"
TEDEVAL = [f"tedeval{year}_{labels}" for year in ("", "2011") for labels in ("unlabeled", "labeled")]


def cut(path: Path, folder: Path) -> Path:
    between = "\n\n" if path.suffix == ".conllu" else "\n"
    sentences = path.read_text("utf-8").split(between)[:N]
    copy = folder / path.name
    copy.write_text(between.join(sentences) + between, "utf-8")
    return copy


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Path], dict[str, tuple[str, Path]]]:
    folder = tmp_path_factory.mktemp("files")
    golds = {theory: cut(path, folder) for theory, path in GOLDS.items()}
    return golds, {name: (theory, cut(path, folder)) for name, (theory, path) in PARSERS.items()}


@pytest.fixture(scope="module")
def run(files: tuple[dict[str, Path], dict[str, tuple[str, Path]]]) -> Run:
    return evaltools.crossframework(*files, label_map=read_label_map(LABELS), tl_unify=[("functional", "lexical")])


@pytest.fixture(scope="module")
def table(run: Run) -> Experiments:
    return experiments(run)


def test_settings_are_golds_pairs_and_all():
    theories = {"p": "a", "q": "b", "r": "c"}
    assert settings(["a", "b", "c"], theories)[3:] == [
        (("a", "b"), ["p", "q"]),
        (("a", "c"), ["p", "r"]),
        (("b", "c"), ["q", "r"]),
        (("a", "b", "c"), ["p", "q", "r"]),
    ]
    assert settings(["a"], {"p": "a"}) == [(("a",), ["p"])]


def test_every_parser_has_a_row_in_every_setting(table: Experiments):
    rows = [(row.golds, row.parser) for row in table.rows]
    singles = [((theory,), parser) for theory in GOLDS for parser in PARSERS]
    pairs = [(pair, name) for pair in combinations(GOLDS, 2) for name, (theory, _) in PARSERS.items() if theory in pair]
    assert rows == [*singles, *pairs, *((tuple(GOLDS), parser) for parser in PARSERS)]
    assert table.columns == ("f1", "uas", "las", *TEDEVAL)
    assert all(tuple(row.figures) == table.columns for row in table.rows)


def test_figures_of_the_own_gold_and_of_all_are_those_of_the_run(run: Run, table: Experiments):
    expected = run.summary().set_index(["parser", "metric"])
    found = {(row.golds, row.parser): row.figures for row in table.rows}
    for name, (theory, _) in PARSERS.items():
        for labels in ("unlabeled", "labeled"):
            for golds, metric in (
                ((theory,), f"tedeval_single_{labels}"),
                (tuple(GOLDS), f"tedeval_multiple_{labels}"),
                (tuple(GOLDS), f"tedeval2011_{labels}"),
            ):
                item = found[golds, name][metric.replace("single_", "").replace("multiple_", "")]
                row = expected.loc[name, metric]
                assert item.value == pytest.approx(row["pooled"], nan_ok=True)
                assert item.value_all == pytest.approx(row["pooled_all"], nan_ok=True)
                assert (item.n, item.n_all) == (row["n_pooled"], row["n_pooled_all"])


@pytest.mark.slow
@pytest.mark.parametrize("labeled", [False, True])
def test_figures_are_those_of_sentences_one_by_one(run: Run, table: Experiments, labeled: bool):
    column = TEDEVAL[labeled]
    trees = {name: [sentence_trees(run, number, name) for number in range(1, run.n_sentences + 1)] for name in PARSERS}
    for row in table.rows:
        errors = sizes = n = 0
        own = row.golds.index(row.theory) if row.theory in row.golds else 0
        for sentence in trees[row.parser]:
            if not sentence.parse.n_words[0]:
                continue
            golds = [sentence.golds[theory].tree(0) for theory in row.golds]
            protocol = tedeval_protocol(sentence.parse.tree(0), golds, own, labeled=labeled)
            errors += protocol.delta
            sizes += protocol.n_parse + protocol.n_generalized
            n += 1
        item = row.figures[column]
        if labeled and row.parser == "pcfg":
            assert item.reason == "the trees of pcfg have no functions"
            assert math.isnan(item.value)
            assert not item.n
        else:
            assert item.value == pytest.approx(1 - errors / sizes)
            assert item.n == n


def test_attachment_scores_and_parseval_are_those_of_score(
    files: tuple[dict[str, Path], dict[str, tuple[str, Path]]], table: Experiments
):
    golds, parsers = files
    for row in table.rows:
        native = {"f1": row.golds == ("phrases",) and row.theory == "phrases"}
        native |= dict.fromkeys(("uas", "las"), len(row.golds) == 1 and "phrases" not in (*row.golds, row.theory))
        for column, is_defined in native.items():
            item = row.figures[column]
            if not is_defined:
                assert math.isnan(item.value)
                assert "against one gold treebank of" in item.reason
                continue
            label_map = read_label_map(LABELS) if column != "f1" else None
            alone = evaltools.score(golds[row.golds[0]], {"p": parsers[row.parser][1]}, label_map=label_map)
            expected = alone.summary().set_index("metric").loc[column]
            assert item.value == expected["pooled"]
            assert item.n == expected["n_pooled"]


def test_a_gold_without_functions_has_no_labeled_figures_for_others(tmp_path: Path):
    bare = tmp_path / "bare.ptb"
    bare.write_text("(S (NP (N it)) (V rains))\n")
    dependencies = tmp_path / "d.conllu"
    dependencies.write_text("1\tit\t_\t_\t_\t_\t2\tsbj\t_\t_\n2\trains\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    run = evaltools.crossframework(
        {"bare": bare, "dep": dependencies}, {"dep": ("dep", dependencies), "ps": ("bare", bare)}
    )
    rows = {(row.golds, row.parser): row.figures for row in experiments(run).rows}
    assert rows[("bare",), "dep"]["tedeval_labeled"].reason == "the gold trees of bare have no functions"
    assert rows[("dep",), "dep"]["tedeval_labeled"].value == 1
    assert experiments(run).title(("bare", "dep")) == "bare+dep"


@pytest.mark.parametrize("name", ["export", "tigerxml", "discbracket"])
def test_trees_of_every_format_are_read_again(name: str):
    file = SAMPLE / "formats" / f"discontinuous.{name}"
    run = evaltools.crossframework({"a": file, "b": file}, {"p": ("a", file)})
    assert run.protocol(1, "p").score == 1
    for row in experiments(run).rows:
        assert row.figures["tedeval_unlabeled"].value == 1
        assert row.figures["tedeval_unlabeled"].n == run.n_sentences
        if len(row.golds) == 1:
            assert row.figures["f1"].value == 1


def test_runs_of_one_framework_have_no_such_table(tmp_path: Path):
    gold = tmp_path / "gold.ptb"
    gold.write_text("(S (N a))\n")
    run = evaltools.score(gold, {"p": gold})
    with pytest.raises(RunError, match="several gold trees"):
        experiments(run)


# -------------------------------------------------------------------------------------------------------- significance


@pytest.fixture(scope="module")
def tested(files: tuple[dict[str, Path], dict[str, tuple[str, Path]]], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a run with two parsers of two theories, of which `bad` and `bad-tl` have few arcs and brackets right."""
    golds, parsers = files
    folder = tmp_path_factory.mktemp("tested")
    flat = folder / "flat.ptb"
    words = [evaltools.Tree.from_string(line).words for line in golds["phrases"].read_text("utf-8").splitlines()]
    flat.write_text("".join(f"(S {' '.join(f'(X {word})' for word in tree)})\n" for tree in words), "utf-8")
    chain = folder / "chain.conllu"
    lines = []
    for line in golds["lexical"].read_text("utf-8").split("\n"):
        cells = line.split("\t")
        if len(cells) == 10:  # each word depends on the one before it
            cells[6] = str(int(cells[0]) - 1)
        lines.append("\t".join(cells))
    chain.write_text("\n".join(lines), "utf-8")
    given = {"pcfg": parsers["pcfg"], "flat": ("phrases", flat), "tl": parsers["tl"], "chain": ("lexical", chain)}
    two = {theory: golds[theory] for theory in ("phrases", "lexical")}
    return evaltools.crossframework(two, given, out=folder / "tested.run")


def test_parsers_of_the_same_theories_are_tested_pair_by_pair(tested: Run):
    result = experiments(tested)
    best = {(item.golds, item.column): item.best for item in result.tests}
    assert best[("phrases",), "f1"] == "pcfg"
    assert best[("lexical",), "uas"] == best[("lexical",), "las"] == "tl"
    assert (("phrases",), "uas") not in best
    both = {item.column: item for item in result.tests if item.golds == ("phrases", "lexical")}
    assert len(both["tedeval_unlabeled"].pairs) == 6
    assert len(both["tedeval_labeled"].pairs) == 1  # trees of two parsers have no functions
    own = {item.column: item for item in result.tests if item.golds == ("lexical",)}
    assert {(pair.parser_a, pair.parser_b) for pair in own["tedeval_unlabeled"].pairs} == {("tl", "chain")}
    assert all(pair.n_sentences == N for pair in own["las"].pairs)


def test_an_experiment_is_tested_as_parsers_of_one_gold_treebank_are(
    files: tuple[dict[str, Path], dict[str, tuple[str, Path]]], tested: Run
):
    outputs = {entry["name"]: entry["path"] for entry in tested.meta["parsers"] if entry["theory"] == "lexical"}
    alone = evaltools.score(files[0]["lexical"], outputs, metrics="las")
    (expected,) = standings(sum_sentences(alone, ["las"]), ["tl", "chain"], ["las"], "pooled_all")["las"].comparisons
    items = experiments(tested).tests
    (pair,) = next(item.pairs for item in items if (item.golds, item.column) == (("lexical",), "las"))
    assert (pair.p, pair.low, pair.high) == (expected.p, expected.low, expected.high)
    assert pair.p_adjusted < SIGNIFICANT


def test_the_experiments_of_a_run_are_computed_once(tested: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    first = experiments(tested, keep=True)
    assert are_kept(tested)
    monkeypatch.setattr(module, "_computed", lambda *_: pytest.fail("computed again"))
    again = Run(tested.path)
    assert experiments_report(again, experiments(again), "json") == experiments_report(tested, first, "json")
    file = tested.path / "experiments.msgpack"
    kept = file.read_bytes()
    for damaged in (b"", kept[:-9], b"\xff" * 40):
        file.write_bytes(damaged)
        assert not are_kept(tested)
    file.write_bytes(kept)
    part = subset(tested, [1, 2], tmp_path / "part.run")
    shutil.copy(file, part.path)  # of other sentences
    assert not are_kept(part)


def test_marks_stand_in_text_csv_json_and_latex(tested: Run):
    result = experiments(tested)
    las = next(row for row in result.rows if row.golds == ("lexical",) and row.parser == "tl").figures["las"]
    figure = f"{100 * las.value_all:.2f}"
    text = experiments_report(tested, result, "text")
    assert f" {figure}* " in text
    assert "*: significantly better than every other parser of these theories: paired permutation test" in text
    assert rf"\textbf{{{figure}}}" in experiments_report(tested, result, "latex")
    table = experiments_report(tested, result, "csv")
    best = [
        row["metric"] for row in csv.DictReader(io.StringIO(table)) if row["parser"] == "tl" and row["best"] == "True"
    ]
    assert "las" in best
    content = json.loads(experiments_report(tested, result, "json"))
    pairs = [pair for pair in content["comparisons"] if pair["metric"] == "las"]
    assert [(pair["golds"], pair["parser_a"], pair["parser_b"]) for pair in pairs] == [(["lexical"], "tl", "chain")]
    assert pairs[0]["significant"]


# ------------------------------------------------------------------------------------------------------ edit operations


@pytest.mark.parametrize("labeled", [False, True])
def test_edit_operations_of_2011_are_those_that_the_run_counts(tested: Run, labeled: bool):
    unit = "labeled" if labeled else "unlabeled"
    counts = tested.sentences("tl").set_index("sentence")
    is_defined = counts["tedeval2011_labeled"].notna()
    (refused, *_), defined = counts.index[~is_defined], counts.index[is_defined]
    with pytest.raises(ParameterError, match="two functions over the same words"):
        sentence_trees(tested, refused, "tl").protocol(labeled=labeled, measure="2011")
    assert len(defined) > 20
    for number in defined[:15]:
        result = sentence_trees(tested, number, "tl").protocol(labeled=labeled, measure="2011")
        row = counts.loc[number]
        figures = [row[f"tedeval2011_{name}_{unit}"] for name in ("error", "parse", "generalized")]
        assert [result.delta, result.n_parse, result.n_generalized] == figures


def test_the_command_prints_the_edit_operations(tested: Run, tmp_path: Path):
    path, counts = str(tested.path), tested.sentences("tl")
    defined = int(counts.loc[counts["tedeval2011_labeled"].notna(), "sentence"].iloc[0])
    rows = rows_of("edits", path, "tl", "--sentence", defined)
    result = sentence_trees(tested, defined, "tl").protocol(measure="2011")
    assert [(row["operation"], row["function"]) for row in rows] == [(o.kind, o.label) for o in result.operations]
    assert [row["counts"] for row in rows] == [str(not item.discarded) for item in result.operations]
    text = call("edits", path, "tl", "--sentence", defined).stdout
    assert f"{result.delta} of {len(rows)} operations count" in text
    assert max(map(len, text.splitlines()[:-2])) <= 100
    content = json_of("edits", path, "tl", "--sentence", defined, "--measure", "2012")
    protocol = sentence_trees(tested, defined, "tl").protocol()
    assert content["sentences"][0]["delta"] == protocol.delta
    assert len(content["sentences"][0]["operations"]) == len(protocol.operations)
    missing = next(row.sentence for row in tested.sentences("pcfg").itertuples() if row.status == "missing")
    assert "no score: no parse of this sentence" in call("edits", path, "pcfg", "--sentence", missing).stdout
    (tmp_path / "gold").write_text("(S (N a))\n")
    other = evaltools.score(tmp_path / "gold", {"p": tmp_path / "gold"}, out=tmp_path / "other.run")
    refused = call("edits", other.path)
    assert refused.returncode == 2
    assert refused.stderr.endswith("only runs across frameworks have edit operations\n")
    assert call("edits", path, "tl", "--measure", "2013").stderr == (
        "evaltools: unknown measure '2013'; valid: 2011, 2012\n"
    )
