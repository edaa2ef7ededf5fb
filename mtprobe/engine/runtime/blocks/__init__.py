"""Networks that read several tokens of a sentence at once, after those already read."""
