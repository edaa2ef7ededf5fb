"""Hostile text does nothing in a real browser, and our own style and script work there."""

from __future__ import annotations

import pytest

from mtprobe.methods.verdict import Outcome

from .factory import HOSTILE, a_hostile_run, a_run

SHOWN = " ".join(HOSTILE).replace("\u202e", "⟨U+202E⟩").replace("\u2066", "⟨U+2066⟩")
SHOWN = SHOWN.replace("\u2028", "⟨U+2028⟩").replace("\u2029", "⟨U+2029⟩")


def owned(tab) -> bool:
    """Whether one of the hostile strings got to run."""
    return tab.page.evaluate("Boolean(document.documentElement.dataset.owned)") or tab.page.title() == "owned"


@pytest.mark.slow
def test_hostile_text_does_nothing_and_the_policy_refuses_nothing_of_ours(opened):
    tab = opened(a_hostile_run())
    for place in range(len(Outcome)):
        tab.page.locator(f"#sample-{place}").click()
        tab.page.locator(".detail .evidence, .detail .facts").first.wait_for()
    assert not owned(tab)
    assert tab.problems == []
    assert tab.requests == [tab.path.as_uri()]
    assert tab.page.title().startswith("2 of 10 gates passed, 8 failed as expected · <script>")


@pytest.mark.slow
def test_hostile_text_is_shown_as_text_in_the_list_and_in_full(opened):
    tab = opened(a_hostile_run())
    assert SHOWN in tab.page.locator("#sample-0:not([data-waiting]) .source").text_content()
    tab.page.locator("#sample-0").click()
    tab.page.locator(".detail .evidence").wait_for()
    for part in ("#sample-title", ".source", ".translation", ".reason", ".where", ".evidence", ".facts"):
        assert SHOWN in tab.page.locator(f".detail {part}, .detail{part}").first.text_content(), part
    options = tab.page.locator("[data-facet=category] option").all_text_contents()
    assert SHOWN in options
    assert tab.page.locator(".browser-card img, .browser-card script").count() == 0


def test_an_address_of_hostile_text_does_nothing(opened):
    bad = "%3Cscript%3Edocument.title%3D1%3C/script%3E"
    tab = opened(
        a_run(), fragment=f"#samples?suite={bad}&attribute={bad}&sort={bad}&sample={bad}&__proto__={bad}"
    )
    assert not owned(tab)
    assert tab.problems == []


@pytest.mark.slow
def test_a_hostile_choice_survives_the_address(opened):
    tab = opened(a_hostile_run())
    bad = " ".join(HOSTILE)
    tab.choose("category", bad)
    again = opened(a_hostile_run(), fragment=tab.addressed("category="))
    assert again.page.locator("[data-facet=category]").input_value() == bad
    assert again.problems == []


def test_the_policy_would_stop_a_script_that_got_in(opened):
    code = "document.documentElement.dataset.owned = 1"
    tab = opened(a_run(), ("</main>", f"<script>{code}</script><img src='x' onerror='{code}'></main>"))
    assert not owned(tab)
    assert any("Content Security Policy" in problem for problem in tab.problems)
