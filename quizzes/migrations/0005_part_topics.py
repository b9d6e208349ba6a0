"""Topics with an Arabic comma or semicolon become several, as those with a comma always did."""

import re

from django.db import migrations

from quizzes.folding import fold

PARTED = re.compile("[،؛]")


def part(apps, _editor):
    QuestionVersion = apps.get_model("quizzes", "QuestionVersion")
    QuestionTopic = apps.get_model("quizzes", "QuestionTopic")
    Question = apps.get_model("quizzes", "Question")
    for version in QuestionVersion.objects.iterator(chunk_size=200):
        topics = version.content.get("topics", ())
        if not any(PARTED.search(topic) for topic in topics):
            continue
        parts = (part.strip() for topic in topics for part in PARTED.split(topic))
        version.content["topics"] = list(dict.fromkeys(filter(None, parts)))[:20]
        version.save(update_fields=["content"])
        newest = Question.objects.filter(pk=version.question_id, number=version.number)
        if newest.exists():
            rows = QuestionTopic.objects.filter(question=version.question_id)
            rows.delete()
            QuestionTopic.objects.bulk_create(
                QuestionTopic(question_id=version.question_id, name=name, key=fold(name)[:120])
                for name in version.content["topics"]
            )
    # A preview with such a topic is given up: its file is brought in again.
    ImportDraft = apps.get_model("quizzes", "ImportDraft")
    for draft in ImportDraft.objects.iterator(chunk_size=20):
        if PARTED.search("".join(_topics(draft.rows))):
            draft.delete()


def _topics(rows):
    for row in rows:
        yield from (row.get("question") or {}).get("topics", ())


class Migration(migrations.Migration):
    dependencies = [("quizzes", "0004_import_changes")]

    operations = [migrations.RunPython(part, migrations.RunPython.noop)]
