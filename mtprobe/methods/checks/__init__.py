"""Methods that only look at the translation and need no model: what must be preserved, word lists, the user's own function."""
