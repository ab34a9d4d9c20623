"""Charts and tables as files."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import altair as alt
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from evaltools.blocks import Column, Table
from evaltools.outputs.tables import TABLE_FILES, console_text, table_csv, table_latex, table_markdown
from evaltools.outputs.vega import (
    CHART_FILES,
    WIDTHS,
    captioned,
    chart_file,
    chart_json,
    chart_svg,
)

HOSTILE = r"a_1 & 50 % $x$ #{~^\} <b> |"


@pytest.fixture
def chart() -> dict[str, object]:
    frame = pd.DataFrame({"parser": [HOSTILE, "b"], "value": [1.0, 2.0]})
    drawn = alt.Chart(frame).mark_bar(color="currentColor").encode(x="value", y="parser")
    return dict(drawn.properties(width="container", height=80, background="transparent").to_dict())


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame({"parser": [HOSTILE, "=1+1"], "n": [3, 10], "F1": [0.12345, float("nan")]})


def test_svg_has_text_as_text_and_its_own_colors_or_those_of_its_page(chart: dict[str, object]):
    alone, inline = chart_svg(chart), chart_svg(chart, inline=True)
    assert alone.startswith("<svg")
    assert "&lt;b&gt;" in alone
    assert ("currentColor" in alone, "currentColor" in inline) == (False, True)
    assert 'width="container"' not in alone
    assert "max-width" in inline.split(">")[0]


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_charts_are_as_wide_as_asked_with_all_that_stands_beside_the_drawing(chart: dict[str, object], width: int):
    wide = json.loads(json.dumps(chart).replace('"b"', '"a long name of a parser"'))
    for drawn in (chart, wide, captioned(chart, "word " * 60, width)):
        assert abs(struct.unpack(">I", chart_file(drawn, "png", width=width)[16:20])[0] / 3 - width) <= 3
    (points,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ", chart_file(chart, "pdf", width=width))
    assert abs(float(points) - 0.75 * width) <= 2


def test_vega_lite_is_json_that_needs_no_page(chart: dict[str, object]):
    content = json.loads(chart_json(chart))
    assert content["background"] == "#ffffff"
    assert "currentColor" not in json.dumps(content)
    assert chart["background"] == "transparent"  # the chart itself is as it was


@pytest.mark.parametrize("kind", CHART_FILES)
def test_a_caption_is_below_the_chart_or_a_comment_in_the_file(chart: dict[str, object], kind: str):
    caption = "Two -- bars > 0.\nevaltools:1|gold:abc"
    shown, hidden = (chart_file(chart, kind, caption, visible=visible) for visible in (True, False))
    plain = chart_file(chart, kind)
    assert len({shown, hidden, plain}) == (2 if kind == "png" else 3)  # PNG has no comment
    if kind in ("svg", "json"):
        assert b"evaltools:1|gold:abc" in shown
    assert (b"evaltools:1|gold:abc" in hidden) == (kind != "png")
    if kind == "svg":
        assert ElementTree.fromstring(hidden).attrib == ElementTree.fromstring(plain).attrib
        assert "gold:abc" not in "".join(ElementTree.fromstring(hidden).itertext())
    elif kind == "pdf":
        table = int(re.findall(rb"startxref\s+(\d+)", hidden)[-1])
        assert hidden[table:].startswith(b"xref")
        assert len(hidden) - len(plain) == len(caption) + len("% \n")
    elif kind == "json":
        assert json.loads(hidden)["description"] == " ".join(caption.split())
        assert "title" not in json.loads(hidden)


def test_titles_and_cells_of_several_lines_stand_below_each_other():
    table = Table([Column("label", "Label\naccuracy", "text"), Column("word", "word", "text")], [["yes", "a\n≠ b"]])
    lines = [line.split() for line in console_text([table], "signature", 80).splitlines()]
    assert [line for line in lines if line and "─" not in line[0]] == [
        ["Label"],
        ["accuracy", "word"],
        ["yes", "a"],
        ["≠", "b"],
        ["signature"],
    ]


def test_csv_keeps_every_digit_and_starts_no_formula(frame: pd.DataFrame):
    text = table_csv(frame, "Figures.\nmade so")
    lines = text.splitlines()
    assert lines[0] == "parser,n,F1"
    assert lines[1].endswith(",3,0.12345")
    assert lines[2] == "'=1+1,10,"
    assert lines[3] == "# Figures. made so"


def test_markdown_keeps_its_columns(frame: pd.DataFrame):
    lines = table_markdown(frame, "Figures.").splitlines()
    assert len({len(line) for line in lines[:4]}) == 1
    cells = lines[2].replace(r"\|", "").split("|")
    assert len(cells) == 5
    assert lines[3].endswith(" 10 |     – |")


def test_latex_escapes_everything(frame: pd.DataFrame):
    text = table_latex(frame, f"Of {HOSTILE}.")
    assert r"a\_1 \& 50 \% \$x\$ \#\{\textasciitilde{}\textasciicircum{}\textbackslash{}\}" in text
    assert r"\begin{tabular}{@{}lrr@{}}" in text
    assert "0.123" in text
    assert "--" in text


FORMS = ["[", "*", "[0.5em]", "*x*", "✓", "†", "犬", "слово", "كلب", "👍", "é", "ð", "ę", "e\u0301", "’s", "…"]
FORMS += ["\\", "\\end{tabular}", "&%$#_{}~^", "% x", "^^M", "``", "''", "--", "?`", '"', "a\x00b", "\x1b[31m"]
FORMS += ["\u00a0", "\u202e", "", " "]


def commands_removed(row: str) -> str:
    """Remove from a row of a table what every LaTeX understands."""
    row = re.sub(r"\\ifdefined\\Umathchar [^\\]*\\else (U\+[0-9A-F]+ ?)+\\fi\{\}", "", row)
    row = re.sub(r"\{\\char\d+\}|\$(-|\^?\\[a-z]+)\$|\\text[a-z]+\{\}|\\ldots\{\}", "", row)
    return re.sub(r"\\[&%$#_{}]|~|\{\}", "", row)


def check_rows(text: str, n_columns: int) -> None:
    """Check that the rows of a table hold nothing that LaTeX would take for more than text."""
    body = text.partition("\\toprule\n")[2].partition("\n\\bottomrule")[0].replace("\\midrule\n", "")
    for row in body.splitlines():
        assert row.endswith(r" \\")
        assert not row.startswith(("[", "*"))
        rest = commands_removed(row.removesuffix(r" \\"))
        assert rest.count(" & ") == n_columns - 1, row
        rest = rest.replace(" & ", "")
        assert not set(rest) & set('\\&%$#_{}~^"'), row
        assert re.search(r"--|``|''|[?!]`", rest.replace("{}", "")) is None or "{}" in row
        assert all(letter.isprintable() and ord(letter) < 0x250 for letter in rest), row


@pytest.mark.parametrize("form", FORMS)
def test_any_word_form_stands_in_a_latex_table(form: str):
    frame = pd.DataFrame({form: [form, "x"], "n": [-0.4, 2], "last": ["x", form]})
    text = table_latex(frame, f"{form}\nsignature {form}", label=form)
    check_rows(text, 3)
    assert "$-$0.400" in text
    assert len([line for line in text.splitlines() if "\\caption{" in line]) == 1
    assert all(letter.isprintable() or letter == "\n" for letter in text)


@given(st.text(), st.text())
def test_any_text_stands_in_a_latex_table(first: str, last: str):
    check_rows(table_latex(pd.DataFrame({"a": [first], "b": [last]})), 2)


@pytest.mark.parametrize(
    ("form", "written"),
    [
        ("[", "{}["),
        ("*", "{}*"),
        ("✓", r"$\surd$"),
        ("né", "né"),
        ("Ṅ", r"\ifdefined\Umathchar Ṅ\else U+1E44\fi{}"),
        ("犬だ", r"\ifdefined\Umathchar 犬だ\else U+72AC U+3060\fi{}"),
        ("``", "`{}`"),
        ("--", "-{}-"),
        ("-LRB-", "-LRB-"),
        ("a\\b^{2}", r"a\textbackslash{}b\textasciicircum{}\{2\}"),
        ("\x1b", r"\ifdefined\Umathchar ␛\else U+241B\fi{}"),
    ],
)
def test_how_word_forms_are_written_in_latex(form: str, written: str):
    assert rf"{written} & 1 \\" in table_latex(pd.DataFrame({"form": [form], "n": [1]})).splitlines()


def figures(n_metrics: int) -> pd.DataFrame:
    columns: dict[str, list[object]] = {"parser": ["a_long-name", "b"]}
    for number in range(n_metrics):
        columns |= {f"M{number}": [83.851, 7.0]}
    return pd.DataFrame(columns)


def test_captions_and_the_best_in_bold():
    caption = "Figures of 9 sentences.\nevaltools:1|gold:abc_1"
    written = {
        name: make(figures(1), caption, 2, best={(0, "M0")}, label="figures")
        for name, (*_, make) in TABLE_FILES.items()
    }
    assert r"a\_long-name & \textbf{83.85} \\" in written["latex"]
    assert r"b & 7.00 \\" in written["latex"]
    assert r"\caption{Figures of 9 sentences.}" in written["latex"]
    assert r"\label{tab:figures}" in written["latex"]
    assert "% evaltools:1|gold:abc_1" in written["latex"].splitlines()
    assert "| **83.85** |" in written["markdown"]
    assert written["csv"].splitlines()[:2] == ["parser,M0", "a_long-name,83.851"]


def compiled(bodies: str, folder: Path) -> str:
    """Compile tables in a paper of two columns; return what pdflatex says."""
    preamble = (
        r"\documentclass[twocolumn]{article}\usepackage[T1]{fontenc}\usepackage{booktabs,graphicx}\begin{document}"
    )
    (folder / "table.tex").write_text(f"{preamble}{bodies}\\end{{document}}", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex here")
def test_latex_compiles_and_fits_the_column(frame: pd.DataFrame, tmp_path: Path):
    found = subprocess.run(["kpsewhich", "booktabs.sty", "graphicx.sty"], capture_output=True, check=False)
    if found.returncode:
        pytest.skip("no booktabs or graphicx here")
    tables = [
        table_latex(frame, f"Of {HOSTILE}."),
        table_latex(pd.DataFrame({"word form": FORMS, "n": 1}), "Forms."),
        *(table_latex(figures(n), "Figures.", 2, best={(0, "M0")}, label=f"t{n}") for n in (1, 12)),
    ]
    assert "Overfull" not in compiled("\n".join(tables), tmp_path)
