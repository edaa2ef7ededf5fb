"""docs/suite-format.md: a hand-written frame around tables that are made from the models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from mtprobe.methods import METHODS
from mtprobe.metrics import METRICS
from mtprobe.suite import data, entry, lexical, model, public
from mtprobe.suite.fields import LANGUAGE_PATTERN
from mtprobe.suite.limits import MAX_BYTES, MAX_DATA_BYTES
from mtprobe.suite.slots import MAX_COMBINATIONS

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
    page = FRAME
    for owner in SECTIONS:
        page = page.replace(f"«{owner.__name__}»", _section(owner))
    return (
        page.replace("«methods»", ", ".join(f"`{name}`" for name in METHODS))
        .replace("«metrics»", "\n".join(_metrics()))
        .replace("«max_bytes»", f"{MAX_BYTES / 1e6:.0f} MB")
        .replace("«max_data_bytes»", f"{MAX_DATA_BYTES / 1e9:.0f} GB")
        .replace("«max_combinations»", f"{MAX_COMBINATIONS:,}")
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
    for metric, about in METRICS.items():
        brackets = "a category, attributes"
        if metric in ("gap", "group_error"):
            brackets = "an attribute"
        elif metric == "chosen":
            brackets = "a choice, attributes"
        elif metric == "bias":
            brackets = "an attribute of targets"
        elif metric.startswith("minimum") or metric == "audit_accuracy":
            brackets = ""
        yield f"| `{metric}` | {about} | {brackets} |"


FRAME = """\
<!-- Made by `mtprobe schema --markdown -o docs/suite-format.md`; change mtprobe/suite/reference.py instead. -->

# The suite format

A suite is one YAML file, `NAME.mt.yaml`. It asks one question about a translation model, brings the sentences
that the question is asked with, and says which answer is good enough. You do not need to know any Python to
write one:

    mtprobe new suite doctors.mt.yaml     # start from a commented example
    mtprobe expand doctors.mt.yaml        # see every sample, with its contrastive sources
    mtprobe lint doctors.mt.yaml          # find mistakes, and what is probably one
    pytest --mt-model=demo doctors.mt.yaml

Every mistake is reported with its file, line and column, and with what would be right:

    doctors.mt.yaml:14:5: samples[3].categry: unknown key; did you mean "category"?

