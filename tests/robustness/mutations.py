"""Files that went wrong on the way: bytes changed, lost, doubled, put in, cut off; the same ones for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
LONGEST = 3000
"""Bytes of a seed; longer files give a piece from anywhere."""

FRAGMENTS = (
    *(b"(", b")", b"((", b"))", b"[", b"]", b" ", b"\t", b"\n", b"\r", b"\r\n", b"\n\n", b"\v", b"\f", b"\n("),
    *(b"\0", b"\x1b[31m", b"\x7f", b"\xff", b"\xfe", b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),
    *(b"\xef\xbb\xbf", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xf0\x9f\x98\x80", "é".encode("latin-1"), "日本".encode()),
    *(b"(())", b"()", b"( )", b"(TOP ", b"(S (NP (N x)) (VP (V y)))", b"# comment", b"-NONE-", b"0", b"%s", b"(" * 300),
    *(b")" * 300, b" " * 300, b"\n" * 50, b"x" * 300),
)


def seeds() -> list[bytes]:
    """Return every file of the sample, those that are wrong on purpose among them."""
    paths = [path for path in sorted(SAMPLE.rglob("*")) if path.suffix in (".ptb", ".csv", ".prm", ".txt", ".brackets")]
    return [path.read_bytes() for path in paths]


def mutated(data: bytes, random: Random, other: bytes) -> bytes:
    """Return the bytes with a few things wrong with them."""
    if len(data) > LONGEST:
        start = random.randrange(len(data) - LONGEST)
        data = data[start : start + random.randint(1, LONGEST)]
    for _ in range(random.choice((1, 1, 2, 3, 5, 8))):
        at, end = sorted((random.randint(0, len(data)), random.randint(0, len(data))))
        match random.randrange(8):
            case 0 if data:  # one bit
                place = random.randrange(len(data))
                data = data[:place] + bytes([data[place] ^ (1 << random.randrange(8))]) + data[place + 1 :]
            case 1 if data:  # one byte
                place = random.randrange(len(data))
                data = data[:place] + bytes([random.randrange(256)]) + data[place + 1 :]
            case 2:  # lost
                data = data[:at] + data[at + random.choice((1, 2, end - at)) :]
            case 3:  # doubled
                data = data[:end] + data[at:end] + data[end:]
            case 4:  # cut off
                data = data[:end]
            case 5:  # a piece of another file
                first = random.randint(0, len(other))
                data = data[:at] + other[first : first + random.randint(0, 200)] + data[at:]
            case _:
                data = data[:at] + random.choice(FRAGMENTS) + data[at:]
        data = data[: 2 * LONGEST]
    return data


def mutations(count: int, seed: int) -> Iterator[tuple[int, bytes]]:
    """Yield numbered mutations of the seeds, each seed in its turn."""
    random = Random(seed)
    originals = seeds()
    for number in range(count):
        yield number, mutated(originals[number % len(originals)], random, random.choice(originals))
