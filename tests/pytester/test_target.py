"""--mt-target with several languages: a multilingual model runs once for each of them"""

from __future__ import annotations

import sys

import pytest

TARGETS = "--mt-target=de,fr,pt"
# A model that speaks three languages, and one that only says so.
SPEAKERS = '''
import toys

ARTICLES = {"de": ("Der", "Die"), "fr": ("Le", "La"), "pt": ("O", "A")}
ENDS = {
    "de": ("hat das Haus am alten Hafen verkauft.", "war mit der Schicht vor den anderen fertig."),
    "fr": ("a vendu la maison près du vieux port.", "a fini le travail avant que les autres arrivent."),
    "pt": ("vendeu a casa perto do antigo porto.", "terminou o turno antes que os outros chegassem."),
}


class Speaker:
    """Knows its target; where it is unfair, everybody is a man."""

    def __init__(self, target, unfair=()):
        self.target = target
        self.unfair = unfair
        self.fingerprint = f"speaker-{target}-{'unfair' if target in unfair else 'fair'}"

    def female(self, source):
        return " her " in source and self.target not in self.unfair

    def __call__(self, sources):
        toys.note(f"translate {self.fingerprint}")
        return [
            f"{ARTICLES[self.target][self.female(source)]} {source.split()[1]} {ENDS[self.target]['shift' in source]}"
            for source in sources
        ]

    def score(self, pairs):
        toys.note(f"score {self.fingerprint}")
        return [self.likelihood(source, target) for source, target in pairs]

    def likelihood(self, source, target):
        fits = (" woman " in source) == (target.split()[0] == ARTICLES[self.target][1])
        return tuple([-0.2 if fits else -0.9] * len(target.split()))


class Multilingual:
    def __init__(self, unfair=()):
        self.unfair = unfair

    def __call__(self, sources):
        raise AssertionError("it is asked for its languages first")

    def for_languages(self, source, target):
        if target not in ARTICLES:
            raise ValueError(f"{target} is not one of its languages")
        return Speaker(target, self.unfair)


fair = Multilingual()
unfair_in_german = Multilingual(unfair=("de",))
german = Speaker("de")


class Mute(Multilingual):
    """Translates, but cannot score."""

    def for_languages(self, source, target):
        speaker = Speaker(target)

        def translate(sources):
            return speaker(sources)

        translate.fingerprint = f"mute-{target}"
        return translate


mute = Mute()


class Stuck:
    """Says the same whatever it is asked; it has a method for its languages only, and is no callable itself."""

    def for_languages(self, source, target):
        speaker = Speaker(target)

        def translate(sources):
            return speaker(["The doctor sold her house."] * len(sources))

        translate.fingerprint = f"stuck-{target}"
        translate.score = speaker.score
        return translate


stuck = Stuck()
'''


@pytest.fixture
def languages(project):
    (project.path / "speakers.py").write_text(SPEAKERS, encoding="utf-8")
    sys.modules.pop("speakers", None)
    return project


def run(project, *args, model="fair", targets=TARGETS):
    named = model if "=" in model or ":" in model else f"python:speakers:{model}"
    return project.pytest(f"--mt-model={named}", targets, *args, model=None)


def runs_in(record):
    """The `suite` lines of a record, each with its samples."""
    runs = []
    for line in record:
        if line["kind"] == "suite":
            runs.append([line])
        elif line["kind"] == "sample":
            runs[-1].append(line)
    return runs


# -- what runs --


def test_a_multilingual_model_runs_once_per_target(languages):
    result = run(languages, "-v")
    result.assert_outcomes(passed=12)
    result.stdout.fnmatch_lines(
        [
            "mtprobe: model python-speakers-fair (into de, into fr, into pt); evaluator: the model itself",
            "suites/occupations.mt.yaml::to-de::gap PASSED*",
            "suites/occupations.mt.yaml::to-fr::accuracy[[]male] PASSED*",
            "suites/occupations.mt.yaml::to-pt::gap PASSED*",
        ]
    )
    lines = [line for line in languages.record() if line["kind"] == "suite"]
    assert [(line["model"]["name"], line["target"]) for line in lines] == [
        ("python-speakers-fair", target) for target in ("de", "fr", "pt")
    ]


