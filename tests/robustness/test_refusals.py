"""What the terminal, the file system or the operating system refuses: one clean line; leftovers of killed programs."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

import evaltools
from evaltools import cli
from evaltools.errors import ResourceError, RunError, shortage
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from evaltools.outputs.tables import csv_text, json_text, safe_cell
from tests.commands import call

ROOT = Path(__file__).resolve().parents[2]
GOLD = "(S (NP (DT Thé) (NN 猫)) (VP (VBD saw) (NP (NN =1+1))))\n" * 3
TEST = "(S (NP (DT Thé) (NN 猫)) (VP (VBD saw) (-NP (NN =1+1))))\n" * 3


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("refusals")
    (folder / "gold.ptb").write_text(GOLD, "utf-8")
    (folder / "test.ptb").write_text(TEST, "utf-8")
    parsers = dict.fromkeys(("=cmd()", "猫", "-0.5"), folder / "test.ptb")
    evaltools.score(folder / "gold.ptb", parsers, out=folder / "run")
    return folder


def started(folder: Path, *arguments: str | bytes, preexec: Any = None, **environment: str) -> tuple[int, str, str]:
    """Run a command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "evaltools.cli", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        preexec_fn=preexec,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


# -------------------------------------------------------------------------------------------------------- the terminal


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
@pytest.mark.parametrize(
    "command",
    [
        ["report", "run"],
        ["report", "run", "--format", "csv"],
        ["draw", "run", "--sentence", "1", "--parser", "-0.5"],
        ["report", "run", "--labels"],
    ],
    ids=lambda command: "-".join(command[:1] + command[-1:]),
)
def test_data_are_utf_8_whatever_the_terminal_can_encode(encoding: str, command: list[str], files: Path):
    done = call(*command, cwd=files, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == call(*command, cwd=files).stdout
    assert not done.stdout.isascii()


def test_a_terminal_shows_what_it_cannot_encode_as_escapes(files: Path, monkeypatch: pytest.MonkeyPatch):
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.chdir(files)
    monkeypatch.setattr(sys, "argv", ["evaltools", "convert", "gold.ptb", "-", "--to", "ptb"])
    screen = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", Terminal(screen, "ascii"))
    with pytest.raises(SystemExit):
        cli.main()
    assert screen.getvalue() == (files / "gold.ptb").read_bytes().decode("utf-8").encode("ascii", "backslashreplace")


# ---------------------------------------------------------------------------------------------------------- file names


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="file names are UTF-8 there")
def test_an_output_path_that_is_not_utf_8(files: Path):
    refused = "the name of a run's folder must be UTF-8\n"
    for command in (["score", "gold.ptb", "a=test.ptb", "-o", b"r\xff"], ["report", b"r\xff"]):
        assert started(files, *command) == (2, "", f"evaltools: r\\udcff: {refused}")
    picture = ["draw", "run", "--sentence", "1", "--parser", "猫", "-o", b"p\xff.svg"]
    assert started(files, *picture) == (0, "", "")
    assert (files / os.fsdecode(b"p\xff.svg")).is_file()


@pytest.mark.skipif(sys.platform != "linux", reason="file names are UTF-8 there")
def test_an_input_path_that_is_not_utf_8(files: Path, tmp_path: Path):
    gold = tmp_path / os.fsdecode(b"g\xff.ptb")
    gold.write_text(GOLD, "utf-8")
    evaltools.score(gold, {"a": files / "test.ptb"}, out=tmp_path / "run")
    run = evaltools.Run(tmp_path / "run")
    assert len(run.summary()) == len(run.metrics)
    assert run.meta["gold"]["sentences"] == 3
    assert evaltools.verify(run).exit_status in (0, 2)  # 2 where its path is not kept


