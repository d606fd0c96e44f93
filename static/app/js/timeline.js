// The timeline: text that is being written, and staying at its end as long as the reader is there.
import { act, byId, drawn } from "./dom.js";

const scroller = byId("scroller");
const NEAR_PIXELS = 80;
let isAtEnd = true;
let writing = "";

function toEnd() {
  if (scroller) scroller.scrollTop = scroller.scrollHeight;
}

function follow() {
  if (isAtEnd) toEnd();
  else showJump(true);
}

function showJump(isShown) {
  const jump = byId("jump");
  if (jump) jump.hidden = !isShown;
}

/** Show a piece of a message that is being written; its stored row takes the bubble's place. */
export function streamText(messageId, text, isWhole) {
  const id = `m-${messageId}`;
  writing = id;
  let row = byId(id);
  if (row && !row.classList.contains("is-streaming")) return;
  if (isWhole && !text) {
    row?.remove();
    return;
  }
  if (!row) row = newRow(id);
  const node = row.querySelector(".streaming-text").firstChild;
  if (isWhole) node.data = text;
  else node.appendData(text);
  follow();
}

/** A text that became no row of the conversation, such as one that was cut and goes on in the next, is over. */
function dropStale() {
  for (const row of document.querySelectorAll(".is-streaming")) if (row.id !== writing) row.remove();
}

/** The stream was let go: it will say again which text is being written, if any still is. */
export const forgetWriting = () => { writing = ""; };

function newRow(id) {
  const row = byId("streaming-row").content.firstElementChild.cloneNode(true);
  row.id = id;
  row.querySelector(".streaming-text").append(document.createTextNode(""));
  const end = byId("timeline").lastElementChild;
  if (end?.classList.contains("row-run") && !end.matches(".run-completed, .run-failed, .run-cancelled")) end.before(row);
  else byId("timeline").append(row);
  return row;
}

/** Earlier rows come in above: what the reader sees stays where it is. Browsers do that, but not at the very top. */
function keepPlace() {
  const isKept = CSS.supports("overflow-anchor", "auto");
  let fromEnd = 0;
  document.addEventListener("htmx:before:swap", ({ detail }) => {
    if (!detail.ctx.sourceElement?.closest?.("#older")) return;
    if (isKept) scroller.scrollTop ||= 1;
    else fromEnd = scroller.scrollHeight - scroller.scrollTop;
  });
  document.addEventListener("htmx:after:swap", () => {
    if (fromEnd) scroller.scrollTop = scroller.scrollHeight - fromEnd;
    fromEnd = 0;
  });
}

export function stickToNewest() {
  if (!scroller) return;
  scroller.addEventListener("scroll", () => {
    isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PIXELS;
    if (isAtEnd) showJump(false);
  }, { passive: true });
  new ResizeObserver(() => { if (isAtEnd) toEnd(); }).observe(scroller);
  // A picture has no height before it is there. (To watch the rows' own height would also follow a row that is opened.)
  scroller.addEventListener("load", () => { if (isAtEnd) toEnd(); }, true);
  act("jump", () => { isAtEnd = true; toEnd(); showJump(false); });
  if (!location.hash.startsWith("#q-")) toEnd();
  drawn(() => {
    dropStale();
    if (isAtEnd) toEnd();
  });
  document.addEventListener("handraise:rows", follow);
  keepPlace();
  document.addEventListener("handraise:answered", ({ detail }) => {
    // Who sends a message wants to see it.
    if (detail.form?.id === "composer" && detail.isTaken) isAtEnd = true;
  });
}
