"""Inputs and runs at URLs, here in fsspec's memory and in a folder that is reached by a URL."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import evaltools
from evaltools.errors import InputError, ParameterError
from evaltools.runs import scoring
from tests.commands import call
from tests.runs.semantic_files import mrp, saw, sleeps

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: pip install 'parser-evaltools[dask]'")

N, CHUNK = 11, 3
GOLD = "".join(f"(S (NP (DT the) (NN n{i})) (VP (VBZ v) (NP (NN x{i}))) (. .))\n" for i in range(N))
TEST = "".join(
    f"(S (NP (DT the) (NN n{i})) (VP (VBZ v)) (NP (NN x{i})))\n" if i % 4 else "(S (X y)\n" for i in range(N)
)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", CHUNK)
    system = fsspec.filesystem("memory")
    system.pipe({"/in/gold.ptb": GOLD.encode(), "/in/a.ptb": TEST.encode()})
    yield system
    system.rm("/", recursive=True)


def scored(out: str | Path | None, **options: Any) -> evaltools.Run:
    return evaltools.score("memory://in/gold.ptb", {"a": "memory://in/a.ptb"}, out=out, **options)


def test_inputs_at_urls(memory: Any, tmp_path: Path):
    for name, text in {"gold": GOLD, "a": TEST}.items():
        (tmp_path / f"{name}.ptb").write_text(text)
    run = scored(tmp_path / "run")
    local = evaltools.score(tmp_path / "gold.ptb", {"a": f"file://{tmp_path}/a.ptb"}, out=f"file://{tmp_path}/local")
    assert run.meta["gold"] == {**local.meta["gold"], "file": "memory://in/gold.ptb", "path": None}
    assert run.signature == local.signature
    pd.testing.assert_frame_equal(run.sentences(), local.sentences())
    assert local.path == tmp_path / "local"
    assert evaltools.verify(local).equal
    assert evaltools.verify(run).obstacles[0].startswith("memory://in/gold.ptb: was no file on this machine")


def test_a_run_is_no_url(memory: Any):
    for use in (scored, evaltools.Run):
        with pytest.raises(ParameterError, match="memory://out/run: a run is a folder of this machine, not a URL"):
            use("memory://out/run")
    assert memory.find("/out") == []


def test_what_is_wrong_with_a_url_is_said(memory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(InputError, match=r"memory://in/none\.ptb: no such file"):
        evaltools.score("memory://in/none.ptb", {"a": "memory://in/a.ptb"})
    with pytest.raises(InputError, match="memory://in: a folder"):
        evaltools.score("memory://in", {"a": "memory://in/a.ptb"})
    with pytest.raises(ParameterError, match="nonsense://x: Protocol not known: nonsense"):
        evaltools.score("nonsense://x", {"a": "memory://in/a.ptb"})
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(ParameterError, match=r"URLs need fsspec: pip install 'parser-evaltools\[dask\]'"):
        scored(tmp_path / "run")


def test_commands_take_urls(tmp_path: Path):
    for name, text in {"gold": GOLD, "a": TEST}.items():
        (tmp_path / f"{name}.ptb").write_text(text)
    url = f"local://{tmp_path}"

    made = call("score", f"{url}/gold.ptb", f"a={url}/a.ptb", "-o", str(tmp_path / "run"))
    assert made.returncode == 0
    assert f"{url}/a.ptb:1" in made.stderr


def test_semantic_graphs_at_urls(memory: Any):
    lines = mrp(("a", sleeps()), ("b", saw()))
    memory.pipe({"/in/gold.mrp": lines.encode(), "/in/p.mrp": lines.replace("_see_v_1", "_hear_v_1").encode()})
    run = evaltools.score(
        "memory:///in/gold.mrp",
        {"p": "memory:///in/p.mrp"},
    )
    assert run.kind == "mrs"
    assert [pair.status for pair in run.graphs(2, "p").nodes].count("relabeled") == 1
