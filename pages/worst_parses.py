"""The *Worst parses* page."""

from evaltools.app.frame import enter
from evaltools.app.pages import worst_parses

enter(worst_parses.render)
