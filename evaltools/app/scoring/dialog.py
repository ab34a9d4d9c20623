"""Scoring files in the app: what is given, what was found in it, then the scoring in the background."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Any, Literal

import streamlit as st

from evaltools.analysis.experiments import experiments
from evaltools.app.components.blocks import show_blocks, show_problems
from evaltools.app.scoring.checking import (
    UNCHECKED,
    Checked,
    check_once,
    compare_once,
    joint_problems,
    let_go,
    upload_limit,
)
from evaltools.app.session import library
from evaltools.blocks import note
from evaltools.corpus import Dependencies, Treebank
from evaltools.errors import EvaltoolsError, InputError, Problem
from evaltools.formats import Source
from evaltools.formats.metadata_files import read_metadata
from evaltools.formats.small_tables import read_label_map, read_label_pairs
from evaltools.frameworks.common.tree_options import TreeOptions, read_cost_table
from evaltools.frameworks.dependency.options import PUNCTUATION, DependencyOptions
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.options import Options, options_in
from evaltools.frameworks.presets import PRESETS, Preset, load_preset, preset_from_parameters
from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS, SPANS, EdmRules, load_edm_rules
from evaltools.frameworks.semantics.options import SemanticOptions
from evaltools.progress import Progress
from evaltools.runs.scoring import crossframework, score
from evaltools.runs.store import Run
from evaltools.text import count_of

_ENDINGS = frozenset(
    ".gz .zst .ptb .mrg .txt .tst .gld .brackets .parse .out .conllu .conllx .conll .eds .dmrs .mrs .simplemrs "
    ".simpledmrs .mrx .dmrx .xml .mrp .jsonl .json".split()
)
"""Endings of formats and compression, which are no part of a parser's name."""
_UPLOAD, _PASTE = "Upload files", "Paste trees"
_OWN = "evalb"
_DEFAULT_TITLE = "score_default_title"
_MORE_GOLDS = "score_more_golds"
_OTHER_GOLDS = "Of the same sentences in another theory or framework, to compare parsers that do not share a treebank"
_MANY_DIFFER = 0.2
_ALIGN = (
    "For outputs with missing, extra or shifted sentences: each is paired with the gold sentence of the same words. "
    "Missing, extra and shifted sentences are listed."
)
_METADATA = (
    "Genre, document and other columns to filter and group by: a table with tabs and a heading, by sent_id, sentence "
    "(the number) or document, or CoNLL-U, as in evaltools score --metadata. What no row fits is listed after scoring."
)
_SUBTYPES = {"drop": "nsubj:pass is nsubj, as in the CoNLL 2018 evaluation", "keep": "they differ"}
_HINT = (
    "Brackets: one tree a line or spread over lines; a blank line or (()) means no parse. Dependency trees: "
    "CoNLL-U or CoNLL-X. Semantic graphs: EDS, DMRS, MRS or MRP, in any notation; a profile is a folder and cannot be "
    "uploaded: score it with evaltools score, and open the run here. gzip and Zstandard files are accepted."
)
_MAX_WHOLE, _MAX_HEIGHT = 4, 240
"""Maximum number of problems that are all in view, and the height of a longer list in pixels."""
_AS_PRESET = "as in the preset"
Rules = str | Preset | EdmRules


@dataclass
class Input:
    """An input that the reader has given."""

    label: str  # Names its widgets
    name: str  # The parser's name, at first from the name of the file
    file: str
    stored: bytes
    checked: Checked = UNCHECKED

    @property
    def framework(self) -> Framework | None:
        """Whose trees it holds; None if it cannot be read."""
        return self.checked.framework

    def check(self, like: str | None = None, *, as_evalb: bool = False) -> None:
        """Look through it, in the encoding that the reader wants; `like` is the gold format, for a parser's file."""
        encoding = st.session_state.get(f"score_encoding_{self.label}_{self.file}")
        self.checked = check_once(self.file, self.stored, like, encoding, as_evalb=as_evalb)


