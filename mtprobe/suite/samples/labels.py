"""The labels of a suite: from the files that it names, checked against its samples."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.errors import SuiteError
from mtprobe.language import tags
from mtprobe.suite.format.suite import SuiteModel
from mtprobe.suite.labels import Label, read_label_file
from mtprobe.suite.parsing.files import SuiteFiles
from mtprobe.suite.parsing.tree import Location, Tree
from mtprobe.suite.sample import Sample


def read_labels(
    model: SuiteModel, samples: Sequence[Sample], files: SuiteFiles, tree: Tree
) -> dict[str, tuple[Label, ...]]:
    """The labels of each language. One translation has one label, and a sample is drawn with one probability."""
    if model.corrected and not model.labels:
        raise SuiteError.at(
            tree.place(("corrected",)), "corrected: needs `labels`; `mtprobe label` draws samples to label"
        )
    if not model.labels:
        return {}
    choices = tuple(dict.fromkeys(choice for sample in samples for choice in sample.choices))
    by_language: dict[str, tuple[Label, ...]] = {}
    for tag in tree.value["labels"]:
        language, at = tags.standard(tag), ("labels", tag)
        if language in by_language:
            raise SuiteError.at(tree.place(at), f"labels.{tag}: duplicate language {language}")
        named = model.labels[language]
        places: Sequence[Location] = (
            [(*at, number) for number in range(len(named))]
            if isinstance(tree.value["labels"][tag], list)
            else [at]
        )
        lines = [
            line
            for name, location in zip(named, places, strict=True)
            for line in read_label_file(files.find(name, tree.place(location), digested=False), choices)
        ]
        try:
            by_language[language] = joined(lines)
        except ValueError as error:
            raise SuiteError.at(tree.place(at), f"labels.{tag}: {error}") from None
    return by_language


def joined(lines: Sequence[Label]) -> tuple[Label, ...]:
    """Lines of one or several files: a label replaces an empty line; two different ones are a `ValueError`."""
    kept: dict[tuple[str, str, str], Label] = {}
    probabilities: dict[str, float | None] = {}
    for line in lines:
        key = (line.id, *line.key)
        first = kept.setdefault(key, line)
        if first.label and line.label and first.label != line.label:
            raise ValueError(
                f'"{line.id}" is labelled {first.label} and {line.label} for the same translation, "{line.translation}"'
            )
        if line.label and not first.label:
            kept[key] = line
        drawn = probabilities.setdefault(line.id, line.probability)
        if drawn != line.probability:
            raise ValueError(
                f'"{line.id}" has two probabilities, {drawn} and {line.probability}: its lines must be of one draw'
            )
    return tuple(kept.values())
