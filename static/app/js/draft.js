// Drafts: what is filled in is kept on the server, a moment after the last change and when the tab is hidden.
import { act, byId } from "./dom.js";

const WAIT_MS = 700;
const AGAIN_MS = 5000;
const LIMIT_MS = 20000;
let timer = 0;
let unsaved = null;
let isSaving = false;

function later(wait) {
  clearTimeout(timer);
  timer = setTimeout(save, wait);
}

export function keepDraft(form) {
  unsaved = form;
  if (!isSaving) later(WAIT_MS); // one at a time: a slow one would overtake this one
}

/** Keep what is filled in; what the service could not take it gets once more. A card that has gone needs no draft. */
async function save() {
  clearTimeout(timer);
  const form = unsaved;
  unsaved = null;
  if (!form?.isConnected) return;
  isSaving = true;
  const body = new URLSearchParams(new FormData(form));
  const given = { method: "POST", body, keepalive: true, signal: AbortSignal.timeout(LIMIT_MS), headers: { "HX-Request": "true" } };
  const answer = await fetch(form.dataset.draft, given).catch(() => null);
  isSaving = false;
  const isLost = !answer || answer.status === 429 || answer.status >= 500;
  if (isLost) unsaved ??= form;
  if (unsaved) later(isLost ? AGAIN_MS : WAIT_MS);
  const mark = byId("draft-state");
  if (mark) mark.hidden = !answer?.ok;
}

const saveNow = () => { if (unsaved) save(); };

document.addEventListener("visibilitychange", () => { if (document.hidden) saveNow(); });
addEventListener("pagehide", saveNow);
act("switch", saveNow);
