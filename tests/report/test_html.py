"""The HTML report, read as a reader would."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from mtprobe.gates.judge import Decision
from mtprobe.methods.verdict import Evidence, Outcome
from mtprobe.metrics import Measure
from mtprobe.records import FailedSuite, Run
from mtprobe.report.html.report import write_html
from mtprobe.report.numbers import signature

from .factory import HOSTILE, MODEL, a_gate, a_hostile_run, a_run, a_sample, a_suite, evidence
from .page import Element


def gates_of(page: Element) -> list[list[str]]:
    return [
        [cell.text for cell in row.children if isinstance(cell, Element)] for row in page.all("tr", "gate")
    ]


def samples_of(page: Element) -> list[Element]:
    return [row for row in page.all("li") if "data-outcome" in row.attributes]


# -- the head --


def test_the_head_names_the_model_the_languages_and_the_day(page_of):
    page = page_of(a_run())
    assert page.one("h1").text == "demo en → pt"
    assert page.one("time").text == "1 March 2026, 09:05 UTC"
    assert page.one("title").text == "The only gate passed · demo · mtprobe"


@pytest.mark.parametrize(
    "gates, headline, verdict",
    [
        ([a_gate(), a_gate()], "All 2 gates passed", "passed"),
        ([a_gate(), a_gate(Decision.FAILED)], "1 of 2 gates did not pass", "failed"),
        ([a_gate(Decision.ERROR), a_gate(Decision.FAILED)], "2 of 2 gates did not pass", "failed"),
        (
            [a_gate(), a_gate(Decision.ERROR), a_gate(Decision.EMPTY)],
            "2 of 3 gates did not pass",
            "error",
        ),
        ([a_gate(), a_gate(Decision.UNDECIDED)], "1 of 2 gates did not pass", "undecided"),
        (
            [a_gate(), a_gate(Decision.FAILED, xfail="known")],
            "1 of 2 gates passed, 1 failed as expected",
            "passed",
        ),
        ([], "No gate was judged", "empty"),
    ],
)
def test_the_headline_says_the_worst(page_of, gates, headline, verdict):
    page = page_of(a_run(a_suite(gates=tuple(gates))))
    assert page.one("p", "headline").text == headline
    assert page.one("div", "verdict").attributes["class"].split() == ["verdict", verdict]


def test_gates_are_counted_by_decision(page_of):
    decisions = [Decision.PASSED, Decision.PASSED, Decision.FAILED, Decision.ERROR, Decision.EMPTY]
    gates = [a_gate(decision) for decision in decisions] + [a_gate(Decision.FAILED, xfail="known")]
    page = page_of(a_run(a_suite(gates=tuple(gates))))
    counts = page.one("dl", "counts")
    assert dict(
        zip((one.text for one in counts.all("dt")), (one.text for one in counts.all("dd")), strict=True)
    ) == {"passed": "2", "failed": "1", "undecided": "0", "errors": "2", "expected to fail": "1"}


def test_a_whole_run_with_an_evaluator_has_no_notes(page_of):
    assert page_of(a_run()).one("header", "page").all("p", "note") == []


def test_a_partial_run_says_so(page_of):
    page = page_of(a_run(a_suite(partial=True), a_suite(suite="other")))
    assert page.one("p", "partial").text == (
        "Partial run. Only some of the samples were used for occupations: numbers may change in a full run."
    )


def test_a_model_that_judges_itself_is_named_so(page_of):
    page = page_of(a_run(a_suite(judges_itself=True, evaluator=None)))
    assert page.one("p", "itself").text.startswith("Judged by itself. No evaluator was given, so")
    assert "judged by itself" in page.one("dl", "facts").text


def test_a_suite_that_could_not_be_run_is_named(page_of):
    failed = FailedSuite("winomt", "winomt.mt.yaml", "demo", "no weights <b>")
    run = replace(a_run(), failed=(failed,), whole=False)
    page = page_of(run)
    assert page.one("p", "failed").text == "Not run. winomt on demo: no weights <b>"
    assert page.one("p", "partial").text.startswith("Unfinished run.")
    assert page.one("p", "headline").text == "1 suite could not be run; so far the only gate passed"
    assert "error" in page.one("div", "verdict").attributes["class"].split()


# -- gates --


def test_a_gate_shows_its_number_interval_n_bound_and_decision(page_of):
    page = page_of(a_run(a_suite(gates=(a_gate(Decision.FAILED, value=0.44),))))
    [[decision, key, value, _, n, bound, reason]] = gates_of(page)
    assert (decision, value, n, bound) == ("failed", "0.440.34–0.54", "40", "≥ 0.60")
    assert key == "accuracy[male]correct / decided"
    assert reason == "0.16 short of the bound"


def test_a_gate_is_drawn_with_its_bound(page_of):
    page = page_of(a_run(a_suite(gates=(a_gate(Decision.FAILED, bound="<= 0.50"),))))
    bar = page.one("tr", "gate").one("svg", "bar")
    assert bar.attributes["aria-label"] == "0.75, 95 % interval 0.65–0.85, bound <= 0.50"
    assert bar.one("path", "bound").attributes["d"] == "M75.0 1V19"
    assert bar.one("circle", "value").attributes["cx"] == "110.0"
    assert (bar.one("rect", "passes").attributes["x"], bar.one("rect", "passes").attributes["width"]) == (
        "5.0",
        "70.0",
    )


@pytest.mark.parametrize(
    "gate, reason",
    [
        (a_gate(Decision.FAILED, "gap", "<= 0.20", 0.25), "0.05 over the bound"),
        (a_gate(Decision.FAILED, bound=">= 0.90 @90%"), "the entire interval is short of the bound"),
        (
            a_gate(Decision.UNDECIDED, bound=">= 0.70 @95%", n_to_decide=1200),
            "the interval spans the bound; about 1,200 samples would decide it",
        ),
        (
            a_gate(Decision.UNDECIDED, bound=">= 0.75 @95%"),
            "on the bound: no number of samples would decide it",
        ),
        (a_gate(Decision.ERROR, value=None, reason="3 of 40 samples could not be judged"), "3 of 40 samples"),
        (
            a_gate(
                Decision.FAILED, "minimum_accuracy", value=0.3, measure=Measure(0.3, 0.2, 0.4, 9, "female")
            ),
            "female · 0.3 short of the bound",
        ),
    ],
)
def test_a_gate_that_did_not_pass_says_why(page_of, gate, reason):
    [row] = gates_of(page_of(a_run(a_suite(gates=(gate,)))))
    assert reason in row[-1]


def test_an_expected_failure_is_shown_as_such(page_of):
    gates = a_gate(Decision.FAILED, value=0.3, xfail="waits for new data"), a_gate(xfail="was bad once")
    failing, passing = gates_of(page_of(a_run(a_suite(gates=gates))))
    assert failing[0] == "expected failure"
    assert "expected: waits for new data" in failing[-1]
    assert passing[0] == "passed"
    assert passing[-1] == "passed, although a failure was expected: was bad once"


def test_a_gate_without_a_value_has_no_dot(page_of):
    page = page_of(a_run(a_suite(gates=(a_gate(Decision.EMPTY, value=None, reason="no decided sample"),))))
    assert gates_of(page)[0][0] == "not measured"
    assert page.one("tr", "gate").all("circle") == []


def test_a_bound_of_a_later_version_is_shown_as_it_was_written(page_of):
    page = page_of(a_run(a_suite(gates=(a_gate(bound="within 0.02 of the baseline"),))))
    assert gates_of(page)[0][5] == "within 0.02 of the baseline"
    assert page.one("tr", "gate").all("path", "bound") == []


def test_several_models_have_a_section_each(page_of):
    other = replace(MODEL, name="other")
    page = page_of(a_run(a_suite(), a_suite(model=other, target="de")))
    assert page.one("h1").text == "demo, other"
    assert [row.text for row in page.all("tr", "group")] == [
        "occupations demo, en → pt, contrastive-conditioning",
        "occupations other, en → de, contrastive-conditioning",
    ]
    assert [head.text for head in page.all("h2")] == ["Overview", "Gates", "occupations", "All samples"]
    assert [head.text for head in page.all("h3")] == [
        "demo en → pt, contrastive-conditioning",
        "other en → de, contrastive-conditioning",
    ]
    targets = {one.attributes["id"] for one in page.walk() if "id" in one.attributes}
    links = [link.attributes["href"].removeprefix("#").partition("?")[0] for link in page.all("a")]
    assert set(links) <= targets


# -- categories --


def test_categories_stand_in_the_order_of_the_suite(page_of):
    results = [
        *(a_sample(f"m{n}", Outcome.CORRECT, 0.9) for n in range(3)),
        a_sample("f1", Outcome.CORRECT, 0.8, category="female"),
        a_sample("f2", Outcome.DEGENERATE, reason="empty", category="female"),
        a_sample("f3", Outcome.UNDECIDED, category="female"),
        a_sample("f4", Outcome.ERROR, reason="timed out", category="female"),
    ]
    rows = page_of(a_run(a_suite(*results))).one("table", "categories").all("tr")[1:]
    cells = [[cell.text for cell in row.children if isinstance(cell, Element)] for row in rows]
    assert [row[0] for row in cells] == ["male", "female", "all"]
    assert [row[1] for row in cells] == ["1.00", "0.50", "0.80"]
    assert [row[5:] for row in cells] == [["3", "0", "0", "0"], ["2", "1", "1", "1"], ["5", "1", "1", "1"]]
    assert rows[2].attributes["class"] == "overall"


@pytest.mark.parametrize("n, names", [(5, ["male", "female", "all"]), (20, ["male", "female lowest", "all"])])
def test_the_lowest_category_is_marked_only_where_that_is_hardly_chance(page_of, n, names):
    male = [a_sample(f"m{number}", Outcome.CORRECT, 0.9) for number in range(n)]
    female = [a_sample(f"f{number}", p=0.1, category="female") for number in range(n // 2)]
    right = [a_sample(f"g{number}", Outcome.CORRECT, 0.9, category="female") for number in range(n // 2)]
    table = page_of(a_run(a_suite(*male, *female, *right))).one("table", "categories")
    assert [row.one("th").text for row in table.one("tbody").all("tr")] == names


def test_a_suite_without_categories_or_samples_still_has_a_page(page_of):
    page = page_of(a_run(a_suite(categories=()), a_suite(results=())))
    first, second = page.all("table", "categories")
    assert [row.one("th").text for row in first.one("tbody").all("tr")] == ["all"]
    assert [row.all("td")[0].text for row in second.one("tbody").all("tr")] == ["–", "–", "–"]
    assert "No sample was taken." in page.text


def test_a_run_without_suites_has_a_page(page_of):
    assert page_of(Run(a_run().facts, ())).one("h1").text == "No model"


# -- samples --


def test_the_worst_samples_come_first(page_of):
    results = [
        a_sample("right", Outcome.CORRECT, 0.9),
        a_sample("wrong-a-bit", p=0.45),
        a_sample("undecided", Outcome.UNDECIDED),
        a_sample("broken", Outcome.ERROR, translation=None, reason="timed out"),
        a_sample("empty", Outcome.DEGENERATE, translation="", reason="empty"),
        a_sample("wrong", p=0.05),
    ]
    page = page_of(a_run(a_suite(*results)))
    assert [row.one("span", "id").text for row in samples_of(page)] == [
        "wrong",
        "wrong-a-bit",
        "empty",
        "broken",
        "undecided",
        "right",
    ]
    assert [row.one("p", "reason").text for row in samples_of(page)[2:4]] == ["empty", "timed out"]


def test_a_sample_shows_its_focus_languages_probability_and_evidence(page_of):
    page = page_of(a_run(a_suite(a_sample(p=0.2231, evidence=evidence()))))
    [row] = samples_of(page)
    source, translation = row.all("span", "text")
    assert (source.attributes["lang"], source.text) == ("en", "The nurse finished his shift.")
    assert source.one("mark").text == "nurse"
    assert (translation.attributes["lang"], translation.text) == ("pt", "A enfermeira terminou o turno.")
    assert row.one("span", "p").text == "p 0.223"
    assert [[cell.text for cell in line.all("td")] for line in row.one("tbody").all("tr")] == [
        ["the right reading", "−1.500", "The man nurse finished his shift."],
        ["the wrong reading", "−0.250", "The woman nurse finished his shift."],
    ]
    assert row.one("p", "where").text == "suites/occupations.mt.yaml:14 · stereotype: anti"


def test_a_sample_without_focus_category_or_probability_is_shown(page_of):
    page = page_of(a_run(a_suite(a_sample(focus=None, category=None))))
    [row] = samples_of(page)
    assert row.all("mark") == row.all("span", "category") == row.all("span", "p") == []


def test_of_a_large_suite_the_worst_are_shown_and_all_are_counted(page_of):
    results = [a_sample(f"wrong-{n}", p=0.1) for n in range(490)]
    results += [a_sample(f"right-{n}", Outcome.CORRECT, 0.9) for n in range(1000)]
    page = page_of(a_run(a_suite(*results)))
    assert len(samples_of(page)) == 10
    assert "The 10 worst of 1,490 samples." in page.text
    link = next(one for one in page.all("a") if one.text == "All of them")
    address = (
        "#samples?suite=occupations&model=demo&method=contrastive-conditioning&languages=en+%E2%86%92+pt"
    )
    assert link.attributes["href"] == address
    assert page.one("div", "outcomes").text == "1,000 correct 490 incorrect"


def test_each_suite_is_signed(page_of):
    suite = a_suite()
    assert page_of(a_run(suite)).one("footer", "signature").text == f"Signature {signature(suite)}"


# -- safety --


def test_hostile_text_is_text_everywhere(page_of):
    page = page_of(a_hostile_run())
    scripts = [one for one in page.all("script") if "data-block" not in one.attributes]
    assert len(scripts) == len(page.all("style")) == len(page.all("title")) == 1
    assert page.all("img") == []
    assert not [name for one in page.walk() for name in one.attributes if name.startswith("on")]
    marks = {ord(sign): f"⟨U+{ord(sign):04X}⟩" for sign in "\u202e\u2066\u2028\u2029"}
    shown = " ".join(" ".join(HOSTILE).translate(marks).split())
    for tag in ("title", "h1", "h2", "td", "code", "summary"):
        assert any(shown in one.text for one in page.all(tag)), tag
    for kind in ("source", "translation", "reason", "where", "about"):
        assert shown in page.all("p", kind)[0].text, kind


def test_control_characters_are_seen_and_named(page_of):
    text = "a\u202eb\u200fc\x00d\x1be\ud800f\u200dg\tz"
    page = page_of(a_run(a_suite(a_sample(translation=text))))
    [translation] = samples_of(page)[0].all("p", "translation")
    assert translation.text == "pta⟨U+202E⟩b⟨U+200F⟩c⟨U+0000⟩d⟨U+001B⟩e⟨U+D800⟩f\u200dg z"
    assert translation.all("span", "control")[0].attributes["title"] == "RIGHT-TO-LEFT OVERRIDE"


def test_no_control_character_reaches_the_page(tmp_path):
    path = tmp_path / "report.html"
    write_html(a_hostile_run(), path)
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", path.read_text(encoding="utf-8"))


def test_the_page_asks_for_nothing_and_has_no_inline_code(page_of):
    page = page_of(a_hostile_run())
    policy = next(one for one in page.all("meta") if one.attributes.get("http-equiv"))
    assert policy.attributes["content"].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy.attributes["content"]
    assert not [one for one in page.walk() if {"src", "style", "srcset", "action"} & one.attributes.keys()]
    assert all(one.attributes["href"].startswith("#") for one in page.walk() if "href" in one.attributes)


# -- the file --


def test_folders_are_made_and_nothing_is_left_behind(tmp_path):
    path = tmp_path / "reports" / "march" / "demo.html"
    write_html(a_run(), path)
    assert [one.name for one in path.parent.iterdir()] == ["demo.html"]


def test_a_report_that_cannot_be_made_leaves_the_old_one_alone(tmp_path):
    path = tmp_path / "report.html"
    write_html(a_run(), path)
    before = path.read_bytes()
    with pytest.raises(AttributeError):
        write_html(a_run(a_suite(model=None)), path)
    assert path.read_bytes() == before


def test_the_same_run_gives_the_same_file(tmp_path):
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    for path in (one, other):
        write_html(a_run(), path)
    assert one.read_bytes() == other.read_bytes()


# -- where no answer is right --


def an_open_sample(number: int, choice: str | None, outcome: Outcome = Outcome.OPEN):
    made = a_sample(
        f"nurse-{number}",
        outcome,
        0.8 if choice else None,
        category="neutral",
        choices=("male", "female"),
        evidence=[
            Evidence("male", "The man nurse finished.", -0.5),
            Evidence("female", "The woman nurse finished.", -0.25),
        ],
    )
    return replace(made, verdict=replace(made.verdict, choice=choice))


def an_open_suite(*more):
    opened = [an_open_sample(number, "female" if number < 3 else "male") for number in range(4)]
    degenerate = an_open_sample(9, None, Outcome.DEGENERATE)
    return a_suite(*opened, degenerate, *more, categories=("male", "female", "neutral"))


def table_of(page: Element, kind: str) -> list[list[str]]:
    return [
        [cell.text for cell in row.children if isinstance(cell, Element)]
        for row in page.one("table", kind).all("tr")[1:]
    ]


def test_choices_have_a_table_of_their_own_and_no_accuracy(page_of):
    page = page_of(a_run(an_open_suite()))
    assert [[*row[:3], *row[5:]] for row in table_of(page, "choices")] == [
        ["neutral", "male", "0.25", "4", "0", "1", "0"],
        ["neutral", "female", "0.75", "4", "0", "1", "0"],
    ]
    assert "Accuracy by category" not in [heading.text for heading in page.all("h3")]


def test_open_samples_stand_outside_of_the_table_of_accuracies(page_of):
    page = page_of(a_run(an_open_suite(a_sample(p=0.9, outcome=Outcome.CORRECT))))
    rows = [[row[0], row[1], *row[5:]] for row in table_of(page, "categories")]
    assert rows == [
        ["male", "1.00", "1", "0", "0", "0"],
        ["all", "1.00", "1", "0", "0", "0"],
    ]


def test_an_open_sample_shows_what_was_chosen_and_what_speaks_for_each_choice(page_of):
    row = samples_of(page_of(a_run(a_suite(an_open_sample(1, "female")))))[0]
    assert row.one("span", "badge").text == "open"
    assert row.one("span", "category").text == "neutral → female"
    assert [
        [cell.text for cell in line.all("td")] for line in row.one("table", "evidence").all("tr")[1:]
    ] == [
        ["female", "−0.250", "The woman nurse finished."],
        ["male", "−0.500", "The man nurse finished."],
    ]
    assert row.all("svg", "p-bar")[0].attributes["class"].split() == ["p-bar", "open"]


def test_a_difference_is_drawn_from_minus_1_to_1(page_of):
    page = page_of(a_run(a_suite(gates=(a_gate(Decision.FAILED, "regression", "<= 0.02", 0.05),))))
    gate = page.one("tr", "gate")
    assert "−1" in gate.text
    assert "`" not in gate.text


def test_a_report_says_in_how_many_clusters_the_samples_are(page_of):
    samples = [replace(a_sample(f"s{number}"), cluster=f"c{number % 2}") for number in range(6)]
    page = page_of(a_run(a_suite(*samples)))
    assert page.one("span", "gist").text.startswith("6 samples in 2 clusters")


def test_gates_are_counted_the_worst_first(page_of):
    gates = [
        a_gate(Decision.PASSED),
        a_gate(Decision.PASSED),
        a_gate(Decision.UNDECIDED),
        a_gate(Decision.FAILED),
    ]
    page = page_of(a_run(a_suite(gates=tuple(gates))))
    assert page.one("span", "gist").text.endswith("1 failed 1 undecided 2 passed")


def test_commands_in_notes_are_code(page_of):
    page = page_of(a_run(a_suite(notes=("label some: `mtprobe label RECORD <b>`", "a lone ` stays"))))
    assert "mtprobe label RECORD <b>" in [code.text for code in page.all("code")]
    assert "a lone ` stays" in page.text
