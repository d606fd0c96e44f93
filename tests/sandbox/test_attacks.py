"""Hostile programs, in every kind of sandbox and started by every kind of user: none gets out, none uses up the machine."""

import asyncio
import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from apps.sandbox.code import Finished
from tests.sandbox.attacks import ATTACKS, PRELUDE
from tests.sandbox.confined import Way, code_pool, ways

AT_ONCE = 4


@dataclass
class Field:
    """What stands outside of the sandbox, open to everybody, and what came of every attack."""

    victim: "subprocess.Popen[bytes]"
    canary: Path
    before: object
    finished: Mapping[str, Finished]

    def seen(self) -> object:
        """Return what the attacks would have changed."""
        return look(self.victim.pid, self.canary)


def look(victim: int, canary: Path) -> object:
    facts, limits = canary.stat(), Path(f"/proc/{victim}/limits").read_text()
    priority, processors = os.getpriority(os.PRIO_PROCESS, victim), os.sched_getaffinity(victim)
    return limits, priority, processors, facts.st_mode, facts.st_mtime_ns, canary.read_text(), sorted(os.listdir(canary.parent))


@pytest.fixture(scope="module", params=ways())
def field(request: pytest.FixtureRequest) -> Iterator[Field]:
    """Run every attack once, some at a time."""
    way: Way = request.param
    with tempfile.TemporaryDirectory(prefix="handraise-attacked-") as name, socket.socket(socket.AF_UNIX) as listening:
        folder = Path(name)
        folder.chmod(0o777)
        canary, door = folder / "canary", folder / "door"
        canary.write_text("secret")
        canary.chmod(0o666)
        listening.bind(str(door))
        door.chmod(0o777)
        listening.listen()
        victim = subprocess.Popen(["sleep", "600"], user=way.uid, env={"SECRET": "secret"})
        try:
            before = look(victim.pid, canary)
            prelude = PRELUDE.format(victim=victim.pid, canary=str(canary), socket=str(door))
            yield Field(victim, canary, before, asyncio.run(run_all(way, prelude)))
        finally:
            victim.kill()
            victim.wait()


async def run_all(way: Way, prelude: str) -> Mapping[str, Finished]:
    pool = code_pool(way, AT_ONCE)
    runs = [pool.run(f"{prelude}\n{attack.program}", seconds=attack.seconds) for attack in ATTACKS.values()]
    return dict(zip(ATTACKS, await asyncio.gather(*runs), strict=True))


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_contained(field: Field, name: str) -> None:
    assert ATTACKS[name].is_contained(field.finished[name]), field.finished[name]


def test_nothing_outside_was_changed(field: Field) -> None:
    assert field.victim.poll() is None
    assert field.seen() == field.before
