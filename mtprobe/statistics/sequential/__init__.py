"""Confidence sequences: limits that are valid at every moment, for any stopping rule.

The samples of a suite are a finite population, asked one by one in a random order. Each limit is the outcome of a bet
(Waudby-Smith and Ramdas 2020, 2024): whoever bets against a value cannot expect to gain if it is the true one, so a
capital of 1/risk arises with a probability of at most `risk`, ever.
"""

from mtprobe.statistics.sequential.extremes import GapSequence, LowestSequence
from mtprobe.statistics.sequential.limits import ConfidenceSequence, limits
from mtprobe.statistics.sequential.ratio import RatioSequence

__all__ = ["ConfidenceSequence", "GapSequence", "LowestSequence", "RatioSequence", "limits"]
