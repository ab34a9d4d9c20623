"""The frame of all pages: navigation, sidebar, progress of jobs, links, and the offer of a sample."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from evaltools.app.components import Component
from evaltools.app.components.blocks import show_blocks
from evaltools.app.scoring.dialog import score_files_dialog
from evaltools.app.session import library, state
from evaltools.app.session.jobs import JOB, Job, JobState, job_by_id, running_jobs
from evaltools.app.session.library import Known
from evaltools.app.widgets.pickers import column, folded, keys
from evaltools.blocks import facts
from evaltools.errors import EvaltoolsError
from evaltools.hosts import CLASS_FILE
from evaltools.runs.store import Run
from evaltools.runs.subset import subset_of
from evaltools.runs.warm import warm
from evaltools.text import excerpt

_PAGE_LINKS = Component("page_links")
"""Lets links wait for fields that were just written, and the menu of narrow windows close itself."""
_MAX_NAMES = 6
"""Maximum number of names that a remark lists."""


def faults(run: Run, query: Mapping[str, str]) -> dict[str, str]:
    """Return the names in a URL whose values the run does not have, with a sentence about each."""
    names: dict[str, tuple[str, Sequence[str]]] = {
        "parser": ("parser", run.parsers),
        "other": ("parser", run.parsers),
        "metric": ("metric", run.metrics),
        "metric2": ("metric", run.metrics),
        "view": ("view of hotspots", tuple(run.framework.questions().hotspots)),
        "key": ("metadata", keys(run)),
        "label": (run.framework.nouns.label, run.meta["labels"]),
    }
    found = {
        name: f"This run has no {what} “{excerpt(query[name])}”; it has: {_listed(valid)}."
        for name, (what, valid) in names.items()
        if query.get(name) and query[name] not in valid
    }
    number = query.get("sentence", "")
    if number and not (number.isdecimal() and 1 <= int(number[:12]) <= run.n_sentences):
        found["sentence"] = f"This run has no sentence “{excerpt(number)}”; its sentences are 1 to {run.n_sentences:,}."
    key, value = query.get("key", ""), query.get("value", "")
    if value and key in keys(run) and value not in (values := column(run, key)[0]):
        found["value"] = f"This run has no {key} “{excerpt(value)}”; it has: {_listed(values)}."
    return found


def _listed(names: Sequence[str]) -> str:
    """Return the first names of a list, with the number of the others; none if it is empty."""
    more = len(names) - _MAX_NAMES
    return ", ".join([*names[:_MAX_NAMES], *([f"{more:,} more"] if more > 0 else [])]) or "none"


def show_faults(run: Run) -> None:
    """Show what the link names and the run does not have."""
    wrong = faults(run, state.query())
    if not wrong:
        return
    with st.container(border=True, key="link_faults", horizontal=True, vertical_alignment="center"):
        st.text("\n".join([*wrong.values(), "The page shows its defaults, or the nearest sentence, instead."]))
        st.button("Dismiss", key="link_faults_dismiss", on_click=lambda: state.put(**dict.fromkeys(wrong)))


def show_progress() -> None:
    """Show what is being scored; when the job that this session started is done, open its run.

    The job is forgotten once the page is at the run's address: a click may begin the page again, at the address before.
    """
    for running in running_jobs():
        if running.id not in library.SAMPLES:
            _progress(running)
    job = job_by_id(st.session_state.get(JOB))
    if job is None or job.state is JobState.RUNNING:
        return
    if job.state is JobState.FAILED:  # shown until the reader dismisses it
        st.error("Scoring failed.")
        st.code(f"{job.title}: {job.message}", language=None, wrap_lines=True)
        st.button("Dismiss", key="dismiss_failure", on_click=lambda: st.session_state.pop(JOB, None))
        return
    if job.state is JobState.DONE and job.path is not None:
        known, parser = library.add(job.path, "scored"), state.get("parser")
        if state.get("run") != known.id:
            library.show(known, parser=parser if parser in library.open_run(known).parsers else None)
            st.rerun()
        st.toast("The new run is open.", icon=":material/check:")
    else:
        st.toast("Scoring was cancelled; nothing was saved.", icon=":material/cancel:")
    del st.session_state[JOB]


@st.fragment(run_every=0.5)
def _progress(job: Job, *, is_own: bool = False) -> None:
    """Show how far a job is, on a page of its own or above another one; when it ends, the page begins again."""
    if job.state is not JobState.RUNNING:
        st.rerun()
    if is_own:
        st.progress(job.share)
        st.text(job.describe())
        return
    with st.container(border=True, key=f"progress_{job.id}", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(gap="xxsmall"):
                st.text(f"Scoring {job.title}")
                st.text(job.describe())
            cancelled = job.progress.cancelled.is_set()
            st.button("Cancel", key=f"cancel_{job.id}", on_click=job.cancel, disabled=cancelled)
        st.progress(job.share)


@dataclass(frozen=True, slots=True)
class Selected:
    """The run to show, or why there is none."""

    run: Run | None  # The open run
    job: Job | None = None  # The job that makes it, while it runs
    fault: str = ""  # What is wrong
    is_sample: bool = False  # Whether it is a run of the bundled sample


def _sidebar(arguments: tuple[str, ...]) -> Selected:
    """Draw the sidebar and return the run to show."""
    with st.sidebar:
        known = _choose(arguments)
        selected = _open(known)
        if known is not None and selected.run is not None:
            _describe(selected.run, known)
        for fault in library.remember_given(arguments)[1]:
            st.error("A run given on the command line cannot be opened.")
            st.code(fault, language=None, wrap_lines=True)
        if st.button("Open a run", icon=":material/folder_open:", key="open_run", width="stretch"):
            _open_dialog()
        if st.button("Score files", icon=":material/upload_file:", key="score_files", width="stretch"):
            score_files_dialog()
    return selected


def _choose(arguments: tuple[str, ...]) -> Known | None:
    """Let the reader choose among the known runs; None where the URL names one that is not known."""
    runs = {known.id: known for known in library.known_runs(arguments)}
    names = [known.name for known in runs.values()]
    titles = {
        known.id: f"{known.name} ({known.path.parent.name})" if names.count(known.name) > 1 else known.name
        for known in runs.values()
    }
    value = state.get("run", library.default(arguments).id)
    shown = value if value in runs else None
    # while files are scored, a part of the page asks for news, and the browser sends the choice with it
    key = state.renewed_key("url_run", lambda key: st.session_state.get(key, shown) != shown)
    st.session_state[key] = shown

    def changed() -> None:
        chosen = st.session_state.get(key)
        if chosen is not None and key == state.current_key("url_run"):
            library.show(runs[chosen])

    st.selectbox(
        "Run", list(runs), format_func=titles.__getitem__, key=key, on_change=changed, placeholder="choose a run"
    )
    return None if shown is None else runs[shown]


def _open(known: Known | None) -> Selected:
    if known is None:
        return Selected(None, fault="The run in the link is not open here.")
    try:
        if known.origin in library.SAMPLES and not (known.path / "meta.json").is_file():
            job = library.sample_job(known.origin)
            job.finished.wait(0.2)
            if job.state is JobState.RUNNING:
                return Selected(None, job)
            if job.state is not JobState.DONE:
                return Selected(None, fault=job.message or "The sample was not scored.")
        return Selected(library.open_run(known), is_sample=known.origin in library.SAMPLES)
    except EvaltoolsError as error:
        return Selected(None, fault=str(error))


def _describe(run: Run, known: Known) -> None:
    rows = [
        (f"gold {item['theory']}" if "theory" in item else "gold", Path(item["file"]).name, f"{run.n_sentences:,}")
        for item in run.meta.get("golds", [run.meta["gold"]])
    ]
    if (of := subset_of(run)) is not None:
        rows.append(("part of", Path(of["of"]).name, f"{of['sentences']:,}"))
    rows.append(("parsers", "", "scored"))
    rows += [("", entry["name"], f"{entry['scored']:,}") for entry in run.meta["parsers"]]
    rows += [(title, value, "") for title, value in run.framework.runs.facts(run.meta)]
    show_blocks(facts(rows, remark="sentences scored, of those in the gold file"), key="run_facts")
    section = folded("Rules and signature", "rules")
    if section is None:
        return
    with section:
        st.code(run.meta["preset_rules"], language=None, wrap_lines=True)
        st.code(run.signature, language=None, wrap_lines=True)
        st.code(str(known.path), language=None, wrap_lines=True)


@st.dialog("Open a run")
def _open_dialog() -> None:
    path = st.text_input("Folder of a run, written by evaltools score", key="open_path", placeholder="/path/to/my.run")
    if st.button("Open", type="primary", key="open_path_go") and path.strip():
        try:
            known = library.add(Path(path.strip()).expanduser(), "opened")
            library.open_run(known)
        except (EvaltoolsError, OSError, ValueError) as error:
            st.error("This is not a run.")
            st.code(str(error), language=None, wrap_lines=True)
        else:
            library.show(known)
            st.rerun()


def explain_absence(selected: Selected) -> None:
    """Say in the page's place why there is no run to show."""
    if selected.job is not None:
        st.subheader("Preparing the sample")
        st.text("The sample treebank is scored, once after installation.")
        _progress(selected.job, is_own=True)
        return
    st.subheader("No run is open")
    st.text(selected.fault)
    st.text("Choose a run in the sidebar, open a folder that evaltools score wrote, or score files.")


