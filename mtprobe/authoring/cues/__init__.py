"""Cues for contrastive conditioning, found by machine: a masked language model proposes, references select."""
