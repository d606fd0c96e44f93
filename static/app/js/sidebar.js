// The list of chats at the side: the chat that is open is in view, and a list that is drawn anew stays where it was.
import { byId, drawn } from "./dom.js";

let place = 0;
let isFollowed = true;

/** How far the list must be scrolled until the open chat stands in its middle; 0 if it is in view. */
function missing(list) {
  const current = list.querySelector("[aria-current]");
  if (!current) return 0;
  const [frame, row] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  const head = list.querySelector(".sidebar-inbox").offsetHeight; // it stays, and covers what is scrolled under it
  return row.top < frame.top + head || row.bottom > frame.bottom ? row.top - frame.top - (frame.height - row.height) / 2 : 0;
}

/** The list was scrolled: whoever has scrolled the open chat out of view is left where they are. */
function scrolled({ target }) {
  if (target.id !== "sidebar-list") return;
  place = target.scrollTop;
  isFollowed = !missing(target);
}

function show() {
  const list = byId("sidebar-list");
  if (list.scrollTop !== place) list.scrollTop = place;
  if (isFollowed) list.scrollTop += missing(list);
}

export function keepSidebar() {
  if (!byId("sidebar-list")) return;
  document.addEventListener("scroll", scrolled, true);
  byId("sidebar").addEventListener("toggle", show);
  drawn(show);
}
