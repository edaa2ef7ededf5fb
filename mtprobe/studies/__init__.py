"""Studies over finished runs and over corpora: is the method right, what explains the numbers, what is the data like."""
