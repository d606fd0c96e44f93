// The panel of the plan: what the reader has opened or closed stays so when it is drawn anew.
import { byId, drawn } from "./dom.js";

const isNarrow = matchMedia("(max-width: 74.99rem)");
const isOpen = new Map();
let tail = "";

const slot = () => byId("plan-slot");
const parts = () => [...(slot()?.querySelectorAll("details[id]") ?? [])];

document.addEventListener("toggle", ({ target }) => {
  if (slot()?.contains(target)) isOpen.set(target.id, target.open);
}, true);

function restore() {
  for (const part of parts()) if (isOpen.has(part.id)) part.open = isOpen.get(part.id);
}

/** The next message is sent like the last run, whichever tab or door that came through. */
function followCapability() {
  const [state, field] = [byId("session-state"), byId("composer-switch")];
  if (!state || !field || state.dataset.tail === tail) return;
  if (tail) field.checked = state.dataset.capability === field.value;
  tail = state.dataset.tail;
}

export function keepPanel() {
  if (isNarrow.matches) isOpen.set("plan-panel", false);
  drawn(() => {
    restore();
    followCapability();
  });
}
