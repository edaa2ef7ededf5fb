"""Who aligns words in a run, and the method that needs it with a suite's translations aligned."""

from __future__ import annotations

from collections.abc import Mapping

from mtprobe.backends.model import Model
from mtprobe.errors import Failure, MtprobeError
from mtprobe.language.alignment import open_aligner
from mtprobe.language.alignment.files import Links
from mtprobe.language.alignment.links import SentencePair
from mtprobe.language.gender.rules import rules_for
from mtprobe.methods.gender_morphology import GenderMorphology
from mtprobe.methods.method import Method
from mtprobe.suite.sample import Suite


def check_alignment(alignment: str | None, models: int) -> None:
    """An error where the alignment that the user named cannot be had, or cannot serve all models."""
    if alignment is None:
        return
    found = open_aligner(alignment)
    if isinstance(found, Links) and not found.pairs and models > 1:
        raise MtprobeError(
            f"alignment: {found.path} holds the links of one model's translations, and there are {models} models; "
            "name the aligned pairs too: PAIRS,LINKS"
        )


def with_alignments(
    method: Method, suite: Suite, model: Model, translations: Mapping[str, str | Failure]
) -> Method:
    """The method with all of a suite's translations aligned at once, the better to learn from them."""
    if not isinstance(method, GenderMorphology):
        return method
    aligner = open_aligner(method.alignment)
    if isinstance(aligner, Links):
        aligner = aligner.beside(getattr(model.backend, "paths", None), model.name)
    pairs = [SentencePair(source, text) for source, text in translations.items() if isinstance(text, str)]
    aligned = dict(zip(pairs, aligner.align(pairs), strict=True))
    rules = rules_for(suite.options["gender_rules"], model.languages.target)
    name = rules.name if rules else suite.options["gender_rules"]
    return GenderMorphology(method.alignment, aligned, f"rules {name}, alignment {aligner.name}")
