"""Parts that fold, and the index that stays in view, in a real browser."""

from __future__ import annotations

from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe

from mtprobe.gates.judge import Decision

from .factory import MODEL, a_gate, a_run, a_suite
from .test_charts import ranked_samples
from .test_shown import everything


def a_wide_run():
    gates = (a_gate(), a_gate(Decision.FAILED, "gap", "<= 0.20", 0.5))
    suite = a_suite(*ranked_samples(), gates=gates)
    others = [replace(suite, suite=f"suite-{n}", path=f"{n}.mt.yaml") for n in range(8)]
    return a_run(suite, replace(suite, model=replace(MODEL, name="other")), *others)


def test_sections_are_folded_and_a_cell_of_the_overview_opens_its_own(opened):
    tab = opened(a_wide_run())
    assert tab.page.locator("details.run[open]").count() == 0
    tab.page.locator("table.overview a.tile[href='#suite-2']").first.click()
    tab.page.locator("details.run[open]").wait_for()
    assert tab.page.locator("details.run[open] h3").inner_text().startswith("other")
    assert tab.page.locator("#suite-2").is_visible()
    assert tab.page.locator("details.run[open] h3").bounding_box()["y"] >= 0


def test_an_address_of_a_section_opens_it(opened):
    tab = opened(a_wide_run(), fragment="#suite-4")
    assert tab.page.locator("details.run[open] #suite-4").is_visible()


def test_a_link_to_a_section_works_without_scripts(opened):
    tab = opened(a_wide_run(), fragment="#suite-4", ready=False, java_script_enabled=False)
    assert tab.page.locator("#suite-4").is_visible()


@pytest.mark.slow
def test_gates_that_did_not_pass_come_first_and_passed_ones_are_folded(opened):
    tab = opened(a_wide_run())
    assert tab.page.locator("tr.gate:visible .badge").all_inner_texts() == ["failed"] * 10
    tab.page.locator("#passed-gates").click()
    assert tab.page.locator("tr.gate.passed:visible").count() == 10
    assert tab.page.locator("#passed-gates").inner_text() == "10 gates passed"


def test_a_single_section_is_open(opened):
    assert opened(a_run()).page.locator("details.run[open]").count() == 1


@pytest.mark.slow
def test_the_index_stays_in_view_and_shows_where_the_reader_is(opened):
    tab = opened(a_wide_run(), viewport={"width": 1280, "height": 700})
    link = tab.page.locator("nav.contents a", has_text="suite-5")
    tab.page.mouse.wheel(0, 2000)
    link.click()
    tab.page.locator("nav.contents a[aria-current]", has_text="suite-5").wait_for()
    assert 0 <= link.bounding_box()["y"] < 700


@pytest.mark.slow
def test_the_index_is_a_bar_that_opens_on_a_narrow_screen(opened):
    tab = opened(a_wide_run(), viewport={"width": 400, "height": 800})
    link = tab.page.locator("nav.contents a", has_text="suite-5")
    assert not link.is_visible()
    tab.page.mouse.wheel(0, 3000)
    tab.page.locator("nav.contents summary").click()
    assert link.is_visible()
    link.click()
    assert not link.is_visible()
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 400


@pytest.mark.slow
def test_everything_is_unfolded_on_paper_and_folded_again(opened):
    tab = opened(a_wide_run())
    tab.page.emulate_media(media="print")
    assert tab.page.locator("table.categories:visible").count() == 10
    assert tab.page.locator("tr.gate:visible").count() == 20
    assert not tab.page.locator("nav.contents").is_visible()
    tab.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.page.locator("main details:not([open])").count() == 0
    tab.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert tab.page.locator("main details.run[open]").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_there_is_no_barrier_with_everything_unfolded(opened, scheme, width):
    tab = opened(everything(), color_scheme=scheme, viewport={"width": width, "height": 900})
    tab.page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    for found in Axe().run(tab.page).response["violations"]:
        assert found["impact"] not in ("serious", "critical"), (found["id"], found["nodes"][0]["html"])
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_columns_of_text_keep_a_readable_width_on_a_narrow_screen(opened):
    tab = opened(everything(), viewport={"width": 400, "height": 900})
    tab.page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    meanings = tab.page.locator("table.further td:last-child")
    assert meanings.count() > 0
    for table in ("table.further td:last-child", "table.breakdown td:first-child"):
        assert all(cell.bounding_box()["width"] > 90 for cell in tab.page.locator(table).all())


def test_a_page_of_many_folded_suites_is_short(opened):
    tab = opened(a_wide_run(), viewport={"width": 1280, "height": 900})
    assert tab.page.evaluate("document.documentElement.scrollHeight") < 6000


@pytest.mark.slow
def test_rows_of_the_list_name_suite_model_and_method(opened):
    tab = opened(a_run())
    tab.page.locator("#sample-0 mark").wait_for()
    assert tab.page.locator("#sample-0 .of").inner_text() == "occupations · demo · contrastive-conditioning"
