"""Finds cues for contrastive conditioning: a masked language model proposes them, references select among them."""
