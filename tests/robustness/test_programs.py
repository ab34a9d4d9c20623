"""What happens around the program: interruption, pipes, full disks, vanished files, two at once."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import resource
import signal
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from evaltools import InputError, Run, RunError, cli, score
from evaltools.corpus import Vocabulary
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.progress import Progress
from evaltools.runs.folder import Folder
from tests.commands import call

ROOT = Path(__file__).resolve().parents[2]
GOLD = "(S (NP (DT The) (NN dog)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses)))))\n"
TEST = "(S (NP (DT The) (NN dog)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses))))))\n"
SECONDS = 180


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "gold.ptb").write_text(GOLD * 20)
    (tmp_path / "test.ptb").write_text(TEST * 20)
    return tmp_path


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Give a function that starts the command line in the folder of the test."""
    started: list[subprocess.Popen[str]] = []

    def run(*arguments: object, **options: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "evaltools.cli", *map(str, arguments)],
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": tmp_path, **options},
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# ------------------------------------------------------------------------------------------------------- interruption


def _unread(pipe: IO[str]) -> int:
    """Return how many bytes of a pipe are not read yet."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


def _is_waiting(process: subprocess.Popen[str]) -> bool:
    """Return whether a process is asleep; True on systems that do not tell."""
    try:
        return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"
    except OSError:
        return True


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.slow
def test_a_signal_while_reading(sent: signal.Signals, status: int, files: Path, start: Any):
    os.mkfifo(files / "pipe")
    process = start("score", "gold.ptb", "it=pipe", "-o", "run")
    pause = threading.Event()
    with (files / "pipe").open("w") as pipe:
        pipe.write("(S ")
        pipe.flush()
        calm = 0
        while process.poll() is None and calm < 20:  # Python would not see a signal just before it begins to wait
            pause.wait(0.01)
            calm = calm + 1 if _is_waiting(process) and not _unread(pipe) else 0
        process.send_signal(sent)
        out, err = process.communicate(timeout=SECONDS)
        assert not pipe.closed
    assert (process.returncode, out, err) == (status, "", "evaltools: stopped\n")
    assert names(files) == {"gold.ptb", "test.ptb", "pipe"}


@pytest.mark.slow
def test_ctrl_c_while_scoring(files: Path, start: Any):
    (files / "gold.ptb").write_text(GOLD * 300_000)
    (files / "test.ptb").write_text(TEST * 300_000)
    process = start("score", "gold.ptb", "it=test.ptb", "-o", "run")
    pause = threading.Event()
    while process.poll() is None and not list(files.glob("run.*.partial/sentences.parquet")):
        pause.wait(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (130, "", "evaltools: stopped\n")
    assert names(files) == {"gold.ptb", "test.ptb"}


def test_ctrl_c_inside_a_compiled_function(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    """Numba makes an error of the system of it, whose cause is the interruption."""

    def read(*arguments: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as interruption:
            raise SystemError("returned a result with an exception set") from interruption

    monkeypatch.setattr("evaltools.kernels.readers.read_brackets", read)
    monkeypatch.chdir(files)
    monkeypatch.setattr(sys, "argv", ["evaltools", "score", "gold.ptb", "it=test.ptb", "-o", "run"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 130
    assert capsys.readouterr().err == "evaltools: stopped\n"
    assert names(files) == {"gold.ptb", "test.ptb"}


def test_other_errors_of_the_system_stay_errors(monkeypatch: pytest.MonkeyPatch):
    def fail(*arguments: object, **named: object) -> None:
        raise SystemError("something else")

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr(sys, "argv", ["evaltools"])
    with pytest.raises(SystemError, match="something else"):
        cli.main()


# -------------------------------------------------------------------------------------------------------------- pipes


@pytest.mark.slow
def test_inputs_may_be_pipes(files: Path, start: Any):
    os.mkfifo(files / "one")
    os.mkfifo(files / "two")
    process = start("score", "one", "it=two", "-o", "run")
    writers = [
        threading.Thread(target=(files / name).write_text, args=(text * 20_000,))
        for name, text in (("one", GOLD), ("two", TEST))
    ]
    for writer in writers:
        writer.start()
    out, err = process.communicate(timeout=SECONDS)
    assert out.startswith("Bracketing F1, micro over all 20,000 sentences")
    assert err == ""
    for writer in writers:
        writer.join()
    assert process.returncode == 0
    assert len(Run(files / "run").sentences()) == 20_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [["report", "run", "--problems"], ["draw", "run", "--sentence", "1", "--parser", "it", "--as", "svg"]]
)
def test_a_reader_that_goes_away_is_no_error(command: list[str], files: Path, start: Any):
    (files / "gold.ptb").write_text("(S " + "(X (N a))" * 120 + ")\n" + "(S (N a))\n" * 300)
    (files / "test.ptb").write_text("(S " + "(Y (N a))" * 120 + ")\n" + "(S (N b))\n" * 300)
    score(files / "gold.ptb", {"it": files / "test.ptb"}, out=files / "run")
    assert len(call(*command, cwd=files).stdout) > 16_000  # more than fits into the pipe and the program's buffer
    process = start(*command, pipesize=4096)
    assert process.stdout.read(1)
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=SECONDS) == 0


# -------------------------------------------------------------------------------------------------------------- disks


@pytest.mark.parametrize("n_written", [0, 1, 4])
def test_a_full_disk(n_written: int, files: Path, monkeypatch: pytest.MonkeyPatch):
    written: list[object] = []
    entry = Folder.entry

    def written_entry(folder: Folder, table: str) -> dict[str, Any]:
        if len(written) >= n_written:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(table)
        return entry(folder, table)

    monkeypatch.setattr(Folder, "entry", written_entry)
    with pytest.raises(RunError, match=r"^cannot write to .*: No space left on device$"):
        score(files / "gold.ptb", {"it": files / "test.ptb"}, out=files / "run")
    assert len(written) == n_written
    assert names(files) == {"gold.ptb", "test.ptb"}


@pytest.mark.slow
def test_a_limit_on_the_size_of_files(files: Path, start: Any):
    """A disk that takes the beginning of a part, and no more."""
    (files / "gold.ptb").write_text("".join(GOLD.replace("dog", f"dog{i}") for i in range(3000)))
    process = start(
        "score", "gold.ptb", "it=gold.ptb", "-o", "run",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)),
    )  # fmt: skip
    out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out) == (2, "")
    *notes, last = err.splitlines()  # under this limit, compiled kernels are not kept either
    assert last == "evaltools: cannot write to .: File too large"
    assert all("kernels" in note for note in notes)
    assert names(files) == {"gold.ptb", "test.ptb"}


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no folder here that nobody may write to")
def test_a_folder_that_nobody_may_write_to(files: Path):
    with pytest.raises(RunError, match=r"^cannot write to /proc: "):
        score(files / "gold.ptb", {"it": files / "test.ptb"}, out="/proc/run")


def test_outputs_that_are_something_else(files: Path):
    before = (files / "test.ptb").read_bytes()
    gold, parsers = files / "gold.ptb", {"it": files / "test.ptb"}
    with pytest.raises(RunError, match=r"test.ptb exists and is not a run of evaltools; it is not replaced"):
        score(gold, parsers, out=files / "test.ptb", force=True)
    with pytest.raises(RunError, match=r"cannot write to .*test.ptb: Not a directory"):
        score(gold, parsers, out=files / "test.ptb" / "run")
    with pytest.raises(RunError, match="exists and is not a run of evaltools"):
        score(gold, parsers, out=files, force=True)
    with pytest.raises(RunError, match="null byte"):
        score(gold, parsers, out="a\0b")
    assert (files / "test.ptb").read_bytes() == before
    assert score(gold, parsers, out=files / "no" / "such" / "folder" / "run").n_sentences == 20


@pytest.mark.parametrize("force", [False, True])
def test_two_threads_write_the_same_run(files: Path, force: bool):
    """Each has a folder of its own until it is done; the first is there, the second says so, or replaces it."""
    both = threading.Barrier(2, timeout=SECONDS)
    results: list[Any] = []

    def work() -> None:
        waited: list[int] = []

        def tell(stage: str, done: int, total: int) -> None:
            if stage == "writing" and not waited:
                waited.append(both.wait())

        try:
            parsers = {"it": files / "test.ptb"}
            progress = Progress(on_update=tell)
            results.append(score(files / "gold.ptb", parsers, out=files / "run", force=force, progress=progress))
        except RunError as error:
            results.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    failed = [str(one) for one in results if isinstance(one, RunError)]
    assert len(results) == 2
    assert len(failed) == (0 if force else 1)
    assert force or all("run exists" in text or "cannot write" in text for text in failed)
    assert len(Run(files / "run").sentences()) == 20
    assert names(files) == {"gold.ptb", "test.ptb", "run"}


# -------------------------------------------------------------------------------------------------------------- files


def test_a_file_that_vanishes_after_it_was_opened(files: Path):
    stream = CorpusStream(files / "test.ptb")
    (files / "test.ptb").unlink()
    assert len(stream.read(100, Vocabulary())) == 20


@pytest.mark.parametrize("code", [errno.EIO, errno.ESTALE])
def test_a_file_that_can_no_longer_be_read(code: int, files: Path):
    class Failing(io.RawIOBase):
        name = "there.ptb"
        n_read = 0

        def read(self, size: int = -1) -> bytes:
            self.n_read += 1
            if self.n_read > 3:
                raise OSError(code, os.strerror(code))
            return (TEST * 12_000)[: max(size, 0)].encode()

    with pytest.raises(InputError) as error:
        score(files / "gold.ptb", {"it": Failing()}, out=files / "run")
    assert str(error.value) == f"there.ptb: {os.strerror(code)}; expected a readable file"
    assert names(files) == {"gold.ptb", "test.ptb"}
