"""Scoring on a real Dask cluster of this machine: a scheduler and two workers, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import evaltools
from evaltools.errors import ParameterError, RunError
from evaltools.progress import Progress
from evaltools.runs import cluster, scoring

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="Dask is not installed: pip install 'parser-evaltools[dask]'"
)

N, CHUNK = 40, 3
GOLD = "".join(f"(S (NP (DT the) (NN n{i})) (VP (VBZ v) (NP (NN x{i}))) (. .))\n" for i in range(N))
TEST = "".join(
    f"(S (NP (DT the) (NN n{i})) (VP (VBZ v)) (NP (NN x{i})))\n" if i % 4 else "(S (X y)\n" for i in range(N)
)
ROOT = Path(evaltools.__file__).parent.parent
SECONDS = 180

PRELOAD = """
import os, threading
from pathlib import Path
import evaltools
from evaltools.frameworks.constituency.chunks import TreeChunk

def dask_setup(worker):
    folder, name, score, done = Path({folder!r}), worker.name, TreeChunk.score, []
    if name == "older":
        evaltools.__version__ = "0.1"

    def told(self, parser, progress, **options):
        if name == "doomed" and len(done) == 3:
            (folder / "in the middle").write_text(parser)
            threading.Event().wait()
        done.append(parser)
        with (folder / name).open("a") as file:
            print(parser, file=file)
        return score(self, parser, progress, **options)

    TreeChunk.score = told
