"""The mutators, one object each. To add one, write its class and list it here."""

from __future__ import annotations

from mtprobe.authoring.power.mutators.exchanged import (
    CommonestSense,
    Feminine,
    GenderSwap,
    Masculine,
    SenseSwap,
)
from mtprobe.authoring.power.mutators.generated import Agreement, Clause, Negation
from mtprobe.authoring.power.mutators.lost import LostEmail, LostEmoji, LostPlaceholder, LostTag, LostUrl
from mtprobe.authoring.power.mutators.mutator import Material, Mutant, Mutator, TextMutator
from mtprobe.authoring.power.mutators.names import MisspelledName
from mtprobe.authoring.power.mutators.nulls import Spacing, Synonym, TypographicQuotes
from mtprobe.authoring.power.mutators.numbers import Digits
from mtprobe.authoring.power.mutators.pronoun import NeutralPronoun, Pronoun
from mtprobe.authoring.power.mutators.required import RequiredWords
from mtprobe.authoring.power.mutators.whole import Copied, Truncated
from mtprobe.authoring.power.mutators.written import LostCapitals, LostQuotes, OtherMark

MUTATORS: dict[str, Mutator] = {
    mutator.name: mutator
    for mutator in (
        GenderSwap(),
        Masculine(),
        Feminine(),
        Pronoun(),
        NeutralPronoun(),
        SenseSwap(),
        CommonestSense(),
        RequiredWords(),
        Negation(),
        Clause(),
        Agreement(),
        Digits(),
        MisspelledName(),
        LostPlaceholder(),
        LostTag(),
        LostUrl(),
        LostEmail(),
        LostEmoji(),
        LostCapitals(),
        LostQuotes(),
        OtherMark(),
        Truncated(),
        Copied(),
        TypographicQuotes(),
        Spacing(),
        Synonym(),
    )
}
"""By name; null mutants come last."""

__all__ = ["MUTATORS", "Material", "Mutant", "Mutator", "TextMutator"]
