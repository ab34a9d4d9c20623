"""Charts as Vega-Lite: what is drawn where, with names that look like something else."""

from __future__ import annotations

import functools
import json
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from evaltools import charts
from evaltools.analysis import (
    VARIANTS,
    crossings,
    describe_crossing,
    figures_by_variant,
    leaderboard,
    rank_parsers,
    score_by_length,
    score_histogram,
)
from evaltools.charts.bump import bump_data, crossing_points
from evaltools.charts.disagreement import MAX_POINTS, disagreement_chart
from evaltools.charts.intervals import figures_chart
from evaltools.charts.lines import oracle_chart
from evaltools.charts.theme import spread
from evaltools.drawing.palette import COLORS, DARK_COLORS, THEMES
from evaltools.frameworks.registry import METRICS as METRICS_BY_ID
from tests.analysis.made import table
from tests.analysis.summed import by_length_of, steps_of, sums_of
from tests.charts.sight import SIGHTS, distance, lab, luminance

HOSTILE = ("a.b[0]", "$x$ <b>bold</b>", "`q` \\ \"quoted\" 'single'", "datum.rank | 1", "名前", "")
METRICS = ["f1", "f1_pos", "ted", "la_exact", "crossing"]


def specification(chart):
    """Return the chart as Vega-Lite; altair checks it against its schema."""
    return chart.to_dict()


def figures_of(board, metric):
    """Return the micro figures of a metric."""
    names = {"pooled": "value", "pooled_low": "low", "pooled_high": "high", "n_pooled": "n"}
    return board.loc[board["metric"] == metric, ["parser", *names]].rename(columns=names)


@functools.cache
def all_charts(parsers):
    frame = table(parsers, n=40)
    board = leaderboard(sums_of(frame, METRICS), parsers, METRICS, resamples=20)
    figures, variants = figures_by_variant(board)
    found = crossings(figures)
    texts = [describe_crossing(one, variants) for one in found]
    metric = "f1"
    means = dict(zip(parsers, board[board["metric"] == metric]["mean"], strict=True))
    drawn = {
        "bump": charts.bump_chart(figures, rank_parsers(figures), variants, found, texts),
        "intervals": charts.intervals_chart(figures_of(board, metric), metric, parsers=parsers),
        "distribution": charts.distribution_chart(
            score_histogram(steps_of(frame, metric), parsers, metric),
            metric,
            parsers=parsers,
            means=means,
            undefined={},
            order=parsers,
        ),
        "crossing": charts.distribution_chart(
            score_histogram(steps_of(frame, "crossing"), parsers, "crossing"),
            "crossing",
            parsers=parsers,
            means=means,
            undefined={},
            order=parsers,
        ),
        "length": charts.length_chart(
            score_by_length(*by_length_of(frame, metric), parsers, metric, resamples=20), metric, parsers=parsers
        ),
    }
    rows = pd.DataFrame(
        {"line": ["F1, micro"] * len(parsers), "parser": parsers, "value": 0.5, "low": 0.4, "high": 0.6, "n": 40}
    )
    drawn["figures"] = figures_chart(rows, parsers, METRICS_BY_ID[metric])
    return {name: specification(chart) for name, chart in drawn.items()}


NAMES = ("bump", "intervals", "distribution", "crossing", "length", "figures")


@pytest.mark.parametrize("parsers", [("one",), ("a", "b"), HOSTILE, tuple(f"parser {at}" for at in range(10))], ids=len)
@pytest.mark.parametrize("name", NAMES)
def test_every_chart_is_valid_transparent_and_of_no_fetched_data(name, parsers):
    spec = all_charts(parsers)[name]
    assert spec["background"] == "transparent"
    assert spec["width"] == "container"
    without_schema = json.dumps({key: value for key, value in spec.items() if key != "$schema"})
    assert "http" not in without_schema
    assert '"url"' not in without_schema
    assert "black" not in without_schema
    assert "currentColor" in without_schema


@pytest.mark.parametrize("name", NAMES)
def test_names_from_data_are_values_and_never_fields(name):
    spec = all_charts(HOSTILE)[name]
    fields = set()

    def walk(node):
        if isinstance(node, dict):
            if isinstance(node.get("field"), str):
                fields.add(node["field"])
            for key, value in node.items():
                if key not in ("datasets", "data"):
                    walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(spec)
    assert fields
    assert all(field.isidentifier() for field in fields)
    rows = [row for rows in spec["datasets"].values() for row in rows]
    field = "line" if name == "length" else "parser"
    assert {row[field] for row in rows if field in row} >= set(HOSTILE)


def test_long_names_are_limited():
    texts = json.dumps(all_charts(("x" * 200, "y"))["bump"])
    assert texts.count('"limit": 150') == 1


