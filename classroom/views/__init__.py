"""Pages of people, classes and lessons: read the request, call one service, answer."""
