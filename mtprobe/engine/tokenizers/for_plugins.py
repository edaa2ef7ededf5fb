"""The tokenizers that `mtprobe.backends.tokenizers` offers to plugins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig, read_config
from mtprobe.engine.checkpoints.huggingface.files import CONFIG, ModelFolder, resolve
from mtprobe.engine.tokenizers.huggingface import Tokenizer, languages_of, open_tokenizer
from mtprobe.engine.tokenizers.languages import codes_of, must_choose
from mtprobe.engine.tokenizers.sentencepieces import SentencePieces
from mtprobe.errors import ModelError

__all__ = ["SentencePieces", "hub_tokenizer", "language_code"]


@dataclass(frozen=True)
class _HubTokenizer:
    folder: ModelFolder

    @property
    def digest(self) -> str:
        return self.folder.digest()

    @property
    def languages(self) -> tuple[str | None, str | None]:
        return languages_of(self.folder, self._config)

    def open(self, source: str, target: str) -> Tokenizer:
        return open_tokenizer(self.folder, self._config, source, target)

    @cached_property
    def _config(self) -> Seq2SeqConfig:
        config = read_config(self.folder)
        if not isinstance(config, Seq2SeqConfig):
            raise ModelError(
                f"{self.folder.name}: the tokenizer of a {config.model_type} model is not supported"
            )
        return config


def hub_tokenizer(name_or_path: str) -> _HubTokenizer:
    path = Path(name_or_path).expanduser()
    local = (path / CONFIG).is_file()
    return _HubTokenizer(ModelFolder(name_or_path, path, weights=()) if local else resolve(name_or_path))


def language_code(model: str, language: str, codes: Iterable[str]) -> str:
    return must_choose(model, language, codes_of(codes))
