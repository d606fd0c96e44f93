// How many questions wait: one small stream a browser, held by one tab, told to the others. Shown in title and icon.
import { byId, drawn } from "./dom.js";
import { showInIcon } from "./icon.js";
import { refreshLists } from "./news.js";
import { notifyOf } from "./notifications.js";

const LOCK = "handraise-inbox";
const AGAIN_MS = 15000;
let title = document.title;
let named = byId("session-title")?.textContent;
const channel = "BroadcastChannel" in window ? new BroadcastChannel("handraise-inbox") : null;
let isStale = false;

function showCount(waiting) {
  document.title = waiting ? `(${waiting}) ${title}` : title;
  showInIcon(waiting);
}

/** The chat has another title, given in another tab, or none any more. */
export function followTitle() {
  const name = byId("session-title")?.textContent;
  if (name === named) return;
  named = name;
  title = `${name} · Handraise`;
  showCount(Number(byId("sidebar-list").dataset.waiting));
}

/** Show the news of the stream: the count also where nobody looks, the lists once somebody does. */
function hear({ pending }) {
  showCount(pending);
  if (document.hidden) isStale = true;
  else refreshLists();
}

/** Hold the stream until this tab goes away or it is refused. The first event only tells what the page knows already. */
function lead() {
  const source = new EventSource("/api/inbox/events");
  let known = null;
  source.addEventListener("pending", (event) => {
    const news = JSON.parse(event.data);
    if (known !== null) {
      hear(news);
      channel?.postMessage(news);
      if (news.pending > known) notifyOf(news.sessionId);
    }
    known = news.pending;
  });
  return new Promise((resolve) => {
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) resolve(); };
  });
}

/** Wait to be the tab that leads; a tab whose stream was refused (signed out) lets another one try, and tries again. */
async function stand() {
  await navigator.locks.request(LOCK, lead);
  setTimeout(stand, AGAIN_MS);
}

export function followInbox() {
  if (!byId("sidebar-list")) return;
  drawn(() => { followTitle(); showCount(Number(byId("sidebar-list").dataset.waiting)); });
  if (channel) channel.onmessage = ({ data }) => hear(data);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && isStale) { isStale = false; refreshLists(); }
  });
  // Locks exist in secure contexts only; elsewhere no tab leads, and lists change with the session's own stream.
  if (navigator.locks) stand();
}
