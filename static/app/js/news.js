// Bring the page up to date by one request at a time: what changed comes as fragments with stable ids.
import { byId, main, sessionId } from "./dom.js";

const LISTS_AGAIN_MS = 10000;

let rounds = null;
let isWantedAgain = false;
let lastStatus = 200;
let answers = 0;
let ownAnswers = 0;
let ownBefore = 0;

export function backgroundAnswered({ id }, status) {
  if (id === "dock") {
    lastStatus = status;
    answers += 1;
  } else if (!status || status === 429 || status >= 500) {
    clearTimeout(listsAgain);
    listsAgain = setTimeout(refreshLists, LISTS_AGAIN_MS);
  }
}

/** How often news have been drawn: an answer that was on its way meanwhile may be older than they are. */
export const newsSoFar = () => answers;

/** An answer to something the user did has been drawn. */
export const ownDrawn = () => {
  ownAnswers += 1;
};

/** Whether news that come now were asked for before the user's last answer was drawn; then they are asked for once more. */
export function areOutdated() {
  if (ownBefore === ownAnswers) return false;
  isWantedAgain = true;
  return true;
}

function address() {
  const known = new URLSearchParams({ tail: byId("session-state").dataset.tail, shown: byId("card-slot").dataset.shown, erased: main.dataset.erased });
  return `/s/${sessionId}/live/?${known}`;
}

/** Return the status of the answer; 0: the service was not reached. */
async function once() {
  lastStatus = 0;
  ownBefore = ownAnswers;
  await htmx.ajax("GET", address(), { source: byId("dock"), target: byId("dock"), swap: "none" });
  return lastStatus;
}

/** Let the forms say what this page knows, so that their answers bring what it lacks. */
export function keepKnown() {
  if (!sessionId) return;
  const known = { tail: byId("session-state").dataset.tail, shown: byId("card-slot").dataset.shown };
  for (const field of document.querySelectorAll("[data-live]")) field.value = known[field.dataset.live];
}

/** Refresh the page; calls that come meanwhile are one more round. Returns the last status. */
export async function refresh() {
  if (!sessionId || "isOlderPage" in main.dataset) return 200;
  isWantedAgain = true;
  return rounds ??= goRound();
}

async function goRound() {
  try {
    while (isWantedAgain) {
      isWantedAgain = false;
      await once();
    }
  } finally {
    rounds = null;
  }
  return lastStatus;
}

const listsWanted = new Set();
let areListsBusy = false;
let listsAgain = 0;

/** Have the lists of sessions and of waiting questions drawn anew; calls that come meanwhile are one more round. */
export async function refreshLists() {
  for (const id of ["sidebar-list", "inbox"]) listsWanted.add(id);
  if (areListsBusy) return;
  areListsBusy = true;
  try {
    for (const id of listsWanted) {
      listsWanted.delete(id);
      const list = byId(id);
      if (list) await htmx.ajax("GET", list.dataset.address, { source: list, target: list, swap: "outerHTML" });
    }
  } finally {
    areListsBusy = false;
  }
}
