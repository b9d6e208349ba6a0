#!/usr/bin/env python3
"""Start Civic Table: ``python3 civic.py``. All verbs: ``python3 civic.py --help``.

This file must be readable by any Python 3, so that a wrong one gets a sentence
and no traceback. Everything else is in ``launcher/``.
"""

import sys

NEEDED = (3, 11)

if sys.version_info < NEEDED:
    sys.exit(
        "Civic Table needs Python %d.%d or newer; this is Python %d.%d. "
        "Install a newer one and start with it, for example: python3.11 civic.py"
        % (NEEDED + tuple(sys.version_info[:2]))
    )

from launcher.main import main  # noqa: E402 - only where it can be read

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
