"""Every command in the README and the guide runs, in their order, on the sample under the names that they use."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.commands import call

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_data"
_COMMAND = re.compile(r"^ {4}evaltools (.*?)(?: {2,}#.*)?$", re.MULTILINE)
_SERVERS = ("app", "class")


def prepare(folder: Path) -> None:
    """Copy the sample, and its files under the names of the texts."""
    shutil.copytree(SAMPLE, folder / "sample_data")
    copies = {
        "gold.ptb": "gold.ptb",
        "mine.ptb": "parsers/pcfg-parent.ptb",
        "gold.conllu": "dependencies/lexical.conllu",
        "spacy.conllu": "dependencies/transition-lexical.conllu",
        "udpipe.conllu": "dependencies/spanning-tree-lexical.conllu",
        "tiger.export": "formats/discontinuous.export",
    }
    for name, file in copies.items():
        shutil.copyfile(SAMPLE / file, folder / name)
    first, second = (
        (SAMPLE / "parsers" / name).read_text("utf-8").splitlines() for name in ("pcfg-parent.ptb", "pcfg-plain.ptb")
    )
    half = len(first) // 2
    ranges = f"d1\tnews\t1\t{half}\nd2\tfiction\t{half + 1}\t{len(first)}\n"
    (folder / "documents.tsv").write_text(f"document\tgenre\tfirst_line\tlast_line\n{ranges}")
    pairs = zip(first, second, strict=True)
    (folder / "lists.ptb").write_text("".join(f"{a or b or '(())'}\n{b or a or '(())'}\n\n" for a, b in pairs))


@pytest.mark.slow
def test_commands_of_readme_and_guide(tmp_path: Path):
    prepare(tmp_path)
    texts = [(ROOT / name).read_text("utf-8") for name in ("README.md", "docs/guide.md")]
    commands = [shlex.split(line) for text in texts for line in _COMMAND.findall(text)]
    ran = 0
    for command in commands:
        if command[0] in _SERVERS or "--dask" in command:
            continue
        done = call(*command, cwd=tmp_path)
        assert done.returncode == 0, (command, done.stderr)
        ran += 1
    assert ran >= 15


@pytest.mark.slow
def test_python_of_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["run"].alignment(17, "pcfg").t.steps
