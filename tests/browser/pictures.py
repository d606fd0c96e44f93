"""Make the pictures of docs/images: the console's dashboard and the course of one question, from a real server.

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
from typing import Any

import httpx
from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import CHROMIUM, FLAGS
from tests.support.server import PASSWORD, PROJECT, ServerProcess

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
SCRIPTS = {"release": [{"calls": [{"id": "c1", "name": "ask_user", "arguments": ASK}]}, {"text": "Released, with your note."}]}


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
        request = _live(api, page)
    IMAGES.mkdir(parents=True, exist_ok=True)
    page.goto("/admin/")
    page.screenshot(path=IMAGES / "dashboard.png", full_page=True)
    page.goto(f"/admin/interactions/interaction/{request}/change/")
    page.screenshot(path=IMAGES / "timeline.png", full_page=True)


def _live(api: httpx.Client, page: Page) -> str:
    """Ask, show, draft, refuse, extend, answer; return the id of the question."""
    session = api.post("/api/chat", json={"message": "Release it [[release#p]]"}).json()["sessionId"]
    pending: list[Any] = []
    while not pending:
        time.sleep(0.2)
        pending = api.get("/api/interactions/pending", params={"sessionId": session}).json()["pending"]
    asked = {"sessionId": session, "requestId": pending[0]["id"]}
    page.goto(f"/s/{session}/")
    page.locator("#card").wait_for()
    time.sleep(1.3)
    api.post("/api/chat/continue", json=asked | {"selections": ["mars"]})
    api.post(f"/api/interactions/{asked['requestId']}/extend", json={"seconds": 600_000})
    time.sleep(2.1)
    api.post("/api/chat/continue", json=asked | {"customInput": "Staging first, production at noon."})
    time.sleep(1)
    return str(asked["requestId"])


if __name__ == "__main__":
    main()
