"""Scoring files in the app: what is given, what was found in it, then the scoring in the background."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import PurePath
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.app.components.blocks import show_blocks
from evaltools.app.scoring.checking import Checked, check_once, compare_once, joint_problems, let_go, upload_limit
from evaltools.app.session import library
from evaltools.app.widgets.tables import problems_table
from evaltools.blocks import note
from evaltools.errors import EvaltoolsError, Problem
from evaltools.formats import Source
from evaltools.formats.metadata_files import read_metadata
from evaltools.frameworks.dependency.options import PUNCTUATION, DependencyOptions
from evaltools.frameworks.options import Options
from evaltools.frameworks.presets import PRESETS, Preset, load_preset, preset_from_parameters
from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS, SPANS, EdmRules, load_edm_rules, parse_weights
from evaltools.frameworks.semantics.options import SemanticOptions
from evaltools.runs.scoring import score
from evaltools.text import count_of

_CONLL = (".conllu", ".conllx", ".conll")
_GRAPHS = (".eds", ".dmrs", ".mrs", ".simplemrs", ".simpledmrs", ".mrx", ".dmrx", ".xml", ".mrp", ".jsonl", ".json")
_UPLOAD, _PASTE = "Upload files", "Paste trees"
_OWN = "evalb"
_MOST_LISTED = 1000
_SWAPPED = "score_swapped"
_DEFAULT_TITLE = "score_default_title"
_MANY_DIFFER = 0.2
_ALIGN = (
    "For outputs with missing, extra or shifted sentences: each is paired with the gold sentence of the same words. "
    "Missing, extra and shifted sentences are listed."
)
_METADATA = (
    "Genre, document and other columns to filter and group by: a table with tabs and a heading, by sent_id, sentence "
    "(the number) or document, or CoNLL-U, as in evaltools score --metadata. What no row fits is listed after scoring."
)
_SUBTYPES = {False: "drop – nsubj:pass is nsubj, as in the CoNLL 2018 evaluation", True: "keep – they differ"}
_HINT = (
    "Brackets: one tree a line or spread over lines; a blank line or (()) means no parse. Dependency trees: "
    "CoNLL-U or CoNLL-X. Semantic graphs: EDS, DMRS, MRS or MRP, in any notation; a profile is a folder and cannot be "
    "uploaded: score it with evaltools score, and open the run here. gzip and Zstandard files are accepted."
)
_WIDTHS = {"of": 90, "file": 130, "line": 56, "column": 70, "found": 380, "expected": 420}
_MAX_HEIGHT = 240
"""Pixels of the columns and of the height of the table of problems, which fit the dialog on a screen of 1280."""
_AS_PRESET = "as in the preset"
Rules = str | Preset | EdmRules
Given = tuple[str, bytes]
Output = tuple[str, str, str, bytes]


@st.dialog("Score files", width="large")
def score_files_dialog() -> None:
    """Ask for a gold file and parsers' outputs, list what is wrong with them, and begin scoring."""
    how = st.segmented_control(
        "How", [_UPLOAD, _PASTE], default=_UPLOAD, required=True, label_visibility="collapsed", key="score_how"
    )
    gold, outputs = _swapped(*(_uploads() if how != _PASTE else _pasted()))
    choices = st.container()
    gold_checked, checked = _checked(gold, outputs)
    with choices:
        preset, options = _choices(gold_checked)
        metadata = _metadata() if how != _PASTE else []
    if isinstance(preset, str | Preset) and load_preset(preset).evalb is not None:
        gold_checked, checked = _checked(gold, outputs, as_evalb=True)
    align = bool(options.get("align_sentences"))
    if gold is None and not outputs:
        show_blocks(note(_HINT), key="score_hint")
        return
    if gold_checked is not None:
        _found("gold", gold[0] if gold is not None else "", gold_checked)
        _offer_encoding("gold", gold[0] if gold is not None else "", gold_checked)
    names = [_found_parser(label, name, item, gold_checked) for label, name, item in checked]
    for (label, _, file, _), (_, _, item) in zip(outputs, checked, strict=True):
        _offer_encoding(label, file, item)
    if gold is not None and gold_checked is not None:
        _offer_swap(gold[0], gold_checked, outputs, [item for _, _, item in checked])
        if not align:
            _offer_alignment(gold_checked, names, [item for _, _, item in checked], preset)
    problems = _problems(gold_checked, names, [item for _, _, item in checked], preset, align=align)
    title = _title(gold, names)
    missing = _what_is_missing(gold_checked, names, [item for _, _, item in checked], preset)
    if metadata is None:
        missing = missing or "Remove or replace the file of metadata."
    label = "Score" if not problems or missing else f"Score anyway ({count_of(problems, 'problem')})"
    with st.container(key="score_footer", horizontal=True, vertical_alignment="center"):  # stays in view
        confirmed = st.button(label, type="primary", disabled=bool(missing), key="score_go", help=missing or None)
        if missing:
            show_blocks(note(missing), key="score_missing")
    if confirmed and gold_checked is not None:
        sources = {
            name: item.source for name, (_, _, item) in zip(names, checked, strict=True) if item.source is not None
        }
        if gold_checked.source is not None and preset is not None:
            options |= {"metadata": metadata} if metadata else {}
            scored = partial(score, gold_checked.source, sources, preset=preset, **options)
            library.begin(title.strip() or "run", lambda progress, folder: scored(out=folder, progress=progress))
            let_go()
            st.rerun()


