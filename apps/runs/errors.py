"""What the coordinator refuses, each with its stable code. Which HTTP status that is, the faces decide."""

from apps.common.errors import HandraiseError


class NotFound(HandraiseError):
    """There is no such thing, or it belongs to somebody else: the two look the same.

    `asked_for` is the public id of a session, question, file or attachment, for the audit (`apps.runs.trespass`) and for
    nobody's eyes.
    """

    code = "not_found"

    def __init__(self, message: str, *, asked_for: str = "") -> None:
        super().__init__(message)
        self.asked_for = asked_for


class InteractionNotFound(NotFound):
    """There is no such question, or it was put to somebody else."""

    code = "interaction_not_found"


class WrongSession(HandraiseError):
    """The question belongs to another session of the same user."""

    code = "wrong_session"


class AlreadyResolved(HandraiseError):
    """The question is closed; `facts["receipt"]` says what was recorded."""

    code = "already_resolved"


class Expired(HandraiseError):
    """The question's deadline has passed; `facts["receipt"]` says so."""

    code = "expired"


class Gone(HandraiseError):
    """The file was the caller's own, and has been erased."""

    code = "gone"


class NotResumable(HandraiseError):
    """The run was stored in a form that this version cannot go on from."""

    code = "not_resumable"


class InteractionPending(HandraiseError):
    """A question is open in the session; `facts["pending"]` names it."""

    code = "interaction_pending"


class RunActive(HandraiseError):
    """A run of the session is at work."""

    code = "run_active"


class NoExpiry(HandraiseError):
    """The question has no deadline that could be moved."""

    code = "no_expiry"


class NotRetryable(HandraiseError):
    """The session's last run did not fail, or failed in a way that trying again does not mend."""

    code = "not_retryable"


class InvalidRequest(HandraiseError):
    """A field has a value that cannot be used; `errors` names the fields."""

    code = "invalid_request"


class StaleRevision(HandraiseError):
    """The answer is bound to another revision of the plan than the one that is shown."""

    code = "stale_revision"


class Altered(HandraiseError):
    """What is stored of a session was altered so that it cannot be read; `facts["verdict"]` says what the audit finds."""

    code = "altered"
