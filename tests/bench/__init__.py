"""Speed and memory, measured side by side: `python -m tests.bench`."""
