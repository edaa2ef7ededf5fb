"""The HTML report of 100,000 samples × 2 models: building it, its size, and how it opens and scrolls in Chromium.

Goals: building at most 20 s and 1.5 GB, a file of at most 25 MB, the first view within 2 s.
"""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from mtprobe.gates.judge import Decision, GateResult
from mtprobe.methods.contrastive_conditioning import verdict_on
from mtprobe.methods.verdict import Evidence, Outcome, Result, Verdict
from mtprobe.metrics import Measure
from mtprobe.records import ModelFacts, Run, RunFacts, SuiteRun

SAMPLES = 100_000
MODELS = 2
_VOCABULARY = 12_000
_SYLLABLES = [
    "ba",
    "con",
    "de",
    "er",
    "fa",
    "gra",
    "hi",
    "in",
    "la",
    "mo",
    "ne",
    "or",
    "pre",
    "ra",
    "so",
    "ti",
]

OPEN = """\
() => new Promise((done) => {
  const list = document.querySelector("[role=listbox]");
  const frames = [];
  let last = performance.now(), left = 120;
  const step = () => {
    const now = performance.now();
    frames.push(now - last);
    last = now;
    list.scrollTop += 400;
    if ((left -= 1)) requestAnimationFrame(step);
    else done(frames.slice(1).sort((one, other) => one - other));
  };
  requestAnimationFrame(step);
})"""


def words(rng: random.Random) -> list[str]:
    """Made up, a few of them frequent and most of them rare, as words are."""
    made = dict.fromkeys("".join(rng.choices(_SYLLABLES, k=rng.randint(1, 4))) for _ in range(_VOCABULARY))
    return list(made)


def make_run(samples: int = SAMPLES, models: int = MODELS, suites: int = 1) -> Run:
    """Sentences of 14 words, with two contrastive sources a side; one output in 100 is degenerate."""
    rng = random.Random(0)
    vocabulary = words(rng)
    weights = [1 / (place + 3) for place in range(len(vocabulary))]
    made = []
    for number in range(suites):
        sources = [rng.choices(vocabulary, weights, k=14) for _ in range(samples)]
        for model in range(models):
            results = tuple(
                _sample(rng, place, source, rng.choices(vocabulary, weights, k=14))
                for place, source in enumerate(sources)
            )
            made.append(_suite(f"suite-{number}", f"model-{model}", results))
    return Run(RunFacts("0.1.0", "2026-03-01T09:05:00+00:00"), tuple(made))


def _sample(rng: random.Random, place: int, source: list[str], translation: list[str]) -> Result:
    focus = place % 12
    pieces = tuple(
        Evidence(side, " ".join([*source[:focus], cue, *source[focus:]]), -rng.uniform(0.5, 3))
        for side, cues in (("correct", ("woman", "lady")), ("incorrect", ("man", "gentleman")))
        for cue in cues
    )
    text = " ".join(translation)
    if place % 80 == 1:  # as many know their tokens as in a record
        pieces = tuple(replace(one, tokens=_tokens(rng, text)) for one in pieces)
    verdict = verdict_on(pieces)
    if place % 100 == 0:
        text, verdict = "", Verdict(Outcome.DEGENERATE, "empty")
    start = sum(len(word) + 1 for word in source[:focus])
    return Result(
        id=f"sample-{place}",
        source=" ".join(source),
        focus=(start, start + len(source[focus])),
        category=("male", "female")[place % 2],
        attributes={"stereotype": ("pro", "anti")[place // 2 % 2], "sense_rank": place % 5},
        cluster=source[focus],
        path="suites/large.mt.yaml",
        line=place + 1,
        translation=text,
        verdict=verdict,
    )


def _tokens(rng: random.Random, text: str) -> tuple[tuple[int, int, float], ...]:
    """One for every four letters, and the end."""
    starts = range(0, len(text), 4)
    return tuple((start, min(start + 4, len(text)), -rng.expovariate(1)) for start in (*starts, len(text)))


def _suite(name: str, model: str, results: tuple[Result, ...]) -> SuiteRun:
    return SuiteRun(
        suite=name,
        about="How long does it take to write and to read many samples?",
        path=f"suites/{name}.mt.yaml",
        digest="0badcafe",
        method="contrastive-conditioning",
        categories=("male", "female"),
        source="en",
        target="pt",
        model=ModelFacts(model, f"{model}:1", "greedy", "fp32", "CPU"),
        evaluator=ModelFacts("judge", "judge:1", "", "fp32", "CPU"),
        judges_itself=False,
        partial=False,
        seed=0,
        results=results,
        gates=(
            GateResult(
                "accuracy", ">= 0.60", f"suites/{name}.mt.yaml", 3, Measure(0.5, 0.4, 0.6, 9), Decision.FAILED
            ),
        ),
    )


def build(path: Path, samples: int, suites: int) -> None:
    """Writes a report; prints the seconds that it took, those of the processor, and the most megabytes it needed."""
    from mtprobe.report.html.report import write_html

    run = make_run(samples, MODELS if suites == 1 else 1, suites)
    started, busy = time.perf_counter(), time.process_time()
    write_html(run, path)
    seconds, processor = time.perf_counter() - started, time.process_time() - busy
    print(seconds, processor, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)


def opening(path: Path) -> str:
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    if program is None:
        return "in the browser: not measured, chromium is not installed"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        started = time.perf_counter()
        page.goto(path.as_uri(), wait_until="commit")
        page.locator(".tile").first.wait_for()
        first = time.perf_counter() - started
        page.locator("output:has-text('samples')").wait_for()
        listed = time.perf_counter() - started
        painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN")
        frames = page.evaluate(OPEN)
        started = time.perf_counter()
        page.locator("[data-facet=category]").select_option("female")
        page.locator("output:has-text('100,000 of')").wait_for()
        filtering = time.perf_counter() - started
        started = time.perf_counter()
        page.locator("[data-facet=text]").fill("prerasoti")
        page.locator("output:not(:has-text('100,000 of')):has-text('of 200,000')").wait_for(timeout=60_000)
        searching = time.perf_counter() - started
        browser.close()
    middle, slowest = frames[len(frames) // 2], frames[int(len(frames) * 0.95)]
    return (
        f"in Chromium: the overview after {first:.2f} s (first paint {painted / 1000:.2f} s), the list after {listed:.2f} s; "
        f"scrolling {middle:.0f} ms a frame in the middle, {slowest:.0f} ms for 95 in 100; filtering by category "
        f"{filtering:.2f} s, the first search through all texts {searching:.2f} s; goal 2 s for the first view"
    )


def main() -> list[str]:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for samples, suites in ((SAMPLES, 1), (1000, 30)):
            path = Path(folder) / f"{suites}.html"
            command = [sys.executable, "-m", "benchmarks.report_100k", str(path), str(samples), str(suites)]
            seconds, processor, megabytes = map(float, subprocess.check_output(command).split())
            what = (
                f"{samples:,} samples × {MODELS} models"
                if suites == 1
                else f"{suites} suites × {samples:,} samples"
            )
            found.append(
                f"{what}: {seconds:.1f} s to build ({processor:.1f} s of processor time), {megabytes:.0f} MB of memory with the run itself, a file of "
                f"{path.stat().st_size / 1e6:.1f} MB; goal 20 s, 1500 MB, 25 MB"
            )
        found.append(opening(Path(folder) / "1.html"))
    return found


if __name__ == "__main__":
    if len(sys.argv) == 4:
        build(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
    else:
        print("\n\n".join(main()))
