"""Preserve: what must survive translation, for any model; only the translation is needed.

A sample, or its suite, names what must be kept: numbers, placeholders, tags, names … A translation is correct if
nothing of it was lost, added or changed. The verdict shows what was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from mtprobe.errors import Problem, did_you_mean
from mtprobe.language.invariants import KINDS, Change, Kind, Text
from mtprobe.language.invariants.locales import known, missing
from mtprobe.language.invariants.names import Names
from mtprobe.language.invariants.surface import Length
from mtprobe.language.lemmatizers import missing_package
from mtprobe.methods.checks.glossary import TERMS, Glossary, Terms
from mtprobe.methods.method import Ask, Method, MethodOptions, Obstacle, Preparation, Translated
from mtprobe.methods.verdict import Evidence, Outcome, Verdict
from mtprobe.suite.format.fields import Language
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.sample import Sample, Scalar, Suite

NAMES = (*KINDS, TERMS)
_LENGTH_RATIO = [0.4, 2.5]
_SHOWN = 3  # changes in the reason of a verdict; the evidence has them all


def _ordered(value: list[float]) -> list[float]:
    if value[0] > value[1]:
        raise PydanticCustomError("order", "write the smaller ratio first, for example [0.5, 2]")
    return value


class PreserveKeys(MethodKeys):
    length_ratio: Annotated[
        list[Annotated[float, Field(gt=0)]], Field(min_length=2, max_length=2), AfterValidator(_ordered)
    ] = Field(default=_LENGTH_RATIO)
    """For `preserve: length`: the minimum and maximum length of a translation, relative to its source."""
    terms: dict[Language, Glossary] = Field(default_factory=dict)
    """For `preserve: terms`: a glossary per target language. Maps a source term to the required translation (or a list of alternatives), or to `{required: …, forbidden: …}`, as lemmas."""

    @classmethod
    def problems(cls, suite: Suite) -> Iterator[Problem]:
        for sample in suite.samples:
            for name in sample.preserve:
                if name not in NAMES:
                    yield Problem(sample.place, f'preserve: there is no "{name}"{did_you_mean(name, NAMES)}')
        with_terms = next((sample for sample in suite.samples if TERMS in sample.preserve), None)
        if with_terms and not suite.options[TERMS]:
            yield Problem(
                with_terms.place,
                "preserve: terms needs `terms`, a glossary for each target language: {pt: {invoice: fatura}}",
            )


class Preserve(Method):
    name = "preserve"
    about = "numbers, dates, placeholders, names … survive translation; needs no scores"
    keys = PreserveKeys

    def __init__(self, lemmatizer: str = "auto") -> None:
        self._lemmatizer = lemmatizer
        self._terms: Terms | None = None  # of the suite and language that it is prepared for

    @property
    def is_witness(self) -> bool:
        """It judges something other than other methods do."""
        return False

    def configured(self, options: MethodOptions) -> Preserve:
        return Preserve(options.lemmatizer)

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:  # noqa: ARG002
        if not sample.preserve:
            return f"needs `preserve`, what must survive: {', '.join(NAMES)}"
        if Names.name in sample.preserve and not sample.names and sample.focus is None:
            return "needs `names`, or a <focus> that is one, for `preserve: names`"
        return None

    def obstacle(self, suite: Suite, target: str) -> Obstacle | None:
        named = {name for sample in suite.samples for name in sample.preserve}
        if any(KINDS[name].needs_locale for name in named if name in KINDS):
            if reason := missing():
                return Obstacle(f"{self.name} {reason}", user_can_fix=True)
            if unknown := [language for language in (suite.source, target) if not known(language)]:
                return Obstacle(f"{self.name}: CLDR has no data for {unknown[0]}")
        if TERMS in named:
            if not Terms.fits(suite, target):
                return Obstacle(f"{self.name}: `terms` has no glossary for {target}")
            if reason := missing_package(self._lemmatizer, target):
                return Obstacle(f"{self.name}: {reason}", user_can_fix=True)
        return None

    def prepare(self, preparation: Preparation) -> Preserve:
        method = Preserve(self._lemmatizer)
        if any(TERMS in sample.preserve for sample in preparation.suite.samples):
            method._terms = Terms(preparation.suite, preparation.languages.target, self._lemmatizer)
        return method

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        special: dict[str, Kind] = {}
        if (ratio := ask.suite.options["length_ratio"]) != _LENGTH_RATIO:
            special[Length.name] = Length(*ratio)
        if self._terms is not None:
            special[TERMS] = self._terms
        verdicts = []
        for sample, text in samples:
            kinds = [_kind(name, sample, special) for name in sample.preserve]
            source = Text(sample.source, ask.languages.source)
            verdicts.append(_verdict(kinds, source, Text(text or "", ask.languages.target)))
        return verdicts


def _kind(name: str, sample: Sample, special: dict[str, Kind]) -> Kind:
    if name == Names.name:
        focus = sample.source[slice(*sample.focus)] if sample.focus else ""
        return Names(sample.names or (focus,))
    return special.get(name) or KINDS[name]


def _verdict(kinds: Sequence[Kind], source: Text, target: Text) -> Verdict:
    found = {kind.name: kind.source_items(source) for kind in kinds}
    applicable = [kind for kind in kinds if kind.always or found[kind.name] or _adds(kind, target)]
    if not applicable:
        return Verdict(Outcome.UNDECIDED, f"the source has no {' or '.join(kind.name for kind in kinds)}")
    changes = [change for kind in applicable for change in kind.changes(source, target)]
    if changes:
        reason = "; ".join(map(str, changes[:_SHOWN]))
        more = f"; and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
        return Verdict(Outcome.INCORRECT, reason + more, evidence=tuple(map(_evidence, changes)))
    kept = [
        Evidence("correct", item.text, attributes={"kind": kind.name})
        for kind in applicable
        if not kind.always
        for item in found[kind.name]
    ]
    return Verdict(Outcome.CORRECT, evidence=tuple(kept))


def _adds(kind: Kind, target: Text) -> bool:
    """Whether the translation has something to be compared that the source may have in words, or not at all."""
    return kind.adds and any(not item.optional for item in kind.items(target))


def _evidence(change: Change) -> Evidence:
    attributes: dict[str, Scalar] = {"kind": change.kind, "change": change.what}
    if change.before:
        attributes["before"] = change.before
    if change.span is not None:
        attributes["at"] = "–".join(map(str, change.span))
    return Evidence("incorrect", change.after or change.before, attributes=attributes)
