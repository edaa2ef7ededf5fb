"""Static pages in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page


@contextmanager
def tab(chromium: Browser, path: Path, **options: Any) -> Iterator[Page]:
    """The page in a tab, in which nothing may go wrong and nothing may be loaded."""
    context = chromium.new_context(**options)
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: problems.append(request.url) if request.url != path.as_uri() else None)
    page.goto(path.as_uri())
    yield page
    assert problems == []
    context.close()


def barriers(page: Page) -> list[tuple[str, str]]:
    """What axe finds, with the first place of each."""
    return [(found["id"], found["nodes"][0]["html"]) for found in Axe().run(page).response["violations"]]


def width_of(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth"))


def owned(page: Page) -> bool:
    """Whether a hostile text got to run."""
    return bool(page.evaluate("Boolean(document.documentElement.dataset.owned)")) or page.title() == "owned"