@st.dialog("Score files", width="large")
def score_files_dialog() -> None:
    """Ask for a gold file and parsers' outputs, list what is wrong with them, and begin scoring."""
    how = st.segmented_control(
        "How", [_UPLOAD, _PASTE], default=_UPLOAD, required=True, label_visibility="collapsed", key="score_how"
    )
    gold, more_golds, outputs = _uploads() if how != _PASTE else _pasted()
    if gold is not None and more_golds:
        _score_theories([gold, *more_golds], outputs)
        return
    choices = st.container()
    _check(gold, outputs)
    with choices:
        framework = None if gold is None else gold.framework
        rules, options = _of_brackets() if framework is None else _FORMS.get(framework.options, _of_brackets)()
        tables = _tables_and_flags(Options if framework is None else framework.options)
        metadata = _metadata() if how != _PASTE else []
    if isinstance(rules, str | Preset) and load_preset(rules).evalb is not None:
        _check(gold, outputs, as_evalb=True)
    if gold is None and not outputs:
        show_blocks(note(_HINT), key="score_hint")
        return
    for item in [*([] if gold is None else [gold]), *outputs]:
        _show_found(item, gold)
    is_aligned = bool(options.get("align_sentences"))
    if gold is not None and not is_aligned:
        _offer_alignment(gold, outputs, rules)
    n_problems = _show_problems(gold, outputs, rules, align=is_aligned)
    title = _title(gold, outputs)
    missing = _what_is_missing(gold, outputs, rules)
    confirmed = _confirmed(missing or _unreadable_file(metadata, tables), n_problems)
    if confirmed and gold is not None and gold.checked.source is not None and rules is not None:
        sources = {item.name: item.checked.source for item in outputs if item.checked.source is not None}
        options |= ({"metadata": metadata} if metadata else {}) | (tables or {})
        scored = partial(score, gold.checked.source, sources, preset=rules, **options)
        _begin(title, lambda progress, folder: scored(out=folder, progress=progress))


def _confirmed(missing: str, n_problems: int) -> bool:
    """Draw the button that begins scoring, with what is still needed; return whether it was clicked."""
    label = "Score" if not n_problems or missing else f"Score anyway ({count_of(n_problems, 'problem')})"
    with st.container(key="score_footer", horizontal=True, vertical_alignment="center"):  # stays in view
        confirmed = st.button(label, type="primary", disabled=bool(missing), key="score_go", help=missing or None)
        if missing:
            show_blocks(note(missing), key="score_missing")
    return confirmed


def _begin(title: str, work: Callable[[Progress, Path], Run]) -> None:
    library.begin(title.strip() or "run", work)
    let_go()
    st.rerun()


# ----------------------------------------------------------------------------------------------------- what is given


def _uploads() -> tuple[Input | None, list[Input], list[Input]]:
    """Ask for files: a gold treebank, those of other theories once there is one, and parsers' outputs."""
    left, right = st.columns(2)
    more_golds: Any = []
    with left:
        gold = st.file_uploader("Gold treebank", key="score_gold")
        if gold is not None and st.session_state.get(_MORE_GOLDS):
            more_golds = st.file_uploader("Other gold treebanks", accept_multiple_files=True, key="score_golds")
        elif gold is not None:
            st.button(
                "Another gold treebank",
                key="score_more_golds_go",
                on_click=_set_state,
                args=(_MORE_GOLDS, True),
                type="tertiary",
                icon=":material/add:",
                help=_OTHER_GOLDS,
            )
    with right:
        parsers: Any = st.file_uploader("Parsers’ outputs", accept_multiple_files=True, key="score_parsers")
    outputs: list[Input] = []
    for file in parsers or []:
        same = sum(_stem(file.name) == _stem(item.file) for item in outputs)
        name = _stem(file.name) + (f" {same + 1}" if same else "")
        outputs.append(Input(f"upload_{file.file_id}", name, file.name, file.getvalue()))
    golds = [Input(f"gold_{file.file_id}", _stem(file.name), file.name, file.getvalue()) for file in more_golds or []]
    first = None if gold is None else Input("gold", _stem(gold.name), gold.name, gold.getvalue())
    return first, golds, outputs


def _pasted() -> tuple[Input | None, list[Input], list[Input]]:
    number = int(st.session_state.setdefault("paste_number", 1))
    gold = st.text_area("Gold trees", key="paste_gold", height=120, placeholder="(S (NP (N dogs)) (VP (V bark)))")
    outputs = []
    for index in range(number):
        title = "Parser’s trees" if number == 1 else f"Trees of parser {index + 1}"
        text = st.text_area(title, key=f"paste_{index}", height=120, placeholder="(S (NP (N dogs)) (NP (N bark)))")
        if text.strip():
            name = f"parser {index + 1}" if number > 1 else "parser"
            outputs.append(Input(f"paste_{index}", name, f"pasted {name}", text.encode("utf-8", "surrogatepass")))
    st.button(
        "Another parser",
        key="paste_more",
        on_click=_set_state,
        args=("paste_number", number + 1),
        type="tertiary",
        icon=":material/add:",
    )
    given = Input("gold", "pasted gold", "pasted gold", gold.encode("utf-8", "surrogatepass"))
    return given if gold.strip() else None, [], outputs


