"""What the documentation site shows besides its hand-written pages."""
