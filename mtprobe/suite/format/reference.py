"""docs/suite-format.md: a hand-written frame, reference.txt, around tables that are made from the models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from mtprobe.datasets.senses import MOST_CUES, MOST_SENSES
from mtprobe.methods import METHODS
from mtprobe.metrics import METRICS
from mtprobe.suite.format import data, entry, lexical, public
from mtprobe.suite.format import suite as model
from mtprobe.suite.format.fields import LANGUAGE_PATTERN, MAX_TEXT
from mtprobe.suite.parsing.limits import MAX_BYTES, MAX_DATA_BYTES
from mtprobe.suite.samples.slots import MAX_COMBINATIONS

# Where a model is described: the heading of its section.
SECTIONS: dict[type[BaseModel], str] = {
    model.SuiteModel: "The suite",
    model.Languages: "Languages",
    model.SampleModel: "Samples",
    model.Evidence: "What tells right from wrong",
    model.Sides: "Correct and incorrect",
    model.TargetSides: "Targets",
    model.VariantValues: "Variants of targets",
    lexical.Lemmas: "Lemmas",
    model.Template: "Templates",
    model.SlotFile: "A slot's values from a file",
    model.AuditPairModel: "Audit pairs",
    model.AuditFile: "Audit pairs from a file",
    model.CueFile: "Cues from a file",
    entry.Data: "Data files",
    data.JsonLines: "JSON Lines",
    data.Senses: "Words and their senses",
    data.Pairs: "Pairs of targets",
    data.Schemas: "Winograd schemas",
    public.WinoMT: "WinoMT",
    public.MuCoW: "MuCoW, the translation suite",
    public.Contrastive: "Contrastive translations",
    public.DistilLingEval: "DistilLingEval",
    public.LingEval97: "LingEval97",
    public.MuCoWScoring: "MuCoW, the scoring suite",
    public.ContraWSD: "ContraWSD",
    public.ContraPro: "ContraPro",
    public.WinoX: "Wino-X",
    public.BLiMP: "BLiMP",
    public.MTGenEval: "MT-GenEval",
    public.GATE: "GATE",
    public.DiBiMT: "DiBiMT",
    model.GateModel: "A gate with more than a bound",
    model.XfailModel: "A known failure",
}

# In plain words, where the models' own types would say it badly.
TYPES: dict[tuple[type[BaseModel], str], str] = {
    (model.SuiteModel, "method"): "a method's name",
    (model.SuiteModel, "methods"): "list of methods' names",
    (model.SuiteModel, "cluster"): "a slot's or an attribute's name",
    (model.SuiteModel, "cues"): (
        "for each category, [correct and incorrect](#correct-and-incorrect) or [choices](#open-categories); "
        "or the name of a [form](#cue-forms); or a [file](#cues-from-a-file)"
    ),
    (model.SuiteModel, "cue_forms"): "for each name, [cues by category](#cue-forms)",
    (model.SuiteModel, "slots"): "for each slot, its [values](#slots)",
    (model.SuiteModel, "attributes"): "for each attribute, [conditions](#derived-attributes)",
    (model.SuiteModel, "variants"): "for each attribute of targets, the list of its values",
    (model.TargetSides, "variants"): "for each attribute, its [values](#variants-of-targets)",
    (model.VariantValues, "correct"): "value or list of values",
    (model.VariantValues, "incorrect"): "value or list of values",
    (model.SuiteModel, "gates"): "for each metric, a [bound](#gates)",
    (
        model.SuiteModel,
        "audit",
    ): "for each language, a list of [audit pairs](#audit-pairs), or a [file](#audit-pairs-from-a-file)",
    (model.AuditPairModel, "targets"): "for each reading, a text or a list of texts",
    (model.SuiteModel, "data"): "an [entry](#data-files), or a list of them",
    (model.Evidence, "attributes"): "for each attribute, a word, a number, true or false",
    (model.Evidence, "cues"): (
        "[correct and incorrect](#correct-and-incorrect) or [choices](#open-categories), or these for each category"
    ),
    (model.Evidence, "sources"): (
        "[correct and incorrect](#correct-and-incorrect), or [choices](#open-categories)"
    ),
    (model.Evidence, "targets"): "for each language, [correct and incorrect](#correct-and-incorrect)",
    (model.Evidence, "lemmas"): "for each language, [good and bad](#lemmas)",
    (model.Evidence, "references"): "for each language, a text or a list of texts",
    (model.Evidence, "fillers"): "[correct and incorrect](#fillers)",
    (model.Evidence, "senses"): "list of senses, or for each sense its rank",
    (lexical.Lemmas, "bad"): "text, list of texts, or these for each wrong sense",
    (model.Template, "attributes"): "for each attribute, a value or [conditions](#derived-attributes)",
    (model.Template, "slots"): "for each slot, its [values](#slots)",
    (model.Template, "except"): "list of combinations",
    (model.XfailModel, "until"): "day",
}


def reference() -> str:
    """The whole page, as Markdown."""
    page = Path(__file__).with_name("reference.txt").read_text(encoding="utf-8")
    for owner in SECTIONS:
        page = page.replace(f"«{owner.__name__}»", _section(owner))
    return (
        page.replace("«methods»", ", ".join(f"`{name}`" for name in METHODS))
        .replace("«metrics»", "\n".join(_metrics()))
        .replace("«max_bytes»", f"{MAX_BYTES / 1e6:.0f} MB")
        .replace("«max_data_bytes»", f"{MAX_DATA_BYTES / 1e9:.0f} GB")
        .replace("«max_combinations»", f"{MAX_COMBINATIONS:,}")
        .replace("«max_text»", f"{MAX_TEXT:,}")
        .replace("«most_senses»", f"{MOST_SENSES:,}")
        .replace("«most_cues»", f"{MOST_CUES:,}")
    )


def _section(owner: type[BaseModel]) -> str:
    """What the model is, and a table of the keys that it declares itself."""
    fields = {name: owner.model_fields[name] for name in owner.__annotations__ if name in owner.model_fields}
    rows = [_row(owner, field.alias or name, field) for name, field in fields.items()]
    table = ["| key | what stands there | default | meaning |", "|---|---|---|---|", *rows]
    return "\n".join([(owner.__doc__ or "").strip(), "", *table])


def _row(owner: type[BaseModel], key: str, field: FieldInfo) -> str:
    kind = TYPES.get((owner, key)) or " or ".join(_kinds(owner, key))
    cells = [f"`{key}`", kind, _default(field), field.description or ""]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "**required**"
    return "" if field.default_factory is not None or field.default is None else f"`{field.default}`"


def _kinds(owner: type[BaseModel], key: str) -> list[str]:
    schema = owner.model_json_schema(by_alias=True)
    return list(dict.fromkeys(_words(schema["properties"][key])))


def _words(schema: dict[str, Any]) -> Iterator[str]:
    """What may stand at a key, in plain words, from its JSON Schema."""
    for part in schema.get("anyOf", ()):
        yield from _words(part)
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        heading = next(heading for owner, heading in SECTIONS.items() if owner.__name__ == name)
        yield f"[{_lower(heading)}]({_anchor(heading)})"
    elif "const" in schema:
        yield f"`{schema['const']}`"
    elif "enum" in schema:
        yield from (f"`{value}`" for value in schema["enum"])
    elif schema.get("type") == "array":
        items = " or ".join(_words(schema["items"]))
        yield f"list of {items if items.startswith('[') else items + 's'}"
    elif schema.get("type") == "string":
        yield (
            "language tag"
            if schema.get("pattern") == LANGUAGE_PATTERN
            else "name"
            if {"pattern", "maxLength"} & set(schema)
            else "text"
        )
    elif schema.get("type") == "integer":
        yield "whole number"
    elif schema.get("type") == "boolean":
        yield "`true` or `false`"


def _lower(heading: str) -> str:
    return heading[0].lower() + heading[1:]


def _anchor(heading: str) -> str:
    return "#" + "".join(sign for sign in heading.lower().replace(" ", "-") if sign.isalnum() or sign == "-")


def _metrics() -> Iterator[str]:
    yield "| metric | meaning | in brackets |"
    yield "|---|---|---|"
    for metric in METRICS.values():
        yield f"| `{metric.name}` | {metric.about} | {metric.brackets} |"
