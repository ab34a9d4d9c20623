"""TedEval on one sentence as a picture: gold trees, what they have in common, the parse, and the steps in between."""

from __future__ import annotations

import streamlit as st

from evaltools.drawing import Bars, bars_of, draw
from evaltools.errors import ParameterError
from evaltools.metrics.tedeval_protocol import Operation, TedEvalProtocol
from evaltools.publishing.drawings import bars_picture, protocol_picture
from evaltools.runs.protocols import SentenceTrees, protocol_of, sentence_trees
from evaltools.runs.store import Run
from evaltools.treebank import MultiFunctionTree
from evaltools.ui.components.plain import Block, answer, formulas, note, picture, plain, steps
from evaltools.ui.session import data, state
from evaltools.ui.widgets.saving import Origin

__all__ = ["bars_block", "protocol_block", "protocol_formulas", "protocol_step", "protocol_view"]

_AGAINST = {"multiple": "all golds", "single": "own gold"}
_WHAT = {"labelled": "functions", "unlabelled": "nodes only"}


@st.cache_resource(max_entries=64, show_spinner=False)
def _trees(key: str, sentence: int, parser: str, _run: Run) -> SentenceTrees:
    return sentence_trees(_run, sentence, parser)


def protocol_view(run: Run, sentence: int, parser: str, *, key: str) -> None:
    """Show how a sentence of a run across frameworks gets its score.

    Parameters
    ----------
    run : Run
        The run.
    sentence : int
        The sentence, from 1.
    parser : str
        The parser.
    key : str
        Begins the keys of what is shown.
    """
    entry = next(one for one in run.meta["parsers"] if one["name"] == parser)
    against, what = _controls(run, entry["labelled"])
    trees = _trees(data.run_key(run), sentence, parser, run)
    try:
        made = protocol_of(run.meta, trees, parser, multiple=against == "multiple", labelled=what == "labelled")
    except ParameterError as error:
        plain(answer(f"Sentence {sentence} of {parser} has no score: {error}."), key=f"{key}_answer")
        _native(trees, parser, key)
        return
    plain(answer(_summary(made, sentence, parser)), key=f"{key}_answer")
    gold = "all golds" if len(made.golds) > 1 else "the gold tree"
    origin = Origin.of_sentence(run, sentence, gold, parser)
    left, right = st.columns([3, 2], gap="large")
    common = "What all golds have in common" if len(made.golds) > 1 else "The gold tree"
    with left:
        marks = "< has to go, > is missing; struck through: the parser’s own gold says it too, so it is no error"
        plain(
            protocol_block(made, f"From the parse of {parser} to {_lower(common)}", origin),
            note(f"{marks}.{_compared_over(made)}"),
            key=f"{key}_script",
            origin=origin,
        )
        names = [theory for theory in run.theories if len(made.golds) > 1 or theory == entry["theory"]]
        pictures = [bars_block(gold, f"Gold, {theory}", origin) for theory, gold in zip(names, made.golds, strict=True)]
        if len(made.golds) > 1:
            pictures.append(bars_block(made.generalization, common, origin))
        plain(*pictures, bars_block(made.parse, f"Parse of {parser}", origin), key=f"{key}_trees", origin=origin)
    with right:
        plain(formulas(protocol_formulas(made), "Score"), key=f"{key}_formulas", origin=origin)
        rows = [protocol_step(one, made) for one in made.operations]
        if rows:
            plain(steps(rows, "Edit operations"), key=f"{key}_steps", origin=origin)
        else:
            plain(note("No operation is needed: the trees are equal."), key=f"{key}_steps")
    _native(trees, parser, key)


