"""`web_fetch` and `web_search`: pages of the internet, never of the network that the server stands in."""
