// The session's stream: one a visible tab. It says that something changed; the change itself comes by HTTP.
import { byId, lang, main, say, sessionId } from "./dom.js";
import { refresh, refreshLists } from "./news.js";
import { streamText } from "./timeline.js";

const STORED = [
  "run_started", "run_resumed", "message", "tool_call", "tool_result", "user_input_required", "user_input_updated",
  "user_input_resolved", "plan_updated", "run_paused", "run_completed", "run_failed", "run_cancelled",
];
const SAID = { user_input_required: "question", run_completed: "message", run_failed: "failed", run_cancelled: "stopped" };
const CONNECT_MS = 8000;
const QUIET_MS = 40000;

let source = null;
let cursor = main?.dataset.after ?? "0";
let connecting = 0;
let failures = 0;
let heard = Date.now();
let isOver = false;

function show(state) {
  const mark = byId("connection");
  if (!mark || mark.dataset.state === state) return;
  mark.dataset.state = state;
  if (state === "offline") mark.querySelector("time").textContent = new Intl.DateTimeFormat(lang, { timeStyle: "short" }).format();
}

function open() {
  if (source || isOver || document.hidden) return;
  source = new EventSource(`/api/sessions/${sessionId}/events?after=${cursor}`);
  connecting = Date.now();
  source.onopen = () => {
    failures = 0;
    connecting = 0;
    heard = Date.now();
    show("live");
    document.querySelectorAll("[data-until=live]").forEach((notice) => notice.remove());
  };
  source.onerror = () => (source.readyState === EventSource.CLOSED ? refused() : lost());
  for (const kind of STORED) source.addEventListener(kind, stored);
  source.addEventListener("usage", (event) => { cursor = event.lastEventId; });
  source.addEventListener("message_delta", (event) => streamed(event, false));
  source.addEventListener("message_snapshot", (event) => streamed(event, true));
}

function close() {
  source?.close();
  source = null;
}

function lost() {
  connecting ||= Date.now();
  show(navigator.onLine ? "reconnecting" : "offline");
}

/** The stream was refused: find out why, and come back later unless that is for good. */
async function refused() {
  close();
  const status = await refresh();
  if (status === 401) return over("signed-out");
  if (status === 404) return over("offline");
  show(status ? "reconnecting" : "offline");
  failures += 1;
  setTimeout(open, Math.min(15000, 500 * 2 ** failures));
}

function over(state) {
  isOver = true;
  show(state);
}

function read(event) {
  heard = Date.now();
  return JSON.parse(event.data);
}

function streamed(event, isWhole) {
  const piece = read(event);
  streamText(piece.messageId, piece.text, isWhole);
}

function stored(event) {
  cursor = event.lastEventId;
  const data = read(event);
  if (event.type === "user_input_required" && ![data.id, data.toolCallId, data.title, data.mode].every(Boolean)) {
    console.warn("A question without id, call, title or mode was left out.");
    return;
  }
  if (SAID[event.type]) say(SAID[event.type]);
  if (event.type.startsWith("run_") || event.type.startsWith("user_input_")) refreshLists();
  refresh();
}

/** Start the stream anew if it hangs, and look for news if it has been quiet for long while something is going on. */
function watch() {
  if (document.hidden || isOver) return;
  if (source && connecting && Date.now() - connecting > CONNECT_MS) close();
  if (!source && !failures) open();
  const isActive = ["queued", "running", "waiting"].includes(byId("session-state").dataset.state);
  if (isActive && Date.now() - heard > QUIET_MS) {
    heard = Date.now();
    refresh();
  }
}

/** Begin again after the user has signed in anew. */
export function resume() {
  isOver = false;
  failures = 0;
  show("reconnecting");
  open();
}

export function follow() {
  if (!sessionId || "isOlderPage" in main.dataset) return;
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => { if (event.persisted) { open(); refresh(); } });
  addEventListener("offline", () => show("offline"));
  addEventListener("online", () => { show("reconnecting"); if (!source) open(); });
  setInterval(watch, 2000);
  open();
}
