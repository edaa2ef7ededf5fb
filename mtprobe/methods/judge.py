"""A suite's translations → results: degenerate outputs first, then the method's verdicts, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mtprobe.backends.protocols import LanguagePair
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.backends.stored import score_all
from mtprobe.errors import Failure
from mtprobe.methods.degenerate import constant_outputs, degenerate
from mtprobe.methods.method import Ask, Method, Preparation, Scores, Translated
from mtprobe.methods.tokens import with_tokens
from mtprobe.methods.verdict import Outcome, Result, Verdict
from mtprobe.suite.content import content_digest
from mtprobe.suite.sample import Sample, text_of_key

_BLOCK = 4000  # samples whose scores are in memory at once


def judge_all(method: Method, preparation: Preparation) -> Iterator[Result]:
    """A result for each sample that the method can judge in this language, in the suite's order."""
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
    keys = {sample.key for sample in suite.samples}
    texts = {key: text for key, text in translations.items() if key in keys and isinstance(text, str)}
    outputs = None
    if method.judges == "translations":
        by_source = {text_of_key(key): text for key, text in texts.items()}
        outputs = _Outputs({} if suite.ignores_degenerate else by_source, languages)
    by_place, in_context = (getattr(scorer, name, None) for name in ("by_place", "in_context"))
    ask = Ask(suite, languages, scores, by_place, in_context)
    samples = [sample for sample in suite.samples if not method.lacks(sample, languages.target)]
    for start in range(0, len(samples), _BLOCK):
        block = samples[start : start + _BLOCK]
        verdicts: dict[str, Verdict] = {}
        if outputs is not None:
            for sample in block:
                if (early := outputs.verdict(sample, translations[sample.key])) is not None:
                    verdicts[sample.id] = early
        rest = [Translated(sample, texts.get(sample.key)) for sample in block if sample.id not in verdicts]
        judged = method.judge(rest, ask)
        verdicts.update(
            {translated.sample.id: verdict for translated, verdict in zip(rest, judged, strict=True)}
        )
        results = [
            _result(sample, translations.get(sample.key), verdicts[sample.id], languages.target)
            for sample in block
        ]
        yield from with_tokens(results, block_scores, scorer, method.judges, preparation.store)
        block_scores.clear()


class _Outputs:
    """Knows which outputs are not translations, including those that only the whole suite reveals.

    Without translations to look at, none is.
    """

    def __init__(self, translations: Mapping[str, str], languages: LanguagePair) -> None:
        self._looks = bool(translations)
        self._constant = constant_outputs(translations)
        self._languages = languages

    def verdict(self, sample: Sample, translation: str | Failure) -> Verdict | None:
        if isinstance(translation, Failure):
            return Verdict(Outcome.ERROR, translation.reason)
        if not self._looks:
            return None
        reason = degenerate(sample.source, translation, self._languages)
        if reason is None and translation.strip() in self._constant:
            reason = "constant: the same translation for different sources"
        return Verdict(Outcome.DEGENERATE, reason) if reason else None


def _result(sample: Sample, translation: str | Failure | None, verdict: Verdict, target: str) -> Result:
    return Result(
        id=sample.id,
        source=sample.source,
        focus=sample.focus,
        category=sample.category,
        attributes=sample.attributes,
        cluster=sample.cluster,
        path=str(sample.place.path),
        line=sample.place.line,
        translation=None if isinstance(translation, Failure) else translation,
        verdict=verdict,
        choices=sample.choices,
        content=content_digest(sample, target),
        context=sample.context,
    )
