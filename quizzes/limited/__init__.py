"""What strangers' bytes may do: little, and in a process of its own.

``pictures`` and ``files`` are programs that read one thing after another from their
standard input. ``child`` starts them from a page or a worker. Why so:
docs/decisions/0011-limited-children.md. No Django here.
"""
