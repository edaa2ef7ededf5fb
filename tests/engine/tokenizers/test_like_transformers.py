"""Every tokenizer returns the ids and texts of transformers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig, read_config
from mtprobe.engine.checkpoints.huggingface.files import resolve
from mtprobe.engine.tokenizers.huggingface import Tokenizer, open_tokenizer
from tests.engine.checkpoints import factory
from tests.engine.checkpoints.lines import TEXTS

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")


class Pair(NamedTuple):
    ours: Tokenizer
    theirs: Any
    config: Seq2SeqConfig
    language: tuple[int, ...]
    """The target language in their labels, which is not scored."""


def open_both(folder: Path, source: str, target: str, **languages: str) -> Pair:
    model = resolve(str(folder))
    config = read_config(model)
    assert isinstance(config, Seq2SeqConfig)
    theirs = transformers.AutoTokenizer.from_pretrained(folder, **languages)
    ours = open_tokenizer(model, config, source, target)
    return Pair(ours, theirs, config, ours.prefix[1:])


def saved_again(folder: Path, into: Path) -> Path:
    """A tokenizer as written by `save_pretrained` of this version of transformers."""
    transformers.AutoTokenizer.from_pretrained(folder).save_pretrained(into)
    (into / "config.json").write_bytes((folder / "config.json").read_bytes())
    factory.put_weights(into)
    return into


def marian(folder: Path, vocabularies: Path) -> Path:
    return factory.put_marian(folder, vocabularies / "en.spm", vocabularies / "de-pt.spm")


Maker = Callable[[Path, Path], Pair]
MAKERS: dict[str, Maker] = {
    "marian": lambda at, v: open_both(marian(at / "m", v), "en", "de"),
    "marian, saved again": lambda at, v: open_both(saved_again(marian(at / "m", v), at / "n"), "en", "de"),
    "marian, tidy": lambda at, v: open_both(
        factory.put_marian(at / "m", v / "en.spm", v / "de-pt.spm", clean_up_tokenization_spaces=True),
        "en",
        "de",
    ),
    "marian, two vocabularies": lambda at, v: open_both(
        factory.put_marian(at / "m", v / "en.spm", v / "de-pt.spm", separate_vocabs=True), "en", "de"
    ),
    "m2m100": lambda at, v: open_both(
        factory.put_m2m100(at / "m", v / "bpe.model"), "en", "pt", src_lang="en", tgt_lang="pt"
    ),
    "m2m100, no special_tokens_map": lambda at, v: open_both(
        factory.put_m2m100(at / "m", v / "bpe.model", special_tokens_map=False),
        *("zh", "de"),
        src_lang="zh",
        tgt_lang="de",
    ),
    "m2m100, saved again": lambda at, v: open_both(
        saved_again(factory.put_m2m100(at / "m", v / "bpe.model"), at / "n"),
        "en",
        "pt",
        src_lang="en",
        tgt_lang="pt",
    ),
    "nllb": lambda at, v: open_both(
        factory.put_nllb(at / "m", v / "bpe.model", tokenizer_json=True),
        *("en", "pt-BR"),
        src_lang="eng_Latn",
        tgt_lang="por_Latn",
    ),
    "nllb, legacy": lambda at, v: open_both(
        factory.put_nllb(at / "m", v / "bpe.model", tokenizer_json=True, legacy_behaviour=True),
        *("en", "zh"),
        src_lang="eng_Latn",
        tgt_lang="zho_Hans",
    ),
    "nllb, saved again": lambda at, v: open_both(
        saved_again(factory.put_nllb(at / "m", v / "bpe.model", tokenizer_json=True), at / "n"),
        *("de", "ar"),
        src_lang="deu_Latn",
        tgt_lang="arb_Arab",
    ),
    "mbart50": lambda at, v: open_both(
        factory.put_mbart50(at / "m", v / "unigram.model"), "en", "pt", src_lang="en_XX", tgt_lang="pt_XX"
    ),
    "mbart50, tidy": lambda at, v: open_both(
        factory.put_mbart50(at / "m", v / "unigram.model", clean_up_tokenization_spaces=True),
        *("en", "pt"),
        src_lang="en_XX",
        tgt_lang="pt_XX",
    ),
    "mbart50, saved again": lambda at, v: open_both(
        saved_again(factory.put_mbart50(at / "m", v / "unigram.model"), at / "n"),
        *("ru", "zh"),
        src_lang="ru_RU",
        tgt_lang="zh_CN",
    ),
}


@pytest.fixture(scope="module", params=MAKERS)
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, vocabularies: Path
) -> Pair:
    return MAKERS[request.param](tmp_path_factory.mktemp("model"), vocabularies)


def their_source(pair: Pair, text: str) -> list[int]:
    return list(pair.theirs(text)["input_ids"])


def their_target(pair: Pair, text: str) -> list[int]:
    """Their labels without the language, which is at either end."""
    labels = list(pair.theirs(text_target=text)["input_ids"])
    if not pair.language:
        return labels
    assert pair.language[0] in (labels[0], labels[-1])
    return labels[1:] if labels[0] == pair.language[0] else labels[:-1]


def their_text(pair: Pair, ids: list[int]) -> str:
    return str(pair.theirs.batch_decode([ids], skip_special_tokens=True)[0])


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:30])
def test_ids_and_text(pair: Pair, text: str) -> None:
    source, target = pair.ours.source_ids(text), pair.ours.target_ids(text)
    assert source == their_source(pair, text)
    assert target == their_target(pair, text)
    assert pair.ours.text(target) == their_text(pair, target)


def test_a_long_line_is_not_cut(pair: Pair) -> None:
    assert len(pair.ours.source_ids(TEXTS[-1])) > 500


@settings(max_examples=150, deadline=None)
@given(st.text(), st.data())
def test_any_text(pair: Pair, text: str, data: st.DataObject) -> None:
    mixed = text + data.draw(st.sampled_from(TEXTS[:-2])) + data.draw(st.text(max_size=3))
    assert pair.ours.source_ids(mixed) == their_source(pair, mixed)
    assert pair.ours.target_ids(mixed) == their_target(pair, mixed)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_ids(pair: Pair, data: st.DataObject) -> None:
    known = len(pair.theirs) - 1
    if pair.config.model_type == "marian" and not pair.config.share_encoder_decoder_embeddings:
        known = pair.config.decoder_vocab_size - 1
    ids = data.draw(st.lists(st.integers(0, known), max_size=20))
    if (
        not pair.theirs.is_fast
    ):  # for us, M2M100's languages are never text; for them, it depends on the files
        ids = [id for id in ids if not str(pair.theirs.convert_ids_to_tokens(id)).startswith("__")]
    assert pair.ours.text(ids) == their_text(pair, ids)


def test_half_a_surrogate_pair_is_no_text(pair: Pair) -> None:
    with pytest.raises(UnicodeError):
        pair.ours.source_ids("half \ud83d a pair")


def test_the_decoder_starts_as_configured(pair: Pair) -> None:
    assert pair.ours.prefix[0] == pair.config.decoder_start_token_id
    assert len(pair.ours.prefix) == (1 if pair.config.model_type == "marian" else 2)
