"""The sidebar: the open run and what is in it, opening another, scoring files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from evaltools.drawing.blocks import facts
from evaltools.errors import EvaltoolsError
from evaltools.runs.store import Run
from evaltools.runs.subset import subset_of
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.frame.progress import sample_progress
from evaltools.ui.session import data, library, state
from evaltools.ui.session.jobs import Job, JobState
from evaltools.ui.session.library import Known
from evaltools.ui.widgets.folding import folded
from evaltools.ui.widgets.saving import save_table

__all__ = ["Selected", "draw", "explain_absence"]


@dataclass(frozen=True, slots=True)
class Selected:
    """The run to show, or why there is none."""

    run: Run | None  # The open run
    job: Job | None = None  # The job that makes it, while it runs
    fault: str = ""  # What is wrong
    is_sample: bool = False  # Whether it is a run of the bundled sample


def draw(arguments: tuple[str, ...]) -> Selected:
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
            from evaltools.ui.scoring.dialog import score_files_dialog

            score_files_dialog()
    return selected


def _choose(arguments: tuple[str, ...]) -> Known | None:
    """Let the reader choose among the known runs; None where the URL names one that is not known."""
    runs = {known.id: known for known in library.known_runs(arguments)}
    first = library.default(arguments).id
    value = state.get("run", first)
    names = [known.name for known in runs.values()]

    def title(id: str) -> str:  # noqa: A002 - the URL's word
        known = runs[id]
        twins = names.count(known.name) > 1
        return f"{known.name} ({known.path.parent.name})" if twins else known.name

    shown = value if value in runs else None
    # while files are scored, a part of the page asks for news, and the browser sends the choice with it
    key = state.renewed_key("url_run", lambda key: st.session_state.get(key, shown) != shown)
    st.session_state[key] = shown

    def changed() -> None:
        chosen = st.session_state.get(key)
        if chosen is not None and key == state.current_key("url_run"):
            library.show(runs[chosen])

    chosen = st.selectbox("Run", list(runs), format_func=title, key=key, on_change=changed, placeholder="choose a run")
    return runs.get(str(chosen))


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
    for entry in run.meta["parsers"]:
        rows.append(("", entry["name"], f"{entry['scored']:,}"))
    rows += [(title, value, "") for title, value in run.framework.facts(run.meta)]
    hint = "sentences scored, of those in the gold file"
    show_blocks(facts(rows, remark=hint), key="run_facts")
    section = folded("Rules, signature, problems", "rules")
    if section is None:
        return
    with section:
        st.code(run.meta["preset_rules"], language=None, wrap_lines=True)
        st.code(run.signature, language=None, wrap_lines=True)
        st.code(str(known.path), language=None, wrap_lines=True)
        total, problems = data.problems(run)
        if total:
            first = f"; the first {len(problems):,} of them" if total > len(problems) else ""
            st.text(f"{total:,} problems in the files{first}")
            st.dataframe(problems, hide_index=True, height=240, placeholder="–")
            save_table(problems, "sidebar_problems", f"Problems in the files of the run.\n{run.signature}")
        else:
            st.text("No problems in the files.")


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
        st.text(
            "The kernels are compiled and the sample treebank is scored, once after installation: 10 to 20 seconds."
        )
        sample_progress(selected.job)
        return
    st.subheader("No run is open")
    st.text(selected.fault)
    st.text("Choose a run in the sidebar, open a folder that evaltools score wrote, or score files.")
