"""Relation: the translations of related sources must satisfy the relation named in the suite.

No model is asked but the one under test, and for round trips a second one that translates back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mtprobe.backends.protocols import Request, can_translate
from mtprobe.backends.stored import fingerprint_of, translate_all
from mtprobe.errors import Failure, Problem, did_you_mean
from mtprobe.language.comparison import Reader, lexicon_of
from mtprobe.language.identify import puts_spaces_between_words
from mtprobe.language.invariants.locales import missing
from mtprobe.language.lemmatizers import missing_package, open_lemmatizer
from mtprobe.methods.further import BACK, SOURCE, further_evidence
from mtprobe.methods.method import Ask, Method, MethodOptions, Obstacle, Preparation, Translated
from mtprobe.methods.relations import RELATIONS
from mtprobe.methods.relations.relation import Case, Finding, Relation
from mtprobe.methods.verdict import Evidence, Outcome, Verdict
from mtprobe.progress import Progress
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.sample import Sample, Scalar, Suite, text_key

PROCEDURE = ", back "  # before the fingerprint of the model that translates back
_LONGEST = 300  # words of content
_WORST_FIRST = (Outcome.INCORRECT, Outcome.UNDECIDED, Outcome.CORRECT)


class RelationKeys(MethodKeys):
    @classmethod
    def problems(cls, suite: Suite) -> Iterator[Problem]:
        for sample in suite.samples:
            if sample.relation and sample.relation not in RELATIONS:
                hint = did_you_mean(sample.relation, RELATIONS) or f"; there is {', '.join(RELATIONS)}"
                yield Problem(sample.place, f'relation: there is no "{sample.relation}"{hint}')


class RelationMethod(Method):
    name = "relation"
    about = (
        "translations of related sources are the same, differ in one place, are negated …; needs no scores"
    )
    keys = RelationKeys
    found_evidence = "compared with"

    def __init__(self, lemmatizer: str = "auto") -> None:
        self._lemmatizer = lemmatizer
        self._reader: Reader | None = None  # of the language that it is prepared for
        self._details: tuple[str, ...] = ()
        self._second = ""  # the fingerprint of the model that translates back
        self._back: Mapping[str, str | Failure] = {}  # by translation

    @property
    def is_witness(self) -> bool:
        """It judges something other than other methods do."""
        return False

    @property
    def details(self) -> str:
        return ", ".join(self._details)

    @property
    def procedure(self) -> str:
        return f"{super().procedure}{PROCEDURE + self._second if self._second else ''}"

    def configured(self, options: MethodOptions) -> RelationMethod:
        return RelationMethod(options.lemmatizer)

    def needs_back(self, sample: Sample) -> bool:
        relation = RELATIONS.get(sample.relation)
        return relation is not None and relation.needs_back

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:  # noqa: ARG002
        if not sample.relation:
            return f"needs `relation`: {', '.join(RELATIONS)}"
        relation = RELATIONS.get(sample.relation)
        return relation.lacks(sample) if relation is not None else None

    def obstacle(self, suite: Suite, target: str) -> Obstacle | None:
        if reason := missing_package(self._lemmatizer, target):
            return Obstacle(f"{self.name}: {reason}", user_can_fix=True)
        if any(map(self.needs_back, suite.samples)) and (reason := missing()):
            return Obstacle(f"{self.name} {reason}", user_can_fix=True)
        if not puts_spaces_between_words(target) and self._lemmatizer == "auto" and target[:2] != "zh":
            return Obstacle(f"{self.name}: words of {target} cannot be told apart without spaces")
        return None

    def prepare(self, preparation: Preparation) -> RelationMethod:
        method = RelationMethod(self._lemmatizer)
        target = preparation.languages.target
        lemmatizer = open_lemmatizer(self._lemmatizer, target)
        method._reader = Reader(lexicon_of(target), lemmatizer)
        method._details = (lemmatizer.name,)
        samples = [sample for sample in preparation.suite.samples if self.needs_back(sample)]
        if samples and preparation.back is not None:
            runner = preparation.back.runner
            if can_translate(runner):
                keys = (
                    text_key(sample.source, sample.context, repeat)
                    for sample in samples
                    for repeat in range(preparation.repeats)
                )
                texts = [text for key in keys if isinstance(text := preparation.translations.get(key), str)]
                requests = {text: Request(text) for text in texts if text.strip()}
                made = translate_all(
                    runner, list(requests.values()), preparation.store, _Renamed(preparation.progress)
                )
                method._back = {text: made[request] for text, request in requests.items()}
            method._second = fingerprint_of(preparation.back.backend)
            method._details = (lemmatizer.name, f"back {preparation.back.name}")
        return method

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        if self._reader is None:
            raise ValueError("the method must be prepared first")
        texts = [text or "" for _, text in samples]
        texts += [text for item in samples for text in item.further if isinstance(text, str)]
        self._reader.read(texts)
        return [self._verdict(translated, ask, self._reader) for translated in samples]

    def _verdict(self, translated: Translated, ask: Ask, reader: Reader) -> Verdict:
        sample, text = translated
        further = translated.further
        relation = RELATIONS[sample.relation]
        if relation.needs_back:
            return self._there_and_back(translated, ask, reader)
        for other in further:
            if not isinstance(other, str):
                reason = other.reason if isinstance(other, Failure) else "a further source has no translation"
                return Verdict(Outcome.ERROR, reason)
        translations = [other for other in further if isinstance(other, str)]
        readings = reader.read([text or "", *translations])
        findings = [
            _judged(
                relation,
                Case(
                    sample,
                    variant.text,
                    readings[text or ""],
                    readings[other],
                    reader,
                    lexicon_of(ask.languages.source),
                    ask.languages,
                ),
            )
            for variant, other in zip(sample.against, translations, strict=True)
        ]
        return _verdict(findings, further_evidence(sample, further))

    def _there_and_back(self, translated: Translated, ask: Ask, reader: Reader) -> Verdict:
        sample, text = translated
        back = self._back.get(text or "")
        if not isinstance(back, str):
            reason = back.reason if isinstance(back, Failure) else "it was not translated back"
            return Verdict(Outcome.ERROR, f"the second model: {reason}")
        reading = reader.read([text or ""])[text or ""]
        case = Case(sample, back, reading, reading, reader, lexicon_of(ask.languages.source), ask.languages)
        finding = RELATIONS[sample.relation].judge(case)
        return _verdict([finding], (Evidence(BACK, back, attributes={SOURCE: text or ""}),))


def _judged(relation: Relation, case: Case) -> Finding:
    """Comparing takes time that grows with the square of the length: long texts are not compared."""
    if max(len(reading.content) for reading in (case.first, case.second)) > _LONGEST:
        return Finding(Outcome.UNDECIDED, f"longer than {_LONGEST} words of content")
    return relation.judge(case)


def _verdict(findings: Sequence[Finding], evidence: tuple[Evidence, ...]) -> Verdict:
    """The worst finding decides; the evidence has both translations, and the words that differ."""
    worst = min(findings, key=lambda finding: _WORST_FIRST.index(finding.outcome))
    return Verdict(worst.outcome, worst.reason, evidence=(*evidence, *_differing(worst)))


def _differing(finding: Finding) -> Iterator[Evidence]:
    side = "incorrect" if finding.outcome is Outcome.INCORRECT else "unclear"
    for first, second in finding.spans:
        attributes: dict[str, Scalar] = {"first": first, "second": second}
        yield Evidence(side, f"{first or '–'} / {second or '–'}", attributes=attributes)


class _Renamed:
    """Progress of a second translation under a name of its own."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def start(self, stage: str, total: int) -> None:
        self._progress.start(f"{stage} back", total)

    def advance(self, steps: int) -> None:
        self._progress.advance(steps)

    def done(self) -> None:
        self._progress.done()

    def note(self, text: str) -> None:
        self._progress.note(text)
