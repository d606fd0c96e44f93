// How many questions wait: one small stream a browser, held by one tab, told to the others. Shown in title and icon.
import { byId, drawn } from "./dom.js";
import { showInIcon } from "./icon.js";
import { refreshLists } from "./news.js";
import { notifyOf } from "./notifications.js";

const LOCK = "handraise-inbox";
const AGAIN_MS = 15000;
const CONNECT_MS = 8000;
let title = document.title;
let named = byId("session-title")?.textContent;
const channel = "BroadcastChannel" in window ? new BroadcastChannel("handraise-inbox") : null;
let heard = null; // The count that a hidden tab was told of, until its lists are drawn anew.
let last = null; // What the stream of this tab said last; null where another tab holds it.

const drawnCount = () => Number(byId("sidebar-list").dataset.waiting);
const knownCount = () => heard ?? drawnCount();

function showCount(waiting) {
  document.title = waiting ? `(${waiting}) ${title}` : title;
  showInIcon(waiting);
}

/** The chat has another title, given in another tab, or none any more. */
export function followTitle() {
  const name = byId("session-title")?.textContent;
  if (name === named) return;
  named = name;
  nameTitle(name);
}

/** Name the page anew. */
export function nameTitle(name) {
  title = `${name} · Handraise`;
  showCount(knownCount());
}

/** Show the news of the stream: the count also where nobody looks, the lists once somebody does. */
function hear({ pending }) {
  showCount(pending);
  if (document.hidden) heard = pending;
  else refreshLists();
}

/** Hear what changed between the drawing of this page and its listening. */
function catchUp(state) {
  if (state.pending !== knownCount()) hear(state);
}

/** Hold the stream until this tab goes away or it is refused. Its first event tells the state, the others are news. */
function lead() {
  return new Promise((resolve) => {
    let source = null;
    const open = () => {
      source?.close();
      source = new EventSource("/api/inbox/events");
      source.addEventListener("pending", take);
      source.onerror = () => { if (source.readyState === EventSource.CLOSED) leave(); };
    };
    const hangs = setInterval(() => { if (last === null) open(); }, CONNECT_MS);
    const leave = () => {
      last = null;
      clearInterval(hangs);
      removeEventListener("online", open);
      resolve();
    };
    addEventListener("online", open); // the stream of before may have outlived that or not
    open();
  });
}

function take(event) {
  const before = last;
  last = JSON.parse(event.data);
  if (before === null) catchUp(last);
  else hear(last);
  channel?.postMessage(before === null ? { state: last } : { news: last });
  if (before !== null && last.pending > before.pending) notifyOf(last.sessionId);
}

/** A tab that comes later asks the one with the stream what the state is. */
function listen({ data }) {
  if (data.news) hear(data.news);
  else if (data.state) catchUp(data.state);
  else if (last !== null) channel.postMessage({ state: last });
}

/** Wait to be the tab that leads; a tab whose stream was refused (signed out) lets another one try, and tries again. */
async function stand() {
  await navigator.locks.request(LOCK, lead);
  setTimeout(stand, AGAIN_MS);
}

export function followInbox() {
  if (!byId("sidebar-list")) return;
  drawn(() => { followTitle(); showCount(knownCount()); });
  if (channel) {
    channel.onmessage = listen;
    channel.postMessage({});
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || heard === null) return;
    heard = null;
    refreshLists();
  });
  // Locks exist in secure contexts only; elsewhere no tab leads, and lists change with the session's own stream.
  if (navigator.locks) stand();
}
