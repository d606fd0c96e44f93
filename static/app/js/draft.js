// Drafts: what is filled in is kept on the server, a moment after the last change and when the tab is hidden.
import { byId } from "./dom.js";

const WAIT_MS = 700;
let timer = 0;
let unsaved = null;

export function keepDraft(form) {
  unsaved = form;
  clearTimeout(timer);
  timer = setTimeout(save, WAIT_MS);
}

async function save() {
  clearTimeout(timer);
  const form = unsaved;
  unsaved = null;
  if (!form?.isConnected) return;
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.dataset.draft, { method: "POST", body, keepalive: true, headers: { "HX-Request": "true" } }).catch(() => null);
  const mark = byId("draft-state");
  if (mark) mark.hidden = !answer?.ok;
}

document.addEventListener("visibilitychange", () => { if (document.hidden && unsaved) save(); });
addEventListener("pagehide", () => { if (unsaved) save(); });
document.addEventListener("handraise:answered", ({ detail }) => {
  // What was handed in is no draft any more.
  if (detail.form?.closest?.("#card-form")) { clearTimeout(timer); unsaved = null; }
});
