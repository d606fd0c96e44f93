"""The seam between "advance run N" and who does it. Embedded: an asyncio runner, the queued rows are the queue."""
