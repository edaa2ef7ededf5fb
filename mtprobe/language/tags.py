"""Language tags (BCP 47) and which of them fit together."""

from __future__ import annotations

from functools import cache

import langcodes


@cache
def is_language(tag: str) -> bool:
    """Whether this is a well-formed tag of a registered language."""
    try:
        return bool(langcodes.tag_is_valid(tag))
    except ValueError:  # LanguageTagError is one
        return False


@cache
def is_tag(text: str) -> bool:
    """Whether this is a well-formed tag, of a registered language or not."""
    try:
        langcodes.standardize_tag(text)
    except ValueError:
        return False
    return True


@cache
def standard(tag: str) -> str:
    """The shortest common form of a tag: `por_Latn` and `por` are `pt`, `pt_br` is `pt-BR`."""
    return str(langcodes.standardize_tag(tag))


@cache
def fits(wanted: str, given: str) -> bool:
    """Whether a model for language `given` can be used for `wanted`.

    A part that one side does not specify fits anything: `pt` fits `pt-BR`, both ways; `pt-PT` does not.
    Norwegian Bokmål and Nynorsk fit `no`. `und`, an undetermined language, fits all.
    """
    one, other = (langcodes.Language.get(standard(tag)) for tag in (wanted, given))
    if "und" in (one.to_tag(), other.to_tag()):
        return True
    spoken = {one.language, other.language}
    if len(spoken) == 2 and not ("no" in spoken and spoken <= {"no", "nb", "nn"}):
        return False
    return all(
        mine is None or theirs is None or mine == theirs
        for mine, theirs in ((one.script, other.script), (one.territory, other.territory))
    )


@cache
def script(tag: str) -> str:
    """The four-letter code of the script that the language is usually written in: `Cyrl` for `ru`."""
    return langcodes.Language.get(standard(tag)).maximize().script or "Zyyy"
