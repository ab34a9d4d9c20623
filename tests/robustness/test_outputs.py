"""Outputs on full disks, through links and under impossible names: completely written or not at all, and one line."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

import evaltools
from evaltools import cli
from evaltools.classroom.votes import Ballots
from evaltools.cli.console import named_files
from evaltools.errors import InputError, ParameterError, RunError
from evaltools.files import write_file
from evaltools.outputs.html_report import write_bundle
from evaltools.runs.notes import Note, Notes
from evaltools.runs.subset import parse_numbers
from tests.commands import call

ROOT = Path(__file__).resolve().parents[2]
GOLD = "(S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (NN it))))\n" * 30
TEST = "(S (NP (DT the)) (X (NN dog)) (VP (VBD saw) (NP (NN it))))\n" * 30
DRAW = ("draw", "run", "--sentence", "1", "--parser", "it")


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outputs")
    (folder / "gold.ptb").write_text(GOLD)
    (folder / "test.ptb").write_text(TEST)
    evaltools.score(folder / "gold.ptb", {"it": folder / "test.ptb"}, out=folder / "run")
    return folder


@pytest.fixture
def files(scored: Path, tmp_path: Path) -> Path:
    for name in ("gold.ptb", "test.ptb"):
        (tmp_path / name).write_bytes((scored / name).read_bytes())
    (tmp_path / "run").symlink_to(scored / "run")
    return tmp_path


@contextlib.contextmanager
def small_disk(size: int) -> Iterator[None]:
    """Let this process write no more than the beginning of a file, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with mock.patch.object(sys, "dont_write_bytecode", True):  # Python would keep the beginning of a module
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


