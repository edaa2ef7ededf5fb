"""Grammatical gender by pattern matching (Stanovsky, Smith and Zettlemoyer, 2019: WinoMT).

Word alignment finds the translation's words for the person in the focus; their gender is read from articles,
endings and whatever agrees with them. Correct when it is the sample's category. No model is asked; where
nothing shows the gender, the sample is undecided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from mtprobe.errors import Failure, MtprobeError
from mtprobe.language.alignment import (
    DEFAULT,
    Aligner,
    Alignment,
    SentencePair,
    aligned_to,
    open_aligner,
    tokens_in,
)
from mtprobe.language.alignment.files import Links
from mtprobe.language.gender.read import GenderReading
from mtprobe.language.gender.rules import Rules, known_languages, rules_for
from mtprobe.methods.aligners import aligner_for
from mtprobe.methods.method import Ask, Method, MethodOptions, Obstacle, Preparation, Translated
from mtprobe.methods.verdict import ALIGNED, Evidence, Outcome, Result, Verdict
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.sample import Sample, Suite

GENDERS = ("male", "female", "neutral")
_FEW = 8  # sentence pairs: an aligner that learns from fewer has little more than the order of words


class GenderKeys(MethodKeys):
    gender_rules: Literal["grammar", "winomt-2019"] = "grammar"
    """For `gender-morphology`, how a person's gender is read: with mtprobe's grammars (de, es, fr, it, pt, ru), or with WinoMT's published German rules."""


class GenderMorphology(Method):
    name = "gender-morphology"
    about = "reads a person's grammatical gender in the translation, by word alignment and grammar"
    as_witness = "the grammar"
    found_evidence = "words in the translation that have a gender"
    keys = GenderKeys

    def __init__(
        self,
        alignment: str = DEFAULT,
        alignments: Mapping[SentencePair, Alignment | Failure] | None = None,
        rules: str = "",
        aligner: Aligner | None = None,
        learned_from: int | None = None,
    ) -> None:
        self._alignment = alignment
        self._alignments = alignments  # None: each block of samples is aligned by itself
        self._rules = rules
        self._aligner = aligner  # None: not prepared
        self._learned_from = learned_from  # sentence pairs; None: the alignment was not learned here

    @property
    def procedure(self) -> str:
        return f"{super().procedure}, rules {self._rules}" if self._rules else super().procedure

    @property
    def details(self) -> str:
        return f"alignment {self._aligner.name}" if self._aligner else ""

    def configured(self, options: MethodOptions) -> GenderMorphology:
        return GenderMorphology(options.alignment or DEFAULT)

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        if sample.focus is None:
            return "needs a <focus>, the person whose gender is read"
        if sample.category not in GENDERS:
            return f"needs the category {', '.join(GENDERS[:2])} or {GENDERS[2]}"
        if target is not None and rules_for("grammar", target) is None:
            return f"has no grammar of {target}; available: {', '.join(known_languages('grammar'))}"
        return None

    def obstacle(self, suite: Suite, target: str) -> Obstacle | None:
        if rules_for(suite.options["gender_rules"], target) is None:
            known = ", ".join(known_languages(suite.options["gender_rules"]))
            return Obstacle(
                f"{self.name}: the rules {suite.options['gender_rules']} are for {known}, not for {target}"
            )
        try:
            open_aligner(self._alignment)
        except MtprobeError as error:
            return Obstacle(f"{self.name}: {error}", user_can_fix=True)
        return None

    def prepare(self, preparation: Preparation) -> GenderMorphology:
        """All translations of the suite are aligned at once: the aligner learns from all of them."""
        suite, target = preparation.suite, preparation.languages.target
        aligner = aligner_for(self._alignment, preparation.model)
        pairs = preparation.translated_pairs
        rules = rules_for(suite.options["gender_rules"], target)
        rules_name = rules.name if rules else suite.options["gender_rules"]
        learned_from = None if isinstance(aligner, Links) else len(set(pairs))
        return GenderMorphology(self._alignment, _align(aligner, pairs), rules_name, aligner, learned_from)

    def notes(self, results: Sequence[Result]) -> Sequence[str]:  # noqa: ARG002 - the note is about the suite
        if self._learned_from is None or self._learned_from >= _FEW:
            return ()
        sentences = "1 sentence" if self._learned_from == 1 else f"{self._learned_from} sentences"
        return (
            f"word alignment was learned from only {sentences}, so it may have aligned the wrong words; check the verdicts",
        )

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        rules = rules_for(ask.suite.options["gender_rules"], ask.languages.target)
        if rules is None:
            raise ValueError(f"{ask.suite.options['gender_rules']} has no rules for {ask.languages.target}")
        pairs = [SentencePair(sample.source, text or "") for sample, text in samples]
        alignments = self._aligned(pairs)
        return [
            _verdict(translated.sample, pair, alignments[pair], rules)
            for translated, pair in zip(samples, pairs, strict=True)
        ]

    def _aligned(self, pairs: Sequence[SentencePair]) -> Mapping[SentencePair, Alignment | Failure]:
        """A pair that was not there when the method was prepared is aligned with those that were, and with no other."""
        known, aligner = self._alignments, self._aligner or open_aligner(self._alignment)
        if known is None:
            return _align(aligner, pairs)
        new = [pair for pair in pairs if pair not in known]
        return {**known, **{pair: _align(aligner, [*known, pair])[pair] for pair in new}} if new else known