def _controls(run: Run, has_labels: bool) -> tuple[str, str]:
    said = (state.get("against", "multiple"), state.get("what", "labelled" if has_labels else "unlabelled"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        against = "single"
        if len(run.theories) > 1:
            against = st.segmented_control(
                "Against",
                list(_AGAINST),
                format_func=lambda one: _AGAINST[one],
                required=True,
                width="content",
                **state.bind("against", said[0] if said[0] in _AGAINST else "multiple", "multiple"),
            )
        default = "labelled" if has_labels else "unlabelled"
        what = st.segmented_control(
            "Compare",
            list(_WHAT),
            format_func=lambda one: _WHAT[one],
            required=True,
            width="content",
            **state.bind("what", said[1] if said[1] in _WHAT else default, default),
        )
    return str(against or "multiple"), str(what or default)


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def bars_block(tree: MultiFunctionTree, heading: str, origin: Origin) -> Block:
    """Return a multi-function tree as a picture.

    Parameters
    ----------
    tree : MultiFunctionTree
        The tree.
    heading : str
        What it is called.
    origin : Origin
        Where it comes from.
    """
    bars = Bars(tree.words, bars_of(tree), label=heading)
    files = bars_picture(bars, f"{origin.name}-{heading}", origin.caption(heading))
    return picture(draw(bars, theme="auto"), heading, files=files)


def protocol_block(made: TedEvalProtocol, heading: str, origin: Origin) -> Block:
    """Return the steps of TedEval as a picture.

    Parameters
    ----------
    made : TedEvalProtocol
        The steps.
    heading : str
        What the picture is called.
    origin : Origin
        Where they come from.
    """
    drawn = draw(made, theme="auto")
    return picture(drawn, heading, files=protocol_picture(made, origin.name, origin.caption(heading)))


def _summary(made: TedEvalProtocol, sentence: int, parser: str) -> str:
    discarded = sum(one.discarded for one in made.operations)
    score = "no score" if made.score is None else f"{made.score:.3f}"
    text = f"Sentence {sentence}, {parser}: {score}; {_many(made.delta, 'operation')} count"
    text += "s" if made.delta == 1 else ""
    if discarded:
        is_are = "is" if discarded == 1 else "are"
        text += f", {discarded} {is_are} discarded because the parser’s own gold needs the same"
    return f"{text}."


def _compared_over(made: TedEvalProtocol) -> str:
    if made.words_aligned:
        return " The words differ: those inside multiword tokens are aligned by form, the others by characters."
    return " Over characters, because the words differ." if made.in_characters else ""


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def protocol_formulas(made: TedEvalProtocol) -> list[tuple[str, str, str, str]]:
    """Return title, formula, the same with numbers put in, and value, of all that a score is made of."""
    total = len(made.operations)
    unit = "pairs of a function and its words" if made.labelled else "nodes"
    score = "–" if made.score is None else f"{made.score:.3f}"
    gold = "gen" if len(made.golds) > 1 else "gold"
    return [
        ("|parse|", unit, "", str(made.n_parse)),
        (f"|{gold}|", unit, "", str(made.n_generalized)),
        ("δ", f"|ES(parse→{gold})| − discarded", f"{total} − {total - made.delta}", str(made.delta)),
        (
            "score",
            f"1 − δ / (|parse| + |{gold}|)",
            f"1 − {made.delta} / ({made.n_parse} + {made.n_generalized})",
            score,
        ),
    ]


def protocol_step(one: Operation, made: TedEvalProtocol) -> tuple[str, str]:
    """Return the status of an operation and say what it does."""
    words = [made.parse.words[place] for place in sorted(one.words)]
    text = ("" if made.in_characters else " ").join(words if len(words) <= 8 else (*words[:5], "…", *words[-2:]))
    label = f"{one.label} " if one.label is not None else ""
    status = "discarded" if one.discarded else "deleted" if one.kind == "delete" else "inserted"
    return status, f"{one.kind} {label}over “{text}”"


def _native(trees: SentenceTrees, parser: str, key: str) -> None:
    """Show the trees as they were read."""
    with st.expander("Trees as they were read"):
        for name, tree in (*trees.native_golds.items(), (parser, trees.native_parse)):
            st.text(f"{name}{'' if name == parser else ', gold'}")
            st.code(tree.to_string() if len(tree.words) else "no tree", language=None, wrap_lines=True)
