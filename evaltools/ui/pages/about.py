"""About the metrics: a chapter each, with examples that are computed and drawn on the spot."""

from __future__ import annotations

import streamlit as st

from evaltools.classroom.examples import SECTIONS as WITH_EXAMPLES
from evaltools.drawing import draw, tree_legend
from evaltools.metrics import METRICS
from evaltools.metrics.mapping import WordMatch
from evaltools.normalize import load_preset
from evaltools.runs.store import Run
from evaltools.ui.components.contents import ALL, contents
from evaltools.ui.components.plain import answer, facts, note, picture, plain
from evaltools.ui.lessons.worked_examples import show_examples, show_mistakes
from evaltools.ui.texts import PARTS, SECTIONS, text
from evaltools.ui.widgets.saving import made_here

__all__ = ["render"]

_WIDTH = 860
_FAMILIES = {
    "e": ("e",),
    "t": ("t",),
    "la": ("la",),
    "attachment": ("attachment",),
    "frameworks": ("tedeval", "tedeval2011"),
    "edm": ("edm",),
}
_STYLE = """
<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-about_side) { position: sticky; top: 3.8rem; }
.st-key-about_text table { font-size: 0.85rem; line-height: 1.35; width: 100%; }
.st-key-about_text th, .st-key-about_text td { padding: 0.28rem 0.5rem; vertical-align: top; }
.st-key-about_text [data-testid="stMarkdownContainer"] li { margin: 0 0 0.15rem; }
@media (max-width: 640px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-about_side) { position: static; }
  .st-key-about_text table { font-size: 0.8rem; }
  .st-key-about_text th, .st-key-about_text td { padding: 0.25rem 0.3rem; overflow-wrap: break-word; hyphens: auto; }
  .st-key-about_text code { overflow-wrap: anywhere; padding: 0; background: none; }
}
</style>
"""
_PRESETS = ("standard", "collins", "new", "none")


def render(run: Run) -> None:
    """Draw the page.

    Parameters
    ----------
    run : Run
        The open run, whose preset is shown.
    """
    st.header("About the metrics", anchor=False)
    plain(
        answer(
            "E asks which brackets two trees share, T how few edits lead from one to the other, LA how well every word "
            "hangs in its place, attachment how many words hang from the right word, TedEval which words have which "
            "function, whatever the theory, EDM which triples of meaning two semantic graphs share."
        ),
        key="about_answer",
    )
    st.html(_STYLE)
    left, right = st.columns([5, 19], gap="medium")
    with left, st.container(key="about_side"):
        chosen = contents(PARTS, key="about_contents")
    with right, st.container(width=_WIDTH, key="about_text"):
        for section in SECTIONS if chosen == ALL else [chosen]:
            _section(section, run)
        if chosen != ALL:
            _turn(chosen)


def _section(section: str, run: Run) -> None:
    st.subheader(SECTIONS[section], anchor=section)
    st.markdown(text(section))
    if section == "counts":
        plain(
            note("In the drawings the gold tree stands above and the test tree below, mirrored:"),
            picture(draw(tree_legend(), theme="auto")),
            key="about_legend",
            origin=made_here("about", "marks of the drawings"),
        )
    elif section == "words":
        origin = made_here("about", "lines between aligned words")
        plain(picture(draw(tree_legend((), tuple(WordMatch)), theme="auto")), key="about_lines", origin=origin)
    elif section == "choose":
        show_mistakes()
    elif section == "presets":
        _presets(run)
    if section in WITH_EXAMPLES:
        show_examples(section)
    if section == "frameworks":
        show_examples("older")
    if section in _FAMILIES:
        st.markdown("**Its scores**")
        _formulas(_FAMILIES[section])


def _turn(section: str) -> None:
    """Lead to the chapters before and after."""
    order = list(SECTIONS)
    place = order.index(section)
    before, after = order[place - 1 : place], order[place + 1 : place + 2]
    links = [f"[← {SECTIONS[one]}](#{one})" for one in before] + [f"[{SECTIONS[one]} →](#{one})" for one in after]
    st.markdown("&emsp;".join(links))


def _formulas(families: tuple[str, ...]) -> None:
    """List the metrics of some families."""
    rows = ["| score | formula | name in files |", "|---|---|---|"]
    rows += [
        f"| {one.title}{'' if one.higher_is_better else ' (lower is better)'} | {_cell(one.formula)} | `{one.id}` |"
        for one in METRICS.values()
        if one.family in families and not (one.family == "e" and one.id.endswith("_unlabelled"))
    ]
    twins = "\n\nEach bracket score has an unlabelled twin; its name ends in `_unlabelled`." if "e" in families else ""
    st.markdown("\n".join(rows) + twins)


def _cell(formula: str) -> str:
    """Return a formula for a cell of a Markdown table, in which a bar would end the cell."""
    return formula.replace("|", "\\|")


def _presets(run: Run) -> None:
    """Show the rules of every preset, the open run's first."""
    titles = ["the open run’s", *_PRESETS]
    for title, tab in zip(titles, st.tabs(titles), strict=True):
        with tab:
            if title in _PRESETS:
                st.code(load_preset(title).describe(), language=None, wrap_lines=True)
            else:
                st.code(str(run.meta["preset_rules"]), language=None, wrap_lines=True)
                plain(facts([("signature", run.signature, "")]), key="about_signature")
