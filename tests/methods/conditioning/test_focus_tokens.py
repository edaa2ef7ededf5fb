"""Focus scoring: which tokens of a translation are compared, and what follows from it"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

import mtprobe
from mtprobe.backends.scorer import mean
from mtprobe.errors import Failure, Place
from mtprobe.language.alignment import SentencePair, open_aligner
from mtprobe.methods.conditioning.focus_tokens import Focused, FocusFinder
from mtprobe.progress import Silent
from mtprobe.store import Store
from mtprobe.suite import Contrast, Sample

SOURCE = "She bought a new suit yesterday."
TARGET = "Elle a acheté un nouveau costume hier."
WORDS = TARGET.rstrip(".").split()


class Scorer:
    """Tokens are words, the full stop and the end; the attention of each to any part of a source is given."""

    fingerprint = "toy:1"

    def __init__(self, **attention: float) -> None:
        self.by_word, self.asked = attention, 0

    def score(self, pairs):
        return [tuple(-1.0 for _ in self.target_spans(pair.target)) for pair in pairs]

    def target_spans(self, text):
        spans, at = [], 0
        for word in text.rstrip(".").split():
            at = text.index(word, at)
            spans.append((at, at + len(word)))
            at += len(word)
        return [*spans, *([(at, at + 1)] if text.endswith(".") else []), None]

    def words(self, text):
        return [text[slice(*span)] if span else "" for span in self.target_spans(text)]


class Attending(Scorer):
    def attention(self, pairs):
        self.asked += len(pairs)
        return [
            tuple(
                self.by_word.get(f"{pair.source[pair.start : pair.end]}_{word}", 0.01)
                for word in self.words(pair.target)
            )
            for pair in pairs
        ]


def a_sample(word="suit", cues=("legal",), source=SOURCE, **changes):
    start = source.index(word)
    sample = Sample(
        id="s", source=source, focus=(start, start + len(word)), category=None, attributes={}, cluster="s",
        place=Place(Path("s.mt.yaml"), 1), cues=Contrast(cues, ("<outfit>",)),
    )  # fmt: skip
    return replace(sample, **changes)


def finder(scorer, store=None, corpus=()):
    return FocusFinder(scorer, store, Silent(), open_aligner("ibm1"), corpus)


def compared(scorer, sample=None, target=TARGET, **settings):
    [found] = finder(scorer, **settings).compared([(sample or a_sample(cues=("<lawsuit>",)), target)])
    return None if found is None else " ".join(target[start:end] for start, end in found.spans)


def test_the_word_that_attends_most_to_the_focus_is_compared():
    assert compared(Attending(suit_costume=0.6, suit_nouveau=0.3)) == "costume"


def test_words_that_attend_nearly_as_much_belong_to_it():
    assert (
        compared(Attending(bought_a=0.4, bought_acheté=0.45), a_sample("bought", ("<purchased>",)))
        == "a acheté"
    )


def test_each_word_of_the_focus_chooses_its_own():
    sample = a_sample("new suit", ("<lawsuit>",))
    assert compared(Attending(new_nouveau=0.3, suit_costume=0.9), sample) == "nouveau costume"


def test_where_a_cue_is_beside_the_focus_the_token_before_counts_too():
    scorer = Attending(suit_costume=0.6)
    assert compared(scorer, a_sample(cues=("legal",))) == "nouveau costume"
    assert compared(scorer, a_sample(cues=("<> of clothes",))) == "nouveau costume"
    assert compared(scorer, a_sample(cues=("<lawsuit>",))) == "costume"
    beside, instead = "She bought a new party suit yesterday.", "She bought a new lawsuit."
    assert compared(scorer, a_sample(cues=None, sources=Contrast((beside,), (instead,)))) == "nouveau costume"
    whole = a_sample(cues=None, sources=Contrast(("She bought an outfit.",), ("She filed a claim.",)))
    assert compared(scorer, whole) == "costume"


def test_before_the_first_token_there_is_none():
    assert compared(Attending(She_Elle=0.6), a_sample("She", ("woman",))) == "Elle"


def test_a_focus_that_nothing_attends_to_is_not_found():
    assert compared(Attending(suit_costume=0.1)) is None


def test_attention_that_failed_or_does_not_fit_is_not_used():
    class Failing(Attending):
        def attention(self, pairs):
            return [Failure("too long") for _ in pairs]

    class TooShort(Attending):
        def attention(self, pairs):
            return [(0.9,) for _ in pairs]

    assert compared(Failing()) is None
    assert compared(TooShort()) is None


def test_a_sample_without_a_focus_is_compared_as_a_whole():
    assert compared(Attending(suit_costume=0.9), a_sample(focus=None)) is None


def test_without_attention_a_word_aligner_finds_the_focus():
    corpus = [
        SentencePair("She bought a hat.", "Elle a acheté un chapeau."),
        SentencePair("The suit is new.", "Le costume est nouveau."),
        SentencePair("A suit hung there.", "Un costume pendait là."),
        SentencePair("He sold his suit yesterday.", "Il a vendu son costume hier."),
        SentencePair(SOURCE, TARGET),
    ]
    search = finder(Scorer(), corpus=corpus)
    assert search.found_by == "alignment ibm1"
    assert compared(Scorer(), corpus=corpus) == "costume"


def test_a_scorer_that_does_not_place_its_tokens_compares_sentences():
    class Plain:
        fingerprint = "plain:1"

        def score(self, pairs):
            return [(-1.0,) for _ in pairs]

    assert finder(Plain()).found_by == ""
    assert compared(Plain()) is None


def test_attention_is_stored(tmp_path):
    first, second = Attending(suit_costume=0.6), Attending()
    with Store(tmp_path / "store.sqlite") as store:
        assert compared(first, store=store) == compared(second, store=store) == "costume"
    assert (first.asked, second.asked) == (1, 0)


def test_a_verdict_does_not_depend_on_what_else_is_asked():
    scorer = Attending(suit_costume=0.6, bought_acheté=0.5)
    samples = [(a_sample(), TARGET), (a_sample("bought"), TARGET), (a_sample(), "Un costume.")]
    together = finder(scorer).compared(samples)
    assert together == [finder(scorer).compared([one])[0] for one in samples]
    assert together == finder(scorer).compared(samples[::-1])[::-1]


def test_the_mean_is_that_of_the_compared_tokens():
    found = finder(Attending(suit_costume=0.6)).find([Focused(SOURCE, TARGET, (17, 21))])
    assert [WORDS[token] for one in found.values() for token in one.tokens] == ["costume"]
    [tokens] = finder(Attending(suit_costume=0.6)).compared([(a_sample(cues=("legal",)), TARGET)])
    logprobs = tuple(-float(number) for number in range(len(WORDS) + 2))
    assert mean(logprobs, tokens.tokens) == -(4 + 5) / 2


SUITE = """
mtprobe: 1
name: suits
about: Which suit?
languages: {source: en, targets: any}
method: contrastive-conditioning
scoring: %s
categories: [clothes]
gates: {accuracy: ">= 0"}
samples:
  - id: bought
    source: She bought a new <suit> yesterday.
    category: clothes
    cues: {correct: <outfit>, incorrect: <lawsuit>}
