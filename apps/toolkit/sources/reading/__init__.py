"""How the text of a file is read. Runs in a limited worker process, and imports nothing of Django."""
