"""Studies of finished runs: do verdicts agree with people, what explains the numbers, is the model or its search wrong?"""
