// Drafts: what is filled in is kept on the server, a moment after the last change and when the card or the tab goes out of sight.
import { act, byId } from "./dom.js";

const WAIT_MS = 700;
const AGAIN_MS = 3000;
let timer = 0;
let unsaved = null;

export function keepDraft(form) {
  unsaved = form;
  saveIn(WAIT_MS);
}

function saveIn(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(save, milliseconds);
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
  if (answer || unsaved || !form.isConnected) return;
  unsaved = form; // the service could not be reached
  saveIn(AGAIN_MS);
}

const saveNow = () => { if (unsaved) save(); };

document.addEventListener("visibilitychange", () => { if (document.hidden) saveNow(); });
addEventListener("pagehide", saveNow);
act("switch", saveNow); // another card takes this one's place
document.addEventListener("handraise:answered", ({ detail }) => {
  // What was handed in is no draft any more.
  if (detail.form?.closest?.("#card-form")) { clearTimeout(timer); unsaved = null; }
});
