"""The *Worst parses* page."""

from evaltools.ui.frame import enter
from evaltools.ui.pages import worst_parses

enter(worst_parses.render)
