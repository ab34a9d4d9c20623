"""The *Semantics* page."""

from evaltools.app.frame import enter
from evaltools.app.pages import semantics

enter(semantics.render)
