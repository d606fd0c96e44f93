"""The people who use Handraise, and what proves that a request comes from one of them."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.common.ids import new_id

# A unique text field would bring a second index for LIKE on PostgreSQL; a unique constraint does not.


def new_user_id() -> str:
    """Return a fresh public id for a user."""
    return new_id("user")


def new_token_id() -> str:
    """Return a fresh public id for an API token."""
    return new_id("token")


class User(AbstractUser):
    """A person who signs in. The public id is what leaves the process; the integer key never does."""

    public_id = models.CharField(max_length=40, default=new_user_id, editable=False)
    language = models.CharField(
        _("language"), max_length=8, blank=True, default="", choices=[("en", "English"), ("zh-hans", "简体中文")]
    )
    preferences = models.JSONField(default=dict, blank=True)

    class Meta(AbstractUser.Meta):
        constraints = [models.UniqueConstraint(fields=["public_id"], name="accounts_user_public_id")]


class Scope(models.TextChoices):
    """What a token may do (contracts.md 8). No scope opens another user's sessions."""

    READ = "read"
    ANSWER = "answer"
    RUN = "run"
    ADMIN = "admin"


class ApiToken(models.Model):
    """A bearer token. Only the SHA-256 of its text is kept, so the table does not help a thief."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    public_id = models.CharField(max_length=40, default=new_token_id, editable=False)
    name = models.CharField(max_length=100, blank=True)
    digest = models.CharField(max_length=64, editable=False)
    prefix = models.CharField(max_length=12, editable=False)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("API token"), _("API tokens")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["digest"], name="accounts_token_digest"),
            models.UniqueConstraint(fields=["public_id"], name="accounts_token_public_id"),
        ]

    def __str__(self) -> str:
        return self.public_id

    def allows(self, scope: str) -> bool:
        """Say whether the token has the scope; `admin` counts only while its user is staff."""
        return scope in self.scopes and (scope != Scope.ADMIN or self.user.is_staff)


class IdempotencyKey(models.Model):
    """What a POST with an Idempotency-Key did: written in the transaction of its effect, kept 24 hours."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=300)
    # A longer path holds an id that nobody made: its effect is refused before there is anything to remember.
    key = models.CharField(max_length=255)
    body_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    ids = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "method", "path", "key"], name="accounts_idempotency_key")
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class SignInLink(models.Model):
    """A link that signs one user in, once. Only the SHA-256 of its token is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    expires_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="accounts_link_digest")]

    def __str__(self) -> str:
        return f"link {self.pk}"


class SignInAttempts(models.Model):
    """The last tries to sign in with one name from one address.

    The pair is kept as a keyed digest: people type their password into the name field.
    """

    digest = models.CharField(max_length=64)
    times = models.JSONField(default=list)
    """Seconds since 1970 of each try that still counts, oldest first."""
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="accounts_attempts_digest")]

    def __str__(self) -> str:
        return f"attempts {self.pk}"
