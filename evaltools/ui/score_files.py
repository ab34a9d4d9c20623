"""Scoring files in the app: what is given, what was found in it, then the scoring in the background."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.errors import EvaltoolsError, Problem
from evaltools.metrics.edm_rules import EDM_PRESETS, SPANS, EdmRules, load_edm_rules, parse_weights
from evaltools.normalize import PRESETS, Preset
from evaltools.normalize.dependency_pair import PUNCTUATION
from evaltools.normalize.preset import preset_from_parameters
from evaltools.ui.checking import Checked, check, compare, item_problems
from evaltools.ui.kernels import wait_for_kernels
from evaltools.ui.new_run import begin_scoring
from evaltools.ui.plain import note, plain

__all__ = ["score_files_dialog"]

_CONLL = (".conllu", ".conllx", ".conll")
_GRAPHS = (".eds", ".dmrs", ".mrs", ".simplemrs", ".simpledmrs", ".mrx", ".dmrx", ".xml", ".mrp", ".jsonl", ".json")
_UPLOAD, _PASTE = "Upload files", "Paste trees"
_OWN = "evalb"
_MOST_LISTED = 1000
_ALIGN = (
    "For outputs in which sentences are missing, extra or shifted: each is paired with the gold sentence that has its "
    "words. What was left out, missing or shifted is listed."
)
_SUBTYPES = {False: "drop – nsubj:pass is nsubj, as in the CoNLL 2018 evaluation", True: "keep – they differ"}
_HINT = (
    "Brackets: one tree a line or spread over lines; a blank line or (()) is a missing parse. Dependency trees: "
    "CoNLL-U or CoNLL-X. Semantic graphs: EDS, DMRS, MRS or MRP, in any notation; a profile is a folder and cannot be "
    "uploaded: score it with evaltools score, and open the run here. gzip and Zstandard files are read as they are."
)
_KINDS = {"constituency": "constituency trees", "dependency": "dependency trees", "semantics": "semantic graphs"}
_AS_PRESET = "as the preset says"
Rules = str | Preset | EdmRules


@st.dialog("Score files", width="large")
def score_files_dialog() -> None:
    """Ask for a gold file and parsers' outputs, list what is wrong with them, and begin scoring."""
    how = st.segmented_control(
        "How", [_UPLOAD, _PASTE], default=_UPLOAD, required=True, label_visibility="collapsed", key="score_how"
    )
    gold, outputs = _uploads() if how != _PASTE else _pasted()
    choices = st.container()
    if gold is not None or outputs:
        wait_for_kernels()
    gold_checked = check(*gold) if gold is not None else None
    with choices:
        preset, options = _choices(gold_checked)
    align = bool(options.get("align_sentences"))
    if gold is None and not outputs:
        plain(note(_HINT), key="score_hint")
        return
    checked = [(label, name, check(file, stored)) for label, name, file, stored in outputs]
    if gold_checked is not None:
        _found("gold", gold[0] if gold is not None else "", gold_checked)
    names = [_found_parser(label, name, one, gold_checked) for label, name, one in checked]
    problems = _problems(gold_checked, names, [one for _, _, one in checked], preset, align=align)
    title = st.text_input("Name of the run", value=_stem(gold[0]) if gold is not None else "", key="score_title")
    missing = _what_is_missing(gold_checked, names, [one for _, _, one in checked], preset)
    if missing:
        plain(note(missing), key="score_missing")
    label = "Score" if not problems else f"Score in spite of {problems:,} problem{'s' if problems > 1 else ''}"
    if st.button(label, type="primary", disabled=bool(missing), key="score_go") and gold_checked is not None:
        sources = {name: one.source for name, (_, _, one) in zip(names, checked, strict=True) if one.source is not None}
        if gold_checked.source is not None and preset is not None:
            begin_scoring(title.strip() or "run", gold_checked.source, sources, preset, options)
            st.rerun()


Given = tuple[str, bytes]
Output = tuple[str, str, str, bytes]


def _uploads() -> tuple[Given | None, list[Output]]:
    left, right = st.columns(2)
    with left:
        gold = st.file_uploader("Gold treebank", key="score_gold")
    with right:
        parsers: Any = st.file_uploader("Parsers’ outputs", accept_multiple_files=True, key="score_parsers")
    outputs = [(f"upload_{file.file_id}", _stem(file.name), file.name, file.getvalue()) for file in (parsers or [])]
    return None if gold is None else (gold.name, gold.getvalue()), outputs


