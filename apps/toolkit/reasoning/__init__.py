"""`reason`: one question to the run's model, apart from the conversation."""
