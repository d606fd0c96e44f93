"""Run one of the peers' benchmark scripts with Handraise among the peers: with_peer.py BENCH_FOLDER SCRIPT [ARGUMENT ...]."""

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Add the peer to the benchmarks' registry and run the script as if it had been called itself."""
    folder, script, *arguments = sys.argv[1:]
    sys.path[:0] = [folder, str(Path(__file__).resolve().parents[2])]
    import peers  # type: ignore[import-not-found]

    from tests.benchmarks.peer import HandraisePeer

    others = peers.make

    def make(name: str, data: str, probe: Any, **options: Any) -> Any:
        family, _, variant = name.partition("-")
        return HandraisePeer(variant, data, probe) if family == "handraise" else others(name, data, probe, **options)

    peers.make = make
    _bring_along(folder, script)
    sys.argv = [str(Path(folder, script)), *arguments]
    runpy.run_path(sys.argv[0], run_name="__main__")


def _bring_along(folder: str, script: str) -> None:
    """Let a script that starts itself in a fresh process start this one."""
    own, run = str(Path(folder, script)), subprocess.run

    def with_peer(command: list[Any], *args: Any, **options: Any) -> Any:
        if command[:2] == [sys.executable, own]:
            command = [sys.executable, __file__, folder, script, *command[2:]]
        return run(command, *args, **options)

    subprocess.run = with_peer


if __name__ == "__main__":
    main()
