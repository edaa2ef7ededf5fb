"""A CTranslate2 model as a backend. Opening it only looks at its files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from mtprobe.backends import (
    Failure,
    HubTokenizer,
    LanguagePair,
    ModelError,
    OpenRequest,
    ScorePair,
    Shared,
    TokenLogProbs,
    hub_tokenizer,
    languages_from,
    split_options,
)
from mtprobe_ctranslate2.engine import LONGEST, Engine
from mtprobe_ctranslate2.settings import OPTIONS, Settings
from mtprobe_ctranslate2.tokens import HubTokens, Tokens, piece_tokens, tokenizer_files, vocabularies

NUMBERS = "v1"  # raise it with every change after which a translation or a score may differ
_WEIGHTS, _CONFIG = "model.bin", "config.json"
_VOCABULARIES = ("shared_vocabulary", "source_vocabulary", "target_vocabulary")

Encoded = TypeVar("Encoded")
Output = TypeVar("Output")


_ENGINES: Shared[Engine] = Shared()  # a multilingual model is opened once per target


class Ct2Model:
    """Searches greedily unless the spec says otherwise."""

    deterministic = True

    def __init__(
        self, folder: Path, tokenizer: HubTokenizer | None, settings: Settings, languages: LanguagePair
    ) -> None:
        self._folder, self._tokenizer, self._settings = folder, tokenizer, settings
        self.languages = languages
        self.decoding, self.dtype = settings.words, settings.compute_type
        pieces = () if tokenizer else tokenizer_files(folder)
        digest = _digest(folder, pieces) + (f"+{tokenizer.digest[:12]}" if tokenizer else "")
        self._digest, release = digest, version("ctranslate2")
        self.fingerprint, self.scoring_fingerprint = (
            f"ct2:{digest}:{self.languages}:{mark}:{release}:{NUMBERS}"
            for mark in (settings.mark, settings.with_own_search.mark)
        )

    @cached_property
    def _engine(self) -> Engine:
        key = (self._digest, self._folder, self._settings)
        return _ENGINES.get(key, lambda: Engine(self._folder, self._settings))

    @cached_property
    def _tokens(self) -> Tokens:
        if self._tokenizer is None:
            return piece_tokens(self._folder, _read_json(self._folder / _CONFIG), self.languages.target)
        tokenizer = self._tokenizer.open(self.languages.source, self.languages.target)
        return HubTokens(tokenizer, *vocabularies(self._folder))

    @property
    def provider(self) -> str | None:
        return self._engine.provider if "_engine" in self.__dict__ else None

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        tokens, engine = self._tokens, self._engine
        encoded = [self._encode(source, tokens.source, "source") for source in sources]
        outputs = _outputs(encoded, lambda batch: engine.translate(batch, tokens.prefix))
        return [output if isinstance(output, Failure) else tokens.text(output) for output in outputs]

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        tokens, engine = self._tokens, self._engine
        encoded = [self._encode_pair(pair) for pair in pairs]
        return _outputs(encoded, lambda batch: engine.score(batch, tokens.prefix))

    def _encode_pair(self, pair: ScorePair) -> tuple[list[str], list[str]] | Failure:
        source = self._encode(pair[0], self._tokens.source, "source")
        target = self._encode(pair[1], self._tokens.target, "target")
        if isinstance(source, Failure):
            return source
        return target if isinstance(target, Failure) else (source, target)

    def _encode(self, text: str, tokenize: Callable[[str], list[str]], what: str) -> list[str] | Failure:
        try:
            tokens = tokenize(text)
        except UnicodeError as error:
            return Failure(f"{what} is not text: {error}")
        if len(tokens) > LONGEST:
            return Failure(f"{what} has {len(tokens)} tokens; at most {LONGEST} are supported")
        return tokens


def open_ct2(rest: str, request: OpenRequest) -> Ct2Model:
    name, options = split_options("ct2", rest, OPTIONS)
    if not name:
        raise ModelError("ct2: needs the folder of a model, for example ct2:models/ende")
    folder = Path(name).expanduser()
    for wanted in (_WEIGHTS, _CONFIG):
        if not (folder / wanted).is_file():
            raise ModelError(
                f"ct2:{name}: there is no {wanted}, so this is not the folder of a CTranslate2 model "
                "as ct2-transformers-converter writes it"
            )
    named = options.given.get("tokenizer")
    tokenizer = hub_tokenizer(named) if named else None
    own = tokenizer.languages if tokenizer else (None, None)
    settings = Settings.read(options, request)
    return Ct2Model(folder, tokenizer, settings, languages_from(request, f"ct2:{folder}", own))


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{path}: not usable JSON: {error}") from None
    if not isinstance(content, dict):
        raise ModelError(f"{path}: not a JSON object")
    return content


def _digest(folder: Path, pieces: Sequence[Path]) -> str:
    """Twelve hexadecimal digits over all files that outputs depend on."""
    names = (_WEIGHTS, _CONFIG, *(f"{name}{end}" for name in _VOCABULARIES for end in (".json", ".txt")))
    digest = hashlib.sha256()
    for path in sorted({*pieces, *(folder / name for name in names if (folder / name).is_file())}):
        with path.open("rb") as file:
            digest.update(f"{path.name} {hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return digest.hexdigest()[:12]


def _outputs(
    encoded: Sequence[Encoded | Failure], run: Callable[[Sequence[Encoded]], Sequence[Output | Failure]]
) -> list[Output | Failure]:
    """Runs what could be encoded, and puts the results back in order with the failures."""
    outputs = iter(run([item for item in encoded if not isinstance(item, Failure)]))
    return [item if isinstance(item, Failure) else next(outputs) for item in encoded]
