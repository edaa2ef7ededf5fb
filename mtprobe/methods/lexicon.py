"""Lexicon (Campolungo et al., 2022: DiBiMT): is the translation of the focus word a lemma of the right sense?

The translation is lemmatized and searched for the good and the bad lemmas of its sample. Correct when it has a
good one, incorrect when it has a bad one; with both, the longer match decides, then the bad one. With neither (a
MISS) the sample is undecided, and the reason says what is known about it; a word that fits both senses settles that.

If the model can score, a wrong translation is scored along with known good ones: see metrics/model_errors.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.backends.scorer import ScorePair, mean
from mtprobe.errors import Failure
from mtprobe.language import tags
from mtprobe.language.lemmatizers import Lemmatizer, missing_package, open_lemmatizer
from mtprobe.language.match import Match, Matcher, Sentence, fold
from mtprobe.language.words import words_of
from mtprobe.methods.method import Ask, Method, MethodOptions, Obstacle, Translated
from mtprobe.methods.verdict import EITHER, REFERENCE, TRANSLATION, Evidence, Outcome, Verdict
from mtprobe.suite.sample import Sample, Scalar, SenseLemmas, Suite
from mtprobe.system.garbage import without_collecting_garbage

_OMITTED = 0.6  # of the source's words: a translation with fewer has omitted something


class Lexicon(Method):
    name = "lexicon"
    about = "the translation of the focus word is a lemma of the right sense"
    scores_wrong_translations = True
    reads_senses = True
    scored_evidence = "the translation and known good ones"
    found_evidence = "lemmas in the translation"
    as_witness = "the lexicon"

    def __init__(self, lemmatizer: str = "auto") -> None:
        self._kind = lemmatizer
        self._matchers: dict[str, tuple[Lemmatizer, Matcher]] = {}  # by language

    @property
    def details(self) -> str:
        """The lemmatizer and its version; known once samples were judged."""
        return ", ".join(dict.fromkeys(lemmatizer.name for lemmatizer, _ in self._matchers.values()))

    def configured(self, options: MethodOptions) -> Lexicon:
        return Lexicon(options.lemmatizer)

    def obstacle(self, suite: Suite, target: str) -> Obstacle | None:  # noqa: ARG002
        missing = missing_package(self._kind, target)
        return Obstacle(f"{self.name}: {missing}", user_can_fix=True) if missing else None

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        if not sample.lemmas:
            return "needs `lemmas`: good and bad ones in the target language"
        if target is not None and sample.lemmas_in(target) is None:
            return f"needs `lemmas` in {target}; available: {', '.join(sample.lemmas)}"
        return None

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        target = ask.languages.target
        if target not in self._matchers:
            lemmatizer = open_lemmatizer(self._kind, target)
            self._matchers[target] = lemmatizer, Matcher(lemmatizer, target)
        matcher = self._matchers[target][1]
        lexicon = [sample.lemmas_in(target) or SenseLemmas((), ()) for sample, _ in samples]
        with without_collecting_garbage():
            matcher.learn(
                lemma for lemmas in lexicon for lemma in (*lemmas.correct, *lemmas.incorrect, *lemmas.either)
            )
            sentences = matcher.sentences([text or "" for _, text in samples])
            verdicts = [
                _verdict(translated.sample, lemmas, sentence, matcher, target)
                for translated, lemmas, sentence in zip(samples, lexicon, sentences, strict=True)
            ]
        return _with_scores(samples, verdicts, ask)


def _verdict(
    sample: Sample, lemmas: SenseLemmas, sentence: Sentence, matcher: Matcher, target: str
) -> Verdict:
    good, bad = matcher.find(sentence, lemmas.correct, lemmas.incorrect)
    if not good and not bad:
        either, _ = matcher.find(sentence, lemmas.either, ())
        if either:
            word = sentence.text[either[0].start : either[0].end]
            return Verdict(Outcome.UNDECIDED, f"“{word}” fits both senses", reading=EITHER)
        return Verdict(Outcome.UNDECIDED, why_missed(sample, sentence, target))
    right = decides_for_good(good, bad)
    evidence = (
        *_evidence(longest(good if right else bad), sample, lemmas, sentence, right=right),
        *_evidence(bad if right else good, sample, lemmas, sentence, right=not right),
    )
    return Verdict(Outcome.CORRECT if right else Outcome.INCORRECT, evidence=evidence)


def decides_for_good(good: Sequence[Match], bad: Sequence[Match]) -> bool:
    """Whether the longer match is good; of equally long ones the bad one counts, unless it reads the same words less closely.

    A lemmatizer may give *banca* and *banco* the same lemma: then the word that is written counts.
    """
    long_good, long_bad = longest(good), longest(bad)
    if not long_good or not long_bad:
        return bool(long_good)
    if long_good[0].length != long_bad[0].length:
        return long_good[0].length > long_bad[0].length
    return all(
        any(
            match.places and match.places == other.places and match.closeness > other.closeness
            for match in long_good
        )
        for other in long_bad
    )


def longest(matches: Sequence[Match]) -> list[Match]:
    """The matches of the greatest length."""
    if len(matches) < 2:
        return list(matches)
    most = max((match.length for match in matches), default=0)
    return [match for match in matches if match.length == most]


def _evidence(
    matches: Sequence[Match], sample: Sample, lemmas: SenseLemmas, sentence: Sentence, *, right: bool
) -> list[Evidence]:
    """One item for each match and each sense of its lemma."""
    own = sample.attributes.get("sense")
    evidence: list[Evidence] = []
    ranks = sample.senses or {}
    for match in matches:
        listed = lemmas.senses.get(match.lexeme, ())
        senses = (str(own), *listed) if right and own is not None else listed
        for sense in senses or (None,):
            attributes: dict[str, Scalar] = {"lemma": match.lexeme, "found": match.level}
            if sense is not None:
                attributes["sense"] = sense
                if sense in ranks:
                    attributes["sense_rank"] = ranks[sense]
            attributes["at"] = f"{match.start}–{match.end}"
            text = sentence.text[match.start : match.end]
            item = Evidence("correct" if right else "incorrect", text, attributes=attributes)
            if item not in evidence:
                evidence.append(item)
    return evidence


def why_missed(sample: Sample, sentence: Sentence, target: str) -> str:
    """The reason why a translation has none of the listed lemmas, as far as known."""
    words = {fold(token.text) for token in sentence.tokens}
    if sample.focus is not None:
        focus = sample.source[slice(*sample.focus)]
        if focus and all(fold(word) in words for word in words_of(focus)):
            return f"copied: “{focus}” is untranslated"
    for language, references in (sample.references or {}).items():
        if tags.fits(language, target) and any(
            words < {fold(word) for word in words_of(reference)} for reference in references
        ):
            return "omitted: every word also occurs in a reference"
    source_words = len(words_of(sample.source))
    if len(sentence.tokens) < _OMITTED * source_words:
        return f"probably omitted: {len(sentence.tokens)} words for {source_words}"
    return "other: contains none of the listed lemmas"


def _with_scores(samples: Sequence[Translated], verdicts: list[Verdict], ask: Ask) -> list[Verdict]:
    """Scores wrong translations along with good ones, where there are some and the model can score."""
    pairs: dict[int, list[ScorePair]] = {}
    for number, ((sample, text), verdict) in enumerate(zip(samples, verdicts, strict=True)):
        good = good_translations(sample, ask.languages.target)
        if verdict.outcome is Outcome.INCORRECT and text and good:
            pairs[number] = [ScorePair(sample.source, target) for target in (text, *good)]
    scores = ask.scores([pair for compared in pairs.values() for pair in compared]) if pairs else {}
    for number, compared in pairs.items():
        logprobs = [scores.get(pair) for pair in compared]
        if any(score is None or isinstance(score, Failure) for score in logprobs):
            continue
        verdict = verdicts[number]
        scored = (
            Evidence(REFERENCE if place else TRANSLATION, pair.target, mean(score))
            for place, (pair, score) in enumerate(zip(compared, logprobs, strict=True))
            if score is not None and not isinstance(score, Failure)
        )
        verdicts[number] = Verdict(verdict.outcome, verdict.reason, evidence=(*verdict.evidence, *scored))
    return verdicts


def good_translations(sample: Sample, target: str) -> tuple[str, ...]:
    """Whole translations that are known to be right: references, and the right sides of minimal pairs."""
    translations = [
        text
        for language, texts in (sample.references or {}).items()
        if tags.fits(language, target)
        for text in texts
    ]
    for language, contrast in (sample.targets or {}).items():
        if tags.fits(language, target):
            translations += contrast.correct
    return tuple(dict.fromkeys(translations))
