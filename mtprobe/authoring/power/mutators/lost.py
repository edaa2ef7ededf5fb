"""Something that must be preserved is lost: a placeholder, a tag, an address, an emoji."""

from __future__ import annotations

import random
import re

from mtprobe.authoring.power.mutators.mutator import TextMutator, only_text
from mtprobe.backends.protocols import LanguagePair
from mtprobe.language.invariants import KINDS, Text
from mtprobe.methods.method import Translated


class Lost(TextMutator):
    """One item of a kind is lost."""

    kind: str

    def mutate(self, translated: Translated, languages: LanguagePair, random_: random.Random) -> str | None:
        text = only_text(translated)
        items = KINDS[self.kind].items(Text(text, languages.target))
        if not items:
            return None
        item = random_.choice(items)
        return re.sub(r"(?<=\S)  +", " ", text[: item.start] + text[item.end :]).strip()


class LostPlaceholder(Lost):
    name = "placeholders"
    about = "a placeholder is lost"
    kind = "placeholders"


class LostTag(Lost):
    name = "tags"
    about = "a tag is lost"
    kind = "tags"


class LostUrl(Lost):
    name = "urls"
    about = "a web address is lost"
    kind = "urls"


class LostEmail(Lost):
    name = "emails"
    about = "an e-mail address is lost"
    kind = "emails"


class LostEmoji(Lost):
    name = "emoji"
    about = "an emoji is lost"
    kind = "emoji"
