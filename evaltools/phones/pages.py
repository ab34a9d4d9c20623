"""The pages of the phones, in HTML without scripts or styles of their own."""

from __future__ import annotations

from html import escape

__all__ = ["code_page", "message_page", "question_page"]

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} – evaltools</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="phones.css">
<script src="phones.js" defer></script>
<noscript><meta http-equiv="refresh" content="5; url=./"></noscript>
</head>
<body data-version="{version}">
<main>
{body}
</main>
<p id="lost" role="alert" hidden>No connection to the class. Is this device in the same network?</p>
</body>
</html>
"""


def message_page(title: str, text: str, version: str, *, back: bool = False) -> str:
    """Return a page with a message; `back` adds a link to the question."""
    link = '\n<p><a class="button" href="./">Back to the question</a></p>' if back else ""
    return _page(title, f"<h1>{escape(title)}</h1>\n<p>{escape(text)}</p>{link}", version)


def code_page(version: str, code: str = "", problem: str = "") -> str:
    """Return the page that takes a one-time code."""
    warning = f'<p class="problem" role="alert">{escape(problem)}</p>\n' if problem else ""
    body = (
        f"<h1>Enter your code</h1>\n{warning}"
        '<form method="post" action="join">\n'
        '<label for="code">It is printed on your slip.</label>\n'
        f'<input id="code" name="code" value="{escape(code)}" maxlength="20" autocomplete="off" '
        'autocapitalize="characters" spellcheck="false" required>\n'
        "<button>Join the class</button>\n</form>"
    )
    return _page("Enter your code", body, version)


def question_page(lesson: str, ballot: str, body: str, version: str) -> str:
    """Return the page of a question, whose controls are inside the form that sends the answer."""
    form = (
        f'<form method="post" action="answer">\n<input type="hidden" name="ballot" value="{escape(ballot)}">\n'
        f"{body}\n</form>"
    )
    return _page(lesson, form, version)


def _page(title: str, body: str, version: str) -> str:
    return _PAGE.format(title=escape(title), version=escape(version), body=body)
