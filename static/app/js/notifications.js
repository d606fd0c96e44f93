// The browser's notification of a question that arrives while no page of ours is in view. It names the chat, never what is asked.
import { act, byId, on, sessionId as ownSession } from "./dom.js";

const IN_VIEW = "handraise-in-view";
const isSupported = "Notification" in window && Boolean(navigator.locks);

/** Hold a shared lock while this tab is in view, so that the tab with the stream can tell whether any is. */
function holdWhileInView() {
  if (document.hidden) return;
  navigator.locks.request(IN_VIEW, { mode: "shared" }, () => document.hidden || new Promise((resolve) => {
    document.addEventListener("visibilitychange", resolve, { once: true });
  }));
}

async function isAnyInView() {
  const { held } = await navigator.locks.query();
  return held.some(({ name }) => name === IN_VIEW);
}

/** Return the list of sessions as it is now: it says whether notifications are wanted, and the title. */
async function freshList() {
  const answer = await fetch("/sidebar/", { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("sidebar-list");
}

export async function notifyOf(sessionId) {
  if (!isSupported || Notification.permission !== "granted" || (await isAnyInView())) return;
  const list = await freshList();
  if (!list || !("notifies" in list.dataset)) return;
  const address = sessionId ? `/s/${sessionId}/` : "/inbox/";
  const title = list.querySelector(`[href="${address}"] .session-link-title`)?.textContent ?? "";
  show(byId("announcer").dataset.question, { body: title, tag: address, icon: "/favicon.ico" }, address);
}

function show(words, options, address) {
  let notification = null;
  try {
    notification = new Notification(words, options);
  } catch {
    return; // Browsers of Android let service workers alone show any.
  }
  notification.onclick = () => {
    notification.close();
    window.focus();
    // This tab may hold a half-written message, so another one is opened.
    if (address !== `/s/${ownSession}/`) window.open(address, "_blank", "noopener");
  };
}

// --- the settings ---------------------------------------------------------------------------------
function showState() {
  const state = byId("notifications-state");
  if (!state) return;
  const permission = isSupported ? Notification.permission : "missing";
  state.textContent = state.dataset[permission];
  state.hidden = false;
  document.querySelector("[data-act=ask-permission]").hidden = permission !== "default";
}

async function askPermission() {
  await Notification.requestPermission();
  showState();
}

act("ask-permission", askPermission);
on("change", "[data-notifications]", (_event, box) => {
  if (box.checked && isSupported && Notification.permission === "default") askPermission();
});

if (isSupported) {
  document.addEventListener("visibilitychange", holdWhileInView);
  holdWhileInView();
}
showState();
