"""The method `question`: a language model answers which reading a translation conveys."""
