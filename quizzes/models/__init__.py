"""The question bank (docs/architecture.md). Rows with an address have a random UUID key."""

from quizzes.models.drafts import Draft
from quizzes.models.imports import ImportDraft, ImportedFile
from quizzes.models.pictures import Picture
from quizzes.models.questions import Question, QuestionTopic, QuestionVersion
from quizzes.models.sets import QuestionSet, SetShare

__all__ = [
    "Draft",
    "ImportDraft",
    "ImportedFile",
    "Picture",
    "Question",
    "QuestionSet",
    "QuestionTopic",
    "QuestionVersion",
    "SetShare",
]
