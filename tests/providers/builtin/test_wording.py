"""Every sentence exists in both languages, fills in the same values, and is used."""

import re
from pathlib import Path
from string import Formatter

from apps.providers.builtin.readings import FORKS
from apps.providers.builtin.vocabulary import PHRASES
from apps.providers.builtin.wording import has_words, say
from apps.providers.builtin.wording_asks import ASKS
from apps.providers.builtin.wording_plans import PLANS
from apps.providers.builtin.wording_results import RESULTS

SOURCES = "\n".join(
    path.read_text() for path in Path("apps/providers/builtin").rglob("*.py") if not path.name.startswith("wording_")
)


def fields(text):
    return {field for _, field, _, _ in Formatter().parse(text) if field}


def test_both_languages_fill_in_the_same_values():
    for english, chinese in {**ASKS, **PLANS, **RESULTS}.values():
        assert fields(english) == fields(chinese)
        assert re.search(r"[\u4e00-\u9fff]", chinese) or not re.search(r"[a-z]{2}", re.sub(r"\{\w+\}", "", english))


def test_every_reason_step_check_and_note_of_the_worker_has_its_words():
    for family, pattern in [
        ("cannot_", r'CannotSolve\("(\w+)"\)'),
        ("step.", r'\.step\("(\w+)"'),
        ("check.", r'\.check\("(\w+)"'),
        ("note.", r'\.note\("(\w+)"'),
    ]:
        keys = re.findall(pattern, SOURCES)
        assert keys
        assert [key for key in keys if not has_words(family + key)] == []


def test_every_limit_topic_and_option_has_its_words():
    limits = set(re.findall(r'TooLarge\("(\w+)"\)', SOURCES))
    topics = {role.partition(":")[2] for role in PHRASES if role.startswith("beyond:")}
    options = set(re.findall(r'"((?:domain|angle|log|task|form):\w+)"', SOURCES)) - {
        "form:exact",
        "form:decimal",
    }
    assert all(has_words(f"large_{limit}") for limit in limits)
    assert all(has_words(f"beyond_{topic}") for topic in topics)
    assert all(has_words(option) for option in options)


def test_readings_are_labelled_by_their_formulas():
    assert not any(has_words(option) for options in FORKS for option in options)


def test_values_are_filled_in_as_they_are():
    assert say("result", "en", result="{x}") == "**Result:** {x}"
