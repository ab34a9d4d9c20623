"""Folders of runs of dependency trees that are damaged, or that someone has written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evaltools
from evaltools import Run, RunError
from tests.resealing import reseal, write_meta
from tests.runs.dependency_files import NEAR, PASSIVE, TREE, data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give the folder of a run."""
    evaltools.score(data(TREE, PASSIVE), {"p": data(NEAR, None)}, out=tmp_path / "run")
    return tmp_path / "run"


def change_meta(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    meta = json.loads((folder / "meta.json").read_text("utf-8"))
    change(meta)
    write_meta(folder, meta)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda meta: meta.update(kind="graphs"), "unknown kind 'graphs'"),
        (lambda meta: meta.update(kind=3), "unknown kind '3'"),
        (lambda meta: meta["options"].pop("punctuation"), r"no punctuation - at `\$\.options`"),
        (lambda meta: meta["options"].update(punctuation="x"), "unknown punctuation 'x'"),
        (lambda meta: meta["options"].update(subtypes="yes"), r"at `\$\.options\.subtypes`"),
        (lambda meta: meta["preset_fields"].update(label_map={"a": 1}), r"at `\$\.preset_fields\.label_map"),
        (lambda meta: meta["tables"].pop("words"), "no 'words'"),
        (lambda meta: meta.update(metrics=["f1"]), "unknown metric 'f1'"),
        (lambda meta: meta.update(kind="constituency"), "brackets|unknown metric"),
    ],
)
def test_meta_is_checked(folder: Path, change: Callable[[dict[str, Any]], object], says: str):
    change_meta(folder, change)
    with pytest.raises(RunError, match=says):
        Run(folder).summary()


def test_a_tree_that_is_none_is_an_error_of_its_own(folder: Path):
    part = folder / "trees.parquet"
    rows = pq.read_table(part)
    cyclic = "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_"
    rows = rows.set_column(rows.schema.get_field_index("tree"), "tree", pa.array([cyclic] * len(rows)))
    pq.write_table(rows, part)
    reseal(folder)
    with pytest.raises(evaltools.EvaltoolsError, match=r"cycle|root"):
        Run(folder).alignment(1, "p")


def test_numbers_that_lead_nowhere_do_no_harm(folder: Path):
    part = folder / "words.parquet"
    rows = pq.read_table(part)
    heads = pa.array([2**31 - 1] * len(rows), pa.int32())
    pq.write_table(rows.set_column(rows.schema.get_field_index("head"), "head", heads), part)
    reseal(folder)
    assert set(Run(folder).attachments("p")["bin"]) >= {"7–", "right"}