def test_several_options_and_the_ini_file_name_targets_too(languages):
    run(languages, "--mt-target=fr", targets="--mt-target=de").assert_outcomes(passed=8)
    (languages.path / "pytest.ini").write_text("[pytest]\nmt_target =\n  de\n  fr, pt\n")
    languages.pytest("--mt-model=python:speakers:fair", model=None).assert_outcomes(passed=12)


def test_with_one_target_ids_stay_as_they_are(languages):
    result = run(languages, "-v", targets="--mt-target=de")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["suites/occupations.mt.yaml::gap PASSED*"])


def test_targets_are_below_the_names_of_models(languages):
    result = run(
        languages, "-v", "--mt-model=b=python:speakers:unfair_in_german", model="a=python:speakers:fair"
    )
    result.assert_outcomes(passed=21, failed=3)
    result.stdout.fnmatch_lines(["*::a::to-de::gap PASSED*", "*::b::to-de::gap FAILED*"])


def test_a_target_is_selected_by_its_id(languages):
    run(languages, "-k", "to-de").assert_outcomes(passed=4, deselected=8)
    where = "suites/occupations.mt.yaml::to-fr::gap"
    result = languages.pytest("--mt-model=python:speakers:fair", TARGETS, model=None, where=where)
    result.assert_outcomes(passed=1)
    assert {call.split()[1] for call in languages.calls("translate")} == {
        "speaker-de-fair",
        "speaker-fr-fair",
    }


def test_a_reason_that_languages_share_names_them_once(languages):
    result = run(languages, model="stuck")
    result.stdout.fnmatch_lines(
        ["FAILED [[]3 gates] occupations: undecided: * of * outputs are not translations (de, fr, pt: gap *)"]
    )


def test_what_failed_last_is_run_again_for_its_target_alone(languages):
    run(languages, model="unfair_in_german").assert_outcomes(passed=9, failed=3)
    result = run(languages, "--lf", "-v", model="unfair_in_german")
    result.assert_outcomes(failed=3)
    assert "to-fr" not in result.stdout.str().partition("mtprobe: model")[2].partition("FAILURES")[0]


@pytest.mark.slow
def test_workers_run_targets_and_the_record_has_all_of_them_in_order(languages):
    run(languages, "-n2", model="unfair_in_german").assert_outcomes(passed=9, failed=3)
    record = languages.record()
    assert [line["target"] for line in record if line["kind"] == "suite"] == ["de", "fr", "pt"]
    assert record[-1] == {"kind": "end", "whole": True}


def test_a_suite_for_some_of_the_targets_is_skipped_for_the_others(languages):
    languages.suite("german", (languages.path / "suites/occupations.mt.yaml").read_text().replace(
        "targets: any", "targets: [de]").replace("name: occupations", "name: german"))  # fmt: skip
    run(languages).assert_outcomes(passed=16, skipped=8)


# -- mistakes --


def test_a_target_for_which_nothing_was_judged_is_not_green(languages):
    languages.change("targets: any", "targets: [de]")
    result = run(languages)
    result.assert_outcomes(passed=4, skipped=8)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*no gate was judged for fr, pt, so this run is not green*"])
    assert run(languages, "--mt-allow-skips").ret == 0


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        ("de,german", '--mt-target: "german" is not a language tag*'),
        ("de,,fr", '--mt-target: "" is not a language tag*'),
        ("de,deu", "--mt-target: de is named twice"),
        ("de,it", "*python-speakers-fair cannot be run for the target it:*it is not one of its languages*"),
    ],
)
def test_a_wrong_target_is_a_usage_error(languages, targets, message):
    result = run(languages, targets=f"--mt-target={targets}")
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"*{message}"])


def test_a_model_with_one_target_cannot_have_several(languages):
    result = run(languages, model="demo=demo", targets="--mt-target=pt,fr")
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ["*demo cannot be run for the target fr: demo: the model translates into pt, not fr"]
    )


def test_a_function_that_does_not_know_its_target_cannot_have_several(languages):
    result = run(languages, model="german")
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ["*ignores the target language; a callable that knows several languages has a method `for_languages`"]
    )


# -- a spec per language --


def test_files_of_translations_are_named_by_their_target(languages):
    run(languages, targets="--mt-target=de,fr")
    for suite, *samples in runs_in(languages.record()):
        lines = [f"{sample['source']} ||| {sample['translation']}" for sample in samples]
        (languages.path / f"out.{suite['target']}.txt").write_text("\n".join(lines), encoding="utf-8")
    result = run(
        languages,
        "--mt-evaluator=python:speakers:fair",
        model="file:out.{target}.txt",
        targets="--mt-target=de,fr",
    )
    result.assert_outcomes(passed=8)


