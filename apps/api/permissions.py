"""What a request may do: signed in by cookie all that its user may, with a token what the token's scopes say."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from apps.accounts.models import ApiToken
from apps.api.errors import InsufficientScope


class SignedInWithScope(BasePermission):
    """Let nobody in who is not signed in, and no token without the scope that the view names for the method."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True, or raise NotAuthenticated or InsufficientScope."""
        if request.user is None:
            raise NotAuthenticated
        token, scope = request.auth, view.scopes.get(request.method, "read")
        if isinstance(token, ApiToken) and not token.allows(scope):
            raise InsufficientScope(_("The token lacks the scope “%(scope)s”.") % {"scope": scope})
        return True
