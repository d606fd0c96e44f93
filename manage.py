#!/usr/bin/env python
"""Run a management command of Handraise."""

import os
import sys


def main() -> int:
    """Hand the command line to Django; a wrong value in the environment ends it with one line and exit code 2."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    from config.environment import WrongValue

    try:
        execute_from_command_line(sys.argv)
    except WrongValue as error:
        print(f"Handraise: {error}", file=sys.stderr)  # noqa: T201  (logging is part of what could not be set up)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
