"""docs/models.md and the code say the same."""

import re
from pathlib import Path

from apps.providers import registry
from apps.providers.openai_compatible.arguments import INVALID_ARGUMENTS
from apps.providers.openai_compatible.failures import NOT_RETRYABLE, WORDS

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


def test_every_error_code_is_documented_with_its_retry() -> None:
    documented = dict(re.findall(r"^\| `(model_\w+)` \|.*\| (yes|no) \|$", DOCS, re.MULTILINE))
    codes = {*WORDS, "model_not_configured"}
    assert documented == {code: "no" if code in NOT_RETRYABLE else "yes" for code in codes}


def test_every_check_is_documented() -> None:
    checks = re.findall(r'id="(providers\.\w+)"', Path(registry.__file__).read_text(encoding="utf-8"))
    assert sorted(checks) == sorted(re.findall(r"^\| `(providers\.\w+)`", DOCS, re.MULTILINE))


def test_mark_of_invalid_arguments_is_documented() -> None:
    assert f'"{INVALID_ARGUMENTS}": true' in DOCS
