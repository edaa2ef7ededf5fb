"""WordNet's files: synsets, hypernyms, order of senses; where the database is looked for, and what is said without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.language import wordnet as module
from mtprobe.language.wordnet import WordNet, find_wordnet
from tests.language.wordnet_files import write_wordnet
from tests.system_packages import require_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_wordnet(tmp_path / "wordnet")


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without WordNet."""
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    monkeypatch.delenv("WNHOME", raising=False)
    monkeypatch.setattr(module, "_USUAL", (Path("/nonexistent"),))


def test_senses_with_their_synonyms_in_order(folder):
    river, money = WordNet(folder).synsets("bank", "noun")
    assert river.lemmas == ("bank", "riverside")
    assert money.lemmas == ("bank", "lender", "Barclays")
    assert money.gloss == "an institution for loans and accounts"
    assert WordNet(folder).synsets("Bank", "noun")[0] == river


def test_hypernyms(folder):
    wordnet = WordNet(folder)
    _, money = wordnet.synsets("bank", "noun")
    (institution,) = wordnet.hypernyms(money)
    assert institution.lemmas == ("institution", "financial institution")
    assert list(wordnet.ancestors(money)) == [institution]


def test_verbs_have_frames_between_pointers_and_gloss(folder):
    wordnet = WordNet(folder)
    hit, work = wordnet.synsets("strike", "verb")
    assert (hit.gloss, work.gloss) == ("deal a blow", "stop work")
    assert work.lemmas == ("strike", "walk out")
    assert wordnet.hypernyms(work)[0].lemmas == ("protest",)


def test_which_sense_of_a_word_a_synset_is(folder):
    wordnet = WordNet(folder)
    _, money = wordnet.synsets("bank", "noun")
    assert wordnet.sense_number("bank", money) == 2
    assert wordnet.sense_number("lender", money) == 1
    assert wordnet.sense_number("suit", money) == 0


@pytest.mark.parametrize("word", ["", "ban", "banks", "suit n", "bank n 2", "financial"])
def test_what_is_not_a_word_has_no_sense(folder, word):
    assert WordNet(folder).synsets(word, "noun") == ()


def test_a_phrase(folder):
    assert WordNet(folder).synsets("financial institution", "noun")[0].lemmas[0] == "institution"


@pytest.mark.usefixtures("nowhere")
def test_it_is_looked_for_where_wordnet_says(folder, monkeypatch):
    assert find_wordnet() is None
    monkeypatch.setenv("WNHOME", str(folder.parent))
    with pytest.raises(MtprobeError, match=r"not a WordNet database: it has no index\.noun"):
        find_wordnet()
    folder.rename(folder.parent / "dict")
    found = find_wordnet()
    assert found is not None
    assert found.folder == folder.parent / "dict"
    monkeypatch.setenv("WNSEARCHDIR", str(folder))
    with pytest.raises(MtprobeError, match="apt-get install wordnet-base"):
        find_wordnet()
    assert find_wordnet(folder.parent / "dict") is not None  # what is named comes first


@pytest.mark.parametrize(("file", "pos"), [("data.noun", "noun"), ("index.verb", "verb")])
def test_a_file_that_is_something_else_is_an_error(folder, file, pos):
    text = (folder / file).read_text()
    (folder / file).write_text(
        text.replace("03 n", "xx x") if file.startswith("data") else text.replace(" v ", " v x ")
    )
    with pytest.raises(MtprobeError, match=f"{file}: not a WordNet database: cannot read"):
        WordNet(folder).synsets("bank" if pos == "noun" else "strike", pos)


def test_the_fingerprint_follows_the_content(folder, tmp_path):
    same = WordNet(write_wordnet(tmp_path / "same"))
    assert WordNet(folder).fingerprint == same.fingerprint
    (tmp_path / "same" / "index.verb").write_text("")
    assert WordNet(tmp_path / "same").fingerprint != same.fingerprint


def test_the_database_of_debian():
    require_files("/usr/share/wordnet/data.noun", package="wordnet-base")
    wordnet = WordNet(Path("/usr/share/wordnet"))
    suits = wordnet.synsets("suit", "noun")
    assert any("lawsuit" in synset.lemmas for synset in suits)
    assert [synset.lemmas[0] for synset in wordnet.hypernyms(suits[0])] == ["garment"]
    assert "walk out" in {lemma for synset in wordnet.synsets("strike", "verb") for lemma in synset.lemmas}
    roots = {[*wordnet.ancestors(synset)][-1].lemmas[0] for synset in wordnet.synsets("bank", "noun")}
    assert roots == {"entity"}
