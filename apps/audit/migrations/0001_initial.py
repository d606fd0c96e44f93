"""Tables of the app."""

from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='AuditChain',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session', models.CharField(blank=True, max_length=40)),
                ('number', models.PositiveBigIntegerField(default=0)),
                ('at', models.DateTimeField()),
                ('value', models.BinaryField(default=b'')),
                ('key_id', models.CharField(blank=True, max_length=8)),
            ],
            options={
                'default_permissions': ('view',),
                'constraints': [models.UniqueConstraint(fields=('session',), name='audit_chain_session')],
            },
        ),
        migrations.CreateModel(
            name='AuditRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session', models.CharField(blank=True, max_length=40, verbose_name='session')),
                ('number', models.PositiveBigIntegerField(verbose_name='number')),
                ('at', models.DateTimeField(verbose_name='time')),
                ('kind', models.CharField(max_length=30, verbose_name='kind')),
                ('actor_kind', models.CharField(max_length=6, verbose_name='actor')),
                ('actor_id', models.CharField(blank=True, max_length=40, verbose_name="actor's id")),
                ('channel', models.CharField(max_length=6, verbose_name='channel')),
                ('run', models.CharField(blank=True, max_length=40, verbose_name='run')),
                ('request', models.CharField(blank=True, max_length=40, verbose_name='question')),
                ('tool_call', models.TextField(blank=True, verbose_name='tool call')),
                ('result', models.TextField(blank=True, verbose_name='tool result')),
                ('summary', models.JSONField(default=dict, verbose_name='summary')),
                ('digest', models.BinaryField(default=b'', verbose_name='digest of the payload')),
                ('http_request', models.CharField(blank=True, max_length=40, verbose_name='HTTP request')),
                ('previous', models.BinaryField(verbose_name='previous value')),
                ('value', models.BinaryField(verbose_name='value')),
                ('key_id', models.CharField(max_length=8, verbose_name='key')),
            ],
            options={
                'verbose_name': 'audit record',
                'verbose_name_plural': 'audit records',
                'default_permissions': ('view',),
                'constraints': [models.UniqueConstraint(fields=('session', 'number'), name='audit_record_number')],
            },
        ),
    ]
