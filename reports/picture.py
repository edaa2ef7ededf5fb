"""Draws reports/example.png, the picture that the README shows, from reports/example.html: `make example`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
WIDTH, HEIGHT = 1280, 1240


def draw(page_path: Path, picture: Path) -> None:
    """The first screen of a report, in light colours."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    if program is None:
        sys.exit("chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(page_path.resolve().as_uri())
        page.locator("output:has-text('samples')").wait_for()
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    draw(FOLDER / "example.html", FOLDER / "example.png")
