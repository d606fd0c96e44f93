// The session's stream: one a visible tab. It says that something changed; the change itself comes by HTTP.
import { closeDock } from "./dock.js";
import { byId, drawn, lang, main, on, say, sessionId } from "./dom.js";
import { followTitle } from "./inbox.js";
import { refresh, refreshLists } from "./news.js";
import { showNotice } from "./notice.js";
import { forgetWriting, streamText } from "./timeline.js";
import { watchWords } from "./words.js";

const STORED = [
  "run_started", "run_resumed", "message", "tool_call", "tool_result", "user_input_required", "user_input_updated",
  "user_input_resolved", "plan_updated", "run_paused", "run_completed", "run_failed", "run_cancelled",
];
const SENT = ["usage", "message_delta", "message_snapshot"];
const SAID = { completed: "message", failed: "failed", cancelled: "stopped" };
const CONNECT_MS = 8000;
const QUIET_MS = 40000;
const REST_MS = 60000;
const LEAVING_MS = [300, 1500, 5000];

// A browser opens six connections to a host: windows side by side must leave some for requests.
const PLACES = 3;

const channel = "BroadcastChannel" in window ? new BroadcastChannel("handraise-session") : null;
let source = null;
let isOpening = false;
let giveBack = null;
let cursor = main?.dataset.after ?? "0";
let connecting = 0;
let failures = 0;
let heard = Date.now();
let isOver = false;

function show(state) {
  const mark = byId("connection");
  if (!mark || isOver || mark.dataset.state === state) return;
  mark.dataset.state = state;
  if (state === "offline") mark.querySelector("time").textContent = new Intl.DateTimeFormat(lang, { timeStyle: "short" }).format();
}

/** Take one of the browser's places for a stream. Locks exist in secure contexts only; elsewhere each visible tab has its own. */
async function takePlace() {
  if (!navigator.locks) return true;
  for (let place = 0; place < PLACES; place += 1) {
    if (await new Promise((tell) => navigator.locks.request(`handraise-stream-${place}`, { ifAvailable: true }, hold(tell)))) return true;
  }
  return false;
}

const hold = (tell) => (lock) => {
  tell(lock !== null);
  return lock && new Promise((release) => { giveBack = release; });
};

async function open() {
  if (source || isOver || isOpening || document.hidden) return;
  isOpening = true;
  const hasPlace = await takePlace();
  isOpening = false;
  if (!hasPlace) lookWithoutStream();
  else if (document.hidden || isOver) close();
  else connect();
}

function connect() {
  source = new EventSource(`/api/sessions/${sessionId}/events?after=${cursor}`);
  connecting = Date.now();
  source.onopen = opened;
  source.onerror = () => (source.readyState === EventSource.CLOSED ? refused() : lost());
  for (const kind of [...STORED, ...SENT]) source.addEventListener(kind, (event) => {
    take(event);
    channel?.postMessage({ sessionId, type: event.type, data: event.data, lastEventId: event.lastEventId });
  });
}

function opened() {
  failures = 0;
  connecting = 0;
  heard = Date.now();
  online();
}

function online() {
  show("live");
  document.querySelectorAll("[data-until=live]").forEach((notice) => notice.remove());
}

function close() {
  source?.close();
  source = null;
  forgetWriting();
  giveBack?.();
  giveBack = null;
}

function lost() {
  connecting ||= Date.now();
  show(navigator.onLine ? "reconnecting" : "offline");
}

/** All places are taken by other windows: what those of this session hear comes by the channel; the rest is asked for. */
async function lookWithoutStream() {
  failures = 0; // it looks for a place again, like any tab that has none
  const status = await refresh();
  if (status === 200) online();
  else if (!isEnd(status)) show("offline");
}

/** The stream was refused: find out why, and come back later unless that is for good. */
async function refused() {
  close();
  const status = await refresh();
  if (isEnd(status)) return;
  show(status ? "reconnecting" : "offline");
  failures += 1;
  setTimeout(open, Math.min(15000, 500 * 2 ** failures));
}

/** Say so if there is nothing to follow any more. */
function isEnd(status) {
  if (status === 401) over("signed-out");
  if (status === 404) over("gone");
  if (status === 410) over("erased");
  return isOver;
}

