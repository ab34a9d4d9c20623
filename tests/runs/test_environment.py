"""What commands load, when kernels are compiled, and where the user's folders are."""

from __future__ import annotations

import errno
import importlib
import logging
import os
import pkgutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

import platformdirs
import pytest

import evaltools
from evaltools import kernels
from evaltools.progress import Progress
from evaltools.runs.locations import user_cache, user_data
from evaltools.runs.sample import sample_run_path
from evaltools.runs.scoring import noting_compilation
from evaltools.runs.warm import warm

PROGRAM = """
import sys
forbidden = set(sys.argv[1].split(","))
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name in forbidden:
            raise ImportError(f"{name} must not be imported here")
sys.meta_path.insert(0, Refuse())
sys.argv = ["evaltools", *sys.argv[2:]]
from evaltools.cli import main
main()
"""


def call(forbidden: str, *arguments: object) -> str:
    command = [sys.executable, "-c", PROGRAM, forbidden, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_commands_do_without_what_they_do_not_need(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (NP (N dogs)) (VP (V bark)))\n(S (N cats))\n", "utf-8")
    (tmp_path / "mine.ptb").write_text("(S (NP (N dogs)) (NP (N bark)))\n\n", "utf-8")
    run, extras = (
        tmp_path / "a.run",
        "altair,markdown_it,pyarrow,scipy,segno,streamlit,starlette,uvicorn,vl_convert,zstandard",
    )
    files = (tmp_path / "gold.ptb", f"mine={tmp_path / 'mine.ptb'}", f"same={tmp_path / 'gold.ptb'}")
    call(f"{extras},apted,pandas,rich", "score", *files, "-o", run, "--jobs", 1, "-q")
    assert "mine" in call(f"{extras},numba,pandas", "report", run)
    assert "score" in call(f"{extras},numba,pandas,rich", "--help")
    call("pyarrow,streamlit,starlette,uvicorn", "html", run, "-o", tmp_path / "run.html")


@pytest.mark.slow
def test_the_summary_of_trees_imports_no_pandas():
    sample = ROOT / "sample_data"
    command = ["-X", "importtime", "-m", "evaltools", sample / "gold.ptb", sample / "parsers/pcfg-parent.ptb"]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "Wrong brackets" in done.stdout
    assert {"numba", "pandas", "urllib.request"} & imported == {"numba"}


def compiled_kernels() -> dict[str, Any]:
    """Return the functions that numba compiles for Python, by name."""
    modules = [
        importlib.import_module(f"{kernels.__name__}.{each.name}") for each in pkgutil.iter_modules(kernels.__path__)
    ]
    return {name: each for module in modules for name, each in vars(module).items() if hasattr(each, "signatures")}


def test_kernels_have_one_set_of_types_each():
    warm()
    trees = ["(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N cats)) (VP (V sleep)))"]
    evaltools.evaluate(trees, trees[::-1])
    evaltools.evaluate(trees, trees, preset="collins")
    several = {name: each.signatures for name, each in compiled_kernels().items() if len(each.signatures) > 1}
    assert several == {}
    called = {"read_brackets", "read_dependencies", "match_brackets", "align_trees", "align_words", "repair_steps"}
    assert {name for name in called if not compiled_kernels()[name].signatures} == set()


def test_compilation_is_noted_once():
    notes: list[str] = []

    def first(number: int) -> int:
        return number + 1

    import numba

    compiled = [numba.njit(first), numba.njit(first)]
    with noting_compilation(Progress(note=notes.append)):
        for each in compiled:
            assert each(1) == 2
    assert notes == ["compiling the kernels, the first time that each is needed: up to a minute"]


def test_importing_the_package_imports_no_numba():
    program = "import sys; import evaltools.runs.scoring; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


_THREADS = """
import sys
import threading
from evaltools.runs.warm import warm

begin = threading.Barrier(4)
failures = []
threading.excepthook = failures.append

def act():
    begin.wait()
    warm()

threads = [threading.Thread(target=act, daemon=True) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(200)
sys.exit(bool(failures) or any(thread.is_alive() for thread in threads))
"""


@pytest.mark.slow
def test_threads_that_need_kernels_at_once_do_not_wait_for_each_other():
    warm()
    done = subprocess.run([sys.executable, "-c", _THREADS], timeout=300, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr


ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def unwritable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that nobody can create, since a file is in the way."""
    (tmp_path / "file").touch()
    home = tmp_path / "file" / "home"
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda _: str(home / "cache"))
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda _: str(home / "data"))
    return home


def test_without_a_home_folders_are_temporary_which_is_said_once(unwritable: Path, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING):
        folders = {user_data() for _ in range(2)} | {sample_run_path().parents[1] for _ in range(2)}
    assert len(folders) == 2
    assert all(folder.is_dir() and not folder.is_relative_to(unwritable) for folder in folders)
    texts = [record.getMessage() for record in caplog.records]
    assert [text.partition(";")[0] for text in texts] == [
        f"evaltools: {unwritable / name} cannot be written" for name in ("data", "cache")
    ]


def no_home(name: str) -> str:
    raise RuntimeError("could not determine the home directory")


def test_without_any_home_nothing_is_written_where_the_program_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # a user without an entry, as in containers
    monkeypatch.setattr(platformdirs, "user_cache_dir", no_home)
    monkeypatch.setattr(kernels.numba.config, "CACHE_DIR", "")
    assert not kernels._has_room()
    assert user_cache().is_absolute()
    assert list(tmp_path.iterdir()) == []


def test_a_sample_in_a_cache_that_can_only_be_read_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda _: str(tmp_path))
    usual = sample_run_path()
    usual.mkdir(parents=True)
    (usual / "meta.json").touch()
    monkeypatch.setattr("evaltools.runs.sample.user_cache", lambda: tmp_path / "another")
    assert sample_run_path() == usual


@pytest.mark.slow
@pytest.mark.parametrize("can_write", [True, False])
def test_without_a_folder_for_machine_code_a_temporary_one_has_it(tmp_path: Path, can_write: bool):
    (tmp_path / "gold.ptb").write_text("(S (N a))\n")
    (tmp_path / "temporary").mkdir()
    cache = tmp_path / f"temporary/evaltools-{os.getuid()}"
    if not can_write:
        cache.touch()
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment |= {"NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "evaltools", "score", "gold.ptb", "it=gold.ptb", "-o", "run"],
        cwd=tmp_path, env=environment | {"TMPDIR": str(cache.parent)}, capture_output=True, check=False, text=True,
    )  # fmt: skip
    kept = (
        f"kept in {cache}, as no usual folder can be written" if can_write else "not kept: no folder has room for them"
    )
    assert done.stderr.splitlines() == [
        "evaltools: compiling the kernels, the first time that each is needed: up to a minute",
        f"evaltools: the compiled kernels are {kept}; NUMBA_CACHE_DIR names one",
    ]
    assert done.returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {"gold.ptb", "run", "temporary"}
    assert any(cache.rglob("*.nbi")) == can_write


@pytest.mark.slow
def test_a_drawing_says_that_it_compiles(tmp_path: Path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "evaltools", "draw", "(S (N a))"]
    done = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    assert done.stdout == "S\n└─ N  a\n"
    assert done.stderr == "evaltools: compiling the kernels, the first time that each is needed: up to a minute\n"


def test_machine_code_that_others_can_change_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernels.tempfile, "tempdir", str(tmp_path))
    assert kernels._private_folder() == tmp_path / f"evaltools-{os.getuid()}"
    (tmp_path / f"evaltools-{os.getuid()}").chmod(0o777)
    assert kernels._private_folder() is None


def test_a_full_disk_is_no_place_for_machine_code(monkeypatch: pytest.MonkeyPatch):
    def full(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert kernels._has_room()
    monkeypatch.setattr(tempfile.SpooledTemporaryFile, "write", full)
    monkeypatch.setattr(kernels.tempfile, "TemporaryFile", tempfile.SpooledTemporaryFile)
    assert not kernels._has_room()
