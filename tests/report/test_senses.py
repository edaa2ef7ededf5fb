"""Numbers of senses by part of speech, and the heat map of languages that share senses."""

from __future__ import annotations

from dataclasses import replace

from mtprobe.report.further import further_rows
from mtprobe.report.html.report import write_html
from mtprobe.report.senses import sense_maps
from tests.metrics.test_senses import ITEMS, item
from tests.report.factory import MODEL, a_run, a_suite


def lexicon_run(results, model="m", target="de"):
    made = a_suite(*results, categories=(), gates=())
    return replace(made, method="lexicon", target=target, model=replace(MODEL, name=model))


def test_the_numbers_of_senses_stand_by_part_of_speech():
    verbs = [item(10, "correct", 1, pos="verb"), item(11, "incorrect", 2, found=[1], pos="verb")]
    rows = {row.key: row.measure.value for row in further_rows(lexicon_run([*ITEMS, *verbs]))}
    assert rows["mfs[pos=verb]"] == 1.0
    assert rows["accuracy[pos=verb]"] == 0.5
    assert {"sfii", "spdi", "mfs", "mfs_plus", "sfii[pos=noun]", "undecided[pos=noun]"} <= set(rows)
    assert not any(key.startswith(("bias", "pair_accuracy", "discrepancy")) for key in rows)


def test_one_part_of_speech_is_not_broken_down():
    rows = {row.key for row in further_rows(lexicon_run(ITEMS))}
    assert rows == {"sfii", "spdi", "mfs", "mfs_plus"}


def runs():
    german = lexicon_run(ITEMS, target="de")
    spanish = lexicon_run(
        [item(0, "correct", 1, 3), item(1, "correct", 1, 3), item(2, "undecided", 2, 5)], target="es"
    )
    return a_run(german, spanish)


def test_two_languages_of_the_same_samples_make_a_map():
    (found,) = sense_maps(runs())
    assert found.labels == ("de", "es")
    assert [[cell.value for cell in row] for row in found.rows] == [[1.0, 0.5], [0.5, 1.0]]


def test_models_are_named_where_they_differ():
    one, other = runs().suites
    (found,) = sense_maps(a_run(one, replace(other, model=replace(MODEL, name="n"))))
    assert found.labels == ("m → de", "n → es")


def test_runs_of_other_samples_are_not_compared():
    one, other = runs().suites
    elsewhere = replace(other, results=tuple(replace(result, path="other.yaml") for result in other.results))
    assert list(sense_maps(a_run(one, elsewhere))) == []
    assert list(sense_maps(a_run(one))) == []


def test_the_map_stands_in_the_page(tmp_path):
    path = tmp_path / "report.html"
    write_html(runs(), path)
    page = path.read_text(encoding="utf-8")
    assert "Where translations share a sense" in page
    assert 'class="number shade-5"' in page
    assert "sense frequency index influence" in page
    write_html(a_run(runs().suites[0]), path)
    assert "Where translations share a sense" not in path.read_text(encoding="utf-8")
