"""The loop: pure Python, no Django."""
