from django.db import migrations, models
from django.db.models import F


def told(apps, schema_editor):
    """Until now all that ended was told in the moment of its end, or never."""
    apps.get_model("games", "Match").objects.filter(status="ended").update(told_version=F("version"))


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_records_by_match'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='told_version',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(told, migrations.RunPython.noop),
    ]