"""


def wait_for(condition: Callable[[], Any]) -> Any:
    pause = threading.Event()
    for _ in range(SECONDS * 20):
        if value := condition():
            return value
        pause.wait(0.05)
    raise AssertionError("it took too long")


class Machines:
    """A scheduler on this machine and its workers, each a program of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        known = folder / "scheduler.json"
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(known))
        self.address = wait_for(lambda: known.exists() and known.read_text() and json.loads(known.read_text()))[
            "address"
        ]

    def start(self, what: str, *options: str, name: str = "") -> None:
        command = [sys.executable, "-m", "dask", what, *options, "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        output = (self.folder / f"{name or what}.log").open("wb")
        with output:
            self.running[name or what] = subprocess.Popen(
                command, env=environment, cwd=self.folder, stdout=output, stderr=subprocess.STDOUT
            )

    def worker(self, name: str) -> None:
        preload = self.folder / "preload.py"
        preload.write_text(PRELOAD.format(folder=str(self.folder)))
        alone = ["--no-nanny", "--nworkers", "1", "--nthreads", "1", "--host", "127.0.0.1"]
        self.start("worker", self.address, *alone, "--name", name, "--preload", str(preload), name=name)

    def parts_of(self, name: str) -> list[str]:
        path = self.folder / name
        return path.read_text().split() if path.exists() else []

    def kill(self, name: str) -> None:
        program = self.running.pop(name)
        program.send_signal(signal.SIGKILL)
        program.wait()

    def end(self) -> None:
        for name in list(self.running):
            self.kill(name)


@pytest.fixture
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    made = Machines(tmp_path_factory.mktemp("cluster"))
    yield made
    made.end()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of a scheduler with two workers, which no test may end."""
    made = Machines(tmp_path_factory.mktemp("lasting-cluster"))
    made.worker("one")
    made.worker("other")
    yield made.address
    made.end()


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", CHUNK)
    made = {"gold": GOLD, "a": TEST, "b": GOLD.replace("x5", "y") + "(X (Y z))\n"}
    for name, text in made.items():
        (tmp_path / f"{name}.ptb").write_text(text)
    return {name: tmp_path / f"{name}.ptb" for name in made}


def scored(files: dict[str, Path], out: Path, **options: Any) -> evaltools.Run:
    return evaltools.score(files["gold"], {"a": files["a"], "b": files["b"]}, out=out, **options)


def content(run: evaltools.Run) -> dict[str, Any]:
    """Return every file of a run by its path, and what meta.json says except for when."""
    found = {str(path.relative_to(run.path)): path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    del found["meta.json"]
    return {**found, "meta": {key: value for key, value in run.meta.items() if key != "created"}}


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_changes_nothing(machines: Machines, files: dict[str, Path], tmp_path: Path):
    local = scored(files, tmp_path / "local")
    machines.worker("doomed")
    told: list[tuple[str, int, int]] = []
    outcome: list[Any] = []

    def work() -> None:
        try:
            progress = Progress(on_update=lambda *state: told.append(state))
            outcome.append(scored(files, tmp_path / "run", dask=machines.address, progress=progress))
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    wait_for(lambda: (machines.folder / "in the middle").exists())
    machines.worker("other")
    wait_for(lambda: machines.parts_of("other"))
    machines.kill("doomed")
    thread.join(SECONDS)
    (run,) = outcome
    assert isinstance(run, evaltools.Run), run
    assert content(run) == content(local)
    assert evaltools.verify(run).equal
    assert len(machines.parts_of("doomed")) == 3
    assert told[-1] == ("writing", 2 * N, 2 * N)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["local", "run"]


@pytest.mark.slow
def test_sentences_are_aligned_as_they_are_here(address: str, files: dict[str, Path], tmp_path: Path):
    lines = files["a"].read_text().splitlines(keepends=True)
    extra = "(S (N more))\n"
    files["a"].write_text("".join([*lines[:3], extra, "(S (N\n", *lines[3:10], *lines[14:], extra]))
    local = scored(files, tmp_path / "local", align_sentences=True)
    assert local.meta["parsers"][0]["aligned"]["shifted"] > N // 2
    run = scored(files, tmp_path / "run", align_sentences=True, dask=address)
    assert content(run) == content(local)
    assert evaltools.verify(run).equal


@pytest.mark.slow
def test_an_interrupted_run_leaves_nothing(address: str, files: dict[str, Path], tmp_path: Path):
    def stop(stage: str, done: int, total: int) -> None:
        if done >= 4 * CHUNK:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scored(files, tmp_path / "once", dask=address, progress=Progress(on_update=stop))
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


@pytest.mark.slow
def test_workers_of_another_version_are_left_out(machines: Machines, files: dict[str, Path], tmp_path: Path):
    machines.worker("older")
    machines.worker("one")
    run = scored(files, tmp_path / "run", dask=machines.address)
    assert content(run) == content(scored(files, tmp_path / "local"))
    assert machines.parts_of("older") == []


@pytest.mark.slow
def test_a_scheduler_that_ends_in_the_middle(machines: Machines, files: dict[str, Path], tmp_path: Path):
    machines.worker("doomed")

    def end(stage: str, done: int, total: int) -> None:
        if done and "scheduler" in machines.running:
            machines.kill("scheduler")

    with pytest.raises(RunError, match=f"the cluster at {machines.address} was lost: its scheduler no longer answers"):
        scored(files, tmp_path / "run", dask=machines.address, progress=Progress(on_update=end))
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


@pytest.mark.slow
def test_workers_that_all_end(machines: Machines, files: dict[str, Path], tmp_path: Path, monkeypatch: Any):
    monkeypatch.setattr(cluster, "_SECONDS_WITHOUT_WORKERS", 2)
    machines.worker("doomed")

    def end(stage: str, done: int, total: int) -> None:
        if done and "doomed" in machines.running:
            machines.kill("doomed")

    with pytest.raises(RunError, match=f"the cluster at {machines.address} has had no workers for 2 seconds$"):
        scored(files, tmp_path / "run", dask=machines.address, progress=Progress(on_update=end))
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


@pytest.mark.slow
def test_workers_that_come_late_and_none_of_this_version(
    machines: Machines, files: dict[str, Path], tmp_path: Path, monkeypatch: Any
):
    progress = Progress()

    def waiting(note: str) -> None:
        assert note == f"the cluster at {machines.address} has no workers yet; waiting for them"
        machines.worker("late")

    progress.note = waiting
    assert scored(files, tmp_path / "run", dask=machines.address, progress=progress).n_sentences == N
    monkeypatch.setattr(evaltools, "__version__", "9.9")
    monkeypatch.setattr(cluster, "_SECONDS_WITHOUT_WORKERS", 2)
    with pytest.raises(RunError, match=r"no workers for 2 seconds; there were workers with evaltools \d.*, not 9\.9"):
        scored(files, tmp_path / "other", dask=machines.address)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["run"]


@pytest.mark.slow
def test_no_scheduler(files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cluster, "_SECONDS_TO_ANSWER", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        for address in ("tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1", "::", f"tcp://127.0.0.1:{port}"):
            with pytest.raises(ParameterError, match=f"no Dask scheduler answers at {address}"):
                scored(files, tmp_path / "run", dask=address)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ParameterError, match=r"pip install 'parser-evaltools\[dask\]'"):
        scored(files, tmp_path / "run", dask="tcp://127.0.0.1:9")
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == []
