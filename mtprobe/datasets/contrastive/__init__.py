"""Public sets of contrastive translations, one module per layout; what they share is in `family`."""