def test_eight_parsers_look_different_and_go_on_looking_so():
    styles = charts.parser_styles([f"p{at}" for at in range(16)])
    assert len({style.color for style in list(styles.values())[:8]}) == 8
    assert len({(style.color, style.shape, style.dash) for style in styles.values()}) == 16
    assert charts.parser_styles(["p0", "p1"]) == dict(list(styles.items())[:2])


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colors_of_parsers_stay_apart_for_everyone(theme, sight):
    ink = THEMES[theme]["ink"]
    colors = [style.color for style in charts.parser_styles([f"p{at}" for at in range(8)]).values()]
    seen = [lab(ink if color == "currentColor" else color, sight) for color in colors]
    minimum = 30 if sight == "normal" else 15
    assert min(distance(first, second) for first, second in combinations(seen, 2)) >= minimum


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colors_of_parsers_are_no_statuses_and_show_on_both_papers(theme):
    statuses = {"light": COLORS, "dark": DARK_COLORS}[theme]
    paper = luminance(THEMES[theme]["paper"])
    for style in charts.parser_styles([f"p{at}" for at in range(8)]).values():
        if style.color == "currentColor":
            continue
        assert min(distance(lab(style.color), lab(status)) for status in statuses.values()) >= 25
        light, dark = sorted((luminance(style.color), paper), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= (2.2 if theme == "light" else 3)


@given(st.lists(st.floats(-100, 100), max_size=12), st.floats(0.1, 20))
def test_labels_keep_apart_and_in_order(positions, gap):
    spread_out = spread(positions, gap)
    order = sorted(range(len(positions)), key=lambda at: positions[at])
    for first, second in pairwise(order):
        assert spread_out[second] - spread_out[first] >= gap - 1e-6
    if all(positions[second] - positions[first] >= gap for first, second in pairwise(order)):
        assert spread_out == pytest.approx(positions)


def bump(rows):
    first = next(at for at, variant in enumerate(VARIANTS) if variant.mapping == "Tree edit")  # two columns of a group
    variants = VARIANTS[first : first + len(next(iter(rows.values())))]
    figures = pd.DataFrame.from_dict(rows, orient="index", columns=[one.id for one in variants], dtype=float)
    found = crossings(figures)
    texts = [describe_crossing(one, variants) for one in found]
    data = bump_data(figures, rank_parsers(figures), variants)
    return data, crossing_points(data, found, texts, variants), found


def test_a_parser_that_passes_another_one_is_marked_at_its_new_rank():
    _, points, _ = bump({"a": [0.9, 0.8], "b": [0.8, 0.9]})
    assert points[["parser", "row", "column"]].to_numpy().tolist() == [["b", 1.0, 1.0]]
    assert "ranks b below a" in points["text"].iloc[0]


def test_micro_and_macro_figures_stand_apart_and_every_row_has_its_name():
    figures = pd.DataFrame([[0.5] * len(VARIANTS)], index=["p"], columns=[one.id for one in VARIANTS])
    spec = specification(charts.bump_chart(figures, rank_parsers(figures), VARIANTS))
    axis = spec["layer"][0]["encoding"]["y"]["axis"]
    n_micro = sum(one.figure == "pooled" for one in VARIANTS)
    assert [later - first for first, later in pairwise(axis["values"])].index(1.5) == n_micro - 1
    assert len(axis["values"]) == len(json.loads(axis["labelExpr"].partition("[indexof")[0])) == len(VARIANTS)


def test_parsers_that_are_tied_stand_side_by_side():
    data, points, _ = bump({"a": [0.9, 0.5, 0.1], "b": [0.8, 0.5, 0.2], "c": [0.1, 0.2, np.nan]})
    tied = data[(data["row"] == 1) & (data["parser"] != "c")]
    assert tied["rank"].tolist() == ["1=", "1="]
    assert tied["column"].tolist() == pytest.approx([1.35, 1.65])
    assert len(points) == 1
    assert len(data[data["parser"] == "c"]) == 2


@given(
    st.integers(2, 5).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=n, max_size=n)
    )
)
def test_every_change_of_ranks_is_marked(rows):
    data, points, found = bump({f"p{at}": [value / 4 for value in row] for at, row in enumerate(rows)})
    assert sum(text.count(" ranks ") for text in points["text"]) == len(found)
    assert points["row"].between(data["row"].min(), data["row"].max()).all()
    assert points["column"].between(data["column"].min(), data["column"].max()).all()


def test_undefined_figures_leave_gaps_and_no_zeros():
    frame = table(("a", "b"))
    frame.loc[frame["parser"] == "b", ["status", "words_aligned"]] = "missing", np.nan
    board = leaderboard(sums_of(frame, METRICS), ["a", "b"], ["f1"], resamples=10)
    spec = specification(charts.intervals_chart(figures_of(board, "f1"), "f1", parsers=["a", "b"]))
    rows = [row for rows in spec["datasets"].values() for row in rows]
    assert {row["parser"] for row in rows} == {"a"}


def marks_of(spec, kind):
    """Return the rows that the layers of one kind of mark draw."""
    drawn = [layer for layer in spec["layer"] if layer["mark"]["type"] == kind]
    return [row for layer in drawn for row in spec["datasets"][layer["data"]["name"]]]


