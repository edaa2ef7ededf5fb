"""Writes small models and tokenizers in the layouts of the real ones. Nothing is downloaded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import sentencepiece

from mtprobe.engine.tokenizers.languages import LANGUAGE_CODES
from tests.engine.checkpoints.lines import lines

SHAPE = {
    **{"d_model": 16, "encoder_layers": 2, "decoder_layers": 1, "max_position_embeddings": 24},
    **{
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 24,
        "decoder_ffn_dim": 32,
    },
}


def train(path: Path, languages: Sequence[str], kind: str, size: int) -> Path:
    """Trains a SentencePiece model on the lines of the given languages."""
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines(*languages)),
            model_writer=file,
            model_type=kind,
            vocab_size=size,
            character_coverage=1.0,
            hard_vocab_limit=False,
            num_threads=1,
            minloglevel=2,
        )
    return path


def pieces_of(path: Path) -> list[str]:
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return [processor.id_to_piece(id) for id in range(processor.get_piece_size())]


def put(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def put_config(folder: Path, model_type: str, vocab_size: int, **more: object) -> None:
    """config.json, including fields that old checkpoints write."""
    special: dict[str, Any] = {
        "eos_token_id": 2,
        "pad_token_id": 1,
        "bos_token_id": 0,
        "decoder_start_token_id": 2,
    }
    if model_type == "marian":
        last = vocab_size - 1
        special = {"eos_token_id": 0, "pad_token_id": last, "bos_token_id": 0, "decoder_start_token_id": last}
    put(
        folder / "config.json",
        {
            "model_type": model_type,
            "vocab_size": vocab_size,
            "is_encoder_decoder": True,
            **SHAPE,
            **special,
            **more,
        },
    )


def put_weights(folder: Path) -> None:
    """A placeholder for weights, which tokenizers do not read."""
    (folder / "model.safetensors").write_bytes(b"")


def marian_vocabulary(pieces: Iterable[str], codes: Iterable[str] = ()) -> dict[str, int]:
    ordered = dict.fromkeys(["</s>", "<unk>", *(f">>{code}<<" for code in codes), *pieces, "<pad>"])
    ordered = dict.fromkeys([*(piece for piece in ordered if piece not in ("<s>", "<pad>")), "<pad>"])
    return {piece: id for id, piece in enumerate(ordered)}


def put_marian(folder: Path, source: Path, target: Path, codes: Sequence[str] = (), **says: object) -> Path:
    """Like opus-mt models. A tenth of the pieces is missing from the vocabulary and becomes unknown."""
    folder.mkdir(parents=True)
    (folder / "source.spm").write_bytes(source.read_bytes())
    (folder / "target.spm").write_bytes(target.read_bytes())
    sides = [[p for at, p in enumerate(pieces_of(path)) if at % 10 != 9] for path in (source, target)]
    more: dict[str, object] = {}
    if says.get("separate_vocabs"):
        vocabulary, targets = (marian_vocabulary(side) for side in sides)
        put(folder / "target_vocab.json", targets)
        more = {"decoder_vocab_size": len(targets), "share_encoder_decoder_embeddings": False}
        more["decoder_start_token_id"] = len(targets) - 1
    else:
        vocabulary = marian_vocabulary([*sides[0], *sides[1]], codes)
    put(folder / "vocab.json", vocabulary)
    put(folder / "tokenizer_config.json", says)
    put_config(folder, "marian", len(vocabulary), **more)
    put_weights(folder)
    return folder


def put_m2m100(folder: Path, model: Path, *, special_tokens_map: bool = True, **says: object) -> Path:
    folder.mkdir(parents=True)
    (folder / "sentencepiece.bpe.model").write_bytes(model.read_bytes())
    own = ["<s>", "<pad>", "</s>", "<unk>"]
    vocabulary = {
        piece: id for id, piece in enumerate([*own, *(p for p in pieces_of(model)[3:] if p not in own)])
    }
    put(folder / "vocab.json", vocabulary)
    put(folder / "tokenizer_config.json", {"tokenizer_class": "M2M100Tokenizer", **says})
    if special_tokens_map:
        named = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "sep_token": "</s>"}
        tokens = [f"__{code}__" for code in LANGUAGE_CODES["m2m100"]]
        put(
            folder / "special_tokens_map.json",
            {**named, "pad_token": "<pad>", "additional_special_tokens": tokens},
        )
    put_config(folder, "m2m_100", len(vocabulary) + 108)
    put_weights(folder)
    return folder


def put_nllb(folder: Path, model: Path, *, tokenizer_json: bool, **says: object) -> Path:
    """With a tokenizer.json as on the hub: the languages after the pieces, then the mask."""
    folder.mkdir(parents=True)
    (folder / "sentencepiece.bpe.model").write_bytes(model.read_bytes())
    codes = LANGUAGE_CODES["nllb200"]
    mask = {"content": "<mask>", "lstrip": True, "rstrip": False, "normalized": True, "single_word": False}
    named = {
        **{"bos_token": "<s>", "cls_token": "<s>", "eos_token": "</s>", "sep_token": "</s>"},
        **{"pad_token": "<pad>", "unk_token": "<unk>"},
    }
    put(
        folder / "tokenizer_config.json",
        {**named, "mask_token": {"__type": "AddedToken", **mask}, "tokenizer_class": "NllbTokenizer", **says},
    )
    put(folder / "special_tokens_map.json", {**named, "mask_token": mask, "additional_special_tokens": codes})
    put_config(folder, "m2m_100", len(pieces_of(model)) + 1 + len(codes) + 1 + 2)
    put_weights(folder)
    if tokenizer_json:
        _put_tokenizer_json(folder, codes)
    return folder


def _put_tokenizer_json(folder: Path, codes: Sequence[str]) -> None:
    """Written by the converter of transformers, with the pre-tokenizers of transformers 4: words first."""
    from tokenizers import AddedToken, Tokenizer, pre_tokenizers
    from transformers import NllbTokenizer

    tokenizer = NllbTokenizer.from_pretrained(folder)
    core = Tokenizer.from_str(tokenizer.backend_tokenizer.to_str())
    state = json.loads(core.to_str())
    state["added_tokens"] = [token for token in state["added_tokens"] if token["content"] != "<mask>"]
    core = Tokenizer.from_str(json.dumps(state))
    core.add_special_tokens([AddedToken(code, special=True) for code in codes])
    core.add_special_tokens([AddedToken("<mask>", lstrip=True, normalized=True, special=True)])
    core.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    core.enable_truncation(8)
    core.save(str(folder / "tokenizer.json"))


def put_mbart50(folder: Path, model: Path, **says: object) -> Path:
    folder.mkdir(parents=True)
    (folder / "sentencepiece.bpe.model").write_bytes(model.read_bytes())
    put(folder / "tokenizer_config.json", {"tokenizer_class": "MBart50Tokenizer", **says})
    put_config(folder, "mbart", len(pieces_of(model)) + 1 + len(LANGUAGE_CODES["mbart50"]) + 1)
    put_weights(folder)
    return folder
