"""Start the one-machine product: its address, its first administrator, its server with a runner inside."""
