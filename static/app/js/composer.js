// The message field: grows with its text; the key that was chosen sends, every other Enter begins a new line.
import { byId, on } from "./dom.js";
import { sends } from "./preferences.js";

const growsByItself = CSS.supports("field-sizing", "content");

export function grow(field) {
  if (growsByItself || !field) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

on("input", "[data-grows]", (_event, field) => grow(field));

on("keydown", "#message", (event, field) => {
  if (!sends(event)) return;
  event.preventDefault();
  const send = field.form.querySelector(".composer-actions .primary");
  if (send && !send.disabled && field.value.trim()) field.form.requestSubmit(send);
});

// A form that leads to another page is sent once, however often it is clicked.
on("submit", "form[data-once]", (event, form) => {
  if (form.dataset.isSent) event.preventDefault();
  form.dataset.isSent = "true";
});

addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-once]")) delete form.dataset.isSent;
  grow(byId("message"));
});
