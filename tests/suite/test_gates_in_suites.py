"""Gates as they stand in a suite: bounds, languages, known failures."""

from __future__ import annotations

import pytest

from mtprobe.gates import gates_for

GATE = 'accuracy[female]: ">= 0.60"'


@pytest.fixture
def gates(good, load):
    def gates(written: str, target: str | None = None):
        return {gate.key: gate for gate in gates_for(load(good.replace(GATE, written)), target)}

    return gates


@pytest.mark.parametrize(
    ("bound", "sign", "value", "level"),
    [
        (">= 0.60", ">=", 0.6, None),
        ("<= 5%", "<=", 0.05, None),
        ("> .5", ">", 0.5, None),
        ("≥ 1", ">=", 1.0, None),
        (">=0.60@95%", ">=", 0.6, 0.95),
        (">= 60 % @ 99.9 %", ">=", 0.6, 0.999),
    ],
)
def test_a_bound_is_a_comparison_with_a_share(gates, bound, sign, value, level):
    found = gates(f"accuracy: '{bound}'")["accuracy"].bound
    assert (found.sign, found.value) == (sign, pytest.approx(value))
    assert found.level == (None if level is None else pytest.approx(level))


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        (">= 60", '">= 60" is more than 1; write ">= 60%" or a number from 0 to 1'),
        ("abc", 'cannot read the bound "abc"; write for example ">= 0.60" or ">= 0.60 @95%"'),
        ("0.6", 'cannot read the bound "0.6"; begin with the comparison, as in ">= 0.6"'),
        (">= 0.5 @200%", '">= 0.5 @200%": the confidence level must be between 50 % and 100 %'),
        (">= -0.5", '">= -0.5" is less than 0, which a share never is'),
    ],
)
def test_a_bound_that_cannot_be_meant_names_the_line(good, problem, bound, message):
    found = problem(good.replace(">= 0.60", bound))
    assert (found.place.line, found.message) == (11, f"gates.accuracy[female]: {message}")


def test_a_gate_for_a_language_takes_the_place_of_the_general_one(gates):
    written = (
        'accuracy: ">= 0.60"\n  gap: "<= 0.2"\n  pt: {accuracy: ">= 0.70"}\n  zh-Hans: {degenerate: "<= 0.1"}'
    )
    assert gates(written)["accuracy"].bound.value == 0.6
    assert gates(written, "pt-BR")["accuracy"].bound.value == 0.7
    assert gates(written, "pt-BR")["gap"].bound.value == 0.2
    assert [*gates(written, "zho_Hans")] == ["accuracy", "gap", "degenerate"]
    assert [*gates(written, "zh-Hant")] == ["accuracy", "gap"]


def test_a_mistake_in_a_gate_for_a_language_names_its_line(good, problem):
    found = problem(good.replace(GATE, 'accuracy: ">= 0.6"\n  pt:\n    acuracy: ">= 0.7"'))
    assert (found.place.line, found.message) == (
        13,
        'gates.acuracy: unknown metric "acuracy"; did you mean "accuracy"?',
    )


def test_a_gate_may_be_known_to_fail(gates):
    written = 'accuracy:\n    bound: ">= 0.9"\n    xfail: {reason: not yet, until: 2027-01-31}'
    xfail = gates(written)["accuracy"].xfail
    assert (xfail.reason, xfail.until) == ("not yet", "2027-01-31")


@pytest.mark.parametrize("day", ["soon", "31.01.2027", "2027-02-30", "2027"])
def test_until_is_a_day(good, problem, day):
    found = problem(
        good.replace(GATE, f'accuracy: {{bound: ">= 0.9", xfail: {{reason: x, until: "{day}"}}}}')
    )
    assert (found.place.line, found.message) == (
        11,
        f'gates.accuracy.xfail.until: "{day}" is not a date; write it as 2027-01-31',
    )


def test_a_known_failure_has_a_reason(good, problem):
    found = problem(good.replace(GATE, 'accuracy: {bound: ">= 0.9", xfail: {until: 2027-01-31}}'))
    assert (found.place.line, found.message) == (11, "gates.accuracy.xfail.reason: is missing")


def test_a_typo_in_a_gates_own_keys_is_named(good, problem):
    found = problem(good.replace(GATE, 'accuracy: {bound: ">= 0.9", xfial: {reason: x}}'))
    assert (found.place.line, found.message) == (
        11,
        'gates.accuracy.xfial: unknown key; did you mean "xfail"?',
    )
    found = problem(good.replace(GATE, 'accuracy: {boud: ">= 0.9"}'))
    assert found.place.line == 11
    assert "neither a gate with a bound nor a language tag" in found.message


def test_a_suite_without_gates_is_an_error_unless_each_sample_is_a_test(good, problem, load):
    found = problem(good.replace(f"gates:\n  {GATE}", "gates: {}"))
    assert (found.place.line, found.message) == (10, "gates: missing; without gates, nothing can fail")
    assert load(good.replace(f"gates:\n  {GATE}", "gates: {}\nexpect: each")).each


def test_gates_that_need_categories_say_so(head, problem):
    text = head.replace("categories: [male, female]\n", "").partition("cues:")[0]
    samples = "samples:\n  - {source: The <man>., cues: {correct: a, incorrect: b}}\n"
    for gate, message in (
        ("minimum_accuracy", "minimum_accuracy needs `categories` in the suite"),
        ("gap", "gap needs at least two `categories` in the suite, or an attribute: gap[stereotype]"),
    ):
        found = problem(text + f'gates: {{{gate}: ">= 0.1"}}\n' + samples)
        assert (found.place.line, found.message) == (6, f"gates.{gate}: {message}")


@pytest.mark.parametrize(
    ("bound", "meant"),
    [
        ("=> 0.60", 'write ">= 0.60"'),
        (">= 0,60", 'write ">= 0.60"'),
        (">= 0.60 @95", 'write ">= 0.60 @95%"'),
        ("=> 0,6 @ 95", 'write ">= 0.6 @95%"'),
        ("60%", 'begin with the comparison, as in ">= 60%"'),
        ("0.6 @95%", 'begin with the comparison, as in ">= 0.6 @95%"'),
    ],
)
def test_a_bound_that_is_nearly_right_is_put_right(good, problem, bound, meant):
    found = problem(good.replace(">= 0.60", bound))
    assert found.message == f'gates.accuracy[female]: cannot read the bound "{bound}"; {meant}'


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("minimum accuracy", "minimum_accuracy"),
        ("accuracy(female)", "accuracy[female]"),
        ("accuracy( female )", "accuracy[female]"),
    ],
)
def test_a_metric_that_is_nearly_right_is_put_right(good, problem, key, meant):
    found = problem(good.replace("accuracy[female]", key))
    assert found.message == f'gates.{key}: cannot be read; write "{meant}"'
