"""Stanza: words tagged in context, slow but good. Contractions (*zum*) are split into their words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers.libraries import Token, not_installed
from mtprobe.language.words import words_of

_WANTED = ("tokenize", "mwt", "pos", "lemma")


class Stanza:
    """Models from a folder as `stanza.download` fills it; nothing is downloaded here.

    A folder without a tokenizer works as well: then words are split as elsewhere in mtprobe.
    """

    def __init__(self, language: str, folder: str | None = None) -> None:
        try:
            import stanza
        except ImportError:
            raise not_installed("stanza") from None
        self._document: Any = stanza.Document
        place = Path(folder or stanza.resources.common.DEFAULT_MODEL_DIR)
        packages = _packages(place, language)
        if "lemma" not in packages:
            at = f"in {folder}" if folder else "on this machine"
            raise MtprobeError(
                f"stanza has no models for {language} {at}; get them with "
                f'python -c "import stanza; stanza.download({language!r}'
                f'{f", model_dir={folder!r}" if folder else ""})"'
            )
        self._tokenizes = "tokenize" in packages
        chosen = [f"{part}={packages[part]}" for part in _WANTED if part in packages]
        self.name = f"stanza {version('stanza')} ({', '.join(chosen)})"
        try:
            self._pipeline = stanza.Pipeline(
                language,
                dir=str(place),
                processors={"tokenize": "default", **packages} if not self._tokenizes else packages,
                package=None,
                download_method=None,  # never download anything unasked
                tokenize_no_ssplit=True,
                tokenize_pretokenized=not self._tokenizes,
                verbose=False,
            )
        except _broken(stanza) as error:
            reason = str(error).partition(". ")[0].strip() or type(error).__name__
            raise MtprobeError(f"{place}: stanza cannot open its models for {language}: {reason}") from None

    def lemmatize(self, sentences: Sequence[str]) -> list[list[Token]]:
        lemmas: list[list[Token]] = [[] for _ in sentences]
        filled = [(number, text) for number, text in enumerate(sentences) if words_of(text)]
        if not self._tokenizes:
            if filled:
                document = self._pipeline([words_of(text) for _, text in filled])
                for (number, _), sentence in zip(filled, document.sentences, strict=True):
                    lemmas[number] = list(_tokens(sentence))
            return lemmas
        # An empty line inside a text would end a sentence for the tokenizer.
        documents = [self._document([], text=" ".join(text.split())) for _, text in filled]
        for (number, _), document in zip(filled, self._pipeline.bulk_process(documents), strict=True):
            lemmas[number] = [token for sentence in document.sentences for token in _tokens(sentence)]
        return lemmas


def on_gpu() -> bool:
    """Whether stanza would use one; more processes do not help then."""
    try:
        import torch
    except ImportError:
        return False
    return bool(torch.cuda.is_available())


def _broken(stanza: Any) -> tuple[type[Exception], ...]:
    """The errors that damaged or wrong model files cause."""
    from pickle import UnpicklingError

    missing = stanza.pipeline.core.PipelineRequirementsException
    return (OSError, ValueError, KeyError, RuntimeError, EOFError, UnpicklingError, missing)


def _tokens(sentence: Any) -> Iterator[Token]:
    for written in sentence.tokens:
        parts = [word for word in written.words if any(character.isalnum() for character in word.text)]
        for number, word in enumerate(parts):
            text = None if len(written.words) == 1 else "" if number else written.text
            yield Token(word.text, word.lemma or word.text, word.upos or "", text)


def _packages(folder: Path, language: str) -> dict[str, str]:
    """The folder's models for the language, by processor: the default one if there are several."""
    try:
        index = json.loads((folder / "resources.json").read_text(encoding="utf-8"))
        known = index[language]
        while "alias" in known:
            known = index[known["alias"]]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    default = known.get("packages", {}).get("default", {})
    found = {}
    for part in _WANTED:
        there = sorted(path.stem for path in (folder / language / part).glob("*.pt"))
        if default.get(part) in there or (part == "lemma" and default.get(part) == "identity"):
            found[part] = str(default[part])
        elif there:
            found[part] = there[0]
    return found
