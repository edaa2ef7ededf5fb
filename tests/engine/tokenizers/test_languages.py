from __future__ import annotations

import pytest

from mtprobe.engine.tokenizers.languages import (
    LANGUAGE_CODES,
    choose,
    codes_of,
    mbart_codes,
    not_a_language_of,
)

NLLB = codes_of(LANGUAGE_CODES["nllb200"])
M2M = codes_of(LANGUAGE_CODES["m2m100"])
MBART = mbart_codes(LANGUAGE_CODES["mbart50"])


def test_every_code_of_a_family_is_understood() -> None:
    assert [code.code for code in (*NLLB, *M2M, *MBART) if code.tag is None] == []


@pytest.mark.parametrize(
    ("requested", "nllb", "m2m", "mbart"),
    [
        ("en", "eng_Latn", "en", "en_XX"),
        ("pt", "por_Latn", "pt", "pt_XX"),
        ("pt-BR", "por_Latn", "pt", "pt_XX"),
        ("de-AT", "deu_Latn", "de", "de_DE"),
        ("ar", "arb_Arab", "ar", "ar_AR"),
        ("arz", "arz_Arab", None, None),
        ("zh", "zho_Hans", "zh", "zh_CN"),
        ("zh-Hans", "zho_Hans", "zh", "zh_CN"),
        ("zh-Hant", "zho_Hant", "zh", None),
        ("zh-TW", "zho_Hant", "zh", None),
        ("sr", "srp_Cyrl", "sr", None),
        ("sr-Latn", None, "sr", None),
        ("no", "nob_Latn", "no", None),
        ("nn", "nno_Latn", "no", None),
        ("fa", "pes_Arab", "fa", "fa_IR"),
        ("fa-AF", "prs_Arab", "fa", "fa_IR"),
        ("tw", "twi_Latn", None, None),
        ("ps", "pbt_Arab", "ps", "ps_AF"),
        ("tl", "tgl_Latn", "tl", "tl_XX"),
        ("nso", "nso_Latn", "ns", None),
        ("eng_Latn", "eng_Latn", "en", "en_XX"),
        ("pt_XX", "por_Latn", "pt", "pt_XX"),
        ("la", None, None, None),
        ("und", None, None, None),
        ("no such tag", None, None, None),
    ],
)
def test_a_tag_finds_the_code_of_each_family(
    requested: str, nllb: str | None, m2m: str | None, mbart: str | None
) -> None:
    assert (choose(requested, NLLB), choose(requested, M2M), choose(requested, MBART)) == (nllb, m2m, mbart)


@pytest.mark.parametrize(
    ("requested", "codes", "chosen"),
    [
        ("pt", "pt_br pt pt_PT", "pt"),
        ("pt-BR", "por pob", "pob"),
        ("pt-PT", "por pob", "por"),
        ("pt", "pt_pt pt_br", "pt_br"),
        ("fr-CA", "fr_BE fr_FR fr", "fr"),
        ("zh", "yue cmn cmn_Hant cmn_Hans", "cmn_Hans"),
        ("zh-TW", "yue cmn_Hans cmn_Hant", "cmn_Hant"),
        ("no", "nno nob", "nob"),
        ("it", "2 zzzz it_IT", "it_IT"),
    ],
)
def test_the_nearest_of_several_is_taken(requested: str, codes: str, chosen: str) -> None:
    assert choose(requested, codes_of(codes.split())) == chosen


def test_a_language_in_another_script_is_named() -> None:
    error = not_a_language_of("org/model", "zh-Hant", MBART)
    assert str(error) == "org/model: zh-Hant is not a language of this model; it has zh_CN"


def test_a_near_code_is_suggested() -> None:
    assert 'did you mean "pt"?' in str(not_a_language_of("org/model", "pot", M2M))


def test_a_few_codes_are_listed() -> None:
    assert "it has 202 languages, such as ace_Arab, ace_Latn, " in str(
        not_a_language_of("org/model", "la", NLLB)
    )
