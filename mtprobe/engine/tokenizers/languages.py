"""From language tags (BCP 47) to the codes that a model has for its languages: `pt` is `por_Latn` or `pt_XX`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import langcodes

from mtprobe.engine.tokenizers.codes import GROUPS
from mtprobe.errors import ModelError, did_you_mean
from mtprobe.language import tags

# What models write for a language, where it is no tag for it or too narrow a one.
_OWN = {"ns": "nso", "pob": "pt-BR", "pbt": "ps", "quy": "qu", "fuv": "ff"}
_LISTED = 10  # codes that an error repeats


@dataclass(frozen=True, slots=True)
class Code:
    """A model's own code for a language, and what it means."""

    code: str
    tag: str | None
    """BCP 47; None for a code that nobody else knows."""
    script: str | None
    """Where the code says it."""


def codes_of(codes: Iterable[str]) -> list[Code]:
    """Codes of language, script and territory, in any spelling: `deu`, `zho_Hans`, `pt_br`."""
    return [_code(code, code) for code in codes]


def codes_with_idle_territories(codes: Iterable[str]) -> list[Code]:
    """mBART's codes. Their second half says nothing (`en_XX`, `ar_AR`) but which Chinese `zh_CN` is."""
    result = []
    for code in codes:
        language, _, territory = code.partition("_")
        script = "" if territory == "XX" else tags.script(f"{language}-{territory}")
        result.append(_code(code, f"{language}_{script}" if script not in ("", "Zyyy") else language))
    return result


def _code(code: str, meaning: str) -> Code:
    language, *rest = meaning.replace("-", "_").split("_")
    tag = "-".join([_OWN.get(language, language), *rest])
    if not tags.is_language(tag):
        return Code(code, None, None)
    return Code(code, tags.standard(tag), langcodes.Language.get(tag).script)


def choose(asked: str, codes: Iterable[Code]) -> str | None:
    """The code that serves a language best, or None.

    Where several fit, the one of the script and the territory that the language is likely to have.
    """
    codes = list(codes)
    for code in codes:
        if _spelling(code.code) == _spelling(asked):
            return code.code
    if not tags.is_language(asked) or asked.lower() in GROUPS.split():
        return None
    wanted = _with_its_script(asked)
    fitting = [code for code in codes if code.tag is not None and _fits(wanted, code)]
    return min(fitting, key=lambda code: _distance(wanted, code)).code if fitting else None


def must_choose(name: str, asked: str, codes: Iterable[Code]) -> str:
    """The code that serves a language best; a `ModelError` where the model called `name` has none."""
    codes = list(codes)
    code = choose(asked, codes)
    if code is None:
        raise not_a_language_of(name, asked, codes)
    return code


def not_a_language_of(name: str, asked: str, codes: Iterable[Code]) -> ModelError:
    """What to say where none fits: those of the same language in another form, near ones, or a few."""
    codes = list(codes)
    own = [code.code for code in codes]
    language = asked.replace("_", "-").partition("-")[0]
    same = [code.code for code in codes if code.tag is not None and code.tag.partition("-")[0] == language]
    hint = f"; it has {', '.join(same)}" if same else did_you_mean(asked, own)
    if not hint:
        hint = f"; it has {len(own)} languages, as {', '.join(own[:_LISTED])} …"
    return ModelError(f"{name}: {asked} is not a language of this model{hint}")


def _spelling(code: str) -> str:
    return code.replace("-", "_").lower()


def _with_its_script(asked: str) -> langcodes.Language:
    """Spells out the script where it follows from the territory: `zh-TW` is written in Hant."""
    language = langcodes.Language.get(tags.standard(asked))
    script = tags.script(asked)
    if language.script is None and language.territory and script != tags.script(language.language or "und"):
        return language.update_dict({"script": script})
    return language


def _fits(wanted: langcodes.Language, code: Code) -> bool:
    if wanted.script and code.script and wanted.script != code.script:
        return False
    tag = wanted.to_tag()
    return tags.fits(tag, code.tag or "") or tags.fits(_wider(tag), _wider(code.tag or ""))


def _wider(tag: str) -> str:
    """Standard Arabic (`arb`) is what is meant by Arabic (`ar`); Egyptian Arabic stays what it is."""
    return str(langcodes.standardize_tag(tag, macro=True))


def _distance(wanted: langcodes.Language, code: Code) -> tuple[bool, int, int, bool]:
    given, likely = langcodes.Language.get(code.tag or "und"), wanted.maximize()
    script = 1 if code.script is None else 0 if code.script == likely.script else 2
    if given.territory == wanted.territory:
        territory = 0
    else:
        territory = 1 if given.territory in (None, likely.territory) else 2
    other = given.language != wanted.language
    # Norwegian without a choice is Bokmål.
    return other and given.language == "nn", script, territory, other
