"""The side of an answer: what runs in the process of its code."""
