"""Salience: which words of a source influence a model when it chooses a word of the target."""
