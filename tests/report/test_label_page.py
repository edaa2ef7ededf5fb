"""The label page in a real browser: labelled by keys and buttons, kept over a reload, exported as a label file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mtprobe.report.html.label_page import write_label_page
from mtprobe.studies.label_draw import Drawn
from mtprobe.suite.labels import Label, read_label_file

from .factory import HOSTILE, a_sample, a_suite


@dataclass
class Sheet:
    page: Page
    path: Path
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def exported(self, tmp_path: Path, **settings: Any) -> tuple[Label, ...]:
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Export labels").click()
        assert download.value.suggested_filename == "sheet.tsv"
        path = tmp_path / "exported.tsv"
        download.value.save_as(path)
        return read_label_file(path, **settings)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def is_at(self, place: int) -> None:
        expect(self.page.locator("#place")).to_contain_text(f"Sample {place} of")


@pytest.fixture
def sheet(chromium: Browser, tmp_path: Path) -> Iterator[Callable[..., Sheet]]:
    context = chromium.new_context()

    def sheet(*drawn: Drawn) -> Sheet:
        path = tmp_path / "sheet.html"
        write_label_page(path, a_suite(), drawn)
        tab = Sheet(context.new_page(), path)
        tab.page.on("console", lambda message: tab.problems.append(message.text))
        tab.page.on("pageerror", lambda error: tab.problems.append(str(error)))
        tab.page.on("request", lambda request: tab.requests.append(request.url))
        tab.page.goto(path.as_uri())
        return tab

    yield sheet
    context.close()


def drawn(number: int, probability: float = 0.25, **facts: Any) -> Drawn:
    label, by = facts.pop("label", ""), facts.pop("labelled_by", "")
    translation = facts.pop("translation", f"Tradução {number}.")
    source = facts.pop("source", f"The nurse number {number} left.")
    sample = a_sample(f"s{number}", source=source, focus=(4, 9), translation=translation, **facts)
    return Drawn(sample, probability, label, by)


@pytest.mark.slow
def test_keys_label_and_move_on(sheet, tmp_path):
    tab = sheet(drawn(1), drawn(2), drawn(3), drawn(4))
    tab.page.get_by_label("Your name").fill("Anna")
    tab.page.locator("h1").click()
    tab.press("1", "2", "3")
    tab.is_at(4)
    expect(tab.page.locator("#progress")).to_have_text("3 of 4 labelled")
    lines = tab.exported(tmp_path)
    assert [line.label for line in lines] == ["correct", "incorrect", "unclear", ""]
    assert [line.labelled_by for line in lines] == ["Anna", "Anna", "Anna", ""]
    assert [line.probability for line in lines] == [0.25] * 4
    assert lines[0].source == "The nurse number 1 left."
    assert tab.problems == []


def test_buttons_do_the_same(sheet, tmp_path):
    tab = sheet(drawn(1), drawn(2))
    tab.page.get_by_role("button", name="incorrect").click()
    tab.page.get_by_role("button", name="Back").click()
    tab.is_at(1)
    expect(tab.page.get_by_role("button", name="incorrect")).to_have_attribute("aria-pressed", "true")
    tab.page.get_by_role("button", name="0 Clear").click()
    assert [line.label for line in tab.exported(tmp_path)] == ["", ""]


def test_arrows_move_and_n_finds_what_is_left(sheet):
    tab = sheet(drawn(1), drawn(2), drawn(3))
    tab.press("ArrowRight", "1")
    tab.is_at(3)
    tab.press("n")
    tab.is_at(1)
    tab.press("ArrowLeft")
    tab.is_at(1)
    tab.press("1", "n")
    tab.is_at(3)


def test_typing_a_name_labels_nothing(sheet):
    tab = sheet(drawn(1))
    tab.page.get_by_label("Your name").press_sequentially("n1 2")
    expect(tab.page.locator("#progress")).to_have_text("0 of 1 labelled")


def test_labels_outlast_a_reload(sheet, tmp_path):
    tab = sheet(drawn(1), drawn(2))
    tab.page.get_by_label("Your name").fill("Ben")
    tab.page.locator("h1").click()
    tab.press("2")
    tab.page.reload()
    tab.is_at(2)
    first, second = tab.exported(tmp_path)
    assert (first.label, first.labelled_by, second.label) == ("incorrect", "Ben", "")


def test_labels_that_are_known_keep_their_names(sheet, tmp_path):
    tab = sheet(drawn(1, label="correct", labelled_by="Anna"), drawn(2))
    tab.page.get_by_label("Your name").fill("Ben")
    tab.page.locator("h1").click()
    tab.press("n", "1")
    assert [line.labelled_by for line in tab.exported(tmp_path)] == ["Anna", "Ben"]


def test_an_open_sample_is_labelled_with_its_choices(sheet, tmp_path):
    one = drawn(1, category="neutral")
    one = replace(one, result=replace(one.result, choices=("male", "female")))
    tab = sheet(one)
    tab.press("2")
    (line,) = tab.exported(tmp_path, choices=("male", "female"))
    assert line.label == "female"


def test_the_focus_is_marked_and_an_empty_translation_is_shown_as_such(sheet):
    tab = sheet(drawn(1, translation=""))
    expect(tab.page.locator("#source mark")).to_have_text("nurse")
    expect(tab.page.locator("#translation")).to_have_text("(empty)")


def test_hostile_texts_stay_texts_and_nothing_is_loaded(sheet, tmp_path):
    texts = [*HOSTILE, "a\ttab\nand\r\nlines", "=SUM(A1)", "\\t is no tab", "'@x"]
    tab = sheet(*(drawn(number, translation=text, source=f"The {text}") for number, text in enumerate(texts)))
    tab.page.get_by_label("Your name").fill("=A\\nna")
    tab.page.locator("h1").click()
    tab.press(*["1"] * len(texts))
    lines = tab.exported(tmp_path)
    assert [line.translation for line in lines] == texts
    assert [line.source for line in lines] == [f"The {text}" for text in texts]
    assert {line.labelled_by for line in lines} == {"=A nna"}
    assert tab.page.evaluate("document.documentElement.dataset.owned") is None
    assert tab.problems == []
    assert {url.partition(":")[0] for url in tab.requests} <= {"file", "blob"}
