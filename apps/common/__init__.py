"""What every layer may use: ids, the clock, texts, transitions, errors."""