def test_the_distribution_says_how_many_sentences_it_is_over_and_how_many_are_left_out():
    frame = table(("a", "b"), n=5).assign(status="ok", sentences=1, e_matched_roof=4, e_gold_roof=4, e_test_roof=4)
    histogram = score_histogram(steps_of(frame, "f1"), ["a", "b"], "f1")
    made = {"means": {"a": 1.0, "b": 0.5}, "undefined": {"a": 1200, "b": 0}, "order": ["a", "b"]}
    spec = specification(charts.distribution_chart(histogram, "f1", parsers=["a", "b"], **made))
    labels = json.loads(spec["layer"][0]["encoding"]["y"]["axis"]["labelExpr"].partition("[indexof")[0])
    assert labels == [["a", "mean 100.00", "n 5", "1,200 undefined"], ["b", "mean 50.00", "n 5"]]
    assert max(row["top"] % 1 for row in marks_of(spec, "rect")) == pytest.approx(0.86)


def test_one_sentence_has_no_interval():
    frame = table(("a", "b"), n=1).assign(status="ok")
    board = leaderboard(sums_of(frame, METRICS), ["a", "b"], METRICS, resamples=20)
    ends = [f"{figure}_{end}" for figure in ("pooled", "mean", "pooled_all", "mean_all") for end in ("low", "high")]
    assert board[ends].isna().all(axis=None)
    spec = specification(charts.intervals_chart(figures_of(board, "ted"), "ted", parsers=["a", "b"]))
    rows = [row for rows in spec["datasets"].values() for row in rows]
    assert {row["interval"] for row in rows} == {"–"}
    assert all(row["end"] == row["value"] and row["low"] is None for row in rows)
    by_length = score_by_length(*by_length_of(frame, "ted"), ["a", "b"], "ted", resamples=20)
    assert by_length["pooled"].notna().tolist() == by_length["n"].eq(1).tolist()
    assert by_length["pooled_low"].isna().all()
    specification(charts.length_chart(by_length, "ted", parsers=["a", "b"]))


def test_an_oracle_is_drawn_over_what_each_rank_does():
    rows = pd.DataFrame(
        {
            "rank": [1, 2, 3],
            "parses": [9, 9, 4],
            "own_pooled": [0.7, 0.6, float("nan")],
            "pooled": [0.7, 0.75, 0.8],
            "own_mean": [0.7, 0.6, 0.5],
            "mean": [0.7, 0.7, 0.7],
            "n": [9, 9, 9],
            "best": [5, 3, 1],
        }
    )
    for figure in ("pooled", "mean"):
        made = json.dumps(oracle_chart([(name, rows) for name in HOSTILE], "f1", figure))
        for name in HOSTILE:
            assert json.dumps(f"best so far: {name}")[1:-1] in made
    assert oracle_chart([("p", rows.head(1))], "las")["layer"]


@pytest.mark.parametrize("n", [3, MAX_POINTS + 1])
def test_a_score_that_all_sentences_share_lies_amid_its_axis(n):
    rows = pd.DataFrame({"a": np.ones(n), "b": np.linspace(0.2, 0.8, n)})
    chart = disagreement_chart(rows, ("A", "B"), alike=False)
    marks = next(
        layer for layer in chart["layer"] if layer["encoding"]["x"]["title"] == "A" and "tooltip" in layer["encoding"]
    )
    assert marks["encoding"]["x"]["scale"]["domain"] == pytest.approx([0.9, 1.1])
    assert marks["encoding"]["y"]["scale"]["domain"] == pytest.approx([0.2, 0.8])
    drawn = pd.DataFrame(chart["datasets"][chart["data"]["name"]])
    assert drawn["count"].sum() == n
    if n > MAX_POINTS:
        assert drawn["a"].max() <= 1.0 <= drawn["a2"].min() + 1e-9
        assert (drawn["a2"] - drawn["a"]).max() == pytest.approx(0.005)
        assert (drawn["b"].min(), drawn["b2"].max()) == (pytest.approx(0.2), pytest.approx(0.8))


@pytest.mark.parametrize("n", [0, 3, MAX_POINTS + 1])
def test_scores_of_one_unit_have_axes_of_one_range_with_lines_and_labels_at_their_ticks(n):
    rows = pd.DataFrame({"a": np.linspace(0.5, 1.0, n), "b": np.linspace(0.2, 0.8, n)})
    chart = disagreement_chart(rows, ("A", "B"))
    axes = [layer["encoding"][name] for layer in chart["layer"] for name in ("x", "y")]
    assert {tuple(axis["scale"]["domain"]) for axis in axes} == {(0.2, 1.0) if n else (0.0, 1.0)}
    assert all(axis["axis"]["domain"] and axis["axis"]["ticks"] for axis in axes)
    assert chart["config"]["axis"]["labelFlush"] is False
    line = [row for data in chart["datasets"].values() for row in data if "count" not in row]
    assert line == ([{"a": 0.2, "b": 0.2}, {"a": 1.0, "b": 1.0}] if n else [])
