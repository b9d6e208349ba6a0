"""The bill of materials: what a school's installation consists of (CycloneDX 1.5, JSON).

Made from the locks and from the tables of ``static/vendor`` and ``static/fonts`` alone,
so it is the same wherever it is made. ``docs/security/sbom.cdx.json`` is kept beside
the source, and a test compares the two.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from pathlib import Path
from typing import Any

from launcher import ROOT, version

PLACE = Path("docs") / "security" / "sbom.cdx.json"
LOCK = "requirements.txt"
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)\s*(?:;\s*([^\\]+?))?\s*\\?$", re.MULTILINE)
_VENDORED = re.compile(r"^\| `([\w.-]+)` \| ([^:|]+)[^|]*\| ([\w.]+) \| ([\w.-]+)", re.MULTILINE)


def bill() -> dict[str, Any]:
    """All libraries that are installed and all files of others that are served."""
    lock = (ROOT / LOCK).read_text(encoding="utf-8")
    served = (ROOT / "static" / "vendor" / "README.md").read_text(encoding="utf-8")
    parts = [_library(*found) for found in _PINNED.findall(lock)]
    parts += [_file(*found) for found in _VENDORED.findall(served)]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, lock + served)}",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "name": "civictable", "version": version()}
        },
        "components": parts,
    }


def write() -> Path:
    """Write the bill to its place beside the source."""
    path = ROOT / PLACE
    path.write_text(json.dumps(bill(), indent=1) + "\n", encoding="utf-8")
    return path


def _library(name: str, pinned: str, where: str) -> dict[str, Any]:
    """A package of the lock; ``where``: the systems that it is for, if not all."""
    purl = f"pkg:pypi/{name.lower()}@{pinned}"
    part = {"type": "library", "bom-ref": purl, "name": name, "version": pinned, "purl": purl}
    return part | ({"properties": [{"name": "marker", "value": where}]} if where else {})


def _file(name: str, what: str, made_of: str, licence: str) -> dict[str, Any]:
    """A file of others in ``static/vendor``."""
    content = (ROOT / "static" / "vendor" / name).read_bytes()
    return {
        "type": "library",
        "bom-ref": f"pkg:npm/{what.strip().lower()}@{made_of}",
        "name": what.strip(),
        "version": made_of,
        "purl": f"pkg:npm/{what.strip().lower()}@{made_of}",
        "licenses": [{"license": {"id": licence}}],
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}],
    }
