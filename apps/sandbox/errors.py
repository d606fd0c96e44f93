"""What the sandbox says when a job gave no result."""


class SandboxError(Exception):
    """A job gave no result."""


class TimedOut(SandboxError):
    """The job ran longer than it may; its worker was killed."""


class OutOfMemory(SandboxError):
    """The job needed more memory than it may have; its worker was ended."""


class JobFailed(SandboxError):
    """The job's function raised; its worker lives on. `kind` is the name of the exception's class."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"the job raised {kind}")
        self.kind = kind


class WorkerFailed(SandboxError):
    """The worker could not start, died, or gave a reply that cannot be read."""


class Unavailable(SandboxError):
    """A sandbox does not work on this machine. Its text says why, to the administrator; it holds no path."""
