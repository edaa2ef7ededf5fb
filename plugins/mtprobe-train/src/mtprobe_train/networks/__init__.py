"""Networks in torch: loading by spec, tokens, batches, smaller students, and saving."""
