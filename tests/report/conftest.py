"""Reports as trees, and in a real browser, driven by Playwright: the system's Chromium, nothing is downloaded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from mtprobe.records import Run
from mtprobe.report.html.report import write_html
from tests.system_packages import require_program

from .page import Element, parse

_QUIET = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]


@dataclass
class Opened:
    """A report in a browser tab, with what went wrong there and what it asked the network for."""

    page: Page
    path: Path
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def ids(self) -> list[str]:
        """The samples in the list, by their ids: each is opened in turn."""
        rows = self.page.locator("[role=option]")
        found = []
        for place in range(rows.count()):
            rows.nth(place).click()
            self.page.locator(f"[role=option][aria-selected=true]#sample-{place}").wait_for()
            self.page.locator(".detail").wait_for()
            found.append(self.page.locator("#sample-title").inner_text())
        return found

    def choose(self, facet: str, value: str) -> None:
        control = self.page.locator(f"[data-facet={facet}]")
        (control.fill if facet == "text" else control.select_option)(value)

    def addressed(self, part: str) -> str:
        """The fragment, as soon as it holds this part."""
        expect(self.page).to_have_url(re.compile("#samples.*" + re.escape(part)))
        return str(self.page.evaluate("location.hash"))

    def told(self, text: str) -> None:
        """Waits until the browser says this."""
        self.page.locator(f"output:text-is('{text}')").wait_for()


@pytest.fixture
def page_of(tmp_path: Path) -> Callable[[Run], Element]:
    def page_of(run: Run) -> Element:
        path = tmp_path / "report.html"
        write_html(run, path)
        return parse(path.read_text(encoding="utf-8"))

    return page_of


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = require_program("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_QUIET)
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Browser, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    contexts = []

    def opened(
        run: Run, *changes: tuple[str, str], fragment: str = "", ready: bool = True, **options: Any
    ) -> Opened:
        """The report in a tab; `changes` are made to its text, `options` are of the tab."""
        path = tmp_path / "report.html"
        write_html(run, path)
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path.write_text(text, encoding="utf-8")
        context = chromium.new_context(**options)
        contexts.append(context)
        tab = Opened(context.new_page(), path)
        tab.page.on("console", lambda message: tab.problems.append(message.text))
        tab.page.on("pageerror", lambda error: tab.problems.append(str(error)))
        tab.page.on("request", lambda request: tab.requests.append(request.url))
        tab.page.on("dialog", lambda dialog: (tab.problems.append(dialog.message), dialog.dismiss()))
        tab.page.goto(path.as_uri() + fragment)
        if ready:
            tab.page.locator("output:has-text('samples')").wait_for()
        return tab

    yield opened
    for context in contexts:
        context.close()
