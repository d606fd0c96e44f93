// A message that is being written outlives a reload: this tab keeps it, for this user and this chat, until it is sent.
import { byId, on } from "./dom.js";

const start = byId("message");
const place = start && `handraise-message ${start.dataset.draftOf} ${location.pathname}`;
const LEFT = "handraise-message-left"; // the draft that went off with a form which leads to another page

function keep(field) {
  if (field.value.trim()) sessionStorage.setItem(place, field.value);
  else sessionStorage.removeItem(place);
}

/** A form that leads to another page was taken if another page came; on the same page it was refused. */
function settle() {
  const left = sessionStorage.getItem(LEFT);
  if (left && left !== place) sessionStorage.removeItem(left);
  sessionStorage.removeItem(LEFT);
}

function restore() {
  const text = sessionStorage.getItem(place);
  if (!text || start.value) return;
  start.value = text;
  start.dispatchEvent(new Event("input", { bubbles: true }));
}

on("input", "#message", (_event, field) => keep(field));
on("submit", "form[data-once]", () => sessionStorage.setItem(LEFT, place));
on("submit", "form[data-forgets]", () => sessionStorage.clear());

if (start) {
  settle();
  restore();
}
