"""The kit can fail: each backend here is wrong in one way, and the check for it says so."""

from __future__ import annotations

import textwrap

import pytest

GOOD = """
import math
from mtprobe.backends import Failure, LanguagePair
from mtprobe.testing import BackendConformance
import pytest


class Good:
    languages = LanguagePair("en", "pt")
    fingerprint = "good:1"

    def one(self, source):
        if not source.isprintable() and "\\ud83d" in source:
            return Failure("a lone surrogate")
        return f"{source.upper()} ✓"

    def translate(self, sources):
        return [self.one(source) for source in sources]

    def tokens(self, source, target):
        same = target.upper().removesuffix(" ✓") == source.upper()
        return tuple(-0.1 if same else -1.5 for _ in target.split()) + (-0.2 if same else -4.0,)

    def score(self, pairs):
        return [self.tokens(*pair) for pair in pairs]
"""
TESTS = """

class TestBackend(BackendConformance):
    @pytest.fixture
    def backend(self):
        return Broken()
"""

BROKEN = {
    "good": ("", []),
    "reorders": (
        "def translate(self, sources):\n    return sorted(super().translate(sources), key=lambda text: len(str(text)))",
        ["translations_are_in_the_order_of_their_sources"],
    ),
    "drops": (
        "def translate(self, sources):\n    return super().translate(sources)[: max(1, len(sources) - 1)]",
        ["ordinary_sentences_are_translated"],
    ),
    "drops duplicates": (
        "def translate(self, sources):\n    return super().translate(list(dict.fromkeys(sources)))",
        ["duplicates_are_answered_alike"],
    ),
    "depends on batch mates": (
        "def translate(self, sources):\n"
        "    return [one.lower() if len(sources) > 5 else one for one in super().translate(sources)]",
        ["a_translation_does_not_depend_on_its_batch"],
    ),
    "random": (
        "def translate(self, sources):\n    import random\n"
        "    return [f'{one} {random.random()}' for one in super().translate(sources)]",
        ["the_same_sources_have_the_same_translations_again"],
    ),
    "fails for all": (
        "def one(self, source):\n    return Failure('no')",
        ["ordinary_sentences_are_translated"],
    ),
    "constant": ("def one(self, source):\n    return 'Sim.'", ["ordinary_sentences_are_translated"]),
    "raises on nothing": (
        "def translate(self, sources):\n    sources[0]\n    return super().translate(sources)",
        ["no_sources_have_no_translations"],
    ),
    "raises on an empty source": (
        "def one(self, source):\n    source.split(' ')[0][0]\n    return super().one(source)",
        ["an_empty_source_is_answered"],
    ),
    "raises on emoji": (
        "def one(self, source):\n    assert chr(0x1f44d) not in source\n    return super().one(source)",
        ["all_of_unicode_is_answered"],
    ),
    "loses the others with a lone surrogate": (
        "def one(self, source):\n    source.encode()\n    return super().one(source)",
        ["a_lone_surrogate_harms_no_other_sentence"],
    ),
    "cuts all where one is long": (
        "def translate(self, sources):\n    longest = max(map(len, sources), default=0)\n"
        "    return [one[:5] if longest > 10000 else one for one in super().translate(sources)]",
        ["a_very_long_source_harms_no_other_sentence"],
    ),
    "another fingerprint after use": (
        "fingerprint = 'good:1'\n"
        "def translate(self, sources):\n    self.fingerprint = 'good:2'\n    return super().translate(sources)",
        ["its_fingerprint_stays_when_it_is_used"],
    ),
    "a fingerprint of several lines": ("fingerprint = 'a\\nb'", ["its_fingerprint_is_a_line_of_text"]),
    "no languages": ("languages = ('en', 'pt')", ["its_languages_are_settled"]),
    "wrong languages": ("languages = LanguagePair('en', 'klingonish')", ["its_languages_are_settled"]),
    "a stream that repeats": (
        "def stream(self, sources):\n    yield {0: self.one(sources[0])}\n"
        "    yield dict(enumerate(self.translate(sources)))",
        ["a_stream_gives_each_translation_once"],
    ),
    "takes requests": (
        "takes_requests = True\n"
        "def translate(self, requests):\n    return super().translate([one.text for one in requests])",
        [],
    ),
    "requests without context only": (
        "takes_requests = True\n"
        "def translate(self, requests):\n    assert not any(one.context for one in requests)\n"
        "    return super().translate([one.text for one in requests])",
        ["context_and_repeats_are_answered"],
    ),
    "a stream that stops": (
        "def stream(self, sources):\n    yield {0: self.one(sources[0])}",
        ["a_stream_gives_each_translation_once"],
    ),
    "scores that depend on their batch": (
        "def score(self, pairs):\n"
        "    return [tuple(value - len(pairs) // 5 * 1e-4 for value in one) for one in super().score(pairs)]",
        ["a_score_does_not_depend_on_its_batch"],
    ),
    "scores at random": (
        "def score(self, pairs):\n    import random\n"
        "    return [tuple(value - random.random() for value in one) for one in super().score(pairs)]",
        ["the_same_pairs_have_the_same_scores_again"],
    ),
    "probabilities": (
        "def score(self, pairs):\n"
        "    return [tuple(math.exp(value) for value in one) for one in super().score(pairs)]",
        ["log_probabilities_are_at_most_zero", "all_targets_of_a_source_share_one_probability"],
    ),
    "no end": (
        "def tokens(self, source, target):\n    return super().tokens(source, target)[:-1]",
        ["the_end_of_the_sentence_is_counted"],
    ),
    "an end for nothing else": (
        "def tokens(self, source, target):\n    return super().tokens(source, target)[: max(1, len(target.split()))]",
        ["the_end_of_the_sentence_is_counted"],
    ),
    "too much probability": (
        "def tokens(self, source, target):\n    return (-0.01,) * 3",
        ["all_targets_of_a_source_share_one_probability", "a_target_fits_its_own_source_best"],
    ),
    "does not read the source": (
        "def tokens(self, source, target):\n    return super().tokens('', target)",
        ["a_target_fits_its_own_source_best"],
    ),
    "scores that are no tuples": (
        "def tokens(self, source, target):\n    return sum(super().tokens(source, target))",
        ["ordinary_pairs_are_scored"],
    ),
    "places for some tokens only": (
        "def target_spans(self, text):\n    return [(0, 1)]",
        ["every_scored_token_has_a_place"],
    ),
    "places outside the text": (
        "def target_spans(self, text):\n    return [(0, 9999)] * (len(text.split()) + 1)",
        ["every_scored_token_has_a_place"],
    ),
    "attends": (
        "def attention(self, pairs):\n    return [tuple(0.01 for _ in pair.target.split()) + (0.0,) for pair in pairs]",
        [],
    ),
    "attention for some tokens only": (
        "def attention(self, pairs):\n    return [(0.01,) for pair in pairs]",
        ["every_scored_token_has_its_attention"],
    ),
    "attention that is no share": (
        "def attention(self, pairs):\n    return [tuple(7.0 for _ in pair.target.split()) + (0.0,) for pair in pairs]",
        ["every_scored_token_has_its_attention", "the_attention_to_all_words_is_at_most_one"],
    ),
    "attention that depends on its batch": (
        "def attention(self, pairs):\n"
        "    return [tuple(0.1 / len(pairs) for _ in pair.target.split()) + (0.0,) for pair in pairs]",
        ["attention_does_not_depend_on_its_batch"],
    ),
    "loses scores with a lone surrogate": (
        "def tokens(self, source, target):\n    (source + target).encode()\n    return super().tokens(source, target)",
        ["a_pair_harms_no_other"],
    ),
}  # fmt: skip

