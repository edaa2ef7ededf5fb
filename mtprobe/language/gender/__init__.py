"""Grammatical gender: which gender a translation gives a person."""
