"""``why``: every figure is that of a run with the same preset and options, and the steps of a ladder add up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

import evaltools
from evaltools.analysis.why import MAX_STEPS, Published, Why, explain_figure
from evaltools.errors import ParameterError
from evaltools.frameworks.conventions import Convention, Reading, Setting
from evaltools.frameworks.options import changed
from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from evaltools.runs.rescoring import Rescoring, rescoring_of
from evaltools.runs.subset import subset
from tests.slow.trees import perturbed, random_forest, text_of

N_SENTENCES = 24


@dataclass(frozen=True)
class Files:
    """A gold file and a parse, and what ``evaluate`` takes of them sentence by sentence."""

    gold: Path
    parse: Path
    golds: list[str]
    parses: list[str]


def _decorated(random: Random, text: str, *, inside: bool) -> str:
    """Put function tags, punctuation, particles, an empty element and a root label into a tree."""
    text = re.sub(r"\((NP|VP|S|X|Y|A|B)\b", lambda found: f"({found[1]}{random.choice(['', '', '-SBJ', '=2'])}", text)
    extra = random.choice(["(. .)", "(, ,) (. .)", "", "(PRT (RP up))", "(ADVP (RB up))"])
    trace = random.choice(["", "(NP-SBJ (-NONE- *T*-1))"])
    return f"(ROOT (S {trace} {text} {extra}))" if inside else f"(ROOT (S {trace} {text}) {extra})"


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Files:
    random, folder = Random(7), tmp_path_factory.mktemp("why")
    golds, parses = list[str](), list[str]()
    for number in range(N_SENTENCES):
        words = [random.choice("abcd") for _ in range(random.randint(1, 45 if number % 4 == 0 else 12))]
        tree = random_forest(random, words, bare=False, forest=False)
        state = random.getstate()
        golds.append(_decorated(random, text_of(tree), inside=True))
        random.setstate(state)
        parses.append(_decorated(random, text_of(perturbed(random, tree, random.randint(0, 4))), inside=number % 3 > 0))
    parses[3] = "(())"
    parses[5] = parses[5].replace(" a)", " other)", 1).replace(" b)", " other)", 1)
    for name, lines in (("gold", golds), ("parse", parses)):
        (folder / f"{name}.ptb").write_text("".join(f"{line}\n" for line in lines))
    return Files(folder / "gold.ptb", folder / "parse.ptb", golds, parses)


def evaluated(files: Files, setting: Setting) -> float | None:
    """Compute the figure of a setting by ``evaluate``, from the sentences that it is over."""
    rules = {"preset": setting.preset, **changed(setting.options)}
    pairs = list(zip(files.golds, files.parses, strict=True))
    reading = setting.reading
    if reading.max_length is not None or reading.same_words:
        counts = evaltools.score(files.golds, {"p": files.parses}, metrics="f1", **rules).counts()
        lengths = counts["evalb_length" if "evalb_length" in counts else "words"]
        is_short = [reading.max_length is None or length <= reading.max_length for length in lengths]
        is_same = [not reading.same_words or status == "ok" for status in counts["status"]]
        pairs = [pair for pair, *chosen in zip(pairs, is_short, is_same, strict=True) if all(chosen)]
    gold, parse = ([pair[side] for pair in pairs] for side in (0, 1))
    figures = evaltools.evaluate(gold, parse, metrics=[reading.metric.id], figure=reading.figure, **rules)
    return figures[reading.metric.id]


def applied(files: Rescoring, conventions: tuple[Convention, ...]) -> Setting:
    setting = Setting(files.preset, files.options, Reading(files.metric, files.preset.default_figure))
    for convention in conventions:
        setting = convention.change(setting)
    return setting


def explained(files: Files, published: str | None = None) -> tuple[Rescoring, Why]:
    rescoring = Rescoring(str(files.gold), str(files.parse), "p")
    return rescoring, explain_figure(rescoring, published)


def test_the_default_is_the_figure_of_evaluate(trees: Files):
    rescoring, why = explained(trees)
    assert why.value == pytest.approx(evaltools.evaluate(trees.gold, trees.parse)["f1"])
    assert why.setting == applied(rescoring, ())


def test_each_convention_gives_the_figure_of_a_run_with_its_options(trees: Files):
    rescoring, why = explained(trees)
    assert {step.convention.id for step in why.single} >= {
        *("preset-collins", "preset-new", "preset-none", "root", "functions", "punctuation", "empty"),
        *("multiword", "tags", "unlabeled", "parsed", "same-words", "max-40", "max-10", "macro", "prt"),
    }
    for step in why.single:
        setting = applied(rescoring, (step.convention,))
        assert step.value == pytest.approx(evaluated(trees, setting), abs=1e-12), step.convention.id
        assert step.difference == pytest.approx(step.value - why.value)
        assert step.n_touched > 0
    sizes = [abs(step.difference) for step in why.single]
    assert sizes == sorted(sizes, reverse=True)
    assert all(convention.change(why.setting) != why.setting for convention in why.idle)


def test_generated_choices_give_the_figures_of_runs_and_their_ladders_add_up(trees: Files):
    random = Random(43)
    rescoring, why = explained(trees)
    for _ in range(6):
        dimensions = sorted(random.sample(range(len(rescoring.conventions)), MAX_STEPS))
        chosen = tuple(random.choice(rescoring.conventions[at]) for at in dimensions)
        expected = evaluated(trees, applied(rescoring, chosen))
        if expected is None:
            continue
        text = f"{100 * expected:.9f}"
        rescoring, ladder = explained(trees, text)
        assert ladder.published is not None
        (best, *_) = ladder.matches
        if ladder.published.is_near(best.value):
            assert best.value == pytest.approx(evaluated(trees, applied(rescoring, best.conventions)), abs=1e-12)
        assert ladder.ladder or best.value == why.value
        before = why.value
        for step in ladder.ladder:
            assert step.before == before
            before = step.value
        assert before == best.value
        assert sum(step.difference for step in ladder.ladder) == pytest.approx(best.value - why.value, abs=1e-12)


def test_a_published_figure_is_found_by_the_simplest_conventions(trees: Files):
    figure = evaltools.evaluate(trees.gold, trees.parse, preset="collins")["f1"]
    assert figure is not None
    _, why = explained(trees, f"{100 * figure:.6f}")
    assert [item.id for item in why.matches[0].conventions] == ["preset-collins"]
    assert [step.convention.id for step in why.ladder][-1] == "preset-collins"
    assert len(why.ladder) > 1  # its parts come first
    assert {step.convention.id for step in why.ladder} <= {"same-words", "root", "preset-collins"}
    simplest = [set(match.conventions) for match in why.matches]
    assert not any(a < b for a in simplest for b in simplest)


def test_a_figure_that_no_convention_gives_has_a_nearest_one(trees: Files):
    _, why = explained(trees, "0.01")
    assert why.published is not None
    (nearest,) = why.matches
    assert not why.published.is_near(nearest.value)
    assert all(abs(nearest.value - 0.0001) <= abs(step.value - 0.0001) for step in why.single)


def test_sentences_that_a_step_touches_are_those_whose_counts_differ(trees: Files):
    _, why = explained(trees)
    step = next(step for step in why.single if step.convention.id == "functions")
    options = {"metrics": "f1", "preset": step.convention.change(why.setting).preset}
    sides = [evaltools.score(trees.golds, {"p": trees.parses}, **given) for given in (options, {"metrics": "f1"})]
    columns = ["e_gold_roof", "e_test_roof", "e_matched_roof"]
    differ = (sides[0].counts()[columns].to_numpy() != sides[1].counts()[columns].to_numpy()).any(axis=1)
    assert step.n_touched == differ.sum()
    lengths = sides[1].counts()["words"].to_numpy()
    assert step.example is not None
    assert differ[step.example - 1]
    assert lengths[step.example - 1] == lengths[differ].min()


def test_a_run_gives_the_same_figures_as_its_files_and_a_part_those_of_its_sentences(trees: Files, tmp_path: Path):
    run = evaltools.score(trees.gold, {"p": trees.parse}, out=tmp_path / "run", metrics="f1")
    assert explain_figure(rescoring_of(run, "p")).single == explained(trees)[1].single
    part = subset(run, [1, 5, 9, 10], tmp_path / "part")
    why = explain_figure(rescoring_of(part, "p"))
    assert why.value == pytest.approx(part.figures()[0]["pooled_all"])
    assert why.n == 4
    assert all(step.example is None or step.example <= 4 for step in why.single)


def test_a_run_whose_rules_are_not_the_default_begins_with_them(trees: Files, tmp_path: Path):
    options = {"preset": "collins", "multiword_only": True}
    run = evaltools.score(trees.gold, {"p": trees.parse}, out=tmp_path / "run", metrics="f1", **options)
    why = explain_figure(rescoring_of(run, "p"))
    assert why.value == pytest.approx(evaltools.evaluate(trees.gold, trees.parse, **options)["f1"])
    assert "preset-standard" in {step.convention.id for step in why.single}


def test_files_that_have_changed_are_refused(trees: Files, tmp_path: Path):
    copy = tmp_path / "gold.ptb"
    copy.write_text(trees.gold.read_text())
    run = evaltools.score(copy, {"p": trees.parse}, out=tmp_path / "run", metrics="f1")
    copy.write_text(f"{trees.gold.read_text()}\n")
    with pytest.raises(ParameterError, match="has changed since it was scored; give the gold file"):
        rescoring_of(run, "p")
    copy.unlink()
    with pytest.raises(ParameterError, match="no such file; give the gold file"):
        rescoring_of(run, "p")
    with pytest.raises(ParameterError, match="unknown parser 'q'"):
        rescoring_of(run, "q")


@pytest.mark.parametrize(
    ("text", "value", "tolerance"),
    [("95.98", 0.9598, 0.00005), ("96", 0.96, 0.005), ("0.9598", 0.9598, 0.00005), ("95.5 %", 0.955, 0.0005)],
)
def test_a_published_figure_is_rounded_as_it_is_printed(text: str, value: float, tolerance: float):
    published = Published.of(text, METRICS["f1"])
    assert (published.value, published.tolerance) == (pytest.approx(value), pytest.approx(tolerance))
    assert published.is_near(value + 0.99 * tolerance)
    assert not published.is_near(value + 1.01 * tolerance)


@pytest.mark.parametrize("text", ["", "x", "-1", "95,98", "9.5.1", "201", "nan"])
def test_a_published_figure_that_is_none_is_refused(text: str):
    with pytest.raises(ParameterError, match=r"a published figure is a number|is at most 100 %"):
        Published.of(text, METRICS["f1"])


def test_conventions_have_ids_of_their_own_and_parts_that_are_known():
    for framework in FRAMEWORKS.values():
        listed = [convention for dimension in framework.figures.conventions() for convention in dimension]
        ids = [convention.id for convention in listed]
        assert len(set(ids)) == len(ids)
        assert {part for convention in listed for part in convention.parts} <= set(ids)


def test_conventions_that_files_cannot_be_scored_by_are_left_out(tmp_path: Path):
    for name, text in (
        ("gold", "(S (VP (A 0=a) (C 2=c)) (X (B 1=b)))"),
        ("parse", "(S (VP (A 0=a)) (X (B 1=b) (C 2=c)))"),
    ):
        (tmp_path / name).write_text(f"{text}\n")
    why = explain_figure(Rescoring(str(tmp_path / "gold"), str(tmp_path / "parse"), "p"), "99")
    assert [convention.id for convention, _ in why.refused] == ["preset-collins", "preset-new"]
    assert all("discontinuous constituents" in reason for _, reason in why.refused)
    assert why.matches
    assert "tags" in {step.convention.id for step in why.single}


def test_brackets_of_unary_chains_and_of_whole_sentences(tmp_path: Path):
    sides = "(TOP (S (X (NP (D a) (N b)) (VP (V c)))))", "(TOP (S (NP (D a) (N b)) (VP (VP (V c)))))"
    for name, text in zip(("gold", "parse"), sides, strict=True):
        (tmp_path / name).write_text(f"{text}\n")
    why = explain_figure(Rescoring(str(tmp_path / "gold"), str(tmp_path / "parse"), "p"))
    values = {step.convention.id: step.value for step in why.single}
    assert why.value == pytest.approx(6 / 8)  # S X NP VP and S NP VP VP
    assert values["chain-top"] == pytest.approx(1)  # S NP VP of both
    assert values["inner"] == pytest.approx(4 / 5)  # NP VP and NP VP VP
    assert values["nontrivial"] == pytest.approx(1)  # NP of both
