"""How long the browser is busy at once while 1,000 earlier rows of a session are loaded page by page.

python -m tests.benchmarks.earlier_rows
"""

import json
import shutil
import sqlite3
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import CHROMIUM, FLAGS
from tests.browser.volume import fill
from tests.support.server import ServerProcess, wait_until

ROWS = 1000
TEXT = "Some **words** with `code`, a [link](https://example.com) and\n\n- a list\n- of two\n\n```\nprint(1)\n```"
OBSERVE = """
window.longTasks = [];
new PerformanceObserver((list) => window.longTasks.push(...list.getEntries())).observe({ type: "longtask" });
"""


def main() -> None:
    """Start an installation, fill one session, and load all of it."""
    folder = Path(tempfile.mkdtemp(prefix="handraise-rows-"))
    script = folder / "scripts.json"
    script.write_text(json.dumps({"end": [{"text": TEXT}]}), encoding="utf-8")
    server = ServerProcess(folder, {"HANDRAISE_MODEL": f"scripted:{script}"})
    try:
        server.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            _measure(server, browser.new_page(base_url=server.address))
            browser.close()
    finally:
        server.close()
        shutil.rmtree(folder, ignore_errors=True)


def _measure(server: ServerProcess, page: Page) -> None:
    with server.client(server.make_token("admin")) as api:
        session = api.post("/api/chat", json={"message": "Go [[end#r]]"}).json()["sessionId"]
        wait_until(lambda: api.get(f"/api/sessions/{session}").json()["status"] == "idle", 30)
    database = sqlite3.connect(server.data / "handraise.sqlite3", timeout=20, isolation_level=None)
    fill(database, session, ROWS)
    database.close()
    page.add_init_script(OBSERVE)
    page.goto(server.sign_in_link())
    page.get_by_role("button", name="Sign in").click()
    page.goto(f"/s/{session}/")
    rows, more = page.locator("#timeline > .row"), page.locator("#older a")
    while more.count():
        known = rows.count()
        more.click()
        page.wait_for_function("(known) => document.querySelectorAll('#timeline > .row').length > known", arg=known)
    page.wait_for_timeout(1000)
    tasks = page.evaluate("window.longTasks.map((each) => Math.round(each.duration)).sort((a, b) => b - a)")
    print(f"{rows.count()} rows; tasks over 50 ms: {tasks}")


if __name__ == "__main__":
    main()
