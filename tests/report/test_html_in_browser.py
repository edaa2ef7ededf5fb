"""The HTML report in a real browser: hostile text does nothing there, and our own style and script work."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mtprobe.methods.verdict import Outcome
from mtprobe.record import Run
from mtprobe.report.html import write_html
from tests.system_packages import require_program

from .factory import a_hostile_run, a_run, a_sample, a_suite
from .page import Element, parse

_QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


class Browser:
    """Opens pages and tells what became of them."""

    def __init__(self, program: str, profile: Path) -> None:
        self._command = [program, *_QUIET, f"--user-data-dir={profile}"]

    def open(self, path: Path) -> tuple[Element, list[str]]:
        """The page after its script ran, and what its policy refused."""
        done = subprocess.run(
            [
                *self._command,
                "--enable-logging=stderr",
                "--virtual-time-budget=2000",
                "--dump-dom",
                path.as_uri(),
            ],
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=True,
        )
        log = done.stderr.splitlines()
        refused = [line for line in log if "Refused to" in line or "Content Security Policy" in line]
        return parse(done.stdout), refused


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    return Browser(require_program("chromium"), tmp_path_factory.mktemp("profile"))


@pytest.fixture
def written(tmp_path: Path):
    def written(run: Run, *changes: tuple[str, str]) -> Path:
        """The report's path; `changes` are made to its text."""
        path = tmp_path / "report.html"
        write_html(run, path)
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path.write_text(text, encoding="utf-8")
        return path

    return written


def owned(page: Element) -> bool:
    """Whether one of the hostile strings got to run."""
    return "data-owned" in page.one("html").attributes or page.one("title").text == "owned"


def test_hostile_text_does_nothing_and_the_policy_refuses_nothing_of_ours(browser, written):
    page, refused = browser.open(written(a_hostile_run()))
    assert not owned(page)
    assert refused == []
    assert page.one("title").text.startswith("2 of 10 gates passed, 8 expected to fail · <script>")


def test_the_policy_would_stop_a_script_that_got_in(browser, written):
    code = "document.documentElement.dataset.owned = 1"
    path = written(a_run(), ("</main>", f"<script>{code}</script><img src='x' onerror='{code}'></main>"))
    page, refused = browser.open(path)
    assert not owned(page)
    assert refused


def test_the_script_offers_the_filter(browser, written):
    page, refused = browser.open(written(a_run(a_suite(a_sample(p=0.1), a_sample("other", p=0.2)))))
    assert refused == []
    assert "hidden" not in page.one("div", "filter").attributes
    assert page.one("output").text == "2 of 2"


@pytest.mark.parametrize(
    "outcome, category, text, shown",
    [
        ("", "", "", ["wrong", "wrong-female", "right"]),
        ("incorrect", "", "", ["wrong", "wrong-female"]),
        ("incorrect", "female", "", ["wrong-female"]),
        ("", "", "ENFERMEIRO", ["right"]),
        ("correct", "female", "", []),
    ],
)
def test_samples_are_filtered_by_outcome_category_and_text(browser, written, outcome, category, text, shown):
    results = (
        a_sample("wrong", p=0.1),
        a_sample("wrong-female", p=0.2, category="female"),
        a_sample("right", Outcome.CORRECT, 0.9, translation="O enfermeiro terminou o turno."),
    )
    user = f"""<script>
        const chosen = {{outcome: "{outcome}", category: "{category}", text: "{text}"}};
        for (const control of document.querySelectorAll("[data-filter]")) {{
            control.value = chosen[control.dataset.filter];
            control.dispatchEvent(new Event("input", {{bubbles: true}}));
        }}
    </script></body>"""
    path = written(a_run(a_suite(*results)), ("Content-Security-Policy", "no-policy"), ("</body>", user))
    page, _ = browser.open(path)
    rows = [row for row in page.all("li") if "data-outcome" in row.attributes]
    assert [row.one("span", "id").text for row in rows if "hidden" not in row.attributes] == shown
    assert page.one("output").text == f"{len(shown)} of 3"
