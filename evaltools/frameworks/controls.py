"""Controls as data, which any page can draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice among a few named options."""

    name: str  # Its name in the URL
    label: str
    options: Mapping[str, str]  # Value and title of each option, in the order to offer them
    default: str  # The value while the URL has none
    help: str = ""  # A hint; empty for none
    is_menu: bool = False  # Whether the options are in a menu, rather than side by side
    is_toggle: bool = False  # Whether it switches between the values ``"0"`` and ``"1"``
    is_kept: bool = False  # Whether the URL keeps what was chosen even where it is the default, which may change
    clears: tuple[str, ...] = ()  # Names of the URL that a change removes

    def chosen(self, values: Mapping[str, str]) -> str:
        """Return the chosen option, given values by their names in the URL."""
        value = values.get(self.name, self.default)
        return value if value in self.options else self.default


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number."""

    name: str  # Its name in the URL
    label: str
    default: int  # Its value while the URL has none
    low: int = 1
    high: int = 100_000
    step: int = 10  # Step of the buttons
    help: str = ""  # A hint; empty for none
    width: int = 160


Control = Choice | Number
"""A control of a page, beside parsers and sentences."""
