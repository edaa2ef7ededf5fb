"""Small changes to a sentence that should not change its translation, or only at the place of the change."""

from __future__ import annotations

from mtprobe.language.perturbations.case import LowerCase, LowerStart, UpperCase
from mtprobe.language.perturbations.contraction import Contraction
from mtprobe.language.perturbations.name_swap import NameSwap
from mtprobe.language.perturbations.perturbation import Perturbation
from mtprobe.language.perturbations.punctuation import ExtraSpace, NoFinalStop, TypographicQuotes
from mtprobe.language.perturbations.typo import Typo

PERTURBATIONS: dict[str, Perturbation] = {
    perturbation.name: perturbation
    for perturbation in (
        LowerStart(),
        LowerCase(),
        UpperCase(),
        NoFinalStop(),
        ExtraSpace(),
        TypographicQuotes(),
        Typo(),
        Contraction(),
        NameSwap(),
    )
}

__all__ = ["PERTURBATIONS", "Perturbation"]
