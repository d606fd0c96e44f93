// A message that is being written outlives a reload: this tab keeps it, for this user and this chat, until it is sent.
import { byId, on } from "./dom.js";

const start = byId("message");
const place = start && `handraise-message ${start.dataset.draftOf} ${location.pathname}`;
const LEFT = "handraise-message-left"; // the draft that went off with a form which leads to another page

/** Do something with what this tab keeps; a browser may forbid that, or have no more room. */
function inTab(work) {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}

function keep(field) {
  inTab((kept) => (field.value.trim() ? kept.setItem(place, field.value) : kept.removeItem(place)));
}

/** A form that leads to another page was taken if another page came; on the same page it was refused. */
function settle() {
  inTab((kept) => {
    const left = kept.getItem(LEFT);
    if (left && left !== place) kept.removeItem(left);
    kept.removeItem(LEFT);
  });
}

function restore() {
  const text = inTab((kept) => kept.getItem(place));
  if (!text || start.value) return;
  start.value = text;
  start.dispatchEvent(new Event("input", { bubbles: true }));
}

on("input", "#message", (_event, field) => keep(field));
on("submit", "form[data-once]", () => inTab((kept) => kept.setItem(LEFT, place)));
on("submit", "form[data-forgets]", () => inTab((kept) => kept.clear()));

if (start) {
  settle();
  restore();
}
