// What htmx does with our fragments: rows by id, focus, and answers that must not be swapped into the page.
import { announceDrawn, byId } from "./dom.js";
import { cardBeforeSwap, cardRefused, cardSent, cardSlotSwapped, cardTaken } from "./dock.js";
import { focusAgain, placeOf } from "./focus.js";
import { areOutdated, backgroundAnswered, keepKnown, newsSoFar, ownDrawn, refresh } from "./news.js";
import { clearNotice, putNotice, showNotice } from "./notice.js";

/** Put rows in: known ones are replaced if their revision differs, each stands behind the row before it. */
function putRows(list, fragment) {
  const added = [];
  let before = null;
  for (const row of [...fragment.children]) {
    const known = byId(row.id);
    const isSame = known && known.dataset.revision === row.dataset.revision && !row.hasAttribute("data-focus");
    const placed = isSame ? known : row;
    if (!known) before ? before.after(row) : list.append(row);
    else if (!isSame) replaceRow(known, row);
    // Text is shown as it is written, which may be before the message that it answers has been drawn.
    if (before && isAbove(placed, before)) before.after(placed);
    if (!isSame) added.push(row);
    before = placed;
  }
  if (added.length) document.dispatchEvent(new CustomEvent("handraise:rows"));
  return added;
}

const isAbove = (row, other) => Boolean(row.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

/** Replace a row by its newer form; whether it and what is nested in it are open, and whether it has the focus, stays. */
function replaceRow(known, row) {
  const [was, is] = [known.querySelector("details"), row.querySelector("details")];
  if (was && is && was.className === is.className) is.open = was.open;
  for (const nested of known.querySelectorAll("details[id][open]")) row.querySelector(`[id="${nested.id}"]`)?.setAttribute("open", "");
  const hadFocus = known.contains(document.activeElement);
  known.replaceWith(row);
  if (hadFocus) row.focus({ preventScroll: true });
}

/** The notice for an answer that carries none of its own: a refusal of ours does, one of a server before ours does not. */
function noticeOf({ response: { status }, text }) {
  if (status < 400) return "";
  if ([401, 403, 404, 429].includes(status)) return String(status);
  return status < 500 && text.includes("<hx-partial") ? "" : "500";
}

/** What the page shows already in this very form is not drawn anew: it may have the focus, or text in it. */
function leaveOutKnown(tasks) {
  for (const task of [...tasks]) {
    const revision = task.fragment.firstElementChild?.dataset.revision;
    if (task.swapSpec.style === "outerHTML" && revision !== undefined && revision === task.target?.dataset.revision) {
      tasks.splice(tasks.indexOf(task), 1);
    }
  }
}

function focusMarked() {
  const marked = document.querySelector("[data-focus]");
  marked?.removeAttribute("data-focus");
  marked?.focus();
}

const isBackground = (ctx) => ctx.sourceElement === byId("dock") || ctx.sourceElement?.id === "sidebar-list" || ctx.sourceElement?.id === "inbox";

/** Tell the parts of the page what became of something the user did; status 0: no answer came. */
function tellAnswered({ sourceElement: form }, status) {
  if (status >= 400 || !status) cardRefused(form, status);
  document.dispatchEvent(new CustomEvent("handraise:answered", { detail: { form, isTaken: status >= 200 && status < 300 } }));
}

const putParts = { rows: putRows, notice: (_slot, fragment) => putNotice(...fragment.children) };

htmx.registerExtension("handraise", {
  handle_swap: (style, target, fragment) => putParts[style]?.(target, fragment),
  htmx_before_request: (_element, { ctx }) => {
    if (isBackground(ctx)) return;
    cardSent(ctx.sourceElement);
    clearNotice(ctx.sourceElement);
    ctx.newsBefore = newsSoFar();
  },
  htmx_before_swap: (_element, { ctx, tasks }) => {
    // A button that sends is disabled meanwhile, which takes the focus off it.
    const isFree = document.activeElement === document.body && !isBackground(ctx);
    ctx.focused = placeOf(isFree ? ctx.sourceElement : document.activeElement);
    if (ctx.sourceElement === byId("dock") && areOutdated()) tasks.length = 0;
    if (isBackground(ctx)) leaveOutKnown(tasks);
    if (tasks.some((task) => task.target?.id === "card-slot")) cardBeforeSwap(ctx);
  },
  htmx_after_swap: (_element, { ctx }) => {
    cardSlotSwapped();
    keepKnown();
    announceDrawn();
    focusAgain(ctx.focused);
    if (isBackground(ctx)) return;
    ownDrawn();
    cardTaken();
    focusMarked();
    if (ctx.newsBefore !== newsSoFar()) refresh(); // the news overtook this answer, which has drawn an older state over them
  },
  htmx_after_request: (_element, { ctx }) => {
    if (isBackground(ctx)) return backgroundAnswered(ctx.sourceElement, ctx.response.status);
    const name = noticeOf(ctx);
    if (name) showNotice(name);
    tellAnswered(ctx, ctx.response.status);
  },
  htmx_error: (_element, { ctx }) => {
    if (ctx && isBackground(ctx)) backgroundAnswered(ctx.sourceElement, 0);
    else if (ctx) {
      showNotice("offline");
      tellAnswered(ctx, 0);
    }
  },
});

focusMarked();
