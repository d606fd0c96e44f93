"""What turns content into the bytes of a file. Runs in a limited worker process: no Django, no files, no network."""
