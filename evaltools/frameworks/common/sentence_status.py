"""The status of a sentence."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["SentenceStatus"]


class SentenceStatus(IntEnum):
    """Whether a sentence can be scored as it is, or why not."""

    OK = 0
    MISSING = 1
    WORDS_DIFFER = 2

    @property
    def label(self) -> str:
        """The name used in tables: ``ok``, ``missing`` or ``words_differ``."""
        return self.name.lower()
