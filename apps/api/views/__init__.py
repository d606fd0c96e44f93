"""The calls of the API: each reads its request, calls one service, and writes the answer."""
