"""Words and their senses in YAML: each sense with its cues, lemmas and contexts; each context is a sample.

Evidence for one sense of a word is evidence against the others, so cues and lemmas are written once per sense.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from mtprobe.datasets.format import Format, read_guide
from mtprobe.errors import Place, SuiteError, did_you_mean
from mtprobe.suite.data import Item, Reading
from mtprobe.suite.format.data import Data
from mtprobe.suite.format.evidence import Lemmas, Lexemes, SampleModel, Sides
from mtprobe.suite.format.fields import Attribute, Language, Name, Strict, Text, Texts
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import read_tree


class Senses(Data):
    """Ambiguous words in YAML, with their senses: cues and lemmas are written once per sense."""

    KNOWN: ClassVar[tuple[str, ...]] = ("word", "sense", "sense_rank", "polysemy")

    format: Literal["senses"]
    """Each word with its senses, each sense with its category, rank, cues, lemmas and contexts."""
    file: Text
    """A YAML file."""
    attributes: list[str] = Field(default_factory=list)
    """The attributes in the file that derived attributes of the suite refer to."""


MOST_CUES = 1_000  # of all senses of a word: each is one more source to score a translation with
MOST_SENSES = 100  # of a word: evidence for each is evidence against all others


class SenseContext(Strict):
    """A sentence in which different lemmas are right or wrong than in the rest of its sense."""

    source: Text
    """The sentence; `<…>` marks the word."""
    good: dict[Language, Lexemes] = Field(default_factory=dict)
    """Lemmas that are right here besides those of the sense, by language."""
    bad: dict[Language, dict[Name, Lexemes]] = Field(default_factory=dict)
    """Lemmas that are wrong here besides those of the other senses, by language and by the sense they belong to."""


ContextOrText: TypeAlias = Annotated[
    Annotated[Text, Tag("text")] | Annotated[SenseContext, Tag("context")],
    Discriminator(lambda value: "context" if isinstance(value, dict | BaseModel) else "text"),
]


class Sense(Strict):
    """One sense of a word."""

    category: Text | None = None
    """The category of its samples."""
    rank: Annotated[int, Field(ge=1)] | None = None
    """Which sense of the word it is by frequency: 1 is the most frequent."""
    cues: Texts | None = None
    """Cues for this sense, and against the word's other senses; omitted if the suite names a file of cues."""
    lemmas: dict[Language, Lexemes] = Field(default_factory=dict)
    """Translations in this sense, by language; in the word's other senses they are wrong."""
    contexts: Annotated[dict[Name, ContextOrText], Field(min_length=1)] | None = None
    """Sentences in which the word has this sense, each with a short name for its id; `<…>` marks the word."""


SensesByName: TypeAlias = dict[str, Sense]


def _distinct(senses: SensesByName) -> SensesByName:
    if len(senses) < 2:
        raise PydanticCustomError("one_sense", "has one sense; a word needs two that can be confused")
    if len(senses) > MOST_SENSES:
        raise PydanticCustomError(
            "many_senses",
            f"has {len(senses):,} senses; the most ambiguous words have fewer than {MOST_SENSES}",
        )
    cues = sum(len(sense.cues or ()) for sense in senses.values())
    if cues > MOST_CUES:
        raise PydanticCustomError(
            "many_cues",
            f"has {cues:,} cues, each one more source to score; a word may have {MOST_CUES:,}, and a few are enough",
        )
    first: dict[str, str] = {}  # the sense of a cue
    for name, cue in ((name, cue) for name, sense in senses.items() for cue in sense.cues or ()):
        if first.setdefault(cue, name) != name:
            raise PydanticCustomError(
                "shared_cue",
                'has the cue "{cue}" for two senses, {first} and {name}; remove it from one of the two',
                {"cue": cue, "first": first[cue], "name": name},
            )
    without = [name for name, sense in senses.items() if sense.cues is None and not sense.lemmas]
    if without and any(sense.cues for sense in senses.values()):
        raise PydanticCustomError(
            "some_cues",
            'the sense "{name}" has no cues; give cues to all senses of a word, or to none',
            {"name": without[0]},
        )
    if not any(sense.contexts for sense in senses.values()):
        raise PydanticCustomError("no_context", "has no contexts; give one of its senses a sentence")
    for sense in senses.values():
        for context in (sense.contexts or {}).values():
            _check_context(context, senses)
    ranks = [sense.rank for sense in senses.values() if sense.rank is not None]
    if ranks and (len(ranks) < len(senses) or len(set(ranks)) < len(ranks)):
        raise PydanticCustomError("ranks", "give each sense its own rank, or none of them a rank")
    return senses


def _check_context(context: str | SenseContext, senses: SensesByName) -> None:
    if isinstance(context, SenseContext):
        for name in (name for by_sense in context.bad.values() for name in by_sense):
            if name not in senses:
                raise PydanticCustomError(
                    "sense",
                    'has no sense "{name}"{hint}',
                    {"name": name, "hint": did_you_mean(name, senses)},
                )


