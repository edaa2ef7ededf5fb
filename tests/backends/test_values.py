"""Whatever a backend returns is checked before it is stored: a bad value fails by itself"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import mtprobe
from mtprobe.backends import checked
from mtprobe.backends.attention import attention_of
from mtprobe.backends.costs import costs_of
from mtprobe.backends.model import Model, OpenedModel
from mtprobe.backends.protocols import Estimate, LanguagePair
from mtprobe.backends.scorer import ScorePair, SpanPair
from mtprobe.backends.stored import score_all, spans_of, translate_all
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Silent
from mtprobe.store import Store

SOURCES = ["one", "two", "three"]
PAIRS = [ScorePair(source, source.upper()) for source in SOURCES]


class Panic(BaseException):
    """As Rust libraries raise it."""


class Text(str):
    """Answers otherwise than it is stored."""

    def __str__(self):
        return "another text"


class Backend:
    """Translates to capitals, and scores; `bad` is its answer for "two", or what it raises."""

    languages = LanguagePair("en", "de")
    fingerprint = "toy:1"
    chunk = 1

    def __init__(self, bad=None, good=(-0.5, -1.0)):
        self.bad, self.good = bad, good

    def answer(self, source, good):
        if source != "two":
            return good
        if isinstance(self.bad, type) and issubclass(self.bad, BaseException):
            raise self.bad("enough")
        return self.bad

    def translate(self, sources):
        return [self.answer(source, source.upper()) for source in sources]

    def score(self, pairs):
        return [self.answer(pair.source, self.good) for pair in pairs]


class Streams(Backend):
    """The same as a stream, from the last to the first."""

    def stream(self, sources):
        for place in reversed(range(len(sources))):
            yield {place: self.answer(sources[place], sources[place].upper())}

    def stream_scores(self, pairs):
        for place in sorted(range(len(pairs)), key=lambda place: pairs[place].source == "two"):
            yield {place: self.answer(pairs[place].source, self.good)}


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "store.sqlite") as opened:
        yield opened


BAD_TEXTS = {
    "None": (None, "None instead of a text"),
    "bytes": (b"ZWEI", "a bytes instead of a text"),
    "a number": (2, "an int instead of a text"),
    "NaN": (math.nan, "a float instead of a text"),
    "a list": (["ZWEI"], "a list instead of a text"),
    "a dict": ({"text": "ZWEI"}, "a dict instead of a text"),
    "a lone surrogate": ("ZW\udc80EI", "text with a lone surrogate"),
    "a text without end": ("Z" * 1_000_001, "1,000,001 characters"),
}
BAD_SCORES = {
    "NaN": ((math.nan,), "not finite (nan, token 1)"),
    "NaN in one token": ((-1.0, -2.0, math.nan, -1.0), "not finite (nan, token 3)"),
    "NaN first": ((math.nan, -1.0), "not finite (nan, token 1)"),
    "minus infinity": ((-1.0, -math.inf), "not finite (-inf, token 2)"),
    "infinity": ((math.inf, -math.inf), "not finite (inf, token 1)"),
    "NumPy's NaN": (np.array([-1.0, np.nan]), "not finite (nan, token 2)"),
    "a positive one": ((-1.0, 0.25), "above 0 (0.25, token 2)"),
    "a probability": ((0.7, 0.9), "above 0 (0.7, token 1)"),
    "sums that overflow": ((-1e308, -1e308), "below -1,000,000 (-1e+308, token 1)"),
    "one that is huge": ((-1e308,), "below -1,000,000"),
    "no token": ((), "no log-probability"),
    "an empty array": (np.array([]), "no log-probability"),
    "None": (None, "None instead of a list of log-probabilities"),
    "None as a token": ([-1.0, None], "None instead of a log-probability (token 2)"),
    "a number": (-1.0, "a float instead of a list"),
    "a NumPy number": (np.float64(-1.0), "instead of a list"),
    "an array without axes": (np.array(-1.0), "instead of a list"),
    "truth": ((True, False), "a bool instead of a log-probability (token 1)"),
    "NumPy's truth": (np.array([False]), "instead of a log-probability (token 1)"),
    "a text": ("-1.0", "a str instead of a list"),
    "bytes": (b"\x01", "a bytes instead of a list"),
    "texts": (["-1.0"], "a str instead of a log-probability"),
    "a dict": ({0: -1.0}, "a dict instead of a list"),
    "a set": ({-1.0}, "a set instead of a list"),
    "a complex number": ((-1j,), "a complex instead of a log-probability"),
    "rows": (np.full((2, 2), -1.0), "not a number (token 1"),
    "an integer beyond floats": ((-(10**400),), "not a number (token 1"),
}  # fmt: skip


@pytest.mark.parametrize("backend", [Backend, Streams])
@pytest.mark.parametrize("bad", BAD_TEXTS)
def test_a_bad_translation_fails_alone_and_is_asked_again(store, backend, bad):
    value, reason = BAD_TEXTS[bad]
    answers = translate_all(backend(value), SOURCES, store, Silent())
    assert (answers["one"], answers["three"]) == ("ONE", "THREE")
    assert reason in answers["two"].reason
    assert answers["two"].reason.startswith("toy:1 returned")
    assert answers["two"].reason.endswith("for “two”")
    assert store.translations("toy:1", SOURCES).keys() == {"one", "three"}
    assert translate_all(backend("ZWEI"), SOURCES, store, Silent())["two"] == "ZWEI"


@pytest.mark.parametrize("backend", [Backend, Streams])
@pytest.mark.parametrize("bad", BAD_SCORES)
def test_a_bad_score_fails_alone_and_is_asked_again(store, backend, bad):
    value, reason = BAD_SCORES[bad]
    answers = score_all(backend(value), PAIRS, store, Silent())
    assert answers[PAIRS[0]] == answers[PAIRS[2]] == (-0.5, -1.0)
    assert reason in answers[PAIRS[1]].reason
    assert answers[PAIRS[1]].reason.endswith("for “two” → “TWO”")
    assert store.scores("toy:1", PAIRS).keys() == {PAIRS[0], PAIRS[2]}
    assert score_all(backend((-2.0,)), PAIRS, store, Silent())[PAIRS[1]] == (-2.0,)


@pytest.mark.parametrize(
    "value",
    [
        [-0.5, -1.0],
        np.array([-0.5, -1.0]),
        np.array([-0.5, -1.0], np.float16),
        [np.float32(-0.5), np.int64(-1)],
        [Fraction(-1, 2), -1],
        [Decimal("-0.5"), -1.0],
        (number for number in (-0.5, -1.0)),
    ],
    ids=["list", "array", "half precision", "NumPy numbers", "fraction", "decimal", "generator"],
)
def test_other_forms_of_numbers_are_read(store, value):
    scores = score_all(Backend(value), PAIRS, store, Silent())[PAIRS[1]]
    assert scores == (-0.5, -1.0)
    assert set(map(type, scores)) == {float}
    assert store.scores("toy:1", PAIRS)[PAIRS[1]] == scores


def test_rounding_may_take_a_log_probability_slightly_above_zero():
    assert checked.logprobs((1e-7, -1.0)) == (0.0, -1.0)
    assert checked.logprobs((checked.ROUNDING,)) == (0.0,)
    with pytest.raises(checked.BadValue, match="above 0"):
        checked.logprobs((checked.ROUNDING * 1.01,))


def test_a_subclass_of_text_becomes_plain_text():
    for given in (Text("ZWEI"), np.str_("ZWEI")):
        text = translate_all(Backend(given), SOURCES, None, Silent())["two"]
        assert (type(text), text) == (str, "ZWEI")


@pytest.mark.parametrize("backend", [Backend, Streams])
@pytest.mark.parametrize("raised", [SystemExit, Panic])
def test_what_would_end_python_fails_for_what_was_asked(store, backend, raised):
    answers = translate_all(backend(raised), SOURCES, store, Silent())
    assert answers["three"] == "THREE"
    assert answers["two"] == Failure(f"toy:1 raised {raised.__name__}: enough")
    scores = score_all(backend(raised), PAIRS, store, Silent())
    assert scores[PAIRS[1]].reason == f"toy:1 raised {raised.__name__}: enough"
    assert (
        not isinstance(scores[PAIRS[0]], Failure) or backend is Backend
    )  # which scores all pairs in one call
    assert "two" not in store.translations("toy:1", SOURCES)


@pytest.mark.parametrize("raised", [KeyboardInterrupt, pytest.fail.Exception, pytest.skip.Exception])
def test_what_ends_a_run_still_ends_it(raised):
    with pytest.raises(raised):
        translate_all(Backend(raised), SOURCES, None, Silent())


BAD_ANSWERS = {
    "a text": ("ONE", "toy:1 returned a str for 1 sources; it must return a list"),
    "a dict": ({"one": "ONE"}, "returned a dict"),
    "a set": ({"ONE"}, "returned a set"),
    "nothing": (None, "returned None"),
    "a number": (1, "returned an int"),
    "too few": ([], "returned 0 {} for 1"),
    "too many": (["ONE", "TWO"], "returned 2 {} for 1"),
    "without end": (iter(int, 1), "returned at least 2 {} for 1"),
}


@pytest.mark.parametrize("bad", BAD_ANSWERS)
def test_an_answer_of_another_form_is_an_error_for_all(store, bad):
    value, reason = BAD_ANSWERS[bad]
    backend = Backend()
    backend.translate = backend.score = lambda _: value
    with pytest.raises(ModelError) as error:
        translate_all(backend, ["one"], store, Silent())
    assert reason.format("translations") in str(error.value)
    with pytest.raises(ModelError) as error:
        score_all(backend, PAIRS[:1], store, Silent())
    assert reason.replace("sources", "pairs").format("scores") in str(error.value)


@pytest.mark.parametrize(
    ("answer", "form"),
    [((text for text in ["ONE"]), "generator"), (("ONE",), "tuple"), (np.array(["ONE"]), "array")],
)
def test_other_forms_of_lists_are_read(answer, form):
    backend = Backend()
    backend.translate = lambda _: answer
    assert translate_all(backend, ["one"], None, Silent()) == {"one": "ONE"}, form


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([{7: "x"}], "yielded the index 7 of 3"),
        ([{-1: "x"}], "yielded the index -1 of 3"),
        ([{0: "x"}, {0: "y"}], "yielded the index 0 of 3"),
        ([{True: "x"}], "yielded the index True of 3"),
        ([["x"]], "yielded a list; it must yield results by index"),
        (None, "is a NoneType"),
    ],
)
def test_a_stream_of_another_form_is_an_error(steps, reason):
    backend = Streams()
    backend.stream = lambda _: steps
    with pytest.raises(ModelError, match=reason):
        translate_all(backend, SOURCES, None, Silent())


def test_bad_values_that_are_stored_already_are_not_used(store):
    store.add_translations("toy:1", {"one": "kept", "two": "ha\ud800lf"})
    store.add_scores("toy:1", {PAIRS[0]: (-3.0,), PAIRS[1]: (math.nan,), PAIRS[2]: (-math.inf, -1.0)})
    assert translate_all(Backend("ZWEI"), SOURCES[:2], store, Silent()) == {"one": "kept", "two": "ZWEI"}
    scores = score_all(Backend((-2.0,)), PAIRS, store, Silent())
    assert list(scores.values()) == [(-3.0,), (-2.0,), (-0.5, -1.0)]
    assert store.scores("toy:1", PAIRS) == scores  # they have taken the place of the bad ones
    store.add_scores("toy:1", {PAIRS[1]: (0.5,), PAIRS[2]: ()})
    assert score_all(Backend((-2.0,)), PAIRS, store, Silent()) == scores


def test_what_a_bad_stored_translation_will_cost_is_counted(store):
    class Paid(Backend):
        def estimate(self, sources):
            return Estimate(sum(map(len, sources)), self.bad, "one dollar")

    store.add_translations("toy:1", {"one": "EINS", "two": "\ud800"})
    (cost,) = costs_of([(Model("paid", Paid(1.0)), ["one", "two"])], store)
    assert cost.estimate.characters == 3
    for dollars in (math.nan, math.inf, -1.0):
        with pytest.raises(ModelError, match="which is not an amount"):
            costs_of([(Model("paid", Paid(dollars)), ["one"])], None)


def test_a_failure_whose_reason_cannot_be_written_can_be():
    assert translate_all(Backend(Failure("no \ud800")), SOURCES, None, Silent())["two"].reason == r"no \ud800"
    assert translate_all(Backend(Failure(None)), SOURCES, None, Silent())["two"].reason == "None"


@pytest.mark.parametrize("fingerprint", [None, "", 7])
def test_a_fingerprint_is_a_text(store, fingerprint):
    backend = Backend("ZWEI")
    backend.fingerprint = fingerprint
    with pytest.raises(ModelError, match="it must be a text"):
        translate_all(backend, SOURCES, store, Silent())


def test_what_a_model_says_about_itself_can_be_written():
    backend = Backend()
    backend.fingerprint, backend.provider, backend.decoding = "a\ud800", "b\ud800", 7
    facts = Model("m", backend).facts()
    assert (facts.fingerprint, facts.provider, facts.decoding) == (r"a\ud800", r"b\ud800", "7")


@pytest.mark.parametrize("bad", [None, "abc", [(0, 9)], [(2, 1)], [(-1, 2)], [(0,)], [0], {0: 1}])
def test_places_of_tokens_that_cannot_be_are_not_stored(store, bad):
    class Places(Backend):
        def target_spans(self, text):
            return self.bad if text == "two" else [(0, len(text)), None]

    places = spans_of(Places(bad), ["one", "two"], store)
    assert places == store.spans("toy:1", ["one", "two"]) == {"one": [(0, 3), None]}


@pytest.mark.parametrize("bad", [None, "abc", [], [1.5], [-0.5], [math.nan], ["x"], {0: 1}, 0.5])
def test_attention_that_cannot_be_is_a_failure_of_its_pair_and_not_stored(store, bad):
    class Attending(Backend):
        def attention(self, pairs):
            return [self.bad if pair.target == "two" else (0.25, 1.00001, -0.00001) for pair in pairs]

    pairs = [SpanPair("a", "one", 0, 1), SpanPair("a", "two", 0, 1)]
    found = attention_of(Attending(bad), pairs, store, Silent())
    assert found[pairs[0]] == (0.25, 1.0, 0.0)
    assert isinstance(found[pairs[1]], Failure)
    assert "toy:1 returned" in found[pairs[1]].reason
    assert store.attention("toy:1", pairs) == {pairs[0]: (0.25, 1.0, 0.0)}


def test_a_model_from_python_is_checked_too():
    model = OpenedModel("toy", Backend((math.nan,)))
    assert isinstance(model.score(PAIRS)[1], Failure)
    assert isinstance(model.translate(SOURCES)[1], Failure)


def test_scores_of_minus_infinity_on_both_sides_pass_no_gate(tmp_path):
    class Impossible(Backend):
        """Both readings are impossible, which is not a tie."""

        def translate(self, sources):
            return ["O médico terminou o turno antes que os outros chegassem."] * len(sources)

        def score(self, pairs):
            return [(-math.inf, -1.0)] * len(pairs)

        languages = LanguagePair("en", "pt")

    suite = tmp_path / "one.mt.yaml"
    suite.write_text(
        "mtprobe: 1\nname: one\nabout: Is it a tie?\nlanguages: {source: en, targets: any}\nmethod: contrastive-conditioning\n"
        'gates: {accuracy: ">= 0"}\nsamples:\n'
        "  - source: The doctor finished her shift before the others arrived.\n"
        "    sources: {correct: The man finished his shift., incorrect: The woman finished her shift.}\n",
        encoding="utf-8",
    )
    (run,) = mtprobe.run(suite, Impossible(), store=tmp_path / "store.sqlite").suites
    assert [gate.decision for gate in run.gates] == ["error"]
    assert "not finite (-inf, token 1)" in run.gates[0].reason
