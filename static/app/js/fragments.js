// What htmx does with our fragments: rows by id, focus, and answers that must not be swapped into the page.
import { announceDrawn, byId } from "./dom.js";
import { cardBeforeSwap, cardRefused, cardSent, cardSlotSwapped, cardTaken } from "./dock.js";
import { areOutdated, backgroundAnswered, keepKnown, newsSoFar, ownDrawn, refresh } from "./news.js";

/** Put rows in: known ones are replaced if their revision differs, new ones stand behind the row before them. */
function putRows(list, fragment) {
  const added = [];
  let before = null;
  for (const row of [...fragment.children]) {
    const known = byId(row.id);
    if (!known) {
      before ? before.after(row) : list.append(row);
    } else if (known.dataset.revision !== row.dataset.revision || row.hasAttribute("data-focus")) {
      replaceRow(known, row);
    } else {
      before = known;
      continue;
    }
    added.push(row);
    before = row;
  }
  if (added.length) document.dispatchEvent(new CustomEvent("handraise:rows"));
  return added;
}

/** Replace a row by its newer form; whether it and what is nested in it are open, and whether it has the focus, stays. */
function replaceRow(known, row) {
  const [was, is] = [known.querySelector("details"), row.querySelector("details")];
  if (was && is && was.className === is.className) is.open = was.open;
  for (const nested of known.querySelectorAll("details[id][open]")) row.querySelector(`[id="${nested.id}"]`)?.setAttribute("open", "");
  const hadFocus = known.contains(document.activeElement);
  known.replaceWith(row);
  if (hadFocus) row.focus({ preventScroll: true });
}

/** Show a notice of the page for a status that carries none of its own. */
export function showNotice(name) {
  const [slot, words] = [byId("notice"), byId(`notice-${name}`) ?? byId("notice-500")];
  if (slot && words) slot.replaceChildren(words.content.cloneNode(true));
}

function noticeOf(status) {
  if (status >= 500) return "500";
  return [401, 403, 404, 429].includes(status) ? String(status) : "";
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

htmx.registerExtension("handraise", {
  handle_swap: (style, target, fragment) => (style === "rows" ? putRows(target, fragment) : undefined),
  htmx_before_request: (_element, { ctx }) => {
    if (isBackground(ctx)) return;
    byId("notice")?.replaceChildren();
    ctx.newsBefore = newsSoFar();
    cardSent(ctx.sourceElement);
  },
  htmx_before_swap: (_element, { ctx, tasks }) => {
    if (ctx.sourceElement === byId("dock") && areOutdated()) tasks.length = 0;
    if (isBackground(ctx)) leaveOutKnown(tasks);
    if (tasks.some((task) => task.target?.id === "card-slot")) cardBeforeSwap(ctx);
  },
  htmx_after_swap: (_element, { ctx }) => {
    cardSlotSwapped();
    keepKnown();
    announceDrawn();
    if (isBackground(ctx)) return;
    ownDrawn();
    cardTaken();
    focusMarked();
    if (ctx.newsBefore !== newsSoFar()) refresh(); // the news overtook this answer, which has drawn an older state over them
  },
  htmx_after_request: (_element, { ctx }) => {
    const status = ctx.response.status;
    if (isBackground(ctx)) return backgroundAnswered(status);
    const name = noticeOf(status);
    if (name) showNotice(name);
    if (status >= 400) cardRefused(status);
    document.dispatchEvent(new CustomEvent("handraise:answered", { detail: { form: ctx.sourceElement, status } }));
  },
  htmx_error: (_element, { ctx }) => {
    if (ctx && isBackground(ctx)) backgroundAnswered(0);
    else if (ctx) {
      showNotice("offline");
      cardRefused(0);
    }
  },
});

focusMarked();
