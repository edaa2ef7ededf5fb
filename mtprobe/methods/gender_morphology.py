"""Grammatical gender by pattern matching (Stanovsky, Smith and Zettlemoyer, 2019: WinoMT).

The translation's words for the person in the focus are found by word alignment, and their gender is read from
articles, endings and what agrees with them. Right when it is the sample's category. No model is asked; what
nothing tells is undecided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from mtprobe.errors import Failure, MtprobeError
from mtprobe.language.alignment import DEFAULT, open_aligner
from mtprobe.language.alignment.links import Alignment, SentencePair, aligned_to, tokens_in
from mtprobe.language.gender.read import Reading
from mtprobe.language.gender.rules import Rules, known_languages, rules_for
from mtprobe.methods.keys import GenderKeys
from mtprobe.methods.method import Ask, Method, MethodOptions, Translated
from mtprobe.methods.verdict import Evidence, Outcome, Verdict
from mtprobe.suite.sample import Sample, Suite

GENDERS = ("male", "female", "neutral")


class GenderMorphology:
    name = "gender-morphology"
    scored_by: None = None
    judges: Literal["translations"] = "translations"
    keys = GenderKeys

    def __init__(
        self,
        alignment: str = DEFAULT,
        aligned: Mapping[SentencePair, Alignment | Failure] | None = None,
        details: str = "",
    ) -> None:
        self.alignment = alignment
        self.details = details
        self._aligned = aligned  # None: each block of samples is aligned by itself

    def configured(self, options: MethodOptions) -> GenderMorphology:
        return GenderMorphology(options.alignment or DEFAULT)

    def cannot(self, target: str) -> str | None:  # noqa: ARG002 - aligners know all languages
        try:
            open_aligner(self.alignment)
        except MtprobeError as error:
            return str(error)
        return None

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        if sample.focus is None:
            return "needs a <focus>, the person whose gender is read"
        if sample.category not in GENDERS:
            return f"needs the category {', '.join(GENDERS[:2])} or {GENDERS[2]}"
        if target is not None and rules_for("grammar", target) is None:
            return f"knows no grammar of {target}; there is {', '.join(known_languages('grammar'))}"
        return None

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        rules = rules_for(ask.suite.options["gender_rules"], ask.languages.target)
        if rules is None:
            raise ValueError(f"{ask.suite.options['gender_rules']} does not know {ask.languages.target}")
        pairs = [SentencePair(sample.source, text or "") for sample, text in samples]
        aligned = self._aligned
        if aligned is None:
            aligned = dict(zip(pairs, open_aligner(self.alignment).align(pairs), strict=True))
        return [
            _verdict(one.sample, pair, aligned[pair], rules) for one, pair in zip(samples, pairs, strict=True)
        ]


def cannot_read(suite: Suite, method: Method, target: str) -> str | None:
    """Why the suite's rules cannot read this language, or None."""
    if (
        not isinstance(method, GenderMorphology)
        or rules_for(suite.options["gender_rules"], target) is not None
    ):
        return None
    known = ", ".join(known_languages(suite.options["gender_rules"]))
    return f"{method.name}: the rules {suite.options['gender_rules']} are for {known}, not for {target}"


def _verdict(sample: Sample, pair: SentencePair, alignment: Alignment | Failure, rules: Rules) -> Verdict:
    if isinstance(alignment, Failure):
        return Verdict(Outcome.ERROR, f"could not be aligned: {alignment.reason}")
    if sample.focus is None:
        return Verdict(Outcome.ERROR, "has no focus")
    reading = rules.read(pair, sample.focus, alignment)
    tokens = pair.translation.split()
    words = " ".join(tokens[at] for at in aligned_to(alignment, tokens_in(pair.source, sample.focus)))
    evidence = (
        *(Evidence(_side(sample, cue.gender), f"{cue.word} ({cue.kind})") for cue in reading.cues),
        *((Evidence("aligned", words),) if words else ()),
    )
    return _judged(sample, reading, evidence, rules)


def _judged(sample: Sample, reading: Reading, evidence: tuple[Evidence, ...], rules: Rules) -> Verdict:
    gender = reading.gender
    if gender is None:
        return Verdict(Outcome.UNDECIDED, reading.reason, evidence=evidence)
    if sample.choices:
        if gender in sample.choices:
            return Verdict(Outcome.OPEN, evidence=evidence, choice=gender, reading=gender)
        return Verdict(Outcome.UNDECIDED, f"is {gender}", evidence=evidence, reading=gender)
    if gender == "neutral" and sample.category != gender and not rules.neutral_is_wrong:
        told = f": {reading.cues[0].word}" if reading.cues else ""
        return Verdict(Outcome.UNDECIDED, f"tells no gender{told}", evidence=evidence, reading=gender)
    outcome = Outcome.CORRECT if gender == sample.category else Outcome.INCORRECT
    return Verdict(outcome, evidence=evidence, reading=gender)


def _side(sample: Sample, gender: str) -> str:
    if sample.choices:
        return gender
    return "correct" if gender == sample.category else "incorrect"