def _stem(file: str) -> str:
    """Return a file's name without the endings of formats and compression."""
    path = PurePath(file)
    while path.suffix.lower() in _ENDINGS:
        path = path.with_suffix("")
    return path.name or "parser"


def _set_state(name: str, value: object) -> None:
    st.session_state[name] = value


def _check(gold: Input | None, outputs: Sequence[Input], *, as_evalb: bool = False) -> None:
    """Look through the gold file and the parsers' outputs."""
    with st.spinner("Reading the files …"):
        like = None
        if gold is not None:
            gold.check(as_evalb=as_evalb)
            like = None if gold.checked.content is None else gold.checked.content.format
        for item in outputs:
            item.check(like, as_evalb=as_evalb)


# ---------------------------------------------------------------------------------------------------------- choices


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
            _unreadable("The file of metadata", error)
            return None
        columns = dict.fromkeys(name for row in read.rows.values() for name in row.values if name != read.by)
        found = f"{count_of(len(read.rows), 'row')} by {read.by}"
        faults = f"; {count_of(len(read.problems), 'row')} left out" if read.problems else ""
        text = f"{file.name}: {found}, with {', '.join(columns) or 'no other column'}{faults}"
        show_blocks(note(text), key=f"score_metadata_{index}")
        sources.append(source)
    return sources


def _unreadable(what: str, error: EvaltoolsError) -> None:
    st.error(f"{what} cannot be read.")
    st.code(str(error), language=None, wrap_lines=True)


def _select(label: str, titles: Mapping[str, str], key: str) -> str:
    """Let the reader choose among options that have a description each."""
    described = {name: f"{name} – {text}" if text else name for name, text in titles.items()}
    return str(st.selectbox(label, list(titles), format_func=described.__getitem__, key=key))


def _of_brackets() -> tuple[Rules | None, dict[str, Any]]:
    rules = _preset()
    return rules, {"align_sentences": st.checkbox("Align sentences by their words", key="score_align", help=_ALIGN)}


_LABEL_MAP_HELP = "Two columns: labels and their replacements, in gold and parser trees alike"
_COSTS_HELP = (
    "Two labels and the cost of replacing one by the other, a line each: for the leaf-ancestor metric with costs"
)


def _tables_and_flags(kind: type[Options]) -> dict[str, Any] | None:
    """Ask for the options of a framework that few readers need; None if a file of them cannot be read."""
    known, files, options = options_in(kind), [], {}
    if issubclass(kind, TreeOptions):
        files = [
            ("label_map", "Label map", read_label_map, _LABEL_MAP_HELP),
            ("la_table", "Costs of labels (leaf-ancestor)", read_cost_table, _COSTS_HELP),
        ]
    if not files:
        return {}
    with st.expander("More options"):
        if "multiword_only" in known:
            title = "Only brackets of two words or more (GEIG)"
            help_text = known["multiword_only"].help
            options["multiword_only"] = st.checkbox(title, key="score_multiword", help=help_text)
        tables = _read_tables(files)
    return None if tables is None else {name: value for name, value in (options | tables).items() if value}


Reader = Callable[[Path], Any]


def _read_tables(files: Sequence[tuple[str, str, Reader, str]]) -> dict[str, Any] | None:
    """Ask for small tables by name, title, reader and help; return what is in them, or None if one cannot be read."""
    tables: dict[str, Any] = {}
    is_readable = True
    for column, (name, title, read, help_text) in zip(st.columns(len(files)), files, strict=True):
        file = column.file_uploader(title, key=f"score_table_{name}", help=help_text)
        if file is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "table")
            path.write_bytes(file.getvalue())
            try:
                tables[name] = read(path)
            except InputError as error:
                _unreadable(f"The file {file.name}", InputError(replace(error.problem, file=file.name)))
                is_readable = False
    return tables if is_readable else None


def _unreadable_file(metadata: object, tables: object) -> str:
    """Return what is needed if the file of metadata, or one of labels or costs, cannot be read."""
    if metadata is None:
        return "Remove or replace the file of metadata."
    return "Remove or replace the file of labels or costs." if tables is None else ""


