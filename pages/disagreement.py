"""The *Disagreement* page."""

from evaltools.app.frame import enter
from evaltools.app.pages import disagreement

enter(disagreement.render)
