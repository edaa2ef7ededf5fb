"""The tokenizers of NLLB-200 and mBART-50, which use the `tokenizers` package.

Both come as a tokenizer.json, or as the SentencePiece model that it was made from. In either case text is
normalised as in transformers 5, whatever the file says: the model's character map, runs of spaces collapsed, and a
`▁` before every word.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mtprobe.backends.shared import Shared
from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.checkpoints.reading import (
    MOST_TOKENIZER_BYTES,
    library_errors,
    read_bytes,
    read_json,
    read_optional_json,
)
from mtprobe.engine.runtime.installed import pip_install
from mtprobe.engine.tokenizers.languages import LANGUAGE_CODES, Code, codes_of, mbart_codes, must_choose
from mtprobe.engine.tokenizers.sentencepieces import SentencePieces
from mtprobe.engine.tokenizers.spans import Span
from mtprobe.engine.tokenizers.special_tokens import TOKENIZER_CONFIG, clean_up_spaces
from mtprobe.errors import ModelError

if TYPE_CHECKING:
    import tokenizers

_START, _PAD, _END, _UNKNOWN, _MASK = "<s>", "<pad>", "</s>", "<unk>", "<mask>"
_NLLB_CODE = re.compile(r"[a-z]{3}_[A-Z][a-z]{3}")
_MBART_CODE = re.compile(r"[a-z]{2}_[A-Z]{2}")


@dataclass(frozen=True)
class Core:
    """The part shared by all directions; the package's own class has no weak references."""

    tokenizer: tokenizers.Tokenizer


_CORES: Shared[Core] = Shared()


class FairseqTokenizer:
    """For one direction."""

    def __init__(
        self,
        core: Core,
        before: tuple[int, ...],
        after: tuple[int, ...],
        end: int,
        prefix: tuple[int, ...],
        cleans_up_spaces: bool,
    ) -> None:
        self._shared, self._core = core, core.tokenizer
        self._before, self._after, self._end = before, after, end
        self._cleans_up_spaces = cleans_up_spaces
        self.prefix = prefix

    def source_ids(self, text: str) -> list[int]:
        return [*self._before, *self._ids(text), *self._after]

    def target_ids(self, text: str) -> list[int]:
        return [*self._ids(text), self._end]

    def source_spans(self, text: str) -> list[Span | None]:
        return [*[None] * len(self._before), *self._spans(text), *[None] * len(self._after)]

    def target_spans(self, text: str) -> list[Span | None]:
        return [*self._spans(text), None]

    def _spans(self, text: str) -> list[Span]:
        encoding = self._core.encode(text, add_special_tokens=False)
        spans: list[Span] = []
        for piece, (start, end) in zip(encoding.tokens, encoding.offsets, strict=True):
            if piece == "▁":  # the package assigns it the next letter if the text has no space
                end = start
            spans.append((end - len(text[start:end].lstrip()), end))
        return spans

    def text(self, ids: Sequence[int]) -> str:
        text: str = self._core.decode(list(ids), skip_special_tokens=True)
        return clean_up_spaces(text) if self._cleans_up_spaces else text

    def _ids(self, text: str) -> list[int]:
        text.encode()  # the package's own error for lone surrogates is unintelligible
        ids: list[int] = self._core.encode(text, add_special_tokens=False).ids
        return ids


def open_nllb(
    folder: ModelFolder, config: Seq2SeqConfig, source: str, target: str | None
) -> FairseqTokenizer:
    core = _core(folder, config, _nllb_model, LANGUAGE_CODES["nllb200"])
    codes = codes_of(code for code in _special_tokens(core.tokenizer) if _NLLB_CODE.fullmatch(code))
    settings = read_optional_json(folder.file(TOKENIZER_CONFIG))
    end, start, forced = _ids(folder, config, core.tokenizer, codes, source, target)
    legacy = settings.get("legacy_behaviour") is True
    before, after = ((), (end, start)) if legacy else ((start,), (end,))
    prefix = (config.decoder_start_token_id, forced)
    # transformers refuses to clean up the output of a BPE model.
    return FairseqTokenizer(core, before, after, end, prefix, cleans_up_spaces=False)


def open_mbart50(
    folder: ModelFolder, config: Seq2SeqConfig, source: str, target: str | None
) -> FairseqTokenizer:
    core = _core(folder, config, _mbart_model, LANGUAGE_CODES["mbart50"])
    codes = mbart_codes(code for code in _special_tokens(core.tokenizer) if _MBART_CODE.fullmatch(code))
    settings = read_optional_json(folder.file(TOKENIZER_CONFIG))
    end, start, forced = _ids(folder, config, core.tokenizer, codes, source, target)
    prefix = (config.decoder_start_token_id, forced)
    cleans_up_spaces = settings.get("clean_up_tokenization_spaces") is True
    return FairseqTokenizer(core, (start,), (end,), end, prefix, cleans_up_spaces)


def _ids(
    folder: ModelFolder,
    config: Seq2SeqConfig,
    core: tokenizers.Tokenizer,
    codes: Sequence[Code],
    source: str,
    target: str | None,
) -> tuple[int, int, int]:
    """The ids of EOS, of the source language and of the target language."""

    def token(name: str) -> int:
        id: int | None = core.token_to_id(name)
        if id is None:
            raise ModelError(f"{folder.path}: the tokenizer has no {name}")
        return id

    def language(requested: str) -> int:
        return token(must_choose(folder.name, requested, codes))

    forced = language(target) if target is not None else config.generation.forced_bos_token_id
    if forced is None:
        raise ModelError(f"{folder.name} translates into {len(codes)} languages: give the target language")
    return token(_END), language(source), forced