class WordList(Strict):
    """The content of a file of senses."""

    category: Text | None = None
    """The category of all samples whose sense has none."""
    attributes: dict[str, Attribute] = Field(default_factory=dict)
    """Attributes of all samples in the file: `pos: noun`."""
    polysemy: dict[Name, Annotated[int, Field(ge=2)]] = Field(default_factory=dict)
    """How many senses a word has, if it has more than are listed here."""
    either: dict[Name, dict[Language, Lexemes]] = Field(default_factory=dict)
    """For a word, its translations that fit both of its senses, by language: they show neither, as French *grue* for *crane*."""
    words: Annotated[dict[Name, Annotated[dict[Name, Sense], AfterValidator(_distinct)]], Field(min_length=1)]
    """Each word with its senses by name."""


def read(data: Senses, reading: Reading) -> Iterator[Item]:
    """A sample for each context, with the id `word/sense/context` and the attributes `word` and `sense`."""
    path = reading.find("file", data.file)
    try:
        tree = read_tree(path)
        lexicon: WordList = validated(tree, WordList)
    except SuiteError as error:
        yield Place(path), error
        return
    for key, words in (("polysemy", lexicon.polysemy), ("either", lexicon.either)):
        for word in words:
            if word not in lexicon.words:
                hint = did_you_mean(word, lexicon.words)
                place = tree.place((key, word))
                yield place, SuiteError.at(place, f'{key}: there is no word "{word}"{hint}')
    for word, senses in lexicon.words.items():
        for name, sense in senses.items():
            for key, context in (sense.contexts or {}).items():
                sample = _sample(word, name, key, context, lexicon)
                yield tree.place(("words", word, name, "contexts", key)), sample


def _sample(word: str, name: str, key: str, context: str | SenseContext, lexicon: WordList) -> SampleModel:
    senses = lexicon.words[word]
    sense = senses[name]
    attributes = {**lexicon.attributes, "word": word, "sense": name}
    if word in lexicon.polysemy:
        attributes["polysemy"] = lexicon.polysemy[word]
    return SampleModel(
        id=f"{word}/{name}/{key}",
        source=context.source if isinstance(context, SenseContext) else context,
        category=sense.category or lexicon.category,
        attributes=attributes,
        cues=_cues(senses, name),
        lemmas=_lemmas(senses, name, context, lexicon.either.get(word, {})) or None,
        senses={other: listed.rank for other, listed in senses.items() if listed.rank is not None} or None,
    )


def _cues(senses: Mapping[str, Sense], name: str) -> Sides | None:
    own = senses[name].cues
    others = [cue for other, sense in senses.items() if other != name for cue in sense.cues or ()]
    return Sides(correct=own, incorrect=others) if own and others else None


def _lemmas(
    senses: Mapping[str, Sense],
    name: str,
    context: str | SenseContext,
    either: Mapping[str, Sequence[str]],
) -> dict[str, Lemmas]:
    """Good and bad lemmas in each language that has both; what is good in the sentence is not bad there."""
    extra = context if isinstance(context, SenseContext) else SenseContext(source=context)
    by_language = {}
    for language in dict.fromkeys([*senses[name].lemmas, *extra.good]):
        wrong_here = extra.bad.get(language, {})
        excluded = {lemma.casefold() for lemmas in wrong_here.values() for lemma in lemmas}
        good = [lemma for lemma in senses[name].lemmas.get(language, ()) if lemma.casefold() not in excluded]
        good += [lemma for lemma in extra.good.get(language, ()) if lemma not in good]
        right = {lemma.casefold() for lemma in good}
        bad = {
            other: [
                lemma
                for lemma in (
                    *(sense.lemmas.get(language, ()) if other != name else ()),
                    *wrong_here.get(other, ()),
                )
                if lemma.casefold() not in right
            ]
            for other, sense in senses.items()
        }
        bad = {other: lemmas for other, lemmas in bad.items() if lemmas}
        if good and bad:
            also = {
                other: shared
                for other, sense in senses.items()
                if other != name and (shared := _shared(good, sense.lemmas.get(language, ())))
            }
            shows_neither = list(either.get(language, ())) or None
            by_language[language] = Lemmas(good=good, bad=bad, either=shows_neither, also=also)
    return by_language


def _shared(good: Sequence[str], lemmas: Sequence[str]) -> list[str]:
    """The good lemmas that another sense has too."""
    listed = {lemma.casefold() for lemma in lemmas}
    return [lemma for lemma in good if lemma.casefold() in listed]


FORMAT = Format(
    name="senses",
    heading="Words and their senses",
    entry=Senses,
    read=read,
    published=False,
    guide=read_guide("senses")
    .replace("«max_senses»", f"{MOST_SENSES:,}")
    .replace("«max_cues»", f"{MOST_CUES:,}"),
)
