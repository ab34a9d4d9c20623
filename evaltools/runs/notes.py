"""Bookmarks and notes on sentences, which stay with the run.

They are kept in a small SQLite file in its folder, or, where that cannot be written, among the user's other data. Each
note is written by itself, so that several people may keep notes on one run at the same time. A run may come from
anyone: of the file only the table of notes is read, what is a link is neither read nor written, and a file that is no
database is left as it is.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import platformdirs

from evaltools.runs.shared_database import is_linked, opened
from evaltools.runs.store import Run

__all__ = ["Note", "Notes"]

_FILE = "notes.sqlite"
_BEFORE = "notes.json"
"""Where earlier versions kept them; what is there is taken over with the first note."""
_MADE = """
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
        folder = Path(platformdirs.user_data_dir("evaltools")) / "notes"
        self._inside = run.path / _FILE
        linked = is_linked(self._inside)
        writable = os.access(run.path, os.W_OK) and (not self._inside.exists() or os.access(self._inside, os.W_OK))
        self._readable = not linked and self._inside.is_file()
        self.path = self._inside if writable and not linked else folder / f"{digest}.sqlite"
        self._before = run.path / _BEFORE if self.path == self._inside else folder / f"{digest}.json"

    def all(self) -> dict[int, Note]:
        """Return the notes by sentence; a file that cannot be read holds none.

        Of a run that cannot be written, the notes in its folder come first, and one's own stand over them.
        """
        found = {} if self.path.exists() else self._of_before()
        for path in dict.fromkeys((self._inside, self.path)):
            if path.is_file() and (path != self._inside or self._readable or path == self.path):
                found |= _read(path)
        return {sentence: note for sentence, note in sorted(found.items()) if note != Note()}

    def put(self, sentence: int, note: Note) -> None:
        """Keep a note; an empty one is removed.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with opened(self.path) as database:
            database.execute("begin immediate")
            known = database.execute("select 1 from sqlite_master where name = 'notes' and type = 'table'").fetchone()
            if not known:
                database.execute(_MADE)
                rows = [(number, int(one.marked), one.text) for number, one in self._of_before().items()]
                database.executemany(_PUT, rows)
            if note == Note() and not self._hides_another(sentence):
                database.execute("delete from notes where sentence = ?", [sentence])
            else:
                database.execute(_PUT, [sentence, int(note.marked), note.text])
            database.execute("commit")

    def _hides_another(self, sentence: int) -> bool:
        """Tell whether the run's own file has a note that an empty one of the reader's is to stand over."""
        return self.path != self._inside and self._readable and sentence in _read(self._inside)

    def _of_before(self) -> dict[int, Note]:
        found: dict[int, Note] = {}
        if self._before.is_symlink():
            return found
        with suppress(OSError, ValueError, TypeError, AttributeError):
            for sentence, entry in json.loads(self._before.read_text("utf-8")).items():
                found[int(sentence)] = Note(bool(entry.get("marked")), str(entry.get("text", "")))
        return found


def _read(path: Path) -> dict[int, Note]:
    found: dict[int, Note] = {}
    with suppress(OSError), opened(path, "ro") as database:
        table = database.execute("select type from sqlite_master where name = 'notes'").fetchone()
        if table != ("table",):
            return found
        for sentence, marked, text in database.execute("select sentence, marked, text from notes"):
            if isinstance(sentence, int) and isinstance(text, str):
                found[sentence] = Note(bool(marked), text)
    return found
