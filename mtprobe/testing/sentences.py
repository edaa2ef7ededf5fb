"""The texts that the conformance kit translates."""

from __future__ import annotations

from collections.abc import Mapping

# Of all lengths, so that a backend that sorts by length has to restore the order. Some do not end with a full
# stop: they show whether lines are kept apart.
SOURCES = (
    "The engineer finished her shift early.",
    "Good morning.",
    "We bought three tickets for the late train, but only two of us could find a seat.",
    "Where is the key?",
    "The nurse and the carpenter waited in the corridor until somebody opened the door.",
    "It rains.",
    "He never reads the letters that his bank sends him at the end of the year.",
    "Thank you very much for your help.",
    "the big",
    "red cats",
    "The river froze in January.",
    "Although the bridge had been closed for weeks, nobody told the drivers, who had to turn round in the village.",
    "My sister plays the violin.",
    "Stop!",
    "A small boat left the harbour at dawn and came back with an empty net.",
    "Do you have a table for four?",
    "The museum shows drawings that were made by children.",
    "They painted the fence green.",
    "If the weather is fine tomorrow, we will walk to the castle and have lunch in the garden behind it.",
    "No.",
    "The judge asked the witness to repeat what she had seen from the window of the kitchen.",
    "I forgot my umbrella.",
    "The teacher wrote 1,250 words on the board, and the pupils copied all of them.",
    "Is that your dog?",
    "I have",
    "been there",
    "The bread is still warm.",
    "Nobody knows why the lights in the old mill went on that night, and nobody has asked the miller.",
)

# Valid text that people do write, however rarely. Each must be answered, if only with a `Failure`.
AWKWARD: Mapping[str, str] = {
    "combining marks": "Cafe\u0301 Z\u0351\u036b\u0343a\u0328\u0300lgo, nai\u0308ve.",
    "emoji": "I \u2764\ufe0f my family \U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f1f5\U0001f1f9 \U0001f44d\U0001f3fd.",
    "right to left": "\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd \u200fabc\u200e 123.",
    "Chinese and Japanese": "\u6211\u4eec\u5728\u6771\u4eac\u306e\u30ab\u30d5\u30a7\u3067\u4f1a\u3046\u3002",
    "Korean and Thai": "\uc548\ub155\ud558\uc138\uc694 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "beyond the first plane": "\U0001d49c\U00020000\U0001f9ff",
    "a line break": "The first line.\nThe second line.",
    "other line breaks": "One.\r\nTwo.\u2028Three.\u0085Four.\x0bFive.",
    "a tab and spaces": "\tTwo  spaces,\u00a0a hard one \u3000and a wide one. ",
    "markup and placeholders": '<b>bold</b> & "quoted" \\n {x} $HOME %s ||| ▁ </s> <unk>',
    "only punctuation": "… — ?!",
    "a byte order mark": "\ufeffGood morning.",
}

LONE_SURROGATE = "half \ud83d a character"  # possible in a Python string, but in no encoding
VERY_LONG = "The lamp in the hall was on, and " * 1500 + "then it was off."
