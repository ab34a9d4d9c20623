"""Folders of runs of dependency trees that are damaged, or that someone has written by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import evaltools
from evaltools import Run, RunError
from tests.resealing import change_column, change_meta
from tests.runs.dependency_files import NEAR, PASSIVE, TREE, data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    evaltools.score(data(TREE, PASSIVE), {"p": data(NEAR, None)}, out=tmp_path / "run")
    return tmp_path / "run"


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
    cyclic = "1\ta\t_\t_\t_\t_\t2\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_"
    change_column(folder, "trees", "tree", lambda n: pa.array([cyclic] * n))
    with pytest.raises(evaltools.EvaltoolsError, match=r"cycle|root"):
        Run(folder).alignment(1, "p")


def test_numbers_that_lead_nowhere_do_no_harm(folder: Path):
    change_column(folder, "words", "head", lambda n: pa.array([2**31 - 1] * n, pa.int32()))
    assert set(Run(folder).attachments("p")["bin"]) >= {"7–", "right"}
