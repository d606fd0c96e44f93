"""Settings of the tests: the product's own, on a data folder that is thrown away."""

import atexit
import os
import shutil
import tempfile

if "HANDRAISE_DATA_DIR" not in os.environ:
    # In memory, where there is room: a file as any other, but a commit need not wait for a disk.
    _has_room = os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 4 << 30
    _folder = tempfile.mkdtemp(prefix="handraise-test-", dir="/dev/shm" if _has_room else None)
    os.environ["HANDRAISE_DATA_DIR"] = _folder
    atexit.register(shutil.rmtree, _folder, ignore_errors=True)
elif _worker := os.environ.get("PYTEST_XDIST_WORKER"):
    # The environment is the first process's; each worker of xdist gets a folder inside of its.
    os.environ["HANDRAISE_DATA_DIR"] = os.path.join(os.environ["HANDRAISE_DATA_DIR"], _worker)
os.environ.setdefault("HANDRAISE_MODEL", "builtin")
os.environ.setdefault("HANDRAISE_SANDBOX", "off")
os.environ.setdefault("SECRET_KEY", "tests-only")
os.environ.setdefault("HANDRAISE_AUDIT_KEY", "tests-only-audit")

from config.settings import *  # noqa: F403
from config.settings import DATA_DIR, DATABASES

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: races and locks must be the real ones.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
