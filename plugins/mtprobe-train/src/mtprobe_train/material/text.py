"""Plain text with translations: the model's own (against forgetting, and for distillation), or references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from mtprobe.backends import Backend, Model, MtprobeError
from mtprobe.verbs import (
    Progress,
    Store,
    is_suite,
    load_suite,
    pairs_of,
    suite_files,
    text_lines,
    translate_all,
)

from .example import Example


def sentences_of(path: Path) -> list[str]:
    """The distinct lines of a file, in order; an error if there is none."""
    lines = dict.fromkeys(line.strip() for _, line in text_lines(path))
    lines.pop("", None)
    if not lines:
        raise MtprobeError(f"{path}: contains no text")
    return list(lines)


def replay_sentences(path: Path) -> list[str]:
    """The lines of a file; of a suite or a folder of suites, the sources."""
    if not path.is_dir() and not is_suite(path):
        return sentences_of(path)
    suites = [load_suite(file) for file in suite_files([path])]
    return list(dict.fromkeys(sample.source for suite in suites for sample in suite.samples))


def translated_text(
    sentences: Sequence[str], model: Model, store: Store | None, progress: Progress, *, replay: bool
) -> Iterator[Example]:
    """Sentences with the model's translations; those that it cannot translate, or with nothing, are skipped."""
    backend = model.backend
    if not isinstance(backend, Backend):
        return
    translations = translate_all(backend, sentences, store, progress)
    for sentence in sentences:
        text = translations[sentence]
        if isinstance(text, str) and text.strip():
            yield Example(f"text#{sentence}", sentence, text, replay=replay)


def parallel_text(sources: Path, references: Path) -> Iterator[Example]:
    """Sentences with references from a second file, line by line; empty lines are skipped."""
    for number, source, reference in pairs_of([sources, references]):
        if source.strip() and reference.strip():
            yield Example(f"text#{number}", source.strip(), reference.strip())
