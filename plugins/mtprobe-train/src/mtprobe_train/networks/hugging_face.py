"""Hugging Face models: saved as a folder for `hf:`, with safetensors, settings and tokenizer files."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from mtprobe.backends import Model, Tokenizer, hub_tokenizer
from mtprobe.verbs import TOKENIZER_FILES

from .network import Network, load_network

CONFIG = "config.json"
_TOKENIZER_CONFIG = "tokenizer_config.json"


@dataclass(frozen=True, slots=True)
class HuggingFace:
    """Marian, M2M100, NLLB or mBART."""

    model: Model
    folder: Path
    bilingual: bool  # the direction belongs to its files

    def tokenizer(self) -> Tokenizer:
        languages = self.model.languages
        return hub_tokenizer(str(self.folder)).open(languages.source, languages.target)

    def load(self, device: str) -> Network:
        return load_network(self.folder, device)

    def save(self, network: Network, folder: Path) -> None:
        """Complete once `config.json` is there, which is moved to its place last."""
        part = folder / "model.part"
        shutil.rmtree(part, ignore_errors=True)
        network.module.save_pretrained(part)
        for name in TOKENIZER_FILES:
            if (self.folder / name).is_file():
                shutil.copyfile(self.folder / name, part / name)
        if self.bilingual:
            self._name_languages(part / _TOKENIZER_CONFIG)
        for path in sorted(part.iterdir(), key=lambda path: path.name == CONFIG):
            path.replace(folder / path.name)
        part.rmdir()

    def spec(self, folder: Path) -> str:
        return f"hf:{folder}"

    def _name_languages(self, path: Path) -> None:
        """Some models say in their name alone which languages they translate; the folder's name may be any."""
        settings = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        pair = {"source_lang": self.model.languages.source, "target_lang": self.model.languages.target}
        path.write_text(json.dumps({**pair, **settings}, ensure_ascii=False, indent=2), encoding="utf-8")