def _preset() -> str | Preset | None:
    titles = {name: text for name, text in PRESETS.items() if not name.startswith("evalb:")}
    chosen = _select("Preset", titles | {_OWN: "your EVALB parameter file"}, "score_preset")
    if chosen != _OWN:
        return chosen
    file = st.file_uploader("EVALB parameter file", key="score_parameters")
    if file is None:
        return None
    try:
        text = file.getvalue().decode("utf-8", "backslashreplace")
        preset = preset_from_parameters(f"evalb:{file.name}", text, file.name)
    except EvaltoolsError as error:
        _unreadable("The parameter file", error)
        return None
    with st.expander("Rules"):
        st.code(preset.describe(), language=None, wrap_lines=True)
    return preset


def _of_relations() -> tuple[Rules | None, dict[str, Any]]:
    """Ask for rules of dependency trees, which have no brackets that a preset could delete."""
    left, right = st.columns(2)
    with left:
        punctuation = _select("Punctuation", PUNCTUATION, "score_punctuation")
    with right:
        subtypes = _select("Subtypes of relations", _SUBTYPES, "score_subtypes")
    return "none", {"punctuation": punctuation, "subtypes": subtypes == "keep"}


def _of_triples() -> tuple[Rules | None, dict[str, Any]]:
    """Ask which triples of semantic graphs count, and how much."""
    left, right = st.columns(2)
    with left:
        preset = _select("Preset", EDM_PRESETS, "score_edm_preset")
    with right:
        chosen = _select("Spans", {_AS_PRESET: "", **SPANS}, "score_spans")
    spans = None if chosen == _AS_PRESET else chosen
    return load_edm_rules(preset, spans=spans), {}


_FORMS: dict[type[Options], Callable[[], tuple[Rules | None, dict[str, Any]]]] = {
    DependencyOptions: _of_relations,
    SemanticOptions: _of_triples,
}
"""The choices before scoring where presets, which are for brackets, do not apply."""


def _title(gold: Input | None, outputs: Sequence[Input]) -> str:
    """Let the reader name the run; by default it is named after the gold file and the parsers."""
    parsers = ", ".join(item.name for item in outputs if item.name)
    default = ": ".join(part for part in (_stem(gold.file) if gold is not None else "", parsers) if part)
    if st.session_state.get("score_title", "") in ("", st.session_state.get(_DEFAULT_TITLE)):
        st.session_state["score_title"] = default
    st.session_state[_DEFAULT_TITLE] = default
    return str(st.text_input("Name of the run", key="score_title"))


# ----------------------------------------------------------------------------------------------- what was found in it


def _show_found(item: Input, gold: Input | None) -> None:
    """Say what an input is; the reader may rename a parser."""
    left, right = st.columns([2, 5], vertical_alignment="center")
    streams = None if gold is None or gold.framework is None else gold.framework.streams
    pairing = ""
    with left:
        if item is gold:
            st.text("gold")
        else:
            _rename(item, "Parser’s name", "collapsed")
            if gold is not None and streams is not None and not streams.by_position:
                pairing = compare_once(gold.checked, item.checked, "none").pairing
    with right:
        _describe(item, pairing)


def _rename(item: Input, title: str, visibility: Literal["visible", "collapsed"]) -> None:
    """Let the reader rename an input."""
    given = st.text_input(title, item.name, key=f"name_{item.label}", label_visibility=visibility)
    item.name = given.strip()


def _describe(item: Input, pairing: str = "") -> None:
    """Say what an input is, and how it is paired; the reader may read the file in another encoding."""
    text = f"{item.file}: {item.checked.describe()}"
    show_blocks(note("; ".join(filter(None, [text, pairing]))), key=f"found_{item.label}")
    if (encoding := item.checked.encoding) is not None:
        name = f"score_encoding_{item.label}_{item.file}"
        st.button(f"Read {item.file} as {encoding}", key=f"{name}_go", on_click=_set_state, args=(name, encoding))


