"""The rights, and the four groups that have them."""

from typing import Any

from django.db import migrations, models

RIGHTS = [
    ("view_history", "See sessions, runs, interactions and audit records, texts masked"),
    ("reveal_answer", "Reveal an answer, with a reason"),
    ("export_records", "Export records"),
    ("export_evidence", "Export evidence and the data of users, with their texts"),
    ("erase_data", "Erase data"),
    ("recover", "Close, extend and queue again what is stuck"),
    ("manage_people", "Manage users, groups and tokens"),
    ("change_settings", "Change settings"),
]
ROLES = {
    "auditor": ["view_history"],
    "privacy officer": ["view_history", "reveal_answer", "export_records", "export_evidence", "erase_data"],
    "operator": ["view_history", "recover"],
    "admin": ["view_history", "recover", "manage_people", "change_settings"],
}


def make_groups(apps: Any, schema_editor: Any) -> None:
    """Make the groups. Their permissions are made here as well: Django makes permissions only after all migrations."""
    using = schema_editor.connection.alias
    content_types = apps.get_model("contenttypes", "ContentType").objects.using(using)
    permissions = apps.get_model("auth", "Permission").objects.using(using)
    groups = apps.get_model("auth", "Group").objects.using(using)
    content_type, _ = content_types.get_or_create(app_label="console", model="access")
    made = {}
    for codename, name in RIGHTS:
        defaults = {"name": name}
        made[codename], _ = permissions.get_or_create(content_type=content_type, codename=codename, defaults=defaults)
    for name, rights in ROLES.items():
        group, _ = groups.get_or_create(name=name)
        group.permissions.add(*(made[codename] for codename in rights))


def remove_groups(apps: Any, schema_editor: Any) -> None:
    """Remove the groups."""
    groups = apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias)
    groups.filter(name__in=ROLES).delete()


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.CreateModel(
            name="Access",
            fields=[("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))],
            options={"managed": False, "default_permissions": (), "permissions": RIGHTS},
        ),
        migrations.RunPython(make_groups, remove_groups),
    ]
