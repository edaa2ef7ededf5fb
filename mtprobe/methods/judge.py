"""A suite's translations → results: first degenerate outputs, then the method's verdicts, in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.backends.stored import score_all
from mtprobe.errors import Failure
from mtprobe.methods.degenerate import constant_outputs, degenerate
from mtprobe.methods.further import further_evidence, further_translations
from mtprobe.methods.method import Further, Method, Preparation, Related, Scores, Translated
from mtprobe.methods.tokens import with_tokens
from mtprobe.methods.verdict import Outcome, Result, Verdict
from mtprobe.suite.content import content_digest
from mtprobe.suite.sample import Sample, text_key

_BLOCK = 4000  # samples whose scores are in memory at once


def judge_all(method: Method, preparation: Preparation) -> Iterator[Result]:
    """A result for each sample that the method can judge in this language, in the suite's order.

    Where sentences were translated repeatedly, a result for each translation. Given targets are judged once.
    """
    suite, languages, scorer = preparation.suite, preparation.languages, preparation.scorer
    block_scores: dict[ScorePair, TokenLogProbs | Failure] = {}

    def scores(pairs: Sequence[ScorePair]) -> Scores:
        if scorer is None:
            return {}
        known = {pair: preparation.scored[pair] for pair in pairs if pair in preparation.scored}
        missing = [pair for pair in pairs if pair not in known]
        scored = {**known, **score_all(scorer, missing, preparation.store, preparation.progress)}
        block_scores.update(scored)
        return scored

    translations = preparation.translations
    reads_outputs = method.judges == "translations"
    repeats = preparation.repeats if reads_outputs else 1
    outputs = [_Outputs(preparation, repeat) for repeat in range(repeats)] if reads_outputs else []
    ask = preparation.ask(scores)
    samples = [sample for sample in suite.samples if not method.lacks(sample, languages.target)]
    size = max(1, _BLOCK // repeats)
    for start in range(0, len(samples), size):
        block = [
            (sample, repeat, translations.get(text_key(sample.source, sample.context, repeat)))
            for sample in samples[start : start + size]
            for repeat in range(repeats)
        ]
        verdicts: dict[int, Verdict] = {}
        if reads_outputs:
            for place, (sample, repeat, translation) in enumerate(block):
                further = further_translations(sample, translations, repeat)
                if (early := outputs[repeat].verdict(sample, translation, further)) is not None:
                    verdicts[place] = early
        rest = [place for place in range(len(block)) if place not in verdicts]
        asked = [_asked(*block[place], translations) for place in rest]
        verdicts.update(zip(rest, method.judge(asked, ask), strict=True))
        results = [
            _result(sample, translation, verdicts[place], languages.target, repeat + 1 if repeats > 1 else 0)
            for place, (sample, repeat, translation) in enumerate(block)
        ]
        yield from with_tokens(results, block_scores, scorer, method.judges, preparation.store)
        block_scores.clear()


def _asked(
    sample: Sample, repeat: int, translation: str | Failure | None, translations: Mapping[str, str | Failure]
) -> Translated:
    """The input of a method, including translations of further sources if a sample has any."""
    if not sample.against:
        return Translated(sample, _text(translation))
    return Related.of(sample, _text(translation), further_translations(sample, translations, repeat))


def as_if_decided(sample: Sample, target: str) -> Result:
    """The result of a sample that was not judged, if it counted for every metric that may count it."""
    outcome = Outcome.OPEN if sample.choices else Outcome.CORRECT
    return _result(sample, None, Verdict(outcome), target, 0)


def _text(translation: str | Failure | None) -> str | None:
    return translation if isinstance(translation, str) else None


class _Outputs:
    """Knows which outputs are not translations, including those that only the whole suite reveals.

    Without translations to look at, none is.
    """

    def __init__(self, preparation: Preparation, repeat: int) -> None:
        suite, given = preparation.suite, preparation.translations
        keys = {sample.source: text_key(sample.source, sample.context, repeat) for sample in suite.samples}
        texts = {source: text for source, key in keys.items() if (text := _text(given.get(key))) is not None}
        self._looks = bool(texts) and not suite.ignores_degenerate
        self._constant = constant_outputs(texts) if self._looks else frozenset()
        self._languages = preparation.languages

    def verdict(
        self, sample: Sample, translation: str | Failure | None, further: Further = ()
    ) -> Verdict | None:
        if isinstance(translation, Failure):
            return Verdict(Outcome.ERROR, translation.reason)
        if translation is None:
            raise ValueError(f"{sample.id} has no translation")
        if not self._looks:
            return None
        reason = degenerate(sample.source, translation, self._languages)
        if reason is None and translation.strip() in self._constant:
            reason = "constant: the same translation for different sources"
        if reason is None:
            reason = self._of_further(sample, further)
        return (
            Verdict(Outcome.DEGENERATE, reason, evidence=further_evidence(sample, further))
            if reason
            else None
        )

    def _of_further(self, sample: Sample, further: Further) -> str | None:
        """Why the translation of a further source is none."""
        for variant, text in zip(sample.against, further, strict=False):
            if isinstance(text, str) and (reason := degenerate(variant.text, text, self._languages)):
                return f"{reason}, in the translation of “{variant.text}”"
        return None


def _result(
    sample: Sample, translation: str | Failure | None, verdict: Verdict, target: str, repeat: int
) -> Result:
    text = None if isinstance(translation, Failure) else translation
    return Result.of(sample, text, verdict, content=content_digest(sample, target), repeat=repeat)
