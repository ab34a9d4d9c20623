"""The *Cross-framework* page."""

from evaltools.ui.frame import enter
from evaltools.ui.pages import crossframework

enter(crossframework.render)
