"""The system calls that code in the sandbox may make, as a program for seccomp, compiled by libseccomp.

An allow-list: what is not named here is refused with EPERM, whatever a later kernel adds. Calls of other architectures
(x32 among them) kill the process.
"""

import ctypes
import errno
import os
from functools import cache

from apps.sandbox.errors import Unavailable

_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_BAD_ARCHITECTURE, _OPTIMIZE = 2, 8
_EQUAL, _MASKED_EQUAL = 4, 7

_FREELY = (
    # what is open: read, write, wait
    "read readv pread64 write writev pwrite64 lseek close close_range dup dup2 dup3 pipe pipe2 poll ppoll select pselect6",
    "epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2 fsync fdatasync flock ftruncate fadvise64 sendfile copy_file_range",
    # files and folders, which Landlock guards; to look at one it does not
    "open openat stat lstat fstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink readlinkat getdents64",
    "getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 umask",
    # memory and threads
    "brk munmap mprotect mremap madvise membarrier",
    "futex set_robust_list rseq set_tid_address sched_yield sched_getaffinity getcpu exit exit_group restart_syscall",
    # its own signals, clocks and facts
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait sigaltstack pause alarm setitimer getitimer",
    "nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times",
    "getpid getppid gettid getuid geteuid getgid getegid getgroups getresuid getresgid getrlimit getrusage",
    "uname sysinfo getrandom",
)

_NEW_NAMESPACES, _THREAD = 0x7E020080, 0x00010000
_PRIVATE, _KINDS_OF_MAPPING = 0x02, 0x0F
# Locks and flags; not who is sent a signal when a file is ready: that would reach processes outside.
_COMMANDS = {"F_DUPFD": 0, "F_GETFD": 1, "F_SETFD": 2, "F_GETFL": 3, "F_SETFL": 4, "F_GETLK": 5, "F_SETLK": 6, "F_SETLKW": 7}
_DUPLICATE_AND_CLOSE = 1030
_TERMINAL_OR_NOT, _CLOSE_ON_EXEC, _NOT_BLOCKING = 0x5401, 0x5451, 0x5421
_SET_NAME = 15

Condition = tuple[int, int, int, int]
"""Number of the argument, comparison, and its two values."""

_IF: tuple[tuple[str, tuple[Condition, ...]], ...] = (
    ("clone", ((0, _MASKED_EQUAL, _NEW_NAMESPACES | _THREAD, _THREAD),)),  # threads, never processes
    ("mmap", ((3, _MASKED_EQUAL, _KINDS_OF_MAPPING, _PRIVATE),)),  # what is shared would be written past every count
    ("prlimit64", ((0, _EQUAL, 0, 0), (2, _EQUAL, 0, 0))),  # its own limits, to read
    ("prctl", ((0, _EQUAL, _SET_NAME, 0),)),
    *(("fcntl", ((1, _EQUAL, command, 0),)) for command in (*_COMMANDS.values(), _DUPLICATE_AND_CLOSE)),
    *(("ioctl", ((1, _EQUAL, request, 0),)) for request in (_TERMINAL_OR_NOT, _CLOSE_ON_EXEC, _NOT_BLOCKING)),
)
_ANSWERED = {
    errno.ENOSYS: ("clone3",),  # the C library then falls back to clone, whose flags a filter can see
    # Said to be done, and not done: Landlock does not guard them, and copying a file would fail without them.
    0: ("chmod", "fchmod", "fchmodat", "fchmodat2", "utime", "utimes", "utimensat", "futimesat"),
}


class _Comparison(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("first", ctypes.c_uint64), ("second", ctypes.c_uint64)]


@cache
def compiled() -> bytes:
    """Return the filter for the architecture of this process. Raises Unavailable without libseccomp."""
    library = _library()
    context = ctypes.c_void_p(library.seccomp_init(_ERRNO | errno.EPERM))
    try:
        _check(library.seccomp_attr_set(context, _BAD_ARCHITECTURE, _KILL))
        _check(library.seccomp_attr_set(context, _OPTIMIZE, 2))
        for name in " ".join(_FREELY).split():
            _add(library, context, _ALLOW, name, ())
        for name, conditions in _IF:
            _add(library, context, _ALLOW, name, conditions)
        for number, names in _ANSWERED.items():
            for name in names:
                _add(library, context, _ERRNO | number, name, ())
        return _exported(library, context)
    finally:
        library.seccomp_release(context)


def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        raise Unavailable("libseccomp is not installed") from None
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    return library


def _add(library: ctypes.CDLL, context: ctypes.c_void_p, action: int, name: str, conditions: tuple[Condition, ...]) -> None:
    number = library.seccomp_syscall_resolve_name(name.encode())
    if number < 0:
        return  # this architecture, or this libseccomp, does not have it
    comparisons = (_Comparison * len(conditions))(*(_Comparison(*condition) for condition in conditions))
    _check(library.seccomp_rule_add_array(context, ctypes.c_uint32(action), number, len(conditions), comparisons))


def _exported(library: ctypes.CDLL, context: ctypes.c_void_p) -> bytes:
    file = os.memfd_create("seccomp")
    try:
        _check(library.seccomp_export_bpf(context, file))
        return os.pread(file, 1 << 20, 0)
    finally:
        os.close(file)


def _check(result: int) -> None:
    if result < 0:
        raise Unavailable(f"libseccomp refuses the filter ({os.strerror(-result)})")
