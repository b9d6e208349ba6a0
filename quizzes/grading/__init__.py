"""Judging an answer against a question. Pure; the rules are stated in ``judging``."""