def check_alignment(alignment: str | None, models: int) -> None:
    """An error if the alignment that the user named does not exist, or cannot serve all models, counted once per target."""
    if alignment is None:
        return
    aligner = open_aligner(alignment)
    if isinstance(aligner, Links) and not aligner.pairs and models > 1:
        raise MtprobeError(
            f"alignment: {aligner.path} holds the links of one model's translations, and this run has those of {models} models or targets; "
            "name the aligned pairs too: PAIRS,LINKS"
        )


def _align(aligner: Aligner, pairs: Sequence[SentencePair]) -> dict[SentencePair, Alignment | Failure]:
    return dict(zip(pairs, aligner.align(pairs), strict=True))


def _verdict(sample: Sample, pair: SentencePair, alignment: Alignment | Failure, rules: Rules) -> Verdict:
    if isinstance(alignment, Failure):
        return Verdict(Outcome.ERROR, f"could not be aligned: {alignment.reason}")
    if sample.focus is None:
        return Verdict(Outcome.ERROR, "has no focus")
    reading = rules.read(pair, sample.focus, alignment)
    tokens = pair.translation.split()
    words = " ".join(tokens[index] for index in aligned_to(alignment, tokens_in(pair.source, sample.focus)))
    evidence = (
        *(Evidence(_side(sample, cue.gender), f"{cue.word} ({cue.kind})") for cue in reading.cues),
        *((Evidence(ALIGNED, words),) if words else ()),
    )
    return _verdict_on(sample, reading, evidence, rules)


def _verdict_on(
    sample: Sample, reading: GenderReading, evidence: tuple[Evidence, ...], rules: Rules
) -> Verdict:
    gender = reading.gender
    if gender is None:
        return Verdict(Outcome.UNDECIDED, reading.reason, evidence=evidence)
    if sample.choices:
        if gender in sample.choices:
            return Verdict(Outcome.OPEN, evidence=evidence, choice=gender, reading=gender)
        return Verdict(Outcome.UNDECIDED, f"is {gender}", evidence=evidence, reading=gender)
    if gender == "neutral" and sample.category != gender and not rules.neutral_is_wrong:
        word = f": {reading.cues[0].word}" if reading.cues else ""
        return Verdict(Outcome.UNDECIDED, f"shows no gender{word}", evidence=evidence, reading=gender)
    outcome = Outcome.CORRECT if gender == sample.category else Outcome.INCORRECT
    return Verdict(outcome, evidence=evidence, reading=gender)


def _side(sample: Sample, gender: str) -> str:
    if sample.choices:
        return gender
    return "correct" if gender == sample.category else "incorrect"
