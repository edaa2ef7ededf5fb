"""The tokenizers of M2M100 models: one SentencePiece model, one vocabulary, followed by the languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mtprobe.backends.shared import Shared
from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.reading import read_optional_json
from mtprobe.engine.tokenizers.languages import LANGUAGE_CODES, codes_of, must_choose
from mtprobe.engine.tokenizers.sentencepieces import SentencePieces
from mtprobe.engine.tokenizers.spans import Span, spans_among_special
from mtprobe.engine.tokenizers.special_tokens import (
    TOKENIZER_CONFIG,
    SpecialTokens,
    clean_up_spaces,
    must_have,
    read_special_tokens,
    read_vocabulary,
)
from mtprobe.errors import ModelError

_ROLES = {
    **{"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"},
    **{"sep_token": "</s>", "pad_token": "<pad>"},
}


@dataclass(frozen=True)
class Vocabulary:
    """The vocabulary shared by all directions."""

    pieces: SentencePieces
    ids: Mapping[str, int]
    special: SpecialTokens
    codes: Sequence[str]  # of languages

    @cached_property
    def words(self) -> Mapping[int, str]:
        return {id: piece for piece, id in self.ids.items()}

    @cached_property
    def skipped(self) -> frozenset[int]:
        """Tokens that are not part of a text."""
        return self.special.skipped | {self.ids[_token(code)] for code in self.codes}


_VOCABULARIES: Shared[Vocabulary] = Shared()


class M2M100Tokenizer:
    """For one direction. Source and target each begin with their language token."""

    def __init__(self, vocabulary: Vocabulary, source: int, prefix: tuple[int, ...]) -> None:
        self._vocabulary = vocabulary
        self._pieces, self._ids, self._special = vocabulary.pieces, vocabulary.ids, vocabulary.special
        self._end = self._ids[self._special.named["eos_token"]]
        self._unknown = self._special.named["unk_token"]
        self._source = source
        self.prefix = prefix

    def source_ids(self, text: str) -> list[int]:
        return [self._source, *self.target_ids(text)]

    def target_ids(self, text: str) -> list[int]:
        ids, unknown = self._ids, self._ids[self._unknown]
        return [*(ids.get(piece, unknown) for piece in self._cut(text)), self._end]

    def source_spans(self, text: str) -> list[Span | None]:
        return [None, *self.target_spans(text)]

    def target_spans(self, text: str) -> list[Span | None]:
        return [*spans_among_special(self._cut(text), text, self._special.ids.__contains__), None]

    def _cut(self, text: str) -> list[str]:
        return self._special.cut(text, self._pieces.cut)

    def text(self, ids: Sequence[int]) -> str:
        words, skipped = self._vocabulary.words, self._vocabulary.skipped
        pieces = (words.get(id, self._unknown) for id in ids if id not in skipped)
        text = self._special.join(pieces, self._pieces.join).strip()
        return clean_up_spaces(text) if self._special.cleans_up_spaces else text


def open_m2m100(
    folder: ModelFolder, config: Seq2SeqConfig, source: str, target: str | None
) -> M2M100Tokenizer:
    vocabulary = _VOCABULARIES.get(folder.tokenizer_key(), lambda: _read(folder, config))

    def language(requested: str) -> int:
        return vocabulary.ids[_token(must_choose(folder.name, requested, codes_of(vocabulary.codes)))]

    forced = language(target) if target is not None else config.generation.forced_bos_token_id
    if forced is None:
        raise ModelError(
            f"{folder.name} translates into {len(vocabulary.codes)} languages: give the target language"
        )
    return M2M100Tokenizer(vocabulary, language(source), (config.decoder_start_token_id, forced))


def _token(code: str) -> str:
    return f"__{code}__"


def _read(folder: ModelFolder, config: Seq2SeqConfig) -> Vocabulary:
    vocabulary = read_vocabulary(must_have(folder, "vocab.json"))
    special = read_special_tokens(folder, _ROLES, vocabulary)
    named = read_optional_json(folder.file(TOKENIZER_CONFIG)).get("language_codes")
    codes = LANGUAGE_CODES["wmt21" if named == "wmt21" else "m2m100"]
    languages = {_token(code): len(vocabulary) + index for index, code in enumerate(codes)}
    ids = {**vocabulary, **languages, **special.ids}
    if max(ids.values()) >= config.vocab_size:
        raise ModelError(
            f"{folder.path / 'vocab.json'}: with its {len(codes)} languages the vocabulary has more entries "
            f"than the model, which has {config.vocab_size}; they belong to different models"
        )
    if special.named["unk_token"] not in vocabulary:
        raise ModelError(f"{folder.path / 'vocab.json'}: the vocabulary has no {special.named['unk_token']}")
    return Vocabulary(SentencePieces(must_have(folder, "sentencepiece.bpe.model")), ids, special, codes)
