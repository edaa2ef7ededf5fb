"""Text to the tokens of a Hugging Face model and back, exactly as transformers does it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.huggingface.reading import read_json_if_there
from mtprobe.engine.tokenizers.codes import GROUPS
from mtprobe.engine.tokenizers.languages import choose, codes_of
from mtprobe.engine.tokenizers.spans import Span
from mtprobe.errors import ModelError
from mtprobe.language import tags


class Tokenizer(Protocol):
    """For one direction. A text with half a surrogate pair is no text, but a `UnicodeError`."""

    def source_ids(self, text: str) -> list[int]:
        """What the encoder is given: `input_ids`, with the language's token and the end of the sentence."""

    def target_ids(self, text: str) -> list[int]:
        """What is scored: the text's own tokens and the end of the sentence."""

    def source_spans(self, text: str) -> list[Span | None]:
        """Where each of `source_ids` stands in the text; None: nowhere, as the end of the sentence."""

    def target_spans(self, text: str) -> list[Span | None]:
        """The same of `target_ids`."""

    @property
    def prefix(self) -> tuple[int, ...]:
        """What the decoder is given before the first of them: its start, and the language where it needs one."""

    def text(self, ids: Sequence[int]) -> str:
        """The text of tokens; special ones are skipped."""


class UnsupportedTokenizer(ModelError):
    """A tokenizer that we do not have; transformers may."""


_OPUS_NAME = re.compile(r"opus-mt-(?:tc-(?:bible-)?(?:tiny|small|base|big)-)?([A-Za-z_]+)-([A-Za-z_]+)")


def open_tokenizer(
    folder: ModelFolder, config: Seq2SeqConfig, source: str | None = None, target: str | None = None
) -> Tokenizer:
    """The tokenizer of a model, for one direction given as BCP 47 tags.

    A language that the model does not have is a `ModelError`, as is one left open that it has to know.
    """
    source, target = (None if tag == "und" else tag for tag in (source, target))
    family = _family(folder, config)
    if family == "marian":
        from mtprobe.engine.tokenizers.marian import open_marian

        own = languages_of(folder, config)
        for asked, given, way in zip((source, target), own, ("from", "into"), strict=True):
            if asked is not None and given is not None and choose(asked, codes_of([given])) is None:
                raise ModelError(f"{folder.name}: the model translates {way} {given}, not {asked}")
        return open_marian(folder, config, target, own[1])
    if source is None:
        raise ModelError(f"{folder.name} translates from many languages: give --mt-source")
    if family == "m2m100":
        from mtprobe.engine.tokenizers.m2m100 import open_m2m100

        return open_m2m100(folder, config, source, target)
    from mtprobe.engine.tokenizers.fairseq import open_mbart50, open_nllb

    return (open_nllb if family == "nllb" else open_mbart50)(folder, config, source, target)


def languages_of(folder: ModelFolder, config: Seq2SeqConfig) -> tuple[str | None, str | None]:
    """The source and the target language of a bilingual model, where its files or its name tell."""
    if folder.languages is not None:
        return folder.languages
    if config.model_type != "marian":
        return None, None
    says = read_json_if_there(folder.file("tokenizer_config.json"))
    pair = says.get("source_lang"), says.get("target_lang")
    if not all(isinstance(one, str) and one for one in pair):
        named = _OPUS_NAME.fullmatch(Path(folder.name).name) or _OPUS_NAME.fullmatch(folder.path.name)
        if named is None:
            return None, None
        pair = named[1], named[2]
    return _language(pair[0]), _language(pair[1])


def _language(code: object) -> str | None:
    if not isinstance(code, str) or code.lower() in GROUPS.split() or not tags.is_language(code):
        return None
    if any(len(part) == 3 for part in code.split("_")[1:]):  # "deu_fra": two languages
        return None
    return tags.standard(code)


def _family(folder: ModelFolder, config: Seq2SeqConfig) -> str:
    says = read_json_if_there(folder.file("tokenizer_config.json")).get("tokenizer_class")
    name = (says if isinstance(says, str) else config.tokenizer_class or "").removesuffix("Fast")
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
        "supported; mtprobe never runs code out of a repository"
    )
