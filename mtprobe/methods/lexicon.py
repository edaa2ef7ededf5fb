"""Lexicon (Campolungo et al., 2022: DiBiMT): is the word of the focus translated by a lemma of the right sense?

The translation is lemmatised and searched for the good and the bad lemmas of its sample. Right when a good one
stands there, wrong when a bad one does; where both do the longer match decides, then the bad one. Where none stands
there (a MISS) the sample is undecided, and the reason says what can be told of it.

A wrong translation of a model that can score is scored beside known good ones: see metrics/model_errors.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from mtprobe.backends.scorer import ScorePair, mean
from mtprobe.errors import Failure
from mtprobe.language import tags
from mtprobe.language.lemmatizers import Lemmatizer, missing_package, open_lemmatizer
from mtprobe.language.match import Match, Matcher, Sentence, fold
from mtprobe.language.words import words_of
from mtprobe.methods.method import Ask, MethodOptions, Translated
from mtprobe.methods.verdict import REFERENCE, TRANSLATION, Evidence, Outcome, Verdict
from mtprobe.suite.sample import Sample, Scalar, SenseLemmas
from mtprobe.system.garbage import without_collecting_garbage

_OMITTED = 0.6  # of the source's words: a translation that has fewer has left something out


class Lexicon:
    name = "lexicon"
    scored_by: None = None
    may_score = True  # wrong translations beside good ones
    judges: Literal["translations"] = "translations"
    keys = None

    def __init__(self, lemmatiser: str = "auto") -> None:
        self._kind = lemmatiser
        self._matchers: dict[str, tuple[Lemmatizer, Matcher]] = {}  # by language

    @property
    def details(self) -> str:
        """What results depend on besides the suite and the translations; known once samples were judged."""
        return ", ".join(dict.fromkeys(lemmatizer.name for lemmatizer, _ in self._matchers.values()))

    def configured(self, options: MethodOptions) -> Lexicon:
        return Lexicon(options.lemmatiser)

    def cannot(self, target: str) -> str | None:
        return missing_package(self._kind, target)

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        if not sample.lemmas:
            return "needs `lemmas`: good and bad ones in the target language"
        if target is not None and sample.lemmas_in(target) is None:
            return f"needs `lemmas` in {target}; there is {', '.join(sample.lemmas)}"
        return None

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        target = ask.languages.target
        if target not in self._matchers:
            lemmatizer = open_lemmatizer(self._kind, target)
            self._matchers[target] = lemmatizer, Matcher(lemmatizer, target)
        matcher = self._matchers[target][1]
        known = [sample.lemmas_in(target) or SenseLemmas((), ()) for sample, _ in samples]
        with without_collecting_garbage():
            matcher.learn(lemma for lemmas in known for lemma in (*lemmas.correct, *lemmas.incorrect))
            sentences = matcher.sentences([text or "" for _, text in samples])
            verdicts = [
                _verdict(one.sample, lemmas, sentence, matcher, target)
                for one, lemmas, sentence in zip(samples, known, sentences, strict=True)
            ]
        return _with_scores(samples, verdicts, ask)


def _verdict(
    sample: Sample, lemmas: SenseLemmas, sentence: Sentence, matcher: Matcher, target: str
) -> Verdict:
    good, bad = matcher.find(sentence, lemmas.correct, lemmas.incorrect)
    if not good and not bad:
        return Verdict(Outcome.UNDECIDED, why_missed(sample, sentence, target))
    right = decides_for_good(good, bad)
    evidence = (
        *_evidence(longest(good if right else bad), sample, lemmas, sentence, right=right),
        *_evidence(bad if right else good, sample, lemmas, sentence, right=not right),
    )
    return Verdict(Outcome.CORRECT if right else Outcome.INCORRECT, evidence=evidence)


def decides_for_good(good: Sequence[Match], bad: Sequence[Match]) -> bool:
    """The longer match; of equally long ones the bad one, unless it is the good one's very words read less closely.

    A lemmatizer may give *banca* and *banco* the same lemma: then the one that is written there counts.
    """
    long_good, long_bad = longest(good), longest(bad)
    if not long_good or not long_bad:
        return bool(long_good)
    if long_good[0].length != long_bad[0].length:
        return long_good[0].length > long_bad[0].length
    return all(
        any(
            one.places and one.places == other.places and one.closeness > other.closeness for one in long_good
        )
        for other in long_bad
    )


def longest(matches: Sequence[Match]) -> list[Match]:
    """Those of the greatest length."""
    if len(matches) < 2:
        return list(matches)
    most = max((match.length for match in matches), default=0)
    return [match for match in matches if match.length == most]


def _evidence(
    matches: Sequence[Match], sample: Sample, lemmas: SenseLemmas, sentence: Sentence, *, right: bool
) -> list[Evidence]:
    """One for each match and each sense that its lemma belongs to."""
    own = sample.attributes.get("sense")
    found: list[Evidence] = []
    ranks = sample.senses or {}
    for match in matches:
        known = (str(own),) if right and own is not None else lemmas.senses.get(match.lexeme, ())
        for sense in known or (None,):
            attributes: dict[str, Scalar] = {"lemma": match.lexeme, "found": match.level}
            if sense is not None:
                attributes["sense"] = sense
                if sense in ranks:
                    attributes["sense_rank"] = ranks[sense]
            attributes["at"] = f"{match.start}–{match.end}"
            text = sentence.text[match.start : match.end]
            one = Evidence("correct" if right else "incorrect", text, attributes=attributes)
            if one not in found:
                found.append(one)
    return found


def why_missed(sample: Sample, sentence: Sentence, target: str) -> str:
    """What can be told of a translation in which none of the known lemmas stands."""
    words = {fold(token.text) for token in sentence.tokens}
    if sample.focus is not None:
        focus = sample.source[slice(*sample.focus)]
        if focus and all(fold(word) in words for word in words_of(focus)):
            return f"copied: “{focus}” stands untranslated"
    for language, references in (sample.references or {}).items():
        if tags.fits(language, target) and any(
            words < {fold(word) for word in words_of(reference)} for reference in references
        ):
            return "omitted: nothing stands there that is not in a reference too"
    given = len(words_of(sample.source))
    if len(sentence.tokens) < _OMITTED * given:
        return f"omitted, it seems: {len(sentence.tokens)} words for {given}"
    return "other: none of the known lemmas stands there"


def _with_scores(samples: Sequence[Translated], verdicts: list[Verdict], ask: Ask) -> list[Verdict]:
    """Wrong translations scored beside good ones, where there are some and the model can."""
    pairs: dict[int, list[ScorePair]] = {}
    for number, ((sample, text), verdict) in enumerate(zip(samples, verdicts, strict=True)):
        good = good_translations(sample, ask.languages.target)
        if verdict.outcome is Outcome.INCORRECT and text and good:
            pairs[number] = [ScorePair(sample.source, one) for one in (text, *good)]
    scores = ask.scores([pair for asked in pairs.values() for pair in asked]) if pairs else {}
    for number, asked in pairs.items():
        found = [scores.get(pair) for pair in asked]
        if any(one is None or isinstance(one, Failure) for one in found):
            continue
        verdict = verdicts[number]
        scored = (
            Evidence(REFERENCE if place else TRANSLATION, pair.target, mean(one))
            for place, (pair, one) in enumerate(zip(asked, found, strict=True))
            if one is not None and not isinstance(one, Failure)
        )
        verdicts[number] = Verdict(verdict.outcome, verdict.reason, evidence=(*verdict.evidence, *scored))
    return verdicts


def good_translations(sample: Sample, target: str) -> tuple[str, ...]:
    """Whole translations that are known to be right: references, and the right sides of minimal pairs."""
    found = [
        text
        for language, texts in (sample.references or {}).items()
        if tags.fits(language, target)
        for text in texts
    ]
    for language, contrast in (sample.targets or {}).items():
        if tags.fits(language, target):
            found += contrast.correct
    return tuple(dict.fromkeys(found))
