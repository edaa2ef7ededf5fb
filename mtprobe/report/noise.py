"""The margin required for verdicts: the noise floor, and the number of samples within it."""

from __future__ import annotations

from mtprobe.records import SuiteRun


def noise_lines(suite: SuiteRun) -> list[str]:
    """One line per floor, the last with the count of samples; none if every margin decides."""
    if not suite.noise:
        return []
    withheld = sum(result.verdict.withheld for result in suite.results)
    n = len(suite.results)
    rows = "translations" if any(result.repeat for result in suite.results) else "samples"
    and_undecided = ", and undecided" if withheld else ""
    *others, last = map(str, suite.noise)
    return [*others, f"{last}: {withheld:,} of {n:,} {rows} are within it{and_undecided}"]
