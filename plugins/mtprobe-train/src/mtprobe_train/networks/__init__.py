"""The networks of torch: loading what a spec names, its tokens, batches of them, smaller students, and saving."""
