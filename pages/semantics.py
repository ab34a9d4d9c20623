"""The *Semantics* page."""

from evaltools.ui.frame.navigation import enter
from evaltools.ui.pages import semantics

enter(semantics.render)
