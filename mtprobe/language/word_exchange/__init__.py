"""Exchanging one word of a translation for another in the same form."""
