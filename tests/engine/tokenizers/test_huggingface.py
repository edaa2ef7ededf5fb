"""Opening tokenizers: directions, language tokens, and damaged files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig, read_config
from mtprobe.engine.checkpoints.huggingface.files import resolve
from mtprobe.engine.tokenizers.huggingface import (
    Tokenizer,
    UnsupportedTokenizer,
    languages_of,
    open_tokenizer,
)
from mtprobe.errors import ModelError
from tests.engine.checkpoints import factory
from tests.engine.checkpoints.lines import TEXTS

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")

CODES = ["pt", "pt_br", "zho_Hans", "zho_Hant", "de"]


def opened(folder: Path, source: str | None = None, target: str | None = None) -> Tokenizer:
    model = resolve(str(folder))
    config = read_config(model)
    assert isinstance(config, Seq2SeqConfig)
    return open_tokenizer(model, config, source, target)


def languages(folder: Path) -> tuple[str | None, str | None]:
    model = resolve(str(folder))
    config = read_config(model)
    assert isinstance(config, Seq2SeqConfig)
    return languages_of(model, config)


@pytest.fixture
def many(tmp_path: Path, vocabularies: Path) -> Path:
    """A Marian model with several target languages."""
    return factory.put_marian(
        tmp_path / "opus-mt-en-roa", vocabularies / "en.spm", vocabularies / "de-pt.spm", CODES
    )


@pytest.fixture
def two(tmp_path: Path, vocabularies: Path) -> Path:
    """A bilingual Marian model."""
    return factory.put_marian(tmp_path / "opus-mt-en-de", vocabularies / "en.spm", vocabularies / "de-pt.spm")


@pytest.fixture
def nllb(tmp_path: Path, vocabularies: Path) -> Path:
    return factory.put_nllb(tmp_path / "nllb", vocabularies / "bpe.model", tokenizer_json=False)


@pytest.fixture
def mbart50(tmp_path: Path, vocabularies: Path) -> Path:
    return factory.put_mbart50(tmp_path / "mbart50", vocabularies / "unigram.model")


@pytest.fixture
def m2m100(tmp_path: Path, vocabularies: Path) -> Path:
    return factory.put_m2m100(tmp_path / "m2m100", vocabularies / "bpe.model")


class TestMarianIntoSeveralLanguages:
    @pytest.mark.parametrize(
        ("target", "token"),
        [("pt", ">>pt<<"), ("pt-BR", ">>pt_br<<"), ("zh", ">>zho_Hans<<"), ("zh-TW", ">>zho_Hant<<")],
    )
    def test_the_language_stands_before_the_source(self, many: Path, target: str, token: str) -> None:
        ours, theirs = opened(many, "en", target), transformers.AutoTokenizer.from_pretrained(many)
        for text in TEXTS:
            if not text.startswith(">>"):
                assert ours.source_ids(text) == theirs(f"{token} {text}")["input_ids"]
            assert ours.target_ids(text) == theirs(text_target=text)["input_ids"]

    def test_a_source_that_names_its_language_is_left_alone(self, many: Path) -> None:
        ours, theirs = opened(many, "en", "de"), transformers.AutoTokenizer.from_pretrained(many)
        assert ours.source_ids(">>pt<< The doctor") == theirs(">>pt<< The doctor")["input_ids"]
        assert ours.source_ids(">>xx<< The") == theirs(">>de<< >>xx<< The")["input_ids"]

    def test_the_target_must_be_said(self, many: Path) -> None:
        with pytest.raises(ModelError, match="translates into 5 languages: give the target language"):
            opened(many, "en")

    def test_a_language_that_it_does_not_have(self, many: Path) -> None:
        with pytest.raises(ModelError, match="fr is not a language of this model; available: pt, pt_br, "):
            opened(many, "en", "fr")


class TestMarianDirections:
    def test_the_name_tells_the_languages(self, two: Path) -> None:
        assert languages(two) == ("en", "de")

    @pytest.mark.parametrize(
        ("name", "pair"),
        [
            ("opus-mt-tc-big-en-pt", ("en", "pt")),
            ("opus-mt-eng-por", ("en", "pt")),
            ("opus-mt-ROMANCE-en", (None, "en")),
            ("opus-mt-en-roa", ("en", None)),
            ("opus-mt-mul-en", (None, "en")),
            ("opus-mt-deu_fra-en", (None, "en")),
            ("opus-mt-en-de-finetuned", (None, None)),
            ("my-model", (None, None)),
        ],
    )
    def test_names(self, two: Path, name: str, pair: tuple[str | None, str | None]) -> None:
        assert languages(two.rename(two.with_name(name))) == pair

    def test_tokenizer_config_knows_better_than_the_name(self, two: Path) -> None:
        factory.put(two / "tokenizer_config.json", {"source_lang": "eng", "target_lang": "por"})
        assert languages(two) == ("en", "pt")

    def test_other_families_have_no_pair(self, mbart50: Path) -> None:
        assert languages(mbart50) == (None, None)

    def test_another_direction_is_refused(self, two: Path) -> None:
        with pytest.raises(ModelError, match="the model translates from en, not de"):
            opened(two, "de", "en")
        with pytest.raises(ModelError, match="the model translates into de, not pt"):
            opened(two, "en", "pt")

    def test_what_is_left_open_fits(self, two: Path) -> None:
        for source, target in ((None, None), ("en-GB", "de-AT"), ("und", "de")):
            assert opened(two, source, target).source_ids("The") == opened(two).source_ids("The")

    def test_an_unknown_pair_can_be_used(self, two: Path) -> None:
        assert opened(two.rename(two.with_name("mine"))).prefix


class TestNllbFromSentencePieceAlone:
    """transformers 5 adds no languages for such a folder; the ids here are those of the real tokenizer.json."""

    def test_it_is_the_tokenizer_of_the_whole_folder(
        self, nllb: Path, tmp_path: Path, vocabularies: Path
    ) -> None:
        whole = factory.put_nllb(tmp_path / "whole", vocabularies / "bpe.model", tokenizer_json=True)
        ours, theirs = opened(nllb, "en", "zh-Hant"), opened(whole, "en", "zh-Hant")
        assert ours.prefix == theirs.prefix
        for text in TEXTS:
            assert ours.source_ids(text) == theirs.source_ids(text)
            assert ours.target_ids(text) == theirs.target_ids(text)
            assert ours.text(ours.source_ids(text)) == theirs.text(theirs.source_ids(text))

    def test_the_languages_follow_the_pieces(self, nllb: Path, vocabularies: Path) -> None:
        pieces = len(factory.pieces_of(vocabularies / "bpe.model"))
        assert opened(nllb, "ace-Arab", "zu").source_ids("")[0] == pieces + 1
        assert opened(nllb, "ace-Arab", "zu").prefix == (2, pieces + 1 + 201)


class TestDirections:
    @pytest.mark.parametrize("family", ["nllb", "mbart50", "m2m100"])
    def test_both_languages_must_be_said(self, family: str, request: pytest.FixtureRequest) -> None:
        folder = request.getfixturevalue(family)
        with pytest.raises(ModelError, match="from many languages: give the source language"):
            opened(folder, None, "de")
        with pytest.raises(ModelError, match=r"into \d+ languages: give the target language"):
            opened(folder, "en", None)

    @pytest.mark.parametrize("family", ["nllb", "mbart50", "m2m100"])
    def test_a_language_that_the_model_does_not_have(
        self, family: str, request: pytest.FixtureRequest
    ) -> None:
        folder = request.getfixturevalue(family)
        with pytest.raises(ModelError, match=f"{family}: tlh is not a language of this model; "):
            opened(folder, "en", "tlh")

    def test_a_forced_language_stands_in_for_the_target(self, mbart50: Path) -> None:
        factory.put(mbart50 / "generation_config.json", {"forced_bos_token_id": 7})
        assert opened(mbart50, "de").prefix == (2, 7)

    def test_languages_are_no_text(self, m2m100: Path) -> None:
        ours = opened(m2m100, "en", "de")
        ids = ours.target_ids("The doctor")
        assert ours.text([*ours.prefix, *ids]) == ours.text(ids) == "The doctor"

    def test_the_wmt21_models_have_their_own_languages(self, tmp_path: Path, vocabularies: Path) -> None:
        folder = factory.put_m2m100(
            tmp_path / "wmt21", vocabularies / "bpe.model", special_tokens_map=False, language_codes="wmt21"
        )
        theirs = transformers.M2M100Tokenizer.from_pretrained(folder, src_lang="en", tgt_lang="de")
        assert opened(folder, "en", "de").source_ids("The") == theirs("The")["input_ids"]
        with pytest.raises(ModelError, match="pt is not a language of this model; available: en, ha, is"):
            opened(folder, "en", "pt")


class TestFamilies:
    @pytest.mark.parametrize("name", ["SMALL100Tokenizer", "MBartTokenizer"])
    def test_a_tokenizer_that_we_do_not_have(self, m2m100: Path, name: str) -> None:
        factory.put(m2m100 / "tokenizer_config.json", {"tokenizer_class": name})
        with pytest.raises(
            UnsupportedTokenizer, match=f"a m2m_100 model with the tokenizer {name} is not supp"
        ):
            opened(m2m100, "en", "de")

    def test_an_old_folder_that_does_not_name_its_tokenizer(self, m2m100: Path, nllb: Path) -> None:
        for folder in (m2m100, nllb):
            before = opened(folder, "en", "de").source_ids("The doctor")
            (folder / "tokenizer_config.json").unlink()
            assert opened(folder, "en", "de").source_ids("The doctor") == before

    def test_the_first_mbart_is_not_mbart50(self, mbart50: Path) -> None:
        (mbart50 / "tokenizer_config.json").unlink()
        with pytest.raises(UnsupportedTokenizer, match="MBartTokenizer"):
            opened(mbart50, "en", "de")

    def test_config_json_may_name_the_tokenizer(self, mbart50: Path) -> None:
        before = opened(mbart50, "en", "de").source_ids("The doctor")
        (mbart50 / "tokenizer_config.json").unlink()
        config = mbart50 / "config.json"
        config.write_text(config.read_text().replace("{", '{"tokenizer_class": "MBart50TokenizerFast", ', 1))
        assert opened(mbart50, "en", "de").source_ids("The doctor") == before


class TestDamage:
    @pytest.mark.parametrize(
        ("family", "name"),
        [
            ("two", "vocab.json"),
            ("two", "source.spm"),
            ("two", "target.spm"),
            ("m2m100", "sentencepiece.bpe.model"),
            ("m2m100", "vocab.json"),
            ("nllb", "sentencepiece.bpe.model"),
            ("mbart50", "sentencepiece.bpe.model"),
        ],
    )
    def test_a_missing_file_is_named(self, family: str, name: str, request: pytest.FixtureRequest) -> None:
        folder = request.getfixturevalue(family)
        (folder / name).unlink()
        with pytest.raises(ModelError, match=name):
            opened(folder, "en", "de")

    @pytest.mark.parametrize(
        ("family", "name"),
        [("two", "source.spm"), ("two", "vocab.json"), ("nllb", "tokenizer.json"), ("m2m100", "vocab.json")],
    )
    def test_an_html_page_is_recognised(self, family: str, name: str, request: pytest.FixtureRequest) -> None:
        folder = request.getfixturevalue(family)
        (folder / name).write_text("<!doctype html><title>404</title>")
        with pytest.raises(ModelError, match=rf"{name}.*HTML"):
            opened(folder, "en", "de")

    @pytest.mark.parametrize("family", ["two", "m2m100", "nllb", "mbart50"])
    def test_a_truncated_sentencepiece_model(self, family: str, request: pytest.FixtureRequest) -> None:
        folder = request.getfixturevalue(family)
        path = folder / ("source.spm" if family == "two" else "sentencepiece.bpe.model")
        path.write_bytes(path.read_bytes()[:100])
        with pytest.raises(ModelError, match=f"{path.name}: not a usable SentencePiece model"):
            opened(folder, "en", "de")

    @pytest.mark.parametrize("content", ["", "{}", '{"version": "1.0", "model": {"type": "BPE"}', "[]"])
    def test_a_tokenizer_json_of_something_else(self, nllb: Path, content: str) -> None:
        (nllb / "tokenizer.json").write_text(content)
        with pytest.raises(
            ModelError,
            match=r"tokenizer\.json:.*(not a usable tokenizer: |not JSON: |not an object|is empty)",
        ):
            opened(nllb, "en", "de")

    def test_a_vocabulary_without_numbers(self, two: Path) -> None:
        factory.put(two / "vocab.json", {"</s>": "0"})
        with pytest.raises(ModelError, match=r"vocab.json: not a vocabulary"):
            opened(two)

    def test_a_vocabulary_without_the_unknown(self, two: Path) -> None:
        factory.put(two / "vocab.json", {"</s>": 0})
        with pytest.raises(ModelError, match=r"vocab.json: the vocabulary has no <unk>"):
            opened(two)

    @pytest.mark.parametrize(
        ("family", "model_type"),
        [("two", "marian"), ("m2m100", "m2m_100"), ("nllb", "m2m_100"), ("mbart50", "mbart")],
    )
    def test_the_tokenizer_of_another_model(
        self, family: str, model_type: str, request: pytest.FixtureRequest
    ) -> None:
        folder = request.getfixturevalue(family)
        factory.put_config(folder, model_type, 50)
        with pytest.raises(ModelError, match="they belong to different models"):
            opened(folder, "en", "de")

    def test_added_tokens_in_another_form(self, two: Path) -> None:
        factory.put(two / "tokenizer_config.json", {"added_tokens_decoder": ["</s>"]})
        with pytest.raises(ModelError, match=r'tokenizer_config.json: "added_tokens_decoder" does not'):
            opened(two)

    def test_separate_vocabularies_need_both(self, tmp_path: Path, vocabularies: Path) -> None:
        folder = factory.put_marian(
            tmp_path / "m", vocabularies / "en.spm", vocabularies / "de-pt.spm", separate_vocabs=True
        )
        (folder / "target_vocab.json").unlink()
        with pytest.raises(ModelError, match=r"target_vocab.json: the file is missing"):
            opened(folder)


def test_added_tokens_that_eat_spaces(two: Path, tmp_path: Path) -> None:
    """As in transformers, for tokens that were added by hand."""
    token = {"content": "<keep>", "lstrip": True, "rstrip": True, "normalized": False, "special": False}
    last = len(transformers.AutoTokenizer.from_pretrained(two))
    factory.put(two / "tokenizer_config.json", {"added_tokens_decoder": {str(last): token}})
    factory.put_config(two, "marian", last + 1, pad_token_id=last - 1, decoder_start_token_id=last - 1)
    folder = shutil.copytree(two, tmp_path / "copy")
    ours, theirs = opened(two), transformers.AutoTokenizer.from_pretrained(folder)
    for text in ("a <keep> b", "  <keep>  ", "<keep><keep> x", "The doctor<keep>"):
        assert ours.source_ids(text) == theirs(text)["input_ids"]
        ids = ours.target_ids(text)
        assert ours.text(ids) == theirs.batch_decode([ids], skip_special_tokens=True)[0]
