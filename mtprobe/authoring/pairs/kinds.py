"""The kinds of change, by name; the module of each is loaded when it is opened."""

from __future__ import annotations

from importlib import import_module

from mtprobe.authoring.pairs.change import Kind, equal, never
from mtprobe.errors import MtprobeError, did_you_mean
from mtprobe.language import tags

KINDS = {
    "placeholder-noun": "mtprobe.authoring.pairs.placeholder_noun",
    "hypercorrect-genitive": "mtprobe.authoring.pairs.hypercorrect_genitive",
    "polarity-affix": "mtprobe.authoring.pairs.polarity_affix",
    "negation-particle": "mtprobe.authoring.pairs.negation_particle",
    "clause-omission": "mtprobe.authoring.pairs.clause_omission",
    "np-agreement": "mtprobe.authoring.pairs.np_agreement",
    "subject-verb-agreement": "mtprobe.authoring.pairs.subject_verb_agreement",
    "gendered-pronoun": "mtprobe.authoring.pairs.gendered_pronoun",
}
"""Each module has `ABOUT`, `LANGUAGES` (its changes by language) and `MISSING` if a language has none (why); for
machine translations, `SAME` and `REPAIRABLE` if they are not `equal` and `never`."""

LANGUAGES = ("de", "pt")


def open_kind(name: str, language: str) -> Kind:
    """A kind of change in a language; an error says why there is none."""
    if name not in KINDS:
        raise MtprobeError(f'there is no kind "{name}"{did_you_mean(name, KINDS)}')
    base = _base(language)
    module = import_module(KINDS[name])
    if base not in module.LANGUAGES:
        raise MtprobeError(f"{name}: {module.MISSING[base]}")
    same, repairable = getattr(module, "SAME", equal), getattr(module, "REPAIRABLE", never)
    return Kind(name, module.ABOUT, module.LANGUAGES[base], same, repairable)


def kinds_of(language: str) -> tuple[str, ...]:
    """The kinds that the language has."""
    base = _base(language)
    return tuple(name for name, module in KINDS.items() if base in import_module(module).LANGUAGES)


def _base(language: str) -> str:
    base = tags.standard(language).split("-")[0]
    if base not in LANGUAGES:
        raise MtprobeError(f"pairs can be made for {' and '.join(LANGUAGES)}, not for {language}")
    return base
