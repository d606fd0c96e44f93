// How many questions wait: one small stream a browser, held by one tab, told to the others. Shown in title and icon.
import { byId, drawn } from "./dom.js";
import { refreshLists } from "./news.js";

const title = document.title;
const channel = "BroadcastChannel" in window ? new BroadcastChannel("handraise-inbox") : null;

function showCount() {
  const waiting = Number(byId("sidebar-list")?.dataset.waiting ?? 0);
  document.title = waiting ? `(${waiting}) ${title}` : title;
}

function changed() {
  if (!document.hidden) refreshLists();
  else isStale = true;
}

let isStale = false;
let isFirst = true;

/** Hold the stream until this tab goes away. The first event only tells what the page knows already. */
function lead() {
  const source = new EventSource("/api/inbox/events");
  source.addEventListener("pending", () => {
    if (!isFirst) {
      changed();
      channel?.postMessage("changed");
    }
    isFirst = false;
  });
  return new Promise(() => {});
}

export function followInbox() {
  if (!byId("sidebar-list")) return;
  drawn(showCount);
  if (channel) channel.onmessage = changed;
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && isStale) { isStale = false; refreshLists(); }
  });
  // Locks exist in secure contexts only; elsewhere no tab leads, and lists change with the session's own stream.
  navigator.locks?.request("handraise-inbox", lead);
}