_DISMISSED = "evaltools_sample_dismissed"


def show_sample_line(run: Run) -> None:
    """Describe the open sample run until the reader dismisses the line."""
    if st.session_state.get(_DISMISSED):
        return
    outputs = "output of 1 parser" if len(run.parsers) == 1 else f"outputs of {len(run.parsers)} parsers"
    sentences = f"{run.n_sentences:,} sentences with {run.framework.title}"
    with st.container(border=True, key="sample_line", horizontal=True, vertical_alignment="center"):
        st.text(f"This is the bundled sample: {sentences}, and the {outputs}.")
        if st.button("Score your own files", key="sample_score", type="tertiary", icon=":material/upload_file:"):
            score_files_dialog()
        dismissed = {_DISMISSED: True}
        st.button("Dismiss", key="sample_dismiss", type="tertiary", on_click=lambda: st.session_state.update(dismissed))


PAGES = {
    "Explore": (
        ("pages/overview.py", "Overview"),
        ("pages/worst_parses.py", "Worst parses"),
        ("pages/sentence.py", "Sentence"),
        ("pages/disagreement.py", "Disagreement"),
        ("pages/hotspots.py", "Hotspots"),
    ),
    "Frameworks": (("pages/crossframework.py", "Cross-framework"), ("pages/semantics.py", "Semantics")),
    "Learn": (
        ("pages/lessons.py", "Lessons"),
        ("pages/lab.py", "Metric lab"),
        ("pages/about.py", "About the metrics"),
    ),
}
"""The navigation: group to the pages in it."""

