"""Renders pages: one self-contained file each, in which external text is inert."""

from __future__ import annotations

import json
import re
import unicodedata
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mtprobe.gates.parse import Bound
from mtprobe.report import numbers as words
from mtprobe.statistics.measure import Measure

# Characters that change the text direction, are invisible or cannot be encoded. Joiners stay: scripts need them.
_CONTROLS = re.compile(
    r"([\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff])"
)
_IN_BACKTICKS = re.compile(r"`([^`]+)`")
_CONTROL = Markup('<span class="control" title="{}">{}</span>')


def render(
    template: str, context: Mapping[str, Any], styles: Sequence[str], scripts: Sequence[str] = ()
) -> str:
    """The page. Its content policy allows these styles and scripts, joined in order, and nothing else."""
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        loader=PackageLoader("mtprobe.report.html"),
        finalize=_plain,
    )
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.filters.update(visible=_visible, prose=_prose, share=_share, interval=_interval, minus=_minus)
    environment.filters.update(shade=_shade, compact=_compact, bounds=words.bounds, signed=_signed)
    folder = resources.files("mtprobe.report.html") / "templates"
    style, code = (
        "".join((folder / name).read_text(encoding="utf-8") for name in names) for names in (styles, scripts)
    )
    return environment.get_template(template).render(
        **context, style=style, script=code, style_hash=_hash(style), script_hash=_hash(code)
    )


def _hash(text: str) -> str:
    """The text's hash for the page's content policy."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def _shade(share: float | None) -> str:
    """A share as a class of the style sheets: 0 to 10, or none."""
    return "none" if share is None else str(round(share * 10))


def _minus(text: str) -> str:
    """A number with a true minus sign."""
    return text.replace("-", "−")


def _share(value: float | None, bound: float | None = None) -> str:
    return _minus(words.share(value, bound))


def _interval(measure: Measure, bound: Bound | None = None) -> str:
    return _minus(words.interval(measure, bound))


def _signed(value: float) -> str:
    """`+0.38`, with a true minus sign."""
    return _minus(f"{value:+z.2f}")


def _compact(value: object) -> str:
    """JSON as JavaScript writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _visible(text: object) -> Markup:
    """Escaped text with visible stand-ins for control characters."""
    return Markup("").join(
        _CONTROL.format(unicodedata.name(part, "control character"), _plain(part)) if odd % 2 else part
        for odd, part in enumerate(_CONTROLS.split(str(text)))
    )


def _prose(text: object) -> Markup:
    """The same, with what is `in backticks` as code."""
    return Markup("").join(
        Markup("<code>{}</code>").format(_visible(part)) if odd % 2 else _visible(part)
        for odd, part in enumerate(_IN_BACKTICKS.split(str(text)))
    )


def _plain(value: Any) -> Any:
    """The same for everything a template outputs, attributes included: no control character gets into the page."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return _CONTROLS.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", value)