def _pasted() -> tuple[Given | None, list[Output]]:
    number = int(st.session_state.setdefault("paste_number", 1))
    gold = st.text_area("Gold trees", key="paste_gold", height=120, placeholder="(S (NP (N dogs)) (VP (V bark)))")
    outputs = []
    for place in range(number):
        title = "Parser’s trees" if number == 1 else f"Trees of parser {place + 1}"
        text = st.text_area(title, key=f"paste_{place}", height=120, placeholder="(S (NP (N dogs)) (NP (N bark)))")
        if text.strip():
            name = f"parser {place + 1}" if number > 1 else "parser"
            outputs.append((f"paste_{place}", name, f"pasted {name}", text.encode("utf-8", "surrogatepass")))

    def more() -> None:
        st.session_state["paste_number"] = number + 1

    st.button("Another parser", key="paste_more", on_click=more, type="tertiary", icon=":material/add:")
    return ("pasted gold", gold.encode("utf-8", "surrogatepass")) if gold.strip() else None, outputs


def _stem(file: str) -> str:
    """Return a file's name without the endings of formats and compression."""
    path = PurePath(file)
    while path.suffix.lower() in (
        ".gz",
        ".zst",
        ".ptb",
        ".mrg",
        ".txt",
        ".tst",
        ".gld",
        ".brackets",
        ".parse",
        ".out",
        *_CONLL,
        *_GRAPHS,
    ):
        path = path.with_suffix("")
    return path.name or "parser"


def _choices(gold: Checked | None) -> tuple[Rules | None, dict[str, Any]]:
    """Ask what counts; dependency trees have no brackets that a preset could delete."""
    if gold is not None and gold.kind == "semantics":
        return _edm_rules(), {}
    if gold is None or gold.kind != "dependency":
        preset = _preset()
        align = st.checkbox("Align sentences by their words", key="score_align", help=_ALIGN)
        return preset, {"align_sentences": align}
    left, right = st.columns(2)
    with left:
        titles = {name: f"{name} – {says}" for name, says in PUNCTUATION.items()}
        punctuation = st.selectbox(
            "Punctuation", list(titles), format_func=lambda one: titles[one], key="score_punctuation"
        )
    with right:
        subtypes = st.selectbox(
            "Subtypes of relations",
            list(_SUBTYPES),
            format_func=lambda one: _SUBTYPES[one],
            key="score_subtypes",
        )
    return "none", {"punctuation": punctuation, "subtypes": bool(subtypes)}


def _edm_rules() -> EdmRules | None:
    """Ask which triples of semantic graphs count, and how much."""
    left, right = st.columns(2)
    with left:
        titles = {name: f"{name} – {says}" for name, says in EDM_PRESETS.items()}
        preset = st.selectbox(
            "Preset: which triples count", list(titles), format_func=lambda one: titles[one], key="score_edm_preset"
        )
    with right:
        says = {_AS_PRESET: _AS_PRESET} | {name: f"{name} – {text}" for name, text in SPANS.items()}
        spans = st.selectbox("Spans", list(says), format_func=lambda one: says[one], key="score_spans")
    rules = load_edm_rules(preset, spans=None if spans == _AS_PRESET else spans)
    file = st.file_uploader("Weights of your own (TOML, not needed)", key="score_weights")
    if file is None:
        return rules
    try:
        text = file.getvalue().decode("utf-8-sig", "backslashreplace")
        base = None if preset == next(iter(EDM_PRESETS)) else rules  # the file may name a preset itself
        rules = load_edm_rules(parse_weights(text, file.name, base), spans=None if spans == _AS_PRESET else spans)
    except EvaltoolsError as error:
        st.error("The file of weights cannot be read.")
        st.code(str(error), language=None, wrap_lines=True)
        return None
    with st.expander("Its rules"):
        st.code(rules.describe(), language=None, wrap_lines=True)
    return rules


def _preset() -> str | Preset | None:
    names = [name for name in PRESETS if not name.startswith("evalb:")] + [_OWN]
    titles = {name: f"{name} – {PRESETS[name]}" for name in names[:-1]} | {_OWN: "an EVALB parameter file of your own"}
    chosen = st.selectbox("Preset: what counts", names, format_func=lambda one: titles[one], key="score_preset")
    if chosen != _OWN:
        return chosen
    file = st.file_uploader("EVALB parameter file", key="score_parameters")
    if file is None:
        return None
    try:
        text = file.getvalue().decode("utf-8", "backslashreplace")
        preset = preset_from_parameters(f"evalb:{file.name}", text, file.name)
    except EvaltoolsError as error:
        st.error("The parameter file cannot be read.")
        st.code(str(error), language=None, wrap_lines=True)
        return None
    with st.expander("Its rules"):
        st.code(preset.describe(), language=None, wrap_lines=True)
    return preset