def _checked(
    gold: Given | None, outputs: list[Output], *, as_evalb: bool = False
) -> tuple[Checked | None, list[tuple[str, str, Checked]]]:
    """Look through the gold file and the parsers' outputs, which keep their labels and names."""
    with st.spinner("Reading the files …"):
        first = None if gold is None else check_once(*gold, encoding=_encoding("gold", gold[0]), as_evalb=as_evalb)
        like = None if first is None or first.content is None else first.content.format
        return first, [
            (label, name, check_once(file, stored, like, _encoding(label, file), as_evalb=as_evalb))
            for label, name, file, stored in outputs
        ]


def _encoding(label: str, file: str) -> str | None:
    """Return the encoding in which the reader wants a file to be read; None for that of the file itself."""
    encoding: str | None = st.session_state.get(f"score_encoding_{label}_{file}")
    return encoding


def _offer_encoding(label: str, file: str, checked: Checked) -> None:
    """Offer to read a file that is not UTF-8 in the encoding that it seems to be in."""
    if (encoding := checked.encoding) is not None:
        state = f"score_encoding_{label}_{file}"
        title = f"Read {file} as {encoding}"
        st.button(title, key=f"{state}_go", on_click=_set_state, args=(state, encoding))


def _uploads() -> tuple[Given | None, list[Output]]:
    left, right = st.columns(2)
    with left:
        gold = st.file_uploader("Gold treebank", key="score_gold")
    with right:
        parsers: Any = st.file_uploader("Parsers’ outputs", accept_multiple_files=True, key="score_parsers")
    outputs: list[Output] = []
    for file in parsers or []:
        same = sum(_stem(file.name) == _stem(name) for _, _, name, _ in outputs)
        name = _stem(file.name) + (f" {same + 1}" if same else "")
        outputs.append((f"upload_{file.file_id}", name, file.name, file.getvalue()))
    return None if gold is None else (gold.name, gold.getvalue()), outputs


