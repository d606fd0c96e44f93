"""Who sends a request: a bearer token in the header, or the session cookie of the pages with its CSRF token."""

from django.http import HttpRequest, HttpResponse
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from apps.accounts.models import ApiToken, User
from apps.accounts.tokens import user_of_token
from apps.api.errors import CsrfFailed


class BearerToken(BaseAuthentication):
    """``Authorization: Bearer <token>``. A request with such a header is that token's, whatever its cookie."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the token's user; None if the request brings no token. Raises AuthenticationFailed."""
        scheme, _, plain = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        found = user_of_token(plain.strip())
        if found is None:
            raise AuthenticationFailed
        return found

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge of a 401."""
        return "Bearer"


class SessionCookie(BaseAuthentication):
    """The session cookie of the pages. What changes something needs the CSRF token as well."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """Return the signed-in user; None if nobody is. Raises CsrfFailed."""
        user = request._request.user
        if not isinstance(user, User) or not user.is_active:
            return None
        _check_csrf(request._request)
        return user, None


def _check_csrf(request: HttpRequest) -> None:
    """Check as Django's middleware does; it lets the API's own views pass, for tokens need no check."""
    check = CSRFCheck(_any_view)
    check.process_request(request)
    if check.process_view(request, _any_view, (), {}):
        raise CsrfFailed


def _any_view(request: HttpRequest) -> HttpResponse:
    return HttpResponse()
