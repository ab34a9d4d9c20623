"""The progress of scoring, above every page: how far it is, how to stop it, and how it ended."""

from __future__ import annotations

import streamlit as st

from evaltools.ui.session import kernels, library, state
from evaltools.ui.session.jobs import JOB, Job, JobState, job_by_id, running_jobs

__all__ = ["sample_progress", "show_progress"]


def show_progress() -> None:
    """Show what is being scored; when the job that this session started is done, open its run."""
    for running in running_jobs():
        if running.id not in library.SAMPLES:
            _progress(running)
    job = job_by_id(st.session_state.get(JOB))
    if job is None or job.state is JobState.RUNNING:
        return
    if job.state is JobState.FAILED:
        _show_failure(job)
        return
    del st.session_state[JOB]
    if job.state is JobState.DONE and job.path is not None:
        known, parser = library.add(job.path, "scored"), state.get("parser")
        library.show(known)
        if parser in library.open_run(known).parsers:
            state.put(parser=parser)
        st.toast("The new run is open.", icon=":material/check:")
        st.rerun()
    else:
        st.toast("Scoring was cancelled; nothing was saved.", icon=":material/cancel:")


def _show_failure(job: Job) -> None:
    """Show why a job failed until the reader dismisses it."""
    st.error("Scoring failed.")
    st.code(f"{job.title}: {job.message}", language=None, wrap_lines=True)
    st.button("Dismiss", key="dismiss_failure", on_click=lambda: st.session_state.pop(JOB, None))


@st.fragment(run_every=0.5)
def _progress(job: Job) -> None:
    """Show how far a job is; when it ends, the whole page begins again."""
    if job.state is not JobState.RUNNING:
        st.rerun()
    with st.container(border=True, key=f"progress_{job.id}", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(gap="xxsmall"):
                st.text(f"Scoring {job.title}")
                _describe(job)
            cancelled = job.progress.cancelled.is_set()
            st.button("Cancel", key=f"cancel_{job.id}", on_click=job.cancel, disabled=cancelled)
        st.progress(job.share)


@st.fragment(run_every=0.5)
def sample_progress(job: Job) -> None:
    """Show how far the scoring of the sample is."""
    if job.state is not JobState.RUNNING:
        st.rerun()
    st.progress(job.share)
    _describe(job)


def _describe(job: Job) -> None:
    waiting = kernels.compiling() and not job.progress.done and not job.progress.cancelled.is_set()
    st.text("compiling the kernels, once after installation: 10 to 20 seconds …" if waiting else job.describe())
