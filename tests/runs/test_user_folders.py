"""The user's folders, where they can be written and where they cannot."""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

import platformdirs
import pytest

from evaltools import kernels
from evaltools.runs.locations import user_data
from evaltools.runs.sample import sample_run_path

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


def test_a_sample_in_a_cache_that_can_only_be_read_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda _: str(tmp_path))
    usual = sample_run_path()
    usual.mkdir(parents=True)
    (usual / "meta.json").touch()
    monkeypatch.setattr("evaltools.runs.sample.user_cache", lambda: tmp_path / "another")
    assert sample_run_path() == usual


@pytest.mark.slow
def test_without_a_folder_for_machine_code_kernels_are_compiled_and_not_kept(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (N a))\n")
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment |= {"NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "evaltools", "score", "gold.ptb", "it=gold.ptb", "-o", "run"],
        cwd=tmp_path, env=environment, capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert done.stderr.splitlines() == [
        "evaltools: compiling the kernels, once after installation: up to a minute",
        "evaltools: the compiled kernels are not kept: no folder has room for them; NUMBA_CACHE_DIR names one",
    ]
    assert done.returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {"gold.ptb", "run"}


def test_a_full_disk_is_no_place_for_machine_code(monkeypatch: pytest.MonkeyPatch):
    def full(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert kernels._has_room()
    monkeypatch.setattr(tempfile.SpooledTemporaryFile, "write", full)
    monkeypatch.setattr(kernels.tempfile, "TemporaryFile", tempfile.SpooledTemporaryFile)
    assert not kernels._has_room()
