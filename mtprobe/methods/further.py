"""The translations of a sample's further sources, kept in the evidence of its verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mtprobe.errors import Failure
from mtprobe.methods.method import Further
from mtprobe.methods.verdict import Evidence
from mtprobe.suite.sample import Sample, text_key

AGAINST = "against"  # the side of a further source's translation
BACK = "back"  # the side of a back-translation by a second model
SOURCE = "source"  # the attribute that says what was translated


def further_translations(
    sample: Sample, translations: Mapping[str, str | Failure], repeat: int = 0
) -> Further:
    """The translations of the further sources, in order; None where there is none."""
    return tuple(translations.get(text_key(text, sample.context, repeat)) for text in sample.sentences[1:])


def further_evidence(sample: Sample, translations: Sequence[str | Failure | None]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(AGAINST, text, attributes={SOURCE: variant.text})
        for variant, text in zip(sample.against, translations, strict=False)
        if isinstance(text, str)
    )