"""


class Model(Attending):
    """The cue in place of the focus makes *costume* unlikely, and the right one costs more elsewhere."""

    languages = mtprobe.backends.LanguagePair("en", "fr")

    def translate(self, sources):
        return [TARGET for _ in sources]

    def score(self, pairs):
        def token(word, source):
            if word == "costume":
                return -5.0 if "lawsuit" in source else -0.5
            return -1.0 if "lawsuit" in source else -3.0

        return [tuple(token(word, pair.source) for word in self.words(pair.target)) for pair in pairs]


@pytest.mark.parametrize(("scoring", "outcome"), [("sentence", "incorrect"), ("focus", "correct")])
def test_a_suite_says_what_is_compared(tmp_path, scoring, outcome):
    path = tmp_path / "suits.mt.yaml"
    path.write_text(SUITE % scoring, encoding="utf-8")
    run = mtprobe.run([path], Model(suit_costume=0.7))
    [suite] = run.suites
    [result] = suite.results
    assert result.verdict.outcome == outcome
    if scoring == "focus":
        assert result.compared == "costume"
        assert (suite.details, suite.notes) == ("scoring focus by cross-attention", ())
        assert "scoring focus" in suite.procedure
        assert result.verdict.margin == pytest.approx(4.5)
        assert result.verdict.probability == pytest.approx(1 / (1 + math.exp(-4.5)))
        assert run.to_rows()[0]["compared"] == "costume"
    else:
        assert (result.compared, suite.details) == ("", "")


def test_what_is_compared_as_a_sentence_is_counted(tmp_path):
    path = tmp_path / "suits.mt.yaml"
    path.write_text(SUITE % "focus", encoding="utf-8")
    [suite] = mtprobe.run([path], Model()).suites
    assert suite.results[0].compared == ""
    assert "scoring focus: 1 of 1 samples was compared as whole sentences" in suite.notes[0]
