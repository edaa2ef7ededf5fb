"""Public sets of contrastive translations, one module per format; what they share is in `family`."""
