"""Make the pictures of docs/images from a real server: a chat with a card, several questions looked over, a receipt, the
console's dashboard and the course of one question.

python -m tests.browser.pictures
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import CHROMIUM, FLAGS
from tests.support.server import PASSWORD, PROJECT, ServerProcess, wait_until

IMAGES = PROJECT / "docs" / "images"
OPTIONS = [
    {"id": "staging", "label": "Staging", "description": "Reset every night", "recommended": True},
    {"id": "production", "label": "Production", "description": "Used by customers"},
]
ASK = {
    "title": "Where should the release go?",
    "description": "The build is green on both.",
    "mode": "single",
    "options": OPTIONS,
    "allowCustom": True,
}
THINKING = "Both builds are green. **Staging** is reset every night, **production** is used by customers, so this is your choice."
QUESTIONS = [
    {
        "header": "Group by",
        "question": "How should the report be grouped?",
        "options": [
            {"label": "By month (Recommended)", "description": "Twelve tables, easy to compare with last year"},
            {"label": "By customer", "description": "One table a customer"},
        ],
    },
    {
        "header": "Columns",
        "question": "Which columns does it need?",
        "multi_select": True,
        "options": [{"label": "Revenue"}, {"label": "Refunds"}, {"label": "New customers"}],
    },
    {"header": "Readers", "question": "Who will read it?"},
]
DONE = "The report is ready: twelve tables, with $\\text{net} = \\text{revenue} - \\text{refunds}$ in the last column."
SCRIPTS = {
    "release": [
        {"text": THINKING, "calls": [{"id": "c1", "name": "ask_user", "arguments": ASK}]},
        {"text": "Released, with your note."},
    ],
    "report": [{"calls": [{"id": "c1", "name": "ask_user_question", "arguments": {"questions": QUESTIONS}}]}, {"text": DONE}],
}


def main() -> None:
    """Fill an installation, live through one question, and look at both."""
    folder = Path(tempfile.mkdtemp(prefix="handraise-pictures-"))
    script = folder / "scripts.json"
    script.write_text(json.dumps(SCRIPTS), encoding="utf-8")
    server = ServerProcess(folder, {"HANDRAISE_MODEL": f"scripted:{script}"})
    try:
        _fill(server)
        server.make_user("grace", "--staff", "--superuser")
        server.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            size = {"width": 1180, "height": 900}
            context = browser.new_context(base_url=server.address, viewport=size, device_scale_factor=0.75, locale="en-GB")
            _look(server, context.new_page())
            browser.close()
    finally:
        server.close()
        shutil.rmtree(folder, ignore_errors=True)


def _fill(server: ServerProcess) -> None:
    command = [sys.executable, "-m", "tests.benchmarks.volume", "--interactions", "1500", "--records", "7500", "--days", "18"]
    subprocess.run(command, cwd=PROJECT, env={**os.environ, **server.env}, check=True)


def _look(server: ServerProcess, page: Page) -> None:
    page.goto("/sign-in/")
    page.locator("[name=name]").fill("grace")
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda address: "sign-in" not in address)
    with server.client(server.make_token("grace")) as api:
        IMAGES.mkdir(parents=True, exist_ok=True)
        request = _live(api, page)
        _report(api, page)
    page.goto("/admin/")
    page.screenshot(path=IMAGES / "dashboard.png", full_page=True)
    page.goto(f"/admin/interactions/interaction/{request}/change/")
    page.screenshot(path=IMAGES / "timeline.png", full_page=True)


def _live(api: httpx.Client, page: Page) -> str:
    """Ask, show, draft, refuse, extend, answer; return the id of the question."""
    asked = _ask(api, page, "Release the new version [[release#p]]", "Release the new version")
    time.sleep(1.3)
    _picture(page, "card.png")
    api.post("/api/chat/continue", json=asked | {"selections": ["mars"]})
    api.post(f"/api/interactions/{asked['requestId']}/extend", json={"seconds": 600_000})
    time.sleep(2.1)
    api.post("/api/chat/continue", json=asked | {"customInput": "Staging first, production at noon."})
    time.sleep(1)
    return str(asked["requestId"])


def _report(api: httpx.Client, page: Page) -> None:
    """Answer three questions as a person would, and look at the review and at the receipt."""
    asked = _ask(api, page, "Write the sales report of last year [[report#q]]", "Sales report of last year")
    page.get_by_text("By month").click()
    page.get_by_label("Revenue").check()
    page.get_by_label("Refunds").check()
    page.get_by_role("button", name="Next").click()
    page.locator("#card [data-text]:visible").fill("The board, so one page at most")
    page.get_by_role("button", name="Next").click()
    page.get_by_text("Draft saved").wait_for()
    _picture(page, "review.png")
    page.get_by_role("button", name="Send answer").click()
    page.locator(".run-completed").wait_for()
    page.locator(".katex").wait_for()
    page.goto(f"/s/{asked['sessionId']}/")
    page.locator(".katex").wait_for()
    _picture(page, "receipt.png")


def _picture(page: Page, name: str) -> None:
    """Take a picture without the tag that picks the script of the model."""
    page.locator(".row-person p").evaluate("(each) => { each.textContent = each.textContent.split(' [[')[0]; }")
    page.screenshot(path=IMAGES / name)


def _ask(api: httpx.Client, page: Page, message: str, title: str) -> dict[str, str]:
    """Begin a chat, name it, open it with its card; return the ids of session and question."""
    session = api.post("/api/chat", json={"message": message}).json()["sessionId"]
    api.patch(f"/api/sessions/{session}", json={"title": title})
    wait_until(lambda: api.get(f"/api/sessions/{session}").json()["status"] == "waiting", 30)
    page.goto(f"/s/{session}/")
    page.locator("#card").wait_for()
    return {"sessionId": session, "requestId": str(page.locator("#card").get_attribute("data-request"))}


if __name__ == "__main__":
    main()
