"""The *Semantics* page."""

from evaltools.ui.frame import enter
from evaltools.ui.pages import semantics

enter(semantics.render)
