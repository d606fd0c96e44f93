"""How long a program waits and runs in each sandbox: ``python -m tests.benchmarks.sandbox [--rounds 20]``.

Warm is what a program meets that finds a sandbox waiting, cold one that does not; `print` is the whole way of ``print(1)``
through the pool, `solve` that of a ``sympy.solve``. The floor beside them is a plain interpreter that does the same.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import time
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

PRINT = "print(1)"
SOLVE = "import sympy\nx = sympy.Symbol('x')\nprint(sympy.solve(x**2 - 3*x + 2, x))"
PLOT = "import matplotlib.pyplot as plot\nplot.plot([1, 4, 9])\nplot.savefig('plot.png')"


def spell(times: list[float]) -> str:
    """Return the median and the range, in milliseconds."""
    return f"{statistics.median(times) * 1000:6.0f} ms  ({min(times) * 1000:.0f} to {max(times) * 1000:.0f})"


def floor(python: Path, program: str, rounds: int) -> list[float]:
    """Run a program in a plain interpreter of its own."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        subprocess.run([python, "-I", "-B", "-c", program], check=True, capture_output=True, cwd="/tmp")
        times.append(time.perf_counter() - began)
    return times


async def through(pool: object, program: str, rounds: int, *, is_warm: bool) -> list[float]:
    """Run a program in the sandbox."""
    times = []
    for _ in range(rounds):
        if is_warm:
            await pool.warm()  # type: ignore[attr-defined]
        began = time.perf_counter()
        finished = await pool.run(program, seconds=60)  # type: ignore[attr-defined]
        times.append(time.perf_counter() - began)
        assert finished.exit_code == 0, finished
        await pool.close()  # type: ignore[attr-defined]
    return times


def main() -> None:
    """Print a table."""
    import django

    django.setup()
    from django.conf import settings

    from apps.sandbox.code import KINDS, CodePool
    from apps.toolkit.sandboxes import sandbox_of

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    python = Path(settings.SANDBOX_PYTHON)
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {rounds} rounds: median (range)")
    for name, program in (("print", PRINT), ("solve", SOLVE), ("plot", PLOT)):
        print(f"plain interpreter  {name:6}      {spell(floor(python, program, rounds))}")
    for kind in KINDS:
        pool = CodePool(sandbox_of(kind, python, 1024))
        for name, program in (("print", PRINT), ("solve", SOLVE), ("plot", PLOT)):
            for is_warm in (True, False):
                times = asyncio.run(through(pool, program, rounds, is_warm=is_warm))
                print(f"{kind:18} {name:6} {'warm' if is_warm else 'cold'} {spell(times)}")


if __name__ == "__main__":
    main()
