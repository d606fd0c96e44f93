"""API tokens: whose they are, what they may do, when they were used; they can be revoked and nothing else."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import ApiToken
from apps.accounts.tokens import revoke_token
from apps.console.drawing import link, moment, short
from apps.console.filters import Chosen, DayFilter
from apps.console.history import HistoryAdmin
from apps.console.paging import Narrowing
from apps.console.rights import Right, may
from apps.console.search import BY_ID, by_id_or_person


class RevokedFilter(Chosen):
    """Tokens that were revoked, or not."""

    title = gettext_lazy("revoked")
    parameter = "revoked"

    def options(self) -> Sequence[tuple[str, str]]:
        """Return yes and no."""
        return [("yes", _("yes")), ("no", _("no"))]

    def condition(self, value: str) -> Q:
        """Return the condition."""
        return Q(revoked_at__isnull=value == "no")


class TokenAdmin(HistoryAdmin[ApiToken]):
    """The tokens. Their names are their users' text and are not shown."""

    list_display = ("ident", "person", "rights", "made_at", "used_at", "ends_at")
    list_filter = (DayFilter, RevokedFilter)
    search_help_text = gettext_lazy("The id of a token, or the name of a user.")
    detail_template = "admin/console/token.html"
    path_to_chain = ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiToken]:
        """Return the rows with their users, without names and digests."""
        return ApiToken.objects.select_related("user").defer("name", "digest")

    def get_queryset_of_one(self) -> QuerySet[ApiToken]:
        """Return the rows with their users."""
        return ApiToken.objects.select_related("user").defer("name", "digest")

    def searched(self, query: str) -> Narrowing:
        """Search by id and user."""
        ids = {"token": lambda ident: Q(public_id=ident)}
        return by_id_or_person(query, ids, lambda users: Narrowing(Q(user__in=users), BY_ID))

    @admin.display(description=gettext_lazy("token"))
    def ident(self, row: ApiToken) -> str:
        """The id."""
        return short(row.public_id)

    @admin.display(description=gettext_lazy("user"))
    def person(self, row: ApiToken) -> str:
        """Whose it is."""
        return row.user.get_username()

    @admin.display(description=gettext_lazy("scopes"))
    def rights(self, row: ApiToken) -> str:
        """What it may do."""
        return " ".join(row.scopes)

    @admin.display(description=gettext_lazy("made (UTC)"))
    def made_at(self, row: ApiToken) -> str:
        """When it was made."""
        return moment(row.created_at)

    @admin.display(description=gettext_lazy("last used (UTC)"))
    def used_at(self, row: ApiToken) -> str:
        """When it was used last, to the hour."""
        return moment(row.last_used_at)

    @admin.display(description=gettext_lazy("revoked or expires (UTC)"))
    def ends_at(self, row: ApiToken) -> str:
        """When it ended, or will."""
        return moment(row.revoked_at or row.expires_at)

    def pages(self) -> Sequence[tuple[Any, ...]]:
        """Return the further pages."""
        return (("revoke", self.revoke_view),)

    def detail(self, request: HttpRequest, row: ApiToken) -> dict[str, Any]:
        """Return what is known of a token."""
        return {
            "facts": [
                (_("user"), link("user", row.user.public_id, row.user.get_username())),
                (_("begins with"), row.prefix),
                (_("scopes"), self.rights(row)),
                (_("made (UTC)"), moment(row.created_at)),
                (_("expires (UTC)"), moment(row.expires_at) or _("never")),
                (_("last used (UTC)"), moment(row.last_used_at)),
                (_("revoked (UTC)"), moment(row.revoked_at)),
            ],
            "may_revoke": row.revoked_at is None and may(request, Right.PEOPLE),
        }

    def revoke_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Make a token useless from now on."""
        if not may(request, Right.PEOPLE):
            raise PermissionDenied
        row = self.found(request, object_id)
        if request.method == "POST" and revoke_token(row):
            messages.success(request, _("The token is revoked."))
        return HttpResponseRedirect(self.address_of(row))
