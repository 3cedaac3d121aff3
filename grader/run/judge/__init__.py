"""The side of the judge: what watches the processes, and reads what they send."""
