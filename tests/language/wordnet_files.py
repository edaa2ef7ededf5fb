"""A small database in WordNet's format, written for tests: the words are everybody's, the glosses our own."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

# By part of speech: a name for each synset, its words, its hypernym, its gloss; a word's senses are in this order.
SYNSETS = {
    "noun": {
        "garment": (["garment", "clothing"], None, "something that people wear"),
        "clothes": (["suit", "outfit"], "garment", "a jacket and trousers; clothes that a tailor makes"),
        "proceeding": (["proceeding", "legal_proceeding"], None, "steps that a court takes"),
        "law": (["lawsuit", "suit", "case"], "proceeding", "a proceeding in a court of law; \"she filed it\""),
        "slope": (["slope", "incline"], None, "land that is not level"),
        "river": (["bank", "riverside"], "slope", "land beside a river or a stream"),
        "institution": (["institution", "financial_institution"], None, "an organisation that lends money"),
        "money": (["bank", "lender", "Barclays"], "institution", "an institution for loans and accounts"),
    },
    "verb": {
        "touch": (["touch"], None, "come near"),
        "hit": (["strike", "hit"], "touch", "deal a blow"),
        "protest": (["protest"], None, "say that one is against it"),
        "work": (["strike", "walk_out"], "protest", "stop work"),
    },
}  # fmt: skip
_HEADER = "  1 This database was written for the tests of mtprobe; its lines begin as those of WordNet do.\n"


def write_wordnet(folder: Path) -> Path:
    """Writes index and data files of both parts of speech."""
    folder.mkdir(parents=True)
    for pos, synsets in SYNSETS.items():
        letter = pos[0]
        offsets: dict[str, int] = {}
        for _ in range(2):  # lengths are known after the first time, as offsets have eight digits
            lines, at = [_HEADER], len(_HEADER.encode())
            for name, (words, hypernym, gloss) in synsets.items():
                pointers = [f"@ {offsets.get(hypernym, 0):08d} {letter} 0000"] if hypernym else []
                listed = " ".join(f"{word} 0" for word in words)
                frames = " 01 + 08 00" if pos == "verb" else ""
                line = " ".join(
                    [f"{at:08d} 03 {letter} {len(words):02x} {listed}", f"{len(pointers):03d}", *pointers]
                )
                offsets[name] = at
                lines.append(f"{line}{frames} | {gloss}  \n")
                at += len(lines[-1].encode())
        (folder / f"data.{pos}").write_text("".join(lines))
        senses: defaultdict[str, list[str]] = defaultdict(list)
        for name, (words, *_) in synsets.items():
            for word in words:
                senses[word.lower()].append(f"{offsets[name]:08d}")
        entries = [
            f"{word} {letter} {len(found)} 1 @ {len(found)} 0 {' '.join(found)}  \n"
            for word, found in sorted(senses.items())
        ]
        (folder / f"index.{pos}").write_text("".join([_HEADER, *entries]))
    return folder
