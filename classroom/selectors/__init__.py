"""What pages of people, classes and lessons show. Reads only."""
