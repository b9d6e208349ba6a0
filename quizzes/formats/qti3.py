"""QTI 3.0: read and written."""

from collections.abc import Mapping, Sequence

from quizzes.formats import qti_packages
from quizzes.formats.carries import ALL_FIELDS, ALL_KINDS, Carries
from quizzes.formats.qti_items import Dialect
from quizzes.formats.qti_packages import Version
from quizzes.formats.question import Question
from quizzes.formats.reading import Reading

CARRIES = Carries(kinds=ALL_KINDS, fields=ALL_FIELDS)
VERSION = Version(
    item="qti-assessment-item",
    resource="imsqti_item_xmlv3p0",
    manifest="http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1",
    schema="QTI Package",
    schema_version="3.0.0",
    dialect=Dialect(
        namespace="http://www.imsglobal.org/xsd/imsqtiasi_v3p0",
        kebab=True,
        templates="https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/",
    ),
)


def fits(question: Question) -> bool:
    """Every question fits."""
    return True


def read(data: bytes, encoding: str | None = None) -> Reading:
    """Return the questions of a package, or of one item as XML."""
    return qti_packages.read(data, encoding, VERSION)


def write(questions: Sequence[Question], pictures: Mapping[str, bytes] | None = None) -> bytes:
    """Return a package of the questions with the pictures they name."""
    return qti_packages.write(questions, pictures or {}, VERSION)