def test_a_spec_that_says_target_needs_one(languages):
    result = languages.pytest("--mt-model=file:out.{target}.txt", model=None)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*its spec says {target}: give --mt-target"])


# -- evaluators --


def test_each_target_has_its_own_evaluator(languages):
    result = run(
        languages,
        "--mt-evaluator=de=python:speakers:german",
        "--mt-evaluator=fr=judge=python:speakers:fair",
        model="mute",
        targets="--mt-target=de,fr",
    )
    result.assert_outcomes(passed=8)
    result.stdout.fnmatch_lines(["*evaluator: python-speakers-german (de), judge (fr)"])
    evaluators = {line["target"]: line["evaluator"] for line in languages.record() if line["kind"] == "suite"}
    assert {target: facts["name"] for target, facts in evaluators.items()} == {
        "de": "python-speakers-german",
        "fr": "judge",
    }


def test_one_evaluator_serves_all_targets(languages):
    result = run(languages, "--mt-evaluator=judge=python:speakers:fair", model="mute")
    result.assert_outcomes(passed=12)
    asked = {call.split()[1] for call in languages.calls("score")}
    assert asked == {f"speaker-{target}-fair" for target in ("de", "fr", "pt")}


def test_several_evaluators_of_one_target_score_together(languages):
    result = run(
        languages,
        "--mt-evaluator=all=python:speakers:fair",
        "--mt-evaluator=de=also=python:speakers:german",
        model="mute",
        targets="--mt-target=de,fr",
    )
    result.assert_outcomes(passed=8)
    names = [line["evaluator"]["name"] for line in languages.record() if line["kind"] == "suite"]
    assert names == ["all + also", "all"]


def test_a_target_without_an_evaluator_is_named_where_one_is_needed(languages):
    result = run(
        languages, "--mt-evaluator=de=python:speakers:german", model="mute", targets="--mt-target=de,fr"
    )
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*python-speakers-mute (into fr) cannot score: set --mt-evaluator=fr=SPEC"])


@pytest.mark.parametrize(
    ("evaluator", "message"),
    [
        (
            "it=python:speakers:fair",
            "*python-speakers-fair is for it, but this run translates into de, fr, pt",
        ),
        ("demo", "*evaluator demo cannot score for the target de: *the model translates into pt, not de"),
    ],
)
def test_an_evaluator_that_does_not_fit_is_a_usage_error(languages, evaluator, message):
    result = run(languages, f"--mt-evaluator={evaluator}")
    assert result.ret == 4
    result.stderr.fnmatch_lines([message])


# -- baselines, records and what fails --


def test_a_baseline_of_one_target_serves_that_target(languages):
    languages.change('  gap: "<= 0.20"\n', '  gap: "<= 0.20"\n  regression: "<= 0.05"\n')
    run(languages, "--mt-baseline=none", "--mt-record=de.jsonl", targets="--mt-target=de")
    run(languages, "--mt-baseline=none", "--mt-record=all.jsonl")
    result = run(languages, "-v", "--mt-baseline=de.jsonl", model="unfair_in_german")
    result.stdout.fnmatch_lines(
        ["*::to-de::regression FAILED*", "*::to-fr::regression FAILED*", "*was run for en→de, not for en→fr*"]
    )
    result = run(languages, "-v", "--mt-baseline=all.jsonl", model="unfair_in_german")
    result.stdout.fnmatch_lines(["*::to-de::regression FAILED*", "*::to-pt::regression PASSED*"])


def test_a_target_that_breaks_leaves_the_others_alone(languages):
    (languages.path / "halting.py").write_text(
        "import speakers\n\n\n"
        "class Halting(speakers.Multilingual):\n"
        "    def for_languages(self, source, target):\n"
        "        return halt if target == 'fr' else speakers.Speaker(target)\n\n\n"
        "def halt(sources):\n    raise RuntimeError('no French today')\n\n\n"
        "model = Halting()\n"
    )
    result = run(languages, "--mt-evaluator=python:speakers:fair", model="m=python:halting:model")
    result.assert_outcomes(passed=8, errors=4)
    failed = [line for line in languages.record() if line["kind"] == "failed"]
    assert [(line["model"], line.get("target")) for line in failed] == [("m", "fr")]
