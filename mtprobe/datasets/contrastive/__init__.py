"""Public sets of contrastive translations, one module per layout; shared code is in `family`."""