**Contents:** [Two examples](#two-examples) · [The suite](#the-suite) · [Languages](#languages) ·
[Samples](#samples) · [What tells right from wrong](#what-tells-right-from-wrong) ·
[Focus and cues](#focus-and-cues) · [Open categories](#open-categories) · [Templates](#templates) · [Slots](#slots) ·
[Derived attributes](#derived-attributes) · [Data files](#data-files) · [Audit pairs](#audit-pairs) ·
[Gates](#gates) · [Ids, take and clusters](#ids-take-and-clusters) · [Traps of YAML](#traps-of-yaml) · [In an editor](#in-an-editor)

## Two examples

A suite made from templates. Each combination of an occupation and a possessive is a sample:

```yaml
mtprobe: 1
name: gendered-occupations
about: Does the translation give a person the gender that the sentence implies?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female]
cluster: occupation            # sentences about one occupation are not independent of each other
cues:                          # "the woman nurse" or "the man nurse": what each reading would say
  male:   {correct: man,   incorrect: woman}
  female: {correct: woman, incorrect: man}
gates:
  minimum_accuracy: ">= 0.60"  # the worse of the two categories
  accuracy[female]: ">= 0.60"
  gap: "<= 0.20"               # between male and female
  gap[stereotype]: "<= 0.10"   # between sentences that fit the cliché and those that do not
  pt: {minimum_accuracy: ">= 0.70"}
generate:
  - source: The <{occupation}> finished {possessive} shift early.
    slots:
      occupation:
        doctor: {typical: male}
        nurse: {typical: female}
      possessive:
        her: {category: female}
        his: {category: male}
    attributes:
      stereotype: {pro: typical == category, anti: typical != category}
```

A suite of single samples. Each brings its own evidence; this one has all three kinds, so that several methods can
judge it:

```yaml
mtprobe: 1
name: kitchen-words
about: Are everyday words of the kitchen translated in the right sense?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [frequent, rare]
gates:
  accuracy: ">= 0.70"
samples:
  - id: avocado-starter
    source: We ought to have avocados as a <starter>.
    category: rare
    cues:                      # words of the source language, put before the focus
      correct: [dinner, appetizer]
      incorrect: [motor]
    lemmas:                    # words of the target language
      de: {good: [Vorspeise], bad: [Anlasser, Starter]}
    targets:                   # whole sentences of the target language
      de:
        correct: Wir sollten Avocados als Vorspeise haben.
        incorrect: Wir sollten Avocados als Anlasser haben.
```

## The suite

«SuiteModel»

Give either `method` or `methods` («methods»), and at least one of `samples`, `generate` and `data`.

```yaml
mtprobe: 1
name: doctors
about: Is a woman doctor still a woman in the translation?
languages: {source: en, targets: [de, pt]}
method: contrastive-conditioning
categories: [male, female]
gates: {"accuracy[female]": ">= 0.60"}
samples:
  - source: The <doctor> lost her keys.
    category: female
    cues: {correct: woman, incorrect: man}
marks: [nightly]
```

## Languages

«Languages»

Tags are those of BCP 47: `en`, `pt-BR`, `zh-Hans`. What one side leaves open fits anything: a suite for `pt`
is run on a model into `pt-BR` or `por_Latn`, and a suite for `pt-BR` on a model that says only `pt`; but
`pt-PT` and `pt-BR`, or `zh-Hans` and `zh-Hant`, do not fit each other. Both Norwegians, `nb` and `nn`, fit `no`.

```yaml
languages: {source: en, targets: [de, pt-BR, no]}
```

(`no` is Norwegian, with or without quotes: only `true` and `false` are truth values.)

## Samples

«SampleModel»

A sample also has the keys of the next section.

```yaml
samples:
  - id: lost-keys
    source: The <doctor> lost her keys.
    category: female
    attributes: {pos: noun, sense_rank: 1}
```

## What tells right from wrong

«Evidence»

Where the suite declares `categories`, every sample has one of them.

### Correct and incorrect

«Sides»

```yaml
cues:
  correct: [dinner, appetizer]
  incorrect: motor
```

### Targets

Correct and incorrect ones as above, and what tells them apart:

«TargetSides»

```yaml
targets:
  de:
    correct: Der Koffer passt nicht, weil er zu groß ist.
    incorrect: Der Koffer passt nicht, weil sie zu groß ist.
    variants:
      gender: {correct: masculine, incorrect: feminine}
```

### Variants of targets

«VariantValues»

Where the values are words, the suite declares their order: `variants: {gender: [masculine, feminine, neuter]}`.
Numbers are their own order. The gate `bias[gender]` then asks whether the model prefers targets of one kind.

### Fillers

The source may have a gap, one `_`, and `fillers` for it: what is right there and what is wrong, and as with
[targets](#targets) their `variants`. Each filler makes a whole sentence, with its capital where it opens the sentence and
with *a* or *an* made to fit before it. These sentences are targets in the source's own language: such a suite says
`languages: {source: de, targets: de}` and asks language models (`mlm:`), which are shown no source.

```yaml
method: masked-lm
samples:
  - source: The trophy does not fit into the suitcase because _ is too large.
    fillers: {correct: the trophy, incorrect: the suitcase}
```

### Triggers

The words of a source that tell which target is right; `mtprobe salience` asks whether the model sees them
([how](salience.md)). Capitals do not matter; a phrase stands for all of its words.

```yaml
    source: The trophy does not fit into the suitcase because <it> is too large.
    triggers: large
```

### Lemmas

«Lemmas»

```yaml
lemmas:
  de: {good: [Vorspeise], bad: [Anlasser, Starter]}
  pt: {good: [entrada], bad: [motor de arranque]}
```

With the wrong lemmas by sense, and the senses by frequency, a report also tells which senses a model falls back on
(`mfs`, `mfs_plus`) and how its errors go with rank and polysemy (`sfii`, `spdi`; see [The lexicon method](lexicon.md)):

```yaml
samples:
  - source: He poured himself a <shot> of whiskey.
    attributes: {word: shot, pos: noun, sense: drink}
    senses: [gunshot, photograph, injection, drink]    # the most frequent first; or {gunshot: 1, drink: 9}
    lemmas:
      de:
        good: [Schluck, Schlückchen, Kurzer, einen * heben]
        bad:
          gunshot: Schuss
          photograph: [Aufnahme, Foto]
          injection: [Spritze, Injektion]
```

## Focus and cues

`<…>` marks the *focus*: the word that the question is about. It may stand once in a sentence, so that it is
clear which word is meant where one stands twice, and in whatever form it has there. A plain sign is written
`\\<` or `\\>`.

A *cue* is put before the focus and forces one reading of the sentence. What comes out is a *contrastive source*:
contrastive conditioning asks which of them the translation fits better. `mtprobe expand` shows them all.

| source | cue | contrastive source |
|---|---|---|
| The \\<doctor\\> left. | `woman` | The woman doctor left. |
| I met an \\<accountant\\>. | `woman` | I met a woman accountant. |
| \\<Doctors\\> left. | `women` | Women doctors left. |
| The \\<doctor\\> left. | `<> (a woman)` | The doctor (a woman) left. |
| I met the \\<doctor\\>. | `<>, a woman,` | I met the doctor, a woman. |
| We \\<missed\\> him. | `<longed for>` | We longed for him. |

In an English source *a* and *an* are made to fit, by sound: *an hour*, *a university*, *an MP*. A cue that opens
the sentence takes its capital over; in German every noun keeps its own. A cue with `<>` in it says itself where
the focus goes; one with `<…>` around words takes its place, which serves verbs.

Cues are looked for in this order: the sample's own; those of the suite, for the sample's category or from a
[file](#cues-from-a-file). Where no word
will do, `sources` gives the contrastive sources as whole sentences. Write these in block style: in flow style
(`[…]`) a comma splits a sentence in two.

```yaml
    sources:
      correct: We ought to have avocados before the meal, as a starter.
      incorrect: We ought to have avocados as a starter motor.
```

### Cue forms

Which words make an evaluator see a woman or a man? That differs with the evaluator and with the language. A suite may
bring several forms of its cues; a run uses one of them, and `mtprobe audit` tells on [audit pairs](#audit-pairs) which
one the evaluator understands ([how](audit.md)):

```yaml
cue_forms:
  noun:                            # "the woman doctor"
    male:   {correct: man,   incorrect: woman}
    female: {correct: woman, incorrect: man}
  behind:                          # "the doctor (a woman)"
    male:   {correct: <> (a man),   incorrect: <> (a woman)}
    female: {correct: <> (a woman), incorrect: <> (a man)}
cues: noun                         # the first, if nothing is said
```

### Cues from a file

«CueFile»

For words with several senses, where cues go by the sense of a word and not by category:

    {"word": "bank", "sense": "river", "correct": ["muddy", "steep"], "incorrect": ["savings", "central"]}
    {"word": "bank", "sense": "money", "correct": ["savings", "central"], "incorrect": ["muddy", "steep"]}

```yaml
cues: {file: cues.jsonl}           # for samples with attributes: {word: bank, sense: river}
```

A sample takes the cues of its own word and sense, unless it brings cues or `sources` itself. [`mtprobe cues`](cues.md)
writes such files; what it says under `about` is for people to read. Lines may be added and changed by hand.

## Open categories

Some sentences leave it open what is meant: of *the nurse who forgot their umbrella*, neither *the man nurse* nor *the
woman nurse* is the right reading. The cues of such a category name its *choices*, which are other categories,
instead of `correct` and `incorrect`. The translation is scored under each; the best one is what it chose.

```yaml
mtprobe: 1
name: somebody
about: Whom does the translation make of a person of whom nothing is said?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [male, female, neutral]
cues:
  male:    {correct: man,   incorrect: woman}
  female:  {correct: woman, incorrect: man}
  neutral: {male: man, female: woman}       # open: no answer is right
gates:
  accuracy[female]: ">= 0.60"
  chosen[male]: "<= 0.70"                   # the share of masculine translations of neutral sentences
  chosen[female]: "<= 0.70"
samples:
  - {source: The <nurse> forgot her umbrella., category: female}
  - {source: The <nurse> forgot their umbrella., category: neutral}
```

A choice is counted, not judged: an open sample is `open`, and stands outside of every accuracy and of `gap`. A degenerate
translation of it is still degenerate, and has made no choice. A sample may bring choices of its own, in `cues` or in
`sources`; a category is open for all of its samples or for none.

## Templates

«Template»

A template also has the keys of [What tells right from wrong](#what-tells-right-from-wrong), and slots may stand
in them too.

```yaml
generate:
  - id: early-shift
    source: The <{occupation}> finished {possessive} shift early.
    slots:
      occupation: [doctor, nurse]
      possessive:
        her: {category: female}
        his: {category: male}
    except:
      - {occupation: nurse, possessive: his}
```

## Slots

`{name}` in a template stands for each value of the slot `name` in turn; every combination is a sample. A plain
brace is written twice: `{{`. A slot's values are

- a list of words: `occupation: [doctor, nurse]`
- a mapping from words to what is known of them: `doctor: {typical: male}`. These become attributes of the
  sample. The attribute `category` sets the sample's category;
- or a file.

Slots under the suite's own `slots` may be used by every template; a template's own come first. The value of a slot
is an attribute of the sample as well (`occupation` is `doctor`).

**Values that carry the same attribute agree on it.** With the slots below, *she* goes with *her* and *he* with
*his*; *she … his* is not made:

```yaml
slots:
  subject:    {she: {category: female}, he: {category: male}}
  possessive: {her: {category: female}, his: {category: male}}
```

`except` leaves out more combinations. A word that opens the sentence gets a capital, and in English *a* and *an*
before a slot are made to fit: `a {occupation}` becomes *an engineer*. At most «max_combinations» combinations
are written out for one template.

### A slot's values from a file

«SlotFile»

```yaml
slots:
  occupation: {file: occupations.txt}
```

## Derived attributes

An attribute may be told from others: each value with the condition under which it holds. The first that holds
counts; where none does, the sample does not have the attribute. Under the suite's `attributes` this goes for every
sample, under a template's for its own.

```yaml
attributes:
  stereotype: {pro: typical == category, anti: typical != category}
  rarity: {frequent: sense_rank == 1, rare: sense_rank > 1}
```

Conditions use `==`, `!=`, `<`, `<=`, `>`, `>=`, `in [a, b]`, `not`, `and`, `or` and brackets, over attributes, slots,
`category` and their values. A value that is not one plain word is put in quotes (`pos == 'proper noun'`), and so is
one that stands in a data file only. What a sample does not have equals nothing: `typical != category` does not
hold where there is no `typical`.

## Data files

«Data»

### JSON Lines

«JsonLines»

Each line is a sample with the keys of [Samples](#samples) and of
[What tells right from wrong](#what-tells-right-from-wrong):

    {"source": "The <nurse> lost his keys.", "category": "male", "attributes": {"pos": "noun"}}

The suite's `cues` and derived attributes apply to it. A suite itself may have «max_bytes»; a data file may have
«max_data_bytes».

```yaml
data: {file: samples.jsonl, attributes: [pos]}
```

### Words and their senses

«Senses»

    # nouns.yaml
    attributes: {pos: noun}                 # of every sample in this file
    words:
      bat:
        animal:
          category: frequent
          cues: [furry, nocturnal, vampire]
          contexts:
            cave: The <bat> hung upside down in the cave and slept until sunset.
        club:
          category: rare
          cues: [baseball, cricket, willow]
          contexts:
            fence: He swung the <bat> and hit the ball over the fence.
            hall: My old <bat> hangs in the hall of the sports club.

Each context is a sample with the id `bat/animal/cave`, and with `word` and `sense` among its attributes. The cues of
its own sense are the correct ones, those of the word's other senses the incorrect ones. Give each sense equally many:
the best cue of a side counts, so the longer side would have the better chance. A word whose senses have no cues takes
them from the file that the suite names ([Cues from a file](#cues-from-a-file)).

For the method `lexicon` a sense has `lemmas` by language, and perhaps its `rank` by frequency. The lemmas of its own
sense are good, those of the word's other senses bad, each known by its sense; a sense may have no contexts and be there
for its lemmas alone. A context may be a mapping, where other lemmas are right or wrong than in the rest of the sense:

    category: noun                          # of every sample in this file whose sense has none of its own
    polysemy: {shot: 17}                    # where a word has more senses than stand here
    words:
      shot:
        gunshot:
          rank: 1
          lemmas: {de: Schuss, es: [disparo, tiro]}
        drink:
          rank: 9
          lemmas: {de: [Schluck, Kurzer], es: [trago, chupito]}
          contexts:
            whiskey: He poured himself a <shot> of whiskey.
            bar:
              source: She drank three <shots> at the bar.
              good: {de: Schnaps}
              bad: {de: {gunshot: Schuss}}

```yaml
data:
  - {file: nouns.yaml, format: senses}
  - {file: verbs.yaml, format: senses}
```

### Pairs of targets

«Pairs»

    # negation.yaml
    attributes: {phenomenon: negation}      # of every sample in this file
    pairs:
      bakery:
        source: The bakery is not open on Sundays.
        human: A padaria [não|] funciona aos domingos.
        machine: A padaria [não|] está aberta aos domingos.

Brackets hold what tells the targets apart, the right one first; a second `|` brings a second wrong target. Several
brackets in a sentence change together: `[A médica|O médico] estava [cansada|cansado].` The first target is the sample
`negation/bakery/human`, named after the file too, with the category `human`; the other one has the category
`machine`. Both have the attribute `pair`, which makes a good `cluster`. How to write pairs:
[minimal pairs](minimal-pairs.md).

```yaml
languages: {source: en, targets: pt}
categories: [human, machine]
cluster: pair
data: {file: negation.yaml, format: pairs}
```

### Winograd schemas

«Schemas»

    # schemas.yaml
    schemas:
      trophy:
        source: The trophy did not fit into the bag because it was too {big|small}.
        targets:
          de:
            sentence: Der Pokal passte nicht in die Tasche, weil [er|sie] zu {groß|klein} war.
            antecedents: {Pokal: masculine, Tasche: feminine}

A schema is two samples, `trophy/big` and `trophy/small`. With the first word in braces the pronoun stands for the first
noun, and the first alternative in brackets is right; with the second, the second. Brackets may stand inside of braces, where
the word agrees: `{[velho|velha]|[novo|nova]}`. Attributes: `schema`, which makes the `cluster`; `trigger`, the word in
braces, which is also the sample's `triggers`; `antecedent`, 1 or 2: whether the noun that is meant comes first or
second. The targets differ in `gender`, as `antecedents` tells it, and in `position`, 1 or 2.

```yaml
languages: {source: en, targets: [de, pt]}
cluster: schema
variants: {gender: [masculine, feminine, neuter]}
ties: incorrect
data: {file: schemas.yaml, format: schemas}
```

### WinoMT

«WinoMT»

The categories are `male` and `female`, and `neutral` where these sentences are kept; the focus is the occupation, in
front of which the suite's `cues` are put. Of sentences that stand twice, the second has the attribute `copy`.

```yaml
data: {format: winomt, file: winomt/test.tsv}
```

### MuCoW, the translation suite

«MuCoW»

The focus is the ambiguous word: where it stands by itself, else with a capital, in a compound, or with an ending; the
first of these. The category is that of the correct lemmas.

```yaml
data:
  format: mucow
  text: mucow/en-de.text.txt
  key: mucow/en-de.key.txt
  references: mucow/en-de.ref.txt
  cues: mucow/en-de.insertions.roberta-large.jsonl
  frequencies: mucow/frequency_categories.json
  target: de
  missing: skip
```

### Contrastive translations

«Contrastive»

These samples carry `targets`, one right and one or several wrong, and attributes: `origin` (`human` or `machine`: who
wrote the right one), and what the set tells. Sets differ in what a tie counts as, which a suite says with `ties`:
DistilLingEval counts it as correct, the others as incorrect. Their formats:

#### DistilLingEval

«DistilLingEval»

```yaml
data:
  - {format: distil-lingeval, folder: distil-lingeval/clause_omission.human, target: de}
  - {format: distil-lingeval, folder: distil-lingeval/clause_omission.mt, target: de}
```

Attributes: `phenomenon`, and `origin`, which shows both side by side.

#### LingEval97

«LingEval97»

Attributes: `type` of the error, `sentence` (test set and number), `distance`, `frequency`.

#### MuCoW, the scoring suite

«MuCoWScoring»

Attributes: `word`, `sense`, `corpus`.

#### ContraWSD

«ContraWSD»

Attributes: `word`, `sense`, `corpus`, `frequency` of the sense in training data, and its `share` among the word's senses.

#### ContraPro

«ContraPro»

Attributes: `pronoun`, `source_pronoun`, `antecedent_distance` (in sentences), `intrasegmental`.

#### Wino-X

«WinoX»

Attributes: `schema`, which both sentences of a schema share; `gender` of the right pronoun and `gender_incorrect` of the
wrong one (`masculine`, `feminine`, `neuter`; the MT part); `antecedent` and `antecedent_incorrect`, 1 or 2: whether the
noun that is referred to comes first or second. In the LM part the targets are the sentence with its gap filled.

#### BLiMP

«BLiMP»

Attributes: `paradigm`, `phenomenon`, `field`.

### MT-GenEval

«MTGenEval»

The categories are `male` and `female`; the reference of the other gender is the incorrect target. Both samples of a line
share the attribute `pair`.

```yaml
data: {format: mt-geneval, folder: mt-geneval, split: test, target: de}
```

### GATE

«GATE»

The categories are `person` and `people`, for nouns in the singular and in the plural; give them cues for choices, for no
answer is right there. Both translations are `references`, the feminine one first. The focus is the head of the first key
word; sentences in which it is a pronoun or is not found are left out. Attributes: `labels`, `people` (how many), `split`.

### DiBiMT

«DiBiMT»

`good` and `bad` are lists of lemmas by language; languages that lack one of them are left out. `bad` may have its lemmas
by sense, and `senses` list the word's senses as in [a sample](#lemmas). `*` in a lemma takes any number of words. Attributes: `word`, `pos`, `sense`, `sense_rank` (1 is the most frequent sense), `polysemy` (how many
senses the word has).

    [{"id": "shot-1", "sentence": "He took a shot at the goal.", "word": "shot", "pos": "NOUN", "sense_rank": 2,
      "polysemy": 9, "good": {"de": ["Schuss"]}, "bad": {"de": ["Spritze", "Foto * Kamera"]}}]

### Suites of public test sets

`mtprobe import winomt FILE -o DIR` makes a suite of such files that can be edited, with the samples as JSON Lines;
keys are given as `KEY=VALUE`. [suites/README.md](../suites/README.md) says where the public test sets are found.

## Audit pairs

«AuditPairModel»

Give either `source` or `sample`. For a suite whose cues go by category, write sentences that leave the reading open,
and for each category a translation that has it:

```yaml
audit:
  pt:
    - source: The <doctor> was tired.
      targets:
        male: O médico estava cansado.
        female: A médica estava cansada.
```

For a suite whose samples bring their own cues, name the sample; `correct` is a translation in the right sense,
`incorrect` one in the wrong sense, and best the two differ in nothing else:

```yaml
audit:
  pt:
    - sample: bat/animal
      targets:
        correct: O morcego voou para fora da caverna.
        incorrect: O taco voou para fora da caverna.
```

Pairs whose focus is the same word (or whose samples share a cluster) are not independent of each other: better one
sentence more about another word than about the same.

### Audit pairs from a file

«AuditFile»

```yaml
audit:
  pt: {file: audit/pt.yaml}
```

## Gates

A gate is a metric and a bound. Each gate is a test: it passes or fails.

```yaml
gates:
  accuracy: ">= 0.60"                           # of all samples
  accuracy[female]: ">= 60%"                    # of a category
  accuracy[female, stereotype=anti]: ">= 0.50"  # … and of an attribute's value
  gap: "<= 0.20"                                # between categories
  gap[stereotype]: "<= 0.10"                    # between the values of an attribute
  minimum_accuracy: ">= 0.60 @95%"              # decided on the confidence interval
  degenerate: "<= 2%"
  chosen[male]: "<= 0.70"                       # of an open category: how often this was chosen
  regression[female]: "<= 0.02"                 # against a baseline: how much accuracy may be lost
  pt:                                           # for models into Portuguese
    minimum_accuracy: ">= 0.70"
```

«metrics»

*Decided* is a sample that was judged correct or incorrect, or whose translation is *degenerate*: empty, copied from
the source, in the wrong language, or without end. A degenerate translation is never correct.

**Bounds** are shares between 0 and 1, or per cent. Put them in quotes: `>` alone means something else in YAML.
Without `@` the number itself is compared. With `@95%` the 95 % confidence interval is: the gate passes when all of
the interval keeps the bound, fails when none of it does, and is *undecided* when the bound lies inside; then the
report says how many samples would decide it.

**Regression** is accuracy in the baseline (`pytest --mt-baseline=RECORD`) less accuracy now, over the samples that both
runs decided; a gain is negative. Samples are compared where id, source and evidence are the same, and those that cannot
be are counted. With `@95%` the interval of the paired difference decides. Where a run has such gates and no
baseline is named, nothing runs; `--mt-baseline=none` skips them, as the first run has to. `mtprobe bless` makes a baseline.

**For one language** a gate takes the place of the general one with the same name, on models into that language.

### A gate with more than a bound

«GateModel»

### A known failure

«XfailModel»

```yaml
gates:
  gap[stereotype]:
    bound: "<= 0.10"
    xfail: {reason: The model was trained on news only., until: 2027-01-31}
```

## Ids, take and clusters

**Ids** are made from the words of a sentence (`the-doctor-lost-her-keys`) or from a template's id and the values of its
slots (`early-shift/doctor/her`), never from the position: adding a sample or a value renames no other. Two samples
with the same words need an `id`.

**`take: 100`** keeps 100 samples, chosen by a hash of `seed` and id: the same ones each time, and among the 200 that
`take: 200` would keep. `pytest --mt-take 100` does it for one run.

**Clusters** are samples that stand and fall together, such as all sentences about one occupation. The confidence
intervals take that into account. `cluster` names the slot or attribute; without it, the slot in the focus counts, or
the attribute `lemma`, or the word in the focus.

## Traps of YAML

| written | what YAML reads | write |
|---|---|---|
| `gap: >= 0.2` | the start of a block of text | `gap: ">= 0.2"` |
| `{accuracy[female]: ">= 0.6"}` | a list inside a key | `{"accuracy[female]": ">= 0.6"}`, or one gate a line |
| `source: Note: the <doctor> left.` | a mapping inside of a text | `source: "Note: the <doctor> left."` |
| `source: {who} lost the <keys>.` | a mapping | `source: "{who} lost the <keys>."` |
| `correct: [Before we left, we ate.]` | two texts | a text in block style, or in quotes |
| `source: We are #1.` | *We are*, and a comment | `source: "We are #1."` |
| `"1 \\< 2"` | a mistake: `\\<` is no escape | `'1 \\< 2'`, or no quotes |
| `name: 12` | a number | `name: "12"` |

These get hints of their own, or a warning from `mtprobe lint`. `no`, `yes`, `on` and `off` are words here, as in
YAML 1.2, and `012` is 12. A key that stands twice is an error. Tags (`!!…`), merge keys (`<<`) and several documents
in one file are not allowed; anchors and aliases (`&a`, `*a`) are.

## In an editor

`mtprobe schema -o suite.schema.json` writes a JSON Schema. With the YAML extension of VS Code, this in the settings
completes keys and underlines mistakes:

```json
{"yaml.schemas": {"suite.schema.json": ["*.mt.yaml"]}}
```
"""
