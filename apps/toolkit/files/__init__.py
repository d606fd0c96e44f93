"""Files that tools make: where they lie, how they are written and opened, their rows, and the tool `exec`."""
