"""Maps language tags (BCP 47) to a model's own language codes: `pt` is `por_Latn` or `pt_XX`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import langcodes

from mtprobe.errors import ModelError, did_you_mean
from mtprobe.language import tags

# Codes of models that are not the right tag for the language, or too narrow a one.
_TAGS = {"ns": "nso", "pob": "pt-BR", "pbt": "ps", "quy": "qu", "fuv": "ff"}
# By family of models, in the order of their tokens; "groups" are tags that name no single language.
LANGUAGE_CODES = {
    family: codes.split()
    for family, codes in tomllib.loads(
        Path(__file__).with_name("language_codes.toml").read_text("utf-8")
    ).items()
}
_LISTED = 10  # codes shown in an error


@dataclass(frozen=True, slots=True)
class Code:
    """A model's own code for a language, and what it means."""

    code: str
    tag: str | None
    """BCP 47; None for a code that only the model knows."""
    script: str | None
    """None if the code does not include it."""


def codes_of(codes: Iterable[str]) -> list[Code]:
    """Codes of language, script and territory, in any spelling: `deu`, `zho_Hans`, `pt_br`."""
    return [_code(code, code) for code in codes]


def mbart_codes(codes: Iterable[str]) -> list[Code]:
    """mBART's codes. Their territory is meaningless (`en_XX`, `ar_AR`), except for Chinese (`zh_CN`)."""
    result = []
    for code in codes:
        language, _, territory = code.partition("_")
        script = "" if territory == "XX" else tags.script(f"{language}-{territory}")
        result.append(_code(code, f"{language}_{script}" if script not in ("", "Zyyy") else language))
    return result


def _code(code: str, meaning: str) -> Code:
    language, *rest = meaning.replace("-", "_").split("_")
    tag = "-".join([_TAGS.get(language, language), *rest])
    if not tags.is_language(tag):
        return Code(code, None, None)
    return Code(code, tags.standard(tag), langcodes.Language.get(tag).script)


def choose(requested: str, codes: Sequence[Code]) -> str | None:
    """The code that fits a language tag best, or None.

    If several fit, the one with the likely script and territory of the language.
    """
    for code in codes:
        if _normalised(code.code) == _normalised(requested):
            return code.code
    if not tags.is_language(requested) or requested.lower() in LANGUAGE_CODES["groups"]:
        return None
    wanted = _with_script(requested)
    fitting = [code for code in codes if code.tag is not None and _fits(wanted, code)]
    return min(fitting, key=lambda code: _distance(wanted, code)).code if fitting else None


def must_choose(name: str, requested: str, codes: Sequence[Code]) -> str:
    """The code that fits a language tag best; raises `ModelError` if the model has none."""
    code = choose(requested, codes)
    if code is None:
        raise not_a_language_of(name, requested, codes)
    return code


def not_a_language_of(name: str, requested: str, codes: Sequence[Code]) -> ModelError:
    """The error for a language that the model lacks, with similar codes or a few examples."""
    names = [code.code for code in codes]
    language = requested.replace("_", "-").partition("-")[0]
    same = [code.code for code in codes if code.tag is not None and code.tag.partition("-")[0] == language]
    hint = f"; it has {', '.join(same)}" if same else did_you_mean(requested, names)
    if not hint:
        hint = f"; it has {len(names)} languages, such as {', '.join(names[:_LISTED])} …"
    return ModelError(f"{name}: {requested} is not a language of this model{hint}")


def _normalised(code: str) -> str:
    return code.replace("-", "_").lower()


def _with_script(requested: str) -> langcodes.Language:
    """Adds the script if the territory implies it: `zh-TW` is written in Hant."""
    language = langcodes.Language.get(tags.standard(requested))
    script = tags.script(requested)
    if language.script is None and language.territory and script != tags.script(language.language or "und"):
        return language.update_dict({"script": script})
    return language


def _fits(wanted: langcodes.Language, code: Code) -> bool:
    if wanted.script and code.script and wanted.script != code.script:
        return False
    tag = wanted.to_tag()
    return tags.fits(tag, code.tag or "") or tags.fits(_wider(tag), _wider(code.tag or ""))


def _wider(tag: str) -> str:
    """Standard Arabic (`arb`) becomes Arabic (`ar`); Egyptian Arabic stays as it is."""
    return str(langcodes.standardize_tag(tag, macro=True))


def _distance(wanted: langcodes.Language, code: Code) -> tuple[bool, int, int, bool]:
    given, likely = langcodes.Language.get(code.tag or "und"), wanted.maximize()
    script = 1 if code.script is None else 0 if code.script == likely.script else 2
    if given.territory == wanted.territory:
        territory = 0
    else:
        territory = 1 if given.territory in (None, likely.territory) else 2
    differs = given.language != wanted.language
    # Unspecified Norwegian is Bokmål.
    return differs and given.language == "nn", script, territory, differs
