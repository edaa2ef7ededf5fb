"""Grammatical gender: which one a translation gives a person."""