def _offer_alignment(gold: Input, outputs: Sequence[Input], rules: Rules | None) -> None:
    """Offer to align sentences by their words, if a file has another number of sentences or most words differ."""
    if gold.framework is None or gold.framework.options in _FORMS or isinstance(rules, EdmRules):
        return
    reasons = []
    for item in outputs:
        n = item.checked.sentences
        if item.framework is not gold.framework or not item.checked.trees:
            continue
        if n != gold.checked.sentences:
            reasons.append(f"{item.name} has {n:,} sentences, the gold treebank {gold.checked.sentences:,}.")
        elif rules is not None:
            problems = compare_once(gold.checked, item.checked, rules).problems
            differ = sum(problem.kind == "words_differ" for problem in problems)
            if differ > _MANY_DIFFER * n:
                reasons.append(f"{item.name} has other words than the gold treebank in {differ:,} sentences.")
    if reasons:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="score_align_offer"):
            st.text("\n".join([*reasons, "Without alignment, sentence i is scored against gold sentence i."]))
            st.button(
                "Align sentences by their words", key="score_align_go", on_click=_set_state, args=("score_align", True)
            )


def _show_problems(gold: Input | None, outputs: Sequence[Input], rules: Rules | None, *, align: bool) -> int:
    """List the problems of all inputs; return how many there are."""
    of_gold: dict[Problem, None] = {}  # those that show beside a parser's file, once
    found: list[tuple[str, Problem]] = []
    if gold is not None:
        own, *joint = joint_problems(gold.checked, [item.checked for item in outputs])
        found = [("gold", problem) for problem in (*gold.checked.problems, *own)]
    else:
        joint = [[] for _ in outputs]
    for item, others in zip(outputs, joint, strict=True):
        problems = [*item.checked.problems, *others]
        if gold is not None and gold.framework is not None:
            streams, n = gold.framework.streams, gold.checked.sentences
            by_position = streams is not None and streams.by_position and not align
            if by_position and not item.checked.fatal and item.checked.sentences != n:
                expected = f"{n:,}, as in the gold file"
                text = f"{item.checked.sentences:,} sentences"
                problems.append(Problem("number", item.file, None, None, text, expected))
            if rules is not None and not isinstance(rules, EdmRules):
                compared = compare_once(gold.checked, item.checked, rules, align=align)
                problems += compared.problems
                of_gold |= dict.fromkeys(compared.gold_problems)
        found += [(item.name, problem) for problem in problems]
    return _list_problems([("gold", problem) for problem in of_gold] + found)


def _list_problems(found: Sequence[tuple[str, Problem]]) -> int:
    """List problems with the input that each is of; return how many there are."""
    if found:
        st.text(f"{count_of(len(found), 'problem')} found")
        with st.container(height=_MAX_HEIGHT if len(found) > _MAX_WHOLE else "content"):
            show_problems([problem for _, problem in found], key="score_problems", of=[whose for whose, _ in found])
    return len(found)


def _what_is_missing(gold: Input | None, outputs: Sequence[Input], rules: Rules | None) -> str:
    """Say what is still needed before anything can be scored; empty if nothing is."""
    if gold is None:
        return "Add a gold treebank."
    framework = gold.framework
    if framework is None or not gold.checked.trees:
        return f"The gold treebank has no readable {'tree' if framework is None else framework.nouns.tree}."
    if not outputs:
        return "Add at least one parser’s output."
    frameworks = [item.framework for item in outputs if item.framework is not None]
    different = [item for item in frameworks if item is not framework]
    if different:
        kinds = f"a gold file of {framework.title} needs parsers’ outputs of {framework.title}"
        if any(item.reads is None for item in (framework, *different)):
            return f"The files have different content: {kinds}."
        return f"The files have different kinds of trees: {kinds}. evaltools crossframework compares different kinds."
    if fatal := [item.file for item in outputs if item.checked.fatal]:
        return f"Remove or replace {', '.join(fatal)}: the file cannot be read."
    for item in outputs:
        if item.checked.problems and not item.checked.trees and not item.checked.is_empty:  # that has missing parses
            return f"{item.file} has no readable {framework.nouns.tree}: remove or replace the file."
    names = [item.name for item in outputs]
    if not all(names):
        return "Every parser needs a name."
    if len(set(names)) < len(names):
        return "Two parsers have the same name; each needs its own."
    return "" if rules is not None else "Add a parameter file or choose another preset."


# ------------------------------------------------------------------------------------------- several gold treebanks


