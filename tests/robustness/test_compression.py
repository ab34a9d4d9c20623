"""Compressed uploads that hold far more than they take up are refused before they fill the memory."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from evaltools.app.scoring.checking import check
from evaltools.errors import InputError
from evaltools.formats import read_treebank
from evaltools.formats.source import MAX_LINES_LISTED, ByteStream, Source, check_text, open_bytes

MB = 2**20


def pressed(kind: str, content: bytes, times: int) -> bytes:
    """Return a content that is repeated, compressed, without holding it whole."""
    if kind == "gzip":
        part = zlib.compressobj(9, wbits=31)
        return b"".join([part.compress(content) for _ in range(times)] + [part.flush()])
    if kind == "gzip members":
        return gzip.compress(content, 9) * times
    if kind == "gzip in gzip":
        return gzip.compress(pressed("gzip", content, times), 9)
    if kind == "zstd frames":
        return zstandard.ZstdCompressor(level=19).compress(content) * times
    frame = zstandard.ZstdCompressor().compressobj()
    blocks = b"".join([frame.compress(content) for _ in range(times)] + [frame.flush()])
    return blocks if kind == "zstd" else gzip.compress(blocks)


MEASURE = """
import json, resource, sys
from pathlib import Path
from evaltools.app.scoring.checking import check
check("warm.ptb", b"(S (N a))")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
checked = check("bomb.ptb", Path(sys.argv[1]).read_bytes())
unit = 1 if sys.platform == "darwin" else 1024
grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit
problem = checked.problems[0]
print(json.dumps([checked.fatal, problem.kind, problem.found, problem.expected, grown]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no resource limits there")
@pytest.mark.parametrize(
    ("kind", "content"),
    [("gzip", b"\0"), ("gzip members", b"(S (N a))\n"), ("zstd", b"(S (N a))\n"), ("zstd frames", b"\n")],
)
def test_a_small_upload_does_not_take_the_memory_of_what_it_becomes(kind: str, content: bytes, tmp_path: Path):
    bomb = tmp_path / "bomb"
    bomb.write_bytes(pressed(kind, content * (MB // len(content)), 600))
    assert bomb.stat().st_size < 4.2 * MB
    done = subprocess.run([sys.executable, "-c", MEASURE, bomb], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    fatal, problem, found, expected, grown = json.loads(done.stdout.splitlines()[-1])
    assert (fatal, problem) == (True, "compression")
    assert found.startswith("more than ")
    assert found.endswith(" MB after decompression")
    assert expected == "at most 200 MB after decompression; evaltools score reads more"
    assert grown < 400 * MB


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gzip in gzip", "zstd in gzip"])
def test_what_is_compressed_twice_is_refused(kind: str):
    checked = check("twice.ptb", pressed(kind, b"\0" * MB, 250))
    assert checked.fatal
    assert checked.problems[0].found == "a file compressed twice"


def archive(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("../../gold.ptb", data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("press", "found"), [(archive, "a ZIP archive"), (bz2.compress, "a bzip2 file"), (lzma.compress, "an xz file")]
)
def test_other_compressions_are_not_opened_at_all(press: Callable[[bytes], bytes], found: str):
    for stored in (press(b"(S (N a))\n" * 1000), gzip.compress(press(b"(S (N a))\n"))):
        checked = check("gold.ptb", stored)
        assert checked.fatal
        assert checked.problems[0].found == found
        assert checked.problems[0].expected == "text, plain or compressed once by gzip or Zstandard"


@pytest.mark.parametrize("press", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_the_limit_is_exact(press: Callable[[bytes], bytes]):
    noise = os.urandom(100_000)
    assert ByteStream(io.BytesIO(press(noise)), "x", max_size=100_000).read_all() == noise
    with pytest.raises(InputError, match="after decompression"):
        ByteStream(io.BytesIO(press(noise + b"a")), "x", max_size=100_000).read_all()
    assert len(ByteStream(io.BytesIO(b"a" * 200_000), "x", max_size=100_000).read_all()) == 200_000, "not compressed"


def test_files_of_the_users_own_have_no_limit(tmp_path: Path):
    path = tmp_path / "gold.ptb.gz"
    path.write_bytes(pressed("gzip", b"(S (N a))" + b" " * (MB - 10) + b"\n", 40))
    assert sum(map(len, iter(open_bytes(path).read_block, b""))) == 40 * MB
    assert len(read_treebank(path)) == 40


@pytest.mark.slow
@pytest.mark.parametrize(("line", "kind"), [(b"\xc3\xa9\xff\n", "encoding"), (b"a\0\n", "nul")])
def test_a_million_lines_that_are_no_text_do_not_become_a_million_problems(line: bytes, kind: str):
    problems = check_text(line * 100_000, "gold.ptb", 1)
    assert len(problems) == MAX_LINES_LISTED + 1
    assert {problem.kind for problem in problems} == {kind}
    assert problems[MAX_LINES_LISTED - 1].line == MAX_LINES_LISTED
    assert problems[-1].found == "90,000 more lines of this kind"
    assert len(Source.from_bytes(line * MAX_LINES_LISTED, "gold.ptb").problems) == MAX_LINES_LISTED
