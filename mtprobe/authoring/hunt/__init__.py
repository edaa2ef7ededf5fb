"""Finds the smallest sentences of a suite that a model gets wrong.

`space` knows the sentences that a suite can make, and which of two is simpler; `ask` translates and judges them, each
once and within a budget; `explore` proposes sentences; `shrink` makes a failing one smaller, with hypothesis; `causes`
finds out what failing sentences share; `search` does all of that in turn; `write` keeps what was found as a suite.
"""
