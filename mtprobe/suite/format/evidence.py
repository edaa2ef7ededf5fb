"""The keys of samples: the sentence, and what makes a translation of it right or wrong."""

from __future__ import annotations

from pydantic import Field

from mtprobe.suite.format.cues import Cues
from mtprobe.suite.format.fields import Attribute, Language, Strict, Text, Texts
from mtprobe.suite.format.lexical import Lemmas, Senses
from mtprobe.suite.format.sides import SidesOrChoices, TargetSides


class Evidence(Strict):
    """What tells a right translation from a wrong one. Each method reads its own keys, so that one sample can serve several methods."""

    category: str | None = None
    """The group that the sample counts for; one of `categories`."""
    attributes: dict[str, Attribute] = Field(default_factory=dict)
    """More that is known about the sample, for gates and for the report: `pos: verb`, `sense_rank: 3`."""
    cues: Cues | None = None
    """Contrastive conditioning: words of the source language, put before the focus. A cue that contains `<>` says where the focus goes, `<> (a woman)`, or what replaces it, `<longed for>`."""
    sources: SidesOrChoices | None = None
    """Contrastive conditioning: whole contrastive sources, where a cue word does not work."""
    targets: dict[Language, TargetSides] | None = None
    """Minimal pairs: whole sentences of the target language, by language."""
    lemmas: dict[Language, Lemmas] | None = None
    """Lexicon: words of the target language, by language."""
    senses: Senses | None = None
    """Lexicon: the senses of the word in the focus, the most frequent first, or each with its rank by frequency. The attribute `sense` says which of them is meant; `sense_rank` and `polysemy` are derived from them."""
    references: dict[Language, Texts] | None = None
    """Whole translations that are known to be right, by language."""
    fillers: TargetSides | None = None
    """Masked language models: right and wrong fillers for the gap `_` of the source. The filled sentences are targets in the source's own language."""
    triggers: Texts | None = None
    """The words of the source that decide which target is right, for `mtprobe salience`."""


class SampleModel(Evidence):
    """One sentence to translate, with what makes a translation right or wrong."""

    id: Text | None = None
    """A name that stays the same when other samples come or go. By default made from the source's words."""
    source: Text
    """The sentence. `<…>` marks the focus, at most once; `\\<` is a literal `<`."""
