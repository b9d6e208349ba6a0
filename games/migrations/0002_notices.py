"""Notices from the teacher, and the record of a last round."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("classroom", "0001_initial"),
        ("games", "0001_initial"),
    ]

    operations = [
        migrations.AlterField(
            model_name="moverecord",
            name="kind",
            field=models.CharField(
                choices=[
                    ("setup", "set-up"),
                    ("move", "move"),
                    ("timeout", "time ran out"),
                    ("bot", "move of the computer"),
                    ("teacher", "move of the teacher"),
                    ("join", "joined"),
                    ("leave", "left"),
                    ("pause", "paused"),
                    ("resume", "resumed"),
                    ("rewind", "taken back"),
                    ("end", "ended"),
                    ("seat", "somebody else plays"),
                    ("decider", "one student decides"),
                    ("time", "more time"),
                    ("finish", "the last round"),
                    ("freeze", "stopped by an error"),
                ],
                max_length=8,
            ),
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(null=True)),
                ("text", models.CharField(max_length=140)),
                ("on_screen", models.BooleanField(default=False)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "lesson",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="classroom.lesson",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="games.match",
                    ),
                ),
            ],
            options={
                "verbose_name": "notice",
                "verbose_name_plural": "notices",
                "ordering": ["pk"],
            },
        ),
    ]
