"""Pages of the question bank, for teachers alone."""
