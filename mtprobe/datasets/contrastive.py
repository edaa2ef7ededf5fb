"""What all sets of contrastive translations have in common: a source, one right target, wrong ones, attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from mtprobe.datasets.preset import Preset
from mtprobe.datasets.reading import LeftOut
from mtprobe.errors import Place, SuiteError, did_you_mean
from mtprobe.suite.format.public import Contrastive
from mtprobe.suite.format.suite import SampleModel
from mtprobe.suite.parsing.lines import checked
from mtprobe.suite.sample import Scalar
from mtprobe.suite.samples.focus import escaped

NO_VARIANTS = LeftOut("it has no wrong variant")


def contrastive_sample(
    data: Contrastive,
    place: Place,
    *,
    id: str,
    source: str,
    target: str,
    correct: str,
    incorrect: Sequence[str],
    attributes: Mapping[str, Scalar | None],
    variants: Mapping[str, Mapping[str, Scalar]] | None = None,
) -> SampleModel | LeftOut:
    """The sample; attributes that are None are not had. The entry's `category` names the attribute that sets it."""
    if not incorrect:
        return NO_VARIANTS
    held = {name: value for name, value in attributes.items() if value is not None}
    sides: dict[str, object] = {"correct": correct, "incorrect": list(incorrect)}
    if variants:
        sides["variants"] = variants
    sample: dict[str, object] = {
        "id": id,
        "source": escaped(source),
        "attributes": held,
        "targets": {target: sides},
    }
    if data.category is not None:
        if data.category not in held:
            raise SuiteError.at(
                place,
                f'has no attribute "{data.category}" for its category{did_you_mean(data.category, held)}',
            )
        sample["category"] = as_name(held[data.category])
    return checked(SampleModel, sample, place)


def as_name(value: Scalar) -> str:
    """A value as a category may be called."""
    return re.sub(r"[^\w .-]+", "-", str(value)).strip("-. ") or "none"


def whole(lines: Mapping[str, tuple[Place, str | SuiteError]]) -> dict[str, str]:
    """An item's lines in parallel files, all of them text, none of them empty."""
    texts = {}
    for key, (place, line) in lines.items():
        if isinstance(line, SuiteError):
            raise line
        if not line.strip():
            raise SuiteError.at(place, "an empty line")
        texts[key] = line.strip()
    return texts


def contrastive_preset(
    data: Contrastive,
    name: str,
    about: str,
    *,
    source: str,
    cluster: str,
    ties: str,
    gaps: Iterable[str] = (),
    target: str | None = None,
    method: str = "minimal-pairs",
) -> Preset:
    """A suite of minimal pairs; gaps are between the values of an attribute."""
    target = data.target or target
    gates = {"accuracy": ">= 0.80"}
    if data.category is not None:
        gates["minimum_accuracy"] = ">= 0.60"
    gates |= {f"gap[{attribute}]": "<= 0.20" for attribute in gaps}
    return Preset(
        name=f"{name}-{target}" if target else name,
        about=about,
        source=source,
        target=target,
        methods=(method,),
        cluster=cluster,
        ties="correct" if ties == "correct" else "incorrect",
        gates=gates,
    )
