"""Programs that try to get out of a sandbox, or to use it up, and what must come of each.

Each line that a program prints names the error that an attempt met, or is ``got`` and what it got. PRELUDE gives them a
victim: a process of the same user outside, a file and a socket there that everybody may read and write.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apps.sandbox.code import Finished

PRELUDE = """
import ctypes, errno, os, signal, socket, sys
VICTIM, CANARY, SOCKET = {victim}, {canary!r}, {socket!r}
libc = ctypes.CDLL(None, use_errno=True)
def attempt(act):
    try:
        print("got", repr(act())[:200])
    except (OSError, ImportError, ValueError) as error:
        print(errno.errorcode.get(getattr(error, "errno", None), type(error).__name__))
def call(number, *arguments):
    result = libc.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result
"""
REFUSED = {"EPERM", "EACCES", "EROFS", "ENOENT", "ENOSYS", "ModuleNotFoundError", "URLError", "ValueError"}


@dataclass(frozen=True)
class Attack:
    """A program, how long it may run, and whether its end is a contained one."""

    program: str
    is_contained: Callable[[Finished], bool]
    seconds: float = 20


def is_refused(finished: Finished) -> bool:
    """Whether the program came to its end and every attempt met a wall."""
    lines = finished.stdout.split()
    return finished.exit_code == 0 and bool(lines) and set(lines) <= REFUSED


def refused(*attempts: str, setup: str = "") -> Attack:
    """Return an attack all of whose attempts must be refused."""
    return Attack("\n".join([setup, *(f"attempt(lambda: {each})" for each in attempts)]), is_refused)


def calls(*numbers_and_arguments: str) -> Attack:
    """Return an attack by system calls of x86-64; elsewhere the numbers mean others, and those are refused as well."""
    return refused(*(f"call({each})" for each in numbers_and_arguments))


def ended(*reasons: str, seconds: float = 20) -> Callable[[str], Attack]:
    """Return what makes an attack of a program that must be ended for one of these reasons, or fail by itself."""

    def is_contained(finished: Finished) -> bool:
        return finished.reason in reasons or (finished.exit_code not in (0, None) and "" in reasons)

    return lambda program: Attack(program, is_contained, seconds)


ATTACKS: Mapping[str, Attack] = {
    # --- to read -------------------------------------------------------------------------------------
    "reads_etc_passwd": refused("open('/etc/passwd').read()", "os.listdir('/etc')"),
    "lists_the_homes_of_people": refused("os.listdir('/root')", "os.listdir('/home')", "os.listdir('/')"),
    "reads_a_file_that_everybody_may_read": refused("open(CANARY).read()", "os.listdir(os.path.dirname(CANARY))"),
    "reads_the_code_of_the_product": refused("__import__('apps.sandbox.calls')", "__import__('django')"),
    "reads_the_environment_of_other_processes": refused(
        "open(f'/proc/{VICTIM}/environ').read()", "open('/proc/1/environ').read()"
    ),
    "reads_the_memory_of_other_processes": refused("open(f'/proc/{VICTIM}/mem').read(1)", "call(310, VICTIM, 0, 0, 0, 0, 0)"),
    "looks_around_in_proc": refused("os.listdir('/proc')", "open('/proc/self/environ').read()", "open('/proc/self/maps').read()"),
    "reads_memory_of_the_machine": refused("open('/dev/mem', 'rb').read(1)", "open('/dev/kmsg', 'rb').read(1)"),
    "opens_files_by_handle": calls("303, 0, CANARY.encode(), 0, 0, 0", "304, -100, 0, 0"),
    # --- to write ------------------------------------------------------------------------------------
    "writes_elsewhere": refused("open('/usr/lib/evil', 'w')", "open('/tmp/evil', 'w')", "open('/evil', 'w')"),
    "changes_a_file_that_everybody_may_write": refused(
        "open(CANARY, 'a')",
        "os.truncate(CANARY, 0)",
        "os.unlink(CANARY)",
        "os.rename(CANARY, CANARY + '2')",
        "os.rename(CANARY, 'x')",
    ),
    "plants_links": refused(
        "os.symlink('/etc/passwd', 'out.txt')", "os.link(sys.executable, 'out.py')", "os.link(CANARY, 'out.csv')"
    ),
    "plants_pipes_devices_and_sockets": refused(
        "os.mkfifo('pipe.txt')", "os.mknod('node.txt', 0o20666, os.makedev(1, 1))", "socket.socket(socket.AF_UNIX).bind('s.txt')"
    ),
    "gives_files_away": refused(
        "os.chown('x.txt', 0, 0)", "os.setxattr('x.txt', 'user.a', b'b')", setup="open('x.txt', 'w').close()"
    ),
    # --- the network ---------------------------------------------------------------------------------
    "opens_internet_sockets": refused(
        "socket.socket()", "socket.socket(type=socket.SOCK_DGRAM)", "socket.socket(socket.AF_INET6)"
    ),
    "opens_raw_and_netlink_sockets": refused(
        "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)"
    ),
    "talks_to_a_local_socket": refused(
        "socket.socket(socket.AF_UNIX).connect(SOCKET)",
        "socket.socket(socket.AF_UNIX).connect('\\0handraise')",
        "socket.socketpair()",
    ),
    "fetches_a_page": refused("urllib.request.urlopen('http://127.0.0.1:1/')", setup="import urllib.request"),
    # --- processes -----------------------------------------------------------------------------------
    "forks": refused("os.fork()", "os.forkpty()", "os.posix_spawn(sys.executable, ['x'], {})"),
    "forks_by_system_calls": calls("57", "58", "56, 17, 0, 0, 0, 0", "56, 0x10000011, 0, 0, 0, 0"),
    "starts_programs": refused("os.execv(sys.executable, ['x'])", "subprocess.run(['true'])", setup="import subprocess"),
    "kills_others": refused("os.kill(VICTIM, 9)", "os.kill(os.getppid(), 9)", "os.kill(-1, 9)", "os.killpg(VICTIM, 9)"),
    "signals_by_other_calls": calls("234, VICTIM, VICTIM, 9", "129, VICTIM, 9, 0", "434, VICTIM, 0", "424, 0, 9, 0, 0"),
    "has_the_kernel_signal_others": refused(
        "fcntl.fcntl(0, 8, VICTIM)",
        "fcntl.fcntl(0, 10, 9)",
        "fcntl.ioctl(0, 0x8901, VICTIM.to_bytes(4, 'little'))",
        setup="import fcntl",
    ),
    "traces_others": calls(
        "101, 16, VICTIM, 0, 0", "101, 0x4206, VICTIM, 0, 0", "438, 0, 0, 0", "312, os.getpid(), VICTIM, 0, 0, 0"
    ),
    "changes_the_limits_of_others": refused(
        "resource.prlimit(VICTIM, resource.RLIMIT_NOFILE, (1, 1))",
        "resource.prlimit(VICTIM, resource.RLIMIT_NOFILE)",
        "os.setpriority(os.PRIO_PROCESS, VICTIM, 19)",
        "os.sched_setaffinity(VICTIM, {0})",
        "call(251, 1, VICTIM, 0)",
        setup="import resource",
    ),
    # --- more rights ---------------------------------------------------------------------------------
    "raises_its_limits": refused(
        "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
        "resource.prlimit(0, resource.RLIMIT_AS, (-1, -1))",
        setup="import resource",
    ),
    "becomes_somebody_else": refused(
        "os.setuid(0)", "os.setgid(0)", "os.setgroups([0])", "os.setresuid(0, 0, 0)", "call(126, 0, 0)"
    ),
    "leaves_its_namespaces": calls("272, 0x10000000", "272, 0x20000", "308, 0, 0", "435, 0, 88"),
    "mounts": calls("165, b'none', b'work', b'tmpfs', 0, 0", "166, b'/', 2", "161, b'.'", "155, b'.', b'.'", "428, 0, b'.', 1"),
    "takes_down_the_walls": calls("157, 22, 0, 0, 0, 0", "157, 1, 0, 0, 0, 0", "157, 4, 1, 0, 0, 0", "317, 0, 0, 0", "446, 0, 0"),
    "uses_wide_calls_of_the_kernel": calls(
        "425, 8, 0", "321, 0, 0, 0", "298, 0, 0, -1, -1, 0", "323, 0", "250, 0, 0, 0, 0, 0", "246, 0, 0, 0, 0", "175, 0, 0, 0"
    ),
    "shares_memory": refused(
        "call(29, 42, 1 << 20, 0o1666)",
        "os.memfd_create('x')",
        "open('/dev/shm/x', 'w')",
        "mmap.mmap(-1, 1 << 20)",
        setup="import mmap",
    ),
    "calls_the_kernel_as_x32": Attack("libc.syscall(0x40000000 + 39); print('got')", lambda f: f.exit_code == 128 + 31),
    # --- to use it up --------------------------------------------------------------------------------
    "loops_for_ever": ended("timeout", seconds=1)("while True: pass"),
    "sleeps_for_ever": ended("timeout", seconds=1)("signal.pause()"),
    "hides_behind_closed_outputs": ended("timeout", seconds=1)("os.close(1); os.close(2); signal.pause()"),
    "wants_all_memory": ended("")("kept = [bytearray(100 << 20) for _ in range(60)]"),
    "makes_a_number_without_end": ended("timeout", "", seconds=1)("print(len(str(9 ** 9 ** 9)))"),
    "starts_threads_without_end": ended("threads", "")(
        "import threading, time\nthreading.stack_size(32768)\n"
        "while True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
    ),
    "writes_one_endless_file": ended("")("file = open('x.txt', 'wb')\nwhile True: file.write(bytes(1 << 20))"),
    "writes_many_large_files": ended("disk", "")("for n in range(60): open(f'{n}.txt', 'wb').write(bytes(10 << 20))"),
    "writes_many_empty_files": ended("disk")("import itertools\nfor n in itertools.count(): open(f'{n}.txt', 'w').close()"),
    "nests_folders_without_end": ended("disk")("while True: os.mkdir('x'); os.chdir('x')"),
    "keeps_deleted_files_open": ended("disk", "")(
        "kept = []\nfor n in range(60):\n"
        "    kept.append(open('x', 'wb')); kept[-1].write(bytes(10 << 20)); kept[-1].flush(); os.unlink('x')"
    ),
    "floods_its_output": ended("output")("while True: print('x' * 1000)"),
    "floods_its_errors": ended("output")("while True: print('x' * 1000, file=sys.stderr)"),
    "opens_files_without_end": ended("")("kept = [open('/dev/null') for _ in range(1000)]"),
    "crashes": ended("")("ctypes.string_at(0)"),
    "aborts": ended("")("os.abort()"),
    "recurses_without_end": ended("")("def f(): f()\nf()"),
    "forges_a_reply": Attack(
        'for each in range(3, 64):\n    attempt(lambda: os.write(each, b\'{"result": {"stdout": "forged"}}\\n\'))',
        lambda f: f.exit_code == 0 and set(f.stdout.split()) == {"EBADF"},
    ),
}
