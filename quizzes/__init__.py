"""Questions: their file formats, and how answers are graded."""
