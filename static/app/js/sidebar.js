// The list of chats at the side: the chat that is open is in view, and a list that is drawn anew stays where it was.
import { byId, drawn } from "./dom.js";

let place = 0;

/** Scroll the list, and nothing else, until the open chat is in view. */
function showCurrent() {
  const list = byId("sidebar-list");
  const current = list?.querySelector("[aria-current]");
  if (!current) return;
  const [frame, row] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (row.top < frame.top || row.bottom > frame.bottom) list.scrollTop += row.top - frame.top - (frame.height - row.height) / 2;
}

export function keepSidebar() {
  if (!byId("sidebar-list")) return;
  document.addEventListener("scroll", ({ target }) => { if (target.id === "sidebar-list") place = target.scrollTop; }, true);
  drawn(() => {
    const list = byId("sidebar-list");
    if (list.scrollTop !== place) list.scrollTop = place;
  });
  byId("sidebar").addEventListener("toggle", showCurrent);
  showCurrent();
}
