"""A language model is asked which reading a translation conveys."""
