"""Bookmarks and notes on the sentences of a run.

They are stored in a small SQLite file in the folder of the run, or, if the folder cannot be written, in the user's data
folder. Each note is a transaction, so that several people can write notes on one run at the same time. A run may be
untrusted: only the table of notes is read, links are neither read nor written, and a file that is no database is not
changed.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from evaltools.runs.locations import user_data
from evaltools.runs.shared_database import create, is_linked, opened
from evaltools.runs.store import Run

_FILE = "notes.sqlite"
_CREATE = """
create table if not exists notes (
    sentence integer primary key,
    marked integer not null,
    text text not null,
    changed text not null default (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
)
"""
_PUT = """
insert into notes (sentence, marked, text) values (?, ?, ?)
on conflict (sentence) do update set marked = excluded.marked, text = excluded.text, changed = excluded.changed
"""


@dataclass(frozen=True, slots=True)
class Note:
    """A reader's note on a sentence."""

    marked: bool = False  # Whether it is bookmarked
    text: str = ""


class Notes:
    """The notes of a run."""

    def __init__(self, run: Run) -> None:
        digest = blake2b(str(run.path.resolve()).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
        self._inside = run.path / _FILE
        linked = is_linked(self._inside)
        writable = os.access(run.path, os.W_OK) and (not self._inside.exists() or os.access(self._inside, os.W_OK))
        self._readable = not linked and self._inside.is_file()
        self.path = self._inside if writable and not linked else user_data() / "notes" / f"{digest}.sqlite"

    def all(self) -> dict[int, Note]:
        """Return the notes by sentence; none from a file that cannot be read."""
        # For a run that cannot be written, the user's notes replace those in its folder.
        notes: dict[int, Note] = {}
        for path in dict.fromkeys((self._inside, self.path)):
            if path.is_file() and (path != self._inside or self._readable or path == self.path):
                notes |= _read(path)
        return {sentence: note for sentence, note in sorted(notes.items()) if note != Note()}

    def put(self, sentence: int, note: Note) -> None:
        """Store a note; an empty one is removed."""
        create(self.path, [(_CREATE, ())])
        with opened(self.path) as database:
            database.execute("begin immediate")
            database.execute(_CREATE)
            if note == Note() and not self._replaces_note(sentence):
                database.execute("delete from notes where sentence = ?", [sentence])
            else:
                database.execute(_PUT, [sentence, int(note.marked), note.text])
            database.execute("commit")

    def _replaces_note(self, sentence: int) -> bool:
        """Return whether the file in the run has a note that the user's empty note replaces."""
        return self.path != self._inside and self._readable and sentence in _read(self._inside)


def _read(path: Path) -> dict[int, Note]:
    notes: dict[int, Note] = {}
    with suppress(OSError), opened(path, "ro") as database:
        table = database.execute("select type from sqlite_master where name = 'notes'").fetchone()
        if table != ("table",):
            return notes
        for sentence, marked, text in database.execute("select sentence, marked, text from notes"):
            if isinstance(sentence, int) and isinstance(text, str):
                notes[sentence] = Note(bool(marked), text)
    return notes
