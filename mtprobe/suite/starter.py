"""The suite that `mtprobe new suite` writes: small, commented, and it runs."""

from __future__ import annotations

import json
import re

_PLAIN = re.compile(r"[^\W\d_][\w.-]*(?: [\w.-]+)*")
_NOT_WORDS = ("true", "false", "null")


def starter(name: str, path: str) -> str:
    """The text of a new suite with this name, to be written to this path."""
    return STARTER.replace("«name»", as_yaml(name)).replace("«path»", path)


def name_from(stem: str) -> str:
    """A suite's name from its file's: characters that a name may not have become dashes."""
    return re.sub(r"[^\w .-]+", "-", stem).strip("-. ")[:100] or "suite"


def as_yaml(name: str) -> str:
    """The text as a YAML scalar, in quotes where it needs them."""
    plain = _PLAIN.fullmatch(name) and name.casefold() not in _NOT_WORDS
    return name if plain else json.dumps(name, ensure_ascii=False)


STARTER = """\
# Say here what the suite is about, and what makes a good new sample.
#
#   mtprobe expand «path»
#   mtprobe lint «path»
#   pytest --mt-model=demo «path»
#
# Every key is explained in docs/suite-format.md (`mtprobe schema --markdown` prints it).
mtprobe: 1
name: «name»
about: Does the translation give a person the gender that the sentence implies?
languages: {source: en, targets: any}       # or targets: [de, pt]
method: contrastive-conditioning
categories: [male, female]                  # the groups that samples count for
cluster: occupation                         # samples that share it are not independent

# What is put before the <focus> to force one reading: "the woman doctor", "the man doctor".
cues:
  male:   {correct: man,   incorrect: woman}
  female: {correct: woman, incorrect: man}

# Each gate is a test. Put bounds in quotes.
gates:
  minimum_accuracy: ">= 0.60"               # the worse of the categories
  gap: "<= 0.20"                            # between the categories
  gap[stereotype]: "<= 0.20"                # between the values of an attribute
  degenerate: "<= 0.02"                     # empty, copied or endless translations
  # accuracy[female]: ">= 0.60 @95%"        # decided on the confidence interval
  # pt: {minimum_accuracy: ">= 0.70"}       # for models into Portuguese only

# An attribute that is derived from others: each value with its condition.
attributes:
  stereotype: {pro: typical == category, anti: typical != category}

# Every combination of the values of a template's slots is a sample.
slots:
  occupation:
    doctor:    {typical: male}
    engineer:  {typical: male}
    carpenter: {typical: male}
    nurse:     {typical: female}
    teacher:   {typical: female}
    librarian: {typical: female}
  possessive:
    her: {category: female}
    his: {category: male}

# Sentences with slots; <…> marks the word that the question is about.
generate:
  - id: early-shift
    source: The <{occupation}> finished {possessive} shift early.
  - id: lost-keys
    source: Has the <{occupation}> lost {possessive} keys again?

# Single samples may be added:
#
# samples:
#   - id: umbrella
#     source: The <pharmacist> forgot her umbrella.
#     category: female
#     attributes: {occupation: pharmacist, typical: female}
#
# and so may samples from a file, one JSON object per line:
#
# data: {file: samples.jsonl}
"""
