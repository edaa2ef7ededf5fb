"""Tokenizers of Hugging Face models, with exactly the results of transformers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.reading import read_optional_json
from mtprobe.engine.tokenizers.languages import LANGUAGE_CODES, choose, codes_of
from mtprobe.engine.tokenizers.spans import Span
from mtprobe.errors import ModelError
from mtprobe.language import tags


class Tokenizer(Protocol):
    """For one direction. Texts with lone surrogates raise `UnicodeError`."""

    def source_ids(self, text: str) -> list[int]:
        """The input of the encoder: `input_ids`, with the language token and EOS."""

    def target_ids(self, text: str) -> list[int]:
        """The tokens that are scored: those of the text, and EOS."""

    def source_spans(self, text: str) -> list[Span | None]:
        """The span of each of `source_ids` in the text; None for tokens that are not in it, such as EOS."""

    def target_spans(self, text: str) -> list[Span | None]:
        """The same for `target_ids`."""

    @property
    def prefix(self) -> tuple[int, ...]:
        """The tokens that the decoder starts with: its start token, and the language token if it needs one."""

    def text(self, ids: Sequence[int]) -> str:
        """The text of tokens, without special ones."""


class UnsupportedTokenizer(ModelError):
    """A tokenizer that only transformers may support."""


_OPUS_NAME = re.compile(r"opus-mt-(?:tc-(?:bible-)?(?:tiny|small|base|big)-)?([A-Za-z_]+)-([A-Za-z_]+)")


def open_tokenizer(
    folder: ModelFolder, config: Seq2SeqConfig, source: str | None = None, target: str | None = None
) -> Tokenizer:
    """The tokenizer of a model, for one direction given as BCP 47 tags.

    Raises `ModelError` if the model lacks a language, or needs one that is not given.
    """
    source, target = (None if tag == "und" else tag for tag in (source, target))
    family = _family(folder, config)
    if family == "marian":
        from mtprobe.engine.tokenizers.marian import open_marian

        languages = languages_of(folder, config)
        for requested, actual, way in zip((source, target), languages, ("from", "into"), strict=True):
            if requested is not None and actual is not None and choose(requested, codes_of([actual])) is None:
                raise ModelError(f"{folder.name}: the model translates {way} {actual}, not {requested}")
        return open_marian(folder, config, target, languages[1])
    if source is None:
        raise ModelError(f"{folder.name} translates from many languages: give the source language")
    if family == "m2m100":
        from mtprobe.engine.tokenizers.m2m100 import open_m2m100

        return open_m2m100(folder, config, source, target)
    from mtprobe.engine.tokenizers.fairseq import open_mbart50, open_nllb

    return (open_nllb if family == "nllb" else open_mbart50)(folder, config, source, target)


def languages_of(folder: ModelFolder, config: Seq2SeqConfig) -> tuple[str | None, str | None]:
    """The source and target language of a bilingual model, if its files or its name say."""
    if folder.languages is not None:
        return folder.languages
    if config.model_type != "marian":
        return None, None
    settings = read_optional_json(folder.file("tokenizer_config.json"))
    pair = settings.get("source_lang"), settings.get("target_lang")
    if not all(isinstance(code, str) and code for code in pair):
        named = _OPUS_NAME.fullmatch(Path(folder.name).name) or _OPUS_NAME.fullmatch(folder.path.name)
        if named is None:
            return None, None
        pair = named[1], named[2]
    return _language(pair[0]), _language(pair[1])


def _language(code: object) -> str | None:
    if not isinstance(code, str) or code.lower() in LANGUAGE_CODES["groups"] or not tags.is_language(code):
        return None
    if any(len(part) == 3 for part in code.split("_")[1:]):  # "deu_fra": two languages
        return None
    return tags.standard(code)


def _family(folder: ModelFolder, config: Seq2SeqConfig) -> str:
    tokenizer_class = read_optional_json(folder.file("tokenizer_config.json")).get("tokenizer_class")
    if not isinstance(tokenizer_class, str):
        tokenizer_class = config.tokenizer_class or ""
    name = tokenizer_class.removesuffix("Fast")
    families = {
        ("marian", "MarianTokenizer"): "marian",
        ("m2m_100", "M2M100Tokenizer"): "m2m100",
        ("m2m_100", "NllbTokenizer"): "nllb",
        ("mbart", "MBart50Tokenizer"): "mbart50",
    }
    if (family := families.get((config.model_type, name))) is not None:
        return family
    if not name:  # old checkpoints do not say
        if config.model_type == "marian":
            return "marian"
        if config.model_type == "m2m_100":
            return "m2m100" if folder.file("vocab.json") else "nllb"
    raise UnsupportedTokenizer(
        f"{folder.name}: a {config.model_type} model with the tokenizer {name or 'MBartTokenizer'} is not "
        "supported; mtprobe never runs code from a repository"
    )
