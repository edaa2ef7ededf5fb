"""A CTranslate2 model as the rest of mtprobe meets it. Opening it only looks at its files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from mtprobe.backends.protocols import UNDETERMINED, LanguagePair, OpenRequest, languages_from
from mtprobe.backends.scorer import ScorePair, TokenLogProbs
from mtprobe.backends.spec_options import split_options
from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig, read_config
from mtprobe.engine.checkpoints.huggingface.files import ModelFolder, resolve
from mtprobe.engine.checkpoints.huggingface.reading import read_json
from mtprobe.engine.tokenizers.huggingface import languages_of, open_tokenizer
from mtprobe.errors import Failure, ModelError
from mtprobe.language import tags
from mtprobe_ctranslate2.engine import LONGEST, Engine
from mtprobe_ctranslate2.settings import OPTIONS, Settings
from mtprobe_ctranslate2.tokens import HubTokens, Tokens, piece_tokens, tokenizer_files, vocabularies

NUMBERS = "v1"  # to be raised with every change after which a translation or a score may differ
_WEIGHTS, _CONFIG = "model.bin", "config.json"
_VOCABULARIES = ("shared_vocabulary", "source_vocabulary", "target_vocabulary")

Read = TypeVar("Read")
Made = TypeVar("Made")


class Ct2Model:
    """Greedy unless it is told otherwise."""

    def __init__(
        self, folder: Path, tokenizer: ModelFolder | None, settings: Settings, request: OpenRequest
    ) -> None:
        self._folder, self._tokenizer, self._settings = folder, tokenizer, settings
        self.languages = _languages(folder, tokenizer, request)
        self.decoding, self.dtype = settings.words, settings.compute_type
        pieces = () if tokenizer else tokenizer_files(folder)
        digest = _digest(folder, pieces) + (f"+{tokenizer.digest()[:12]}" if tokenizer else "")
        released = version("ctranslate2")
        self.fingerprint = f"ct2:{digest}:{self.languages}:{settings.mark}:{released}:{NUMBERS}"

    @cached_property
    def _engine(self) -> Engine:
        return Engine(self._folder, self._settings)

    @cached_property
    def _tokens(self) -> Tokens:
        if self._tokenizer is None:
            return piece_tokens(self._folder, read_json(self._folder / _CONFIG), self.languages.target)
        config = _config_of(self._tokenizer)
        tokenizer = open_tokenizer(self._tokenizer, config, self.languages.source, self.languages.target)
        return HubTokens(tokenizer, *vocabularies(self._folder))

    @property
    def provider(self) -> str | None:
        return self._engine.provider if "_engine" in self.__dict__ else None

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        tokens, engine = self._tokens, self._engine
        read = [self._read(source, tokens.source, "source") for source in sources]
        made = _made_of(read, lambda some: engine.translate(some, tokens.prefix))
        return [one if isinstance(one, Failure) else tokens.text(one) for one in made]

    def score(self, pairs: Sequence[ScorePair]) -> list[TokenLogProbs | Failure]:
        tokens, engine = self._tokens, self._engine
        read = [self._read_pair(pair) for pair in pairs]
        return _made_of(read, lambda some: engine.score(some, tokens.prefix))

    def _read_pair(self, pair: ScorePair) -> tuple[list[str], list[str]] | Failure:
        source = self._read(pair[0], self._tokens.source, "source")
        target = self._read(pair[1], self._tokens.target, "target")
        if isinstance(source, Failure):
            return source
        return target if isinstance(target, Failure) else (source, target)

    def _read(self, text: str, cut: Callable[[str], list[str]], what: str) -> list[str] | Failure:
        try:
            tokens = cut(text)
        except UnicodeError as error:
            return Failure(f"{what} is not text: {error}")
        if len(tokens) > LONGEST:
            return Failure(f"{what} has {len(tokens)} tokens; at most {LONGEST} are read")
        return tokens


def open_ct2(rest: str, request: OpenRequest) -> Ct2Model:
    name, options = split_options("ct2", rest, OPTIONS)
    if not name:
        raise ModelError("ct2: needs the folder of a model, as in ct2:models/ende")
    folder = Path(name).expanduser()
    for wanted in (_WEIGHTS, _CONFIG):
        if not (folder / wanted).is_file():
            raise ModelError(
                f"ct2:{name}: there is no {wanted}, so this is not the folder of a CTranslate2 model, "
                "as ct2-transformers-converter writes it"
            )
    tokenizer = options.given.get("tokenizer")
    settings = Settings.asked(options, request)
    return Ct2Model(folder, _named(tokenizer) if tokenizer else None, settings, request)


def _named(name: str) -> ModelFolder:
    """The Hugging Face model whose tokenizer is meant; a folder needs no weights."""
    path = Path(name).expanduser()
    return ModelFolder(name, path, weights=()) if (path / _CONFIG).is_file() else resolve(name)


def _config_of(tokenizer: ModelFolder) -> Seq2SeqConfig:
    config = read_config(tokenizer)
    if not isinstance(config, Seq2SeqConfig):
        raise ModelError(
            f"tokenizer={tokenizer.name}: the tokenizer of a {config.model_type} model is not supported"
        )
    return config


def _languages(folder: Path, tokenizer: ModelFolder | None, request: OpenRequest) -> LanguagePair:
    own = languages_of(tokenizer, _config_of(tokenizer)) if tokenizer else (None, None)
    for asked, given, way in zip((request.source, request.target), own, ("from", "into"), strict=True):
        if asked and given and not tags.fits(asked, given):
            raise ModelError(f"ct2:{folder}: the model translates {way} {given}, not {asked}")
    if own[1] and not request.target:
        return LanguagePair(request.source or own[0] or UNDETERMINED, own[1])
    return languages_from(request, f"ct2:{folder}").with_source(own[0] or UNDETERMINED)


def _digest(folder: Path, pieces: Sequence[Path]) -> str:
    """Twelve hexadecimal digits that stand for all that outputs depend on."""
    names = (_WEIGHTS, _CONFIG, *(f"{name}{end}" for name in _VOCABULARIES for end in (".json", ".txt")))
    whole = hashlib.sha256()
    for path in sorted({*pieces, *(folder / name for name in names if (folder / name).is_file())}):
        with path.open("rb") as file:
            whole.update(f"{path.name} {hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()[:12]


def _made_of(
    read: Sequence[Read | Failure], run: Callable[[Sequence[Read]], Sequence[Made | Failure]]
) -> list[Made | Failure]:
    """What comes of the things that could be read, and the failures of the others, in order."""
    made = iter(run([one for one in read if not isinstance(one, Failure)]))
    return [one if isinstance(one, Failure) else next(made) for one in read]
