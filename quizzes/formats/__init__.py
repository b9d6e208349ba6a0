"""Questions as values, and the files teachers keep them in.

One module a format, each with ``read`` and ``write``; ``catalog`` lists them
and finds out which one a file is in. Pure: no Django, no database, no network,
no file system. What each format carries: docs/reference/formats.md.
"""