def _swapped(gold: Given | None, outputs: list[Output]) -> tuple[Given | None, list[Output]]:
    """Return the files, with the gold file and a parser's exchanged if the reader has asked for it."""
    index = next((i for i, output in enumerate(outputs) if output[0] == st.session_state.get(_SWAPPED)), None)
    if gold is None or index is None:
        return gold, outputs
    label, _, file, stored = outputs[index]
    former = (f"{label}_gold", _stem(gold[0]), *gold)
    show_swap = st.container(horizontal=True, vertical_alignment="center")
    with show_swap:
        st.text(f"{file} is used as the gold treebank, {gold[0]} as a parser’s output.")
        st.button("Swap back", key="score_swap_back", on_click=lambda: st.session_state.pop(_SWAPPED, None))
    return (file, stored), [*outputs[:index], former, *outputs[index + 1 :]]


def _offer_swap(file: str, gold: Checked, outputs: list[Output], checked: list[Checked]) -> None:
    """Offer to exchange the gold file and a parser's, if they look as if they were mistaken for each other."""
    for (label, _, name, _), item in zip(outputs, checked, strict=True):
        if item.framework is not gold.framework or st.session_state.get(_SWAPPED) is not None:
            continue
        named = "gold" in name.lower() and "gold" not in file.lower()
        if named or (gold.trees < gold.sentences and item.trees == item.sentences > gold.trees):
            without = gold.sentences - gold.trees
            why = f"{without:,} of {gold.sentences:,} sentences in {file} have no tree." if without else ""
            with st.container(border=True, horizontal=True, vertical_alignment="center", key="score_swap_offer"):
                st.text(f"Is {name} the gold treebank? {why}".strip())
                st.button("Swap the two files", key="score_swap", on_click=_set_state, args=(_SWAPPED, label))
            return


def _set_state(name: str, value: object) -> None:
    st.session_state[name] = value


def _offer_alignment(gold: Checked, names: list[str], outputs: list[Checked], preset: Rules | None) -> None:
    """Offer to align sentences by their words, if a file has another number of sentences or most words differ."""
    if gold.framework is None or gold.framework.options in _FORMS or isinstance(preset, EdmRules):
        return
    reasons = []
    for name, item in zip(names, outputs, strict=True):
        if item.framework is not gold.framework or not item.trees:
            continue
        if item.sentences != gold.sentences:
            reasons.append(f"{name} has {item.sentences:,} sentences, the gold treebank {gold.sentences:,}.")
        elif preset is not None:
            differ = sum(problem.kind == "words_differ" for problem in compare_once(gold, item, preset).problems)
            if differ > _MANY_DIFFER * item.sentences:
                reasons.append(f"{name} has other words than the gold treebank in {differ:,} sentences.")
    if reasons:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="score_align_offer"):
            st.text("\n".join([*reasons, "Without alignment, sentence i is scored against gold sentence i."]))
            st.button(
                "Align sentences by their words",
                key="score_align_go",
                on_click=_set_state,
                args=("score_align", True),
            )


def _title(gold: Given | None, names: list[str]) -> str:
    """Let the reader name the run; by default it is named after the gold file and the parsers."""
    parsers = ", ".join(name for name in names if name)
    default = ": ".join(part for part in (_stem(gold[0]) if gold is not None else "", parsers) if part)
    if st.session_state.get("score_title", "") in ("", st.session_state.get(_DEFAULT_TITLE)):
        st.session_state["score_title"] = default
    st.session_state[_DEFAULT_TITLE] = default
    return str(st.text_input("Name of the run", key="score_title"))


def _pasted() -> tuple[Given | None, list[Output]]:
    number = int(st.session_state.setdefault("paste_number", 1))
    gold = st.text_area("Gold trees", key="paste_gold", height=120, placeholder="(S (NP (N dogs)) (VP (V bark)))")
    outputs = []
    for index in range(number):
        title = "Parser’s trees" if number == 1 else f"Trees of parser {index + 1}"
        text = st.text_area(title, key=f"paste_{index}", height=120, placeholder="(S (NP (N dogs)) (NP (N bark)))")
        if text.strip():
            name = f"parser {index + 1}" if number > 1 else "parser"
            outputs.append((f"paste_{index}", name, f"pasted {name}", text.encode("utf-8", "surrogatepass")))

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
    """Ask what counts; what can be asked depends on what the gold file holds."""
    framework = None if gold is None else gold.framework
    return _of_brackets() if framework is None else _FORMS.get(framework.options, _of_brackets)()


