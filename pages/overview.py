"""The *Overview* page."""

from evaltools.app.frame import enter
from evaltools.app.pages import overview

enter(overview.render)
