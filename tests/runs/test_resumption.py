"""An interrupted run continues where it stopped, and then is the run it would have been."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import evaltools
from evaltools.errors import InputError, ParameterError, RunError
from evaltools.formats.reading.treebank_stream import CorpusStream
from evaltools.progress import Progress
from evaltools.runs.engine import parts, scoring

N, CHUNK = 11, 3
GOLD = "".join(f"(S (NP (DT the) (NN n{i})) (VP (VBZ v) (NP (NN x{i}))) (. .))\n" for i in range(N))
TEST = "".join(
    f"(S (NP (DT the) (NN n{i})) (VP (VBZ v)) (NP (NN x{i})))\n" if i % 4 else "(S (X y)\n" for i in range(N)
)
ROOT = Path(evaltools.__file__).parent.parent


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", CHUNK)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    made = {"gold": GOLD, "a": TEST, "b": GOLD.replace("x5", "y") + "(X (Y z))\n"}
    for name, text in made.items():
        (tmp_path / f"{name}.ptb").write_text(text)
    return {name: tmp_path / f"{name}.ptb" for name in made}


def scored(files: dict[str, Path], out: Path, **options: Any) -> evaltools.Run:
    return evaltools.score(files["gold"], {"a": files["a"], "b": files["b"]}, out=out, jobs=1, **options)


def content(run: evaltools.Run) -> dict[str, Any]:
    """Return every file of a run by its path, and what meta.json says except for when and its own digest."""
    found = {str(path.relative_to(run.path)): path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    del found["meta.json"]
    return {**found, "meta": {key: value for key, value in run.meta.items() if key not in ("created", "digest")}}


def interrupted_after(n_parts: int, monkeypatch: pytest.MonkeyPatch, files: dict[str, Path], out: Path) -> list[str]:
    """Score and be interrupted when so many parts are finished; return which were."""
    finish, done = parts.FolderParts.record, list[str]()

    def stop_then(self: parts.Parts, result: parts.PartResult) -> None:
        if len(done) == n_parts:
            raise KeyboardInterrupt
        finish(self, result)
        done.append(result.part)

    with monkeypatch.context() as patch:
        patch.setattr(parts.FolderParts, "record", stop_then)
        with pytest.raises(KeyboardInterrupt):
            scored(files, out, resume=True)
    return done


def resumed(monkeypatch: pytest.MonkeyPatch, files: dict[str, Path], out: Path, **options: Any):
    """Resume and return the run, the parts that were scored, and what was said."""
    finish, done, notes = parts.FolderParts.record, list[str](), list[str]()

    def listen(self: parts.Parts, result: parts.PartResult) -> None:
        done.append(result.part)
        finish(self, result)

    with monkeypatch.context() as patch:
        patch.setattr(parts.FolderParts, "record", listen)
        run = scored(files, out, resume=True, progress=Progress(note=notes.append), **options)
    return run, done, notes


@pytest.mark.parametrize("n_parts", [0, 1, 4, 7])
def test_interrupted_at_boundaries(n_parts: int, files: dict[str, Path], tmp_path: Path, monkeypatch):
    whole = scored(files, tmp_path / "whole")
    before = interrupted_after(n_parts, monkeypatch, files, tmp_path / "run")
    partial = tmp_path / ".run.resume.partial"
    assert partial.exists() == (n_parts > 0)
    assert not (tmp_path / "run").exists()
    if partial.exists():
        with pytest.raises(RunError, match=r"not a run of evaltools: it has no meta\.json"):
            evaltools.Run(partial)
    run, after, notes = resumed(monkeypatch, files, tmp_path / "run")
    assert len(before) == n_parts
    assert set(before).isdisjoint(after)
    assert len(before) + len(after) == 8
    assert notes == [f"{tmp_path / 'run'} is continued: {n_parts} parts were finished before"] * (n_parts > 0)
    assert content(run) == content(whole)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["run", "whole"]


def test_interrupted_again_and_again(files: dict[str, Path], tmp_path: Path, monkeypatch):
    done = [interrupted_after(2, monkeypatch, files, tmp_path / "run") for _ in range(3)]
    run, last, notes = resumed(monkeypatch, files, tmp_path / "run")
    assert len({*done[0], *done[1], *done[2], *last}) == 8
    assert notes[0].endswith("6 parts were finished before")
    assert content(run) == content(scored(files, tmp_path / "whole"))


def test_without_resume_nothing_is_left(files: dict[str, Path], tmp_path: Path, monkeypatch):
    def stop(self: parts.Parts, result: parts.PartResult) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(parts.FolderParts, "record", stop)
    with pytest.raises(KeyboardInterrupt):
        scored(files, tmp_path / "run")
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == []


def test_a_run_that_is_never_interrupted(files: dict[str, Path], tmp_path: Path, monkeypatch):
    run, done, notes = resumed(monkeypatch, files, tmp_path / "run")
    assert (len(done), notes) == (8, [])
    assert content(run) == content(scored(files, tmp_path / "whole"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("gold", "the gold file has changed"),
        ("b", "the parsers or their files have changed"),
        ("preset", "the preset is another"),
        ("options", "the options are others"),
        ("version", "it was begun with another version"),
        ("record", "there is no record of the unfinished run"),
    ],
)
@pytest.mark.slow
def test_another_job_starts_anew(change: str, said: str, files: dict[str, Path], tmp_path: Path, monkeypatch):
    interrupted_after(5, monkeypatch, files, tmp_path / "run")
    options: dict[str, Any] = {}
    if change in files:
        files[change].write_text(GOLD.replace("n1", "m1"))
    elif change == "preset":
        options["preset"] = "collins"
    elif change == "options":
        options["la_preterminals"] = True
    elif change == "version":
        monkeypatch.setattr(evaltools, "__version__", "9.9")
    else:
        (tmp_path / ".run.resume.partial" / "record" / "job.json").write_text("{")
    run, done, notes = resumed(monkeypatch, files, tmp_path / "run", **options)
    assert len(done) == 8
    assert notes == [f"{tmp_path / 'run'} starts over: {said}"]
    assert content(run) == content(scored(files, tmp_path / "whole", **options))


def test_parts_that_are_damaged_or_gone_are_scored_again(files: dict[str, Path], tmp_path: Path, monkeypatch):
    before = interrupted_after(6, monkeypatch, files, tmp_path / "run")
    partial = tmp_path / ".run.resume.partial"
    (partial / "words" / f"{before[0]}.parquet").write_bytes(b"PAR1")
    (partial / "trees" / f"{before[1]}.parquet").unlink()
    (partial / "record" / f"{before[2]}.json").write_text("{}")
    (partial / "record" / f"{before[3]}.json").write_text('{"statuses"')
    (partial / "sentences" / ".00000-0000.abc.tmp").write_bytes(b"half")
    run, after, _ = resumed(monkeypatch, files, tmp_path / "run")
    assert sorted(set(before) & set(after)) == sorted(before[:4])
    assert content(run) == content(scored(files, tmp_path / "whole"))


def test_what_cannot_be_read_twice(files: dict[str, Path], tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for source in ("-", io.BytesIO(GOLD.encode()), pipe):
        with pytest.raises(ParameterError, match="reads each file twice"):
            evaltools.score(source, {"a": files["a"]}, out=tmp_path / "run", resume=True)
    with pytest.raises(ParameterError, match="need an output folder"):
        evaltools.score(files["gold"], {"a": files["a"]}, resume=True)
    with pytest.raises(InputError, match="no such file"):
        evaltools.score(tmp_path / "none", {"a": files["a"]}, out=tmp_path / "run", resume=True)


def test_an_input_that_changes_meanwhile_is_noticed(files: dict[str, Path], tmp_path: Path, monkeypatch):
    begin = CorpusStream.__init__

    def meddle(self: Any, source: Any, *rest: Any, **options: Any) -> None:
        if source == files["a"]:
            files["a"].write_text(TEST + "\n")  # between looking at it and reading it
        begin(self, source, *rest, **options)

    monkeypatch.setattr(CorpusStream, "__init__", meddle)
    with pytest.raises(InputError, match="content that changed while it was read"):
        scored(files, tmp_path / "run", resume=True)
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == []


def test_a_wrong_file_leaves_nothing_to_resume(files: dict[str, Path], tmp_path: Path):
    files["gold"].write_text("no tree at all\n")
    with pytest.raises(InputError):
        scored(files, tmp_path / "run", resume=True, format="ptb")
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == []


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked there")
def test_two_programs_do_not_write_the_same_run(files: dict[str, Path], tmp_path: Path):
    def again(stage: str, done: int, total: int) -> None:
        if stage == "scoring":
            with pytest.raises(RunError, match="another program is writing"):
                scored(files, tmp_path / "run", resume=True)

    run = scored(files, tmp_path / "run", resume=True, progress=Progress(on_update=again))
    assert evaltools.verify(run).equal


PROGRAM = """
import sys
from evaltools import cli
from evaltools.runs.engine import parts, scoring

