"""Finds cues for contrastive conditioning: a masked language model proposes, references select."""
