"""TedEval of 2011 and trees that are not projective: made projective and counted, or undefined and said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools.corpus import Dependencies, DependencyTree
from evaltools.frameworks.crossframework.function_columns import FunctionVocabulary, dependency_functions, projectivize
from evaltools.frameworks.crossframework.tedeval import TedEval2011
from evaltools.runs.subset import subset
from tests.commands import call
from tests.slow.functions import dependency_trees
from tests.slow.projectivization import lifted

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
METRICS = ("tedeval2011_unlabeled", "tedeval2011_labeled")
Rows = tuple[tuple[str, int, str], ...]

PLAIN: Rows = (("a", 2, "x"), ("b", 0, "root"), ("c", 2, "y"), ("d", 3, "z"))
# d below a crosses the root; lifted to b, its head's head, it is where FLAT has it
CROSSED: Rows = (("a", 2, "x"), ("b", 0, "root"), ("c", 2, "y"), ("d", 1, "z"))
FLAT: Rows = (("a", 2, "x"), ("b", 0, "root"), ("c", 2, "y"), ("d", 2, "z"))


def write(path: Path, *sentences: Rows) -> Path:
    lines = []
    for rows in sentences:
        lines += [f"{n}\t{form}\t_\t_\t_\t_\t{head}\t{name}\t_\t_" for n, (form, head, name) in enumerate(rows, 1)]
        lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {
        "gold": write(tmp_path / "gold.conllu", PLAIN, CROSSED, PLAIN),
        "first": write(tmp_path / "first.conllu", PLAIN, FLAT, PLAIN),
        "second": write(tmp_path / "second.conllu", CROSSED, FLAT, FLAT),
    }


def scored(files: dict[str, Path], **options: bool) -> evaltools.Run:
    parsers = {name: ("UD", files[name]) for name in ("first", "second")}
    return evaltools.crossframework({"UD": files["gold"]}, parsers, **options)


def figure(run: evaltools.Run, parser: str, name: str, metric: str = METRICS[1]) -> float:
    return run.summary().set_index(["parser", "metric"]).loc[(parser, metric), name]


def test_trees_are_projectivized_counted_and_nothing_is_undefined(files: dict[str, Path]):
    run = scored(files)
    assert run.meta["projectivized"] == {"golds": {"UD": 1}, "parsers": {"first": 0, "second": 1}}
    assert run.problems().empty
    for metric in METRICS:
        assert [figure(run, parser, "n", metric) for parser in run.parsers] == [3, 3]
        assert run.sentences("first")[metric].tolist() == [1.0, 1.0, 1.0]  # the lifted gold tree is FLAT
        assert run.sentences("second")[metric].tolist()[1] == 1.0
        assert max(run.sentences("second")[metric].tolist()[::2]) < 1
    # the sets of 2012 keep what was lifted
    assert run.sentences("first")["tedeval_single_labeled"].tolist()[1] < 1
    assert "projectivize" not in run.signature
    assert evaltools.verify(run).equal


def test_without_projectivization_the_file_of_the_refused_tree_is_named(files: dict[str, Path]):
    run = scored(files, projectivize=False)
    rows = run.problems().astype(object).where(run.problems().notna(), None)
    assert rows[["kind", "file", "line", "parser"]].to_numpy().tolist() == [
        ["tedeval2011", str(files["gold"]), 6, None],
        ["tedeval2011", str(files["second"]), 1, "second"],
    ]
    assert set(rows["found"]) == {"1 tree that is not projective"}
    assert all("projectivization; TedEval 2011 is undefined" in text for text in rows["expected"])
    assert "|projectivize:no|" in run.signature
    assert run.meta["projectivized"] is None
    again = evaltools.verify(run)
    assert again.equal, str(again)


def test_over_all_sentences_a_refused_one_is_one_of_which_nothing_is_matched(files: dict[str, Path]):
    run = scored(files, projectivize=False)
    # PLAIN: x {a}, root (not counted), * {b}, y {c, d}, * {c}, z {d}: 5 nodes. CROSSED: x {a, d}, * {a}, z {d}, * {b},
    # y {c}: 5. FLAT: x {a}, * {b}, y {c}, z {d}: 4.
    assert run.sentences("first")[METRICS[1]].isna().tolist() == [False, True, False]
    assert figure(run, "first", "n") == 2
    assert figure(run, "first", "pooled") == 1
    assert figure(run, "first", "mean_all") == pytest.approx(2 / 3)
    assert figure(run, "first", "pooled_all") == pytest.approx(1 - (4 + 5) / (10 + 9 + 10))
    assert figure(run, "second", "n") == 1
    known = run.sentences("second")[METRICS[1]].tolist()[2]  # the script from FLAT to PLAIN: * {c} is added, y is wider
    assert known == pytest.approx(1 - 1 / 9)
    assert figure(run, "second", "mean_all") == pytest.approx(known / 3)
    assert figure(run, "second", "pooled_all") == pytest.approx(1 - (10 + 9 + 1) / (10 + 9 + 9))


def test_discontinuous_constituents_are_undefined_and_the_gold_file_is_named(tmp_path: Path):
    gold = tmp_path / "gold.discbracket"
    gold.write_text("(S-root (NP-sbj 0=a) (V-hd 1=b))\n(S-root (VP-prd (V-hd 0=a) (N-obj 2=c)) (N-sbj 1=b))\n", "utf-8")
    parse = write(
        tmp_path / "p.conllu", (("a", 2, "sbj"), ("b", 0, "root")), (("a", 0, "root"), ("b", 1, "sbj"), ("c", 1, "obj"))
    )
    run = evaltools.crossframework({"PS": gold, "UD": parse}, {"p": ("UD", parse)})
    assert run.sentences("p")[METRICS[1]].isna().tolist() == [False, True]
    (row,) = run.problems().astype(object).to_dict("records")
    assert (row["file"], row["line"]) == (str(gold), 2)
    assert "1 tree with discontinuous constituents" in row["found"]
    assert "TedEval 2011 is undefined" in row["expected"]
    assert run.sentences("p")["tedeval_multiple_labeled"].notna().all()


def test_other_segmentation_has_no_score_of_2011(tmp_path: Path):
    """It was in the figures over scored sentences with 0, though the metric does not score it."""
    gold = write(tmp_path / "gold.conllu", PLAIN, PLAIN)
    joined = write(tmp_path / "joined.conllu", PLAIN, (("ab", 0, "root"), ("c", 1, "y"), ("d", 2, "z")))
    run = evaltools.crossframework({"UD": gold}, {"p": ("UD", joined)})
    assert run.sentences("p")["tedeval_single_labeled"].notna().all()
    assert run.sentences("p")[METRICS[1]].isna().tolist() == [False, True]
    assert (figure(run, "p", "n"), figure(run, "p", "pooled")) == (1, 1.0)
    assert figure(run, "p", "mean_all") == 0.5


def test_a_part_of_a_run_counts_its_own_trees(files: dict[str, Path]):
    run = scored(files)
    part = subset(run, [1, 3])
    assert part.meta["projectivized"] == {"golds": {"UD": 0}, "parsers": {"first": 0, "second": 1}}
    assert part.meta["options"]["projectivize"] is True
    assert evaltools.verify(part).equal
    plain = subset(scored(files, projectivize=False), [2])
    assert plain.meta["projectivized"] is None
    assert evaltools.verify(plain).equal


@pytest.mark.slow
def test_the_command_says_how_many_trees_were_projectivized(files: dict[str, Path], tmp_path: Path):
    source = ("--gold", f"UD={files['gold']}", "--parser", f"second:UD={files['second']}")
    made = call("crossframework", *source, "-o", tmp_path / "a.run", "--strict")
    said = "Projectivized for TedEval 2011: 1 gold tree (UD), 1 tree of parser second."
    assert said in made.stderr
    assert said in call("report", tmp_path / "a.run").stdout
    figures = json.loads(call("report", tmp_path / "a.run", "--format", "json", "--all").stdout)
    assert figures["projectivized"] == {"golds": {"UD": 1}, "parsers": {"second": 1}}
    page = tmp_path / "a.html"
    assert call("html", tmp_path / "a.run", "-o", page).returncode == 0
    assert said in page.read_text("utf-8")
    made = call("crossframework", *source, "-o", tmp_path / "b.run", "--no-projectivize")
    assert "Not projectivized" in made.stderr
    assert f"{files['gold']}:6: 1 tree" in made.stderr
    assert "projectivize:no" in evaltools.Run(tmp_path / "b.run").signature


@given(st.lists(dependency_trees(3, most_words=7), min_size=1, max_size=3))
def test_figures_are_those_of_the_trees_lifted_one_arc_at_a_time(corpus: list[list[DependencyTree]]):
    def passed(sides: list[Dependencies], *, lifts: bool) -> TedEval2011:
        vocabulary = FunctionVocabulary()
        columns = [dependency_functions(side, vocabulary, None, lifts=lifts)[1] for side in sides]
        return TedEval2011(columns[0], columns[1:])

    sides = [[trees[place] for trees in corpus] for place in range(3)]
    slow = [
        Dependencies.from_trees([DependencyTree(one.forms, lifted(one.heads)[0], one.relations) for one in side])
        for side in sides
    ]
    fast = [Dependencies.from_trees(side) for side in sides]
    assert passed(fast, lifts=True).counts.tolist() == passed(slow, lifts=False).counts.tolist()
    assert not passed(slow, lifts=False).refused.any()
    for side, trees in zip(sides, fast, strict=True):
        assert projectivize(trees)[1].tolist() == [lifted(one.heads)[1] > 0 for one in side]