scoring._SENTENCES_PER_CHUNK = 3
finish, done = parts.FolderParts.record, []

def told(self, result):
    finish(self, result)
    done.append(result.part)
    print(result.part, flush=True)
    if len(done) == 3:
        sys.stdin.read()  # until the end comes

parts.FolderParts.record = told
sys.argv[0] = "evaltools"
cli.main()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("ending", ["SIGKILL", "SIGTERM"])
def test_a_program_that_is_ended_in_the_middle(ending: str, files: dict[str, Path], tmp_path: Path, monkeypatch):
    command = [
        "score",
        str(files["gold"]),
        f"a={files['a']}",
        f"b={files['b']}",
        "-o",
        "run",
        "--resume",
        "--jobs",
        "1",
    ]
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    before = [program.stdout.readline().strip() for _ in range(3)]
    program.send_signal(getattr(signal, ending))
    _, said = program.communicate(timeout=60)
    assert program.returncode == {"SIGKILL": -9, "SIGTERM": 143}[ending]
    if ending != "SIGKILL":
        assert said == "evaltools: stopped; run the same command again to continue\n"
    assert not (tmp_path / "run").exists()
    again = subprocess.run(
        [sys.executable, "-c", PROGRAM, *command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input="",
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(before).isdisjoint(again.stdout.split())
    assert "run is continued: " in again.stderr
    whole = scored(files, tmp_path / "whole")
    assert content(evaltools.Run(tmp_path / "run")) == content(whole)
    assert json.loads((tmp_path / "run" / "meta.json").read_text())["rows"] == whole.meta["rows"]
