"""The append-only events of each session: written with the change they tell of, numbered without gaps, read as sent."""