# ------------------------------------------------------------------------------------------------ the operating system


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(errno.EMFILE, "Too many open files", "x"), "too many open files; raise the limit (ulimit -n)"),
        (OSError(errno.ENFILE, "Too many open files in system"), "too many open files on this machine"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "not enough memory"),
        (MemoryError("Allocation failed (probably too large)."), "not enough memory"),
        (pa.ArrowMemoryError("malloc of size 64 failed"), "not enough memory"),
        (duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate"), "not enough memory"),
        (duckdb.IOException('IO Error: Cannot open file "x": Too many open files'), "too many open files; raise"),
        (ImportError("x.so: failed to map segment from shared object"), "not enough memory"),
        (RuntimeError("can't start new thread"), "no more threads"),
    ],
)
def test_refusals_of_the_operating_system_are_one_line(
    error: BaseException, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr(sys, "argv", ["evaltools"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 2
    err = capsys.readouterr().err
    assert err.startswith(f"evaltools: {says}")
    assert err.count("\n") == 1


def test_other_errors_are_no_shortage():
    assert shortage(ValueError("out of range")) is None
    assert shortage(RunError("a file named 'out of memory' is damaged")) is None


def little_memory() -> None:  # too little for Arrow to load; later, libraries say more themselves
    resource.setrlimit(resource.RLIMIT_AS, (140 << 20, 140 << 20))


@pytest.mark.skipif(sys.platform != "linux", reason="no limit of memory there")
def test_memory_that_is_refused_is_one_line(files: Path):
    status, out, err = started(files, "report", "run", preexec=little_memory, OPENBLAS_NUM_THREADS="1")
    assert status != 0
    assert out == ""
    assert err == "evaltools: not enough memory\n"


def test_a_run_that_cannot_be_opened_for_want_of_files_is_not_damaged(files: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(ResourceError, match="too many open files"):
        evaltools.Run(files / "run")


# -------------------------------------------------------------------------------------------------------- spreadsheets


def test_csv_has_no_cell_that_a_spreadsheet_would_execute(files: Path):
    run = evaltools.Run(files / "run")
    for selection in (Selection(), Selection("sentences"), Selection("labels")):
        text = REPORTS["csv"](run, selection)
        cells = [cell for line in text.splitlines() for cell in line.split(",")]
        assert "'=cmd()" in cells
        assert "-0.5" in cells
        risky = [cell for cell in cells if cell.startswith(("=", "+", "-", "@")) and cell != "-0.5"]
        assert [cell for cell in risky if not is_number(cell)] == []
    assert "'-NP" in REPORTS["csv"](run, Selection("labels"))


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_cells_of_every_type_in_csv():
    frame = pd.DataFrame(
        {"text": ["=1", "+x", "-y", "@z", "\tt", "\rr", "ok"], "number": [-0.5, 1, 2, 3, 4, 5, float("nan")]}
    )
    frame["coded"] = pd.Categorical(["-LRB-", None, *["NP"] * 5])
    lines = csv_text(frame).split("\n")
    assert lines[:4] == ["text,number,coded", "'=1,-0.5,'-LRB-", "'+x,1.0,", "'-y,2.0,NP"]
    assert lines[4:6] == ["'@z,3.0,NP", "'\tt,4.0,NP"]
    assert lines[7] == "ok,,NP"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (" =1+1", "' =1+1"),
        ("\u3000@SUM(1)", "'\u3000@SUM(1)"),
        ("\uff1dx", "'\uff1dx"),
        ("\x1b[31mred\x9b", "␛[31mred\\u009b"),
        ("ab\u202ecd", "ab\\u202ecd"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_nothing_in_csv_acts_on_a_spreadsheet_or_a_terminal(text: str, written: str):
    assert safe_cell(text) == written


def test_nothing_in_json_acts_on_a_terminal_and_nothing_is_changed():
    content = {"words": ["\x1b[31m", "\x9b\u202e", "\u05d0\u0301é"]}
    written = json_text(content)
    assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", written) is None
    assert "\u05d0\u0301é" in written
    assert json.loads(written) == content


# ----------------------------------------------------------------------------------------------------------- leftovers


def score_into(folder: Path, **options: Any) -> evaltools.Run:
    (folder / "gold.ptb").write_text(GOLD, "utf-8")
    return evaltools.score(folder / "gold.ptb", {"a": folder / "gold.ptb"}, out=folder / "run", **options)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


KILLED = """
import os, sys
from pathlib import Path
import evaltools
from evaltools.runs.writer import RunWriter
rename, stop = Path.rename, int(sys.argv[1])
calls = []
def counted(self, target):
    calls.append(target)
    if len(calls) == stop:
        os.kill(os.getpid(), 9)
    return rename(self, target)
Path.rename = counted
evaltools.score("gold.ptb", {"a": "gold.ptb"}, out="run", force=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("stop", [1, 2])
def test_a_program_killed_while_it_replaces_a_run_loses_none(stop: int, tmp_path: Path):
    """The first renaming puts the older run aside, the second puts the new one in its place."""
    before = score_into(tmp_path).meta["created"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    killed = subprocess.run([sys.executable, "-c", KILLED, str(stop)], cwd=tmp_path, env=environment, check=False)
    assert killed.returncode == -9
    (kept,) = [path for path in tmp_path.iterdir() if path.name == "run" or path.suffix == ".old"]
    assert evaltools.Run(kept).meta["created"] == before
    assert kept.name == "run" or stop == 2
