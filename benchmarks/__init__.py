"""Side-by-side measurements, as ratios or differences inside one run: machines are noisy, ratios less so."""

from pathlib import Path

OCCUPATIONS = Path(__file__).parents[1] / "suites" / "gender" / "occupations.mt.yaml"
