"""The tokenizers of Marian models (opus-mt): a SentencePiece model per side, and one vocabulary or two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.reading import read_optional_json
from mtprobe.engine.tokenizers.languages import choose, codes_of, not_a_language_of
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

_ROLES = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}


@dataclass(frozen=True, slots=True)
class _MarianSide:
    """The SentencePiece model and vocabulary of the source or target."""

    pieces: SentencePieces
    vocabulary: Mapping[str, int]

    def cut(self, part: str) -> list[str]:
        code = _leading_code(part)
        return [*([code] if code else ()), *self.pieces.cut(part[len(code) :])]


class MarianTokenizer:
    """For one direction. In multilingual models, a token before the source selects the target language."""

    def __init__(
        self,
        source: _MarianSide,
        target: _MarianSide,
        special: SpecialTokens,
        start: int,
        language: str | None,
    ) -> None:
        self._source, self._target, self._special = source, target, special
        self._language = language
        self.ignores_target = language is None
        self._words = {
            id: piece for pieces in (target.vocabulary, special.ids) for piece, id in pieces.items()
        }
        self._end = special.ids[special.named["eos_token"]]
        self._unknown = special.named["unk_token"]
        # Like transformers, joins the pieces of a shared vocabulary with the source's model.
        self._joiner = source.pieces if source.vocabulary is target.vocabulary else target.pieces
        self.prefix: tuple[int, ...] = (start,)

    def source_ids(self, text: str) -> list[int]:
        """A source that already begins with a language of the model (`>>pt<<`) keeps it."""
        return [*self._ids(self._with_language(text), self._source), self._end]

    def _with_language(self, text: str) -> str:
        if self._language is not None and _leading_code(text) not in self._source.vocabulary:
            return f"{self._language} {text}"
        return text

    def target_ids(self, text: str) -> list[int]:
        return [*self._ids(text, self._target), self._end]

    def source_spans(self, text: str) -> list[Span | None]:
        return [*self._spans(self._pieces(self._with_language(text), self._source), text), None]

    def target_spans(self, text: str) -> list[Span | None]:
        return [*self._spans(self._pieces(text, self._target), text), None]

    def _spans(self, pieces: Sequence[str], text: str) -> list[Span | None]:
        return spans_among_special(
            pieces, text, lambda piece: piece in self._special.ids or bool(_leading_code(piece))
        )

    def text(self, ids: Sequence[int]) -> str:
        special = self._special
        pieces = (self._words.get(id, self._unknown) for id in ids if id not in special.skipped)
        text = special.join(pieces, self._joiner.join, after=" ").replace("▁", " ").strip()
        return clean_up_spaces(text) if special.cleans_up_spaces else text

    def _ids(self, text: str, side: _MarianSide) -> list[int]:
        added, vocabulary = self._special.ids, side.vocabulary
        unknown = vocabulary[self._unknown]
        return [
            added[piece] if piece in added else vocabulary.get(piece, unknown)
            for piece in self._pieces(text, side)
        ]

    def _pieces(self, text: str, side: _MarianSide) -> list[str]:
        return self._special.cut(text, side.cut)


def open_marian(
    folder: ModelFolder, config: Seq2SeqConfig, target: str | None, only_target: str | None
) -> MarianTokenizer:
    """`only_target` is the target language of a bilingual model, if known."""
    vocabulary = read_vocabulary(must_have(folder, "vocab.json"))
    targets = vocabulary
    if read_optional_json(folder.file(TOKENIZER_CONFIG)).get("separate_vocabs") is True:
        targets = read_vocabulary(must_have(folder, "target_vocab.json"))
    special = read_special_tokens(folder, _ROLES, vocabulary)
    for words, name, size in (
        (vocabulary, "vocab.json", config.vocab_size),
        (targets, "vocab.json" if targets is vocabulary else "target_vocab.json", config.decoder_vocab_size),
    ):
        if special.named["unk_token"] not in words:
            raise ModelError(f"{folder.path / name}: the vocabulary has no {special.named['unk_token']}")
        if max(words.values()) >= size:
            raise ModelError(
                f"{folder.path / name}: has more entries than the model, which has {size}; "
                "they belong to different models"
            )
    return MarianTokenizer(
        _MarianSide(SentencePieces(must_have(folder, "source.spm")), vocabulary),
        _MarianSide(SentencePieces(must_have(folder, "target.spm")), targets),
        special,
        config.decoder_start_token_id,
        _language_token(folder, target, only_target, vocabulary if targets is vocabulary else ()),
    )


def _language_token(
    folder: ModelFolder, target: str | None, only_target: str | None, vocabulary: Iterable[str]
) -> str | None:
    """`>>pt<<` for a multilingual model that translates into Portuguese."""
    codes = codes_of(piece[2:-2] for piece in vocabulary if _leading_code(piece) == piece)
    if not codes:
        return None
    target = target or only_target
    if target is None:
        raise ModelError(f"{folder.name} translates into {len(codes)} languages: give the target language")
    code = choose(target, codes)
    if code is None and only_target is None:
        raise not_a_language_of(folder.name, target, codes)
    return f">>{code}<<" if code is not None else None


def _leading_code(text: str) -> str:
    """The `>>pt<<` that a text starts with, or an empty string."""
    if not text.startswith(">>"):
        return ""
    end = text.find("<<")
    return text[: end + 2] if end >= 0 else ""