def _metadata() -> list[Source] | None:
    """Ask for files with the genre, document and the like of sentences; None if one of them cannot be read."""
    files: Any = st.file_uploader(
        "Metadata of the sentences (optional)", accept_multiple_files=True, key="score_metadata", help=_METADATA
    )
    sources = []
    for index, file in enumerate(files or []):
        try:
            source = Source.from_bytes(file.getvalue(), file.name, upload_limit())
            read = read_metadata(source)
        except EvaltoolsError as error:
            st.error("The file of metadata cannot be read.")
            st.code(str(error), language=None, wrap_lines=True)
            return None
        columns = dict.fromkeys(name for row in read.rows.values() for name in row.values if name != read.by)
        found = f"{len(read.rows):,} {'rows' if len(read.rows) != 1 else 'row'} by {read.by}"
        faults = f"; {len(read.problems):,} rows left out" if read.problems else ""
        text = f"{file.name}: {found}, with {', '.join(columns) or 'no other column'}{faults}"
        show_blocks(note(text), key=f"score_metadata_{index}")
        sources.append(source)
    return sources


def _of_brackets() -> tuple[Rules | None, dict[str, Any]]:
    preset = _preset()
    align = st.checkbox("Align sentences by their words", key="score_align", help=_ALIGN)
    return preset, {"align_sentences": align}


def _of_relations() -> tuple[Rules | None, dict[str, Any]]:
    """Ask for rules of dependency trees, which have no brackets that a preset could delete."""
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
        preset = st.selectbox("Preset", list(titles), format_func=lambda one: titles[one], key="score_edm_preset")
    with right:
        says = {_AS_PRESET: _AS_PRESET} | {name: f"{name} – {text}" for name, text in SPANS.items()}
        spans = st.selectbox("Spans", list(says), format_func=lambda one: says[one], key="score_spans")
    rules = load_edm_rules(preset, spans=None if spans == _AS_PRESET else spans)
    file = st.file_uploader("Your weights (TOML, optional)", key="score_weights")
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
    with st.expander("Rules"):
        st.code(rules.describe(), language=None, wrap_lines=True)
    return rules


def _of_triples() -> tuple[Rules | None, dict[str, Any]]:
    return _edm_rules(), {}


_FORMS: dict[type[Options], Callable[[], tuple[Rules | None, dict[str, Any]]]] = {
    DependencyOptions: _of_relations,
    SemanticOptions: _of_triples,
}
"""The choices before scoring where presets, which are for brackets, do not apply."""


def _preset() -> str | Preset | None:
    names = [name for name in PRESETS if not name.startswith("evalb:")] + [_OWN]
    titles = {name: f"{name} – {PRESETS[name]}" for name in names[:-1]} | {_OWN: "your EVALB parameter file"}
    chosen = st.selectbox("Preset", names, format_func=lambda one: titles[one], key="score_preset")
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
    with st.expander("Rules"):
        st.code(preset.describe(), language=None, wrap_lines=True)
    return preset


def _found(label: str, file: str, checked: Checked) -> None:
    columns = st.columns([2, 5], vertical_alignment="center")
    with columns[0]:
        st.text(label)
    with columns[1]:
        show_blocks(note(f"{file}: {checked.describe()}"), key=f"found_{label}")


