"""The `data:` entries of public test sets."""

from __future__ import annotations

from typing import ClassVar, Literal

from mtprobe.suite.format.entry import Data
from mtprobe.suite.format.fields import Language, Name, Text


class WinoMT(Data):
    """WinoMT: sentences about two people, of whom a pronoun tells one's gender."""

    KNOWN: ClassVar[tuple[str, ...]] = ("occupation", "stereotype", "copy")

    format: Literal["winomt"]
    """Lines of gender, index, sentence, occupation and perhaps stereotype, separated by tabs."""
    file: Text
    """`test.tsv`, `en.txt`, `en_pro.txt` or `en_anti.txt`."""
    stereotype: Literal["pro", "anti"] | None = None
    """For files without that column: what all of their sentences are."""
    neutral: Literal["omit", "keep"] = "omit"
    """Whether sentences that tell no gender are left out, or kept with the category `neutral`."""


class MuCoW(Data):
    """MuCoW, the translation suite: sentences with an ambiguous word, and the lemmas of its right and wrong translations."""

    KNOWN: ClassVar[tuple[str, ...]] = ("word", "sense", "corpus")

    format: Literal["mucow"]
    """Parallel files: the n-th line of each belongs to the n-th item."""
    text: Text
    """The sentences, `en-de.text.txt`."""
    key: Text
    """`en-de.key.txt`: id, corpus, word, correct and incorrect lemmas, separated by tabs."""
    references: Text | None = None
    """Translations by people, `en-de.ref.txt`."""
    cues: Text | None = None
    """Cues for contrastive conditioning, `en-de.insertions.roberta-large.jsonl`; items without any are left out."""
    frequencies: Text | None = None
    """Which senses are frequent, `frequency_categories.json`: sets the category, `frequent` or `rare`; items without one are left out."""
    target: Language | None = None
    """The language of lemmas and references; by default the suite's only target language."""


class Contrastive(Data):
    """Translations of a sentence of which one is right; what all formats of that kind share."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin",)

    target: Language | None = None
    """The language of the translations; by default the suite's only target language."""
    category: Name | None = None
    """The attribute that becomes the samples' category; the suite declares its values in `categories`."""


class DistilLingEval(Contrastive):
    """DistilLingEval: minimal pairs of one phenomenon, from human or from machine references."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "phenomenon")

    format: Literal["distil-lingeval"]
    """A folder with the parallel files `src.en`, `tgt.correct.de` and `tgt.incorrect.de`."""
    folder: Text
    """Named after the phenomenon and the origin: `clause_omission.human`, `clause_omission.mt`."""


class LingEval97(Contrastive):
    """LingEval97: references with one error put in; every error is a sample."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "type", "sentence", "distance", "frequency")

    format: Literal["lingeval97"]
    """A JSON array of sentences with their `errors`."""
    file: Text
    """`lingeval97.json`."""


class MuCoWScoring(Contrastive):
    """MuCoW, the scoring suite: a reference and variants of it with another sense of a word."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "word", "sense", "corpus")

    format: Literal["mucow-scoring"]
    """A JSON array of sentences with their `errors`; the reference must beat all of them."""
    file: Text
    """`cs-en.mucow.scoring.json`."""


class ContraWSD(Contrastive):
    """ContraWSD: a reference and variants of it with another sense of a word."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "word", "sense", "corpus", "frequency", "share")

    format: Literal["contrawsd"]
    """A JSON array of sentences with their `errors`; the reference must beat all of them."""
    file: Text
    """`ContraWSD.de-en.json`."""


class ContraPro(Contrastive):
    """ContraPro: a reference and variants of it with another pronoun. Sentences are read without their context."""

    KNOWN: ClassVar[tuple[str, ...]] = (
        "origin",
        "pronoun",
        "source_pronoun",
        "antecedent_distance",
        "intrasegmental",
    )

    format: Literal["contrapro"]
    """A JSON array of sentences with their `errors`; the reference must beat all of them."""
    file: Text
    """`contrapro.json`."""


class WinoX(Contrastive):
    """Wino-X: Winograd schemas whose two translations (MT) or filled gaps (LM) differ in what a pronoun refers to."""

    KNOWN: ClassVar[tuple[str, ...]] = (
        "origin",
        "schema",
        "gender",
        "gender_incorrect",
        "antecedent",
        "antecedent_incorrect",
    )

    format: Literal["wino-x"]
    """JSON Lines; whether they are of the MT or of the LM part is told from their keys."""
    file: Text
    """`en_de_test.jsonl`."""


class BLiMP(Contrastive):
    """BLiMP: grammatical and ungrammatical English sentences. They have no source; the right sentence stands in for it."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "paradigm", "phenomenon", "field")

    format: Literal["blimp"]
    """JSON Lines."""
    file: Text
    """`adjunct_island.jsonl`."""


class MTGenEval(Data):
    """MT-GenEval: pairs of sources and references that differ in gender; every source is a sample."""

    KNOWN: ClassVar[tuple[str, ...]] = ("origin", "pair")

    format: Literal["mt-geneval"]
    """Four parallel files: masculine and feminine sources and references."""
    folder: Text
    """The folder of `geneval-sentences-masculine-test.en_de.en` and the others."""
    split: Text = "test"
    """The part of their names between gender and languages."""
    target: Language | None = None
    """The language of the references; by default the suite's only target language."""


class GATE(Data):
    """GATE: sources that leave a person's gender open, with a feminine and a masculine translation."""

    KNOWN: ClassVar[tuple[str, ...]] = ("labels", "people", "split")

    format: Literal["gate"]
    """A header and lines of tab-separated columns: labels, source, f, m, kw_s, kw_f, kw_m, data_split."""
    file: Text
    """`ES_2_variants.tsv`."""
    target: Language | None = None
    """The language of the translations; by default the suite's only target language."""


class DiBiMT(Data):
    """Ambiguous words with good and bad translations, as DiBiMT has them: lemmas by language."""

    KNOWN: ClassVar[tuple[str, ...]] = ("word", "pos", "sense", "sense_rank", "polysemy")

    format: Literal["dibimt"]
    """A JSON array of items with `id`, `sentence`, `word`, `good` and `bad`, and perhaps `pos`, `sense`, `sense_rank`, `polysemy` and `senses`."""
    file: Text
    """A JSON file."""
