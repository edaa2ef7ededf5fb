"""Lemmatizers behind one protocol."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers import LEMMATIZERS, open_lemmatizer
from mtprobe.language.words import words_of


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("“Der Arzt, (der) kam.”", ["Der", "Arzt", "der", "kam"]),
        ("l'avocat, the doctor's", ["l", "avocat", "the", "doctor", "s"]),
        ("Lehrer*innen, Lehrer:innen, Lehrer/innen", ["Lehrer*innen", "Lehrer:innen", "Lehrer/innen"]),
        ("a doctor-patient talk - really", ["a", "doctor-patient", "talk", "really"]),
        ("A\u0301rbol", ["Árbol"]),  # composed
        ("", []),
    ],
)
def test_words_are_what_a_reader_would_call_words(sentence, words):
    assert words_of(sentence) == words


def test_simplemma_gives_dictionary_forms():
    lemmatizer = open_lemmatizer("simplemma", "de-AT")
    found = lemmatizer.lemmatize(["Die Häuser brannten.", "", "Zwei Vorspeisen!"])
    assert [token.text for token in found[0]] == ["Die", "Häuser", "brannten"]
    assert [token.lemma for token in found[0]][1:] == ["Haus", "brennen"]
    assert found[1] == []
    assert found[2][1][:2] == ("Vorspeisen", "Vorspeise")
    assert lemmatizer.name.startswith("simplemma ")


def test_simplemma_folds_feminine_forms_which_is_why_genders_are_not_counted_on_lemmas():
    (tokens,) = open_lemmatizer("simplemma", "pt").lemmatize(["as enfermeiras"])
    assert tokens[1].lemma == "enfermeiro"


def test_french_participles_are_forms_of_their_verbs():
    (tokens,) = open_lemmatizer("simplemma", "fr").lemmatize(["réservé réservées couru vendue fini rue menu"])
    assert [token.lemma for token in tokens] == [
        "réserver", "réserver", "courir", "vendre", "finir", "rue", "menu",
    ]  # fmt: skip


def test_pymorphy_keeps_feminine_occupations_apart():
    (tokens,) = open_lemmatizer("pymorphy3", "ru").lemmatize(["Врачи и учительницы"])
    assert [token.lemma for token in tokens] == ["врач", "и", "учительница"]


@pytest.mark.parametrize(
    ("kind", "language", "said"),
    [
        ("simplema", "de", 'there is no lemmatizer "simplema"; did you mean "simplemma"?'),
        ("simplemma", "zu", 'simplemma does not know the language "zu"; try stanza or spacy'),
        ("pymorphy3", "de", 'pymorphy3 knows ru and uk, not "de"'),
        ("pymorphy3", "uk", "pymorphy3 has no dictionary for uk: pip install pymorphy3-dicts-uk"),
    ],
)
def test_a_lemmatizer_that_cannot_be_had_is_told(kind, language, said):
    with pytest.raises(MtprobeError) as error:
        open_lemmatizer(kind, language)
    assert said in str(error.value)


@pytest.mark.slow
def test_stanza_without_models_says_how_to_get_them(tmp_path):
    """In a process of its own: where Stanza looks for models is settled when it is imported."""
    program = (
        "from mtprobe.errors import MtprobeError\n"
        "from mtprobe.language.lemmatizers import open_lemmatizer\n"
        "try:\n    open_lemmatizer('stanza', 'de')\nexcept MtprobeError as error:\n    print(error)\n"
    )
    pytest.importorskip("stanza", reason="stanza is an extra of its own")
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"STANZA_RESOURCES_DIR": str(tmp_path), "PATH": "", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout.startswith("stanza has no models for de on this machine; get them with python -c"), (
        done.stderr
    )


def test_no_lemmatizer_is_loaded_before_it_is_opened():
    program = (
        "import sys, mtprobe.language.lemmatizers\n"
        f"print([name for name in {list(LEMMATIZERS)!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "[]\n"


def test_jieba_parts_chinese_into_words_with_their_parts_of_speech():
    jieba = open_lemmatizer("auto", "zh-Hant")
    assert jieba.name.startswith("jieba ")
    one, empty = jieba.lemmatize(["他喝了一杯威士忌。", ""])
    assert {"喝", "威士忌"} <= {token.lemma for token in one}
    assert next(token.pos for token in one if token.text == "喝") == "VERB"
    assert "。" not in {token.text for token in one}
    assert empty == []


def test_jieba_reads_no_cache_from_the_common_folder_for_temporary_files(tmp_path, monkeypatch):
    """Which anybody may have put there."""
    import tempfile

    from mtprobe.language.lemmatizers.libraries import Jieba

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "jieba.cache").write_bytes(b"not a cache")
    assert Jieba("zh").lemmatize(["你好"])
    assert [path.name for path in tmp_path.iterdir()] == ["jieba.cache"]


def test_pymorphy_tells_parts_of_speech():
    (tokens,) = open_lemmatizer("pymorphy3", "ru").lemmatize(["Он быстро выпил рюмку"])
    assert [token.pos for token in tokens] == ["PRON", "ADV", "VERB", "NOUN"]
