"""Pages of matches: read the request, call one service, answer."""
