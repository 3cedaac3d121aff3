"""What the commands do, one module for each command or family."""
