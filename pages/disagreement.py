"""The *Disagreement* page."""

from evaltools.ui.frame.navigation import enter
from evaltools.ui.pages import disagreement

enter(disagreement.render)