def _found_parser(label: str, name: str, checked: Checked, gold: Checked | None) -> str:
    columns = st.columns([2, 5], vertical_alignment="center")
    with columns[0]:
        chosen = st.text_input("Parser’s name", value=name, key=f"name_{label}", label_visibility="collapsed")
    with columns[1]:
        file = checked.source.name if checked.source is not None else checked.problems[0].file
        streams = None if gold is None or gold.framework is None else gold.framework.streams
        pairing = (
            ""
            if gold is None or streams is None or streams.by_position
            else compare_once(gold, checked, "none").pairing
        )
        text = f"{file}: {checked.describe()}" + (f"; {pairing}" if pairing else "")
        show_blocks(note(text), key=f"found_{label}")
    return chosen.strip()


def _problems(
    gold: Checked | None, names: list[str], outputs: list[Checked], preset: Rules | None, *, align: bool
) -> int:
    """List the problems of all inputs; return how many there are."""
    found = [("gold", problem) for problem in (gold.problems if gold is not None else ())]
    of_items = joint_problems(gold, outputs) if gold is not None else [[] for _ in range(len(outputs) + 1)]
    found += [("gold", problem) for problem in of_items[0]]
    of_gold: dict[Problem, None] = {}
    for name, item, others in zip(names, outputs, of_items[1:], strict=True):
        found += [(name, problem) for problem in (*item.problems, *others)]
        if gold is None or gold.framework is None:
            continue
        streams = gold.framework.streams
        by_position = streams is not None and streams.by_position
        if by_position and not item.fatal and not align and item.sentences != gold.sentences:
            text = f"{item.sentences:,} sentences"
            expected = f"{gold.sentences:,}, as in the gold file"
            file = item.source.name if item.source is not None else name
            found.append((name, Problem("number", file, None, None, text, expected)))
        if preset is not None and not isinstance(preset, EdmRules):
            compared = compare_once(gold, item, preset, align=align)
            found += [(name, problem) for problem in compared.problems]
            of_gold |= dict.fromkeys(compared.gold_problems)
    found = [("gold", problem) for problem in of_gold] + found
    if found:
        rows = [
            {"of": whose, "file": p.file, "line": p.line, "column": p.column, "found": p.found, "expected": p.expected}
            for whose, p in found[:_MOST_LISTED]
        ]
        st.text(f"{count_of(len(found), 'problem')} found")
        frame = pd.DataFrame(rows).astype({"line": "Int64", "column": "Int64"})
        problems_table(frame, _WIDTHS, key="score_problems", max_height=_MAX_HEIGHT)
    return len(found)


def _what_is_missing(gold: Checked | None, names: list[str], outputs: list[Checked], preset: Rules | None) -> str:
    """Say what is still needed before anything can be scored; empty if nothing is."""
    if gold is None:
        return "Add a gold treebank."
    if gold.framework is None or not gold.trees:
        what = "tree" if gold.framework is None else gold.framework.nouns.tree
        return f"The gold treebank has no readable {what}."
    if not outputs:
        return "Add at least one parser’s output."
    different = [
        item.framework for item in outputs if item.framework is not None and item.framework is not gold.framework
    ]
    if different:
        what = gold.framework.title
        kinds = f"a gold file of {what} needs parsers’ outputs of {what}"
        if any(framework.reads is None for framework in (gold.framework, *different)):
            return f"The files have different content: {kinds}."
        return f"The files have different kinds of trees: {kinds}. evaltools crossframework compares different kinds."
    if fatal := [item.problems[0].file for item in outputs if item.fatal]:
        return f"Remove or replace {', '.join(fatal)}: the file cannot be read."
    # an empty file is one of missing parses
    if unreadable := [item for item in outputs if item.problems and not item.trees and not item.is_empty]:
        return (
            f"{unreadable[0].problems[0].file} has no readable {gold.framework.nouns.tree}: remove or replace the file."
        )
    if any(not name for name in names):
        return "Every parser needs a name."
    if len(set(names)) < len(names):
        return "Two parsers have the same name; each needs its own."
    if preset is None and gold.framework.options is SemanticOptions:
        return "Remove or replace the file of weights."
    return "" if preset is not None else "Add a parameter file or choose another preset."
