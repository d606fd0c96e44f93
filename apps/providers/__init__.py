"""Model providers: OpenAI-compatible, the built-in symbolic solver, scripted."""
