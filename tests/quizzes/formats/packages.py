"""Packages for tests, made from files of the corpus or by an independent writer."""

import io
import zipfile
from pathlib import Path

from qti_package_maker.package_interface import QTIPackageInterface

CORPUS = Path(__file__).parent / "corpus"


def packed(folder: str, files: dict[str, bytes] | None = None) -> bytes:
    """A package of all XML files of a folder of the corpus, without a manifest."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path in sorted((CORPUS / folder).glob("*.xml")):
            archive.write(path, path.name)
        for name, content in (files or {}).items():
            archive.writestr(name, content)
    return out.getvalue()


def made_elsewhere(engine: str, folder: Path, *, ordering: bool) -> bytes:
    """A package written by qti-package-maker; call it with ``folder`` as current folder."""
    maker = QTIPackageInterface("civics", verbose=False, allow_mixed=True)
    for kind, values in (
        ("MC", ("Who may <b>vote</b> &amp; stand?", ["All", "Owners", "None"], "All")),
        ("MA", ("Which are rights?", ["Speech", "Press", "Theft"], ["Speech", "Press"])),
        ("MATCH", ("Match them", ["court", "parliament"], ["judges", "makes laws", "sells"])),
        ("NUM", ("In which year?", 1789.0, 1.5, True)),
        ("FIB", ("Capital of France?", ["Paris", "Lutetia"])),
        ("MULTI_FIB", ("The [a] and the [b].", {"a": ["cat"], "b": ["dog"]})),
    ):
        maker.add_item(kind, values)
    if ordering:
        maker.add_item("ORDER", ("Put in order", ["bill", "vote", "law"]))
    name = str(folder / "made.zip")
    maker.save_package(engine, name)
    return Path(name).read_bytes()
