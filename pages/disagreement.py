"""The *Disagreement* page."""

from evaltools.ui.frame import enter
from evaltools.ui.pages import disagreement

enter(disagreement.render)
