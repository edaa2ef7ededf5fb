"""Methods that look at a translation itself and ask no model: what survives, word lists, a function of one's own."""
