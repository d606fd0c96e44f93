"""People, their API tokens and their sign-in."""