function over(state) {
  if (isOver) return;
  close();
  show(state);
  isOver = true;
  if (state === "gone" || state === "erased") sayGone(state, closeDock());
  else if (!byId("notice").querySelector(".notice")) showNotice("401");
}

/** The chat was deleted elsewhere, or its words were. What was typed can still be copied. */
function sayGone(state, typed) {
  showNotice(state);
  const kept = byId("typed");
  if (typed) kept.value = typed;
  else kept.parentElement.remove();
  if (state === "erased") takeWordsAway();
}

/** What was erased stays on no screen: rows, plan, attachments, card and title go. */
function takeWordsAway() {
  for (const id of ["timeline", "plan-slot", "attachments", "card-slot"]) byId(id)?.replaceChildren();
  main.querySelector(".chat-head .menu")?.remove();
  byId("session-title").textContent = byId("session-title").dataset.untitled;
  followTitle();
  refreshLists();
}

/** Take in an event of this session's stream, or of another window that has one. */
function take(event) {
  heard = Date.now();
  if (event.type.startsWith("message_")) {
    const piece = JSON.parse(event.data);
    return streamText(piece.messageId, piece.text, event.type === "message_snapshot");
  }
  cursor = event.lastEventId;
  if (event.type !== "usage") stored(event.type, JSON.parse(event.data));
}

function stored(type, data) {
  if (type === "user_input_required" && ![data.id, data.toolCallId, data.title, data.mode].every(Boolean)) {
    console.warn("A question without id, call, title or mode was left out.");
    return;
  }
  if (type === "user_input_required") say("question");
  if (type.startsWith("run_") || type.startsWith("user_input_")) refreshLists();
  refresh().then(isEnd);
}

/** Say how the run of this page has ended. The page's state tells, not an event: runs that were delegated end within it. */
function sayEnds() {
  let known = byId("session-state").dataset.revision;
  drawn(() => {
    const { state, revision } = byId("session-state").dataset;
    if (revision !== known && SAID[state]) say(SAID[state]);
    known = revision;
  });
}

/** Start the stream anew if it hangs, and look for news if it has been quiet for long: no event tells of an erasure. */
function watch() {
  if (document.hidden || isOver) return;
  if (source && connecting && Date.now() - connecting > CONNECT_MS) close();
  if (!source && !failures) open();
  const isActive = ["queued", "running", "waiting"].includes(byId("session-state").dataset.state);
  if (Date.now() - heard > (isActive ? QUIET_MS : REST_MS)) lookWhileQuiet();
}

/** A stream that said nothing of what has changed is dead, whatever it says of itself. */
async function lookWhileQuiet() {
  heard = Date.now();
  const { revision } = byId("session-state").dataset;
  if (isEnd(await refresh())) return;
  if (byId("session-state").dataset.revision !== revision) startAnew();
}

/** The tab is in view again, or the page was left and is come back to: its stream goes on where it was, and whether words were erased meanwhile is asked. */
function comeBack() {
  open();
  if (!isOver) refresh().then(isEnd);
}

/** The network is back. The stream of before may have outlived that or not; only a new one shows. */
function startAnew() {
  close();
  show("reconnecting");
  open();
}

function relayed(event) {
  if (!source && !isOver && !document.hidden && event.sessionId === sessionId) take(event);
}

/** Another tab signs out: look whether that has been done. */
function look() {
  for (const wait of LEAVING_MS) setTimeout(async () => isOver || isEnd(await refresh()), wait);
}

/** Begin again after the user has signed in anew. */
export function resume() {
  isOver = false;
  failures = 0;
  show("reconnecting");
  open();
}

export function follow() {
  on("submit", 'form[action="/sign-out/"]', () => channel?.postMessage({ isLeaving: true }));
  if (!sessionId) return;
  if ("isOlderPage" in main.dataset) return watchWords(main.dataset.words, (status) => [404, 410].includes(status) && isEnd(status));
  sayEnds();
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : comeBack()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => { if (event.persisted) comeBack(); });
  addEventListener("offline", () => show("offline"));
  addEventListener("online", startAnew);
  if (channel) channel.onmessage = ({ data }) => (data.isLeaving ? look() : relayed(data));
  setInterval(watch, 2000);
  open();
}