_STYLE = Path(__file__).with_name("frame.css")

_SELECTED: ContextVar[Selected | None] = ContextVar("evaltools_frame", default=None)


def _navigation() -> st.Page:
    """Register the pages, and return the requested one."""
    groups = {"Learn": PAGES["Learn"]} if is_class() else PAGES
    first = next(iter(groups.values()))[-1 if is_class() else 0][0]  # the address of the first page has no name
    return st.navigation(
        {
            group: [st.Page(path, title=title, default=path == first) for path, title in pages]
            for group, pages in groups.items()
        },
        expanded=True,
    )


def is_class() -> bool:
    """Return whether a class is on: then there are the pages to learn from, and no run."""
    return CLASS_FILE in os.environ


@st.cache_resource(show_spinner="Loading the kernels; to compile them, once after installation, takes up to a minute …")
def _warm() -> None:
    warm()


def frame(arguments: Sequence[str]) -> None:
    """Draw the frame and run the page in it."""
    page = _navigation()
    st.set_page_config(page_title=f"{page.title} – evaltools", layout="wide", initial_sidebar_state="auto")
    state.carry(page.url_path)
    st.html(_STYLE)
    _warm()
    selected = Selected(None) if is_class() else _sidebar(tuple(arguments))
    token = _SELECTED.set(selected)
    try:
        show_progress()
        page.run()
        with st.sidebar:
            _PAGE_LINKS.mount({}, key="page_links", listeners={})
    finally:
        _SELECTED.reset(token)


def enter(render: Callable[[Run], None]) -> None:
    """Run a page about the open run inside the frame."""
    selected = _selected()
    if (run := selected.run) is None:
        explain_absence(selected)
        return
    show_faults(run)
    if selected.is_sample:
        show_sample_line(run)
    _shown(lambda: render(run))


def enter_alone(render: Callable[[Run | None], None]) -> None:
    """Run a page that is not about the open run, and also works without one, inside the frame."""
    selected = _selected()
    if selected.run is not None:
        show_faults(selected.run)
    _shown(lambda: render(selected.run))


def _selected() -> Selected:
    """Return the open run; a page that is not called by the frame begins anew in it."""
    selected = _SELECTED.get()
    if selected is None:
        _navigation()
        st.rerun()
    return selected


def _shown(draw: Callable[[], None]) -> None:
    try:
        draw()
    except EvaltoolsError as error:
        st.error("This page cannot be shown.", icon=":material/error:")
        st.code(str(error), language=None, wrap_lines=True)
