"""What leaves a gradebook, in the formats of other programs."""
