"""The layers of Handraise; imports point downwards only (pyproject.toml)."""
