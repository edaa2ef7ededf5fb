"""Pairs from the model's own translations: the version with the right reading is the target, the other is rejected.

A grammar or a lexicon reads each translation and puts it into the other reading (*L'infirmière est fatiguée* ↔
*L'infirmier est fatigué*). What neither can read, or exchange without doubt, is not trained on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mtprobe.backends import Backend, LanguagePair, Model
from mtprobe.methods import Preparation, Translated
from mtprobe.verbs import Exchange, Progress, Sample, Store, Suite, exchanges, translate_all

from .example import Example


def counterfactual_pairs(
    suite: Suite, samples: Sequence[Sample], model: Model, store: Store | None, progress: Progress
) -> Iterator[Example]:
    """For the samples of one suite whose translation can be exchanged."""
    translated = _translate(samples, model, store, progress)
    preparation = _prepare(suite, translated, model, store, progress)
    for exchange in exchanges(translated, preparation):
        if (example := _example(exchange)) is not None:
            yield example


def _translate(
    samples: Sequence[Sample], model: Model, store: Store | None, progress: Progress
) -> list[Translated]:
    backend = model.backend
    if not isinstance(backend, Backend):
        return []
    translations = translate_all(backend, [sample.source for sample in samples], store, progress)
    texts = ((sample, translations[sample.source]) for sample in samples if not sample.context)
    return [Translated(sample, text) for sample, text in texts if isinstance(text, str)]


def _prepare(
    suite: Suite, translated: Sequence[Translated], model: Model, store: Store | None, progress: Progress
) -> Preparation:
    languages: LanguagePair = model.languages
    return Preparation(
        suite=replace(suite, samples=tuple(sample for sample, _ in translated)),
        model=model,
        languages=languages,
        translations={sample.key: text for sample, text in translated if text is not None},
        scorer=None,
        store=store,
        progress=progress,
    )


def _example(exchange: Exchange) -> Example | None:
    """None where no reading is the right one."""
    texts = {exchange.reading: exchange.translation, exchange.other: exchange.counterfactual}
    if texts.keys() != {"correct", "incorrect"}:
        return None
    sample = exchange.sample
    return Example(f"{sample.id}#counterfactual", sample.source, texts["correct"], (texts["incorrect"],))