def _score_theories(golds: Sequence[Input], outputs: Sequence[Input]) -> None:
    """Ask for the theory of every file and how labels compare, list what is wrong, and begin scoring."""
    with st.spinner("Reading the files …"):
        for item in (*golds, *outputs):
            item.check()
    show_blocks(note(_THEORIES), key="score_theories_note")
    for item in golds:
        left, right = st.columns([2, 5], vertical_alignment="bottom")
        with left:
            _rename(item, "Theory", "visible")
        with right:
            _describe(item)
    theories = {item.name: _theory(item, golds) for item in outputs}
    with st.expander("More options"):
        options = _of_theories(golds, outputs)
    metadata = _metadata()
    found = [(item.name, problem) for item in (*golds, *outputs) for problem in item.checked.problems]
    n_problems = _list_problems(found)
    title = _title(golds[0], outputs)
    missing = _missing_of_theories(golds, outputs) or _unreadable_file(metadata, options)
    if _confirmed(missing, n_problems) and options is not None:
        options |= {"metadata": metadata} if metadata else {}
        scored = partial(
            crossframework,
            {item.name: item.checked.source for item in golds if item.checked.source is not None},
            {item.name: (theories[item.name], item.checked.source) for item in outputs if item.checked.source},
            **options,
        )

        def work(progress: Progress, folder: Path) -> Run:
            run = scored(out=folder, progress=progress)
            experiments(run, progress, keep=True)
            return run

        _begin(title, work)


_THEORIES = (
    "Several gold treebanks of the same sentences: parsers are compared by TedEval with what these have in common. "
    "Each gold treebank has a theory, such as phrases or UD, and each parser the theory it was trained on."
)


def _theory(item: Input, golds: Sequence[Input]) -> str:
    """Let the reader rename a parser and choose its theory; by default one in its name, or of the same trees."""
    left, middle, right = st.columns([2, 2, 3], vertical_alignment="bottom")
    with left:
        _rename(item, "Parser’s name", "visible")
    by_label = {gold.label: gold.name for gold in golds}
    alike = [gold for gold in golds if gold.framework is item.framework]
    named = [gold for gold in alike if gold.name and gold.name.lower() in item.file.lower()]
    default = next(iter([*named, *alike, *golds])).label
    with middle:
        label = st.selectbox(
            "Theory of the parser",
            list(by_label),
            index=list(by_label).index(default),
            format_func=by_label.__getitem__,
            key=f"theory_{item.label}_{len(golds)}",
        )
    with right:
        _describe(item)
    return by_label[str(label)]


def _of_theories(golds: Sequence[Input], outputs: Sequence[Input]) -> dict[str, Any] | None:
    """Ask how trees become function trees; None if a file cannot be read."""
    pairs = {f"{a.label} {b.label}": (a, b) for group in (golds, outputs) for a in group for b in group if a is not b}
    chosen = st.multiselect(
        "Add functions of other trees (TL-unification)",
        list(pairs),
        format_func=lambda name: f"{pairs[name][0].name} with the functions of {pairs[name][1].name}",
        key=f"score_unify_{hash(tuple(pairs))}",
        help="For trees without functions: those that the same trees have in another treebank or in another output",
    )
    left, right = st.columns(2)
    count_root = left.checkbox("Count the node over the whole sentence", value=True, key="score_count_root")
    projectivize = right.checkbox(
        "Make dependency trees projective for TedEval 2011", value=True, key="score_projectivize"
    )
    free_help = "Two columns: labels that TedEval 2011 treats as equal"
    tables = _read_tables(
        [
            ("label_map", "Label map", read_label_map, _LABEL_MAP_HELP),
            ("free_labels", "Equal labels (TedEval 2011)", read_label_pairs, free_help),
        ]
    )
    if tables is None:
        return None
    unify = [(first.name, second.name) for first, second in map(pairs.__getitem__, chosen)]
    return {"tl_unify": unify, "count_root": count_root, "projectivize": projectivize} | tables


def _missing_of_theories(golds: Sequence[Input], outputs: Sequence[Input]) -> str:
    """Say what is still needed before parsers of several theories can be compared; empty if nothing is."""
    for item in (*golds, *outputs):
        if item.checked.fatal or (item in golds and not item.checked.trees):
            return f"Remove or replace {item.file}: it has no readable tree."
        if item.framework is not None and item.framework.reads not in (Treebank, Dependencies):
            return f"Remove {item.file}: {item.framework.title} are not compared across theories, only trees are."
    if not outputs:
        return "Add at least one parser’s output."
    for group, what in ((golds, "gold treebank needs a theory"), (outputs, "parser needs a name")):
        names = [item.name for item in group]
        if not all(names):
            return f"Every {what}."
        if len(set(names)) < len(names):
            return f"Every {what} of its own: {next(name for name in names if names.count(name) > 1)} stands twice."
    return ""
