"""The built-in symbolic solver: a provider without a language model."""
