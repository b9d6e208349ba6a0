"""QTI 2.1 and 2.2: read both, write 2.1, which more systems know."""

from collections.abc import Mapping, Sequence

from quizzes.formats import qti_packages
from quizzes.formats.carries import ALL_FIELDS, ALL_KINDS, Carries
from quizzes.formats.qti_items import Dialect
from quizzes.formats.qti_packages import Version
from quizzes.formats.question import Question
from quizzes.formats.reading import Reading

CARRIES = Carries(kinds=ALL_KINDS, fields=ALL_FIELDS)
VERSION = Version(
    item="assessmentItem",
    resource="imsqti_item_xmlv2p1",
    manifest="http://www.imsglobal.org/xsd/imscp_v1p1",
    schema="QTIv2.1 Package",
    schema_version="1.0.0",
    dialect=Dialect(
        namespace="http://www.imsglobal.org/xsd/imsqti_v2p1",
        kebab=False,
        templates="http://www.imsglobal.org/question/qti_v2p1/rptemplates/",
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
