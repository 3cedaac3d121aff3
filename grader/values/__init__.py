"""What every part stands on: plain values, and how they travel."""
