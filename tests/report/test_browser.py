"""The sample browser in a real browser: filter, sort, open, send an address, all of it by keyboard too."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from mtprobe.methods.verdict import TRANSLATION, Evidence, Outcome
from mtprobe.report.html.columns import ROWS

from .factory import MODEL, a_run, a_sample, a_suite, evidence


def a_small_run():
    return a_run(
        a_suite(
            a_sample("right", Outcome.CORRECT, 0.9, translation="O enfermeiro terminou o turno."),
            a_sample("wrong", p=0.1, attributes={"stereotype": "pro"}),
            a_sample("wrong-female", p=0.45, category="female"),
            a_sample("empty", Outcome.DEGENERATE, translation="", reason="empty"),
        )
    )


def two_models():
    other = replace(MODEL, name="other")
    suite = a_small_run().suites[0]
    changed = replace(
        suite.results[0], translation="A enfermeira.", verdict=a_sample(p=0.3, evidence=evidence()).verdict
    )
    return a_run(suite, replace(suite, model=other, results=(changed, *suite.results[1:])))


@pytest.mark.slow
def test_all_samples_are_there_most_wrong_first(opened):
    tab = opened(a_small_run())
    tab.told("4 of 4 samples")
    assert tab.ids() == ["wrong", "wrong-female", "empty", "right"]
    assert tab.problems == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "chosen, shown",
    [
        ({"outcome": "incorrect"}, ["wrong", "wrong-female"]),
        ({"outcome": "incorrect", "category": "female"}, ["wrong-female"]),
        ({"text": "ENFERMEIRO"}, ["right"]),
        ({"text": "stereotype: pro"}, ["wrong"]),
        ({"outcome": "correct", "category": "female"}, []),
        ({"attribute": '["stereotype","pro"]'}, ["wrong"]),
        ({"confidence": "most"}, ["wrong-female"]),
        ({"sort": "doubtful"}, ["wrong-female", "right", "wrong", "empty"]),
        ({"sort": "suite"}, ["right", "wrong", "wrong-female", "empty"]),
    ],
)
def test_samples_are_filtered_and_sorted(opened, chosen, shown):
    tab = opened(a_small_run())
    for facet, value in chosen.items():
        tab.choose(facet, value)
    tab.addressed(f"{[*chosen][-1]}=")
    tab.told(f"{len(shown)} of 4 samples")
    assert tab.ids() == shown


def test_a_facet_with_one_value_is_not_offered(opened):
    tab = opened(a_small_run())
    offered = tab.page.locator(".filter label:visible").evaluate_all(
        "all => all.map((label) => label.firstChild.textContent.trim())"
    )
    assert offered == ["Outcome", "Category", "Attribute", "Confidence", "Order", "Text"]


@pytest.mark.slow
def test_models_are_told_apart(opened):
    tab = opened(two_models())
    tab.told("8 of 8 samples")
    tab.choose("model", "other")
    tab.told("4 of 8 samples")
    assert tab.ids() == ["wrong", "right", "wrong-female", "empty"]
    tab.page.locator("[data-reset]").click()
    tab.told("8 of 8 samples")


def test_a_sample_shows_its_evidence_and_what_differs_in_it(opened):
    tab = opened(a_run(a_suite(a_sample(p=0.2231, evidence=evidence()))))
    tab.page.locator("#sample-0").click()
    detail = tab.page.locator(".detail")
    rows = detail.locator(".evidence tbody tr")
    assert [row.locator("td").all_inner_texts() for row in rows.all()] == [
        ["the right reading", "−1.500", "The man nurse finished his shift."],
        ["the wrong reading", "−0.250", "The woman nurse finished his shift."],
    ]
    assert rows.locator("b").all_inner_texts() == ["man", "woman"]
    assert detail.locator("mark").inner_text() == "nurse"
    assert detail.locator(".p").inner_text() == "p 0.223"
    assert "stereotype" in detail.locator(".facts").inner_text()
    assert detail.locator(".where").inner_text() == "suites/occupations.mt.yaml:14"


def test_a_sample_of_combined_methods_shows_who_decided_and_what_the_others_said(opened):
    sample = a_sample(evidence=[Evidence("incorrect", "A (article)")])
    opinions = {"gender-morphology": Outcome.INCORRECT, "contrastive-conditioning": Outcome.CORRECT}
    verdict = replace(sample.verdict, by="gender-morphology", opinions=opinions)
    method = "gender-morphology, contrastive-conditioning"
    tab = opened(a_run(a_suite(replace(sample, verdict=verdict), method=method)))
    tab.page.locator("#sample-0").click()
    detail = tab.page.locator(".detail")
    facts = detail.locator(".facts").inner_text().splitlines()
    assert facts[facts.index("Decided by") + 1] == "gender-morphology"
    assert (
        facts[facts.index("Opinions") + 1]
        == "gender-morphology: incorrect, contrastive-conditioning: correct"
    )
    cell = detail.locator(".evidence tbody td").last
    assert (cell.get_attribute("lang"), cell.inner_text()) == ("pt", "A (article)")
    assert detail.locator(".evidence b").count() == 0


def test_calibrated_scores_and_variants_of_targets_are_shown(opened):
    pieces = [
        Evidence("correct", "Ele caiu.", -0.5, 0.125, {"gender": "masculine"}),
        Evidence("incorrect", "Ela caiu.", -0.75, -0.125, {"gender": "feminine"}),
        Evidence(TRANSLATION, "A enfermeira terminou o turno.", -0.2),
    ]
    sample = a_sample(outcome=Outcome.CORRECT, evidence=pieces)
    sample = replace(sample, verdict=replace(sample.verdict, margin=0.25))
    tab = opened(
        a_run(a_suite(sample, method="minimal-pairs", variants={"gender": ("masculine", "feminine")}))
    )
    assert tab.page.locator("#sample-0 .p").inner_text() == "+0.250"
    tab.page.locator("#sample-0").click()
    rows = tab.page.locator(".detail .evidence tbody tr")
    assert [[cell.split("\n") for cell in row.locator("td").all_inner_texts()] for row in rows.all()] == [
        [["the right reading"], ["−0.500", "less +0.125"], ["Ele caiu.", "gender: masculine"]],
        [["the wrong reading"], ["−0.750", "less −0.125"], ["Ela caiu.", "gender: feminine"]],
        [["its own translation"], ["−0.200"], ["A enfermeira terminou o turno."]],
    ]
    assert rows.nth(0).locator("td").nth(2).get_attribute("lang") == "pt"


def test_signs_of_two_units_keep_the_focus_and_the_evidence_whole(opened):
    sample = a_sample(source="😀 The nurse left.", focus=(6, 11), evidence=evidence("😀 The man nurse left."))
    tab = opened(a_run(a_suite(sample)))
    tab.page.locator("#sample-0").click()
    assert tab.page.locator(".detail mark").inner_text() == "nurse"
    assert "😀 The man nurse left." in tab.page.locator(".detail .evidence").inner_text()


def test_evidence_of_a_model_that_differs_is_its_own(opened):
    one = a_suite(a_sample(p=0.2, evidence=evidence()))
    other = a_suite(
        a_sample(p=0.3, evidence=evidence("Quite another source.")), model=replace(MODEL, name="b")
    )
    tab = opened(a_run(one, other))
    tab.choose("model", "b")
    tab.told("1 of 2 samples")
    tab.page.locator("#sample-0").click()
    assert "Quite another source." in tab.page.locator(".detail .evidence").inner_text()


@pytest.mark.slow
def test_an_address_brings_back_the_view(opened):
    tab = opened(two_models())
    tab.choose("model", "other")
    tab.choose("outcome", "incorrect")
    tab.told("3 of 8 samples")
    tab.page.locator("#sample-1").click()
    sent = tab.addressed("sample=")
    again = opened(two_models(), fragment=sent)
    again.page.locator(".detail").wait_for()
    assert again.page.locator("#sample-title").inner_text() == "right"
    assert again.page.locator("[role=option]").count() == 3
    assert again.page.locator("[data-facet=model]").input_value() == "other"
    assert again.page.evaluate("location.hash") == sent


def test_a_link_of_a_suite_leads_to_its_samples(opened):
    results = [a_sample(f"s{number}", p=0.2) for number in range(20)]
    tab = opened(a_run(a_suite(*results), a_suite(suite="another")))
    tab.page.locator("details.run > summary").first.click()
    tab.page.get_by_role("link", name="All of them").click()
    tab.told("20 of 21 samples")
    assert tab.page.locator("[data-facet=suite]").input_value() == "occupations"
    assert tab.page.evaluate("document.activeElement.id") == "samples"


@pytest.mark.slow
def test_the_list_is_used_by_keyboard(opened):
    results = [a_sample(f"s{number:05}", p=0.2) for number in range(ROWS + 500)]
    tab = opened(a_run(a_suite(*results)))
    tab.page.locator("[role=listbox]").focus()

    def title_after(key: str, title: str) -> None:
        tab.page.keyboard.press(key)
        expect(tab.page.locator("#sample-title")).to_have_text(title)
        active = tab.page.locator("[role=listbox]").get_attribute("aria-activedescendant")
        assert tab.page.locator(f"#{active}").get_attribute("aria-selected") == "true"

    title_after("ArrowDown", "s00000")
    title_after("ArrowDown", "s00001")
    title_after("ArrowUp", "s00000")
    title_after("End", f"s{ROWS + 499:05}")
    title_after("Home", "s00000")
    tab.page.keyboard.press("Enter")
    assert tab.page.evaluate("document.activeElement.className") == "detail samples"
    tab.page.keyboard.press("Escape")
    assert tab.page.evaluate("document.activeElement.className") == "list"


def test_of_a_long_list_only_what_is_seen_is_in_the_page(opened):
    results = [a_sample(f"s{number:05}", p=0.2) for number in range(3 * ROWS)]
    tab = opened(a_run(a_suite(*results)))
    assert tab.page.locator("[role=option]").count() < 40
    tab.page.locator("[role=listbox]").evaluate("list => list.scrollTop = list.scrollHeight / 2")
    tab.page.locator(f"#sample-{3 * ROWS // 2} mark").wait_for()
    assert tab.page.locator("[role=option]").count() < 40
    last = tab.page.locator(f"#sample-{3 * ROWS // 2}")
    assert last.get_attribute("aria-setsize") == str(3 * ROWS)


def test_without_script_the_worst_samples_are_there_and_no_dead_filter(opened):
    tab = opened(a_small_run(), ready=False, java_script_enabled=False)
    assert tab.page.locator(".samples li").count() == 4
    assert not tab.page.locator(".filter").is_visible()
    assert "needs JavaScript" in tab.page.locator(".browser-card").inner_text()


def test_words_are_shaded_by_how_unlikely_they_are(opened):
    right, wrong = evidence()
    told = ((0, 2, -0.01), (2, 4, -3.0), (4, 4, 0.0))
    sample = a_sample(p=0.2, translation="Aqui", evidence=[replace(right, tokens=told), wrong])
    tab = opened(a_run(a_suite(sample)))
    tab.page.locator("#sample-0").click()
    [word] = tab.page.locator(".detail .words .word").all()
    assert (word.inner_text(), word.get_attribute("class")) == ("Aqui", "word unlikely5")
    assert word.get_attribute("title") == "log-probability −3.010"
    assert "how improbable each word" in tab.page.locator(".detail").inner_text()


def test_the_words_that_were_compared_are_marked_in_the_translation(opened):
    sample = a_sample(p=0.2, evidence=evidence(), translation="🩺 A enfermeira terminou o turno.")
    sample = replace(sample, verdict=replace(sample.verdict, compared=((2, 3), (4, 14))))
    tab = opened(a_run(a_suite(sample, a_sample("other", p=0.3, evidence=evidence()))))
    expect(tab.page.locator("#sample-0 .translation mark")).to_have_text(["A", "enfermeira"])
    assert tab.page.locator("#sample-1 .translation mark").count() == 0
    tab.page.locator("#sample-0").click()
    shown = tab.page.locator(".detail .translation")
    assert shown.locator("mark").all_inner_texts() == ["A", "enfermeira"]
    assert shown.locator(".text").inner_text() == "🩺 A enfermeira terminou o turno."


def test_a_sample_shows_the_sentences_before_it(opened):
    tab = opened(
        a_run(a_suite(a_sample("told", p=0.1, context=("A man came in.",)), a_sample("alone", p=0.2)))
    )
    tab.page.locator("[role=listbox]").focus()
    for id, shown in (("told", 1), ("alone", 0)):
        tab.page.keyboard.press("ArrowDown")
        expect(tab.page.locator("#sample-title")).to_have_text(id)
        expect(tab.page.locator("p.context")).to_have_count(shown)
    assert tab.problems == []