def _found(label: str, file: str, checked: Checked) -> None:
    columns = st.columns([2, 5], vertical_alignment="center")
    with columns[0]:
        st.text(label)
    with columns[1]:
        plain(note(f"{file}: {checked.describe()}"), key=f"found_{label}")


def _found_parser(label: str, name: str, checked: Checked, gold: Checked | None) -> str:
    columns = st.columns([2, 5], vertical_alignment="center")
    with columns[0]:
        chosen = st.text_input("Parser’s name", value=name, key=f"name_{label}", label_visibility="collapsed")
    with columns[1]:
        file = checked.source.name if checked.source is not None else checked.problems[0].file
        pairing = "" if gold is None or gold.kind != "dependency" else compare(gold, checked, "none").pairing
        text = f"{file}: {checked.describe()}" + (f"; {pairing}" if pairing else "")
        plain(note(text), key=f"found_{label}")
    return chosen.strip()


def _problems(
    gold: Checked | None, names: list[str], outputs: list[Checked], preset: Rules | None, *, align: bool
) -> int:
    """List the problems of all inputs; return how many there are."""
    found = [("gold", problem) for problem in (gold.problems if gold is not None else ())]
    of_items = item_problems(gold, outputs) if gold is not None else [[] for _ in range(len(outputs) + 1)]
    found += [("gold", problem) for problem in of_items[0]]
    of_gold: dict[Problem, None] = {}
    for name, one, others in zip(names, outputs, of_items[1:], strict=True):
        found += [(name, problem) for problem in one.problems]
        both = gold is not None and not one.fatal and not gold.fatal
        if gold is not None and gold.kind == "semantics":
            found += [(name, problem) for problem in others]
            continue
        if gold is not None and both and not align and gold.kind != "dependency" and one.sentences != gold.sentences:
            text = f"{one.sentences:,} sentences"
            expected = f"{gold.sentences:,}, as in the gold file"
            file = one.source.name if one.source is not None else name
            found.append((name, Problem("number", file, None, None, text, expected)))
        if gold is not None and preset is not None and not isinstance(preset, EdmRules):
            compared = compare(gold, one, preset, align=align)
            found += [(name, problem) for problem in compared.problems]
            of_gold |= dict.fromkeys(compared.gold_problems)
    found = [("gold", problem) for problem in of_gold] + found
    if found:
        rows = [
            {"of": whose, "file": p.file, "line": p.line, "column": p.column, "found": p.found, "expected": p.expected}
            for whose, p in found[:_MOST_LISTED]
        ]
        st.text(f"{len(found):,} problem{'s' if len(found) > 1 else ''} found")
        frame = pd.DataFrame(rows).astype({"line": "Int64", "column": "Int64"})
        height = min(240, 38 + 35 * len(frame))
        widths: dict[str, Any] = {
            "of": "small",
            "file": "small",
            "line": 60,
            "column": 70,
            "found": "large",
            "expected": "medium",
        }
        columns = {name: st.column_config.Column(width=width) for name, width in widths.items()}
        st.dataframe(
            frame, hide_index=True, height=height, placeholder="–", key="score_problems", column_config=columns
        )
    return len(found)


def _what_is_missing(gold: Checked | None, names: list[str], outputs: list[Checked], preset: Rules | None) -> str:
    """Say what is still needed before anything can be scored; empty if nothing is."""
    if gold is None:
        return "A gold treebank is needed."
    if gold.fatal or not gold.trees:
        what = "graph" if gold.kind == "semantics" else "tree"
        return f"The gold treebank holds no {what} that can be read."
    if not outputs:
        return "At least one parser’s output is needed."
    if any(one.kind not in ("", gold.kind) for one in outputs):
        what = _KINDS[gold.kind]
        kinds = f"a gold file of {what} needs parsers’ outputs of {what}"
        if "semantics" in (gold.kind, *(one.kind for one in outputs)):
            return f"The files hold different things: {kinds}."
        return f"The files hold different kinds of trees: {kinds}. evaltools crossframework compares different kinds."
    if any(one.fatal for one in outputs):
        return "Take out the files that cannot be read, or replace them."
    if any(not name for name in names):
        return "Every parser needs a name."
    if len(set(names)) < len(names):
        return "Two parsers have the same name; each needs its own."
    if preset is None and gold.kind == "semantics":
        return "A file of weights that can be read is needed, or none."
    return "" if preset is not None else "A parameter file is needed, or another preset."
