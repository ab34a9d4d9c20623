"""The printed sheet of one-time codes: a slip with a QR code for each student, as one HTML file."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from urllib.parse import urlencode

from evaltools.drawing.qr import qr_svg

__all__ = ["code_link", "code_sheet"]

_SHEET = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
@page {{ margin: 12mm; }}
body {{ margin: 0; font: 11pt/1.3 system-ui, sans-serif; color: #000; background: #fff; }}
main {{ display: grid; grid-template-columns: repeat(3, 1fr); }}
section {{ padding: 4mm; border: 1px dashed #888; text-align: center; break-inside: avoid; }}
svg {{ width: 36mm; height: 36mm; }}
code {{ display: block; font-size: 14pt; }}
small {{ overflow-wrap: anywhere; }}
</style>
</head>
<body>
<main>
{slips}
</main>
</body>
</html>
"""
_SLIP = "<section>{svg}<code>{code}</code><small>{link}<br>valid until {until}</small></section>"


def code_link(base: str, code: str) -> str:
    """Return the link of a slip.

    Examples
    --------
    >>> code_link("http://192.168.1.5:8502", "ABCDE-FGHJK")
    'http://192.168.1.5:8502/?code=ABCDE-FGHJK'
    """
    return f"{base}/?{urlencode({'code': code})}"


@lru_cache(maxsize=4)
def code_sheet(base: str, codes: tuple[str, ...], title: str, until: str) -> bytes:
    """Return the sheet, three slips in a row, each with the time until which it is valid."""
    slips = [
        _SLIP.format(
            svg=qr_svg(code_link(base, code), 4), code=escape(code), link=escape(f"{base}/"), until=escape(until)
        )
        for code in codes
    ]
    return _SHEET.format(title=escape(title), slips="\n".join(slips)).encode("utf-8")