WRITERS = {
    "new.svg": (*DRAW, "-o", "new.svg", "--force"),
    "new.html": ("html", "run", "-o", "new.html", "--force"),
    "new.mrg": ("convert", "gold.ptb", "new.mrg"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_older_file_or_none(name: str, files: Path):
    for older in (None, b"older"):
        if older is not None:
            (files / name).write_bytes(older)
        before = contents(files)
        with small_disk(200):
            done = call(*WRITERS[name], cwd=files)
        expected = f"evaltools: {name}: File too large; expected a file that can be written\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)
        assert contents(files) == before


def test_a_full_disk_leaves_the_older_bundle_or_none(files: Path):
    command = ("bundle", "run", "-o", "site", "--worst", "1", "--force")
    for is_there in (False, True):
        if is_there:
            assert call(*command, cwd=files).returncode == 0
        before = contents(files)
        with small_disk(200):
            done = call(*command, cwd=files)
        expected = "evaltools: site: File too large; expected a folder that can be written\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)
        assert contents(files) == before
        assert (files / "site").exists() == is_there


def test_a_full_disk_leaves_no_empty_file_of_votes_or_notes(files: Path, tmp_path: Path):
    evaltools.Run(files / "run").save(tmp_path / "own")
    notes, votes = Notes(evaltools.Run(tmp_path / "own")), Ballots(tmp_path / "votes.sqlite")
    before = contents(tmp_path)
    with small_disk(1000):
        with pytest.raises(OSError, match=r"votes|tmp"):
            votes.vote("first", "somebody", "a")
        with pytest.raises(OSError, match=r"notes|tmp"):
            notes.put(1, Note(text="a note"))
    assert contents(tmp_path) == before
    assert votes.vote("first", "somebody", "a")
    notes.put(1, Note(text="a note"))
    assert (votes.counts("first"), notes.all()) == ({"a": 1}, {1: Note(text="a note")})
    assert contents(tmp_path).keys() - before.keys() == {"votes.sqlite", "own/notes.sqlite"}


@pytest.mark.parametrize("name", ["new.svg", "new.html"])
def test_a_link_to_nothing_is_not_followed(name: str, files: Path):
    (files / name).symlink_to(files / "elsewhere")
    refused = call(*WRITERS[name][:-1], cwd=files)
    expected = f"evaltools: {name}: an existing file; expected --force to replace it\n"
    assert (refused.returncode, refused.stderr) == (2, expected)
    assert call(*WRITERS[name], cwd=files).returncode == 0
    assert not (files / name).is_symlink()
    assert not (files / "elsewhere").exists()


def test_links_of_other_outputs(files: Path):
    for name in ("out.mrg", "new", "site"):
        (files / name).symlink_to(files / "elsewhere")
    assert call("convert", "gold.ptb", "out.mrg", cwd=files).returncode == 0
    assert (files / "out.mrg").read_text() == GOLD
    refused = call("score", "gold.ptb", "test.ptb", "-o", "new", "--force", cwd=files)
    assert refused.stderr == "evaltools: new exists and is not a run of evaltools; it is not replaced\n"
    assert call("bundle", "run", "-o", "site", "--force", cwd=files).returncode == 2
    assert not (files / "elsewhere").exists()


def test_a_link_to_a_file_is_followed_and_permissions_stay(tmp_path: Path):
    target, link = tmp_path / "a.txt", tmp_path / "link"
    target.write_text("older")
    target.chmod(0o640)
    link.symlink_to(target)
    write_file(link, b"newer")
    assert (target.read_text(), link.is_symlink(), stat.S_IMODE(target.stat().st_mode)) == ("newer", True, 0o640)


def test_a_pipe_is_written_to():
    reader, writer = os.pipe()
    write_file(f"/dev/fd/{writer}", b"content")
    os.close(writer)
    with open(reader, "rb") as file:
        assert file.read() == b"content"


@pytest.mark.parametrize("name", ["x" * 300, "x" * 300 + "/" + "y" * 5000], ids=["name", "path"])
@pytest.mark.parametrize(
    "command",
    [
        ("convert", "gold.ptb", "{}", "--to", "ptb"),
        ("convert", "{}", "out.mrg"),
        (*DRAW, "--as", "svg", "-o", "{}"),
        ("html", "run", "-o", "{}"),
        ("bundle", "run", "-o", "{}"),
        ("score", "gold.ptb", "test.ptb", "-o", "{}"),
        ("score", "gold.ptb", "it={}", "-o", "new"),
        ("score", "{}", "test.ptb", "-o", "new"),
        ("report", "{}"),
        ("subset", "run", "-o", "{}", "--sentences", "1"),
        ("subset", "run", "-o", "new", "--sentences", "{}"),
        ("preset", "evalb:{}"),
        ("oracle", "gold.ptb", "it={}"),
    ],
    ids=lambda command: f"{command[0]}-{command.index(next(part for part in command if '{}' in part))}",
)
def test_impossible_names_are_one_line(command: tuple[str, ...], name: str, files: Path):
    before = contents(files)
    done = call(*(part.replace("{}", name) for part in command), cwd=files)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("evaltools: ")
    assert contents(files) == before


def test_a_nul_in_a_path(files: Path):
    run, nul = evaltools.Run(files / "run"), files / "a\0b"
    gold, test = files / "gold.ptb", files / "test.ptb"
    with pytest.raises(InputError, match="embedded null byte"):
        write_file(nul, b"")
    with pytest.raises(InputError, match="embedded null byte"):
        write_bundle(run, nul, worst=0)
    with pytest.raises(InputError, match="embedded null byte"):
        evaltools.convert(gold, nul, to="ptb")
    with pytest.raises(RunError, match="embedded null byte"):
        evaltools.score(gold, {"it": test}, out=nul)
    with pytest.raises(InputError, match="embedded null byte"):
        evaltools.score(gold, {"it": nul})
    with pytest.raises(RunError, match="is not a run of evaltools"):
        evaltools.Run(nul)


def test_a_file_with_a_sign_of_equality_in_its_path(files: Path):
    path = files / "lr=0.001" / "out.ptb"
    path.parent.mkdir()
    path.write_text(TEST)
    assert named_files([str(path)]) == {"out": str(path)}
    assert named_files([f"it={path}"]) == {"it": str(path)}
    assert named_files(["a=b=c"]) == {"a": "b=c"}
    assert call("score", "gold.ptb", "lr=0.001/out.ptb", "-o", "new", cwd=files).returncode == 0
    assert evaltools.Run(files / "new").parsers == ["out"]


def test_numbers_beyond_the_run_are_refused_before_they_are_listed():
    with pytest.raises(ParameterError, match="no sentence 9999999; there are 7, counted from 1"):
        parse_numbers("1-9999999", last_sentence=7)


def test_a_pipe_in_a_run_is_refused(files: Path, tmp_path: Path):
    evaltools.Run(files / "run").save(tmp_path / "own")
    (tmp_path / "own" / "sentences.parquet").unlink()
    os.mkfifo(tmp_path / "own" / "sentences.parquet")
    with pytest.raises(RunError, match=r"is damaged: sentences\.parquet is not a file"):
        evaltools.Run(tmp_path / "own")


def test_a_run_that_was_replaced_is_not_called_damaged(files: Path):
    gold, test = files / "gold.ptb", files / "test.ptb"
    run = evaltools.score(gold, {"it": test}, out=files / "new")
    evaltools.score(gold, {"another": gold}, out=files / "new", force=True)
    with pytest.raises(RunError, match="new was replaced or removed since it was opened; open it again"):
        run.check()


# ------------------------------------------------------------------------------------------------------------- signals


@pytest.mark.parametrize("program", ["evaltools", "evaltools.cli"])
@pytest.mark.parametrize(("sent", "status"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_signal_while_modules_are_loaded(sent: str, status: int, program: str, tmp_path: Path):
    (tmp_path / "typer.py").write_text(f"import os, signal\nos.kill(os.getpid(), signal.{sent})\n")
    done = subprocess.run(
        [sys.executable, "-m", program, "report", "run"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (status, "", "evaltools: stopped\n")


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("made_of_it", [RuntimeError("Query interrupted"), RunError("run is damaged")], ids=str)
def test_a_signal_of_which_a_library_makes_another_error(
    sent: signal.Signals,
    status: int,
    made_of_it: Exception,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def query(**_: object) -> None:
        with contextlib.suppress(BaseException):
            signal.raise_signal(sent)
        raise made_of_it

    monkeypatch.setattr(cli, "app", query)
    monkeypatch.setattr(sys, "argv", ["evaltools"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert (end.value.code, capsys.readouterr().err) == (status, "evaltools: stopped\n")


def test_every_command_ends_with_130(files: Path, monkeypatch: pytest.MonkeyPatch):
    """Not with the message and the status that click has for it."""

    def interrupted(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("evaltools.runs.store.Run.__init__", interrupted)
    done = call("report", "run", cwd=files)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "evaltools: stopped\n")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_limit_on_the_size_of_files_on_standard_output(unbuffered: str, files: Path):
    with open(files / "out.txt", "wb") as out:
        done = subprocess.run(
            [sys.executable, "-m", "evaltools", "report", "run"],
            cwd=files,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": unbuffered},
            stdout=out,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)),
            check=False,
            text=True,
        )
    assert (done.returncode, done.stderr) == (2, "evaltools: cannot write the output: File too large\n")
