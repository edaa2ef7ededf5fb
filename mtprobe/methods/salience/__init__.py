"""Salience: which words of a source a model looks at when it chooses a word of the target."""