def _core(
    folder: ModelFolder,
    config: Seq2SeqConfig,
    model: Callable[[SentencePieces], tokenizers.models.Model],
    codes: Sequence[str],
) -> Core:
    return _CORES.get(folder.tokenizer_key(), lambda: Core(_read(folder, config, model, codes)))


def _read(
    folder: ModelFolder,
    config: Seq2SeqConfig,
    model: Callable[[SentencePieces], tokenizers.models.Model],
    codes: Sequence[str],
) -> tokenizers.Tokenizer:
    try:
        import tokenizers
    except ImportError:
        raise ModelError(f"{folder.name}: its tokenizer needs: {pip_install('hf')}") from None
    file = folder.file("tokenizer.json")
    if file is not None:
        core, character_map = _from_json(file)
    else:
        name = "sentencepiece.bpe.model"
        path = folder.file(name)
        if path is None:
            raise ModelError(f"{folder.path}: there is neither tokenizer.json nor {name}")
        pieces = SentencePieces(path)
        with library_errors(f"{path}: not a usable SentencePiece model"):
            core, character_map = tokenizers.Tokenizer(model(pieces)), pieces.character_map()
            _add_special_tokens(core, codes)
    if core.get_vocab_size() > config.vocab_size:
        raise ModelError(
            f"{folder.path}: the tokenizer has {core.get_vocab_size()} entries but the model has "
            f"{config.vocab_size}; they belong to different models"
        )
    with library_errors(f"{folder.path}: the tokenizer's character map cannot be used"):
        _set_normalisation(core, character_map, collapse_spaces=config.model_type == "mbart")
    return core


def _from_json(path: Path) -> tuple[tokenizers.Tokenizer, bytes | None]:
    import tokenizers

    normalizer = read_json(path, MOST_TOKENIZER_BYTES).get("normalizer")
    with library_errors(f"{path}: not a usable tokenizer"):
        core = tokenizers.Tokenizer.from_buffer(read_bytes(path, MOST_TOKENIZER_BYTES))
        core.no_truncation()
        core.no_padding()
        return core, _character_map(normalizer)


def _character_map(normalizer: object) -> bytes | None:
    """The compiled map in the description of a normalizer, alone or in a sequence."""
    if not isinstance(normalizer, dict):
        return None
    for step in (normalizer, *normalizer.get("normalizers", ())):
        if not isinstance(step, dict):
            raise TypeError("a step of its normalizer is not an object")
        if step.get("type") == "Precompiled" and step.get("precompiled_charsmap"):
            return base64.b64decode(step["precompiled_charsmap"])
    return None


def _set_normalisation(
    core: tokenizers.Tokenizer, character_map: bytes | None, collapse_spaces: bool
) -> None:
    """`collapse_spaces`: whether runs of spaces are collapsed even without a character map."""
    from tokenizers import Regex, decoders, normalizers, pre_tokenizers

    steps: list[normalizers.Normalizer] = []
    if character_map is not None:
        steps.append(normalizers.Precompiled(character_map))
    if steps or collapse_spaces:
        steps.append(normalizers.Replace(Regex(" {2,}"), " "))
    core.normalizer = normalizers.Sequence(steps)
    core.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    core.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always", split=True)


def _special_tokens(core: tokenizers.Tokenizer) -> list[str]:
    return [token.content for _, token in sorted(core.get_added_tokens_decoder().items()) if token.special]


def _add_special_tokens(core: tokenizers.Tokenizer, codes: Sequence[str]) -> None:
    """The languages and the mask get ids after the pieces, unless the model has them."""
    from tokenizers import AddedToken

    plain = [AddedToken(content, special=True) for content in (_START, _PAD, _END, _UNKNOWN, *codes)]
    core.add_special_tokens([*plain, AddedToken(_MASK, lstrip=True, special=True, normalized=True)])


def _nllb_model(pieces: SentencePieces) -> tokenizers.models.Model:
    """Byte-pair encoding. The file has pieces but no merges: any two pieces that make up a piece are a merge."""
    from tokenizers.models import BPE

    names = [piece for piece, _ in pieces.pieces()]
    known_pieces = set(names)
    merges = [
        (name[:at], name[at:])
        for name in names
        for at in range(1, len(name))
        if name[:at] in known_pieces and name[at:] in known_pieces
    ]
    order = dict.fromkeys([_START, _PAD, _END, _UNKNOWN, *names])
    return BPE({name: id for id, name in enumerate(order)}, merges, unk_token=_UNKNOWN, fuse_unk=True)


def _mbart_model(pieces: SentencePieces) -> tokenizers.models.Model:
    """A unigram model with fairseq's special tokens instead of SentencePiece's own three."""
    from tokenizers.models import Unigram

    special = [(name, 0.0) for name in (_START, _PAD, _END, _UNKNOWN)]
    added = [(name, 0.0) for name in (*LANGUAGE_CODES["mbart50"], _MASK)]
    return Unigram([*special, *pieces.pieces()[3:], *added], unk_id=special.index((_UNKNOWN, 0.0)))
