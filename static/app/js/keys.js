// The list of keys: a dialog, fetched when the question mark or its link asks for it the first time.
import { act, byId, isComposing } from "./dom.js";
import { hasShortcuts } from "./preferences.js";

const ADDRESS = "/keys/";
const TYPED_INTO = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])";
let coming = null;

async function fetchDialog() {
  const answer = await fetch(ADDRESS, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return null;
  document.body.insertAdjacentHTML("beforeend", await answer.text());
  return byId("keys-dialog");
}

/** Show the list; return false if it could not be had. */
async function show() {
  coming ??= fetchDialog();
  const dialog = await coming;
  if (!dialog) coming = null;
  else if (!dialog.open) dialog.showModal();
  return Boolean(dialog);
}

act("keys", async (_link, event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!(await show())) location.assign(ADDRESS);
});

document.addEventListener("keydown", (event) => {
  const isMark = event.key === "?" || event.key === "？";
  if (!hasShortcuts || !isMark || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.(TYPED_INTO)) return;
  event.preventDefault();
  show();
});
