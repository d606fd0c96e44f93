// Pages that show words of a chat and have no stream: an erasure takes the words away while they stand open.
import { byId } from "./dom.js";
import { nameTitle } from "./inbox.js";
import { refreshLists } from "./news.js";

const EVERY_MS = 60000;

/** Ask whether the words are still there, when the page comes into view and every minute, until `tell` says that this is over. */
export function watchWords(address, tell) {
  let isOver = false;
  async function look() {
    if (document.hidden || isOver) return;
    const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null); // not reached: the next look tells
    if (answer && tell(answer.status)) isOver = true;
  }
  setInterval(look, EVERY_MS);
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", (event) => { if (event.persisted) look(); });
}

/** The page of a question: its words were erased, or its chat was deleted. */
function takeReceiptAway(status) {
  if (![404, 410].includes(status)) return false;
  byId("receipt").replaceChildren(byId("receipt-gone").content.cloneNode(true));
  nameTitle(document.querySelector("h1").textContent);
  refreshLists(); // titles are the beginnings of messages
  return true;
}

export function keepReceipt() {
  const receipt = byId("receipt");
  if (receipt) watchWords(receipt.dataset.words, takeReceiptAway);
}
