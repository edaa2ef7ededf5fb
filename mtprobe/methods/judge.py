"""A suite's translations → results: degenerate outputs first, then what the method says, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mtprobe.backends.protocols import LanguagePair
from mtprobe.backends.scorer import ScorePair, Scorer, TokenLogProbs
from mtprobe.backends.scoring import score_all
from mtprobe.errors import Failure
from mtprobe.methods.degenerate import constant, degenerate
from mtprobe.methods.method import Ask, Method, Scores, Translated
from mtprobe.methods.tokens import with_tokens
from mtprobe.methods.verdict import Outcome, Result, Verdict
from mtprobe.progress import Progress
from mtprobe.store import Store
from mtprobe.suite.content import content_digest
from mtprobe.suite.sample import Sample, Suite

_BLOCK = 4000  # samples whose scores are in memory at once


def judge_all(
    suite: Suite,
    method: Method,
    translations: Mapping[str, str | Failure],
    languages: LanguagePair,
    scorer: Scorer | None,
    store: Store | None,
    progress: Progress,
) -> Iterator[Result]:
    """A result for each sample that the method can judge in this language, in the suite's order.

    `translations` may be none at all where the method judges given targets.
    """

    held: dict[ScorePair, TokenLogProbs | Failure] = {}  # of one block

    def scores(pairs: Sequence[ScorePair]) -> Scores:
        found = score_all(scorer, pairs, store, progress) if scorer is not None else {}
        held.update(found)
        return found

    made = {source: text for source, text in translations.items() if isinstance(text, str)}
    known_bad = _Degenerate(made, languages) if method.judges == "translations" else None
    ask = Ask(suite, languages, scores, getattr(scorer, "by_place", None))
    samples = [sample for sample in suite.samples if not method.lacks(sample, languages.target)]
    for start in range(0, len(samples), _BLOCK):
        block = samples[start : start + _BLOCK]
        verdicts: dict[str, Verdict] = {}
        if known_bad is not None:
            for sample in block:
                if (early := known_bad.verdict(sample, translations[sample.source])) is not None:
                    verdicts[sample.id] = early
        rest = [Translated(one, made.get(one.source)) for one in block if one.id not in verdicts]
        judged = method.judge(rest, ask)
        verdicts.update({one.sample.id: verdict for one, verdict in zip(rest, judged, strict=True)})
        results = [
            _result(sample, translations.get(sample.source), verdicts[sample.id], languages.target)
            for sample in block
        ]
        yield from with_tokens(results, held, scorer, method.judges, store)
        held.clear()


class _Degenerate:
    """Knows which outputs are no translations, the ones that only the whole suite shows included."""

    def __init__(self, translations: Mapping[str, str], languages: LanguagePair) -> None:
        self._constant = constant(translations)
        self._languages = languages

    def verdict(self, sample: Sample, translation: str | Failure) -> Verdict | None:
        if isinstance(translation, Failure):
            return Verdict(Outcome.ERROR, translation.reason)
        reason = degenerate(sample.source, translation, self._languages)
        if reason is None and translation.strip() in self._constant:
            reason = "constant: the same translation stands for different sources"
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
    )
