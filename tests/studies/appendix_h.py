"""Vamvas and Sennrich (2021), appendix H: BLEU and minimum accuracies of 30 models a language pair.

For each kind and size of model, three models: BLEU, then minimum accuracy on MuCoW ("rare"), then on WinoMT ("female").
"""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    kind: str
    size: str
    number: int
    bleu: float
    mucow: float
    winomt: float

    @property
    def distilled(self) -> bool:
        """Teachers and models from scratch count as not distilled."""
        return self.kind.startswith("Student")

    @property
    def line(self) -> str:
        """Models that the paper's figure 5 joins: of one teacher, or of one seed."""
        return f"{self.kind} {self.number}"


_ENGLISH_GERMAN = {
    ("SOTA Teacher", "big"): [(40.6, 79.6, 66.3), (40.8, 79.7, 63.8), (42.7, 78.7, 50.3)],
    ("Student of SOTA Teacher", "big"): [(42.1, 72.1, 52.5), (41.6, 71.0, 48.4), (42.4, 69.7, 55.3)],
    ("Student of SOTA Teacher", "small"): [(38.4, 60.7, 38.1), (38.7, 61.4, 41.5), (38.8, 61.2, 37.2)],
    ("Student of SOTA Teacher", "mini"): [(34.5, 55.2, 0.6), (34.7, 55.4, 0.4), (34.8, 56.4, 0.6)],
    ("Scratch Teacher", "big"): [(36.9, 64.8, 29.6), (37.5, 63.2, 33.4), (37.4, 66.5, 25.6)],
    ("Scratch Model", "small"): [(34.1, 60.7, 21.0), (34.3, 60.7, 14.8), (33.7, 59.7, 9.6)],
    ("Scratch Model", "mini"): [(29.8, 56.9, 0.8), (29.7, 56.5, 3.3), (29.9, 56.1, 1.1)],
    ("Student of Scratch Teacher", "big"): [(36.8, 63.6, 30.9), (37.9, 61.4, 28.8), (37.6, 63.5, 23.9)],
    ("Student of Scratch Teacher", "small"): [(35.5, 59.2, 26.4), (36.1, 59.9, 26.8), (35.4, 61.1, 11.4)],
    ("Student of Scratch Teacher", "mini"): [(32.4, 55.0, 17.4), (33.1, 54.8, 0.9), (32.3, 55.7, 12.2)],
}  # fmt: skip
_ENGLISH_RUSSIAN = {
    ("SOTA Teacher", "big"): [(31.1, 88.2, 40.9), (31.3, 89.7, 40.6), (33.3, 85.8, 37.3)],
    ("Student of SOTA Teacher", "big"): [(29.4, 81.0, 26.4), (29.3, 80.7, 27.6), (30.0, 81.0, 23.2)],
    ("Student of SOTA Teacher", "small"): [(25.7, 76.3, 21.6), (25.7, 77.7, 21.2), (25.9, 77.6, 15.5)],
    ("Student of SOTA Teacher", "mini"): [(24.9, 69.2, 14.9), (24.9, 70.2, 16.3), (25.0, 67.8, 11.5)],
    ("Scratch Teacher", "big"): [(26.7, 79.1, 13.7), (26.2, 77.2, 21.3), (26.3, 79.5, 24.5)],
    ("Scratch Model", "small"): [(24.8, 74.4, 9.5), (24.5, 73.2, 10.2), (24.6, 75.1, 10.6)],
    ("Scratch Model", "mini"): [(21.2, 71.4, 8.1), (21.2, 72.0, 8.0), (21.1, 70.5, 10.0)],
    ("Student of Scratch Teacher", "big"): [(28.4, 79.0, 11.1), (28.4, 78.5, 9.4), (28.2, 77.4, 7.6)],
    ("Student of Scratch Teacher", "small"): [(25.4, 75.1, 9.9), (25.6, 75.3, 10.7), (25.4, 74.8, 12.5)],
    ("Student of Scratch Teacher", "mini"): [(22.5, 72.3, 7.2), (22.5, 70.8, 8.2), (22.5, 69.1, 7.7)],
}  # fmt: skip


def _rows(table: dict[tuple[str, str], list[tuple[float, float, float]]]) -> list[Row]:
    return [
        Row(kind, size, number, *figures)
        for (kind, size), models in table.items()
        for number, figures in enumerate(models, start=1)
    ]


ROWS = {"en-de": _rows(_ENGLISH_GERMAN), "en-ru": _rows(_ENGLISH_RUSSIAN)}