# What cannot be wrong alone: a backend that drops answers, or is random, is wrong wherever it is asked.
ELSEWHERE_TOO = (
    "reorders",
    "drops",
    "drops duplicates",
    "random",
    "fails for all",
    "constant",
    "no end",
    "scores at random",
    "scores that are no tuples",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_fails_its_own_check(pytester, name):
    body, expected = BROKEN[name]
    broken = f"\nclass Broken(Good):\n{textwrap.indent(body or 'pass', '    ')}\n"
    pytester.makepyfile(GOOD + broken + TESTS)
    result = pytester.runpytest_inprocess("-p", "no:randomly")
    reports = [report for report in result.reprec.getreports("pytest_runtest_logreport") if report.failed]
    failed = {report.nodeid.rpartition("::")[2].partition("[")[0].removeprefix("test_") for report in reports}
    if name in ELSEWHERE_TOO:
        assert failed >= set(expected)
    else:
        assert failed == set(expected)


def run(pytester, tests: str):
    pytester.makepyfile(GOOD + tests)
    return pytester.runpytest_inprocess("-rs")


def test_what_it_cannot_do_is_skipped_with_its_reason(pytester):
    result = run(
        pytester,
        """
class Silent(Good):
    score = None

class TestSilent(BackendConformance):
    cannot = {"a_translation_does_not_depend_on_its_batch": "the service sees whole documents"}

    @pytest.fixture
    def backend(self):
        return Silent()
""",
    )
    result.assert_outcomes(passed=25, skipped=33)
    result.stdout.fnmatch_lines_random(
        ["*it cannot score: it has no `score`", "*the service sees whole documents", "*no fixture `spec`"]
    )


@pytest.mark.slow
def test_a_check_skipped_under_a_wrong_name_is_reported(pytester):
    result = run(
        pytester,
        """
class TestTypo(BackendConformance):
    cannot = {"no_sources_have_no_translation": "a typo"}

    @pytest.fixture
    def backend(self):
        return Good()
""",
    )
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ['*no check "no_sources_have_no_translation"; did you mean "no_sources_have_no_translations"?*']
    )


def test_a_class_without_a_backend_is_reported(pytester):
    result = run(pytester, "class TestNothing(BackendConformance):\n    pass\n")
    result.stdout.fnmatch_lines(["*give the class a fixture `spec` or a fixture `backend`*"])


def test_a_source_that_must_fail_and_does_not_is_reported(pytester):
    result = run(
        pytester,
        """
class TestFails(BackendConformance):
    fails_on = ("a word",)

    @pytest.fixture
    def backend(self):
        return Good()
""",
    )
    result.stdout.fnmatch_lines(["*“a word” must fail, but was translated: “A WORD ✓”*"])


def test_one_that_only_scores_needs_targets(pytester):
    result = run(
        pytester,
        """
class Scores(Good):
    translate = None

class TestScores(BackendConformance):
    sources = ("One word.", "Two words here.", "Three.")
    targets = ("ONE WORD. ✓", "TWO WORDS HERE. ✓", "THREE. ✓")

    @pytest.fixture
    def backend(self):
        return Scores()

class TestWithoutTargets(BackendConformance):
    @pytest.fixture
    def backend(self):
        return Scores()
""",
    )
    result.stdout.fnmatch_lines_random(
        ["*give the class `targets`, one per source*", "*it does not translate*"]
    )
    assert not [
        report
        for report in result.reprec.getreports("pytest_runtest_logreport")
        if report.failed and "TestScores" in report.nodeid
    ]
