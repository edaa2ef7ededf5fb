"""Methods, metrics, data formats and kinds of models, from their registries. Only what mtprobe itself brings."""

from __future__ import annotations

from pathlib import Path

from pydantic.fields import FieldInfo

from mtprobe.backends.registry import listed
from mtprobe.datasets.registry import FORMATS
from mtprobe.errors import Place
from mtprobe.methods import METHODS, Method
from mtprobe.metrics import METRICS
from mtprobe.suite.sample import Sample
from mtprobe.suites import formats_reference
from mtprobe_docs.markdown import code, escaped, sentence, table

SCORED_BY = {
    "evaluator": "an evaluator: by default the model itself, if it can score",
    "model": "the model under test",
    "language model": "the model under test, a language model that sees no source",
    None: "nothing: needs no scores",
}


def methods() -> str:
    return "\n\n".join(_method(method) for method in METHODS.values() if _ours(method))


def _method(method: Method) -> str:
    bare = Sample(
        id="", source="", focus=None, category=None, attributes={}, cluster="", place=Place(Path(), 1, 1)
    )
    judged = (
        "the model's own translations" if method.judges == "translations" else "targets given in the suite"
    )
    facts = {
        "Judges": judged,
        "Each sample": method.lacks(bare) or "needs only its source",
        "Scores from": SCORED_BY[method.scored_by],
        "Version": str(method.version),
    }
    if method.is_witness:
        facts["Audits evaluators"] = "its decisions show how often an evaluator's verdicts are right"
    listed_facts = "\n".join(f"- {name}: {escaped(fact)}" for name, fact in facts.items())
    parts = [f"## {method.name}", sentence(method.about), listed_facts]
    if method.keys is not None and method.keys.model_fields:
        keys = (
            (code(name), _default(key), key.description or "")
            for name, key in method.keys.model_fields.items()
        )
        parts += ["Its keys at the top level of a suite:", table(["key", "default", "meaning"], keys)]
    return "\n\n".join(parts)


def _default(key: FieldInfo) -> str:
    """Nothing where the key is required, or where it is empty unless a suite sets it."""
    default = None if key.is_required() else key.get_default(call_default_factory=True, validated_data={})
    return code(str(default)) if default not in (None, {}, [], ()) else ""


def metrics() -> str:
    better = {True: "higher", False: "lower", None: "neither"}
    rows = (
        (
            code(name),
            sentence(metric.about),
            metric.brackets,
            better[metric.higher_is_better],
            ", ".join(
                note
                for note, holds in (
                    ("needs a baseline", metric.needs_baseline),
                    ("corrected by labels", metric.corrects),
                    ("not a share", not metric.is_share),
                )
                if holds
            ),
        )
        for name, metric in METRICS.items()
        if _ours(metric)
    )
    return table(["metric", "meaning", "in brackets", "better", "notes"], rows)


def formats() -> str:
    rows = (
        (
            code(name),
            f"[{format.heading}]({'' if format.published else 'suite-format.md'}{_anchor(format.heading)})",
            "yes" if format.preset else "",
        )
        for name, format in FORMATS.items()
        if type(format).__module__.startswith("mtprobe.")
    )
    overview = table(["format", "what it reads", "`mtprobe import`"], rows)
    return f"{overview}\n\n{formats_reference()}"


def models() -> str:
    rows = ((code(backend.kind), backend.about) for backend in listed() if backend.origin == "mtprobe")
    return table(["kind", "what it is"], rows)


def _ours(thing: object) -> bool:
    return type(thing).__module__.startswith("mtprobe.")


def _anchor(heading: str) -> str:
    """As the site's table of contents makes it."""
    from markdown.extensions.toc import slugify

    return f"#{slugify(heading.replace('`', ''), '-')}"
