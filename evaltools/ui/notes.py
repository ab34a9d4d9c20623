"""Bookmarks and notes on sentences, which stay with the run.

They are kept in its folder, or, where that cannot be written, among the user's other data.
"""

from __future__ import annotations

import json
import os
import threading
import uuid
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

import platformdirs

from evaltools.runs.store import Run

__all__ = ["Note", "Notes"]

_FILE = "notes.json"
_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class Note:
    """What the reader keeps of a sentence.

    Parameters
    ----------
    marked : bool
        Whether it is bookmarked.
    text : str
        The note.
    """

    marked: bool = False
    text: str = ""


class Notes:
    """The notes of a run.

    Parameters
    ----------
    run : Run
        The run.
    """

    def __init__(self, run: Run) -> None:
        digest = blake2b(str(run.path.resolve()).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
        elsewhere = Path(platformdirs.user_data_dir("evaltools")) / "notes" / f"{digest}.json"
        inside = run.path / _FILE
        writable = os.access(inside if inside.exists() else run.path, os.W_OK)
        # a run may come from anyone: what is a link there is neither read nor written
        self.path = inside if writable and not inside.is_symlink() else elsewhere

    def all(self) -> dict[int, Note]:
        """Return the notes by sentence; a file that cannot be read holds none."""
        found: dict[int, Note] = {}
        with suppress(OSError, ValueError, TypeError, AttributeError):
            for sentence, entry in json.loads(self.path.read_text("utf-8")).items():
                found[int(sentence)] = Note(bool(entry.get("marked")), str(entry.get("text", "")))
        return found

    def put(self, sentence: int, note: Note) -> None:
        """Keep a note; an empty one is removed.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        with _LOCK:
            notes = self.all()
            notes.pop(sentence, None)
            if note != Note():
                notes[sentence] = note
            self.path.parent.mkdir(parents=True, exist_ok=True)
            written = {str(number): asdict(notes[number]) for number in sorted(notes)}
            partial = self.path.with_name(f".{self.path.name}.{uuid.uuid4().hex}.partial")
            with partial.open("x", encoding="utf-8") as file:
                file.write(json.dumps(written, indent=1, ensure_ascii=False) + "\n")
            partial.replace(self.path)
