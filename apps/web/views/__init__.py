"""The views: read the request, call one service, draw the answer."""
